//! Collisions that bite their own tail: a below b, b below a, with no room between.
//!
//! An open contact needs below − above ≤ gap. Round a ring the left sides sum to zero, so the gaps must sum to more
//! than zero or the ring presses on itself for ever. Rings are looked for by relaxing distances (Bellman–Ford).

use crate::error::{CompileError, Subject};
use crate::model::{Element, Law, Model, Point};

/// Less play than this counts as none \[m\].
const LEAST_PLAY: f64 = 1e-12;

pub(crate) fn refuse_rings(model: &Model) -> Result<(), CompileError> {
    let rigid = |point: &Point| matches!(model.elements[point.element.index()], Element::Barrier(_));
    let mut points: Vec<Point> = Vec::new();
    let mut seat = |point: Point| {
        points.iter().position(|&known| known == point).unwrap_or_else(|| {
            points.push(point);
            points.len() - 1
        })
    };
    let mut edges = Vec::new();
    for (index, interaction) in model.interactions.iter().enumerate() {
        let Law::Collision(law) = interaction.law else { continue };
        if !rigid(&interaction.below) && !rigid(&interaction.above) {
            edges.push((index, seat(interaction.below), seat(interaction.above), law.gap));
        }
    }
    let slack = LEAST_PLAY / (edges.len().max(1) as f64);
    let mut distance = vec![0.0; points.len()];
    let mut came_by = vec![None; points.len()];
    let mut last_changed = None;
    for _ in 0..points.len() {
        last_changed = None;
        for (edge, &(_, from, to, gap)) in edges.iter().enumerate() {
            if distance[from] + gap - slack < distance[to] {
                distance[to] = distance[from] + gap - slack;
                came_by[to] = Some(edge);
                last_changed = Some(to);
            }
        }
        if last_changed.is_none() {
            return Ok(());
        }
    }
    // Still falling after as many rounds as points: walk back far enough to stand inside the ring, then sum it up.
    let Some(mut point) = last_changed else { return Ok(()) };
    let back = |point: usize| came_by[point].map(|edge: usize| edges[edge]);
    for _ in 0..points.len() {
        point = back(point).map_or(point, |edge| edge.1);
    }
    let (start, mut play, mut subject) = (point, 0.0, Subject::Model);
    while let Some((index, from, _, gap)) = back(point) {
        play += gap;
        subject = Subject::Interaction(index);
        point = from;
        if point == start {
            break;
        }
    }
    Err(CompileError::Ring { subject, play })
}
