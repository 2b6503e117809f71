//! Whether a mode is a motion of the element as a whole: a rigid motion, or a pendulum motion under light tension or on soft touches.
//!
//! Criterion   the part of the shape that no rigid motion explains has less than a hundredth of its square. The first partial of a
//!             flexible string with free ends, a cosine, has 1.4 hundredths: it bends

use percuss::{Edge, Element, End, Outline, Place};

/// Largest share of the square that a rigid motion leaves.
const MAX_REST: f64 = 0.01;

/// A rigid motion: its displacement at a place, x and y being fractions of the sides.
type RigidMotion = fn([f64; 2]) -> f64;

/// Whether a shape is a rigid motion of the element.
pub fn is_rigid(element: &Element, places: &[Place], shape: &[f64]) -> bool {
    let at: Vec<[f64; 2]> = places.iter().map(position).collect();
    let mut rest = shape.to_vec();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for motion in rigid_motions(element) {
        let mut next: Vec<f64> = at.iter().map(|&at| motion(at)).collect();
        basis.iter().for_each(|other| remove(&mut next, other));
        remove(&mut rest, &next);
        basis.push(next);
    }
    !basis.is_empty() && square(&rest) < MAX_REST * square(shape)
}

fn position(place: &Place) -> [f64; 2] {
    match *place {
        Place::Along(x) => [x, 0.0],
        Place::On(at) => at,
        Place::Whole | Place::Listed(_) => [0.0; 2],
    }
}

fn square(shape: &[f64]) -> f64 {
    shape.iter().map(|u| u * u).sum()
}

/// Takes away the part of a shape along another.
fn remove(shape: &mut [f64], other: &[f64]) {
    let overlap: f64 = shape.iter().zip(other).map(|(a, b)| a * b).sum();
    let size = square(other);
    if size > 0.0 {
        shape.iter_mut().zip(other).for_each(|(a, b)| *a -= overlap / size * b);
    }
}

/// The rigid motions that the ends or edges allow.
fn rigid_motions(element: &Element) -> Vec<RigidMotion> {
    let of_ends = |ends: [End; 2]| -> Vec<RigidMotion> {
        match ends {
            [End::Free, End::Free] => vec![|_| 1.0, |[x, _]| x],
            [End::SimplySupported, End::Free] => vec![|[x, _]| x],
            [End::Free, End::SimplySupported] => vec![|[x, _]| 1.0 - x],
            _ => Vec::new(),
        }
    };
    match element {
        Element::String(string) => of_ends(string.ends),
        Element::Bar(bar) => of_ends(bar.ends),
        Element::Plate(plate) => {
            let is_free = plate.edges.map(|edge| matches!(edge, Edge::Free | Edge::FreeFullCell));
            let is_supported = plate.edges.map(|edge| edge == Edge::SimplySupported);
            match (plate.outline, is_free) {
                (_, [true, true, true, true]) => vec![|_| 1.0, |[x, _]| x, |[_, y]| y],
                (Outline::Rectangle, [false, true, true, true]) if is_supported[0] => vec![|[x, _]| x],
                (Outline::Rectangle, [true, false, true, true]) if is_supported[1] => vec![|[x, _]| 1.0 - x],
                (Outline::Rectangle, [true, true, false, true]) if is_supported[2] => vec![|[_, y]| y],
                (Outline::Rectangle, [true, true, true, false]) if is_supported[3] => vec![|[_, y]| 1.0 - y],
                _ => Vec::new(),
            }
        }
        Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) | Element::Modal(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::StiffString;
    use std::f64::consts::PI;

    fn is_rigid_on(ends: [End; 2], shape: impl Fn(f64) -> f64) -> bool {
        let string = StiffString { ends, ..StiffString::default() };
        let at: Vec<f64> = (0..=50).map(|n| f64::from(n) / 50.0).collect();
        let places: Vec<Place> = at.iter().map(|&x| Place::Along(x)).collect();
        is_rigid(&string.into(), &places, &at.iter().map(|&x| shape(x)).collect::<Vec<_>>())
    }

    #[test]
    fn straight_shapes_are_rigid_where_the_ends_allow_them() {
        let free = [End::Free; 2];
        let hinged = [End::SimplySupported, End::Free];
        assert!(is_rigid_on(free, |x| 1.0 - 0.3 * x) && is_rigid_on(hinged, |x| x));
        assert!(is_rigid_on(free, |x| x - 0.5 + 0.05 * (PI * x).cos()));
        assert!(!is_rigid_on(free, |x| (PI * x).cos()) && !is_rigid_on(hinged, |x| (0.5 * PI * x).sin()));
        assert!(!is_rigid_on([End::SimplySupported; 2], |x| x));
    }
}
