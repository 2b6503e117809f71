//! Barriers that a string or bar can meet, at the height at which they meet.

use percuss::{Barrier, BarrierShape, Control, Element, ElementId, Interaction, Place};
use percuss_scene::Scene;

/// Points at which a barrier along a line is drawn.
const OUTLINE_POINTS: usize = 201;

/// A barrier beside a string or bar.
#[derive(Debug)]
pub struct MetBarrier {
    /// Whether it is below the line.
    pub is_below: bool,
    /// Whether it is met at its points only: a nail, or frets.
    pub is_narrow: bool,
    /// Height of the barrier itself \[m\].
    position: Control,
    /// Places as fractions of the length, and the height there above `position` at which the line meets it \[m\].
    outline: Vec<[f64; 2]>,
}

impl MetBarrier {
    /// Places as fractions of the length, and heights at a time \[m\].
    pub fn points(&self, time: f64) -> impl Iterator<Item = (f64, f64)> {
        let position = self.position.at(time);
        self.outline.iter().map(move |&[at, height]| (at, position + height))
    }
}

/// The barriers that a line can meet.
pub fn met_barriers(scene: &Scene, line: ElementId) -> Vec<MetBarrier> {
    scene.model.interactions().iter().filter_map(|interaction| met_barrier(scene, interaction, line)).collect()
}

fn met_barrier(scene: &Scene, interaction: &Interaction, line: ElementId) -> Option<MetBarrier> {
    let (below, above) = (interaction.below.point()?, interaction.above?);
    let (is_below, barrier, on_line) = match (below.element == line, above.element == line) {
        (false, true) => (true, below, above),
        (true, false) => (false, above, below),
        _ => return None,
    };
    let Element::Barrier(description) = &scene.model.elements()[barrier.element.index()] else { return None };
    // They meet where below − above is the gap.
    let shift = if is_below { -interaction.law.gap() } else { interaction.law.gap() };
    let outline = match on_line.place {
        _ if interaction.distributed => description.outline(OUTLINE_POINTS),
        Place::Along(at) => vec![[at, height_at(description, barrier.place)]],
        Place::Whole | Place::On(_) | Place::Listed(_) => return None,
    };
    Some(MetBarrier {
        is_below,
        is_narrow: outline.len() == 1 || matches!(description.shape, BarrierShape::Frets { .. }),
        position: description.position.clone(),
        outline: outline.into_iter().map(|[at, height]| [at, height + shift]).collect(),
    })
}

/// Height of a barrier where it is met at one place.
fn height_at(barrier: &Barrier, place: Place) -> f64 {
    match place {
        Place::Along(at) => barrier.height(at).unwrap_or(0.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss_scene::parse;

    const SCENE: &str = r#"
[[string]]
id = "string"
length = 0.5
radius = 1e-3
tension = 100

[[barrier]]
id = "nail"
position = { time = [0.0, 1.0], value = [-2e-3, 0.0] }

[[barrier]]
id = "board"
position = -1e-3
profile = [0.0, 1e-4, 0.0]

[[collision]]
below = { of = "nail" }
above = { of = "string", at = 0.25 }
stiffness = 1e6
gap = 1e-3

[[collision]]
below = { of = "string" }
above = { of = "board" }
distributed = true
stiffness = 1e6

[[pickup]]
of = "string"
at = 0.2
"#;

    #[test]
    fn barriers_are_where_the_line_meets_them() {
        let scene = parse(SCENE, "met").unwrap_or_else(|errors| panic!("{}", errors[0]));
        let met = met_barriers(&scene, scene.model.element_ids().next().unwrap());
        let [nail, board] = met.as_slice() else { panic!("{met:?}") };
        assert!(nail.is_below && nail.is_narrow && !board.is_below && !board.is_narrow);
        assert_eq!(nail.points(0.5).collect::<Vec<_>>(), [(0.25, -2e-3)]);
        let points: Vec<(f64, f64)> = board.points(0.0).collect();
        assert_eq!((points.len(), points[0], points[100]), (201, (0.0, -1e-3), (0.5, -9e-4)));
    }
}
