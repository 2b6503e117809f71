//! Places that move over bodies in their modes: those that stand still in the end are points, the account closes in every step, and
//! blocks, single samples and runs after a reset are the same to the last bit.

#[allow(dead_code, reason = "here a striker of its own makes the sound")]
mod partials;

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use partials::{Partial, RATE, SECONDS, has_partials};
use percuss::*;
use proptest::prelude::*;
use std::f64::consts::PI;

/// Aborts the test where a step allocates. Checks only with debug assertions, which the test profile has.
#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

/// When the places stand still, and everything that acts on them sets in \[s\].
const ARRIVAL: f64 = 0.01;

fn ramp(from: f64, to: f64) -> Control {
    Control::Breakpoints { time: vec![0.0, ARRIVAL], value: vec![from, to] }
}

/// Sets in after the arrival.
fn later(value: f64) -> Control {
    Control::Breakpoints { time: vec![0.0, 2.0 * ARRIVAL, 3.0 * ARRIVAL], value: vec![0.0, 0.0, value] }
}

fn string(ends: [End; 2]) -> StiffString {
    StiffString { length: 0.65, radius: 5e-4, tension: 91.0, sigma0: 0.5, sigma1: 1e-3, ends, ..StiffString::default() }
}

fn bar(ends: [End; 2]) -> Bar {
    Bar { length: 0.4, thickness: 4e-3, sigma0: 0.5, ends, ..Bar::default() }
}

fn membrane(edges: [Edge; 4]) -> Plate {
    let steel = Plate::steel([0.12, 0.09], 3e-5);
    Plate { tension: 1e4, youngs_modulus: 0.0, sigma0: 2.0, sigma1: 1e-3, edges, ..steel }
}

fn supported_plate() -> Plate {
    Plate { edges: [Edge::SimplySupported; 4], sigma0: 2.0, ..Plate::steel([0.3, 0.2], 2e-3) }
}

fn lines() -> impl Iterator<Item = Element> {
    let kinds = [End::SimplySupported, End::Clamped, End::Free];
    let ends = kinds.into_iter().flat_map(move |left| kinds.map(|right| [left, right]));
    ends.flat_map(|ends| [string(ends).into(), bar(ends).into()])
}

fn surfaces() -> [Element; 4] {
    use Edge::{Clamped as C, Free as F, SimplySupported as S};
    [supported_plate().into(), membrane([S; 4]).into(), membrane([F, C, S, F]).into(), membrane([F; 4]).into()]
}

/// A path over a body, and the place where it ends.
fn path(element: &Element, id: ElementId, [from, to]: [[f64; 2]; 2]) -> (Path, Point) {
    if matches!(element, Element::Plate(_)) {
        (id.over([ramp(from[0], to[0]), ramp(from[1], to[1])]), id.on(to))
    } else {
        (id.along(ramp(from[0], to[0])), id.at(to[0]))
    }
}

/// Adds hands to a model, whose paths are made from two places by the second argument.
type AddHands<'a> = dyn Fn(&mut Model, &dyn Fn([[f64; 2]; 2]) -> Path) + 'a;

/// The velocity at a place after hands have come to theirs, on the way or at once.
fn heard(element: &Element, is_moved: bool, hands: &AddHands<'_>) -> Vec<f64> {
    let mut model = Model::new();
    let id = model.add(element.clone());
    let way = |ends: [[f64; 2]; 2]| {
        let (path, point) = path(element, id, ends);
        if is_moved { path } else { point.into() }
    };
    hands(&mut model, &way);
    let pickup = model.pickup(path(element, id, [[0.5; 2], [0.83, 0.27]]).1, Quantity::Velocity);
    let mut simulation = model.compile(RATE).unwrap();
    assert!(simulation.mode_count(id).is_some(), "it is stepped in its modes");
    let mut signal = vec![0.0; 3000];
    simulation.process(&[pickup], &mut [&mut signal]);
    signal
}

/// Of two signals, by the larger of them.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    let size = other.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    assert!(size > 1e-6, "something is heard: {size:e}");
    one.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size
}

#[test]
fn a_place_that_has_come_to_rest_is_a_point() {
    for element in lines().chain(surfaces()) {
        let hands = |model: &mut Model, way: &dyn Fn([[f64; 2]; 2]) -> Path| {
            model.drive(way([[0.1, 0.9], [0.37, 0.71]]), Drive::Control(later(2.0)));
            let finger = Finger { pressure: later(1.0), stiffness: 1e4, damping: 1.0 };
            model.finger(way([[0.9, 0.1], [0.59, 0.43]]), finger);
        };
        let [moved, still] = [true, false].map(|is_moved| heard(&element, is_moved, &hands));
        let off = difference(&moved, &still);
        assert!(off < 1e-10, "{element:?}: {off:e}");
    }
}

