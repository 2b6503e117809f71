//! A scene compiled for playing: its simulations, what its targets do, what is heard of it.

use crate::command::{ALL, Picture};
use crate::decimate::{Decimator, factor};
use crate::mixer::{Glide, Mixer};
use crate::view::{Subject, View};
use crate::{calibrate, mixer};
use percuss::{Simulation, Total};
use percuss_scene::instrument::{Action, Instrument};
use percuss_scene::{Diagnostic, Scene};

/// Time in which a scene that is started again goes and comes \[s\].
const BREATH: f64 = 0.005;

/// Whether the energy account is kept, which takes more than the scene itself where there are plates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Account {
    /// Where the machine is fast enough.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// Why a scene cannot be played.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct PlayerError(#[from] pub Box<Diagnostic>);

/// A scene that can be played.
pub struct Player {
    voices: Vec<Simulation>,
    actions: Vec<Action>,
    mixer: Mixer,
    /// Where the scene needs more steps than the device has samples.
    decimator: Option<(Decimator, Vec<f64>)>,
    subject: Option<Subject>,
    /// Fades out before the scene starts again, and in after it.
    breath: Glide,
    breath_samples: u32,
    restarts: bool,
    /// Which scene of the session it is.
    pub(crate) generation: u32,
}

impl Player {
    /// Compiles a scene for a rate \[Hz\] and a number of channels. Takes its time: a second of it is simulated to find
    /// how loud it is, unless the `level` is known already.
    ///
    /// # Errors
    /// Whatever the engine refuses at this rate.
    pub fn new(
        instrument: &Instrument,
        rate: f64,
        channels: usize,
        level: Option<f64>,
        account: Account,
    ) -> Result<Self, PlayerError> {
        let scene: &Scene = &instrument.scene;
        let steps = factor(scene.sample_rate, rate);
        let rate = rate * steps as f64;
        let mut sim = scene.compile(rate)?;
        let level = level.unwrap_or_else(|| calibrate::level(instrument, sim.clone()));
        let subject = Subject::of(scene, &sim);
        let is_kept = match account {
            Account::Auto => calibrate::can_afford_account(sim.clone(), scene.polyphony),
            Account::On => true,
            Account::Off => false,
        };
        if is_kept {
            sim.open_ledger();
        }
        Ok(Self {
            voices: vec![sim; scene.polyphony],
            actions: instrument.targets.iter().map(|target| target.action).collect(),
            mixer: Mixer::new(scene, channels, rate, level),
            decimator: (steps > 1).then(|| (Decimator::new(steps, channels), vec![0.0; channels])),
            subject,
            breath: Glide::at(1.0),
            breath_samples: (BREATH * rate) as u32,
            restarts: false,
            generation: 0,
        })
    }

    /// Factor from the scene's own units to full scale.
    pub fn level(&self) -> f64 {
        self.mixer.level
    }

    /// How many voices it has.
    pub(crate) fn voices(&self) -> u32 {
        self.voices.len() as u32
    }

    /// Sets a target, for one voice or all. Returns whether it was taken.
    pub(crate) fn set(&mut self, voice: u8, target: usize, value: f64) -> bool {
        if !value.is_finite() {
            return false;
        }
        match self.actions.get(target) {
            Some(&Action::Param(dial)) => self.each_voice(voice, |sim| sim.set(dial, value)),
            Some(&Action::Strike(striker)) => self.each_voice(voice, |sim| sim.strike(striker, value)),
            Some(&Action::Gain(output)) => {
                self.mixer.set_gain(output, value.clamp(0.0, 10.0));
                true
            }
            Some(Action::Volume) => {
                self.mixer.set_volume(value.clamp(0.0, 10.0));
                true
            }
            Some(Action::Restart) => {
                self.restart();
                true
            }
            Some(Action::TouchImage(..)) | None => false,
        }
    }

    fn each_voice(&mut self, voice: u8, act: impl Fn(&mut Simulation) -> bool) -> bool {
        if voice != ALL {
            return self.voices.get_mut(usize::from(voice)).is_some_and(act);
        }
        let mut all = true;
        self.voices.iter_mut().for_each(|sim| all &= act(sim));
        all
    }

    /// Lays a picture on a touch. Returns whether it was taken.
    pub(crate) fn press(&mut self, target: usize, picture: &Picture) -> bool {
        match self.actions.get(target) {
            Some(&Action::TouchImage(plate, touch)) => {
                self.each_voice(ALL, |sim| sim.press(plate, touch, picture.width, &picture.values))
            }
            _ => false,
        }
    }

    fn restart(&mut self) {
        if !self.restarts {
            self.restarts = true;
            self.breath.set(0.0, self.breath_samples);
        }
    }

    /// One sample on; adds what is heard to the frame.
    pub(crate) fn frame(&mut self, fade: f64, frame: &mut [f64]) {
        let Some((mut decimator, mut step)) = self.decimator.take() else { return self.step(fade, frame) };
        for _ in 0..decimator.factor() {
            step.fill(0.0);
            self.step(fade, &mut step);
            decimator.push(&step);
        }
        decimator.pull(&mut step);
        frame.iter_mut().zip(&step).for_each(|(out, sample)| *out += sample);
        self.decimator = Some((decimator, step));
    }

    /// One step of the physics.
    fn step(&mut self, fade: f64, frame: &mut [f64]) {
        let breath = self.breath.next();
        self.voices.iter_mut().for_each(Simulation::step);
        self.mixer.add(&self.voices, fade * breath, frame);
        if self.restarts && self.breath.is_still() {
            self.start_again();
        }
    }

    /// From the beginning, at once, coming in softly.
    pub(crate) fn start_again(&mut self) {
        self.voices.iter_mut().for_each(Simulation::reset);
        self.restarts = false;
        self.breath = Glide::at(0.0);
        self.breath.set(1.0, self.breath_samples);
    }

    /// Whether the energy account is kept.
    pub fn has_account(&self) -> bool {
        self.voices[0].ledger().is_some()
    }

    /// The energy accounts of the voices, where they are kept.
    pub(crate) fn energies(&self) -> impl Iterator<Item = (usize, &Total)> {
        let ledgers = self.voices.iter().enumerate();
        ledgers.filter_map(|(voice, sim)| Some((voice, &sim.ledger()?.total)))
    }

    /// Shows how the scene looks now.
    pub(crate) fn show(&mut self, view: &View) {
        if let Some(subject) = &mut self.subject {
            subject.show(&self.voices[0], view);
        }
    }

    /// A sample as it leaves.
    pub(crate) fn limited(sample: f64) -> f32 {
        mixer::limited(sample) as f32
    }
}
