//! A compiled scene for playing: simulations, targets and mixer.

use crate::calibration;
use crate::command::PressureImage;
use crate::dc_block::DcBlock;
use crate::decimator::{Decimator, oversampling_factor};
use crate::displacement_view::{DisplacementView, ViewSource};
use crate::mixer::{Mixer, SmoothedValue};
use crate::runaway::RunawayGuard;
use crate::voice_bank::VoiceBank;
use percuss::{Simulation, Total};
use percuss_scene::instrument::{Instrument, TargetAction};
use percuss_scene::{Diagnostic, Scene};

/// Time in which a scene fades out before a restart, and in after it \[s\].
const RESTART_FADE_TIME: f64 = 0.005;

/// Whether the energy ledger is open. With plates it can take more time than the scene itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LedgerMode {
    /// Open if the machine is fast enough. Closed in WebAssembly, which has no clock.
    #[default]
    Auto,
    /// Open.
    On,
    /// Closed.
    Off,
}

/// The scene does not compile.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct PlayerError(#[from] pub Box<Diagnostic>);

/// A compiled scene with its live controls.
pub struct Player {
    /// One simulation per voice or key.
    voices: VoiceBank,
    /// Outputs of the scene at one step.
    outputs: Vec<f64>,
    mixer: Mixer,
    /// Decimator and a frame, if the scene runs at a multiple of the device rate.
    decimator: Option<(Decimator, Vec<f64>)>,
    /// Output of one device sample, before the fade.
    frame: Vec<f64>,
    dc_block: DcBlock,
    guard: RunawayGuard,
    /// What a display shows of every copy.
    view_sources: Vec<Option<ViewSource>>,
    /// Gain that fades out before a restart, and in after it.
    restart_fade: SmoothedValue,
    restart_fade_samples: u32,
    restart_pending: bool,
    /// Index of the scene in the session.
    pub(crate) scene_index: u32,
}

impl Player {
    /// Compiles a scene for a sample rate \[Hz\] and a number of channels. Without a `calibration_gain`, simulates one
    /// second of the scene to find it.
    ///
    /// # Errors
    /// The scene does not compile at this rate.
    pub fn new(
        instrument: &Instrument,
        rate: f64,
        channels: usize,
        calibration_gain: Option<f64>,
        ledger_mode: LedgerMode,
    ) -> Result<Self, PlayerError> {
        let scene: &Scene = &instrument.scene;
        // Copies for keys have rates of their own.
        let steps = if scene.keyboard.is_some() { 1 } else { oversampling_factor(scene.sample_rate, rate) };
        let (device_rate, rate) = (rate, rate * steps as f64);
        let mut voices = VoiceBank::new(instrument, rate, calibration_gain)?;
        let calibration_gain = voices.calibration_gain();
        let has_ledger = match ledger_mode {
            LedgerMode::Auto if cfg!(target_family = "wasm") => false,
            LedgerMode::Auto => calibration::can_afford_ledger(voices.nearest_sim().clone(), scene.polyphony),
            LedgerMode::On => true,
            LedgerMode::Off => false,
        };
        if has_ledger {
            voices.open_ledgers();
        }
        let decimator = (steps > 1).then(|| (Decimator::new(steps, channels), vec![0.0; channels]));
        let settling_frames = decimator.as_ref().map_or(1, |(decimator, _)| decimator.settling_frames());
        let view_sources = voices.sims().map(|sim| ViewSource::new(scene, sim)).collect();
        Ok(Self {
            voices,
            outputs: vec![0.0; scene.outputs.len()],
            mixer: Mixer::new(scene, channels, rate, calibration_gain),
            decimator,
            frame: vec![0.0; channels],
            dc_block: DcBlock::new(channels, device_rate, settling_frames),
            guard: RunawayGuard::new(device_rate),
            view_sources,
            restart_fade: SmoothedValue::new(1.0),
            restart_fade_samples: (RESTART_FADE_TIME * device_rate) as u32,
            restart_pending: false,
            scene_index: 0,
        })
    }

    /// Gain from the units of the pickups to full scale.
    pub fn calibration_gain(&self) -> f64 {
        self.mixer.calibration_gain
    }

    /// Intervals of the grid of the plate that the view shows, between its edges; `None` where it shows none. A row or column of the
    /// view is the node that is nearest to its place.
    pub fn view_intervals(&self) -> Option<[usize; 2]> {
        match self.view_sources[self.voices.shown()] {
            Some(ViewSource::Plate(_, intervals)) => Some(intervals),
            Some(ViewSource::Line(_)) | None => None,
        }
    }

