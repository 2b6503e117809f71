//! A plucked steel string, written to a WAV file:
//!
//!     cargo run --release -p percuss --example plucked_string -- string.wav
//!
//! Shows the three steps of every program that uses percuss: describe a model, compile it, step it.

mod wav;

use percuss::prelude::*;
use std::f64::consts::PI;

/// Sample rate \[Hz\].
const RATE: f64 = 48_000.0;
/// Length of the sound \[s\].
const SECONDS: f64 = 3.0;
/// Frequency of the string without stiffness \[Hz\].
const PITCH: f64 = 196.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 1. Describe, in SI units. The tension follows from the pitch: f = √(T/ρA) / 2L.
    let (length, radius, density) = (0.65, 0.2e-3, 7850.0);
    let tension = density * PI * radius * radius * (2.0 * length * PITCH).powi(2);
    let mut model = Model::new();
    let string = model.add(StiffString {
        length,
        tension,
        sigma0: 0.6,
        sigma1: 3e-4,
        // A plectrum pulls the string 3 mm aside and lets go at time 0.
        displacement: Shape::Triangle { at: 0.18, height: 3e-3 },
        ..StiffString::steel(radius)
    });
    let pickup = model.pickup(string.at(0.1), Quantity::Velocity);

    // 2. Compile: parameters are checked, the grid is chosen, memory is allocated.
    let mut simulation = model.compile(RATE)?;
    simulation.open_ledger();
    let grid = simulation.grid(string).expect("strings have a grid");
    println!("string  {PITCH} Hz, {tension:.1} N, {} grid intervals", grid.intervals);

    // 3. Step: one sample per step, without allocation.
    let mut samples = vec![0.0; (SECONDS * RATE) as usize];
    simulation.process(&[pickup], &mut [&mut samples]);

    // The ledger accounts for all energy.
    let total = simulation.ledger().expect("it is open").total;
    println!("energy  {:.3} mJ from the pluck", 1e3 * total.initial);
    println!("        {:.3} mJ lost to damping, {:.3} mJ left", 1e3 * total.dissipated, 1e3 * total.stored);
    println!("balance off by at most {:.1e} of that in any step", total.worst_relative);
    assert!(total.worst_relative < 1e-12, "energy is balanced to rounding");

    let path = wav::path_or_temporary("plucked-string");
    wav::write(&path, RATE, &samples)?;
    println!("sound   {SECONDS} s in {}", path.display());
    Ok(())
}
