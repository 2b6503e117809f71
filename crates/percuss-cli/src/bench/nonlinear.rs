//! Benchmark of plates that are stretched by bending, without the ledger, compared with the same plates without stretching.

use super::timing::{TimingRounds, min_of_medians};
use percuss::{Edge, Method, Model, Outline, Plate, Pulse, Simulation};

/// Steps between two readings of the clock.
const STEPS_PER_BATCH: usize = 100;

/// A plate that is measured.
#[derive(Clone, Copy, Debug)]
pub struct NonlinearPlate {
    outline: Outline,
    /// Interior nodes along both sides, or grid intervals along the diameter twice.
    pub size: [usize; 2],
}

/// The plates that are measured.
pub const NONLINEAR_PLATES: [NonlinearPlate; 7] = [
    NonlinearPlate { outline: Outline::Rectangle, size: [16, 16] },
    NonlinearPlate { outline: Outline::Rectangle, size: [24, 24] },
    NonlinearPlate { outline: Outline::Rectangle, size: [32, 23] },
    NonlinearPlate { outline: Outline::Rectangle, size: [48, 48] },
    NonlinearPlate { outline: Outline::Disc, size: [16, 16] },
    NonlinearPlate { outline: Outline::Disc, size: [32, 32] },
    NonlinearPlate { outline: Outline::Disc, size: [48, 48] },
];

/// Times of a plate.
pub struct NonlinearTiming {
    /// The plate.
    pub plate: NonlinearPlate,
    /// Nodes that move.
    pub nodes: usize,
    /// Time per sample with and without stretching \[ns\].
    pub ns_per_sample: [f64; 2],
}

impl NonlinearPlate {
    /// What it is called in tables.
    pub fn name(&self) -> String {
        let [nx, ny] = self.size;
        match self.outline {
            Outline::Rectangle => format!("{nx} × {ny}"),
            Outline::Disc => format!("disc, {nx} across"),
        }
    }

    /// The plate in motion.
    fn simulation(&self, is_stretched: bool) -> Simulation {
        let (edge, intervals) = match self.outline {
            Outline::Rectangle => (Edge::SimplySupported, self.size.map(|nodes| nodes + 1)),
            Outline::Disc => (Edge::Free, self.size),
        };
        let mut model = Model::new();
        let plate = model.add(Plate {
            outline: self.outline,
            edges: [edge; 4],
            grid: Some(intervals),
            sigma0: 0.1,
            method: Method::Grid,
            ..Plate::steel(intervals.map(|count| 0.015 * count as f64), 1e-3)
        });
        if is_stretched {
            model.stretch_by_bending(plate);
        }
        model.pulse(plate.on([0.4, 0.6]), Pulse { peak: 50.0, ..Pulse::default() });
        model.compile(44_100.0).expect("a coarse grid is stable")
    }
}

/// Measures a plate.
pub fn measure(plate: NonlinearPlate, rounds: TimingRounds) -> NonlinearTiming {
    let [mut stretched, mut linear] = [true, false].map(|is_stretched| plate.simulation(is_stretched));
    let nodes = stretched.node_count();
    let mut step_stretched = || (0..STEPS_PER_BATCH).for_each(|_| stretched.step());
    let mut step_linear = || (0..STEPS_PER_BATCH).for_each(|_| linear.step());
    let times = min_of_medians(rounds, [&mut step_stretched, &mut step_linear]);
    NonlinearTiming { plate, nodes, ns_per_sample: times.map(|ns| ns / STEPS_PER_BATCH as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_bend_far_while_they_are_timed() {
        for plate in &NONLINEAR_PLATES[..3] {
            let mut simulation = plate.simulation(true);
            simulation.open_ledger();
            (0..2000).for_each(|_| simulation.step());
            assert!(simulation.ledger().unwrap().interactions[0].stored > 1e-6, "{plate:?}");
        }
    }
}
