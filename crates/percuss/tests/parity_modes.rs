//! A plate in its modes is the plate in its nodes: same samples but for rounding, same account, same shape.

use percuss::*;
use proptest::prelude::*;

const RATE: f64 = 44_100.0;

/// A simply supported plate or membrane on a grid that is stable at [`RATE`].
fn plate(intervals: [usize; 2], tension: f64, bends: bool, in_nodes: bool) -> Plate {
    let size = intervals.map(|n| 0.03 * n as f64);
    Plate {
        grid: Some(intervals),
        edges: [Edge::SimplySupported; 4],
        tension,
        youngs_modulus: if bends { 2e11 } else { 0.0 },
        sigma0: 3.0,
        sigma1: 0.004,
        method: if in_nodes { PlateMethod::Grid } else { PlateMethod::Auto },
        ..Plate::steel(size, 1e-3)
    }
}

/// A plate that a mass on a spring and a pulse meet, and somebody listens to.
struct ParityScene {
    model: Model,
    plate: ElementId,
    /// Displacement and velocity, first where the pulse strikes.
    pickups: Vec<PickupId>,
}

#[derive(Clone, Debug)]
struct ParityCase {
    intervals: [usize; 2],
    tension: f64,
    bends: bool,
    pushed: Vec<[f64; 2]>,
    pickups: Vec<[f64; 2]>,
}

impl ParityCase {
    fn scene(&self, in_nodes: bool) -> ParityScene {
        let mut model = Model::new();
        let plate = model.add(plate(self.intervals, self.tension, self.bends, in_nodes));
        for (index, &at) in self.pushed.iter().enumerate() {
            if index == 0 {
                model.pulse(plate.on(at), Pulse { peak: 20.0, ..Pulse::default() });
            } else {
                let mass = model.add(Mass { mass: 0.01, frequency: 300.0, ..Mass::default() });
                let spring = Spring { stiffness: 2e4, cubic: 0.0, damping: 0.5, gap: 0.0 };
                model.spring(plate.on(at), mass.point(), spring);
            }
        }
        let pickups = self.pushed[..1].iter().chain(&self.pickups).flat_map(|&at| {
            [Quantity::Displacement, Quantity::Velocity].map(|quantity| model.pickup(plate.on(at), quantity))
        });
        let pickups = pickups.collect();
        ParityScene { model, plate, pickups }
    }
}

fn cases() -> impl Strategy<Value = ParityCase> {
    let place = || [0.05..0.95, 0.05..0.95_f64];
    let places = (prop::collection::vec(place(), 1..=3), prop::collection::vec(place(), 1..=2));
    let matter = prop_oneof![Just((0.0, true)), Just((800.0, true)), Just((800.0, false))];
    ([4..40_usize, 4..40_usize], matter, places).prop_map(|(intervals, (tension, bends), (pushed, pickups))| {
        ParityCase { intervals, tension, bends, pushed, pickups }
    })
}

/// Largest magnitude.
fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |size, value| size.max(value.abs()))
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn both_forms_sound_and_look_alike_and_close_their_accounts(case in cases(), opens in 0..300_usize) {
        let [mut modes, mut nodes] = [false, true].map(|in_nodes| {
            let scene = case.scene(in_nodes);
            (scene.model.compile(RATE).unwrap(), scene)
        });
        let mut pickups = [Vec::new(), Vec::new()];
        for n in 0..800 {
            for ((sim, scene), pickups) in [&mut modes, &mut nodes].into_iter().zip(&mut pickups) {
                // In the middle of things: what was pushed in the last step has to be known by then.
                if n == opens {
                    sim.open_ledger();
                }
                sim.step();
                pickups.push(scene.pickups.iter().map(|&pickup| sim.read(pickup)).collect::<Vec<_>>());
            }
        }
        for pickup in 0..modes.1.pickups.len() {
            let at = |index: usize| {
                pickups.each_ref().map(|pickups| pickups.iter().map(|read| read[index]).collect::<Vec<_>>())
            };
            // Where no wave has arrived yet there is rounding only: the pulse says what is large. Eight hundred steps add
            // up a few thousand roundings of sums of up to 1500 terms.
            let ([a, b], [_, struck]) = (at(pickup), at(pickup % 2));
            let off = largest_difference(&a, &b) / size(&struck);
            prop_assert!(off < 1e-12, "pickup {pickup} is off by {off:e}");
        }
        for of in [Simulation::displacements, Simulation::increments] {
            let [a, b] = [&modes, &nodes].map(|(sim, scene)| of(sim, scene.plate));
            let off = largest_difference(&a, &b) / size(&b);
            prop_assert!(off < 1e-12, "the shape is off by {off:e}");
        }
        let [a, b] = [&modes, &nodes].map(|(sim, _)| sim.ledger().unwrap().clone());
        prop_assert!(a.total.worst_relative < 1e-12, "{:?}", a.total);
        let whole = a.total.scale;
        prop_assert!(a.elements.iter().all(|account| account.worst_residual < 1e-12 * whole));
        for (a, b) in a.elements.iter().zip(&b.elements) {
            prop_assert!((a.stored - b.stored).abs() < 1e-12 * whole, "{} {}", a.stored, b.stored);
            prop_assert!((a.dissipated - b.dissipated).abs() < 1e-12 * whole, "{} {}", a.dissipated, b.dissipated);
        }
    }
}

