//! Functions on a part of an axis that join those of its neighbours with their slopes.
//!
//! Functions   the four cubics of Hermite, which have the value or the slope 1 at one end and 0 at the other, and (1 − ξ²)²p_k(ξ) with
//!             the Jacobi polynomials that make them orthonormal, −1 ≤ ξ ≤ 1
//! Reference   Szabó and Babuška (1991), Finite Element Analysis, ch. 3

use crate::element::ritz::jacobi::{Derivatives, Jacobi, product};

/// Functions that are shared with neighbours: value and slope at the start, then at the end.
pub(crate) const JOINTS: usize = 4;

/// A part of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub span: [f64; 2],
    /// Functions that are 0 with their slopes at both ends.
    pub bubbles: usize,
}

impl Segment {
    pub fn length(&self) -> f64 {
        self.span[1] - self.span[0]
    }

    /// Number of functions.
    pub fn count(&self) -> usize {
        JOINTS + self.bubbles
    }

    /// Place on the axis of ξ.
    pub fn place(&self, xi: f64) -> f64 {
        self.span[0] + 0.5 * self.length() * (1.0 + xi)
    }

    /// ξ at a place on the axis.
    pub fn coordinate(&self, place: f64) -> f64 {
        (2.0 * place - self.span[0] - self.span[1]) / self.length()
    }

    /// All functions and their derivatives along the axis at ξ.
    pub fn at(&self, xi: f64) -> Vec<Derivatives> {
        let slope_unit = 0.5 * self.length();
        let cubic = |side: f64, slope: bool| {
            // (1 + sξ)²(2 − sξ)/4 is 1 at ξ = s, (1 + sξ)²(ξ − s)/4 has the slope 1 there; both are flat at −s.
            let double = [(1.0 + side * xi).powi(2), 2.0 * side * (1.0 + side * xi), 2.0];
            let line = if slope { [xi - side, 1.0, 0.0] } else { [2.0 - side * xi, -side, 0.0] };
            let scale = if slope { 0.25 * slope_unit } else { 0.25 };
            product(double, line).map(|value| scale * value)
        };
        let joints = [cubic(-1.0, false), cubic(-1.0, true), cubic(1.0, false), cubic(1.0, true)];
        let rim = 1.0 - xi * xi;
        let held = [rim * rim, -4.0 * xi * rim, 12.0 * xi * xi - 4.0];
        let bubbles = Jacobi { alpha: 4, beta: 4 }.at(xi, self.bubbles).into_iter().map(|p| product(held, p));
        let stretch = slope_unit.recip();
        let scaled = |[value, slope, bend]: Derivatives| [value, stretch * slope, stretch * stretch * bend];
        joints.into_iter().chain(bubbles).map(scaled).collect()
    }
}

/// Places of the functions of segments in a row among all functions: value and slope at every joint first, those at the two ends of the
/// row only where they are not held.
pub(crate) fn function_places(segments: &[Segment], held: [[bool; 2]; 2]) -> Vec<Vec<Option<usize>>> {
    let mut next = 0..;
    let last = segments.len();
    let joints: Vec<[Option<usize>; 2]> = (0..=last)
        .map(|joint| {
            let held = match joint {
                0 => held[0],
                end if end == last => held[1],
                _ => [false; 2],
            };
            held.map(|is_held| if is_held { None } else { next.next() })
        })
        .collect();
    let of_segment = |(segment, joints): (&Segment, &[[Option<usize>; 2]])| {
        joints.concat().into_iter().chain(next.by_ref().take(segment.bubbles).map(Some)).collect()
    };
    segments.iter().zip(joints.windows(2)).map(of_segment).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_have_the_value_or_the_slope_one_at_one_end() {
        let segment = Segment { span: [0.2, 0.7], bubbles: 5 };
        for (end, xi) in [(0, -1.0), (1, 1.0)] {
            for (index, [value, slope, _]) in segment.at(xi).into_iter().enumerate() {
                let is = |joint: usize| if index == 2 * end + joint { 1.0 } else { 0.0 };
                assert!((value - is(0)).abs() < 1e-14 && (slope - is(1)).abs() < 1e-14, "{index} at {xi}");
            }
        }
    }

    #[test]
    fn neighbours_share_their_joint_and_held_ends_have_no_place() {
        let segments = [Segment { span: [0.0, 0.3], bubbles: 1 }, Segment { span: [0.3, 1.0], bubbles: 2 }];
        let places = function_places(&segments, [[true, true], [true, false]]);
        assert_eq!(places[0], [None, None, Some(0), Some(1), Some(3)]);
        assert_eq!(places[1], [Some(0), Some(1), None, Some(2), Some(4), Some(5)]);
    }
}