#[test]
fn a_bow_that_has_come_to_rest_is_one_that_never_moved() {
    for element in [string([End::SimplySupported; 2]).into(), bar([End::Free; 2]).into(), supported_plate().into()] {
        let hands = |model: &mut Model, way: &dyn Fn([[f64; 2]; 2]) -> Path| {
            let bow = Bow { force: later(0.5), velocity: later(0.2), ..Bow::default() };
            model.bow(way([[0.5; 2], [0.21, 0.9]]), bow);
        };
        let [moved, still] = [true, false].map(|is_moved| heard(&element, is_moved, &hands));
        // Sticking and slipping amplify rounding.
        let off = difference(&moved[..2000], &still[..2000]);
        assert!(off < 1e-7, "{element:?}: {off:e}");
    }
}

/// As under `percuss play`: hands that may go anywhere and do not touch.
#[test]
fn a_string_under_hands_that_could_move_has_its_partials() {
    let string = StiffString { length: 0.65, tension: 80.0, sigma0: 0.5, sigma1: 2e-5, ..StiffString::default() };
    let mut model = Model::new();
    let id = model.add(string);
    let finger = model.finger(id.at(0.5), Finger { pressure: 0.0.into(), stiffness: 1e3, damping: 1.0 });
    let bow = model.bow(id.at(0.12), Bow { force: 0.0.into(), velocity: 0.15.into(), ..Bow::default() });
    let pulse = Pulse { duration: 5e-5, peak: 10.0, ..Pulse::default() };
    let striker = model.striker(id.at(0.9137), pulse);
    let pickup = model.pickup(id.at(0.8623), Quantity::Velocity);
    let places = [ParamPath::Place(finger, 0), ParamPath::Place(bow, 0), ParamPath::ExciterPlace(striker, 0)];
    let places = places.map(|place| model.expose(place, [0.0, 1.0], 0.01).unwrap());
    let mut simulation = model.compile(RATE).unwrap();
    assert!(places.iter().all(|&place| simulation.set(place, 0.77)) && simulation.set(places[2], 0.9137));
    (0..2000).for_each(|_| simulation.step());
    assert!(simulation.strike(striker, 1.0));
    let mut sound = vec![0.0; (2.5 * SECONDS * RATE) as usize];
    simulation.process(&[pickup], &mut [&mut sound[..]]);
    let string = StiffString { length: 0.65, tension: 80.0, sigma0: 0.5, sigma1: 2e-5, ..StiffString::default() };
    let area = PI * string.radius.powi(2);
    let bending = 0.25 * string.youngs_modulus * area * string.radius.powi(2);
    let partial = |n: u32| {
        let wave = f64::from(n) * PI / string.length;
        let square = wave * wave * (string.tension + bending * wave * wave) / (string.density * area);
        Partial::damped(square.sqrt(), string.sigma0 + string.sigma1 * wave * wave)
    };
    let partials: Vec<_> = (1..).map(partial).take_while(|partial| partial.frequency < 10_000.0).collect();
    has_partials("under hands", &sound, &partials);
}

#[test]
fn blocks_samples_and_resets_agree_to_the_last_bit() {
    for element in lines().chain(surfaces()) {
        let mut model = Model::new();
        let id = model.add(element.clone());
        let way = |ends| path(&element, id, ends).0;
        model.drive(way([[0.1, 0.9], [0.37, 0.71]]), Drive::Control(1.0.into()));
        model.finger(way([[0.9, 0.1], [0.5, 0.4]]), Finger { pressure: 1.0.into(), stiffness: 1e4, damping: 1.0 });
        model.bow(way([[0.2, 0.9], [0.7, 0.8]]), Bow { force: 0.5.into(), velocity: 0.2.into(), ..Bow::default() });
        let pickup = model.pickup(path(&element, id, [[0.5; 2], [0.83, 0.27]]).1, Quantity::Velocity);
        let mut simulation = model.compile(RATE).unwrap();
        assert!(simulation.mode_count(id).is_some(), "it is stepped in its modes");
        let (mut whole, mut blocks) = (vec![0.0; 1000], vec![0.0; 1000]);
        simulation.process(&[pickup], &mut [&mut whole]);
        simulation.reset();
        blocks.chunks_mut(77).for_each(|block| _ = simulation.process(&[pickup], &mut [block]));
        let mut copy = simulation.clone();
        copy.open_ledger();
        copy.reset();
        let singles = (0..1000).map(|_| {
            copy.step();
            copy.read(pickup)
        });
        let bits = |signal: &[f64]| signal.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert!(whole.iter().any(|x| x.abs() > 1e-6));
        assert_eq!(bits(&whole), bits(&blocks), "in blocks after a reset: {element:?}");
        assert_eq!(bits(&whole), bits(&singles.collect::<Vec<_>>()), "sample by sample: {element:?}");
    }
}

