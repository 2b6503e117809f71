//! Playing: whatever is set while a scene sounds, at whatever moment, the account closes, nothing allocates, and what is
//! not finite is stopped at the door.

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss::*;
use proptest::prelude::*;

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 44_100.0;
const GLIDE: f64 = 2e-3;

/// A model in which everything that can be played is, and its strikers.
struct PlayedModel {
    model: Model,
    params: Vec<(ParamId, [f64; 2])>,
    strikers: Vec<ExciterId>,
}

fn touch(region: Region) -> Touch {
    Touch { region, pressure: 0.2.into(), mass: 3.0, stiffness: 1e5, damping: 60.0 }
}

fn bow(friction: Friction) -> Bow {
    Bow { force: 0.3.into(), velocity: 0.1.into(), friction }
}

fn played() -> PlayedModel {
    let mut model = Model::new();
    let string = model.add(StiffString { length: 0.8, tension: 120.0, ..StiffString::steel(4e-4) });
    let circle = Region::Circle { centre: [0.3.into(), 0.4.into()], radius: 0.03.into() };
    let square = Region::Rectangle { centre: [0.6.into(), 0.4.into()], size: [0.03.into(), 0.05.into()] };
    let water = Region::HalfPlane { direction: [1.0, 1.0], level: 0.2.into() };
    let touches = [circle, square, water].map(touch).to_vec();
    let plate = model.add(Plate { touches, control_interval: 32, ..Plate::steel([0.2, 0.15], 2e-3) });
    let disc = model.add(Plate { outline: Outline::Disc, ..Plate::steel([0.2, 0.2], 2e-3) });
    let anvil = model.add(Barrier::at(-1e-3));
    model.collide(anvil.point(), string.at(0.4), Collision { stiffness: 1e6, exponent: 1.3, loss: 0.2, gap: 0.0 });
    let bristle =
        Friction::Bristle { sliding: 0.3, sticking: 0.8, velocity: 0.1, stiffness: 1e4, damping: 0.1, viscous: 0.0 };
    let bows = [model.bow(string.at(0.2), bow(Friction::default())), model.bow(plate.on([0.05, 0.5]), bow(bristle))];
    let fingers =
        [model.finger(string.at(0.5), Finger::default()), model.finger(disc.on([0.5, 0.4]), Finger::default())];
    let strongest = Pulse { peak: 5.0, duration: 1e-3, ..Pulse::default() };
    let strikers = vec![model.striker(string.at(0.7), strongest), model.striker(disc.on([0.4, 0.7]), strongest)];
    let drive = model.drive(plate.on([0.5, 0.5]), Drive::Control(0.0.into()));

    let mut paths = vec![(ParamPath::Height(anvil), [-2e-3, 1e-3]), (ParamPath::Drive(drive), [-2.0, 2.0])];
    for bow in bows {
        paths.extend([(ParamPath::Force(bow), [0.0, 2.0]), (ParamPath::Velocity(bow), [-1.0, 1.0])]);
    }
    paths.extend(fingers.map(|finger| (ParamPath::Pressure(finger), [0.0, 1.0])));
    let unit = [0.0, 1.0];
    paths.extend([(bows[0], 0), (bows[1], 0), (bows[1], 1)].map(|(bow, axis)| (ParamPath::Place(bow, axis), unit)));
    paths.extend(
        [(fingers[0], 0), (fingers[1], 0), (fingers[1], 1)].map(|(hand, axis)| (ParamPath::Place(hand, axis), unit)),
    );
    paths.extend([(0, 0), (1, 0), (1, 1)].map(|(index, axis)| (ParamPath::ExciterPlace(strikers[index], axis), unit)));
    for index in 0..3 {
        paths.push((ParamPath::Touch(plate, index, TouchParam::Pressure), unit));
    }
    for index in 0..2 {
        paths.extend([0, 1].map(|axis| (ParamPath::Touch(plate, index, TouchParam::Centre(axis)), unit)));
        paths.push((ParamPath::Touch(plate, 1, TouchParam::Side(index)), [0.0, 0.1]));
    }
    paths.push((ParamPath::Touch(plate, 0, TouchParam::Radius), [0.0, 0.1]));
    paths.push((ParamPath::Touch(plate, 2, TouchParam::Level), unit));
    let params = paths
        .into_iter()
        .map(|(path, range)| (model.expose(path, range, GLIDE).expect("an exposed path"), range))
        .collect();
    PlayedModel { model, params, strikers }
}

/// Something a player does: after so many samples, to one of the params or strikers, how much.
type Event = (usize, prop::sample::Index, f64);

fn events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec((0_usize..60, any::<prop::sample::Index>(), -0.2..1.2), 20..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn energy_is_conserved_whatever_is_played(events in events()) {
        let PlayedModel { model, params, strikers } = played();
        let mut sim = model.compile(RATE).unwrap();
        sim.open_ledger();
        for (wait, which, amount) in events {
            assert_no_alloc(|| {
                (0..wait).for_each(|_| sim.step());
                let which = which.index(params.len() + strikers.len());
                match params.get(which) {
                    Some(&(param, [least, most])) => assert!(sim.set(param, least + amount * (most - least))),
                    None => assert!(sim.strike(strikers[which - params.len()], amount)),
                }
            });
        }
        let total = sim.ledger().unwrap().total;
        prop_assert!(total.supplied != 0.0 && total.stored.is_finite());
        prop_assert!(total.worst_relative <= 1e-12, "residual {:e} of the energy", total.worst_relative);
    }
}

