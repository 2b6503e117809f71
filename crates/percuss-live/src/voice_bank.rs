//! The copies of a scene: one per voice, or one per key.
//!
//! Keys        at most as many copies sound as the scene has voices. Another one makes the one fade out that was played first; beyond
//!             twice as many, at once
//! Determinism all of that depends on commands and samples only, so that a replay does the same
//! Allocates   only in `new`

use crate::calibration::{gain_for_peak, trial_peak};
use crate::command::ALL_VOICES;
use crate::decimator::oversampling_factor;
use crate::player::PlayerError;
use crate::voice::{Output, Voice};
use percuss::{Simulation, Total};
use percuss_scene::instrument::{ControlTarget, Instrument, Keyboard, TargetAction};
use std::f64::consts::TAU;

/// Least rate of a copy, in the time of the scene, over the rate of the scene: what a small copy lacks above that is ultrasound, but its
/// contacts have to be resolved.
const LEAST_RATE: f64 = 0.6;
/// Frequency of the vibrato \[Hz\].
const VIBRATO_RATE: f64 = 5.5;

/// The copies of a scene.
pub(crate) struct VoiceBank {
    voices: Vec<Voice>,
    /// What the targets do.
    actions: Vec<Action>,
    outputs: Vec<Output>,
    keys: Option<Keys>,
    /// Copies that fade out to make way.
    fading: usize,
    /// Gain from the units of the pickups to full scale.
    calibration_gain: f64,
}

/// What a bank with keys has beyond that.
struct Keys {
    /// Copies that may sound.
    polyphony: usize,
    /// The copy that strikes, plucks and bows without a key play.
    nearest: u8,
    /// Number of gestures so far.
    gestures: u64,
    /// Phase of the vibrato, in periods, and its step per sample.
    vibrato: f64,
    vibrato_step: f64,
    /// Values that were set for all copies, by target: those that start from rest get them again.
    common: Vec<Option<f64>>,
}

impl VoiceBank {
    /// The copies for a rate of samples \[Hz\]. Without a gain, it is found in a trial run.
    pub fn new(instrument: &Instrument, rate: f64, gain: Option<f64>) -> Result<Self, PlayerError> {
        let scene = &instrument.scene;
        let outputs: Vec<Output> =
            scene.outputs.iter().map(|output| Output { pickup: output.pickup, gain: output.gain }).collect();
        let actions: Vec<Action> = instrument.targets.iter().map(Action::new).collect();
        let bank = |voices, keys, calibration_gain| Self {
            voices,
            actions,
            outputs: outputs.clone(),
            keys,
            fading: 0,
            calibration_gain,
        };
        let Some(keyboard) = &scene.keyboard else {
            let sim = scene.compile(rate)?;
            let gain = gain.unwrap_or_else(|| gain_for_peak(trial_peak(instrument, sim.clone(), 1)));
            return Ok(bank(vec![sim; scene.polyphony].into_iter().map(Voice::steady).collect(), None, gain));
        };
        let copies = compile_copies(instrument, keyboard, rate)?;
        let nearest = keyboard.nearest_copy();
        let gain = gain.unwrap_or_else(|| gain_for_peak(copies[nearest].peak));
        let keys = Keys {
            polyphony: scene.polyphony,
            nearest: nearest as u8,
            gestures: 0,
            vibrato: 0.0,
            vibrato_step: VIBRATO_RATE / rate,
            common: vec![None; instrument.targets.len()],
        };
        let level_of_nearest = gain_for_peak(copies[nearest].peak);
        let voices = copies.into_iter().map(|copy| {
            let level = gain_for_peak(copy.peak) / level_of_nearest;
            Voice::keyed(copy.sim, rate, copy.steps, outputs.len(), [level, gain])
        });
        Ok(bank(voices.collect(), Some(keys), gain))
    }

    /// Gain from the units of the pickups to full scale.
    pub fn calibration_gain(&self) -> f64 {
        self.calibration_gain
    }

    /// The copy whose size is nearest to that of the scene.
    pub fn nearest_sim(&self) -> &Simulation {
        &self.voices[self.keys.as_ref().map_or(0, |keys| usize::from(keys.nearest))].sim
    }

    pub fn open_ledgers(&mut self) {
        self.voices.iter_mut().for_each(|voice| voice.sim.open_ledger());
    }

    pub fn len(&self) -> usize {
        self.voices.len()
    }

    pub fn sims(&self) -> impl Iterator<Item = &Simulation> {
        self.voices.iter().map(|voice| &voice.sim)
    }

    /// The copy that a display shows: the one that was played last.
    pub fn shown(&self) -> usize {
        let sounding = self.voices.iter().enumerate().filter_map(|(index, voice)| Some((voice.sounds_since()?, index)));
        let nearest = self.keys.as_ref().map_or(0, |keys| usize::from(keys.nearest));
        sounding.max().map_or(nearest, |(_, index)| index)
    }

    /// What a target does.
    pub fn action(&self, target: usize) -> Option<TargetAction> {
        self.actions.get(target).map(|action| action.action)
    }

    /// The target that restarts the scene.
    pub fn restart_target(&self) -> Option<usize> {
        self.actions.iter().position(|action| matches!(action.action, TargetAction::Restart))
    }