    /// Moving nodes and modes of all copies.
    pub fn node_count(&self) -> usize {
        self.voices.sims().map(Simulation::node_count).sum()
    }

    /// Number of voices.
    pub(crate) fn polyphony(&self) -> u32 {
        self.voices.len() as u32
    }

    /// Sets a target, for one voice or all. Returns whether the model accepted it.
    pub(crate) fn set(&mut self, voice: u8, target: usize, value: f64) -> bool {
        if !value.is_finite() {
            return false;
        }
        match self.voices.action(target) {
            Some(
                TargetAction::Param(_)
                | TargetAction::Strike(_)
                | TargetAction::Blow(_)
                | TargetAction::Bend
                | TargetAction::Vibrato,
            ) => self.voices.set(voice, target, value),
            Some(TargetAction::Gain(output)) => {
                self.mixer.set_gain(output, value.clamp(0.0, 10.0));
                true
            }
            Some(TargetAction::Volume) => {
                self.mixer.set_volume(value.clamp(0.0, 10.0));
                true
            }
            Some(TargetAction::Restart) => {
                self.request_restart();
                true
            }
            Some(TargetAction::TouchImage(..)) | None => false,
        }
    }

    /// Sets the pressure image of a touch. Returns whether the target takes images.
    pub(crate) fn set_image(&mut self, target: usize, image: &PressureImage) -> bool {
        match self.voices.action(target) {
            Some(TargetAction::TouchImage(plate, touch)) => {
                self.voices.press(|sim| sim.press(plate, touch, image.width, &image.values))
            }
            _ => false,
        }
    }

    /// Fades out; the restart follows. Returns the index of the target that does the same.
    pub(crate) fn request_restart(&mut self) -> Option<u32> {
        if !self.restart_pending {
            self.restart_pending = true;
            self.restart_fade.set_target(0.0, self.restart_fade_samples);
        }
        self.voices.restart_target().map(|index| index as u32)
    }

    /// Whether the scene holds more energy than it was given, or is louder than any scene that is played.
    pub(crate) fn is_running_away(&mut self) -> bool {
        let totals = self.voices.energy_totals();
        let (stored, given) = totals.fold((0.0, 0.0), |(stored, given), (_, total)| {
            (stored + total.stored, given + total.initial + total.supplied)
        });
        !self.restart_pending && (self.guard.exceeds_energy(stored, given) || self.guard.is_too_loud())
    }

    /// Advances by one device sample and adds the output to the frame.
    pub(crate) fn add_frame(&mut self, gain: f64, frame: &mut [f64]) {
        self.render();
        self.dc_block.process(&mut self.frame);
        self.guard.observe(&self.frame);
        let gain = gain * self.restart_fade.next_value();
        frame.iter_mut().zip(&self.frame).for_each(|(out, sample)| *out += gain * sample);
        if self.restart_pending && !self.restart_fade.is_smoothing() {
            self.restart_now();
        }
    }

    /// Computes the frame of one device sample.
    fn render(&mut self) {
        let Self { voices, mixer, outputs, decimator, frame, .. } = self;
        let mut step = |frame: &mut [f64]| {
            frame.fill(0.0);
            voices.advance(outputs);
            mixer.add_frame(outputs, frame);
        };
        match decimator {
            None => step(frame),
            Some((decimator, step_frame)) => {
                for _ in 0..decimator.factor() {
                    step(step_frame);
                    decimator.push_frame(step_frame);
                }
                decimator.compute_frame(frame);
            }
        }
    }

    /// Resets the simulations and fades in.
    pub(crate) fn restart_now(&mut self) {
        self.voices.restart();
        self.restart_pending = false;
        self.restart_fade = SmoothedValue::new(0.0);
        self.restart_fade.set_target(1.0, self.restart_fade_samples);
        self.dc_block.restart();
        self.guard.restart();
    }

    /// Whether the energy ledger is open.
    pub fn has_ledger(&self) -> bool {
        self.voices.energy_totals().next().is_some()
    }

    /// Index and energy totals of the voices, if the ledger is open.
    pub(crate) fn energy_totals(&self) -> impl Iterator<Item = (usize, &Total)> {
        self.voices.energy_totals()
    }

    /// Writes the displacements of the copy that was played last, or of the first voice, to the view.
    pub(crate) fn update_view(&mut self, view: &DisplacementView) {
        let shown = self.voices.shown();
        if let (Some(Some(source)), Some(sim)) = (self.view_sources.get_mut(shown), self.voices.sims().nth(shown)) {
            source.update(sim, view);
        }
    }
}
