//! The power-law potential behind collisions and connections, and its square root.
//!
//! Equation    φ = K/(α+1)·x^{α+1},  ψ = √(2φ),  g = ψ′ = √(K(α+1)/2)·x^{(α−1)/2},  φ′ = ψψ′ = Kx^α,   x ≥ 0
//! Energy      ½ψ² in the quadratised schemes, φ in the iterative one
//! Symbols     x penetration \[m\], K stiffness \[N/m^α\], α exponent, 1 or more
//! Allocates   no
//! Reference   Ducceschi and Bilbao (2019), DAFx; Willemsen (2019), eqs. 4, 6, 12

use crate::interaction::power_table::PowerTable;
use crate::model::PotentialSample;
use std::sync::Arc;

/// x^{(α−1)/2}, with square roots and products where α allows.
#[derive(Clone, Debug)]
enum SlopePower {
    Constant,
    FourthRoot,
    SquareRoot,
    ThreeQuarterPower,
    Linear,
    Tabulated(Arc<PowerTable>),
}

/// The tables of the powers that a model needs, each once.
#[derive(Debug, Default)]
pub(crate) struct PowerTables {
    slope_powers: Vec<Arc<PowerTable>>,
    penetrations: Vec<Arc<PenetrationPowers>>,
}

impl PowerTables {
    fn slope_power(&mut self, exponent: f64) -> Arc<PowerTable> {
        let known = self.slope_powers.iter().find(|power| power.exponent == exponent).cloned();
        known.unwrap_or_else(|| {
            let power = Arc::new(PowerTable::new(exponent));
            self.slope_powers.push(power.clone());
            power
        })
    }

    /// From ψ to x for an exponent α.
    fn penetration(&mut self, exponent: f64) -> Arc<PenetrationPowers> {
        let known = self.penetrations.iter().find(|penetration| penetration.exponent == exponent).cloned();
        known.unwrap_or_else(|| {
            let from_psi = 2.0 / (exponent + 1.0);
            let penetration = Arc::new(PenetrationPowers {
                exponent,
                from_psi: PowerTable::new(from_psi),
                crossings: PowerTable::new(0.5 * (1.0 - from_psi)),
            });
            self.penetrations.push(penetration.clone());
            penetration
        })
    }
}

impl SlopePower {
    fn new(exponent: f64, powers: &mut PowerTables) -> Self {
        match exponent {
            1.0 => Self::Constant,
            1.5 => Self::FourthRoot,
            2.0 => Self::SquareRoot,
            2.5 => Self::ThreeQuarterPower,
            3.0 => Self::Linear,
            other => Self::Tabulated(powers.slope_power(0.5 * (other - 1.0))),
        }
    }

    /// x^{α−1}.
    #[inline(always)]
    fn squared_at(&self, x: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::FourthRoot => x.sqrt(),
            Self::SquareRoot => x,
            Self::ThreeQuarterPower => x * x.sqrt(),
            Self::Linear => x * x,
            Self::Tabulated(power) => power.evaluate(x).powi(2),
        }
    }

    #[inline(always)]
    fn at(&self, x: f64) -> f64 {
        match self {
            Self::Constant => 1.0,
            Self::FourthRoot => x.sqrt().sqrt(),
            Self::SquareRoot => x.sqrt(),
            Self::ThreeQuarterPower => x.sqrt() * x.sqrt().sqrt(),
            Self::Linear => x,
            Self::Tabulated(power) => power.evaluate(x),
        }
    }
}

/// A power-law potential.
#[derive(Clone, Debug)]
pub(crate) struct Potential {
    slope_power: SlopePower,
    /// √(2K/(α+1)) and √(K(α+1)/2), whose product is K.
    psi_scale: f64,
    slope_scale: f64,
    penetration_powers: Arc<PenetrationPowers>,
}

