//! How loud a scene is, found by trying: it is played for a second as written, with a blow on everything.

use crate::clock::Stopwatch;
use percuss::Simulation;
use percuss_scene::instrument::{Action, Instrument};

/// How long it is listened to \[s\], and when all is struck.
const LISTEN: f64 = 1.0;
const BLOW_AT: f64 = 0.5;
const STRENGTH: f64 = 0.5;
/// Where the loudest sample is brought to: −9 dB, so that there is room for more.
const LOUD: f64 = 0.355;

/// Steps that are timed to see what the energy account costs, and how often: the shortest time counts, since others on the
/// machine only make it longer.
const TRIAL: u32 = 200;
const TRIALS: u32 = 5;
/// Share of the machine that a scene may take with its account. Loads on stage are now and then several times as long.
const AFFORDABLE: f64 = 0.1;

/// Whether the energy account of a scene leaves enough of the machine for all else; `voices` run at once.
pub(crate) fn can_afford_account(mut sim: Simulation, voices: usize) -> bool {
    sim.open_ledger();
    let mut shortest = f64::INFINITY;
    for _ in 0..TRIALS {
        let watch = Stopwatch::start();
        (0..TRIAL).for_each(|_| sim.step());
        shortest = shortest.min(watch.elapsed().as_secs_f64());
    }
    shortest * voices as f64 <= AFFORDABLE * f64::from(TRIAL) * sim.time_step()
}

/// Factor that brings a scene to a good level. 1 for one that is silent.
pub(crate) fn level(instrument: &Instrument, mut sim: Simulation) -> f64 {
    let steps = (LISTEN / sim.time_step()) as u64;
    let blow = (BLOW_AT / sim.time_step()) as u64;
    let mut peak = 0.0_f64;
    for step in 0..steps {
        if step == blow {
            for target in &instrument.targets {
                if let Action::Strike(striker) = target.action {
                    sim.strike(striker, STRENGTH);
                }
            }
        }
        sim.step();
        let heard = instrument.scene.outputs.iter().map(|output| output.gain * sim.read(output.pickup)).sum::<f64>();
        peak = peak.max(heard.abs());
    }
    if peak > 0.0 && peak.is_finite() { LOUD / peak } else { 1.0 }
}