    /// Sets a target of one copy or all. Returns whether the model accepted it.
    pub fn set(&mut self, voice: u8, index: usize, value: f64) -> bool {
        let Some(&target) = self.actions.get(index) else { return false };
        let voice = match &mut self.keys {
            Some(keys) if voice == ALL_VOICES && target.makes_sound() => keys.nearest,
            Some(keys) if voice == ALL_VOICES => {
                keys.common[index] = Some(value);
                voice
            }
            _ => voice,
        };
        if voice != ALL_VOICES && target.makes_sound() && value != 0.0 {
            self.wake(usize::from(voice));
        }
        if voice != ALL_VOICES {
            return self.voices.get_mut(usize::from(voice)).is_some_and(|voice| target.apply(voice, value));
        }
        let mut all = true;
        self.voices.iter_mut().for_each(|voice| all &= target.apply(voice, value));
        all
    }

    /// Sets a pressure image in all copies.
    pub fn press(&mut self, press: impl Fn(&mut Simulation) -> bool) -> bool {
        let mut all = true;
        self.voices.iter_mut().for_each(|voice| all &= press(&mut voice.sim));
        all
    }

    /// Plays a copy; others make way.
    fn wake(&mut self, index: usize) {
        let (Some(keys), Some(voice)) = (&mut self.keys, self.voices.get_mut(index)) else { return };
        keys.gestures += 1;
        if voice.wake(keys.gestures) {
            self.fading = self.fading.saturating_sub(1);
            keys.set_common(&self.actions, voice);
        }
        let sounding = self.voices.iter().filter_map(Voice::sounds_since).count();
        if sounding > keys.polyphony {
            let first = self.voices.iter_mut().filter(|voice| voice.sounds_since().is_some());
            if let Some(first) = first.min_by_key(|voice| voice.sounds_since()) {
                if self.fading < keys.polyphony {
                    first.make_way();
                    self.fading += 1;
                } else {
                    first.restart();
                    keys.set_common(&self.actions, first);
                }
            }
        }
    }

    /// Restarts all copies.
    pub fn restart(&mut self) {
        self.voices.iter_mut().for_each(Voice::restart);
        self.fading = 0;
        if let Some(keys) = &mut self.keys {
            keys.common.fill(None);
        }
    }

    /// Advances by one sample; `sums` are the outputs of all copies together.
    pub fn advance(&mut self, sums: &mut [f64]) {
        sums.fill(0.0);
        let vibrato = self.keys.as_mut().map_or(0.0, |keys| {
            keys.vibrato = (keys.vibrato + keys.vibrato_step).fract();
            (TAU * keys.vibrato).sin()
        });
        for voice in &mut self.voices {
            if voice.advance(&self.outputs, vibrato, sums)
                && let Some(keys) = &self.keys
            {
                self.fading = self.fading.saturating_sub(1);
                keys.set_common(&self.actions, voice);
            }
        }
    }

    /// Energy totals of the copies with an open ledger.
    pub fn energy_totals(&self) -> impl Iterator<Item = (usize, &Total)> {
        let ledgers = self.sims().enumerate();
        ledgers.filter_map(|(voice, sim)| Some((voice, &sim.ledger()?.total)))
    }
}

impl Keys {
    /// Sets what was set for all copies in one that started from rest.
    fn set_common(&self, actions: &[Action], voice: &mut Voice) {
        for (action, value) in actions.iter().zip(&self.common) {
            if let Some(value) = *value {
                action.apply(voice, value);
            }
        }
    }
}

/// What a target does in a copy of the scene.
#[derive(Clone, Copy)]
struct Action {
    action: TargetAction,
    /// Whether the target is a bow's force, which makes a sound as a strike does.
    is_bow_force: bool,
}

impl Action {
    fn new(target: &ControlTarget) -> Self {
        Self { action: target.action, is_bow_force: target.unit == "N" && target.name.ends_with(".force") }
    }

    /// Strikes, plucks, blows and bows.
    fn makes_sound(&self) -> bool {
        matches!(self.action, TargetAction::Strike(_) | TargetAction::Blow(_)) || self.is_bow_force
    }

    fn apply(&self, voice: &mut Voice, value: f64) -> bool {
        voice.mark_changed();
        match self.action {
            TargetAction::Param(param) => voice.sim.set(param, value),
            TargetAction::Strike(striker) => voice.sim.strike(striker, value),
            TargetAction::Blow(mallet) => voice.sim.blow(mallet, value),
            TargetAction::Bend => {
                voice.set_bend(value);
                true
            }
            TargetAction::Vibrato => {
                voice.set_vibrato(value);
                true
            }
            TargetAction::Gain(_) | TargetAction::Volume | TargetAction::Restart | TargetAction::TouchImage(..) => {
                false
            }
        }
    }
}

/// The copy of a key.
struct Copy {
    sim: Simulation,
    /// Steps per sample.
    steps: usize,
    /// Largest output in a trial run.
    peak: f64,
}

/// Compiles the copy of every key, on all processors.
fn compile_copies(instrument: &Instrument, keyboard: &Keyboard, rate: f64) -> Result<Vec<Copy>, PlayerError> {
    let scene = &instrument.scene;
    let compile = |copy: usize| {
        let ratio = keyboard.ratio(copy);
        let steps = oversampling_factor(LEAST_RATE * scene.sample_rate * ratio, rate);
        let sim = scene.compile(rate * steps as f64 / ratio)?;
        let peak = trial_peak(instrument, sim.clone(), steps);
        Ok(Copy { sim, steps, peak })
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if threads == 1 {
        return (0..keyboard.copies()).map(compile).collect();
    }
    // Every thread takes each `threads`-th copy, so that all have as many large ones.
    let of_thread = |first: usize| (first..keyboard.copies()).step_by(threads).map(compile).collect::<Vec<_>>();
    let mut lists: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|first| scope.spawn(move || of_thread(first).into_iter())).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).collect()
    });
    (0..keyboard.copies()).filter_map(|copy| lists.get_mut(copy % threads)?.next()).collect()
}
