//! Felt: a contact with memory. Its restitution is known in closed form, at any speed and from any phase of the samples.

use percuss::laws::Felt;
use percuss::{Barrier, Collision, CompileError, Mass, Model, PickupId, Quantity, Scheme, Simulation, StiffString};
use proptest::prelude::*;

const RATE: f64 = 44_100.0;

/// A mass thrown at a wall of felt, from a distance that is reached after about three samples and a phase.
fn throw(felt: Felt, mass: f64, speed: f64, phase: f64) -> (Simulation, PickupId) {
    let mut model = Model::new();
    let wall = model.add(Barrier::at(0.0));
    let body = model.add(Mass { mass, position: speed * (3.0 + phase) / RATE, velocity: -speed, ..Mass::default() });
    model.interact(wall.point(), body.point(), felt);
    let pickup = model.pickup(body.point(), Quantity::Velocity);
    (model.compile(RATE).expect("a valid model"), pickup)
}

/// Speed after the impact over the speed before.
fn restitution((mut simulation, pickup): (Simulation, PickupId), speed: f64) -> f64 {
    simulation.open_ledger();
    for _ in 0..1_000_000 {
        simulation.step();
        let ledger = simulation.ledger().expect("open");
        let contact = &ledger.interactions[0];
        assert!(ledger.total.worst_relative < 1e-12, "residual {:e}", ledger.total.worst_relative);
        assert_eq!(contact.adhesive_impulse, 0.0);
        if contact.hits > 0 && contact.stored == 0.0 {
            return simulation.read(pickup) / speed;
        }
    }
    panic!("it never came back");
}

#[test]
fn felt_returns_the_same_share_of_any_speed() {
    let felt = Felt { stiffness: 4e8, exponent: 2.5, restitution: 0.6, gap: 0.0 };
    for speed in [0.05, 0.5, 5.0] {
        for phase in (0..16).map(|i| f64::from(i) / 16.0) {
            let found = restitution(throw(felt, 8e-3, speed, phase), speed);
            assert!((found - 0.6).abs() < 1e-9, "{speed} m/s, phase {phase}: {found}");
        }
    }
}

#[test]
fn felt_takes_the_work_between_its_two_laws() {
    // A mass with all of its energy ½mv² in the felt is at rest at the depth where Kη^{p+1}/(p+1) = ½mv².
    let felt = Felt { stiffness: 1e7, exponent: 2.0, restitution: 0.5, gap: 0.0 };
    let (mut simulation, _) = throw(felt, 0.01, 1.0, 0.3);
    simulation.open_ledger();
    let mut most = 0.0_f64;
    for _ in 0..4000 {
        simulation.step();
        most = most.max(simulation.ledger().expect("open").interactions[0].stored);
    }
    let ledger = simulation.ledger().expect("open");
    let energy = 0.5 * 0.01;
    assert!((most / (0.25 * energy) - 1.0).abs() < 1e-2, "{most:e} J of {energy:e} J stored");
    assert!((ledger.interactions[0].dissipated / (0.75 * energy) - 1.0).abs() < 1e-9);
}

#[test]
fn felt_needs_the_scheme_that_accounts_for_its_loss() {
    for (scheme, works) in [(Scheme::Tracked, true), (Scheme::Plain, false), (Scheme::Newton, false)] {
        let mut model = Model::new();
        model.scheme = scheme;
        let [a, b] = [(); 2].map(|()| model.add(Mass::default()));
        model.interact(a.point(), b.point(), Felt::default());
        let result = model.compile(RATE);
        assert_eq!(result.is_ok(), works);
        assert!(works || matches!(result, Err(CompileError::NeedsTracked { kind: "felt", .. })));
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let usual = Felt::default();
    for (felt, wrong) in [
        (Felt { stiffness: 0.0, ..usual }, "stiffness"),
        (Felt { exponent: 0.5, ..usual }, "exponent"),
        (Felt { restitution: 1.5, ..usual }, "restitution"),
        (Felt { gap: f64::NAN, ..usual }, "gap"),
    ] {
        let mut model = Model::new();
        let [a, b] = [(); 2].map(|()| model.add(Mass::default()));
        model.interact(a.point(), b.point(), felt);
        let error = model.compile(RATE).expect_err("refused");
        assert!(matches!(error, CompileError::Parameter { field, .. } if field == wrong), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// From contacts of ten thousand samples to a fraction of one.
    #[test]
    fn no_impact_returns_more_than_it_brings(
        stiffness in 6.0..16.0, exponent in 1.0..4.0, e in 0.1..1.0, speed in -2.0..1.0, phase in 0.0..1.0,
    ) {
        let felt = Felt { stiffness: 10_f64.powf(stiffness), exponent, restitution: e, gap: 0.0 };
        let speed = 10_f64.powf(speed);
        let found = restitution(throw(felt, 0.01, speed, phase), speed);
        prop_assert!(found <= 1.0 + 1e-9, "{found}");
        prop_assert!((found - e).abs() <= 2e-2, "{found} instead of {e}");
    }

    /// A hammer between a string and a rattling neighbour: coupled rows, several impacts before the felt opens.
    #[test]
    fn felt_keeps_the_account_beside_other_contacts(
        stiffness in 6.0..12.0, e in 0.1..1.0, speed in 0.1..8.0, at in 0.05..0.95, loss in 0.0..2.0,
    ) {
        let mut model = Model::new();
        let string = model.add(StiffString::steel(0.5e-3));
        let hammer = model.add(Mass { mass: 8e-3, position: -1e-3, velocity: speed, ..Mass::default() });
        let loose = model.add(Mass { mass: 1e-3, position: 2e-3, gravity: 9.81, ..Mass::default() });
        let felt = Felt { stiffness: 10_f64.powf(stiffness), restitution: e, ..Felt::default() };
        model.interact(hammer.point(), string.at(at), felt);
        model.collide(string.at(at), loose.point(), Collision { loss, ..Collision::default() });
        let mut simulation = model.compile(RATE).expect("a valid model");
        simulation.open_ledger();
        for _ in 0..6000 {
            simulation.step();
            let ledger = simulation.ledger().expect("open");
            prop_assert!(ledger.total.worst_relative < 1e-12, "residual {:e}", ledger.total.worst_relative);
            for contact in &ledger.interactions {
                prop_assert!(contact.adhesive_impulse == 0.0 && contact.dissipated >= 0.0);
                prop_assert!(contact.open_energy <= 1e-12 * ledger.total.scale);
            }
        }
    }
}
