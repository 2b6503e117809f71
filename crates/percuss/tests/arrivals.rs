//! Masses that come and go: they enter with the energy that they have, which is supplied, and are not there before and after.

use percuss::*;

const RATE: f64 = 44_100.0;

/// A mallet that strikes a rigid wall from below or above, and its contact.
fn wall_blows(mallet: Mallet, law: impl Into<Law>, from_below: bool) -> (Simulation, ElementId, InteractionId) {
    let mut model = Model::new();
    let wall = model.add(Barrier::at(0.02)).point();
    let mallet = model.add(mallet);
    let [below, above] = if from_below { [mallet.point(), wall] } else { [wall, mallet.point()] };
    let contact = model.interact(below, above, law);
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    (simulation, mallet, contact)
}

fn run(simulation: &mut Simulation, until: f64) {
    while (simulation.steps() as f64) < until * RATE {
        simulation.step();
    }
}

#[test]
fn a_mallet_arrives_on_time_with_its_energy_and_takes_what_is_left_away() {
    for from_below in [true, false] {
        for (loss, speed) in [(0.0, 1.0), (0.5, 1.0), (0.5, 4.0)] {
            let time = 0.010_013;
            let blows = vec![Blow { time, speed }];
            let law = Collision { stiffness: 1e8, loss, ..Collision::default() };
            let (mut simulation, mallet, contact) =
                wall_blows(Mallet { mass: 0.02, blows, retreat: 1e-3 }, law, from_below);
            run(&mut simulation, time - 1.0 / RATE);
            assert_eq!(simulation.ledger().unwrap().total.supplied, 0.0);
            assert_eq!(simulation.force(contact), 0.0);
            let mut first_force = None;
            while simulation.force(contact) == 0.0 && simulation.steps() < 4410 {
                simulation.step();
                first_force = Some(simulation.steps() as f64 / RATE);
            }
            let delay = (first_force.unwrap() - time) * RATE;
            assert!((0.0..=3.0).contains(&delay), "strikes {delay} samples late");
            let brought = 0.5 * 0.02 * speed * speed;
            let total = simulation.ledger().unwrap().total;
            assert!((total.supplied / brought - 1.0).abs() < 1e-12, "{total:?}");
            // Gone after the time it takes to rebound and go back a millimetre.
            run(&mut simulation, 0.1);
            let ledger = simulation.ledger().unwrap();
            assert_eq!(ledger.elements[mallet.index()].stored, 0.0);
            assert!(ledger.total.worst_relative < 1e-13 && ledger.total.stored == 0.0, "{:?}", ledger.total);
            // What is lost is known in closed form; the rest is taken away.
            let lost = impact::Impact::new(0.02, 1e8, 1.5, loss, speed).unwrap().dissipated_energy();
            assert!((ledger.total.dissipated - lost).abs() < 1e-10 * brought, "{:?}, {lost}", ledger.total);
            assert!((ledger.total.supplied - lost).abs() < 1e-10 * brought, "{:?}, {lost}", ledger.total);
            assert_eq!(ledger.interactions[contact.index()].hits, 1);
        }
    }
}

#[test]
fn every_blow_of_a_mallet_has_its_speed() {
    let blows = [(0.0, 0.5), (0.05, 1.0), (0.1, 2.0)].map(|(time, speed)| Blow { time, speed });
    let (mut simulation, _, contact) =
        wall_blows(Mallet { blows: blows.to_vec(), ..Mallet::default() }, Collision::default(), false);
    let mut impulses = Vec::new();
    for until in [0.05, 0.1, 0.15] {
        run(&mut simulation, until);
        impulses.push(simulation.ledger().unwrap().interactions[contact.index()].impulse);
    }
    assert_eq!(simulation.ledger().unwrap().interactions[contact.index()].hits, 3);
    for (blow, impulse) in [0.5, 1.5, 3.5].into_iter().zip(&impulses) {
        // Twice the momentum of all blows so far.
        assert!((impulse / (2.0 * 0.01 * blow) - 1.0).abs() < 1e-9, "{impulses:?}");
    }
}

#[test]
fn a_blow_before_the_last_is_over_replaces_it() {
    // Between two blows 1 ms apart the mallet flies back by 1 mm, less than its retreat.
    let blows = (0..5).map(|n| Blow { time: 1e-3 * f64::from(n), speed: 1.0 }).collect();
    let (mut simulation, mallet, contact) =
        wall_blows(Mallet { blows, ..Mallet::default() }, Collision::default(), true);
    run(&mut simulation, 0.1);
    let ledger = simulation.ledger().unwrap();
    assert_eq!(ledger.interactions[contact.index()].hits, 5);
    assert!(ledger.total.worst_relative < 1e-13);
    assert_eq!(ledger.elements[mallet.index()].stored, 0.0);
}

