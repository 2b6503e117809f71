//! Nodes and weights of a moving point: interpolation between the nodes of a grid, or the shapes of all modes of a body.
//!
//! Grid        linear along a string, bilinear over a plate. A string is treated as a plate of one row. Fixed nodes need no special
//!             case: they are padding of the state with inverse mass 0
//! Modes       φ_m at the place, as a point that stands still there has them
//! Allocates   only in `on_grid`, `in_modes` and `padded_nodes`

use crate::model::Control;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// Places at which the compliance of modes is looked at: evenly spread over a line as over a plate (Kronecker's sequence).
const SAMPLES: usize = 256;
const GOLDEN_RATIO: f64 = 0.618_033_988_749_895;

/// One axis of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub intervals: usize,
    /// Intervals at either end that lie outside the element.
    pub margin: usize,
    /// State nodes from one grid node to the next.
    pub stride: usize,
}

impl Axis {
    /// The axis across a string, which has one row.
    pub fn row() -> Self {
        Self { intervals: 1, margin: 0, stride: 0 }
    }

    /// Offsets and weights of the two grid nodes beside a fraction of the side.
    fn interpolation(&self, at: f64) -> [(usize, f64); 2] {
        let x = at * (self.intervals - 2 * self.margin) as f64 + self.margin as f64;
        let node = (x as usize).min(self.intervals - 1);
        let share = x - node as f64;
        [(node * self.stride, 1.0 - share), ((node + 1) * self.stride, share)]
    }
}

/// The shapes of all modes of a body, at any place.
pub(crate) trait ModeWeights: Debug + Send + Sync {
    /// State nodes of the modes.
    fn nodes(&self) -> Range<usize>;

    /// Length of the buffer for [`weigh`](Self::weigh): at least the number of modes.
    fn buffer_length(&self) -> usize;

    /// Writes the shape of every mode at fractions of the sides; of the second, 0, along a string. Does not allocate.
    fn weigh(&self, at: [f64; 2], weights: &mut [f64]);
}

/// What a point moves over.
#[derive(Clone, Debug)]
enum Ground {
    Grid {
        /// State index of the grid's first node, whether it moves or not.
        origin: usize,
        axes: [Axis; 2],
    },
    Modes {
        shapes: Arc<dyn ModeWeights>,
        buffer: Vec<f64>,
    },
}

/// A point that moves over a string, bar or plate.
#[derive(Clone, Debug)]
pub(crate) struct MovingPoint {
    /// Its position over time, as fractions of the sides.
    path: [Control; 2],
    /// Position at the last update.
    at: [f64; 2],
    ground: Ground,
    /// Nodes and weights at the last update, the first `count` of them in use.
    nodes: Vec<(usize, f64)>,
    count: usize,
}

impl MovingPoint {
    /// Over a grid.
    pub fn on_grid(origin: usize, axes: [Axis; 2], path: [Control; 2]) -> Self {
        let most = if axes[1].stride == 0 { 2 } else { 4 };
        Self::new(Ground::Grid { origin, axes }, path, vec![(origin, 0.0); most])
    }

    /// Over a body in its modes.
    pub fn in_modes(shapes: Arc<dyn ModeWeights>, path: [Control; 2]) -> Self {
        let nodes = shapes.nodes().map(|node| (node, 0.0)).collect();
        let buffer = vec![0.0; shapes.buffer_length()];
        Self::new(Ground::Modes { shapes, buffer }, path, nodes)
    }

    fn new(ground: Ground, path: [Control; 2], nodes: Vec<(usize, f64)>) -> Self {
        let mut point = Self { path, at: [f64::NAN; 2], ground, count: nodes.len(), nodes };
        point.update(0.0);
        point
    }

    /// Updates its position for time t \[s\]; returns whether it changed.
    pub fn update(&mut self, t: f64) -> bool {
        let at = self.path.each_ref().map(|fraction| fraction.at(t));
        let moves = at != self.at;
        if moves {
            self.move_to(at);
        }
        moves
    }

    fn move_to(&mut self, at: [f64; 2]) {
        let Self { nodes, count, .. } = self;
        self.at = at;
        match &mut self.ground {
            Ground::Grid { origin, axes: [first, second] } => {
                let across = second.interpolation(at[1]);
                *count = 0;
                for (i, along) in first.interpolation(at[0]) {
                    for (j, across) in across {
                        if along * across != 0.0 {
                            nodes[*count] = (*origin + i + j, along * across);
                            *count += 1;
                        }
                    }
                }
            }
            Ground::Modes { shapes, buffer } => {
                shapes.weigh(at, buffer);
                nodes.iter_mut().zip(&*buffer).for_each(|((_, to), weight)| *to = *weight);
            }
        }
    }

