//! Finds the output gain of a scene, and whether the energy ledger is affordable, by short trial runs.

use crate::cpu_timer::CpuTimer;
use crate::dc_block::DcBlock;
use crate::decimator::Decimator;
use percuss::{PickupId, Simulation};
use percuss_scene::instrument::{ControlTarget, Instrument, MidiSource, StrikePlace, TargetAction};

/// Duration of the trial run after the strikes \[s\].
const TRIAL_TAIL: f64 = 0.5;
/// Duration of the trial run after the last note \[s\].
const NOTE_TAIL: f64 = 0.2;
/// Time between two notes \[s\].
const NOTE_INTERVAL: f64 = 0.25;
/// Velocity of the notes: 100 of 127.
const NOTE_VELOCITY: f64 = 100.0 / 127.0;
/// Time at which every element is struck, where no note has a velocity \[s\].
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

/// Gain that brings a peak to the target; 1 for silence.
pub(crate) fn gain_for_peak(peak: f64) -> f64 {
    if peak > 0.0 && peak.is_finite() { TARGET_PEAK / peak } else { 1.0 }
}

/// Largest output of a scene in a trial run, on any channel, where every sample takes several steps.
pub(crate) fn trial_peak(instrument: &Instrument, mut sim: Simulation, steps_per_sample: usize) -> f64 {
    let scene = &instrument.scene;
    let channels = scene.channels();
    let outputs: Vec<(PickupId, Vec<f64>)> = scene
        .outputs
        .iter()
        .map(|output| {
            let gains = (0..channels).map(|channel| scene.channel_gain(output, channel));
            (output.pickup, gains.collect())
        })
        .collect();
    let mut frame = vec![0.0; channels];
    let gestures = trial_gestures(instrument);
    let last = gestures.iter().map(|gesture| gesture.time).fold(0.0, f64::max);
    let duration = if has_notes(instrument) { last + NOTE_TAIL } else { STRIKE_TIME + TRIAL_TAIL };
    let steps = (duration / sim.time_step()) as usize;
    let mut decimator = Decimator::new(steps_per_sample, channels);
    let mut gestures = gestures.iter().peekable();
    let rate = 1.0 / (sim.time_step() * steps_per_sample as f64);
    let mut dc_block = DcBlock::new(channels, rate, 1);
    let mut peak = 0.0_f64;
    for step in 0..steps {
        while let Some(gesture) = gestures.next_if(|gesture| step as f64 * sim.time_step() >= gesture.time) {
            match gesture.action {
                TargetAction::Param(param) => sim.set(param, gesture.value),
                TargetAction::Strike(striker) => sim.strike(striker, gesture.value),
                TargetAction::Blow(mallet) => sim.blow(mallet, gesture.value),
                TargetAction::TouchImage(..)
                | TargetAction::Gain(_)
                | TargetAction::Volume
                | TargetAction::Restart
                | TargetAction::Bend
                | TargetAction::Vibrato => false,
            };
        }
        sim.step();
        frame.fill(0.0);
        for (pickup, gains) in &outputs {
            let value = sim.read(*pickup);
            frame.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain * value);
        }
        if steps_per_sample > 1 {
            decimator.push_frame(&frame);
            if (step + 1) % steps_per_sample > 0 {
                continue;
            }
            decimator.compute_frame(&mut frame);
        }
        dc_block.process(&mut frame);
        peak = frame.iter().fold(peak, |peak, sample| peak.max(sample.abs()));
    }
    peak
}

/// A target that is set during the trial run.
struct TrialGesture {
    /// \[s\].
    time: f64,
    action: TargetAction,
    value: f64,
}

/// Whether the velocity of notes is mapped.
fn has_notes(instrument: &Instrument) -> bool {
    instrument.mappings.iter().any(|(mapping, _)| mapping.source == MidiSource::Velocity)
}

/// What is played in the trial run: a note at every key, or range of keys, that has a velocity; else a strike on every element.
fn trial_gestures(instrument: &Instrument) -> Vec<TrialGesture> {
    if !has_notes(instrument) {
        let strikes = instrument.strike_targets().into_iter().map(|index| &instrument.targets[index]);
        let strike = |target: &ControlTarget| {
            let value = STRIKE_STRENGTH * target.range[1];
            TrialGesture { time: STRIKE_TIME, action: target.action, value }
        };
        return strikes.map(strike).collect();
    }
    let notes = instrument.mappings.iter().filter(|(mapping, _)| mapping.source == MidiSource::Velocity);
    let mut ranges: Vec<[u8; 2]> = notes.clone().map(|(mapping, _)| mapping.key_range).collect();
    ranges.dedup();
    let mut gestures = Vec::new();
    for (mapping, target) in notes {
        let order = ranges.iter().position(|range| *range == mapping.key_range).unwrap_or(0);
        let time = NOTE_INTERVAL * order as f64;
        let places = mapping.place.map(StrikePlace::coordinates).unwrap_or_default();
        let place_targets = places.into_iter().filter_map(|(part, value)| {
            let target = instrument.find_target(&format!("{}.{part}", mapping.target))?;
            Some((target, value))
        });
        let own = [(*target, mapping.value(NOTE_VELOCITY))];
        let set = place_targets.chain(own).map(|(target, value)| (instrument.targets[target].action, value));
        gestures.extend(set.map(|(action, value)| TrialGesture { time, action, value }));
    }
    gestures.sort_by(|a, b| a.time.total_cmp(&b.time));
    gestures
}
