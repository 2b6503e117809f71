//! Benchmark of plates of several sizes and edges, without and with a touch that changes, compared with the baseline.

use super::bandwidth::{BYTES_PER_NODE, BandwidthProbe};
use super::baseline::Baseline;
use super::timing::{TimingRounds, min_of_medians};
use percuss::{Control, Edge, Method, Model, Plate, Pulse, Region, Simulation, Touch, TouchLaw};

/// Numbers of moving nodes along both sides.
pub const PLATE_SIZES: [[usize; 2]; 5] = [[20, 20], [60, 60], [130, 13], [200, 200], [1000, 1000]];
/// Edges of the plates, and whether plates that could be stepped in their modes are stepped in their nodes.
pub const PLATE_KINDS: [PlateKind; 4] = [
    PlateKind { name: "simply-supported", edge: Edge::SimplySupported, method: Method::Modes },
    PlateKind { name: "simply-supported, in nodes", edge: Edge::SimplySupported, method: Method::Grid },
    PlateKind { name: "clamped", edge: Edge::Clamped, method: Method::Grid },
    PlateKind { name: "free", edge: Edge::Free, method: Method::Grid },
];
/// Smallest number of node updates between two readings of the clock.
const NODES_PER_BATCH: usize = 100_000;

/// Edges and method of a plate.
#[derive(Clone, Copy, Debug)]
pub struct PlateKind {
    /// Name in tables.
    pub name: &'static str,
    edge: Edge,
    method: Method,
}

/// Times of the baseline and the bandwidth limit at one size.
pub struct BaselineTiming {
    /// Numbers of nodes along both sides.
    pub size: [usize; 2],
    /// Time per node of the baseline \[ns\].
    pub ns_per_node: f64,
    /// Time per node at full memory bandwidth \[ns\].
    pub limit_ns_per_node: f64,
}

impl BaselineTiming {
    /// Memory bandwidth at this size \[B/s\].
    pub fn bandwidth(&self) -> f64 {
        BYTES_PER_NODE / self.limit_ns_per_node * 1e9
    }
}

/// Time of a plate of the engine.
pub struct PlateTiming {
    /// Numbers of nodes along both sides.
    pub size: [usize; 2],
    /// Edges and method.
    pub edges: &'static str,
    /// Whether the plate is stepped in its nodes instead of its modes.
    pub in_nodes: bool,
    /// Whether a touch acts on it.
    pub touch: bool,
    /// Floating-point type.
    pub precision: &'static str,
    /// Time per node \[ns\].
    pub ns_per_node: f64,
    /// Speed relative to the baseline, measured alternately.
    pub speed_over_baseline: f64,
}

fn steps_per_batch(nodes: usize) -> usize {
    NODES_PER_BATCH.div_ceil(nodes)
}

/// Measures the baseline and the bandwidth limit at one size.
pub fn measure_baseline(size: [usize; 2], rounds: TimingRounds) -> BaselineTiming {
    let mut baseline = Baseline::new(size[0], size[1]);
    let nodes = baseline.nodes();
    let (steps, mut probe) = (steps_per_batch(nodes), BandwidthProbe::new(nodes));
    let mut update = || baseline.run(steps);
    let mut sweep = || (0..steps).for_each(|_| std::hint::black_box(&mut probe).sweep());
    let times = min_of_medians(rounds, [&mut update, &mut sweep]);
    let [ns_per_node, limit_ns_per_node] = times.map(|ns| ns / (steps * nodes) as f64);
    BaselineTiming { size, ns_per_node, limit_ns_per_node }
}

/// Measures a plate of the engine.
pub fn measure(size: [usize; 2], kind: PlateKind, touch: bool, rounds: TimingRounds) -> PlateTiming {
    let mut baseline = Baseline::new(size[0], size[1]);
    let (nodes, mut plate) = (baseline.nodes(), plate(size, kind, touch));
    let steps = steps_per_batch(nodes);
    let mut step_plate = || (0..steps).for_each(|_| plate.step());
    let mut step_baseline = || baseline.run(steps);
    let [plate_ns, baseline_ns] = min_of_medians(rounds, [&mut step_plate, &mut step_baseline]);
    let ns_per_node = plate_ns / (steps * nodes) as f64;
    let in_nodes = kind.method == Method::Grid || touch;
    let speed_over_baseline = baseline_ns / plate_ns;
    PlateTiming { size, edges: kind.name, in_nodes, touch, precision: "f64", ns_per_node, speed_over_baseline }
}

/// A struck steel plate with `size` moving nodes.
fn plate(size: [usize; 2], PlateKind { edge, method, .. }: PlateKind, touch: bool) -> Simulation {
    let intervals = size.map(|nodes| if edge == Edge::Free { nodes - 1 } else { nodes + 1 });
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some(intervals),
        edges: [edge; 4],
        sigma0: 0.1,
        method,
        // The baseline's.
        touch_law: TouchLaw::Absolute,
        ..Plate::steel(intervals.map(|count| 0.02 * count as f64), 2e-3)
    });
    model.pulse(plate.on([0.4, 0.6]), Pulse::default());
    if touch {
        // The pressure rises throughout the measurement.
        let pressure = Control::Breakpoints { time: vec![0.0, 1e4], value: vec![0.0, 1.0] };
        let touch = Touch { region: Region::Everywhere, pressure, mass: 3.0, stiffness: 1e5, damping: 1.0 };
        model.touch(plate, touch).expect("a plate");
    }
    model.compile(44_100.0).expect("a coarse grid is stable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_moving_nodes_is_as_stated() {
        for kind in PLATE_KINDS {
            for size in &PLATE_SIZES[..3] {
                for touch in [false, true] {
                    assert_eq!(plate(*size, kind, touch).node_count(), size[0] * size[1], "{kind:?}");
                }
            }
        }
    }
}
