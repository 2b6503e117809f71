//! By how many cents the partials of strings, bars, plates and membranes are off.

use super::budget::{self, Budget};
use crate::error::Result;
use crate::format::{plural, si, table};
use crate::modes::pitch_error::{Cents, MAX_MODES, NEAR, PitchError};
use percuss::{Element, ElementId, Simulation};
use percuss_scene::Scene;
use std::io::{self, Write};

/// Error of a partial above which there is a warning \[cents\].
const MAX_CENTS: f64 = 5.0;

/// The pitch of every string, bar, plate and membrane, with its id.
pub struct PitchErrors<'a> {
    errors: Vec<(&'a str, PitchError)>,
    /// Grids for which there was no time, with their nodes.
    left_out: Vec<(&'a str, usize)>,
}

impl<'a> PitchErrors<'a> {
    /// Spends on them what is left of the budget.
    pub fn new(scene: &'a Scene, sim: &Simulation, rate: f64, budget: &mut Budget) -> Self {
        let mut found = Self { errors: Vec::new(), left_out: Vec::new() };
        let elements = scene.model.element_ids().zip(scene.model.elements());
        for (name, (id, element)) in scene.element_names.iter().zip(elements) {
            let nodes = grid_nodes(sim, id);
            if nodes > 0 && !budget.spend(work(sim, id, element, rate)) {
                found.left_out.push((name, nodes));
                continue;
            }
            let error = match element {
                Element::Plate(plate) if nodes > 0 => PitchError::of_bare_plate(plate, rate),
                _ => PitchError::new(sim, id),
            };
            found.errors.extend(error.map(|error| (name.as_str(), error)));
        }
        found
    }

    /// The errors, and what was left out.
    pub fn table(&self) -> Option<String> {
        if self.errors.is_empty() && self.left_out.is_empty() {
            return None;
        }
        let near = NEAR.map(|frequency| format!("near {}", si(frequency, "Hz")));
        let head = ["pitch of", "method", "partials", "first"].map(String::from).into_iter().chain(near).collect();
        let errors = self.errors.iter().map(|(id, error)| {
            let method = if error.modes.is_some() { "modes" } else { "grid" };
            let start = [(*id).to_owned(), method.to_owned(), error.partials.to_string()];
            start.into_iter().chain(error.cents.iter().map(cents_text)).collect()
        });
        let left_out = self.left_out.iter().map(|(id, nodes)| {
            vec![
                (*id).to_owned(),
                "grid".into(),
                "–".into(),
                format!("not examined: {}", plural(*nodes as u64, "node")),
            ]
        });
        let rows: Vec<Vec<String>> = std::iter::once(head).chain(errors).chain(left_out).collect();
        let is_beyond = |(_, error): &(&str, PitchError)| error.cents.contains(&Cents::Beyond);
        let note = match self.errors.iter().any(is_beyond) {
            true => format!("  *  above the lowest {MAX_MODES} modes of the grid, which are examined\n"),
            false => String::new(),
        };
        Some(table(&rows) + &note)
    }

    /// Warns about partials that are audibly out of tune.
    pub fn warn(&self) -> Result<()> {
        for (id, error) in self.errors.iter().filter(|(_, error)| error.largest() > MAX_CENTS) {
            let mut out = io::stderr();
            let largest = error.largest();
            writeln!(
                out,
                "warning: {id}: partials are up to {largest:.0} cents away from their physical pitch on this grid"
            )?;
            writeln!(
                out,
                "  hint: a body in modes has none of this: one without a grid, distributed contacts and touches, and free or round \
                 plates without places that move"
            )?;
        }
        Ok(())
    }
}

fn cents_text(cents: &Cents) -> String {
    match cents {
        Cents::Of(cents) => format!("{cents:+.1} cents"),
        Cents::None => "–".into(),
        Cents::Beyond => "*".into(),
    }
}

/// Nodes of a body on a grid; 0 for others.
fn grid_nodes(sim: &Simulation, id: ElementId) -> usize {
    if sim.mode_count(id).is_some() {
        return 0;
    }
    let on_plate = sim.plate_grid(id).map(|grid| grid.intervals[0] * grid.intervals[1]);
    on_plate.or_else(|| sim.grid(id).map(|grid| grid.intervals)).unwrap_or(0)
}

fn work(sim: &Simulation, id: ElementId, element: &Element, rate: f64) -> f64 {
    match (element, sim.plate_grid(id)) {
        (Element::Plate(plate), Some(grid)) => budget::plate_pitch_work(plate, grid.intervals, rate),
        _ => budget::pitch_work(grid_nodes(sim, id), 1),
    }
}
