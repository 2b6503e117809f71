//! The audio engine: executes commands, steps the simulation, mixes. Never allocates, locks or waits.
//!
//! Order       for every sample: execute commands that are due, step, mix, level, limit. So the size of the buffers does not change
//!             the sound
//! Safety      a scene that holds more energy than it was given is restarted: see `runaway`. The session says so
//! Allocates   only in `build`

use crate::collector::{Collector, Sinks};
use crate::command::{ALL_VOICES, EngineCommand, EngineEvent, TimedCommand};
use crate::cpu_timer::CpuTimer;
use crate::displacement_view::DisplacementView;
use crate::engine_handle::EngineHandle;
use crate::leveler::Leveler;
use crate::limiter::{Limiter, look_ahead_frames};
use crate::meter::Meter;
use crate::mixer::SmoothedValue;
use crate::player::Player;
use percuss_scene::instrument::Instrument;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Capacity of the queues of commands and of events.
const QUEUE_CAPACITY: usize = 1 << 14;
/// Capacity of the queue of samples to record \[s\].
const RECORDING_BUFFER_TIME: f64 = 4.0;
/// Maximum cost of the commands without a time that are executed in one buffer, so that a flood does not miss the deadline.
/// Setting one parameter costs 1.
const COMMAND_BUDGET: u32 = 256;
/// Cost of setting a pressure image.
const IMAGE_COST: u32 = 64;
/// Duration of the cross-fade between scenes \[s\].
const CROSSFADE_TIME: f64 = 0.01;
/// Samples between two checks whether the scene runs away.
const RUNAWAY_INTERVAL: u64 = 64;
/// Updates of the view per second.
const VIEW_RATE: f64 = 30.0;

/// Fills audio buffers.
pub struct AudioEngine {
    sample_rate: f64,
    channels: usize,
    /// Samples played.
    sample_time: u64,
    commands: Consumer<TimedCommand>,
    events: Producer<EngineEvent>,
    recording: Option<Producer<f32>>,
    player: Box<Player>,
    /// The previous scene and its gain, during a cross-fade.
    outgoing: Option<(Box<Player>, SmoothedValue)>,
    frame: Vec<f64>,
    leveler: Leveler,
    limiter: Limiter,
    meter: Arc<Meter>,
    view: Arc<DisplacementView>,
    /// Samples between updates of the view.
    view_interval: u64,
    /// Images in the command queue.
    pending_images: Arc<AtomicU32>,
}

/// An audio engine and its connections to other threads.
pub struct EngineParts {
    /// For the audio thread.
    pub engine: AudioEngine,
    /// For threads that control the engine.
    pub handle: EngineHandle,
    /// For the thread that frees memory and writes files.
    pub collector: Collector,
    /// Load, peaks and energy.
    pub meter: Arc<Meter>,
    /// Displacements for a display.
    pub view: Arc<DisplacementView>,
}

/// A queue that has been filled once, so that all its pages are mapped before the audio thread writes to them.
fn prefaulted_ring<T>(slots: usize, filler: impl Fn() -> T) -> (Producer<T>, Consumer<T>) {
    let (mut producer, mut consumer) = RingBuffer::new(slots);
    while producer.push(filler()).is_ok() {}
    while consumer.pop().is_ok() {}
    (producer, consumer)
}

