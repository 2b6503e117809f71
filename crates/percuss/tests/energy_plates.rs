//! Energy: plates with every kind of edge, under touches that move, with everything else in a scene on them.

mod plates;

use percuss::*;
use plates::{EDGES, plate, round};
use proptest::prelude::*;

/// A plate that is struck, collides with a mass under it, carries a spring and a string, and is listened to.
fn busy(plate: Plate, scheme: Scheme) -> Model {
    let mut model = Model::new();
    model.scheme = scheme;
    let plate = model.add(plate);
    let mass = model.add(Mass { mass: 0.01, velocity: 1.0, position: -1e-4, ..Mass::default() });
    let string = model.add(StiffString { grid: Some(20), ..StiffString::default() });
    model.collide(mass.point(), plate.on([0.42, 0.57]), Collision { loss: 0.2, ..Collision::default() });
    model.connect(
        plate.on([0.61, 0.35]),
        string.at(0.4),
        Connection { stiffness: 1e7, exponent: 1.5, play: 1e-5, gap: 0.0 },
    );
    model.spring(plate.on([0.3, 0.3]), string.at(0.7), Spring { stiffness: 1e3, cubic: 1e9, damping: 0.1, gap: 0.0 });
    model.pulse(plate.on([0.7, 0.6]), Pulse { peak: 5.0, duration: 2e-3, ..Pulse::default() });
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn account_closes_while_touches_move(plate in plate(), is_round in any::<bool>(), plain in any::<bool>()) {
        let plate = if is_round { round(plate) } else { plate };
        let scheme = if plain { Scheme::Plain } else { Scheme::Tracked };
        let mut simulation = busy(plate, scheme).compile(44_100.0).unwrap();
        simulation.open_ledger();
        for _ in 0..800 {
            simulation.step();
        }
        let ledger = simulation.ledger().unwrap();
        prop_assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
        let whole = ledger.total.scale;
        prop_assert!(ledger.elements.iter().all(|account| account.worst_residual < 1e-12 * whole));
        if !plain {
            prop_assert!(ledger.interactions.iter().all(|contact| contact.adhesive_impulse <= 1e-9 * contact.impulse));
        }
    }
}

#[test]
fn touches_do_work_when_they_change_and_none_when_they_rest() {
    let pressed = |value: Vec<f64>| {
        let time = (0..value.len()).map(|i| 0.05 * i as f64).collect();
        let touch = Touch {
            region: Region::Circle { centre: [0.3.into(), 0.5.into()], radius: 0.04.into() },
            pressure: Control::Breakpoints { time, value },
            mass: 7.2,
            stiffness: 1e6,
            damping: 0.0,
        };
        let plate = Plate { touches: vec![touch], ..Plate::steel([0.2, 0.2], 2e-3) };
        let mut model = Model::new();
        let plate = model.add(plate);
        model.pulse(plate.on([0.8, 0.8]), Pulse { peak: 20.0, ..Pulse::default() });
        let mut simulation = model.compile(44_100.0).unwrap();
        simulation.open_ledger();
        (0..6000).for_each(|_| simulation.step());
        simulation.ledger().unwrap().total
    };
    assert!(pressed(vec![0.0, 1.0, 0.0]).touch_work.abs() > 1e-9);
    assert!(pressed(vec![0.5]).touch_work.abs() < 1e-18);
}

