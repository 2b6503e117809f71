use percuss::*;
fn main() {
    let args: Vec<f64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (samples, loss, phase) = (args[0], args[1], args[2]);
    let rate = 44100.0;
    let unit = impact::Impact::new(0.01, 1.0, 1.5, loss, 1.0).unwrap().contact_time();
    let stiffness = (unit * rate / samples).powf(2.5);
    let mut model = Model::new();
    let mass = model.add(Mass { mass: 0.01, position: -(1.0 + phase) / rate, velocity: 1.0, ..Mass::default() });
    let barrier = model.add(Barrier::at(0.0));
    let c = model.collide(mass.point(), barrier.point(), Collision { stiffness, exponent: 1.5, loss, gap: 0.0 });
    let speed = model.pickup(mass.point(), Quantity::Velocity);
    let place = model.pickup(mass.point(), Quantity::Displacement);
    let mut sim = model.compile(rate).unwrap();
    sim.open_ledger();
    for n in 0..12 {
        sim.step();
        println!("{n} x/vk {:.4} v {:.6} f {:.4e} psi {:?} lost {:.3e} stored {:.3e}", sim.read(place) * rate, sim.read(speed), sim.force(c), sim.psi(c).collect::<Vec<_>>(), sim.ledger().unwrap().interactions[0].dissipated, sim.ledger().unwrap().total.stored);
    }
}
