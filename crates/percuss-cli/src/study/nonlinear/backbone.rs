//! How much sharper a supported square plate sounds that is released from the shape of its lowest mode.

use percuss::{Edge, GridView, Method, Model, Plate, Simulation};
use std::f64::consts::PI;

/// Grids and sample rates \[Hz\].
pub const GRIDS: [(usize, f64); 4] = [(10, 44_100.0), (16, 88_200.0), (24, 176_400.0), (32, 352_800.0)];
/// Amplitudes, in thicknesses.
pub const AMPLITUDES: [f64; 3] = [0.5, 1.0, 2.0];
/// Duration of a measurement \[s\].
const SECONDS: f64 = 0.08;
/// Amplitude at which the plate is linear, in thicknesses.
const SMALL: f64 = 0.01;

/// Frequencies at large amplitudes over that at a small one.
pub struct Backbone {
    /// Grid intervals along a side.
    pub intervals: usize,
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Ratios at `AMPLITUDES`.
    pub ratios: [f64; 3],
}

impl Backbone {
    /// Measures all amplitudes on a grid.
    pub fn measure(intervals: usize, rate: f64) -> Self {
        let linear = frequency(intervals, rate, SMALL);
        Self { intervals, rate, ratios: AMPLITUDES.map(|amplitude| frequency(intervals, rate, amplitude) / linear) }
    }
}

/// The amplitude of the lowest mode, from all nodes.
struct LowestMode {
    view: GridView,
    sines: Vec<f64>,
}

impl LowestMode {
    fn amplitude(&mut self, simulation: &Simulation) -> f64 {
        self.view.refresh(simulation);
        let rows = self.view.values().chunks_exact(self.sines.len()).zip(&self.sines);
        rows.map(|(row, y)| y * row.iter().zip(&self.sines).map(|(value, x)| value * x).sum::<f64>()).sum()
    }
}

/// From the zero crossings of the mode's amplitude \[Hz\].
fn frequency(intervals: usize, rate: f64, thicknesses: f64) -> f64 {
    let plate = Plate {
        density: 7800.0,
        sigma0: 0.0,
        sigma1: 0.0,
        edges: [Edge::SimplySupported; 4],
        grid: Some([intervals; 2]),
        method: Method::Grid,
        ..Plate::steel([0.3; 2], 1e-3)
    };
    let height = thicknesses * plate.thickness;
    let mut model = Model::new();
    let id = model.add(plate);
    model.stretch_by_bending(id);
    let mut simulation = model.compile(rate).expect("a coarse grid is stable");
    simulation.release_from(id, |[x, y]| height * (PI * x).sin() * (PI * y).sin());
    let all: Vec<usize> = (0..=intervals).collect();
    let view = simulation.grid_view(id, &all, &all).expect("a plate");
    let sines = all.iter().map(|&i| (PI * i as f64 / intervals as f64).sin()).collect();
    let mut mode = LowestMode { view, sines };
    let (mut last, mut crossings) = (f64::NAN, Vec::new());
    for step in 0..(SECONDS * rate) as usize {
        simulation.step();
        let amplitude = mode.amplitude(&simulation);
        if last * amplitude < 0.0 {
            crossings.push((step as f64 + last / (last - amplitude)) / rate);
        }
        last = amplitude;
    }
    let span = crossings.last().zip(crossings.first()).map_or(f64::NAN, |(last, first)| last - first);
    0.5 * (crossings.len() - 1) as f64 / span
}
