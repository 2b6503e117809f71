//! How fast the modes of an element decay.
//!
//! Decay       T₆₀ = 3 ln 10/σ. Of an element on its grid σ = σ₀ + [Σσ̄mφ² + σ₁(M/h²) Σw(Δφ)²]/Σmφ²: nodes of mass m, cells of mass M,
//!             and intervals between neighbours of which the share w is part of it. To first order in the losses, that is the scheme's
//! Correction  of a plate's grid: its damping C adds ½φᵀCφ/Σmφ²
//! Touches     their mass is in m. Their damping σ̄ = Σa_σp̄ is found from the mass that they would add if they had the surface density a_σ
//! In modes    σ = σ₀ + σ₁∫φ′²/∫φ², as the engine has it (`percuss_scene::partials`)

use super::Mode;
use percuss::{
    Control, Element, ElementId, Method, Modal, Model, Operators, Outline, Plate, Region, Simulation, Touch,
};
use percuss_scene::partials::{self, BodyPartial};
use std::collections::HashMap;
use std::f64::consts::{LN_10, PI, TAU};

/// σ of a mode \[1/s\].
type RateOfMode<'a> = dyn Fn(&Mode) -> Option<f64> + 'a;

/// Time to decay by 60 dB \[s\]; infinite without losses.
pub fn decay_time(rate: f64) -> f64 {
    3.0 * LN_10 / rate
}

/// σ of every mode \[1/s\]; `None` where it is not known.
pub fn rates(
    simulation: &Simulation,
    (id, element): (ElementId, &Element),
    operators: &Operators,
    modes: &[Mode],
) -> Vec<Option<f64>> {
    let is_in_modes = !operators.mode_shapes.is_empty();
    let rate: Box<RateOfMode> = match element {
        Element::Mass(mass) => Box::new(|_| Some(0.5 * mass.damping)),
        Element::Mallet(_) => Box::new(|_| Some(0.0)),
        Element::Modal(modal) => Box::new(|mode| of_resonator(modal, operators, &mode.shape)),
        Element::String(_) | Element::Bar(_) if is_in_modes => {
            let known = partials::of_line(element, 0.5 / simulation.time_step()).unwrap_or_default();
            Box::new(move |mode| of_partial(&known, line_losses(element), mode.frequency))
        }
        Element::Plate(plate) if is_in_modes => {
            let known = partials::of_plate(plate, 1.0 / simulation.time_step()).unwrap_or_default();
            Box::new(move |mode| of_partial(&known, [plate.sigma0, plate.sigma1], mode.frequency))
        }
        Element::String(_) | Element::Bar(_) => {
            let losses = GridLosses::of_line(simulation, id, element, operators);
            Box::new(move |mode| losses.as_ref().map(|losses| losses.rate(operators, &mode.shape)))
        }
        Element::Plate(plate) => {
            let losses = GridLosses::of_plate(simulation, id, plate, operators);
            Box::new(move |mode| losses.as_ref().map(|losses| losses.rate(operators, &mode.shape)))
        }
        Element::Barrier(_) => Box::new(|_| None),
    };
    modes.iter().map(rate).collect()
}

/// A resonator has its decay times; modes of the same frequency mix.
fn of_resonator(modal: &Modal, operators: &Operators, shape: &[f64]) -> Option<f64> {
    let energies: Vec<f64> = operators.mass.iter().zip(shape).map(|(mass, u)| mass * u * u).collect();
    if energies.len() != modal.modes.len() {
        return None;
    }
    let weighted = energies.iter().zip(&modal.modes).map(|(energy, mode)| energy * 3.0 * LN_10 / mode.decay);
    Some(weighted.sum::<f64>() / energies.iter().sum::<f64>())
}