/// A mass on a damped spring under gravity that bounces on a floor.
fn bouncer(start: f64) -> Mass {
    let thrown = Mass { mass: 0.02, position: 0.01, velocity: -0.7, start, ..Mass::default() };
    Mass { frequency: 3.0, damping: 1.0, gravity: 9.81, ..thrown }
}

#[test]
fn a_late_mass_moves_as_one_that_was_there_from_the_start() {
    let bounce = |start: f64| {
        let mut model = Model::new();
        let mass = model.add(bouncer(start));
        let floor = model.add(Barrier::at(0.0));
        model.collide(floor.point(), mass.point(), Collision { stiffness: 1e7, loss: 0.3, ..Collision::default() });
        let read = model.pickup(mass.point(), Quantity::Displacement);
        (model.compile(RATE).unwrap(), read)
    };
    let (mut reference, read) = bounce(0.0);
    let (mut late, read_late) = bounce(1000.0 / RATE);
    late.open_ledger();
    for _ in 0..1000 {
        assert_eq!(late.read(read_late), 0.01);
        late.step();
    }
    assert_eq!(late.ledger().unwrap().total.supplied, 0.0);
    for n in 0..20_000 {
        reference.step();
        late.step();
        let [expected, found] = [reference.read(read), late.read(read_late)];
        // The start is second-order accurate, not the same to rounding.
        assert!((expected - found).abs() < 1e-6, "step {n}: {found}, not {expected}");
    }
    let total = late.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-13, "{total:?}");
    let mass = bouncer(0.0);
    let (potential, kinetic) = (0.02 * 9.81 * 0.01, 0.5 * 0.02 * 0.49);
    let spring = 0.5 * 0.02 * (std::f64::consts::TAU * mass.frequency).powi(2) * 1e-4;
    assert!((total.supplied - potential - kinetic - spring).abs() < 1e-3 * total.supplied, "{total:?}");
}

#[test]
fn nothing_acts_on_a_mass_that_is_not_there_and_it_acts_on_nothing() {
    let scene = |has_mass: bool| {
        let mut model = Model::new();
        let string = model.add(StiffString::steel(0.4e-3));
        let read = model.pickup(string.at(0.3), Quantity::Velocity);
        model.pluck(string.at(0.2), Pluck::default());
        let mut mass = None;
        if has_mass {
            let own = model.add(Mass { mass: 0.02, position: 1e-3, gravity: 9.81, start: 0.2, ..Mass::default() });
            model.collide(own.point(), string.at(0.7), Collision { gap: -0.01, ..Collision::default() });
            model.spring(own.point(), string.at(0.6), Spring { gap: 0.02, ..Spring::default() });
            model.damper(own.point(), string.at(0.5), Damper { resistance: 3.0 });
            model.bow(own.point(), Bow { velocity: 0.3.into(), ..Bow::default() });
            model.finger(own.point(), Finger::default());
            model.drive(own.point(), Drive::Control(5.0.into()));
            mass = Some(own);
        }
        (model, read, mass)
    };
    for scheme in [Scheme::Plain, Scheme::Tracked, Scheme::Newton] {
        let [mut alone, mut with] = [false, true].map(|has_mass| {
            let (mut model, read, mass) = scene(has_mass);
            model.scheme = scheme;
            (model.compile(RATE).unwrap(), read, mass)
        });
        with.0.open_ledger();
        let mass = with.2.unwrap();
        for n in 0..(0.2 * RATE) as usize {
            let [expected, found] = [alone.0.read(alone.1), with.0.read(with.1)];
            assert!((expected - found).abs() < 1e-12, "{scheme:?}, step {n}: {found}, not {expected}");
            assert_eq!(with.0.displacement(mass, 0), 1e-3, "{scheme:?}, step {n}");
            alone.0.step();
            with.0.step();
        }
        for _ in 0..4410 {
            with.0.step();
        }
        assert_ne!(with.0.displacement(mass, 0), 1e-3);
        assert!(with.0.ledger().unwrap().total.worst_relative < 1e-11, "{:?}", with.0.ledger().unwrap().total);
    }
}

