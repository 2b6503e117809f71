//! Touches take hold of a plate where it is: however pressures change, they never supply energy.

use percuss::*;
use proptest::prelude::*;

const RATE: f64 = 44_100.0;
const SECONDS: f64 = 0.05;

/// A plate, struck before any pressure changes, under touches.
fn struck(plate: Plate) -> Simulation {
    let mut model = Model::new();
    let id = model.add(plate);
    model.pulse(id.on([0.63, 0.41]), Pulse { duration: 0.5e-3, peak: 30.0, ..Pulse::default() });
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    simulation
}

/// Values at random times within the simulated time, in order.
fn history(range: std::ops::Range<f64>) -> impl Strategy<Value = Control> {
    prop::collection::vec((0.001..SECONDS, range), 2..12).prop_map(|mut points| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (time, value) = points.into_iter().unzip();
        Control::Breakpoints { time, value }
    })
}

fn region() -> impl Strategy<Value = Region> {
    let place = || [history(0.0..1.0), history(0.0..1.0)];
    prop_oneof![
        Just(Region::Everywhere),
        (place(), 0.01..0.2_f64).prop_map(|(centre, radius)| Region::Circle { centre, radius: radius.into() }),
        (place(), history(0.01..0.2))
            .prop_map(|(centre, side)| Region::Rectangle { centre, size: [side.clone(), side] }),
        ([-1.0..1.0, 0.1..1.0], history(0.0..1.0))
            .prop_map(|(direction, level)| Region::HalfPlane { direction, level }),
    ]
}

/// Of strengths from nothing to far beyond any hand or clamp.
fn touch() -> impl Strategy<Value = Touch> {
    let pressure = prop_oneof![history(0.0..1.0), history(0.0..1.0), (0.0..1.0).prop_map(Control::from)];
    let strength = |least: f64, most: f64| {
        prop_oneof![Just(0.0), (least.ln()..most.ln()).prop_map(f64::exp), (least.ln()..most.ln()).prop_map(f64::exp)]
    };
    (region(), pressure, strength(0.01, 300.0), strength(1e2, 1e12), strength(0.1, 1e4))
        .prop_map(|(region, pressure, mass, stiffness, damping)| Touch { region, pressure, mass, stiffness, damping })
}

fn plate() -> impl Strategy<Value = Plate> {
    let edge = prop_oneof![Just(Edge::Free), Just(Edge::Clamped), Just(Edge::SimplySupported)];
    let touches = prop::collection::vec(touch(), 1..4);
    (prop::array::uniform4(edge), any::<bool>(), any::<bool>(), touches, 1_usize..300, 0.0..3.0).prop_map(
        |(edges, is_grid, is_membrane, touches, control_interval, sigma0)| {
            let method = if is_grid { Method::Grid } else { Method::Modes };
            let surface = if is_membrane {
                Plate::membrane([0.24, 0.2], 0.3, 2000.0)
            } else {
                Plate { edges, ..Plate::steel([0.24, 0.2], 2e-3) }
            };
            Plate { method, touches, control_interval, sigma0, ..surface }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn changing_touches_never_supply_energy(plate in plate()) {
        let mut simulation = struck(plate);
        let mut work = 0.0;
        for step in 0..(SECONDS * RATE) as usize {
            simulation.step();
            let total = simulation.ledger().unwrap().total;
            let supplied = total.touch_work - work;
            // The pulse lasts for 22 samples; it may turn a node round in the step in which its mass grows.
            if step > 25 {
                prop_assert!(supplied <= 1e-14 * total.scale, "{supplied:e} J of {:e} J in step {step}", total.scale);
            }
            prop_assert!(total.worst_relative < 1e-12, "{:e} in step {step}", total.worst_relative);
            work = total.touch_work;
        }
    }
}

/// Energy that is left of what was supplied while a vice opens and closes forty times a second.
fn switched(law: TouchLaw) -> f64 {
    let switches = (1..40).flat_map(|n| [0.0125 * f64::from(n), 0.0125 * f64::from(n) + 1e-4]);
    let (time, value) = switches.zip([0.0, 1.0, 1.0, 0.0].into_iter().cycle()).unzip();
    let corner = Region::Circle { centre: [0.0.into(), 0.0.into()], radius: 0.06.into() };
    let pressure = Control::Breakpoints { time, value };
    let vice = Touch { region: corner, pressure, mass: 0.0, stiffness: 1e13, damping: 0.0 };
    let plate = Plate { touches: vec![vice], touch_law: law, control_interval: 64, ..Plate::steel([0.25; 2], 1.5e-3) };
    let mut simulation = struck(plate);
    (0..(0.5 * RATE) as usize).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    total.stored / total.supplied
}

#[test]
fn switching_a_vice_pumps_under_the_law_of_the_paper_only() {
    let [passive, absolute] = [TouchLaw::Passive, TouchLaw::Absolute].map(switched);
    assert!(passive < 1.0, "{passive} of what was supplied is left");
    assert!(absolute > 10.0, "the paper's law is expected to pump: {absolute}");
}

/// What lies on the plate from the start, and never changes, is the same under both laws.
#[test]
fn constant_touches_follow_the_law_of_the_paper() {
    let felt = |law: TouchLaw| {
        let region = Region::Rectangle { centre: [0.3.into(), 0.6.into()], size: [0.07.into(), 0.1.into()] };
        let touch = Touch { region, pressure: 0.7.into(), mass: 2.0, stiffness: 1e7, damping: 40.0 };
        let mut simulation = struck(Plate { touches: vec![touch], touch_law: law, ..Plate::steel([0.24, 0.2], 2e-3) });
        (0..3000)
            .map(|_| {
                simulation.step();
                simulation.ledger().unwrap().total.stored
            })
            .collect::<Vec<_>>()
    };
    let [passive, absolute] = [TouchLaw::Passive, TouchLaw::Absolute].map(felt);
    let most = absolute.iter().copied().fold(0.0, f64::max);
    assert!(passive.iter().zip(&absolute).all(|(a, b)| (a - b).abs() < 1e-11 * most));
}