#[test]
fn pictures_show_what_single_nodes_say_also_of_steps_just_taken() {
    let case = ParityCase {
        intervals: [23, 9],
        tension: 0.0,
        bends: true,
        pushed: vec![[0.31, 0.42]],
        pickups: vec![[0.6, 0.6]],
    };
    for in_nodes in [false, true] {
        let ParityScene { model, plate, .. } = case.scene(in_nodes);
        let mut sim = model.compile(RATE).unwrap();
        let (columns, rows) = ([0, 3, 7, 22, 23, 99], [1, 8, 4]);
        let mut view = sim.grid_view(plate, &columns, &rows).unwrap();
        for _ in 0..40 {
            sim.step();
            assert!(view.refresh(&sim));
            let all = sim.displacements(plate);
            let nodes = rows.iter().flat_map(|&j| columns.map(|i| if i <= 23 { all[j * 24 + i] } else { 0.0 }));
            for (seen, expected) in view.values().iter().zip(nodes) {
                assert!((seen - expected).abs() <= 1e-14 * size(&all), "{seen} {expected}");
            }
        }
        assert!(view.values()[2] != 0.0 && view.values()[5] == 0.0);
    }
}

#[test]
fn what_cannot_be_said_in_modes_is_stepped_in_nodes() {
    // Two springs whose places share nodes push each other: told apart, B would have to know.
    let close = ParityCase {
        intervals: [12, 10],
        tension: 0.0,
        bends: true,
        pushed: vec![[0.5, 0.5], [0.30, 0.31], [0.33, 0.34]],
        pickups: vec![[0.7, 0.2]],
    };
    let listen = |case: &ParityCase, in_nodes: bool| {
        let ParityScene { model, pickups, .. } = case.scene(in_nodes);
        let mut sim = model.compile(RATE).unwrap();
        let mut samples = vec![0.0; 500];
        sim.process(&[pickups[3]], &mut [&mut samples]);
        samples
    };
    assert_eq!(listen(&close, false), listen(&close, true), "both in nodes");
    let apart = ParityCase { pushed: vec![[0.5, 0.5], [0.30, 0.31], [0.8, 0.8]], ..close };
    assert_ne!(listen(&apart, false), listen(&apart, true), "not both in nodes: they do not round alike");
    // Held places are refused alike.
    for in_nodes in [false, true] {
        let mut model = Model::new();
        let plate = model.add(plate([12, 10], 0.0, true, in_nodes));
        model.pulse(plate.on([0.0, 0.5]), Pulse::default());
        assert!(matches!(model.compile(RATE), Err(CompileError::Immovable { .. })));
    }
}

#[test]
fn many_steps_do_not_part_a_spot_from_its_modes() {
    let mut model = Model::new();
    let driven = model.add(plate([12, 11], 0.0, true, false));
    let values = (0..400_000).map(|n| (0.1 * f64::from(n)).sin()).collect();
    model.drive(driven.on([0.25, 0.5]), Drive::Samples { rate: RATE, values });
    let pickups = model.pickup(driven.on([0.25, 0.5]), Quantity::Displacement);
    let mut sim = model.compile(RATE).unwrap();
    let (mut top, mut off) = (0.0_f64, 0.0_f64);
    for n in 0..400_000 {
        sim.step();
        if n % 997 == 0 {
            // Column 3 exactly, and half-way between rows 5 and 6.
            let shape = sim.displacements(driven);
            let expected = 0.5 * (shape[5 * 13 + 3] + shape[6 * 13 + 3]);
            top = top.max(expected.abs());
            off = off.max((sim.read(pickups) - expected).abs());
        }
    }
    assert!(off < 1e-14 * top, "parted by {off:e} of {top:e}");
}

/// A strained spring moves the plate before the first sample. `newton` computes the energy of a connection from the distance
/// alone, so its balance shows whether the modes have taken part in that.
#[test]
fn strained_spring_moves_a_place_and_its_modes_alike_at_the_start() {
    let mut model = Model::new();
    model.scheme = Scheme::Newton;
    let plate = model.add(plate([5, 4], 0.0, true, false));
    let [hanging, beside] = [0.1, 0.01].map(|mass| model.add(Mass { mass, gravity: 8.0, ..Mass::default() }));
    let at = plate.on([0.23, 0.42]);
    model.spring(hanging.point(), at, Spring { stiffness: 100.0, cubic: 0.0, damping: 0.0, gap: -2e-5 });
    model.connect(at, beside.point(), Connection { stiffness: 1e3, exponent: 1.0, play: 0.0, gap: -1.5e-4 });
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..1000).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-13, "{total:?}");
}