/// The partial that sounds at a frequency.
fn of_partial(known: &[BodyPartial], [sigma0, sigma1]: [f64; 2], frequency: f64) -> Option<f64> {
    let sigma = |partial: &BodyPartial| sigma0 + sigma1 * partial.slope;
    let distance = |partial: &BodyPartial| {
        let sigma = sigma(partial);
        let damped = ((partial.omega - sigma) * (partial.omega + sigma)).max(0.0).sqrt();
        (damped / TAU - frequency).abs()
    };
    let nearest = known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    (distance(nearest) < 1e-6 * frequency).then(|| sigma(nearest))
}

/// σ₀ and σ₁.
fn line_losses(line: &Element) -> [f64; 2] {
    match line {
        Element::String(string) => [string.sigma0, string.sigma1],
        Element::Bar(bar) => [bar.sigma0, bar.sigma1],
        _ => [0.0; 2],
    }
}

/// ρA \[kg/m\].
fn line_density(line: &Element) -> Option<f64> {
    match line {
        Element::String(string) => Some(string.density * PI * string.radius.powi(2)),
        Element::Bar(bar) => Some(bar.density * bar.width * bar.thickness),
        _ => None,
    }
}

/// The losses of an element on its grid.
struct GridLosses {
    sigma0: f64,
    /// σ₁M/h² \[kg/s\].
    sigma1: f64,
    /// Neighbours, and the share w of the interval between them. A fixed neighbour is `None`.
    intervals: Vec<(usize, Option<usize>, f64)>,
    /// σ̄ of every node; empty without touches that damp.
    touches: Vec<f64>,
}

impl GridLosses {
    fn of_line(simulation: &Simulation, id: ElementId, line: &Element, operators: &Operators) -> Option<Self> {
        let grid = simulation.grid(id)?;
        let cell = line_density(line)? * grid.spacing;
        let [sigma0, sigma1] = line_losses(line);
        let weights: Vec<f64> = operators.mass.iter().map(|mass| mass / cell).collect();
        let intervals = intervals(&operators.grid, &weights, Some([grid.intervals, 0]), |_| 1.0);
        Some(Self { sigma0, sigma1: sigma1 * cell / grid.spacing.powi(2), intervals, touches: Vec::new() })
    }

    fn of_plate(simulation: &Simulation, id: ElementId, plate: &Plate, operators: &Operators) -> Option<Self> {
        let grid = simulation.plate_grid(id)?;
        let rate = 1.0 / simulation.time_step();
        let surface_density = plate.density * plate.thickness;
        let cell = surface_density * grid.spacing.powi(2);
        let bare = if plate.touches.is_empty() {
            operators.mass.clone()
        } else {
            masses(&Plate { touches: Vec::new(), ..plate.clone() }, rate)?
        };
        if bare.len() != operators.mass.len() || bare.len() != operators.grid.len() {
            return None;
        }
        let weights: Vec<f64> = bare.iter().map(|mass| mass / cell).collect();
        let has_fixed = bare.len() < (grid.intervals[0] + 1) * (grid.intervals[1] + 1);
        let intervals = match plate.outline {
            // Along an edge half of an interval is part of the plate, across it all of it.
            Outline::Rectangle => {
                intervals(&operators.grid, &weights, has_fixed.then_some(grid.intervals), |[a, b]| a.max(b))
            }
            Outline::Disc => {
                let is_held = !matches!(plate.edges[0], percuss::Edge::Free | percuss::Edge::FreeFullCell);
                intervals(&operators.grid, &weights, is_held.then_some(grid.intervals), |[a, b]| 0.5 * (a + b))
            }
        };
        let time = simulation.steps() as f64 * simulation.time_step();
        let touches = touch_damping(plate, time, rate, &bare, surface_density)?;
        Some(Self { sigma0: plate.sigma0, sigma1: plate.sigma1 * surface_density, intervals, touches })
    }

