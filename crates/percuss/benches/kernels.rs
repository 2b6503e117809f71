//! What the parts of a step cost, one at a time: for work on the kernels. `percuss bench` measures whole scenes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use percuss::*;

const RATE: f64 = 44_100.0;

fn bench_steps(group: &str, criterion: &mut Criterion, cases: Vec<(String, Simulation)>) {
    let mut group = criterion.benchmark_group(group);
    for (name, mut simulation) in cases {
        group.throughput(Throughput::Elements(simulation.node_count() as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(|| simulation.step()));
    }
    group.finish();
}

fn plate(nodes: usize, edge: Edge, touch: bool) -> Simulation {
    let intervals = if edge == Edge::Free { nodes - 1 } else { nodes + 1 };
    let side = 0.02 * intervals as f64;
    let mut model = Model::new();
    let plate = Plate { grid: Some([intervals; 2]), edges: [edge; 4], ..Plate::steel([side, side], 2e-3) };
    let plate = model.add(plate);
    model.pulse(plate.on([0.4, 0.6]), Pulse::default());
    if touch {
        let pressure = Control::Breakpoints { time: vec![0.0, 1e4], value: vec![0.0, 1.0] };
        let touch = Touch { region: Region::Everywhere, pressure, mass: 3.0, stiffness: 1e5, damping: 1.0 };
        model.touch(plate, touch).unwrap();
    }
    model.compile(RATE).unwrap()
}

fn plates(criterion: &mut Criterion) {
    let mut cases = Vec::new();
    for nodes in [20, 60, 200] {
        for (name, edge) in [("held", Edge::SimplySupported), ("free", Edge::Free)] {
            cases.push((format!("{nodes}x{nodes}, {name}"), plate(nodes, edge, false)));
            cases.push((format!("{nodes}x{nodes}, {name}, touched"), plate(nodes, edge, true)));
        }
    }
    bench_steps("plate", criterion, cases);
}

fn strings(criterion: &mut Criterion) {
    let string = |nodes: usize| {
        let mut model = Model::new();
        let displacement = Shape::Triangle { at: 0.3, height: 1e-3 };
        let (length, grid) = (0.01 * (nodes + 1) as f64, Some(nodes + 1));
        model.add(StiffString { length, grid, displacement, ..StiffString::default() });
        (nodes.to_string(), model.compile(RATE).unwrap())
    };
    bench_steps("string", criterion, [30, 100, 300, 1000].map(string).to_vec());
}

fn modes(criterion: &mut Criterion) {
    let bank = |modes: usize| {
        let mut model = Model::new();
        let mode = |i: usize| Mode { frequency: 18_000.0 * (i + 1) as f64 / modes as f64, decay: 1.0, mass: 0.1 };
        model.add(Modal { modes: (0..modes).map(mode).collect(), points: vec![vec![1.0; modes]] });
        (modes.to_string(), model.compile(RATE).unwrap())
    };
    bench_steps("modes", criterion, [3, 30, 300, 3000].map(bank).to_vec());
}

/// Masses in a row between two walls, each in touch with the next: one block of so many contacts and one more.
fn contact_blocks(criterion: &mut Criterion) {
    let chain = |masses: usize| {
        let mut model = Model::new();
        let law = Collision { stiffness: 1e6, gap: -1e-5, ..Collision::default() };
        let mut below = model.add(Barrier::at(0.0));
        for _ in 0..masses {
            let mass = model.add(Mass { gravity: 9.81, ..Mass::default() });
            model.collide(below.point(), mass.point(), law);
            below = mass;
        }
        let lid = model.add(Barrier::at(0.0));
        model.collide(below.point(), lid.point(), law);
        ((masses + 1).to_string(), model.compile(RATE).unwrap())
    };
    bench_steps("contact block", criterion, [1, 2, 3, 9, 99].map(chain).to_vec());
}

criterion_group!(benches, plates, strings, modes, contact_blocks);
criterion_main!(benches);
