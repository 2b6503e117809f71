//! One copy of a scene.
//!
//! Awake       a copy of a scene with keys is stepped from its first gesture on until half a second after all its outputs have fallen
//!             100 dB below full scale, so that keys that are not played cost nothing
//! Bend        it is stepped at another speed; outputs are interpolated between steps by a cubic through four of them (Catmull and
//!             Rom), two samples late. At rest, and wherever a step falls on a sample, that is the output itself
//! Allocates   only in `new`
//! Reference   Catmull and Rom (1974), A class of local interpolating splines

use crate::decimator::Decimator;
use crate::mixer::SmoothedValue;
use percuss::{PickupId, Simulation};

/// Points of the interpolation.
const POINTS: usize = 4;
/// Output of a copy that is at rest, relative to full scale.
const SILENCE: f64 = 1e-5;
/// How long it has to be \[s\].
const SILENT_TIME: f64 = 0.5;
/// Time in which a copy fades out that makes way for another one \[s\].
const STEAL_TIME: f64 = 0.005;
/// Time in which bend and vibrato reach a new value \[s\].
const BEND_TIME: f64 = 0.01;

/// A copy of a scene.
pub(crate) struct Voice {
    pub sim: Simulation,
    /// `None` for scenes without keys, which are always stepped, once per sample.
    keyed: Option<KeyedVoice>,
}

/// What a copy of a scene with keys has beyond that.
struct KeyedVoice {
    is_awake: bool,
    /// Number of the gesture that it was played with last.
    played_at: u64,
    silent_samples: u32,
    /// Fades out where the copy makes way.
    gain: SmoothedValue,
    /// Whether anything was set since the last reset.
    is_changed: bool,
    /// \[semitones\].
    bend: SmoothedValue,
    vibrato: SmoothedValue,
    /// Time since the last step but `POINTS` − 2, in steps.
    phase: f64,
    /// The last outputs, oldest first.
    history: Vec<[f64; POINTS]>,
    /// Outputs of a step.
    frame: Vec<f64>,
    /// For several steps per sample.
    decimator: Option<Decimator>,
    /// Gain with which all copies are as loud.
    level: f64,
    limits: Limits,
}

/// Times in samples and levels.
#[derive(Clone, Copy)]
struct Limits {
    silent_samples: u32,
    steal_samples: u32,
    bend_samples: u32,
    /// Largest output of a copy at rest, in the units of the pickups.
    silence: f64,
}

impl Voice {
    /// A copy that is always awake.
    pub fn steady(sim: Simulation) -> Self {
        Self { sim, keyed: None }
    }

    /// A copy that sleeps until its key is played, for a rate of samples \[Hz\], steps per sample, and a number of outputs; the gains
    /// are its own, and that of all to full scale.
    pub fn keyed(sim: Simulation, rate: f64, steps: usize, outputs: usize, [level, gain]: [f64; 2]) -> Self {
        let samples = |time: f64| (time * rate) as u32;
        let limits = Limits {
            silent_samples: samples(SILENT_TIME),
            steal_samples: samples(STEAL_TIME),
            bend_samples: samples(BEND_TIME),
            silence: SILENCE / (level * gain),
        };
        let keyed = KeyedVoice {
            is_awake: false,
            played_at: 0,
            silent_samples: 0,
            gain: SmoothedValue::new(1.0),
            is_changed: false,
            bend: SmoothedValue::new(0.0),
            vibrato: SmoothedValue::new(0.0),
            phase: 0.0,
            history: vec![[0.0; POINTS]; outputs],
            frame: vec![0.0; outputs],
            decimator: (steps > 1).then(|| Decimator::new(steps, outputs)),
            level,
            limits,
        };
        Self { sim, keyed: Some(keyed) }
    }

    /// When it was played, if it sounds and does not make way.
    pub fn sounds_since(&self) -> Option<u64> {
        let keyed = self.keyed.as_ref()?;
        (keyed.is_awake && !keyed.is_fading()).then_some(keyed.played_at)
    }

    /// Plays it with a gesture of this number. One that was about to make way starts from rest; returns whether it was.
    pub fn wake(&mut self, gesture: u64) -> bool {
        let made_way = self.keyed.as_ref().is_some_and(KeyedVoice::is_fading);
        if made_way {
            self.rest();
        }
        let Some(keyed) = &mut self.keyed else { return false };
        (keyed.is_awake, keyed.played_at, keyed.silent_samples) = (true, gesture, 0);
        made_way
    }

    /// Fades out.
    pub fn make_way(&mut self) {
        if let Some(keyed) = &mut self.keyed {
            keyed.gain.set_target(0.0, keyed.limits.steal_samples);
        }
    }

    /// Notes that a target was set.
    pub fn mark_changed(&mut self) {
        if let Some(keyed) = &mut self.keyed {
            keyed.is_changed = true;
        }
    }

