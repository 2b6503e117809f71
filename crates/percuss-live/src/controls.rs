//! The way into the engine, for any thread but its own.

#![expect(
    clippy::disallowed_types,
    reason = "those who play wait for each other; the engine has the queue's other end"
)]

use crate::command::{ALL, Command, Picture, Timed};
use crate::player::Player;
use percuss_scene::instrument::Instrument;
use rtrb::Producer;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The scene on stage: what its targets are called.
#[derive(Debug)]
pub struct Stage {
    /// The scene as an instrument.
    pub instrument: Instrument,
    pub(crate) generation: u32,
    /// What every target was last set to.
    values: Vec<AtomicU64>,
}

impl Stage {
    fn new(instrument: Instrument, generation: u32) -> Self {
        let values = instrument.targets.iter().map(|target| AtomicU64::new(target.initial.to_bits())).collect();
        Self { instrument, generation, values }
    }

    /// What a target was last set to by whoever plays; at first what the scene begins with.
    pub fn value(&self, target: usize) -> f64 {
        self.values.get(target).map_or(0.0, |value| f64::from_bits(value.load(Relaxed)))
    }
}

/// Pictures without a time that may wait for the engine. It lays few of them per buffer, and those who see late what they
/// press are better served by gaps.
const MOST_PICTURES: u32 = 8;

struct Inner {
    way: Mutex<Producer<Timed>>,
    stage: RwLock<Arc<Stage>>,
    /// Pictures that are on their way; the engine counts them down.
    waiting_pictures: Arc<AtomicU32>,
    lost: AtomicU64,
}

/// Sends what controllers do. Clones send to the same engine.
#[derive(Clone)]
pub struct Controls {
    inner: Arc<Inner>,
}

impl Controls {
    pub(crate) fn new(way: Producer<Timed>, waiting_pictures: Arc<AtomicU32>, instrument: Instrument) -> Self {
        let stage = RwLock::new(Arc::new(Stage::new(instrument, 0)));
        Self { inner: Arc::new(Inner { way: Mutex::new(way), stage, waiting_pictures, lost: AtomicU64::new(0) }) }
    }

    /// What is on stage.
    pub fn stage(&self) -> Arc<Stage> {
        self.inner.stage.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Messages that found the queue full, or too many pictures waiting before them.
    pub fn lost(&self) -> u64 {
        self.inner.lost.load(Relaxed)
    }

    fn send(&self, time: u64, command: Command) -> bool {
        let mut way = self.inner.way.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = &self.inner.waiting_pictures;
        let is_picture = matches!(command, Command::Press { .. });
        let is_one_too_many = is_picture && time == 0 && waiting.load(Relaxed) >= MOST_PICTURES;
        // Counted before the engine can see it.
        waiting.fetch_add(u32::from(is_picture), Relaxed);
        let sent = !is_one_too_many && way.push(Timed { time, command }).is_ok();
        if !sent {
            waiting.fetch_sub(u32::from(is_picture), Relaxed);
            self.inner.lost.fetch_add(1, Relaxed);
        }
        sent
    }

    /// Sets a target as soon as possible. Returns whether it was sent: what is not finite is stopped here.
    pub fn set(&self, target: usize, value: f64) -> bool {
        self.set_at(0, target, value)
    }

    /// Sets a target at a sample.
    pub fn set_at(&self, time: u64, target: usize, value: f64) -> bool {
        self.set_voice_at(time, ALL, target, value)
    }

    /// Sets a target of one voice at a sample, or of [`ALL`].
    pub fn set_voice_at(&self, time: u64, voice: u8, target: usize, value: f64) -> bool {
        let stage = self.stage();
        if !value.is_finite() || target >= stage.instrument.targets.len() {
            return false;
        }
        let [least, most] = stage.instrument.targets[target].range;
        let value = value.clamp(least, most);
        stage.values[target].store(value.to_bits(), Relaxed);
        self.send(time, Command::Set { generation: stage.generation, voice, target: target as u32, value })
    }

    /// Sets the target of a name. Returns whether there is one and it was sent.
    pub fn set_named(&self, name: &str, value: f64) -> bool {
        let target = self.stage().instrument.find_target(name);
        target.is_some_and(|target| self.set(target, value))
    }

    /// Lays a picture on a touch at a sample, 0 for as soon as possible.
    pub fn press_at(&self, time: u64, target: usize, picture: Picture) -> bool {
        let generation = self.stage().generation;
        let whole =
            picture.width > 0 && !picture.values.is_empty() && picture.values.len().is_multiple_of(picture.width);
        let picture = Box::new(picture);
        whole && self.send(time, Command::Press { generation, target: target as u32, picture })
    }

    /// Goes over to another scene at a sample, 0 for as soon as possible. What is sent from now on is for that scene.
    pub fn swap_at(&self, time: u64, instrument: Instrument, mut player: Player) -> bool {
        let mut stage = self.inner.stage.write().unwrap_or_else(PoisonError::into_inner);
        let generation = stage.generation + 1;
        player.generation = generation;
        let sent = self.send(time, Command::Swap(Box::new(player)));
        if sent {
            *stage = Arc::new(Stage::new(instrument, generation));
        }
        sent
    }
}
