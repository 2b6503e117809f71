//! Finds the output gain of a scene, and whether the energy ledger is affordable, by short trial runs.

use crate::cpu_timer::CpuTimer;
use crate::dc_block::DcBlock;
use percuss::Simulation;
use percuss_scene::instrument::{Instrument, TargetAction};

/// Duration of the trial run \[s\].
const TRIAL_DURATION: f64 = 1.0;
/// Time at which every element is struck \[s\].
const STRIKE_TIME: f64 = 0.5;
/// Strength of the strikes, as a fraction of the hardest.
const STRIKE_STRENGTH: f64 = 0.5;
/// Peak of the output after calibration: −9 dBFS.
const TARGET_PEAK: f64 = 0.355;

/// Steps per timing of the ledger.
const TIMED_STEPS: u32 = 200;
/// Number of timings. The shortest counts, since other programs can only make it longer.
const TIMING_RUNS: u32 = 5;
/// Maximum mean load of a scene with its ledger. Single buffers can take several times as long.
const MAX_LEDGER_LOAD: f64 = 0.1;

/// Whether `voices` simulations with their ledgers stay below the maximum load.
pub(crate) fn can_afford_ledger(mut sim: Simulation, voices: usize) -> bool {
    sim.open_ledger();
    let mut shortest = f64::INFINITY;
    for _ in 0..TIMING_RUNS {
        let timer = CpuTimer::start();
        (0..TIMED_STEPS).for_each(|_| sim.step());
        shortest = shortest.min(timer.elapsed().as_secs_f64());
    }
    shortest * voices as f64 <= MAX_LEDGER_LOAD * f64::from(TIMED_STEPS) * sim.time_step()
}

/// Gain that brings the peak of a scene to the target; 1 for a silent scene.
pub(crate) fn calibration_gain(instrument: &Instrument, mut sim: Simulation) -> f64 {
    let steps = (TRIAL_DURATION / sim.time_step()) as u64;
    let strike = (STRIKE_TIME / sim.time_step()) as u64;
    let mut dc_block = DcBlock::new(1, sim.time_step().recip(), 1);
    let mut peak = 0.0_f64;
    for step in 0..steps {
        if step == strike {
            for target in &instrument.targets {
                if let TargetAction::Strike(striker) = target.action {
                    sim.strike(striker, STRIKE_STRENGTH);
                }
            }
        }
        sim.step();
        let outputs = instrument.scene.outputs.iter();
        let mut frame = [outputs.map(|output| output.gain * sim.read(output.pickup)).sum::<f64>()];
        dc_block.process(&mut frame);
        peak = peak.max(frame[0].abs());
    }
    if peak > 0.0 && peak.is_finite() { TARGET_PEAK / peak } else { 1.0 }
}
