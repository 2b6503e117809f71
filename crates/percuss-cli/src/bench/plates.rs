//! Plates of all sizes and edges, bare and under a layer that moves, each beside the yardstick.

use super::clock::{Rounds, best_medians};
use super::stream::{BYTES, Stream};
use super::yardstick::Yardstick;
use percuss::{Control, Edge, Model, Plate, Pulse, Region, Simulation, Touch};

/// Moving nodes along either side.
pub const SIZES: [[usize; 2]; 5] = [[20, 20], [60, 60], [130, 13], [200, 200], [1000, 1000]];
/// How the plates are held, and whether they are stepped in their nodes even where modes would do.
pub const KINDS: [Kind; 4] = [
    Kind { name: "simply-supported", edge: Edge::SimplySupported, in_nodes: false },
    Kind { name: "simply-supported, in nodes", edge: Edge::SimplySupported, in_nodes: true },
    Kind { name: "clamped", edge: Edge::Clamped, in_nodes: true },
    Kind { name: "free", edge: Edge::Free, in_nodes: true },
];
/// Nodes updated between two looks at the clock, at least.
const NODES_PER_CALL: usize = 100_000;

/// A kind of plate.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    edge: Edge,
    in_nodes: bool,
}

/// What is measured against, at one size.
pub struct Reference {
    /// Nodes along either side.
    pub size: [usize; 2],
    /// The yardstick \[ns\].
    pub ns_per_node: f64,
    /// What memory would allow \[ns\].
    pub limit_ns_per_node: f64,
}

impl Reference {
    /// Rate at which fields of this size are read and written \[B/s\].
    pub fn bandwidth(&self) -> f64 {
        BYTES / self.limit_ns_per_node * 1e9
    }
}

/// One of our plates.
pub struct PlateFigure {
    /// Nodes along either side.
    pub size: [usize; 2],
    /// How it is held.
    pub edges: &'static str,
    /// Whether its nodes are stepped or its modes.
    pub in_nodes: bool,
    /// Whether a layer moves over it.
    pub touch: bool,
    /// Numbers it is stepped in.
    pub precision: &'static str,
    /// Ours \[ns\].
    pub ns_per_node: f64,
    /// How many times as fast as the yardstick, which took turns with it.
    pub speed: f64,
}

fn steps_per_call(nodes: usize) -> usize {
    NODES_PER_CALL.div_ceil(nodes)
}

/// Measures the yardstick and the machine's limit at one size.
pub fn reference(size: [usize; 2], rounds: Rounds) -> Reference {
    let mut yardstick = Yardstick::new(size[0], size[1]);
    let nodes = yardstick.nodes();
    let (steps, mut stream) = (steps_per_call(nodes), Stream::new(nodes));
    let mut update = || yardstick.play(steps);
    let mut pass = || (0..steps).for_each(|_| std::hint::black_box(&mut stream).pass());
    let found = best_medians(rounds, [&mut update, &mut pass]);
    let [ns_per_node, limit_ns_per_node] = found.map(|ns| ns / (steps * nodes) as f64);
    Reference { size, ns_per_node, limit_ns_per_node }
}

/// Measures one of our plates.
pub fn measure(size: [usize; 2], kind: Kind, touch: bool, rounds: Rounds) -> PlateFigure {
    let mut yardstick = Yardstick::new(size[0], size[1]);
    let (nodes, mut plate) = (yardstick.nodes(), plate(size, kind, touch));
    let steps = steps_per_call(nodes);
    let mut ours = || (0..steps).for_each(|_| plate.step());
    let mut theirs = || yardstick.play(steps);
    let [ours, theirs] = best_medians(rounds, [&mut ours, &mut theirs]);
    let ns_per_node = ours / (steps * nodes) as f64;
    let in_nodes = kind.in_nodes || touch;
    PlateFigure { size, edges: kind.name, in_nodes, touch, precision: "f64", ns_per_node, speed: theirs / ours }
}

/// A struck steel plate of which so many nodes move.
fn plate(size: [usize; 2], Kind { edge, in_nodes, .. }: Kind, touch: bool) -> Simulation {
    let intervals = size.map(|nodes| if edge == Edge::Free { nodes - 1 } else { nodes + 1 });
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some(intervals),
        edges: [edge; 4],
        sigma0: 0.1,
        in_nodes,
        ..Plate::steel(intervals.map(|count| 0.02 * count as f64), 2e-3)
    });
    model.pulse(plate.on([0.4, 0.6]), Pulse::default());
    if touch {
        // Pressed on more and more for as long as anyone could measure.
        let pressure = Control::Breakpoints { time: vec![0.0, 1e4], value: vec![0.0, 1.0] };
        model.touch(plate, Touch { region: Region::Everywhere, pressure, mass: 3.0, stiffness: 1e5, damping: 1.0 });
    }
    model.compile(44_100.0).expect("a coarse grid is stable")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_nodes_move_as_are_counted() {
        for kind in KINDS {
            for size in &SIZES[..3] {
                for touch in [false, true] {
                    assert_eq!(plate(*size, kind, touch).node_count(), size[0] * size[1], "{kind:?}");
                }
            }
        }
    }
}