/// Powers that lead from ψ to x.
#[derive(Debug)]
struct PenetrationPowers {
    /// α.
    exponent: f64,
    /// x^{2/(α+1)}, from ψ to x.
    from_psi: PowerTable,
    /// x^{(α−1)/2(α+1)}, from the square of a motion to the times that it crosses its depth.
    crossings: PowerTable,
}

impl Potential {
    pub fn new(stiffness: f64, exponent: f64, powers: &mut PowerTables) -> Self {
        Self {
            slope_power: SlopePower::new(exponent, powers),
            psi_scale: (2.0 * stiffness / (exponent + 1.0)).sqrt(),
            slope_scale: (0.5 * stiffness * (exponent + 1.0)).sqrt(),
            penetration_powers: powers.penetration(exponent),
        }
    }

    /// α.
    #[inline]
    pub fn exponent(&self) -> f64 {
        self.penetration_powers.exponent
    }

    /// ψ, ψ′ and φ′ at x, for one root; all 0 where open.
    #[inline(always)]
    pub fn at(&self, x: f64) -> PotentialSample {
        if x > 0.0 { self.sample(x, self.slope_power.at(x)) } else { PotentialSample::default() }
    }

    #[inline(always)]
    fn sample(&self, x: f64, root: f64) -> PotentialSample {
        let (psi, slope) = (self.psi_scale * x * root, self.slope_scale * root);
        PotentialSample { psi, slope, force: psi * slope }
    }

    /// ψ(x).
    #[inline]
    pub fn psi(&self, x: f64) -> f64 {
        self.at(x).psi
    }

    /// The x ≥ 0 with ψ(x) = ψ.
    pub fn penetration(&self, psi: f64) -> f64 {
        self.penetration_powers.from_psi.evaluate(psi / self.psi_scale)
    }

    /// How often a motion r crosses the depth at which ψ·c = r, by the square of r and `per_motion` from below.
    #[inline]
    pub fn crossings(&self, square: f64, per_motion: f64) -> f64 {
        self.penetration_powers.crossings.evaluate(square) * per_motion
    }

    /// That number for r = 1, for a positive c.
    pub fn crossings_per_metre(&self, c: f64) -> f64 {
        (self.psi_scale * c).powf(self.penetration_powers.from_psi.exponent)
    }

    /// The r above which ψ(s·r)·c > r, for a factor s and a positive c.
    pub fn short_contact_motion(&self, s: f64, c: f64) -> f64 {
        let power = 0.5 * (self.exponent() - 1.0);
        (self.psi_scale * c * s * s.powf(power)).powf(-1.0 / power)
    }