    fn rate(&self, operators: &Operators, shape: &[f64]) -> f64 {
        let energies = || operators.mass.iter().zip(shape).map(|(mass, u)| mass * u * u);
        let slope = |&(node, neighbour, share): &(usize, Option<usize>, f64)| {
            share * (shape[node] - neighbour.map_or(0.0, |neighbour| shape[neighbour])).powi(2)
        };
        let slopes: f64 = self.intervals.iter().map(slope).sum();
        let touched: f64 = self.touches.iter().zip(energies()).map(|(sigma, energy)| sigma * energy).sum();
        let correction: f64 =
            operators.damping_correction.iter().map(|&(row, column, value)| value * shape[row] * shape[column]).sum();
        self.sigma0 + (touched + self.sigma1 * slopes + 0.5 * correction) / energies().sum::<f64>()
    }
}

/// Intervals between the nodes of a grid. `share` makes the share of one from the shares of the cells of its nodes. Nodes up to `last` that
/// do not move are fixed; with `None` there are no such nodes.
fn intervals(
    grid: &[(usize, usize)],
    weights: &[f64],
    last: Option<[usize; 2]>,
    share: impl Fn([f64; 2]) -> f64,
) -> Vec<(usize, Option<usize>, f64)> {
    let nodes: HashMap<(usize, usize), usize> = grid.iter().copied().zip(0..).collect();
    let is_fixed = |(i, j): (usize, usize)| {
        last.is_some_and(|[columns, rows]| i <= columns && j <= rows && !nodes.contains_key(&(i, j)))
    };
    let mut found = Vec::new();
    for (&(i, j), (node, &weight)) in grid.iter().zip(weights.iter().enumerate()) {
        for (next, before) in [((i + 1, j), (i.wrapping_sub(1), j)), ((i, j + 1), (i, j.wrapping_sub(1)))] {
            if let Some(&other) = nodes.get(&next) {
                found.push((node, Some(other), share([weight, weights[other]])));
            }
            let fixed = [next, before].into_iter().filter(|&at| is_fixed(at)).count();
            found.extend(std::iter::repeat_n((node, None, weight.min(1.0)), fixed));
        }
    }
    found
}

/// Σa_σp̄ of every node at a time, from the masses of a plate whose touches have the surface density a_σ.
fn touch_damping(plate: &Plate, time: f64, rate: f64, bare: &[f64], surface_density: f64) -> Option<Vec<f64>> {
    let damping = |touch: &Touch| Touch {
        region: at_time(&touch.region, time),
        pressure: Control::Constant(touch.pressure.at(time)),
        mass: touch.damping,
        stiffness: 0.0,
        damping: 0.0,
    };
    let touches: Vec<Touch> = plate.touches.iter().filter(|touch| touch.damping > 0.0).map(damping).collect();
    if touches.is_empty() {
        return Some(Vec::new());
    }
    let touched = masses(&Plate { touches, ..plate.clone() }, rate)?;
    Some(touched.iter().zip(bare).map(|(touched, bare)| (touched / bare - 1.0) * surface_density).collect())
}

/// Masses of the nodes of a plate on its grid at the start.
fn masses(plate: &Plate, rate: f64) -> Option<Vec<f64>> {
    let mut model = Model::new();
    let id = model.add(Plate { method: Method::Grid, ..plate.clone() });
    Some(model.compile(rate).ok()?.operators(id)?.mass)
}

/// A region as it is at a time.
fn at_time(region: &Region, time: f64) -> Region {
    let fixed = |control: &Control| Control::Constant(control.at(time));
    match region {
        Region::Circle { centre, radius } => {
            Region::Circle { centre: centre.each_ref().map(fixed), radius: fixed(radius) }
        }
        Region::OutsideCircle { centre, radius } => {
            Region::OutsideCircle { centre: centre.each_ref().map(fixed), radius: fixed(radius) }
        }
        Region::Rectangle { centre, size } => {
            Region::Rectangle { centre: centre.each_ref().map(fixed), size: size.each_ref().map(fixed) }
        }
        Region::HalfPlane { direction, level } => Region::HalfPlane { direction: *direction, level: fixed(level) },
        Region::Everywhere | Region::Image { .. } => region.clone(),
    }
}
