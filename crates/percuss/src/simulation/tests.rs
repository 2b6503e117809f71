//! A collision that is the only row of a model, compared with the same one among others.

use crate::model::{Collision, ElementId, Mass, Modal, Mode, Model};
use crate::simulation::Simulation;

const STEPS: usize = 1000;

/// Ten grams with felt on them strike a bar of three modes; where they are `beside` something, a ball bounces on another
/// one, and where `coupled`, there is a second collision on the mass, with a wall that it never meets.
fn impact(loss: f64, beside: bool, coupled: bool) -> (Simulation, ElementId) {
    let mut model = Model::new();
    let mode = |i: u32| Mode { frequency: 210.0 * f64::from(i), decay: 1.0, mass: 0.5 };
    let bar = model.add(Modal { modes: (1..4).map(mode).collect(), points: vec![vec![1.0, -0.6, 1.0]] });
    let mass = model.add(Mass { mass: 0.01, velocity: 1.0, ..Mass::default() });
    model.collide(mass.point(), bar.point_at(0), Collision { stiffness: 500.0, exponent: 1.5, loss, gap: 0.0 });
    if beside {
        let [ball, other] = [1.0, 0.0].map(|velocity| model.add(Mass { velocity, ..Mass::default() }));
        model.collide(ball.point(), other.point(), Collision { gap: 1e-4, ..Collision::default() });
    }
    if coupled {
        let wall = model.add(Mass { position: 10.0, ..Mass::default() });
        model.collide(mass.point(), wall.point(), Collision::default());
    }
    (model.compile(44_100.0).expect("below half the rate"), mass)
}

fn run((mut sim, mass): (Simulation, ElementId)) -> Vec<f64> {
    sim.open_ledger();
    let path = (0..STEPS).map(|_| {
        sim.step();
        sim.displacement(mass, 0)
    });
    let path = path.collect();
    let off = sim.ledger().expect("it is open").total.worst_relative;
    assert!(off < 2e-15, "the account is off by {off:e}");
    path
}

#[test]
fn a_single_row_moves_as_it_does_beside_others_and_in_a_block() {
    for loss in [0.0, 0.01] {
        let single = run(impact(loss, false, false));
        let size = single.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (name, bound, path) in
            [("coupled", 1e-12, run(impact(loss, false, true))), ("beside", 1e-13, run(impact(loss, true, false)))]
        {
            let apart = single.iter().zip(&path).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            assert!(apart <= bound * size, "{name}: {:e} apart", apart / size);
        }
    }
}