    /// 2·∫dy/√(1 − y^{α+1}) from 0 to 1: the duration of an impact without loss, in units of depth over speed.
    pub fn contact_time_factor(&self) -> f64 {
        // With y = 1 − s² the integrand is smooth: Simpson's rule.
        const SIMPSON_INTERVALS: u32 = 256;
        let at = |i: u32| {
            let s = f64::from(i) / f64::from(SIMPSON_INTERVALS);
            let rest = -((self.exponent() + 1.0) * (-s * s).ln_1p()).exp_m1();
            if i == 0 { 1.0 / (self.exponent() + 1.0).sqrt() } else { s / rest.sqrt() }
        };
        let weight = |i: u32| if i == 0 || i == SIMPSON_INTERVALS { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        4.0 * (0..=SIMPSON_INTERVALS).map(|i| weight(i) * at(i)).sum::<f64>() / (3.0 * f64::from(SIMPSON_INTERVALS))
    }

    /// ψ′(x).
    #[inline]
    pub fn slope(&self, x: f64) -> f64 {
        self.at(x).slope
    }

    /// φ(x) \[J\].
    pub fn energy(&self, x: f64) -> f64 {
        0.5 * self.psi(x).powi(2)
    }

    /// φ′(x) \[N\].
    #[inline]
    pub fn force(&self, x: f64) -> f64 {
        x * self.secant_stiffness(x)
    }

    /// φ′(x)/x \[N/m\].
    #[inline]
    pub fn secant_stiffness(&self, x: f64) -> f64 {
        self.stiffness() * self.secant_power(x)
    }

    /// K \[N/m^α\].
    #[inline]
    pub fn stiffness(&self) -> f64 {
        self.psi_scale * self.slope_scale
    }

    /// φ′(x)/Kx \[m^{α−1}\].
    #[inline(always)]
    pub fn secant_power(&self, x: f64) -> f64 {
        if x > 0.0 { self.slope_power.squared_at(x) } else { 0.0 }
    }

    /// φ″(x) \[N/m\].
    fn stiffness_at(&self, x: f64) -> f64 {
        self.exponent() * self.secant_stiffness(x)
    }

    /// Discrete gradient f = (φ(x+d) − φ(x))/d and its derivative in d, without loss of digits for small d.
    pub fn discrete_gradient(&self, x: f64, d: f64) -> (f64, f64) {
        let ahead = x + d;
        if x <= 0.0 && ahead <= 0.0 {
            return (0.0, 0.0);
        }
        if d == 0.0 {
            return (self.force(x), 0.5 * self.stiffness_at(x));
        }
        let force = if x > 0.0 && ahead > 0.0 {
            self.energy(x) * ((self.exponent() + 1.0) * (d / x).ln_1p()).exp_m1() / d
        } else {
            (self.energy(ahead) - self.energy(x)) / d
        };
        let is_small = d.abs() < 1e-4 * x.max(ahead);
        let derivative =
            if is_small { 0.5 * self.stiffness_at(x + 0.5 * d) } else { ((self.force(ahead) - force) / d).max(0.0) };
        (force, derivative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn psi_times_slope_is_the_force() {
        for exponent in [1.0, 1.3, 1.5, 2.0, 2.5, 3.0] {
            let law = Potential::new(3e7, exponent, &mut PowerTables::default());
            for x in [1e-9_f64, 1e-5, 0.3] {
                let force = 3e7 * x.powf(exponent);
                assert!((law.psi(x) * law.slope(x) / force - 1.0).abs() < 1e-14, "α = {exponent}, x = {x}");
                assert!((law.force(x) / force - 1.0).abs() < 1e-14);
                assert!((law.energy(x) / (force * x / (exponent + 1.0)) - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn an_impact_on_a_spring_lasts_half_a_period() {
        let shape = |exponent| Potential::new(1.0, exponent, &mut PowerTables::default()).contact_time_factor();
        assert!((shape(1.0) - std::f64::consts::PI).abs() < 1e-9);
        assert!((shape(1.5) - 2.943_275_184).abs() < 1e-8, "{}", shape(1.5));
    }

    #[test]
    fn discrete_gradient_returns_the_potential_difference() {
        let law = Potential::new(1e8, 1.5, &mut PowerTables::default());
        for (x, d) in [(1e-5, 1e-5), (1e-5, -2e-5), (-1e-6, 3e-6), (1e-4, 1e-15), (2e-5, -1.9e-5)] {
            let (force, _) = law.discrete_gradient(x, d);
            let difference = law.energy(x + d) - law.energy(x);
            assert!((force * d - difference).abs() <= 1e-15 * law.energy(x).max(law.energy(x + d)), "{x} {d}");
        }
        let (at_rest, _) = law.discrete_gradient(1e-5, 0.0);
        assert_eq!(at_rest, law.force(1e-5));
    }

    #[test]
    fn discrete_gradient_knows_its_derivative() {
        let law = Potential::new(1e8, 1.7, &mut PowerTables::default());
        for (x, d) in [(1e-5, 1e-5), (1e-5, -3e-5), (-1e-6, 3e-6), (1e-4, 1e-9)] {
            let (_, derivative) = law.discrete_gradient(x, d);
            let step = 1e-4 * d;
            let slope = (law.discrete_gradient(x, d + step).0 - law.discrete_gradient(x, d - step).0) / (2.0 * step);
            assert!((derivative / slope - 1.0).abs() < 1e-4, "{x} {d}: {derivative} {slope}");
        }
    }
}
