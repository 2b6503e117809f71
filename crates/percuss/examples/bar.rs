//! rms error of v_out of mass on modal bar vs 64x reference
use percuss::*;
fn out(rate: f64, samples: f64, loss: f64, phase: f64, base: f64, nmodes: usize, scheme: Scheme) -> f64 {
    let unit = impact::Impact::new(0.01, 1.0, 1.5, loss, 1.0).unwrap().contact_time();
    let stiffness = (unit * base / samples).powf(2.5);
    let mut model = Model::new();
    model.scheme = scheme;
    let mode = |i: usize| Mode { frequency: 440.0 * (i as f64 * 2.0 + 1.0).powi(2) / 9.0 * 1.0, decay: 1.0, mass: 0.1 };
    let modes: Vec<Mode> = (1..=nmodes).map(mode).collect();
    let bar = model.add(Modal { modes, points: vec![(0..nmodes).map(|i| if i % 2 == 0 { 1.0 } else { -0.7 }).collect()] });
    let mass = model.add(Mass { mass: 0.01, position: -(1.0 + phase) / base, velocity: 1.0, ..Mass::default() });
    model.collide(mass.point(), bar.point_at(0), Collision { stiffness, exponent: 1.5, loss, gap: 0.0 });
    let speed = model.pickup(mass.point(), Quantity::Velocity);
    let mut sim = model.compile(rate).unwrap();
    let steps = (40.0 * rate / base) as usize;
    for _ in 0..steps { sim.step(); }
    sim.read(speed)
}
fn main() {
    let nmodes: usize = std::env::args().nth(1).map_or(4, |a| a.parse().unwrap());
    for samples in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
        for loss in [0.0, 0.1, 0.5, 2.0] {
            let base = 44100.0;
            let mut line = format!("{samples} {loss}");
            let reference = out(64.0 * base, samples, loss, 0.3, base, nmodes, Scheme::Tracked);
            for scheme in [Scheme::Tracked, Scheme::Newton] {
                let e: f64 = (0..100).map(|i| (out(base, samples, loss, i as f64 / 100.0, base, nmodes, scheme) / reference - 1.0).powi(2)).sum::<f64>() / 100.0;
                line += &format!("  {:.3} %", 100.0 * e.sqrt());
            }
            println!("{line}  ref {reference:.5}");
        }
    }
}
