//! A round gong, struck by a mallet and lowered into water while it rings, written to a WAV file:
//!
//!     cargo run --release -p percuss --example gong -- gong.wav
//!
//! The mallet is a mass that collides with a plate. Cords and water are touches: they add mass, stiffness and damping
//! to the plate where they lie.

mod wav;

use percuss::prelude::*;

/// Sample rate \[Hz\].
const RATE: f64 = 44_100.0;
/// Length of the sound \[s\].
const SECONDS: f64 = 3.0;

/// A bronze disc with a free rim.
fn bronze() -> Plate {
    Plate {
        outline: Outline::Disc,
        density: 8700.0,
        youngs_modulus: 1.1e11,
        poisson: 0.34,
        sigma0: 0.3,
        sigma1: 4e-4,
        ..Plate::steel([0.36, 0.36], 1.6e-3)
    }
}

/// Hangs the gong on a cord at x, a fraction of the diameter.
fn hang(model: &mut Model, gong: ElementId, x: f64) -> Result<(), CompileError> {
    let region = Region::Circle { centre: [x.into(), 0.93.into()], radius: 0.012.into() };
    model.touch(gong, Touch { region, pressure: 1.0.into(), mass: 0.0, stiffness: 2e5, damping: 300.0 })?;
    Ok(())
}

/// Water that rises from the lower rim: 30 kg/m² move with the plate where it is wet.
fn dip(model: &mut Model, gong: ElementId) -> Result<(), CompileError> {
    let level = Control::Breakpoints { time: vec![0.0, 1.0, 2.5], value: vec![0.0, 0.0, 0.3] };
    let region = Region::HalfPlane { direction: [0.0, 1.0], level };
    model.touch(gong, Touch { region, pressure: 1.0.into(), mass: 30.0, stiffness: 0.0, damping: 0.0 })?;
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::new();
    let gong = model.add(bronze());
    hang(&mut model, gong, 0.3)?;
    hang(&mut model, gong, 0.7)?;
    dip(&mut model, gong)?;

    // The mallet flies up from below. A collision acts between what is below and what is above.
    let mallet = model.add(Mass { mass: 0.025, position: -2e-3, velocity: 3.0, ..Mass::default() });
    let felt = Collision { stiffness: 1e9, exponent: 2.2, loss: 0.4, gap: 0.0 };
    let blow = model.collide(mallet.point(), gong.on([0.42, 0.38]), felt);
    let pickup = model.pickup(gong.on([0.8, 0.3]), Quantity::Velocity);

    let mut simulation = model.compile(RATE)?;
    simulation.open_ledger();
    let mut samples = vec![0.0; (SECONDS * RATE) as usize];
    simulation.process(&[pickup], &mut [&mut samples]);

    let ledger = simulation.ledger().expect("it is open");
    let (contact, total) = (ledger.interactions[blow.index()], ledger.total);
    println!("blow    {:.1} ms long, {:.0} N at most", 1e3 * contact.contact_steps as f64 / RATE, contact.peak_force);
    println!("energy  {:.1} mJ in the mallet before the blow", 1e3 * total.initial);
    println!("        {:.1} mJ in it after", 1e3 * ledger.elements[mallet.index()].stored);
    println!("        {:.1} mJ lost in the felt", 1e3 * contact.dissipated);
    println!("        {:.1} mJ passed to the gong", 1e3 * ledger.elements[gong.index()].received);
    println!("        {:.1} mJ of work by the moving water", 1e3 * total.touch_work);
    println!("balance off by at most {:.1e} of the energy in any step", total.worst_relative);
    assert!(total.worst_relative < 1e-12, "energy is balanced to rounding");

    let path = wav::path_or_temporary("gong");
    wav::write(&path, RATE, &samples)?;
    println!("sound   {SECONDS} s in {}", path.display());
    Ok(())
}
