//! The force of an impact, sample by sample, and the exit speed against its closed form:
//!
//!     cargo run --release -p percuss --example contact_forces
//!     cargo run --release -p percuss --example contact_forces > forces.csv
//!
//! The table goes to standard output as CSV, the comparison to standard error.
//!
//! Equation    m v̇ = −K x^α (1 + μv), the Hunt–Crossley impact of a mass on a wall; x compression, v its velocity
//! Invariant   K x^{α+1}/(m(α+1)) + P(v) with P(v) = (μv − ln(1 + μv))/μ². Where the contact opens x is 0 again,
//!             so P(v_out) = P(v_in)
//! Reference   Papetti, Avanzini and Rocchesso (2010), eq. 3

use percuss::prelude::*;

/// Sample rate \[Hz\].
const RATE: f64 = 48_000.0;
/// Mass \[kg\].
const MASS: f64 = 0.01;
const LAW: Collision = Collision { stiffness: 1e7, exponent: 1.3, loss: 0.5, gap: 0.0 };

/// Throws the mass at the wall at a speed \[m/s\] and returns the speed at which it leaves. `row` is called with time,
/// compression and force of every sample.
fn throw(speed: f64, mut row: impl FnMut(f64, f64, f64)) -> Result<f64, CompileError> {
    let mut model = Model::new();
    let mass = model.add(Mass { mass: MASS, position: -1e-4, velocity: speed, ..Mass::default() });
    let wall = model.add(Barrier::at(0.0));
    let impact = model.collide(mass.point(), wall.point(), LAW);
    let position = model.pickup(mass.point(), Quantity::Displacement);
    let velocity = model.pickup(mass.point(), Quantity::Velocity);
    let force = model.force_pickup(impact);

    let mut simulation = model.compile(RATE)?;
    while simulation.read(velocity) >= 0.0 || simulation.read(force) > 0.0 {
        simulation.step();
        let time = simulation.steps() as f64 / RATE;
        row(time, simulation.read(position).max(0.0), simulation.read(force));
    }
    Ok(-simulation.read(velocity))
}

/// The exit speed \[m/s\] in closed form: P(−v_out) = P(speed), by bisection.
fn exact_exit(speed: f64) -> f64 {
    let p = |v: f64| LAW.loss * v - (LAW.loss * v).ln_1p();
    let (mut low, mut high) = (0.0, speed.min(1.0 / LAW.loss));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if p(-middle) < p(speed) { low = middle } else { high = middle }
    }
    low
}

fn main() -> Result<(), CompileError> {
    println!("time [ms],compression [µm],force [N]");
    throw(1.0, |time, compression, force| {
        println!("{:.4},{:.3},{force:.3}", 1e3 * time, 1e6 * compression);
    })?;

    eprintln!("speed in [m/s]  speed out [m/s]  closed form [m/s]  relative error");
    for speed in [0.25, 0.5, 1.0, 2.0, 4.0] {
        let (out, exact) = (throw(speed, |_, _, _| ())?, exact_exit(speed));
        let error = (out / exact - 1.0).abs();
        eprintln!("{speed:14}  {out:15.9}  {exact:17.9}  {error:14.1e}");
        assert!(error < 1e-9, "a lone impact leaves at its exact speed");
    }
    Ok(())
}
