//! Warnings of `percuss check` about grids, profiles and contacts.

use super::budget::is_contact;
use crate::error::Result;
use crate::format::{plural, si};
use crate::render::report::GridReport;
use percuss::{Element, Interaction, Simulation};
use percuss_scene::Scene;
use std::io::{self, Write};

/// Intervals below which a grid is too coarse for more than a few partials.
const MIN_INTERVALS: usize = 8;

/// Prints all warnings. `sim` is at its start, with its ledger open.
pub fn print(scene: &Scene, sim: &Simulation, grids: &[GridReport]) -> Result<()> {
    let coarse = scene.element_names.iter().zip(grids).filter_map(|(id, grid)| coarse_grid(id, grid));
    let contacts = || scene.interaction_names.iter().zip(scene.model.interactions()).enumerate();
    let fine = contacts().filter_map(|(_, (id, contact))| fine_profile(scene, id, contact, grids));
    let pressed = contacts().filter_map(|(index, (id, contact))| pressed_contact(sim, index, id, contact));
    for (finding, hint) in coarse.chain(fine).chain(pressed) {
        writeln!(io::stderr(), "warning: {finding}\n  hint: {hint}")?;
    }
    Ok(())
}

/// A finding and a hint.
type Warning = (String, String);

fn coarse_grid(id: &str, grid: &GridReport) -> Option<Warning> {
    let intervals = match grid {
        GridReport::Line { intervals, .. } => *intervals,
        GridReport::Plate { intervals, .. } => intervals[0].min(intervals[1]),
        GridReport::Modes { .. } | GridReport::Nodes { .. } => return None,
    };
    let found = plural(intervals as u64, "interval");
    (intervals < MIN_INTERVALS).then(|| {
        (
            format!("{id}: its grid has {found}, should have {MIN_INTERVALS} or more"),
            "raise the rate or oversample, or let it be stepped in its modes: without a grid and places that move"
                .into(),
        )
    })
}

/// A profile with more detail than the grid that lies along it.
fn fine_profile(scene: &Scene, id: &str, contact: &Interaction, grids: &[GridReport]) -> Option<Warning> {
    let ends = [Some(contact.below.element), contact.above.map(|above| above.element)].into_iter().flatten();
    let ends: Vec<usize> = ends.map(|element| element.index()).filter(|_| contact.distributed).collect();
    let profile = ends.iter().find_map(|&end| match &scene.model.elements()[end] {
        Element::Barrier(barrier) => Some(barrier.profile.len().saturating_sub(1)),
        _ => None,
    })?;
    let grid = ends.iter().find_map(|&end| match grids[end] {
        GridReport::Line { intervals, .. } => Some((end, intervals)),
        _ => None,
    });
    let (line, intervals) = grid.filter(|&(_, intervals)| intervals < profile)?;
    let name = &scene.element_names[line];
    Some((
        format!(
            "{id}: the profile has {profile} intervals, the grid of {name} {intervals}: what lies between is not felt"
        ),
        "give the profile fewer heights, or raise the rate or oversample".into(),
    ))
}

/// A contact that is compressed before anything moves.
fn pressed_contact(sim: &Simulation, index: usize, id: &str, contact: &Interaction) -> Option<Warning> {
    let stored = sim.ledger()?.interactions.get(index)?.stored;
    (stored > 0.0 && is_contact(&contact.law)).then(|| {
        (
            format!("{id}: the {} is pressed at the start and stores {}", contact.law.kind(), si(stored, "J")),
            "move the bodies apart or raise its gap, unless that is meant".into(),
        )
    })
}
