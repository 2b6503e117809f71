//! One impact of a mass and a wall, by every scheme of the engine and exactly.

use crate::description::Message;
use percuss::impact::Impact;
use percuss::{Barrier, Collision, Mass, Model, Quantity, Scheme};
use serde::Serialize;

/// Names and schemes, in the order of the answer.
pub const IMPACT_SCHEMES: [(&str, Scheme); 3] =
    [("plain", Scheme::Plain), ("tracked", Scheme::Tracked), ("newton", Scheme::Newton)];
/// Points of the exact curve.
const EXACT_POINTS: usize = 200;
/// Longest contact that is simulated \[samples\].
const MAX_STEPS: usize = 20_000;

/// One contact.
#[derive(Clone, Debug, Serialize)]
pub struct ImpactRun {
    /// Scheme; `exact` for the closed form.
    pub name: &'static str,
    /// Compressions \[m\].
    pub compression: Vec<f64>,
    /// Forces at these \[N\].
    pub force: Vec<f64>,
    /// Velocity after the contact \[m/s\]; NaN, `null` in JSON, where it does not end in time.
    pub exit_velocity: f64,
}

/// Every scheme's contact at a sample rate \[Hz\], and the exact one, which is the last.
///
/// # Errors
/// A parameter is out of range.
pub(crate) fn runs(impact: &Impact, rate: f64) -> Result<Vec<ImpactRun>, Message> {
    let mut runs = Vec::new();
    for (name, scheme) in IMPACT_SCHEMES {
        runs.push(simulate(name, scheme, impact, rate)?);
    }
    runs.push(exact(impact));
    Ok(runs)
}

/// A message without a place.
pub(crate) fn refused(message: String) -> Message {
    Message { is_error: true, place: None, text: message.clone(), message, hint: None }
}

fn simulate(name: &'static str, scheme: Scheme, impact: &Impact, rate: f64) -> Result<ImpactRun, Message> {
    let mut model = Model::new();
    model.scheme = scheme;
    let mass = model.add(Mass { mass: impact.mass(), velocity: impact.speed(), ..Mass::default() });
    let wall = model.add(Barrier::at(0.0));
    let law = Collision { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss(), gap: 0.0 };
    let contact = model.collide(mass.point(), wall.point(), law);
    let velocity = model.pickup(mass.point(), Quantity::Velocity);
    let mut simulation = model.compile(rate).map_err(|error| refused(error.to_string()))?;
    let (mut compression, mut force) = (vec![0.0], vec![0.0]);
    let mut exit_velocity = f64::NAN;
    for _ in 0..MAX_STEPS {
        let position = simulation.displacement(mass, 0);
        simulation.step();
        let next = simulation.displacement(mass, 0);
        // The force of a step acts at the displacement in its middle.
        compression.push(0.5 * (position + next).max(0.0));
        force.push(simulation.force(contact).abs());
        if next <= 0.0 && simulation.force(contact) == 0.0 {
            exit_velocity = simulation.read(velocity);
            break;
        }
    }
    Ok(ImpactRun { name, compression, force, exit_velocity })
}

/// The closed form, at velocities from v_in to v_out.
fn exact(impact: &Impact) -> ImpactRun {
    let (enter, exit) = (impact.speed(), impact.exit_velocity());
    // Dense at both ends, where the compression changes fast with the velocity.
    let share = |point: usize| 0.5 - 0.5 * (std::f64::consts::PI * point as f64 / EXACT_POINTS as f64).cos();
    let velocity = |point: usize| enter + (exit - enter) * share(point);
    let velocities: Vec<f64> = (0..=EXACT_POINTS).map(velocity).collect();
    ImpactRun {
        name: "exact",
        compression: velocities.iter().map(|&v| impact.compression(v)).collect(),
        force: velocities.iter().map(|&v| impact.force(v)).collect(),
        exit_velocity: exit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_nears_the_exact_velocity_as_the_rate_rises() {
        let impact = Impact::new(0.01, 1e8, 1.5, 0.6, 2.0).unwrap();
        let error = |rate: f64, scheme: usize| {
            let runs = runs(&impact, rate).unwrap();
            (runs[scheme].exit_velocity / runs[3].exit_velocity - 1.0).abs()
        };
        for (scheme, (name, _)) in IMPACT_SCHEMES.iter().enumerate() {
            let [coarse, fine] = [44_100.0, 44_100.0 * 8.0].map(|rate| error(rate, scheme));
            assert!(fine < 1e-2 && fine < coarse.max(1e-4), "{name}: {coarse} {fine}");
        }
    }
}
