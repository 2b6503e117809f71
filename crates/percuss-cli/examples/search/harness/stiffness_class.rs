//! Stiffness class of a scene: the largest rate of its contacts, springs, dampers and touches, over the sample rate.
//!
//! Stiffness   ω² = K_eff·B; K_eff = αKη^{α−1} with the penetration η at which the contact would store all energy of the scene,
//!             and B = Σ 1/m over the lightest points of the two bodies
//! Damping     r·B, with the largest resistance r of the law
//! Strings     wave speed √(T/ρA)
//! Moderate    stiffness and damping rates below 30 times the sample rate, so that a contact lasts at least a tenth of a
//!             sample, and wave speeds below 10 km/s, twice that in steel: the shape of a free string that drifts is known only
//!             to the rounding of its position

use percuss::{Collision, Control, Element, ElementId, Friction, Interaction, Law, Model, Outline, Plate, Simulation};

/// Largest rate of a moderate scene over the sample rate.
const MODERATE_RATE: f64 = 30.0;
/// Largest wave speed of a moderate scene \[m/s\].
const MAX_WAVE_SPEED: f64 = 1e4;

/// Whether a scene has moderate stiffness, given the largest energy stored or lost \[J\].
pub fn is_moderate(model: &Model, simulation: &Simulation, energy: f64) -> bool {
    let limit = MODERATE_RATE / simulation.time_step();
    let contacts = model.interactions().iter().map(|contact| contact_rate(contact, model, simulation, energy));
    let slow = model.elements().iter().all(|element| wave_speed(element) < MAX_WAVE_SPEED);
    slow && contacts.chain(model.elements().iter().map(touch_rate)).all(|rate| rate < limit)
}

/// √(T/ρA) of a string \[m/s\].
fn wave_speed(element: &Element) -> f64 {
    let Element::String(string) = element else { return 0.0 };
    (string.tension / (string.density * std::f64::consts::PI * string.radius.powi(2))).sqrt()
}

/// The tension that an element adds when it stores all energy by its length or area, E = ½S·e²: T′ = S·e = √(2S·E), S = EA/L of lines
/// and EH/((1−ν²)·area) of membranes \[N\], \[N/m\].
fn added_tension(element: &Element, energy: f64) -> f64 {
    let stiffness = match element {
        Element::String(string) => string.youngs_modulus * std::f64::consts::PI * string.radius.powi(2) / string.length,
        Element::Bar(bar) => bar.youngs_modulus * bar.width * bar.thickness / bar.length,
        Element::Plate(plate) => {
            let modulus = plate.stretching_modulus.unwrap_or(plate.youngs_modulus);
            modulus * plate.thickness / ((1.0 - plate.poisson.powi(2)) * area(plate))
        }
        Element::Mass(_) | Element::Mallet(_) | Element::Modal(_) | Element::Barrier(_) => 0.0,
    };
    (2.0 * stiffness * energy).sqrt()
}

/// \[m²\].
fn area(plate: &Plate) -> f64 {
    let part = if plate.outline == Outline::Disc { 0.25 * std::f64::consts::PI } else { 1.0 };
    part * plate.size[0] * plate.size[1]
}

/// √(K·A/ρH) of the air on a plate that moves as a whole \[1/s\].
fn cavity_rate(stiffness: f64, contact: &Interaction, model: &Model) -> f64 {
    let sides = [Some(contact.below.element), contact.above.map(|point| point.element)];
    let rate = |element: ElementId| match &model.elements()[element.index()] {
        Element::Plate(plate) => stiffness * area(plate) / (plate.density * plate.thickness),
        _ => 0.0,
    };
    sides.into_iter().flatten().map(rate).sum::<f64>().sqrt()
}