/// H_c and Q_c of the touches are parts of what is stored and dissipated.
#[test]
fn touches_store_and_lose_their_part() {
    let run = |touch: Touch, sigma: f64, check: &dyn Fn(Total)| {
        let plate = Plate {
            touches: vec![touch],
            sigma0: sigma,
            sigma1: 0.0,
            method: Method::Grid,
            ..Plate::steel([0.2, 0.2], 2e-3)
        };
        let mut model = Model::new();
        let plate = model.add(plate);
        model.pulse(plate.on([0.8, 0.8]), Pulse { peak: 20.0, ..Pulse::default() });
        let mut simulation = model.compile(44_100.0).unwrap();
        simulation.open_ledger();
        for _ in 0..3000 {
            simulation.step();
            check(simulation.ledger().unwrap().total);
        }
        let ledger = simulation.ledger().unwrap();
        let account = ledger.elements[0];
        assert_eq!(
            [account.touch_stored, account.touch_dissipated],
            [ledger.total.touch_stored, ledger.total.touch_dissipated]
        );
        ledger.total
    };
    let hand = |pressure: f64, damping: f64, stiffness: f64| Touch {
        region: Region::Circle { centre: [0.3.into(), 0.5.into()], radius: 0.04.into() },
        pressure: pressure.into(),
        mass: 7.2,
        stiffness,
        damping,
    };
    let parts = |total: Total| assert!(total.touch_stored >= 0.0 && total.touch_stored <= total.stored * (1.0 + 1e-12));
    // Without damping of its own the plate loses energy in the touch alone.
    let damped = run(hand(1.0, 200.0, 1e6), 0.0, &parts);
    assert!(damped.touch_dissipated > 1e-9);
    assert!((damped.touch_dissipated / damped.dissipated - 1.0).abs() < 1e-12, "{damped:?}");
    // Without that of the touch nothing is lost in it, where the plate has none to give to its mass.
    let elastic = run(hand(1.0, 0.0, 1e6), 0.0, &parts);
    assert!(elastic.touch_dissipated == 0.0 && elastic.touch_stored > 0.0, "{elastic:?}");
    let lifted = run(hand(0.0, 200.0, 1e6), 1.0, &parts);
    assert!(lifted.touch_stored == 0.0 && lifted.touch_dissipated == 0.0 && lifted.dissipated > 0.0, "{lifted:?}");
}

#[test]
fn plates_at_the_stability_limit_stay_bounded() {
    let kinds = EDGES.into_iter().map(|edge| [edge; 4]);
    let mixed = [
        [Edge::Clamped, Edge::Free, Edge::SimplySupported, Edge::Free],
        [Edge::Free, Edge::Clamped, Edge::Free, Edge::Free],
    ];
    for edges in kinds.chain(mixed) {
        for tension in [0.0, 500.0] {
            let start = Plate { sigma0: 0.0, sigma1: 0.0, tension, edges, ..Plate::steel([0.2, 0.2], 2e-3) };
            // The rate that puts a grid of 8 × 8 exactly at the limit: h⁴ = 2c²k²h² + 16κ²k².
            let (rho_h, d, h) = (16.0, 2e11 * 8e-9 / (12.0 * 0.91), 0.2 / 8.0_f64);
            let k = h * h / (2.0 * tension / rho_h * h * h + 16.0 * d / rho_h).sqrt();
            let mut model = Model::new();
            let plate = model.add(Plate { grid: Some([8, 8]), ..start });
            model.pulse(plate.on([0.4, 0.3]), Pulse { duration: 2.0 * k, peak: 1.0, ..Pulse::default() });
            let mut simulation = model.compile(1.0 / k).unwrap();
            (0..1000).for_each(|_| simulation.step());
            let mut fastest = [0.0_f64; 2];
            for (part, fastest) in fastest.iter_mut().enumerate() {
                for n in 0..500_000 {
                    simulation.step();
                    if n % 97 == part {
                        *fastest = simulation.increments(plate).iter().fold(*fastest, |top, du| top.max(du.abs()));
                    }
                }
            }
            assert!(fastest[1].is_finite() && fastest[1] < 1.5 * fastest[0], "{edges:?}, T = {tension}: {fastest:?}");
        }
    }
}

#[test]
fn reset_brings_back_the_picture_as_described() {
    let region = Region::Image { width: 2, values: vec![0.2, 0.9, 0.4, 0.1] };
    let touch = Touch { region, pressure: 1.0.into(), mass: 5.0, stiffness: 1e5, damping: 50.0 };
    let mut model = Model::new();
    let plate = model.add(Plate { touches: vec![touch], ..Plate::steel([0.2, 0.15], 2e-3) });
    model.pulse(plate.on([0.7, 0.6]), Pulse { peak: 10.0, ..Pulse::default() });
    let ear = model.pickup(plate.on([0.1, 0.9]), Quantity::Velocity);
    let mut simulation = model.compile(44_100.0).unwrap();
    let mut listen = |press: bool| {
        simulation.reset();
        let mut buffer = vec![0.0; 1500];
        simulation.process(&[ear], &mut [&mut buffer[..500]]);
        if press {
            simulation.press(plate, 0, 3, &[1.0; 9]);
        }
        simulation.process(&[ear], &mut [&mut buffer[500..]]);
        buffer
    };
    let (first, pressed, again) = (listen(false), listen(true), listen(false));
    assert_eq!(first, again);
    assert_ne!(first, pressed);
}
