//! Waves on a string, bar, plate or membrane, far from its ends.
//!
//! Dispersion  ω² = c²β² + κ²β⁴
//! Symbols     β wave number \[1/m\], c² = T/ρA, κ² = EI/ρA of strings and bars, c² = T/ρH, κ² = D/ρH of plates

use percuss::Element;

/// How fast waves travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Waves {
    /// \[m²/s²\].
    pub c2: f64,
    /// \[m⁴/s²\].
    pub kappa2: f64,
}

impl Waves {
    /// Of a string, bar, plate or membrane.
    pub fn of(element: &Element) -> Option<Self> {
        match element {
            Element::String(string) => {
                let area = std::f64::consts::PI * string.radius.powi(2);
                let kappa2 = string.youngs_modulus * string.radius.powi(2) / (4.0 * string.density);
                Some(Self { c2: string.tension / (string.density * area), kappa2 })
            }
            Element::Bar(bar) => {
                Some(Self { c2: 0.0, kappa2: bar.youngs_modulus * bar.thickness.powi(2) / (12.0 * bar.density) })
            }
            Element::Plate(plate) => {
                let kappa2 = plate.youngs_modulus * plate.thickness.powi(2)
                    / (12.0 * plate.density * (1.0 - plate.poisson.powi(2)));
                Some(Self { c2: plate.tension / (plate.density * plate.thickness), kappa2 })
            }
            Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) | Element::Modal(_) => None,
        }
    }

    /// β² at ω \[1/m²\].
    pub fn wave_number_squared(&self, omega: f64) -> f64 {
        2.0 * omega * omega / (self.c2 + (self.c2 * self.c2 + 4.0 * self.kappa2 * omega * omega).sqrt())
    }

    /// ω at β² \[1/s\].
    pub fn omega(&self, wave_number_squared: f64) -> f64 {
        (wave_number_squared * (self.c2 + self.kappa2 * wave_number_squared)).sqrt()
    }

    /// Share of bending in the potential energy at β²; 1 where nothing resists bending.
    pub fn bending_share(&self, wave_number_squared: f64) -> f64 {
        let bending = self.kappa2 * wave_number_squared;
        if bending > 0.0 { bending / (self.c2 + bending) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::{Bar, Plate, StiffString};

    #[test]
    fn wave_number_and_frequency_are_inverse() {
        let elements: [Element; 4] = [
            StiffString::default().into(),
            Bar::default().into(),
            Plate::steel([0.3; 2], 2e-3).into(),
            Plate::membrane([0.3; 2], 0.3, 2000.0).into(),
        ];
        for waves in elements.iter().map(|element| Waves::of(element).unwrap()) {
            for omega in [1.0, 300.0, 1e5] {
                let found = waves.omega(waves.wave_number_squared(omega));
                assert!((found / omega - 1.0).abs() < 1e-12, "{waves:?}: {found}, not {omega}");
            }
        }
    }
}