fn contact_rate(contact: &Interaction, model: &Model, simulation: &Simulation, energy: f64) -> f64 {
    let above = contact.above.map(|point| point.element);
    let sides = [Some(contact.below.element), above];
    let compliance: f64 = sides.iter().flatten().map(|&side| 1.0 / lightest_point_mass(side, model, simulation)).sum();
    let cells = sides.iter().flatten().filter_map(|&side| simulation.grid(side)).map(|grid| grid.spacing);
    let length = if contact.distributed { cells.fold(0.0, f64::max) } else { 1.0 };
    let (stiffness, resistance) = match &contact.law {
        Law::Collision(law) => power_law_rates(Collision { stiffness: law.stiffness * length, ..*law }, energy),
        Law::Connection(law) => {
            power_law_rates(Collision { stiffness: law.stiffness, exponent: law.exponent, loss: 0.0, gap: 0.0 }, energy)
        }
        // The search draws no plates that are stretched by bending.
        Law::VonKarman => (0.0, 0.0),
        Law::Cavity(cavity) => return cavity_rate(cavity.stiffness(), contact, model),
        Law::Spring(law) => (law.stiffness + 6.0 * (law.cubic * energy).sqrt(), 2.0 * law.damping),
        Law::Damper(law) => (0.0, law.resistance),
        Law::Finger(law) => (law.stiffness, law.damping),
        Law::Bow(law) => friction_rates(law.friction, max_magnitude(&law.force)),
        Law::TensionModulation => {
            let element = contact.below.element;
            let tension = added_tension(&model.elements()[element.index()], energy);
            match simulation.grid(element) {
                Some(grid) => (4.0 * tension / grid.spacing, 0.0),
                // 8T′/h² on a surface density of which a quarter of a cell is the lightest point.
                None => (2.0 * tension, 0.0),
            }
        }
        Law::Custom(law) => {
            let parameter = |name: &str| law.parameters().into_iter().find(|(field, _)| *field == name);
            let [stiffness, exponent] = ["stiffness", "exponent"].map(|name| parameter(name).map_or(1.0, |(_, x)| x));
            power_law_rates(Collision { stiffness, exponent, loss: 0.0, gap: 0.0 }, energy)
        }
    };
    (stiffness * compliance).sqrt().max(resistance * compliance)
}

/// Stiffness and resistance of a power law at the penetration at which it stores all energy.
fn power_law_rates(law: Collision, energy: f64) -> (f64, f64) {
    let Collision { stiffness, exponent, loss, .. } = law;
    let penetration = ((exponent + 1.0) * energy / stiffness).powf(1.0 / (exponent + 1.0));
    (exponent * stiffness * penetration.powf(exponent - 1.0), loss * stiffness * penetration.powf(exponent))
}

/// Stiffness and resistance of friction at zero slip.
fn friction_rates(law: Friction, force: f64) -> (f64, f64) {
    match law {
        Friction::Exponential { sharpness } => (0.0, force * (2.0 * sharpness).sqrt() * 0.5_f64.exp()),
        Friction::Stribeck { sticking, creep, .. } => (0.0, force * sticking / creep),
        Friction::Bristle { stiffness, damping, viscous, .. } => (stiffness, damping + viscous),
    }
}

fn max_magnitude(control: &Control) -> f64 {
    control.values().iter().copied().fold(0.0, |max_magnitude, value| value.abs().max(max_magnitude))
}

/// Mass of the lightest point of an element \[kg\].
fn lightest_point_mass(element: ElementId, model: &Model, simulation: &Simulation) -> f64 {
    let cell = simulation.grid(element).map_or(0.0, |grid| grid.spacing);
    match &model.elements()[element.index()] {
        Element::Mass(mass) => mass.mass,
        Element::Mallet(mallet) => mallet.mass,
        Element::Barrier(_) => f64::INFINITY,
        Element::String(string) => 0.5 * string.density * std::f64::consts::PI * string.radius.powi(2) * cell,
        Element::Bar(bar) => 0.5 * bar.density * bar.width * bar.thickness * cell,
        Element::Plate(plate) => {
            let cell = simulation.plate_grid(element).map_or(0.0, |grid| grid.spacing);
            0.25 * plate.density * plate.thickness * cell * cell
        }
        Element::Modal(modal) => {
            let compliance = |gains: &Vec<f64>| -> f64 {
                gains.iter().zip(&modal.modes).map(|(gain, mode)| gain * gain / mode.mass).sum()
            };
            1.0 / modal.points.iter().map(compliance).fold(0.0, f64::max)
        }
    }
}

/// Largest rate of the touches of a plate \[1/s\].
fn touch_rate(element: &Element) -> f64 {
    let Element::Plate(plate) = element else { return 0.0 };
    let density = plate.density * plate.thickness;
    plate.touches.iter().map(|touch| (touch.stiffness / density).sqrt().max(touch.damping)).fold(0.0, f64::max)
}
