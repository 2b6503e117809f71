//! How stiff a scene is: the fastest time constant of its contacts, springs, dampers and touches, in terms of the sample rate.
//!
//! Stiffness   ω² = K_eff·B; K_eff = αKη^{α−1} with the depth η at which the contact would hold all energy of the scene, and
//!             B = Σ 1/m over the lightest places of the two bodies
//! Damping     r·B, with the largest resistance r of the law
//! Strings     waves on them travel at √(T/ρA)
//! Moderate    stiffness and damping stay below 30 times the sample rate, so that a contact lasts at least a tenth of a
//!             sample, and waves below 10 km/s, twice what they travel at in steel: a string between free ends that drifts away
//!             knows its shape to the rounding of its place only

use percuss::{Collision, Control, Element, ElementId, Friction, Interaction, Law, Model, Simulation};

/// Fastest time constant of a moderate scene, in sample rates.
const MODERATE: f64 = 30.0;
/// Fastest waves of one \[m/s\].
const FASTEST: f64 = 1e4;

/// Whether a scene is of moderate stiffness, given the most energy it has held or lost \[J\].
pub fn is_moderate(model: &Model, simulation: &Simulation, energy: f64) -> bool {
    let limit = MODERATE / simulation.time_step();
    let contacts = model.interactions().iter().map(|contact| contact_rate(contact, model, simulation, energy));
    let slow = model.elements().iter().all(|element| wave_speed(element) < FASTEST);
    slow && contacts.chain(model.elements().iter().map(touch_rate)).all(|rate| rate < limit)
}

/// √(T/ρA) of a string \[m/s\].
fn wave_speed(element: &Element) -> f64 {
    let Element::String(string) = element else { return 0.0 };
    (string.tension / (string.density * std::f64::consts::PI * string.radius.powi(2))).sqrt()
}

fn contact_rate(contact: &Interaction, model: &Model, simulation: &Simulation, energy: f64) -> f64 {
    let above = contact.above.map(|point| point.element);
    let sides = [Some(contact.below.element), above];
    let compliance: f64 = sides.iter().flatten().map(|&side| 1.0 / lightest(side, model, simulation)).sum();
    let cells = sides.iter().flatten().filter_map(|&side| simulation.grid(side)).map(|grid| grid.spacing);
    let length = if contact.distributed { cells.fold(0.0, f64::max) } else { 1.0 };
    let (stiffness, resistance) = match &contact.law {
        Law::Collision(law) => power(Collision { stiffness: law.stiffness * length, ..*law }, energy),
        Law::Connection(law) => {
            power(Collision { stiffness: law.stiffness, exponent: law.exponent, loss: 0.0, gap: 0.0 }, energy)
        }
        Law::Spring(law) => (law.stiffness + 6.0 * (law.cubic * energy).sqrt(), 2.0 * law.damping),
        Law::Damper(law) => (0.0, law.resistance),
        Law::Finger(law) => (law.stiffness, law.damping),
        Law::Bow(law) => friction(law.friction, most(&law.force)),
    };
    (stiffness * compliance).sqrt().max(resistance * compliance)
}

/// Stiffness and resistance of a power law at the depth at which it holds all energy.
fn power(law: Collision, energy: f64) -> (f64, f64) {
    let Collision { stiffness, exponent, loss, .. } = law;
    let depth = ((exponent + 1.0) * energy / stiffness).powf(1.0 / (exponent + 1.0));
    (exponent * stiffness * depth.powf(exponent - 1.0), loss * stiffness * depth.powf(exponent))
}

/// Stiffness and resistance of friction at no slip.
fn friction(law: Friction, force: f64) -> (f64, f64) {
    match law {
        Friction::Exponential { sharpness } => (0.0, force * (2.0 * sharpness).sqrt() * 0.5_f64.exp()),
        Friction::Stribeck { sticking, creep, .. } => (0.0, force * sticking / creep),
        Friction::Bristle { stiffness, damping, viscous, .. } => (stiffness, damping + viscous),
    }
}

fn most(control: &Control) -> f64 {
    control.values().iter().copied().fold(0.0, |most, value| value.abs().max(most))
}

/// Mass of the lightest place of an element \[kg\].
fn lightest(element: ElementId, model: &Model, simulation: &Simulation) -> f64 {
    let cell = simulation.grid(element).map_or(0.0, |grid| grid.spacing);
    match &model.elements()[element.index()] {
        Element::Mass(mass) => mass.mass,
        Element::Barrier(_) => f64::INFINITY,
        Element::String(string) => 0.5 * string.density * std::f64::consts::PI * string.radius.powi(2) * cell,
        Element::Bar(bar) => 0.5 * bar.density * bar.width * bar.thickness * cell,
        Element::Plate(plate) => {
            let cell = simulation.plate_grid(element).map_or(0.0, |grid| grid.spacing);
            0.25 * plate.density * plate.thickness * cell * cell
        }
        Element::Modal(modal) => {
            let softness = |gains: &Vec<f64>| -> f64 {
                gains.iter().zip(&modal.modes).map(|(gain, mode)| gain * gain / mode.mass).sum()
            };
            1.0 / modal.points.iter().map(softness).fold(0.0, f64::max)
        }
    }
}

/// The fastest rate of what lies on a plate \[1/s\].
fn touch_rate(element: &Element) -> f64 {
    let Element::Plate(plate) = element else { return 0.0 };
    let density = plate.density * plate.thickness;
    plate.touches.iter().map(|touch| (touch.stiffness / density).sqrt().max(touch.damping)).fold(0.0, f64::max)
}
