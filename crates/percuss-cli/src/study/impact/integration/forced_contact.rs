//! Impact with a constant external force, which has no closed form: an adaptive reference, and a correction.
//!
//! Equation    m v̇ = −k x^α (1 + μv) − f_e,  x(0) = 0,  v(0) = v_in;  f_e < 0 pushes into the wall, as gravity does on a floor
//! Reference   Dormand and Prince's pair 5(4), steps chosen for 1e-13 of x_max and v_in, the release found by bisection
//! Correction  the work of f_e from x = 0 back to x = 0 is zero, so ½mv_out² = ½mv_in² − Λ with the loss
//!             Λ = ∫ μkx^α v² dt alone. Λ is summed along the simulated contact, x is found from v as the root of
//!             k x^{α+1}/(α+1) + f_e x + ½mv² + Λ − ½mv_in², and v_out from the remaining energy
//! Symbols     f_e external force \[N\], Λ energy lost \[J\], the rest as in the closed forms
//! Reference   Papetti, Avanzini and Rocchesso (2010), eq. 21, sec. V

use super::integrators::{ForceLaw, HuntCrossley, Integrator, Motion, integrate_until_release};
use percuss::impact::Impact;

/// Trajectory of a contact with an external force.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcedContact {
    /// Motion at every sample or step; the last is at the release.
    pub path: Vec<Motion>,
    /// Velocity at the release \[m/s\]; 0 if the mass does not leave.
    pub exit_velocity: f64,
    /// Contact time \[s\].
    pub contact_time: f64,
}

/// Contact with an external force \[N\], by adaptive integration; `None` if the mass does not leave the wall.
pub fn reference(impact: &Impact, external: f64) -> Option<ForcedContact> {
    let law = HuntCrossley::from_impact(impact);
    let slope = |[x, v]: [f64; 2]| [v, -(law.force(x, v) + external) / impact.mass()];
    let scale = [impact.max_compression(), impact.speed()];
    let longest = 1000.0 * impact.contact_time();
    let (mut state, mut time, mut h) = ([0.0, impact.speed()], 0.0, 1e-4 * impact.contact_time());
    let mut path = vec![Motion { x: 0.0, v: impact.speed(), f: 0.0 }];
    while time < longest {
        let (next, error) = dormand_prince(slope, state, h, scale);
        if error > 1.0 {
            h *= (0.9 * error.powf(-0.2)).max(0.2);
            continue;
        }
        if next[0] <= 0.0 && next[1] < 0.0 {
            let (share, last) = find_release(slope, state, h, scale);
            path.push(Motion { x: 0.0, v: last[1], f: 0.0 });
            return Some(ForcedContact { path, exit_velocity: last[1], contact_time: time + share * h });
        }
        (state, time) = (next, time + h);
        path.push(Motion { x: state[0], v: state[1], f: law.force(state[0], state[1]) });
        h *= (0.9 * error.max(1e-10).powf(-0.2)).min(4.0);
    }
    None
}

const TOLERANCE: f64 = 1e-13;

/// One step of the pair 5(4): the fifth-order result, and its error over the tolerance.
fn dormand_prince(slope: impl Fn([f64; 2]) -> [f64; 2], y: [f64; 2], h: f64, scale: [f64; 2]) -> ([f64; 2], f64) {
    const STAGE_WEIGHTS: [&[f64]; 6] = [
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ];
    const ERROR_WEIGHTS: [f64; 7] =
        [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
    let mut slopes = [[0.0; 2]; 7];
    slopes[0] = slope(y);
    let mut next = y;
    for (stage, weights) in STAGE_WEIGHTS.iter().enumerate() {
        next = [0, 1].map(|i| y[i] + h * weights.iter().zip(&slopes).map(|(w, s)| w * s[i]).sum::<f64>());
        slopes[stage + 1] = slope(next);
    }
    let error =
        |i: usize| h * ERROR_WEIGHTS.iter().zip(&slopes).map(|(w, s)| w * s[i]).sum::<f64>() / (TOLERANCE * scale[i]);
    (next, error(0).abs().max(error(1).abs()))
}

/// Fraction of a step at which x returns to 0, and the state there.
fn find_release(slope: impl Fn([f64; 2]) -> [f64; 2], state: [f64; 2], h: f64, scale: [f64; 2]) -> (f64, [f64; 2]) {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if dormand_prince(&slope, state, middle * h, scale).0[0] > 0.0 { low = middle } else { high = middle }
    }
    (high, dormand_prince(&slope, state, high * h, scale).0)
}

/// A contact with the integrator's external force, without correction.
pub fn plain_contact(integrator: &mut Integrator<HuntCrossley>, impact: &Impact) -> ForcedContact {
    contact(integrate_until_release(start(impact), |motion| integrator.advance(motion)), integrator.step)
}

/// A contact with the integrator's external force and the energy correction.
pub fn energy_corrected_contact(integrator: &mut Integrator<HuntCrossley>, impact: &Impact) -> ForcedContact {
    let mut lost = 0.0;
    let whole = 0.5 * impact.mass() * impact.speed().powi(2);
    let external = integrator.external;
    let elastic = HuntCrossley::from_impact(impact);
    let loss_rate = |motion: &Motion| impact.loss() * elastic.force(motion.x, 0.0) * motion.v * motion.v;
    let mut samples = integrate_until_release(start(impact), |motion| {
        let mut next = integrator.advance(motion);
        lost += 0.5 * integrator.step * (loss_rate(&motion) + loss_rate(&next));
        if next.x > 0.0 {
            let left = whole - lost - 0.5 * impact.mass() * next.v * next.v;
            next.x = compression_of_energy(impact, external, left, next.x);
            next.f = elastic.force(next.x, next.v);
        }
        next
    });
    if let Some(last) = samples.last_mut() {
        *last = Motion { x: 0.0, v: -(2.0 * (whole - lost).max(0.0) / impact.mass()).sqrt(), f: 0.0 };
    }
    contact(samples, integrator.step)
}

/// Root of k x^{α+1}/(α+1) + f_e x − left next to a guess, by Newton's method; the guess if there is none.
fn compression_of_energy(impact: &Impact, external: f64, left: f64, guess: f64) -> f64 {
    let (law, power) = (HuntCrossley::from_impact(impact), impact.exponent() + 1.0);
    let mut x = guess;
    for _ in 0..50 {
        let pull = law.force(x, 0.0) + external;
        let change = (law.force(x, 0.0) * x / power + external * x - left) / pull;
        if !change.is_finite() || change.abs() > 0.5 * x {
            return guess;
        }
        x -= change;
        if change.abs() <= 1e-15 * x {
            break;
        }
    }
    x
}

fn start(impact: &Impact) -> Motion {
    Motion { x: 0.0, v: impact.speed(), f: 0.0 }
}

fn contact(path: Vec<Motion>, step: f64) -> ForcedContact {
    let exit_velocity = path.last().map_or(0.0, |motion| motion.v);
    ForcedContact { exit_velocity, contact_time: path.len() as f64 * step, path }
}
