//! Endurance: ten minutes of a rattling scene, every joule still accounted for.

use percuss::*;

const RATE: f64 = 44_100.0;
const SECONDS: usize = 600;

/// A string over a mass that rattles on a barrier, struck anew every two seconds.
fn rattle() -> (Model, [InteractionId; 2]) {
    let mut model = Model::new();
    let damped = StiffString { sigma0: 0.3, sigma1: 1e-4, grid: Some(24), ..StiffString::default() };
    let string = model.add(damped);
    let mass = model.add(Mass { mass: 2e-3, position: -2e-4, damping: 0.2, gravity: 9.8, ..Mass::default() });
    let barrier = model.add(Barrier::at(-5e-4));
    let law = Collision { stiffness: 1e7, loss: 0.01, ..Collision::default() };
    let contacts =
        [model.collide(mass.point(), string.at(0.37), law), model.collide(barrier.point(), mass.point(), law)];
    let (mut time, mut value) = (Vec::new(), Vec::new());
    for strike in 0..SECONDS / 2 {
        let peak = if strike % 3 == 0 { 8.0 } else { -5.0 };
        time.extend([0.0, 1e-3, 2e-3].map(|later| 2.0 * strike as f64 + later));
        value.extend([0.0, peak, 0.0]);
    }
    model.drive(string.at(0.2), Drive::Control(Control::Breakpoints { time, value }));
    (model, contacts)
}

#[test]
fn ten_minutes_of_rattle_close_their_books() {
    let (model, contacts) = rattle();
    let mut sim = model.compile(RATE).unwrap();
    sim.open_ledger();
    let mut hits = 0;
    for second in 0..SECONDS {
        for _ in 0..RATE as usize {
            sim.step();
        }
        let ledger = sim.ledger().unwrap();
        let total = &ledger.total;
        assert!(total.residual.is_finite() && total.stored.is_finite(), "after {second} s: {total:?}");
        let now = contacts.iter().map(|contact| ledger.interactions[contact.index()].hits).sum();
        assert!(second % 2 == 1 || now > hits + 2, "second {second}: the rattle fell silent, {now} hits");
        hits = now;
    }
    let total = &sim.ledger().unwrap().total;
    println!("{} steps, {hits} hits: worst residual {:.2e} of the energy", sim.steps(), total.worst_relative);
    assert!(total.worst_relative <= 1e-12, "{total:?}");
}
