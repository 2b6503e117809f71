use percuss::*;
fn main() {
    let mut model = Model::new();
    let mass = model.add(Mass { mass: 0.0027, position: 0.02031, velocity: 89.0, ..Mass::default() });
    let wall = model.add(Barrier::at(0.0443));
    let c = model.collide(mass.point(), wall.point(), Collision { stiffness: 6.3e7, loss: 8.16, exponent: 1.5, ..Collision::default() });
    let mut sim = model.compile(44100.0).unwrap();
    sim.open_ledger();
    for n in 0..190 {
        sim.step();
        let x = sim.displacement(mass, 0) - 0.0443;
        let l = sim.ledger().unwrap();
        println!("{n} x {x:.6e} v {:.6e} f {:.5e} psi {:?} closings {} diss {:.6e}", sim.increments(mass)[0] * 44100.0, sim.force(c), sim.psi(c).collect::<Vec<_>>(), l.interactions[c.index()].closings, l.interactions[c.index()].dissipated);
    }
}
