//! Sends commands to the audio engine from other threads.

#![expect(
    clippy::disallowed_types,
    reason = "senders lock each other out; the audio thread only reads the other end of the queue"
)]

use crate::command::{ALL_VOICES, EngineCommand, PressureImage, TimedCommand};
use crate::player::Player;
use percuss_scene::instrument::Instrument;
use rtrb::Producer;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The scene that is playing, and the values of its targets.
#[derive(Debug)]
pub struct ActiveScene {
    /// The instrument.
    pub instrument: Instrument,
    pub(crate) scene_index: u32,
    /// Last value of every target.
    values: Vec<AtomicU64>,
}

impl ActiveScene {
    fn new(instrument: Instrument, scene_index: u32) -> Self {
        let values = instrument.targets.iter().map(|target| AtomicU64::new(target.initial.to_bits())).collect();
        Self { instrument, scene_index, values }
    }

    /// Last value of a target; its initial value until it is set.
    pub fn value(&self, target: usize) -> f64 {
        self.values.get(target).map_or(0.0, |value| f64::from_bits(value.load(Relaxed)))
    }
}

/// Maximum number of queued images without a time. The engine executes few of them per buffer; dropping images is better
/// than a growing delay.
const MAX_PENDING_IMAGES: u32 = 8;

struct SharedState {
    commands: Mutex<Producer<TimedCommand>>,
    active_scene: RwLock<Arc<ActiveScene>>,
    /// Images in the queue; the engine decrements it.
    pending_images: Arc<AtomicU32>,
    dropped: AtomicU64,
    /// Number of the program that was requested, or [`NO_PROGRAM`].
    program: AtomicU32,
}

/// No program was requested.
const NO_PROGRAM: u32 = u32::MAX;

/// Handle to the audio engine. Clones send to the same engine.
#[derive(Clone)]
pub struct EngineHandle {
    shared: Arc<SharedState>,
}

impl EngineHandle {
    pub(crate) fn new(
        commands: Producer<TimedCommand>,
        pending_images: Arc<AtomicU32>,
        instrument: Instrument,
    ) -> Self {
        let active_scene = RwLock::new(Arc::new(ActiveScene::new(instrument, 0)));
        let commands = Mutex::new(commands);
        let (dropped, program) = (AtomicU64::new(0), AtomicU32::new(NO_PROGRAM));
        Self { shared: Arc::new(SharedState { commands, active_scene, pending_images, dropped, program }) }
    }

    /// The scene that is playing.
    pub fn active_scene(&self) -> Arc<ActiveScene> {
        self.shared.active_scene.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Commands that were dropped because the queue was full or had too many images.
    pub fn dropped_commands(&self) -> u64 {
        self.shared.dropped.load(Relaxed)
    }

    /// Requests a scene by its number, as a program change does. Whoever loads scenes takes the request.
    pub fn request_program(&self, program: u8) -> bool {
        self.shared.program.store(u32::from(program), Relaxed);
        true
    }

    /// Takes the program that was requested last.
    pub fn take_program_request(&self) -> Option<u8> {
        u8::try_from(self.shared.program.swap(NO_PROGRAM, Relaxed)).ok()
    }

    fn send(&self, time: u64, command: EngineCommand) -> bool {
        let mut commands = self.shared.commands.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = &self.shared.pending_images;
        let is_image = matches!(command, EngineCommand::SetImage { .. });
        let exceeds_limit = is_image && time == 0 && pending.load(Relaxed) >= MAX_PENDING_IMAGES;
        // Counted before the engine can receive it.
        pending.fetch_add(u32::from(is_image), Relaxed);
        let sent = !exceeds_limit && commands.push(TimedCommand { time, command }).is_ok();
        if !sent {
            pending.fetch_sub(u32::from(is_image), Relaxed);
            self.shared.dropped.fetch_add(1, Relaxed);
        }
        sent
    }

    /// Sets a target as soon as possible. Returns whether the command was sent; a value that is not finite is not.
    pub fn set(&self, target: usize, value: f64) -> bool {
        self.set_at(0, target, value)
    }

    /// Sets a target at a sample.
    pub fn set_at(&self, time: u64, target: usize, value: f64) -> bool {
        self.set_voice_at(time, ALL_VOICES, target, value)
    }

    /// Sets a target of one voice at a sample, or of [`ALL_VOICES`].
    pub fn set_voice_at(&self, time: u64, voice: u8, target: usize, value: f64) -> bool {
        let scene = self.active_scene();
        if !value.is_finite() || target >= scene.instrument.targets.len() {
            return false;
        }
        let [min, max] = scene.instrument.targets[target].range;
        let value = value.clamp(min, max);
        scene.values[target].store(value.to_bits(), Relaxed);
        self.send(time, EngineCommand::Set { scene_index: scene.scene_index, voice, target: target as u32, value })
    }

    /// Sets the target with a name. Returns whether it exists and the command was sent.
    pub fn set_by_name(&self, name: &str, value: f64) -> bool {
        let target = self.active_scene().instrument.find_target(name);
        target.is_some_and(|target| self.set(target, value))
    }

    /// Sets the pressure image of a touch at a sample, 0 for as soon as possible.
    pub fn set_image_at(&self, time: u64, target: usize, image: PressureImage) -> bool {
        let scene_index = self.active_scene().scene_index;
        let is_rectangular =
            image.width > 0 && !image.values.is_empty() && image.values.len().is_multiple_of(image.width);
        let image = Box::new(image);
        is_rectangular && self.send(time, EngineCommand::SetImage { scene_index, target: target as u32, image })
    }

    /// Cross-fades to another scene at a sample, 0 for as soon as possible. Later commands are for that scene.
    pub fn swap_scene_at(&self, time: u64, instrument: Instrument, mut player: Player) -> bool {
        let mut active_scene = self.shared.active_scene.write().unwrap_or_else(PoisonError::into_inner);
        let scene_index = active_scene.scene_index + 1;
        player.scene_index = scene_index;
        let sent = self.send(time, EngineCommand::SwapScene(Box::new(player)));
        if sent {
            *active_scene = Arc::new(ActiveScene::new(instrument, scene_index));
        }
        sent
    }
}