#[test]
fn after_a_reset_everything_comes_again() {
    let mut model = Model::new();
    let string = model.add(StiffString::steel(0.4e-3));
    let blows = [0.0, 0.01].map(|time| Blow { time, speed: 1.5 }).to_vec();
    let mallet = model.add(Mallet { blows, ..Mallet::default() });
    let late = model.add(Mass { start: 0.005, velocity: 0.5, position: -1e-3, ..Mass::default() });
    model.collide(mallet.point(), string.at(0.12), Collision::default());
    model.collide(late.point(), string.at(0.6), Collision::default());
    let read = model.pickup(string.at(0.3), Quantity::Velocity);
    let mut simulation = model.compile(RATE).unwrap();
    simulation.open_ledger();
    let mut sound = || {
        let samples: Vec<f64> = (0..2000)
            .map(|_| {
                simulation.step();
                simulation.read(read)
            })
            .collect();
        let ledger = simulation.ledger().unwrap().clone();
        simulation.reset();
        (samples, ledger)
    };
    let (first, second) = (sound(), sound());
    assert!(first.0.iter().any(|sample| sample.abs() > 0.1));
    assert!(first == second);
}

#[test]
fn a_mallet_has_one_contact_and_blows_in_order() {
    let error = |mallet: Mallet, contacts: usize| {
        let mut model = Model::new();
        let string = model.add(StiffString::default());
        let own = model.add(mallet);
        (0..contacts).for_each(|n| {
            model.collide(own.point(), string.at(0.2 + 0.1 * n as f64), Collision::default());
        });
        model.compile(RATE).map(drop)
    };
    assert_eq!(error(Mallet::default(), 1), Ok(()));
    for contacts in [0, 2] {
        assert!(matches!(error(Mallet::default(), contacts), Err(CompileError::Place { .. })));
    }
    let mallets = [
        Mallet { mass: 0.0, ..Mallet::default() },
        Mallet { mass: f64::NAN, ..Mallet::default() },
        Mallet { retreat: -1.0, ..Mallet::default() },
        Mallet { retreat: f64::NAN, ..Mallet::default() },
        Mallet { blows: Vec::new(), ..Mallet::default() },
        Mallet { blows: vec![Blow { time: -1.0, speed: 1.0 }], ..Mallet::default() },
        Mallet { blows: vec![Blow { time: f64::NAN, speed: 1.0 }], ..Mallet::default() },
        Mallet { blows: vec![Blow { time: 0.0, speed: 0.0 }], ..Mallet::default() },
        Mallet { blows: vec![Blow { time: 0.0, speed: f64::INFINITY }], ..Mallet::default() },
        Mallet { blows: [1.0, 1.0].map(|time| Blow { time, speed: 1.0 }).to_vec(), ..Mallet::default() },
    ];
    for mallet in mallets {
        let found = error(mallet.clone(), 1);
        assert!(matches!(found, Err(CompileError::Parameter { .. })), "{mallet:?}: {found:?}");
    }
    let mut model = Model::new();
    let string = model.add(StiffString::default());
    let own = model.add(Mallet::default());
    model.spring(own.point(), string.at(0.2), Spring::default());
    assert!(matches!(model.compile(RATE), Err(CompileError::Place { .. })), "a spring is two-sided");
}

#[test]
fn what_is_wrong_with_a_pluck_is_refused() {
    let compiles = |pluck: Pluck| {
        let mut model = Model::new();
        let string = model.add(StiffString::default());
        model.pluck(string.at(0.3), pluck);
        model.compile(RATE).is_ok()
    };
    assert!(compiles(Pluck::default()));
    for wrong in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(!compiles(Pluck { time: wrong, ..Pluck::default() }));
        assert!(!compiles(Pluck { duration: wrong, ..Pluck::default() }));
        assert!(!compiles(Pluck { release: wrong, ..Pluck::default() }));
        assert!(wrong == -1.0 || !compiles(Pluck { force: wrong, ..Pluck::default() }));
    }
    assert!(!compiles(Pluck { duration: 0.0, ..Pluck::default() }));
    assert!(!compiles(Pluck { release: 0.0, ..Pluck::default() }));
}