impl AudioEngine {
    /// Builds an engine for a sample rate \[Hz\] and a number of channels. `sinks` are the files that the collector writes.
    pub fn build(
        instrument: Instrument,
        player: Player,
        sample_rate: f64,
        channels: usize,
        sinks: Sinks,
    ) -> EngineParts {
        let (sender, commands) = prefaulted_ring(QUEUE_CAPACITY, || TimedCommand {
            time: 0,
            command: EngineCommand::Set { scene_index: 0, voice: ALL_VOICES, target: 0, value: 0.0 },
        });
        let (events, event_receiver) = prefaulted_ring(QUEUE_CAPACITY, || EngineEvent::CommandIgnored(None));
        let pending_images = Arc::new(AtomicU32::new(0));
        // The first read of the clock makes a system call: do it here, not on the audio thread.
        let _ = CpuTimer::start();
        let (meter, view) = (Arc::new(Meter::default()), Arc::new(DisplacementView::default()));
        let (recording, sample_receiver) = match &sinks.recording {
            Some(_) => {
                let (recording, sample_receiver) =
                    prefaulted_ring((RECORDING_BUFFER_TIME * sample_rate) as usize * channels, || 0.0);
                (Some(recording), Some(sample_receiver))
            }
            None => (None, None),
        };
        let engine = Self {
            sample_rate,
            channels,
            sample_time: 0,
            commands,
            events,
            recording,
            player: Box::new(player),
            outgoing: None,
            frame: vec![0.0; channels],
            leveler: Leveler::new(sample_rate),
            limiter: Limiter::new(channels, sample_rate),
            meter: meter.clone(),
            view: view.clone(),
            view_interval: (sample_rate / VIEW_RATE) as u64,
            pending_images: pending_images.clone(),
        };
        let collector = Collector::new(event_receiver, sample_receiver, sinks, meter.clone(), sample_rate);
        let handle = EngineHandle::new(sender, pending_images, instrument);
        EngineParts { engine, handle, collector, meter, view }
    }

    /// Samples played.
    pub fn sample_time(&self) -> u64 {
        self.sample_time
    }

    /// Frames by which the output is later than the scene: the look-ahead of the limiter.
    pub fn output_delay(&self) -> usize {
        look_ahead_frames(self.sample_rate)
    }

    /// Fills a buffer of interleaved frames.
    pub fn process(&mut self, out: &mut [f32]) {
        let timer = CpuTimer::start();
        let mut budget = COMMAND_BUDGET;
        for frame in out.chunks_mut(self.channels) {
            self.drain_commands(&mut budget);
            self.render_frame(frame);
            self.sample_time += 1;
            if self.sample_time.is_multiple_of(RUNAWAY_INTERVAL) {
                self.check_runaway();
            }
            if self.sample_time.is_multiple_of(self.view_interval) {
                self.player.update_view(&self.view);
            }
        }
        self.finish_buffer(out, timer);
    }

    /// Executes what is due when the stream has stopped: commands sent after the last buffer, which no sample will follow, are in the
    /// session like all others.
    pub fn finish(&mut self) {
        let (mut pending, mut budget) = (usize::MAX, u32::MAX);
        while self.commands.slots() < pending {
            pending = self.commands.slots();
            // A scene waits for the cross-fade before it, which will not go on.
            self.retire_outgoing();
            self.drain_commands(&mut budget);
        }
    }

    /// Executes the commands that are due.
    fn drain_commands(&mut self, budget: &mut u32) {
        while let Ok(next) = self.commands.peek() {
            let is_late = next.time < self.sample_time;
            let must_wait = matches!(next.command, EngineCommand::SwapScene(_)) && self.outgoing.is_some();
            if next.time > self.sample_time || (is_late && *budget == 0) || must_wait || self.events.slots() < 2 {
                return;
            }
            if is_late {
                *budget = budget.saturating_sub(command_cost(&next.command, self.player.polyphony()));
            }
            if let Ok(TimedCommand { command, .. }) = self.commands.pop() {
                let event = self.execute(command);
                // There is room: it was checked above, and only this thread pushes.
                let _ = self.events.push(event);
            }
        }
    }

