//! The engine: obeys, steps, mixes; never allocates, locks or waits.
//!
//! Order       for every sample: what is due is done, then the scene moves by one step, then it is heard. So it does not
//!             matter how samples are grouped into buffers.
//! Allocates   only in `rig`

use crate::clock::Stopwatch;
use crate::command::{ALL, Command, Done, Timed};
use crate::controls::Controls;
use crate::housekeeper::{Housekeeper, Outlets};
use crate::meter::Meter;
use crate::mixer::Glide;
use crate::player::Player;
use crate::view::View;
use percuss_scene::instrument::Instrument;
use rtrb::{Consumer, Producer, RingBuffer};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Messages that can wait for the engine, and that can wait to be cleared away.
const QUEUE: usize = 1 << 14;
/// Seconds of sound that a slow disk may keep waiting.
const SLACK: f64 = 4.0;
/// What is obeyed in one buffer of messages without a time, counted in dials that turn: a flood must not cost the
/// deadline.
const AT_ONCE: u32 = 256;
/// Dials that could turn in the time in which a picture is laid on a plate.
const PICTURE: u32 = 64;
/// Time in which one scene goes and another comes \[s\].
const CROSSING: f64 = 0.01;
/// Pictures per second.
const PICTURES: f64 = 30.0;

/// Fills buffers.
pub struct Engine {
    rate: f64,
    channels: usize,
    now: u64,
    commands: Consumer<Timed>,
    done: Producer<Done>,
    record: Option<Producer<f32>>,
    player: Box<Player>,
    /// The scene that goes while another comes, and how much of it is left.
    leaving: Option<(Box<Player>, Glide)>,
    frame: Vec<f64>,
    meter: Arc<Meter>,
    view: Arc<View>,
    picture_every: u64,
    waiting_pictures: Arc<AtomicU32>,
}

/// An engine and everything around it.
pub struct Rig {
    /// For the audio thread.
    pub engine: Engine,
    /// For controllers.
    pub controls: Controls,
    /// For the thread that clears away.
    pub housekeeper: Housekeeper,
    /// How it goes.
    pub meter: Arc<Meter>,
    /// How it looks.
    pub view: Arc<View>,
}

/// Builds an engine. `outlets` take what is recorded and noted.
pub fn rig(instrument: Instrument, player: Player, rate: f64, channels: usize, outlets: Outlets) -> Rig {
    let (way, commands) =
        ring(QUEUE, || Timed { time: 0, command: Command::Set { generation: 0, voice: ALL, target: 0, value: 0.0 } });
    let (done, cleared) = ring(QUEUE, || Done::Ignored(None));
    let waiting_pictures = Arc::new(AtomicU32::new(0));
    // Whoever looks at the clock first asks the system for the way to it: not the audio thread.
    let _ = Stopwatch::start();
    let (meter, view) = (Arc::new(Meter::default()), Arc::new(View::default()));
    let (record, recorded) = match &outlets.recording {
        Some(_) => {
            let (record, recorded) = ring((SLACK * rate) as usize * channels, || 0.0);
            (Some(record), Some(recorded))
        }
        None => (None, None),
    };
    let engine = Engine {
        rate,
        channels,
        now: 0,
        commands,
        done,
        record,
        player: Box::new(player),
        leaving: None,
        frame: vec![0.0; channels],
        meter: meter.clone(),
        view: view.clone(),
        picture_every: (rate / PICTURES) as u64,
        waiting_pictures: waiting_pictures.clone(),
    };
    let housekeeper = Housekeeper::new(cleared, recorded, outlets);
    Rig { engine, controls: Controls::new(way, waiting_pictures, instrument), housekeeper, meter, view }
}

/// A queue that was full once, so that the system has given it all its memory before the audio thread writes there.
fn ring<T>(slots: usize, anything: impl Fn() -> T) -> (Producer<T>, Consumer<T>) {
    let (mut producer, mut consumer) = RingBuffer::new(slots);
    while producer.push(anything()).is_ok() {}
    while consumer.pop().is_ok() {}
    (producer, consumer)
}