    pub fn set_bend(&mut self, semitones: f64) {
        if let Some(keyed) = &mut self.keyed {
            keyed.bend.set_target(semitones, keyed.limits.bend_samples);
        }
    }

    pub fn set_vibrato(&mut self, semitones: f64) {
        if let Some(keyed) = &mut self.keyed {
            keyed.vibrato.set_target(semitones, keyed.limits.bend_samples);
        }
    }

    /// Restarts the scene.
    pub fn restart(&mut self) {
        match &self.keyed {
            Some(keyed) if keyed.is_awake || keyed.is_changed => self.rest(),
            Some(_) => {}
            None => self.sim.reset(),
        }
    }

    /// Brings a copy with a key to rest.
    fn rest(&mut self) {
        self.sim.reset();
        if let Some(keyed) = &mut self.keyed {
            (keyed.is_awake, keyed.is_changed, keyed.phase) = (false, false, 0.0);
            keyed.gain = SmoothedValue::new(1.0);
            (keyed.bend, keyed.vibrato) = (SmoothedValue::new(0.0), SmoothedValue::new(0.0));
            keyed.history.fill([0.0; POINTS]);
            keyed.decimator.iter_mut().for_each(Decimator::restart);
        }
    }

    /// Advances by one sample and adds the outputs to sums; `vibrato` is the phase of the vibrato, −1 to 1. Returns whether it made way
    /// and is at rest now.
    pub fn advance(&mut self, outputs: &[Output], vibrato: f64, sums: &mut [f64]) -> bool {
        let Self { sim, keyed } = self;
        let Some(keyed) = keyed else {
            sim.step();
            outputs.iter().zip(sums).for_each(|(output, sum)| *sum += sim.read(output.pickup));
            return false;
        };
        if !keyed.is_awake {
            return false;
        }
        let has_made_way = keyed.advance(sim, outputs, vibrato, sums);
        if has_made_way {
            self.rest();
        }
        has_made_way
    }
}

/// A pickup that is heard.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub pickup: PickupId,
    /// Gain of the scene.
    pub gain: f64,
}

impl KeyedVoice {
    /// Computes the outputs of the next sample.
    fn compute_frame(&mut self, sim: &mut Simulation, outputs: &[Output]) {
        let Self { frame, decimator, .. } = self;
        let mut step = |frame: &mut [f64]| {
            sim.step();
            frame.iter_mut().zip(outputs).for_each(|(out, output)| *out = sim.read(output.pickup));
        };
        let Some(decimator) = decimator else { return step(frame) };
        for _ in 0..decimator.factor() {
            step(frame);
            decimator.push_frame(frame);
        }
        decimator.compute_frame(frame);
    }

    fn is_fading(&self) -> bool {
        self.gain.is_smoothing()
    }

    fn advance(&mut self, sim: &mut Simulation, outputs: &[Output], vibrato: f64, sums: &mut [f64]) -> bool {
        let semitones = self.bend.next_value() + vibrato * self.vibrato.next_value();
        self.phase += if semitones == 0.0 { 1.0 } else { (semitones / 12.0).exp2() };
        while self.phase >= 1.0 {
            self.phase -= 1.0;
            self.compute_frame(sim, outputs);
            for (history, &output) in self.history.iter_mut().zip(&self.frame) {
                history.rotate_left(1);
                history[POINTS - 1] = output;
            }
        }
        let (was_fading, gain) = (self.is_fading(), self.gain.next_value() * self.level);
        let mut is_silent = true;
        for ((history, output), sum) in self.history.iter().zip(outputs).zip(sums) {
            *sum += gain * interpolate(history, self.phase);
            is_silent &= (history[POINTS - 1] * output.gain).abs() < self.limits.silence;
        }
        self.silent_samples = if is_silent { self.silent_samples + 1 } else { 0 };
        if self.silent_samples > self.limits.silent_samples {
            self.is_awake = false;
        }
        was_fading && !self.is_fading()
    }
}

/// The value between the middle two of four points.
fn interpolate(points: &[f64; POINTS], phase: f64) -> f64 {
    let [a, b, c, d] = *points;
    if phase == 0.0 {
        return b;
    }
    let (slope_b, slope_c) = (0.5 * (c - a), 0.5 * (d - b));
    let cubic = 2.0 * (b - c) + slope_b + slope_c;
    let square = 3.0 * (c - b) - 2.0 * slope_b - slope_c;
    b + phase * (slope_b + phase * (square + phase * cubic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_interpolated_to_third_order_and_points_exactly() {
        let parabola = |x: f64| 1.0 + 0.3 * x - 0.2 * x * x;
        let points = [-1.0, 0.0, 1.0, 2.0].map(parabola);
        for phase in [0.0, 0.25, 0.5, 0.99] {
            assert!((interpolate(&points, phase) - parabola(phase)).abs() < 1e-15, "{phase}");
        }
        assert_eq!(interpolate(&[9.0, 0.1, 3.0, -2.0], 0.0), 0.1);
    }
}