    fn execute(&mut self, command: EngineCommand) -> EngineEvent {
        let time = self.sample_time;
        match command {
            EngineCommand::Set { scene_index, voice, target, value } => {
                let is_active = scene_index == self.player.scene_index;
                let is_set = is_active && self.player.set(voice, target as usize, value);
                if is_set { EngineEvent::Set { time, voice, target, value } } else { EngineEvent::CommandIgnored(None) }
            }
            EngineCommand::SetImage { scene_index, target, image } => {
                self.pending_images.fetch_sub(1, Relaxed);
                let is_active = scene_index == self.player.scene_index;
                let is_set = is_active && self.player.set_image(target as usize, &image);
                if is_set {
                    EngineEvent::ImageSet { time, target, image }
                } else {
                    EngineEvent::CommandIgnored(Some(image))
                }
            }
            EngineCommand::SwapScene(player) => {
                let scene_index = player.scene_index;
                let previous = std::mem::replace(&mut self.player, player);
                let mut gain = SmoothedValue::new(1.0);
                gain.set_target(0.0, (CROSSFADE_TIME * self.sample_rate) as u32);
                self.outgoing = Some((previous, gain));
                EngineEvent::SceneSwapped { time, scene_index }
            }
        }
    }

    /// Renders one frame.
    fn render_frame(&mut self, frame: &mut [f32]) {
        self.frame.fill(0.0);
        let mut gain = 1.0;
        if let Some((previous, outgoing_gain)) = &mut self.outgoing {
            let outgoing = outgoing_gain.next_value();
            gain = 1.0 - outgoing;
            previous.add_frame(outgoing, &mut self.frame);
            if !outgoing_gain.is_smoothing() {
                self.retire_outgoing();
            }
        }
        self.player.add_frame(gain, &mut self.frame);
        if !self.frame.iter().all(|sample| sample.is_finite()) {
            self.nan_reset();
        }
        self.leveler.process(&mut self.frame);
        self.frame.iter().enumerate().for_each(|(channel, sample)| self.meter.record_peak(channel, sample.abs()));
        self.meter.record_limiter_gain(self.limiter.process(&mut self.frame));
        frame.iter_mut().zip(&self.frame).for_each(|(out, &sample)| *out = sample as f32);
    }

    /// Replaces a frame that is not finite with silence, and restarts the scene.
    fn nan_reset(&mut self) {
        self.frame.fill(0.0);
        self.player.restart_now();
        self.meter.record_nan_reset();
    }

    /// Returns the previous scene to the collector; keeps it, silent, while the queue is full.
    fn retire_outgoing(&mut self) {
        if self.events.slots() > 0
            && let Some((previous, _)) = self.outgoing.take()
        {
            let _ = self.events.push(EngineEvent::PlayerRetired(previous));
        }
    }

    /// Restarts a scene that runs away, and records that as a command at the next sample, which a replay executes.
    fn check_runaway(&mut self) {
        if self.events.slots() > 0
            && self.player.is_running_away()
            && let Some(target) = self.player.request_restart()
        {
            self.meter.record_cut_out();
            let event = EngineEvent::Set { time: self.sample_time, voice: ALL_VOICES, target, value: 1.0 };
            let _ = self.events.push(event);
        }
    }

    /// Queues the samples for the recording and updates the meter.
    fn finish_buffer(&mut self, out: &[f32], timer: CpuTimer) {
        if let Some(recording) = &mut self.recording {
            // Whole frames only, to keep the channels in order.
            let room = recording.slots() / self.channels * self.channels;
            let recorded = &out[..out.len().min(room)];
            recorded.iter().for_each(|&sample| {
                let _ = recording.push(sample);
            });
            self.meter.record_dropped_frames(((out.len() - recorded.len()) / self.channels) as u64);
        }
        self.meter.record_ledger_state(self.player.has_ledger());
        self.player.energy_totals().for_each(|(voice, total)| self.meter.record_energy(voice, total));
        self.meter.record_samples(self.sample_time);
        let period = (out.len() / self.channels) as f64 / self.sample_rate;
        if period > 0.0 {
            self.meter.record_load(timer.elapsed().as_secs_f64() / period);
        }
    }
}

/// Cost of a command on a scene with a number of voices; setting one parameter of one voice costs 1.
fn command_cost(command: &EngineCommand, voices: u32) -> u32 {
    match command {
        EngineCommand::Set { voice: ALL_VOICES, .. } => voices,
        EngineCommand::Set { .. } | EngineCommand::SwapScene(_) => 1,
        EngineCommand::SetImage { .. } => IMAGE_COST * voices,
    }
}