/// From place to place within a few hundredths of a second, over the ends too.
fn journey() -> impl Strategy<Value = Control> {
    let place = || prop_oneof![1 => Just(0.0), 1 => Just(1.0), 6 => 0.0..1.0];
    prop::collection::vec((1e-4..1e-2, place()), 1..6).prop_map(|points| {
        let time = points.iter().scan(0.0, |time, point| Some(std::mem::replace(time, *time + point.0))).collect();
        Control::Breakpoints { time, value: points.iter().map(|point| point.1).collect() }
    })
}

/// Which body, and what moves over it.
#[derive(Clone, Debug)]
enum Hand {
    Finger(Finger),
    Bow(Bow),
    Drive(f64),
}

fn hand() -> impl Strategy<Value = Hand> {
    let finger = (10.0..1e5_f64, 0.0..5.0).prop_map(|(stiffness, damping)| {
        let pressure = Control::Breakpoints { time: vec![0.0, 4e-3, 1.2e-2], value: vec![0.0, 1.0, 0.1] };
        Hand::Finger(Finger { pressure, stiffness, damping })
    });
    let bow = (0.1..3.0_f64, -0.3..0.3_f64).prop_map(|(force, velocity)| {
        Hand::Bow(Bow { force: force.into(), velocity: velocity.into(), ..Bow::default() })
    });
    prop_oneof![finger, bow, (-5.0..5.0_f64).prop_map(Hand::Drive)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Hands on two bodies that a collision and a spring join, each on its own way.
    #[test]
    fn the_account_closes_in_every_step_while_hands_move(
        bodies in [0..22_usize, 0..22_usize],
        hands in prop::collection::vec((0..2_usize, [journey(), journey()], hand()), 1..5),
        places in [[0.1..0.9, 0.1..0.9_f64], [0.1..0.9, 0.1..0.9_f64]],
    ) {
        let all: Vec<Element> = lines().chain(surfaces()).collect();
        let mut model = Model::new();
        let ids = bodies.map(|body| model.add(all[body].clone()));
        let is_plate = |body: usize| matches!(all[bodies[body]], Element::Plate(_));
        let point = |body: usize, at: [f64; 2]| if is_plate(body) { ids[body].on(at) } else { ids[body].at(at[0]) };
        model.collide(point(0, places[0]), point(1, places[0]), Collision { stiffness: 1e7, exponent: 1.5, loss: 0.1, gap: 1e-5 });
        model.spring(point(0, places[1]), point(1, places[1]), Spring { stiffness: 1e3, damping: 0.1, ..Spring::default() });
        for (body, [x, y], hand) in hands {
            let way = if is_plate(body) { ids[body].over([x, y]) } else { ids[body].along(x) };
            match hand {
                Hand::Finger(finger) => _ = model.finger(way, finger),
                Hand::Bow(bow) => _ = model.bow(way, bow),
                Hand::Drive(force) => _ = model.drive(way, Drive::Control(force.into())),
            }
        }
        model.pulse(point(0, places[1]), Pulse { peak: 5.0, ..Pulse::default() });
        let mut simulation = match model.compile(RATE) {
            Ok(simulation) => simulation,
            // A journey from an end to the same end.
            Err(CompileError::Immovable { .. }) => return Ok(()),
            Err(error) => panic!("{error}"),
        };
        prop_assert!(ids.iter().all(|&id| simulation.mode_count(id).is_some()));
        simulation.open_ledger();
        let mut worst = 0.0_f64;
        assert_no_alloc(|| {
            for _ in 0..1500 {
                simulation.step();
                worst = worst.max(simulation.ledger().map_or(f64::NAN, |ledger| ledger.total.worst_relative));
            }
        });
        let ledger = simulation.ledger().unwrap();
        prop_assert!(worst <= 1e-12, "{:?}", ledger.total);
        prop_assert!(ledger.elements.iter().all(|account| account.worst_residual <= 1e-12 * ledger.total.scale));
        prop_assert!(ledger.interactions.iter().all(|account| account.worst_residual <= 1e-12 * ledger.total.scale));
    }
}
