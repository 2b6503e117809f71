//! Energy: plates that bend by many times their thickness, with contacts, bows, fingers and touches on them.

mod plates;

use percuss::*;
use plates::{plate, round};
use proptest::prelude::*;

/// Struck, rattled on, bowed, touched and held.
fn busy(plate: Plate, scheme: Scheme, velocity: f64, bowed: bool) -> (Model, ElementId, InteractionId) {
    let mut model = Model::new();
    model.scheme = scheme;
    let plate = model.add(plate);
    let stretching = model.stretch_by_bending(plate);
    let mass = model.add(Mass { mass: 0.05, velocity, position: -1e-4, ..Mass::default() });
    let rivet = model.add(Mass { mass: 1e-3, position: 1e-5, gravity: 9.81, ..Mass::default() });
    let string = model.add(StiffString { grid: Some(20), ..StiffString::default() });
    model.collide(mass.point(), plate.on([0.42, 0.57]), Collision { loss: 0.2, ..Collision::default() });
    model.collide(plate.on([0.52, 0.31]), rivet.point(), Collision::default());
    let rattle = Connection { stiffness: 1e7, exponent: 1.5, play: 1e-5, gap: 0.0 };
    model.connect(plate.on([0.61, 0.35]), string.at(0.4), rattle);
    model.spring(plate.on([0.3, 0.3]), string.at(0.7), Spring { stiffness: 1e3, cubic: 0.0, damping: 0.1, gap: 0.0 });
    if bowed {
        let [at, _] = [[0.3, 0.7], [0.0; 2]];
        let bow = Bow { force: 5.0.into(), velocity: 0.3.into(), ..Bow::default() };
        model.bow(plate.on(at), bow);
        model.finger(plate.on([0.55, 0.6]), Finger { pressure: 0.5.into(), stiffness: 1e4, damping: 1.0 });
    }
    model.pulse(plate.on([0.6, 0.6]), Pulse { peak: 100.0 * velocity, duration: 2e-3, ..Pulse::default() });
    (model, plate, stretching)
}

/// Plates of 0.2 to 4 mm, on their finest grid or a coarser one.
fn stiff_plate() -> impl Strategy<Value = Plate> {
    let grid = prop_oneof![Just(None), [4..20_usize, 4..20_usize].prop_map(Some)];
    (plate(), 2e-4..4e-3, any::<bool>(), grid).prop_map(|(plate, thickness, is_round, grid)| {
        let plate = Plate { youngs_modulus: 2e11, density: 8000.0, thickness, ..plate };
        let plate = if is_round { round(plate) } else { plate };
        let wanted = grid.map(|[one, other]: [usize; 2]| if is_round { [one; 2] } else { [one, other] });
        let finest = plate.grid_at(44_100.0).map_or([4; 2], |grid| grid.intervals.map(|n| n - 2 * grid.margin));
        Plate { grid: wanted.filter(|grid| grid[0] <= finest[0] && grid[1] <= finest[1].max(4)), ..plate }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    #[test]
    fn account_closes_in_every_step(
        plate in stiff_plate(),
        scheme in prop_oneof![Just(Scheme::Tracked), Just(Scheme::Plain)],
        speed in -1.0..2.0_f64,
        bowed in any::<bool>(),
    ) {
        let (model, ..) = busy(plate, scheme, 10_f64.powf(speed), bowed);
        let Ok(mut simulation) = model.compile(44_100.0) else {
            return Err(TestCaseError::reject("too coarse"));
        };
        simulation.open_ledger();
        for step in 0..600 {
            simulation.step();
            let total = simulation.ledger().unwrap().total;
            prop_assert!(total.stored.is_finite() && total.worst_relative < 1e-12, "step {step}: {total:?}");
        }
        let ledger = simulation.ledger().unwrap();
        if scheme == Scheme::Tracked {
            prop_assert!(ledger.interactions.iter().all(|account| account.adhesive_impulse <= 1e-9 * account.impulse));
        }
    }

    /// Released from a crumpled shape of up to thousands of thicknesses.
    #[test]
    fn absurd_amplitudes_stay_finite(
        plate in stiff_plate(),
        scheme in prop_oneof![Just(Scheme::Tracked), Just(Scheme::Plain)],
        power in 0.0..4.0_f64,
        seed in any::<u32>(),
    ) {
        let thickness = plate.thickness;
        let (model, plate, stretching) = busy(plate, scheme, 1.0, false);
        let Ok(mut simulation) = model.compile(44_100.0) else {
            return Err(TestCaseError::reject("too coarse"));
        };
        simulation.open_ledger();
        let height = 10_f64.powf(power) * thickness;
        let phase = f64::from(seed);
        prop_assert!(simulation.release_from(plate, |[x, y]| height * (phase + 1e3 * x + 1e5 * y).sin()));
        prop_assert!(simulation.ledger().unwrap().interactions[stretching.index()].stored > 0.0);
        for step in 0..400 {
            simulation.step();
            let total = simulation.ledger().unwrap().total;
            prop_assert!(total.stored.is_finite() && total.worst_relative < 1e-12, "step {step}: {total:?}");
        }
    }
}
