//! The first partial of plates and membranes by themselves, in continuous time, where it is known in closed form.
//!
//! Equation    ω² = c²β² + κ²β⁴ (`waves`), with the wave number β of the first mode that bends
//! Rectangle   simply supported: β² = π²(1/a² + 1/b²). Membrane with any edges: β² = β_x² + β_y², each π/a between held
//!             edges, π/2a between a held and a free one, 0 between free ones
//! Disc        membrane: J₀(βR) = 0 if held, J₁′(βR) = 0 if free. Plate without tension: βR = 3.1962 if clamped; if free, the root of
//!             the two conditions that moment and force vanish at the rim, for two nodal diameters
//! Reference   Leissa (1969), Vibration of Plates, ch. 2 and 4; Morse and Ingard (1968), Theoretical Acoustics, ch. 5

use crate::waves::Waves;
use percuss::{Edge, Outline, Plate};
use std::f64::consts::PI;

/// First zero of J₀.
const HELD_MEMBRANE: f64 = 2.404_825_557_695_773;
/// First zero of J₁′.
const FREE_MEMBRANE: f64 = 1.841_183_781_340_659;
/// First zero of J₀I₁ + I₀J₁.
const CLAMPED_PLATE: f64 = 3.196_220_616_582_541;

/// β² of the first partial \[1/m²\].
pub(crate) fn first_wave_number_squared(plate: &Plate) -> Option<f64> {
    let is_membrane = plate.youngs_modulus == 0.0;
    match plate.outline {
        Outline::Rectangle if is_membrane => Some(rectangular_membrane(plate)),
        Outline::Rectangle => {
            let is_supported = plate.edges == [Edge::SimplySupported; 4];
            is_supported.then(|| plate.size.iter().map(|side| (PI / side).powi(2)).sum())
        }
        Outline::Disc => {
            let radius = 0.5 * plate.size[0];
            let is_free = is_free(plate.edges[0]);
            let root = match (is_membrane, plate.tension > 0.0) {
                (true, _) if is_free => FREE_MEMBRANE,
                (true, _) => HELD_MEMBRANE,
                (false, true) => return None,
                (false, false) if is_free => free_disc(plate.poisson),
                (false, false) => CLAMPED_PLATE,
            };
            Some((root / radius).powi(2))
        }
    }
}

/// A rough value of the same for any plate.
pub(crate) fn rough_frequency(plate: &Plate, waves: &Waves) -> f64 {
    waves.omega(plate.size.iter().map(|side| (PI / side).powi(2)).sum()) / std::f64::consts::TAU
}

fn is_free(edge: Edge) -> bool {
    matches!(edge, Edge::Free | Edge::FreeFullCell)
}

fn rectangular_membrane(plate: &Plate) -> f64 {
    let along = |axis: usize| {
        let free = plate.edges[2 * axis..2 * axis + 2].iter().filter(|edge| is_free(**edge)).count();
        [1.0, 0.5, 0.0][free] * PI / plate.size[axis]
    };
    let square = along(0).powi(2) + along(1).powi(2);
    // Without any hold the first motion that is not rigid is a wave along the longer side.
    if square > 0.0 { square } else { (PI / plate.size[0].max(plate.size[1])).powi(2) }
}

/// βR of a free disc with two nodal diameters.
fn free_disc(poisson: f64) -> f64 {
    const DIAMETERS: f64 = 4.0;
    let condition = |x: f64| {
        let [j, i] = [-1.0, 1.0].map(|sign| bessel(2, x, sign));
        let [j_slope, i_slope] = [-1.0, 1.0].map(|sign| x * bessel(1, x, sign) - 2.0 * bessel(2, x, sign));
        let moment_j = -x * x * j - (1.0 - poisson) * (j_slope - DIAMETERS * j);
        let moment_i = x * x * i - (1.0 - poisson) * (i_slope - DIAMETERS * i);
        let force_j = -x * x * j_slope - (1.0 - poisson) * DIAMETERS * (j_slope - j);
        let force_i = x * x * i_slope - (1.0 - poisson) * DIAMETERS * (i_slope - i);
        moment_j * force_i - moment_i * force_j
    };
    let (mut low, mut high) = (1.5_f64, 3.0_f64);
    let at_low = condition(low);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if condition(middle) * at_low > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// J_n (sign −1) or I_n (sign 1), by its power series: for x of a few.
fn bessel(order: u32, x: f64, sign: f64) -> f64 {
    let half = 0.5 * x;
    let first = (1..=order).fold(1.0, |product, n| product * half / f64::from(n));
    let next = |(k, term): (u32, f64)| {
        let k = k + 1;
        (k, term * sign * half * half / (f64::from(k) * f64::from(k + order)))
    };
    std::iter::successors(Some((0, first)), |&term| Some(next(term))).take(30).map(|(_, term)| term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_roots() {
        let [j0, j1, j2] = [0, 1, 2].map(|order| move |x: f64| bessel(order, x, -1.0));
        assert!(j0(HELD_MEMBRANE).abs() < 1e-15);
        assert!((j0(FREE_MEMBRANE) - j2(FREE_MEMBRANE)).abs() < 1e-15);
        let [i0, i1] = [0, 1].map(|order| bessel(order, CLAMPED_PLATE, 1.0));
        assert!((j0(CLAMPED_PLATE) * i1 + i0 * j1(CLAMPED_PLATE)).abs() < 1e-13);
    }

    /// ωR²√(ρH/D) of the literature: 5.262 for ν = 0.33 (Itao and Crandall 1979), 5.358 for ν = 0.3.
    #[test]
    fn free_disc_has_the_known_first_partial() {
        for (poisson, known) in [(0.33, 5.262), (0.3, 5.358)] {
            let found = free_disc(poisson).powi(2);
            assert!((found / known - 1.0).abs() < 1e-3, "ν = {poisson}: {found}, not {known}");
        }
    }
}
