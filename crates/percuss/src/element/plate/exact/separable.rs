//! Modes of a rectangular plate or membrane that are products of sines and cosines.
//!
//! Which       membranes with any edges, and plates that are simply supported all round
//! Shape       w = X_m(x)Y_n(y), X_m = sin or cos of β_m x: β_m = mπ/L between edges alike, (m − ½)π/L otherwise
//! Moving      a place that moves evaluates the waves of both axes in vectors (`line/waves`), and their products
//! Frequency   ω² = c²β² + κ²β⁴, β² = β_m² + β_n²
//! Reference   Morse and Ingard (1968), Theoretical Acoustics, ch. 5

use crate::control::moving_point::ModeWeights;
use crate::element::line::mode_shape::ModeShape;
use crate::element::line::waves::LineWaves;
use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::grid::PlateMaterial;
use crate::element::simd::Machine;
use crate::model::Edge;
use std::f64::consts::PI;
use std::ops::Range;

/// The waves of one axis.
#[derive(Clone, Copy, Debug)]
struct AxisWaves {
    length: f64,
    is_free: [bool; 2],
}

impl AxisWaves {
    /// βL of wave m, from 0 on.
    fn phase(&self, m: usize) -> f64 {
        let m = m as f64;
        PI * match self.is_free {
            [true, true] => m,
            [false, false] => m + 1.0,
            [true, false] | [false, true] => m + 0.5,
        }
    }

    /// X_m at a fraction of the length.
    fn at(&self, m: usize, fraction: f64) -> f64 {
        let phase = self.phase(m) * fraction;
        if self.is_free[0] { phase.cos() } else { phase.sin() }
    }

    /// X_m as a shape along the axis.
    fn shape(&self, m: usize) -> ModeShape {
        let [cosine, sine] = if self.is_free[0] { [1.0, 0.0] } else { [0.0, 1.0] };
        let (a, length) = (self.phase(m) / self.length, self.length);
        ModeShape { coefficients: [cosine, sine, 0.0, 0.0], a, b: 0.0, length }
    }

    /// Mean of X_m² over the length.
    fn mean_square(&self, m: usize) -> f64 {
        if self.phase(m) == 0.0 { 1.0 } else { 0.5 }
    }
}

/// Shapes that are products.
#[derive(Clone, Debug)]
pub(crate) struct ProductShapes {
    axes: [AxisWaves; 2],
    /// m and n of every mode.
    modes: Vec<[usize; 2]>,
}

impl ProductShapes {
    /// Whether the modes are products.
    pub fn is_separable(material: &PlateMaterial, edges: [Edge; 4]) -> bool {
        material.bending == 0.0 || edges == [Edge::SimplySupported; 4]
    }

    /// The modes with ω below `max_omega`, without order.
    pub fn modes(
        material: &PlateMaterial,
        size: [f64; 2],
        edges: [Edge; 4],
        max_omega: f64,
    ) -> (Vec<ModeConstants>, Self) {
        let [c2, kappa2] = [material.tension, material.bending].map(|x| x / material.surface_density);
        let is_free = edges.map(|edge| matches!(edge, Edge::Free | Edge::FreeFullCell));
        let axes =
            [0, 1].map(|axis| AxisWaves { length: size[axis], is_free: [is_free[2 * axis], is_free[2 * axis + 1]] });
        let square = |[m, n]: [usize; 2]| {
            (axes[0].phase(m) / axes[0].length).powi(2) + (axes[1].phase(n) / axes[1].length).powi(2)
        };
        let omega = |mode: [usize; 2]| (square(mode) * (c2 + kappa2 * square(mode))).sqrt();
        let rows = (0..).take_while(|&m| omega([m, 0]) < max_omega);
        let all = rows.flat_map(|m| (0..).map(move |n| [m, n]).take_while(|&mode| omega(mode) < max_omega));
        let indices: Vec<[usize; 2]> = all.collect();
        let mode = |&[m, n]: &[usize; 2]| ModeConstants {
            omega: omega([m, n]),
            sigma: material.sigma0 + material.sigma1 * square([m, n]),
            mass: material.surface_density * size[0] * size[1] * axes[0].mean_square(m) * axes[1].mean_square(n),
        };
        (indices.iter().map(mode).collect(), Self { axes, modes: indices })
    }

    /// The displacement of every mode at fractions of the sides.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        let value = |&[m, n]: &[usize; 2]| self.axes[0].at(m, place[0]) * self.axes[1].at(n, place[1]);
        self.modes.iter().map(value).collect()
    }

    /// Puts the modes in another order.
    pub fn reorder(&mut self, order: &[usize]) {
        self.modes = order.iter().map(|&mode| self.modes[mode]).collect();
    }

    /// The shapes at places that move; `nodes` are those of the modes in the state.
    pub fn moving(&self, nodes: Range<usize>, machine: Machine) -> ProductWeights {
        let waves = [0, 1].map(|axis| {
            let count = self.modes.iter().map(|mode| mode[axis] + 1).max().unwrap_or(0);
            let shapes: Vec<_> = (0..count).map(|m| self.axes[axis].shape(m)).collect();
            LineWaves::new(&shapes, 0..count, machine)
        });
        ProductWeights { nodes, waves, modes: self.modes.clone() }
    }
}

/// X_mY_n of all modes at any place.
#[derive(Clone, Debug)]
pub(crate) struct ProductWeights {
    nodes: Range<usize>,
    waves: [LineWaves; 2],
    /// m and n of every mode.
    modes: Vec<[usize; 2]>,
}

impl ModeWeights for ProductWeights {
    fn nodes(&self) -> Range<usize> {
        self.nodes.clone()
    }

    /// Behind the weights is room for the waves of both axes.
    fn buffer_length(&self) -> usize {
        self.modes.len() + self.waves.iter().map(ModeWeights::buffer_length).sum::<usize>()
    }

    fn weigh(&self, [x, y]: [f64; 2], weights: &mut [f64]) {
        let (weights, waves) = weights.split_at_mut(self.modes.len());
        let (along, across) = waves.split_at_mut(self.waves[0].buffer_length());
        self.waves[0].weigh([x, 0.0], along);
        self.waves[1].weigh([y, 0.0], across);
        for (weight, &[m, n]) in weights.iter_mut().zip(&self.modes) {
            *weight = along[m] * across[n];
        }
    }
}
