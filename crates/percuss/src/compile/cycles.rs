//! Cycles of collisions without clearance: a below b, b below a.
//!
//! An open contact needs below − above ≤ gap. Around a cycle the left sides sum to zero, so the gaps must sum to
//! more than zero, or its contacts can never all open. Cycles are found by relaxing distances (Bellman–Ford).

use crate::element::Bodies;
use crate::error::{CompileError, Subject};
use crate::model::{Law, Model, Point};

/// Clearance below this counts as none \[m\].
const MIN_CLEARANCE: f64 = 1e-12;

/// A collision between two points that can both move.
#[derive(Clone, Copy)]
struct GapEdge {
    interaction: usize,
    from: usize,
    to: usize,
    gap: f64,
}

pub(crate) fn refuse_cycles(model: &Model, bodies: &Bodies) -> Result<(), CompileError> {
    let (points, edges) = collisions(model, bodies);
    let Some((start, last_edge_to)) = relaxing_point(points, &edges) else { return Ok(()) };
    let back = |point: usize| last_edge_to[point].map(|edge: usize| edges[edge]);
    // Follow the edges back far enough to be inside the cycle, then once around it.
    let inside = (0..points).fold(start, |point, _| back(point).map_or(point, |edge| edge.from));
    let (mut point, mut clearance, mut subject) = (inside, 0.0, Subject::Model);
    while let Some(edge) = back(point) {
        clearance += edge.gap;
        subject = Subject::Interaction(edge.interaction);
        point = edge.from;
        if point == inside {
            break;
        }
    }
    Err(CompileError::ContactCycle { subject, clearance })
}

/// The number of points that collide, and the collisions between them; barriers cannot be part of a cycle.
fn collisions(model: &Model, bodies: &Bodies) -> (usize, Vec<GapEdge>) {
    let rigid = |point: &Point| bodies.get(point.element.index()).height().is_some();
    let mut points: Vec<Point> = Vec::new();
    let mut point_index = |point: Point| {
        points.iter().position(|&known| known == point).unwrap_or_else(|| {
            points.push(point);
            points.len() - 1
        })
    };
    let mut edges = Vec::new();
    for (interaction, described) in model.interactions.iter().enumerate() {
        if is_one_sided(&described.law)
            && let (Some(below), Some(above)) = (described.below.point(), described.above)
            && !rigid(&below)
            && !rigid(&above)
        {
            edges.push(GapEdge {
                interaction,
                from: point_index(below),
                to: point_index(above),
                gap: described.law.gap(),
            });
        }
    }
    (points.len(), edges)
}

fn is_one_sided(law: &Law) -> bool {
    match law {
        Law::Collision(_) => true,
        Law::Custom(law) => law.state(1.0).is_one_sided(),
        Law::Connection(_)
        | Law::Spring(_)
        | Law::Damper(_)
        | Law::Cavity(_)
        | Law::Bow(_)
        | Law::Finger(_)
        | Law::TensionModulation
        | Law::VonKarman => false,
    }
}

/// A point whose distance still decreases after as many rounds as there are points, and the last edge to each point.
fn relaxing_point(points: usize, edges: &[GapEdge]) -> Option<(usize, Vec<Option<usize>>)> {
    let slack = MIN_CLEARANCE / (edges.len().max(1) as f64);
    let mut distance = vec![0.0; points];
    let mut last_edge_to = vec![None; points];
    let mut relaxing = None;
    for _ in 0..points {
        relaxing = None;
        for (index, edge) in edges.iter().enumerate() {
            let reached = distance[edge.from] + edge.gap - slack;
            if reached < distance[edge.to] {
                distance[edge.to] = reached;
                last_edge_to[edge.to] = Some(index);
                relaxing = Some(edge.to);
            }
        }
        relaxing?;
    }
    relaxing.map(|point| (point, last_edge_to))
}