#[test]
fn every_param_and_striker_moves_its_element() {
    let PlayedModel { model, params, strikers } = played();
    let sim = model.compile(RATE).unwrap();
    let run = |mut sim: Simulation| {
        sim.open_ledger();
        (0..2000).for_each(|_| sim.step());
        let ledger = sim.ledger().unwrap();
        ledger.elements.iter().map(|account| account.stored).collect::<Vec<_>>()
    };
    // Something has to sound for a touch, a finger or a place to matter.
    let mut struck = sim.clone();
    strikers.iter().for_each(|&striker| assert!(struck.strike(striker, 0.5)));
    let (drive, _) = params[1];
    assert!(struck.set(drive, 0.5));
    let before = run(struck.clone());
    for (param, [least, most]) in params {
        let mut sim = struck.clone();
        let now = sim.param(param).unwrap();
        let value = if most - now > now - least { 0.25 * now + 0.75 * most } else { 0.25 * now + 0.75 * least };
        assert!(sim.set(param, value));
        assert_ne!(run(sim), before, "param {} changes nothing", param.index());
    }
    for striker in strikers {
        let mut sim = struck.clone();
        assert!(sim.strike(striker, -0.5));
        assert_ne!(run(sim), before, "striker {} changes nothing", striker.index());
    }
}

#[test]
fn values_that_are_not_finite_and_unknown_ids_are_refused() {
    let PlayedModel { model, params, strikers } = played();
    let mut sim = model.compile(RATE).unwrap();
    let untouched = sim.clone();
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(params.iter().all(|&(param, _)| !sim.set(param, wrong)));
        assert!(strikers.iter().all(|&striker| !sim.strike(striker, wrong)));
    }
    let mut other = Model::new();
    let mass = other.add(Mass::default());
    let foreign = other.striker(mass.point(), Pulse::default());
    assert!(other.compile(RATE).unwrap().strike(foreign, 1.0));
    let elsewhere = (0..99).map(|_| other.striker(mass.point(), Pulse::default())).last().unwrap();
    assert!(!sim.strike(elsewhere, 1.0));
    assert_eq!(format!("{sim:?}"), format!("{untouched:?}"), "and leaves no trace");
}

#[test]
fn a_model_without_such_a_value_hands_nothing_over() {
    let mut bare = Model::new();
    let mass = bare.add(Mass::default());
    assert_eq!(bare.expose(ParamPath::Height(mass), [0.0, 1.0], 0.0), None);
    let string = bare.add(StiffString::steel(5e-4));
    let finger = bare.finger(string.at(0.5), Finger::default());
    assert_eq!(bare.expose(ParamPath::Force(finger), [0.0, 1.0], 0.0), None);
    assert_eq!(bare.expose(ParamPath::Place(finger, 1), [0.0, 1.0], 0.0), None);
    let pulse = bare.pulse(mass.point(), Pulse::default());
    assert_eq!(bare.expose(ParamPath::Drive(pulse), [0.0, 1.0], 0.0), None);
    let place = bare.expose(ParamPath::Place(finger, 0), [0.0, 1.0], 0.0);
    assert_eq!(bare.expose(ParamPath::Place(finger, 0), [0.0, 1.0], 0.0), place, "played once is played");
}

#[test]
fn a_range_beyond_what_the_law_allows_is_refused_before_it_runs() {
    let mut model = Model::new();
    let string = model.add(StiffString::steel(5e-4));
    let bow = model.bow(string.at(0.2), Bow::default());
    let refused = |path, range, glide| {
        let mut model = model.clone();
        model.expose(path, range, glide).unwrap();
        assert!(matches!(model.compile(RATE), Err(CompileError::Parameter { .. })), "{path:?} {range:?} {glide}");
    };
    refused(ParamPath::Force(bow), [-1.0, 1.0], 0.0);
    refused(ParamPath::Place(bow, 0), [0.0, 1.1], 0.0);
    refused(ParamPath::Velocity(bow), [1.0, -1.0], 0.0);
    refused(ParamPath::Velocity(bow), [f64::NAN, 1.0], 0.0);
    refused(ParamPath::Velocity(bow), [0.0, 1.0], -1.0);
}

#[test]
fn a_reset_forgets_what_was_played() {
    let PlayedModel { model, params, strikers } = played();
    let mut sim = model.compile(RATE).unwrap();
    params.iter().for_each(|&(param, [least, most])| assert!(sim.set(param, 0.3 * least + 0.7 * most)));
    strikers.iter().for_each(|&striker| assert!(sim.strike(striker, 1.0)));
    (0..500).for_each(|_| sim.step());
    sim.reset();
    let mut fresh = model.compile(RATE).unwrap();
    for _ in 0..500 {
        sim.step();
        fresh.step();
    }
    for element in 0..model.elements().len() {
        let stored = |sim: &mut Simulation| {
            sim.open_ledger();
            sim.ledger().unwrap().elements[element].stored.to_bits()
        };
        assert_eq!(stored(&mut sim), stored(&mut fresh), "element {element}");
    }
}