impl Engine {
    /// Fills a buffer of interleaved frames.
    pub fn process(&mut self, out: &mut [f32]) {
        let watch = Stopwatch::start();
        let mut budget = AT_ONCE;
        for frame in out.chunks_mut(self.channels) {
            self.obey(&mut budget);
            self.play(frame);
            self.now += 1;
            if self.now.is_multiple_of(self.picture_every) {
                self.player.show(&self.view);
            }
        }
        self.note(out, watch);
    }

    /// Does what is due.
    fn obey(&mut self, budget: &mut u32) {
        while let Ok(next) = self.commands.peek() {
            let is_late = next.time < self.now;
            let must_wait = matches!(next.command, Command::Swap(_)) && self.leaving.is_some();
            if next.time > self.now || (is_late && *budget == 0) || must_wait || self.done.slots() < 2 {
                return;
            }
            if is_late {
                *budget = budget.saturating_sub(effort(&next.command, self.player.voices()));
            }
            if let Ok(Timed { command, .. }) = self.commands.pop() {
                let done = self.execute(command);
                // There is room: it was asked for above, and no one else fills it.
                let _ = self.done.push(done);
            }
        }
    }

    fn execute(&mut self, command: Command) -> Done {
        let time = self.now;
        match command {
            Command::Set { generation, voice, target, value } => {
                let is_known = generation == self.player.generation;
                let taken = is_known && self.player.set(voice, target as usize, value);
                if taken { Done::Set { time, voice, target, value } } else { Done::Ignored(None) }
            }
            Command::Press { generation, target, picture } => {
                self.waiting_pictures.fetch_sub(1, Relaxed);
                let is_known = generation == self.player.generation;
                let taken = is_known && self.player.press(target as usize, &picture);
                if taken { Done::Pressed { time, target, picture } } else { Done::Ignored(Some(picture)) }
            }
            Command::Swap(player) => {
                let generation = player.generation;
                let before = std::mem::replace(&mut self.player, player);
                let mut fade = Glide::at(1.0);
                fade.set(0.0, (CROSSING * self.rate) as u32);
                self.leaving = Some((before, fade));
                Done::Swapped { time, generation }
            }
        }
    }

    /// One sample.
    fn play(&mut self, frame: &mut [f32]) {
        self.frame.fill(0.0);
        let mut coming = 1.0;
        if let Some((before, fade)) = &mut self.leaving {
            let left = fade.next();
            coming = 1.0 - left;
            before.frame(left, &mut self.frame);
            if fade.is_still() {
                self.retire();
            }
        }
        self.player.frame(coming, &mut self.frame);
        if !self.frame.iter().all(|sample| sample.is_finite()) {
            // The physics left the numbers: silence, and from the beginning.
            self.frame.fill(0.0);
            self.player.start_again();
            self.meter.note_rescue();
        }
        for (channel, (out, &sample)) in frame.iter_mut().zip(&self.frame).enumerate() {
            *out = Player::limited(sample);
            self.meter.note_peak(channel, sample.abs());
        }
    }

    /// Hands the scene that has gone to those who can free it; keeps it, silent, until there is room.
    fn retire(&mut self) {
        if self.done.slots() > 0
            && let Some((before, _)) = self.leaving.take()
        {
            let _ = self.done.push(Done::Retired(before));
        }
    }

    fn note(&mut self, out: &[f32], watch: Stopwatch) {
        if let Some(record) = &mut self.record {
            // Whole frames, or the channels would change places.
            let room = record.slots() / self.channels * self.channels;
            let fits = &out[..out.len().min(room)];
            fits.iter().for_each(|&sample| {
                let _ = record.push(sample);
            });
            self.meter.note_gap(((out.len() - fits.len()) / self.channels) as u64);
        }
        self.meter.note_account(self.player.has_account());
        self.player.energies().for_each(|(voice, total)| self.meter.note_energy(voice, total));
        self.meter.note_samples(self.now);
        let period = (out.len() / self.channels) as f64 / self.rate;
        if period > 0.0 {
            self.meter.note_load(watch.elapsed().as_secs_f64() / period);
        }
    }
}

/// What a message costs on a scene of so many voices, in dials that turn.
fn effort(command: &Command, voices: u32) -> u32 {
    match command {
        Command::Set { voice: ALL, .. } => voices,
        Command::Set { .. } | Command::Swap(_) => 1,
        Command::Press { .. } => PICTURE * voices,
    }
}
