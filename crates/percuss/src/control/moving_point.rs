//! Interpolation nodes and weights of a moving point: linear along a string, bilinear over a plate.
//!
//! A string is treated as a plate of one row. Fixed nodes need no special case: they are padding of the state with inverse mass 0.
//!
//! Allocates   only in `new`

use crate::model::Control;

/// One axis of a grid, and the position along it.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// Fraction of the side.
    pub at: Control,
    pub intervals: usize,
    /// Intervals at either end that lie outside the element.
    pub margin: usize,
    /// State nodes from one grid node to the next.
    pub stride: usize,
}

impl Axis {
    /// The axis across a string, which has one row.
    pub fn row() -> Self {
        Self { at: Control::Constant(0.0), intervals: 1, margin: 0, stride: 0 }
    }

    /// Offsets and weights of the two grid nodes beside a fraction of the side.
    fn interpolation(&self, at: f64) -> [(usize, f64); 2] {
        let x = at * (self.intervals - 2 * self.margin) as f64 + self.margin as f64;
        let node = (x as usize).min(self.intervals - 1);
        let share = x - node as f64;
        [(node * self.stride, 1.0 - share), ((node + 1) * self.stride, share)]
    }
}

/// A point that moves over the grid of a string, bar or plate.
#[derive(Clone, Debug)]
pub(crate) struct MovingPoint {
    /// State index of the grid's first node, whether it moves or not.
    origin: usize,
    axes: [Axis; 2],
    /// Position at the last update, as fractions of the sides.
    at: [f64; 2],
    nodes: [(usize, f64); 4],
    count: usize,
}

impl MovingPoint {
    pub fn new(origin: usize, axes: [Axis; 2]) -> Self {
        let mut point = Self { origin, axes, at: [f64::NAN; 2], nodes: [(origin, 0.0); 4], count: 0 };
        point.update(0.0);
        point
    }

    /// Updates its position for time t \[s\]; returns whether it changed.
    pub fn update(&mut self, t: f64) -> bool {
        let [first, second] = &self.axes;
        let at = [first.at.at(t), second.at.at(t)];
        if at == self.at {
            return false;
        }
        self.at = at;
        let across = second.interpolation(at[1]);
        self.count = 0;
        for (i, along) in first.interpolation(at[0]) {
            for (j, across) in across {
                if along * across != 0.0 {
                    self.nodes[self.count] = (self.origin + i + j, along * across);
                    self.count += 1;
                }
            }
        }
        true
    }

    /// The largest number of nodes it needs, unused ones with weight 0.
    pub fn padded_nodes(&self) -> Vec<(usize, f64)> {
        let most = if self.axes[1].stride == 0 { 2 } else { 4 };
        (0..most).map(|index| self.nodes().get(index).copied().unwrap_or((self.origin, 0.0))).collect()
    }

    /// State nodes and weights at the time of the last update.
    pub fn nodes(&self) -> &[(usize, f64)] {
        &self.nodes[..self.count]
    }

    /// Inverse mass of the lightest node of its grid.
    pub fn largest_compliance(&self, inverse_mass: &[f64]) -> f64 {
        let [first, second] = &self.axes;
        let nodes = |axis: &Axis| (0..=axis.intervals).map(|node| node * axis.stride).collect::<Vec<_>>();
        let across = if second.stride == 0 { vec![0] } else { nodes(second) };
        let grid = nodes(first).into_iter().flat_map(|i| across.iter().map(move |j| i + j));
        grid.fold(0.0, |most, node| inverse_mass[self.origin + node].max(most))
    }

    /// Times of the breakpoints of its path \[s\], in order.
    fn breakpoints(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.axes.iter().flat_map(|axis| axis.at.times()).copied().chain([0.0]).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The controls of its path.
    pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.axes.iter_mut().for_each(|axis| visit(&mut axis.at));
    }

    /// Whether it may be set from outside.
    fn is_exposed(&self) -> bool {
        self.axes.iter().any(|axis| matches!(axis.at, Control::Param(_)))
    }

    /// Whether it ever reaches a node that can move. A straight segment whose ends and middle are on a support lies on it.
    pub fn reaches_node_that(&self, can_move: impl Fn(usize) -> bool) -> bool {
        if self.is_exposed() {
            return true;
        }
        let breakpoints = self.breakpoints();
        let middles = breakpoints.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let mut point = self.clone();
        breakpoints.iter().copied().chain(middles).any(|t| {
            point.update(t);
            point.nodes().iter().any(|&(node, _)| can_move(node))
        })
    }

    /// Whether it stays within a convex part of the element, in fractions of the sides.
    pub fn stays_on(&self, part: impl Fn([f64; 2]) -> bool) -> bool {
        self.breakpoints().into_iter().all(|t| part([0, 1].map(|axis| self.axes[axis].at.at(t))))
    }
}

/// Nodes and weights of a force.
#[derive(Clone, Debug)]
pub(crate) enum ForceStencil {
    Fixed(Vec<(usize, f64)>),
    Moving(Box<MovingPoint>),
}

impl ForceStencil {
    /// Updates its position for time t \[s\].
    pub fn update(&mut self, t: f64) {
        if let Self::Moving(point) = self {
            point.update(t);
        }
    }

    pub fn nodes(&self) -> &[(usize, f64)] {
        match self {
            Self::Fixed(nodes) => nodes,
            Self::Moving(point) => point.nodes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(value: [f64; 2]) -> Control {
        Control::Breakpoints { time: vec![0.0, 1.0], value: value.to_vec() }
    }

    #[test]
    fn a_point_moving_along_a_row_passes_every_node_in_turn() {
        let axis = Axis { at: control([0.0, 1.0]), intervals: 10, margin: 0, stride: 1 };
        let mut point = MovingPoint::new(100, [axis, Axis::row()]);
        for (t, expected) in [(0.0, vec![(100, 1.0)]), (0.25, vec![(102, 0.5), (103, 0.5)]), (2.0, vec![(110, 1.0)])] {
            point.update(t);
            assert_eq!(point.nodes(), expected, "at {t} s");
        }
    }

    #[test]
    fn a_point_moving_over_a_grid_has_four_weights_that_sum_to_one() {
        let axes = [([0.0, 1.0], 8, 1), ([1.0, 0.0], 4, 13)];
        let mut point = MovingPoint::new(
            50,
            axes.map(|(path, intervals, stride)| Axis { at: control(path), intervals, margin: 0, stride }),
        );
        point.update(0.0);
        assert_eq!(point.nodes(), [(50 + 4 * 13, 1.0)]);
        point.update(0.3125);
        assert_eq!(
            point.nodes(),
            [(50 + 2 + 2 * 13, 0.125), (50 + 2 + 3 * 13, 0.375), (50 + 3 + 2 * 13, 0.125), (50 + 3 + 3 * 13, 0.375)]
        );
        for t in 0..1000 {
            point.update(1e-3 * f64::from(t));
            let sum: f64 = point.nodes().iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-15 && point.nodes().iter().all(|&(node, _)| node < 50 + 5 * 13));
        }
    }
}
