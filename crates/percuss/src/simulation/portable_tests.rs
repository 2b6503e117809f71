//! Portable simulations have the same bits whether four numbers are one vector or computed one by one.

use crate::element::simd::Machine;
use crate::interaction::laws::Felt;
use crate::model::{
    Bar, Bow, Collision, Control, Edge, Element, ElementId, Mass, Method, Modal, Mode, Model, Outline, Plate, Point,
    Profile, Pulse, Quantity, Region, StiffString, Touch,
};

const STEPS: usize = 600;

fn bits(model: &Model, machine: Machine) -> Vec<u64> {
    let mut simulation = model.compile_with(44_100.0, machine).expect("a valid model");
    simulation.open_ledger();
    let pickups: Vec<_> = (0..model.pickups.len()).map(|index| model.ids.pickups.at(index)).collect();
    let mut bits = Vec::new();
    for _ in 0..STEPS {
        simulation.step();
        bits.extend(pickups.iter().map(|&pickup| simulation.read(pickup).to_bits()));
        let total = simulation.ledger().expect("it is open").total;
        bits.extend([total.stored, total.dissipated, total.supplied, total.touch_work].map(f64::to_bits));
    }
    bits
}

fn struck_plate(plate: Plate) -> Model {
    let mut model = Model::new();
    let plate = model.add(plate);
    let hammer = model.add(Mass { mass: 0.01, position: -1e-5, velocity: 2.0, ..Mass::default() });
    model.collide(hammer.point(), plate.on([0.31, 0.42]), Collision { loss: 0.3, ..Collision::default() });
    model.pickup(plate.on([0.7, 0.6]), Quantity::Velocity);
    model
}

fn bowed_string(method: Method) -> Model {
    let mut model = Model::new();
    let string = model.add(StiffString { method, ..StiffString::steel(0.5e-3) });
    model.bow(string.at(0.1), Bow { force: 1.0.into(), velocity: 0.2.into(), ..Bow::default() });
    let mallet = model.add(Mass { position: 1e-4, velocity: -1.0, ..Mass::default() });
    model.interact(string.at(0.6), mallet.point(), Felt::default());
    model.pickup(string.at(0.9), Quantity::Force);
    model.pickup(string.at(0.3), Quantity::Displacement);
    model
}

fn models() -> Vec<(&'static str, Model)> {
    let plate = Plate::steel([0.3, 0.2], 2e-3);
    let hand = Touch {
        region: Region::Circle { centre: [0.4.into(), 0.5.into()], radius: 0.05.into() },
        pressure: Control::Breakpoints { time: vec![0.0, 0.005, 0.01], value: vec![0.0, 1.0, 0.5] },
        mass: 5.0,
        stiffness: 1e6,
        damping: 100.0,
    };
    let modes = (1..30).map(|i| Mode { frequency: 97.0 * f64::from(i), decay: 1.0, mass: 0.5 }).collect();
    let mut bar = Model::new();
    let undercut = Profile::Lines { at: vec![0.0, 0.3, 0.7, 1.0], ratio: vec![1.0, 0.6, 0.6, 1.0] };
    let id = bar.add(Bar { profile: undercut, ..Bar::default() });
    bar.pulse(id.at(0.2), Pulse::default());
    bar.pickup(id.at(0.9), Quantity::Velocity);
    let mut resonator = Model::new();
    let id = resonator.add(Modal { modes, points: vec![vec![1.0; 29]] });
    let ball = resonator.add(Mass { velocity: 1.0, ..Mass::default() });
    resonator.collide(ball.point(), id.point_at(0), Collision::default());
    resonator.pickup(id.point_at(0), Quantity::Velocity);
    vec![
        ("a plate in its modes", struck_plate(plate.clone())),
        ("a free plate", struck_plate(Plate { edges: [Edge::Free; 4], ..plate.clone() })),
        (
            "a disc",
            struck_plate(Plate { size: [0.3, 0.3], outline: Outline::Disc, edges: [Edge::Free; 4], ..plate.clone() }),
        ),
        (
            "a plate on its grid",
            struck_plate(Plate { method: Method::Grid, edges: [Edge::Clamped; 4], ..plate.clone() }),
        ),
        ("a plate under a hand", struck_plate(Plate { touches: vec![hand], ..plate.clone() })),
        ("a large plate", struck_plate(Plate { grid: Some([40, 30]), ..Plate::steel([0.9, 0.7], 1e-3) })),
        ("a bowed string in its modes", bowed_string(Method::Modes)),
        ("a bowed string on its grid", bowed_string(Method::Grid)),
        ("a bar with a profile", bar),
        ("a resonator", resonator),
    ]
}

#[test]
fn portable_samples_do_not_depend_on_the_vectors_of_the_machine() {
    for (name, model) in models() {
        let [vectors, one_by_one] =
            [Machine::new(true), Machine::portable_one_by_one()].map(|machine| bits(&model, machine));
        assert!(vectors == one_by_one, "{name}");
        assert!(vectors.iter().any(|&bits| bits != 0), "{name} is silent");
    }
}

/// Otherwise the test above would compare nothing: plainly ordered sums round differently.
#[test]
fn samples_that_are_not_portable_depend_on_the_vectors() {
    if !matches!(std::env::consts::ARCH, "x86_64") || !std::arch::is_x86_feature_detected!("avx512f") {
        return;
    }
    let differing = models()
        .iter()
        .filter(|(_, model)| bits(model, Machine::new(false)) != bits(model, Machine::new(true)))
        .count();
    assert!(differing > 0);
}

/// Largest distance of two runs, relative to the largest value.
fn distance(one: &[u64], other: &[u64]) -> f64 {
    let largest = one.iter().fold(0.0_f64, |largest, &bits| largest.max(f64::from_bits(bits).abs()));
    let distances = one.iter().zip(other).map(|(&a, &b)| (f64::from_bits(a) - f64::from_bits(b)).abs());
    distances.fold(0.0, f64::max) / largest
}

/// For uniform bodies without contacts. What the others differ by is printed: contacts magnify rounding, and the modes of a bar with a
/// profile come from an eigenvalue problem, solved in another order.
#[test]
fn portable_samples_of_uniform_bodies_without_contacts_are_the_others_to_rounding() {
    let pulsed = |element: Element, at: fn(ElementId) -> Point| {
        let mut model = Model::new();
        let id = model.add(element);
        model.pulse(at(id), Pulse::default());
        model.pickup(at(id), Quantity::Velocity);
        model
    };
    let on_plate = |id: ElementId| id.on([0.3, 0.4]);
    let free = Plate { edges: [Edge::Free; 4], ..Plate::steel([0.3, 0.2], 2e-3) };
    let linear = [
        ("a plate in its modes", pulsed(Plate::steel([0.3, 0.2], 2e-3).into(), on_plate)),
        ("a free plate", pulsed(free.clone().into(), on_plate)),
        ("a free plate on its grid", pulsed(Plate { method: Method::Grid, ..free }.into(), on_plate)),
        ("a string", pulsed(StiffString::steel(0.5e-3).into(), |id| id.at(0.3))),
        ("a bar", pulsed(Bar::default().into(), |id| id.at(0.3))),
    ];
    for (name, model) in linear {
        let [portable, other] = [true, false].map(|is_portable| bits(&model, Machine::new(is_portable)));
        let distance = distance(&portable, &other);
        assert!(distance <= 1e-9, "{name}: {distance:e}");
    }
    for (name, model) in models() {
        let [portable, other] = [true, false].map(|is_portable| bits(&model, Machine::new(is_portable)));
        println!("{name}: {:.1e} apart", distance(&portable, &other));
    }
}