    /// The largest number of nodes it needs, unused ones with weight 0.
    pub fn padded_nodes(&self) -> Vec<(usize, f64)> {
        let unused = (self.nodes[0].0, 0.0);
        (0..self.nodes.len()).map(|index| self.nodes().get(index).copied().unwrap_or(unused)).collect()
    }

    /// State nodes and weights at the time of the last update.
    pub fn nodes(&self) -> &[(usize, f64)] {
        &self.nodes[..self.count]
    }

    /// Σ(inverse mass)·(weight)² where it is.
    fn compliance(&self, inverse_mass: &[f64]) -> f64 {
        self.nodes().iter().map(|&(node, weight)| weight * weight * inverse_mass[node]).sum()
    }

    /// The largest compliance of a place: that of the lightest node of its grid, or of modes.
    pub fn largest_compliance(&self, inverse_mass: &[f64]) -> f64 {
        match &self.ground {
            Ground::Grid { origin, axes: [first, second] } => {
                let nodes = |axis: &Axis| (0..=axis.intervals).map(|node| node * axis.stride).collect::<Vec<_>>();
                let across = if second.stride == 0 { vec![0] } else { nodes(second) };
                let grid = nodes(first).into_iter().flat_map(|i| across.iter().map(move |j| i + j));
                grid.fold(0.0, |most, node| inverse_mass[origin + node].max(most))
            }
            Ground::Modes { .. } => {
                let mut point = self.clone();
                let compliances = (0..SAMPLES).map(|sample| {
                    let sample = sample as f64;
                    point.move_to([sample / (SAMPLES - 1) as f64, (GOLDEN_RATIO * sample).fract()]);
                    point.compliance(inverse_mass)
                });
                compliances.fold(0.0, f64::max)
            }
        }
    }

    /// Times of the breakpoints of its path \[s\], in order.
    fn breakpoints(&self) -> Vec<f64> {
        let mut times: Vec<f64> =
            self.path.iter().flat_map(|fraction| fraction.times()).copied().chain([0.0]).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// The controls of its path.
    pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.path.iter_mut().for_each(visit);
    }

    /// Whether it may be set from outside.
    fn is_exposed(&self) -> bool {
        self.path.iter().any(|fraction| matches!(fraction, Control::Param(_)))
    }

    /// Whether its path is no straight line between breakpoints.
    fn oscillates(&self) -> bool {
        self.path.iter().any(|fraction| fraction.wave().is_some())
    }

    /// Whether it ever reaches a place that can move. A straight segment whose ends and middle are on a support lies on it.
    pub fn reaches_place_that_moves(&self, inverse_mass: &[f64]) -> bool {
        if self.is_exposed() || self.oscillates() {
            return true;
        }
        let held = match self.ground {
            Ground::Grid { .. } => 0.0,
            // Shapes are 0 there up to rounding.
            Ground::Modes { .. } => 1e-24 * self.largest_compliance(inverse_mass),
        };
        let breakpoints = self.breakpoints();
        let middles = breakpoints.windows(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        let mut point = self.clone();
        breakpoints.iter().copied().chain(middles).any(|t| {
            point.update(t);
            point.compliance(inverse_mass) > held
        })
    }

    /// Whether it stays within a convex part of the element, in fractions of the sides.
    pub fn stays_on(&self, part: impl Fn([f64; 2]) -> bool) -> bool {
        if self.oscillates() {
            let [first, second] = self.path.each_ref().map(Control::values);
            return first.iter().all(|&x| second.iter().all(|&y| part([x, y])));
        }
        self.breakpoints().into_iter().all(|t| part(self.path.each_ref().map(|fraction| fraction.at(t))))
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
        let axis = Axis { intervals: 10, margin: 0, stride: 1 };
        let mut point = MovingPoint::on_grid(100, [axis, Axis::row()], [control([0.0, 1.0]), 0.0.into()]);
        for (t, expected) in [(0.0, vec![(100, 1.0)]), (0.25, vec![(102, 0.5), (103, 0.5)]), (2.0, vec![(110, 1.0)])] {
            point.update(t);
            assert_eq!(point.nodes(), expected, "at {t} s");
        }
    }

    #[test]
    fn a_point_moving_over_a_grid_has_four_weights_that_sum_to_one() {
        let axes = [(8, 1), (4, 13)].map(|(intervals, stride)| Axis { intervals, margin: 0, stride });
        let mut point = MovingPoint::on_grid(50, axes, [control([0.0, 1.0]), control([1.0, 0.0])]);
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