#[test]
fn a_pluck_pulls_and_lets_go() {
    let pluck = Pluck { time: 1.0, duration: 0.1, release: 0.01, force: -2.0 };
    for (t, expected) in [(0.0, 0.0), (1.0, 0.0), (1.05, -1.0), (1.1, -2.0), (1.105, -1.0), (1.11, 0.0), (2.0, 0.0)] {
        assert!((pluck.force(t) - expected).abs() < 1e-9, "at {t} s: {}", pluck.force(t));
    }
    assert!((pluck.end() - 1.11).abs() < 1e-12);
    // A slow pull displaces a string as a force at rest does.
    let mut model = Model::new();
    let flexible = StiffString { youngs_modulus: 0.0, sigma0: 20.0, ..StiffString::default() };
    let string = model.add(flexible);
    model.pluck(string.at(0.25), Pluck { time: 0.0, duration: 0.5, release: 1e-4, force: 2.0 });
    let read = model.pickup(string.at(0.25), Quantity::Displacement);
    let mut simulation = model.compile(RATE).unwrap();
    (0..22_050).for_each(|_| simulation.step());
    let expected = 2.0 * 0.25 * 0.75 / 100.0;
    assert!((simulation.read(read) / expected - 1.0).abs() < 0.01, "{} m, not {expected}", simulation.read(read));
}

/// A mass that enters under strain brings energy, which counts for the limit of stiffening springs (found by the search).
#[test]
fn the_strain_with_which_a_mass_enters_counts_for_the_limit_of_springs() {
    let compile = |height: f64| {
        let mut model = Model::new();
        let [late, other] = [3e-3, 0.0].map(|start| model.add(Mass { mass: 0.01, start, ..Mass::default() }));
        let wall = model.add(Barrier::at(height));
        model.connect(late.point(), wall.point(), Connection { stiffness: 1e8, ..Connection::default() });
        model.spring(late.point(), other.point(), Spring { stiffness: 0.0, cubic: 1e12, ..Spring::default() });
        model.compile(44_100.0)
    };
    assert!(compile(1e-4).is_ok());
    assert!(matches!(compile(10.0), Err(CompileError::TooStiff { .. })));
}

#[test]
fn a_blow_that_is_asked_for_strikes_at_once_with_its_speed_and_energy() {
    let waits = Mallet { blows: vec![Blow { time: f64::INFINITY, speed: 3.0 }], ..Mallet::default() };
    for (asked, speed) in [(0.7, 0.7), (3.0, 3.0), (50.0, 3.0)] {
        let (mut simulation, mallet, contact) = wall_blows(waits.clone(), Collision::default(), true);
        run(&mut simulation, 0.05);
        assert_eq!(simulation.ledger().unwrap().total.supplied, 0.0, "it does not strike by itself");
        for refused in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(!simulation.blow(mallet, refused), "{refused}");
        }
        assert!(simulation.blow(mallet, asked));
        simulation.step();
        let brought = 0.5 * 0.01 * speed * speed;
        assert!((simulation.ledger().unwrap().total.supplied / brought - 1.0).abs() < 1e-12, "{asked}");
        run(&mut simulation, 0.3);
        let ledger = simulation.ledger().unwrap();
        let impulse = ledger.interactions[contact.index()].impulse;
        assert!((impulse / (2.0 * 0.01 * speed) - 1.0).abs() < 1e-9, "{asked}: {impulse}");
        assert!(ledger.total.worst_relative < 1e-13 && ledger.total.stored == 0.0, "{:?}", ledger.total);
        simulation.reset();
        run(&mut simulation, 0.05);
        assert_eq!(simulation.ledger().unwrap().total.supplied, 0.0, "a reset forgets it");
    }
}

#[test]
fn only_mallets_of_the_model_strike() {
    let (mut simulation, ..) = wall_blows(Mallet::default(), Collision::default(), true);
    let mut other = Model::new();
    let (mass, mallet) = (other.add(Mass::default()), other.add(Mallet::default()));
    assert!(!simulation.blow(mass, 1.0) && !simulation.blow(mallet, 1.0));
}

#[test]
fn a_plucker_plucks_as_a_pluck_does() {
    let string = |model: &mut Model| model.add(StiffString { length: 0.6, tension: 80.0, ..StiffString::steel(2e-4) });
    let pluck = Pluck { time: 0.0, duration: 3e-3, release: 0.3e-3, force: 2.0 };
    let (mut plucked, mut live) = (Model::new(), Model::new());
    let own = string(&mut plucked);
    plucked.pluck(own.at(0.2), Pluck { force: 0.5 * pluck.force, ..pluck });
    let expected = plucked.pickup(own.at(0.7), Quantity::Velocity);
    let own = string(&mut live);
    let plucker = live.plucker(own.at(0.2), pluck);
    let found = live.pickup(own.at(0.7), Quantity::Velocity);
    let (mut plucked, mut live) = (plucked.compile(RATE).unwrap(), live.compile(RATE).unwrap());
    assert!(live.strike(plucker, 0.5));
    for step in 0..4000 {
        plucked.step();
        live.step();
        assert_eq!(live.read(found), plucked.read(expected), "step {step}");
    }
}
