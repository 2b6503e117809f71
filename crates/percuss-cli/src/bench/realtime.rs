//! Real time: how many tromba marinas one core plays, how evenly blocks take their time, and what more cores bring.

use super::clock::{median, nanoseconds};
use super::presets::{Player, named};
use percuss::{Simulation, batch};
use std::time::Instant;

/// Samples of a block.
pub const BLOCK: usize = 64;
/// How often a number of voices may fail to keep up before it is given up.
const TRIES: usize = 3;

/// Tromba marinas on one core.
pub struct Voices {
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// How many keep up: 99.9 % of their blocks come in time.
    pub voices: usize,
}

/// Times of the blocks of a scene.
pub struct Blocks {
    /// The preset.
    pub name: &'static str,
    /// Samples measured.
    pub samples: usize,
    /// The block in the middle \[ns\].
    pub median_ns: f64,
    /// One in a thousand takes longer \[ns\].
    pub p999_ns: f64,
    /// The longest \[ns\].
    pub max_ns: f64,
}

/// Many simulations on some cores.
pub struct Threads {
    /// Number of threads.
    pub threads: usize,
    /// Samples of all simulations together, per second.
    pub samples_per_second: f64,
}

fn high(mut times: Vec<f64>) -> [f64; 2] {
    times.sort_unstable_by(f64::total_cmp);
    let last = times.len() - 1;
    [times[last - times.len() / 1000], times[last]]
}

/// How many tromba marinas one core plays at a rate \[Hz\], taking turns block by block.
pub fn voices(rate: f64, seconds: f64) -> Voices {
    let scene = named("tromba-marina");
    let deadline = 1e9 * BLOCK as f64 / rate;
    let blocks = (seconds * rate) as usize / BLOCK;
    let mut one = Player::new(&scene, rate);
    let alone = median((0..blocks.min(100)).map(|_| nanoseconds(|| one.play(BLOCK))).collect());
    let keep_up = |voices: usize| {
        let mut players: Vec<Player> = (0..voices).map(|_| Player::new(&scene, rate)).collect();
        let block = |_| nanoseconds(|| players.iter_mut().for_each(|player| player.play(BLOCK)));
        let [late, _] = high((0..blocks).map(block).collect());
        late <= deadline
    };
    let mut voices = (deadline / alone) as usize;
    // Other programs may disturb one try, hardly all of them.
    while voices > 0 && !(0..TRIES).any(|_| keep_up(voices)) {
        voices -= (voices / 8).max(1);
    }
    Voices { rate, voices }
}

/// How evenly the blocks of a preset take their time: as it sounds, and long after it has died away.
pub fn blocks(name: &'static str, samples: usize) -> Blocks {
    let scene = named(name);
    let mut simulation = scene.compile(scene.sample_rate).expect("presets compile");
    let block = |_| nanoseconds(|| (0..BLOCK).for_each(|_| simulation.step()));
    let times: Vec<f64> = (0..samples / BLOCK).map(block).collect();
    let [p999_ns, max_ns] = high(times.clone());
    Blocks { name, samples, median_ns: median(times), p999_ns, max_ns }
}

/// What threads bring to a batch of tromba marinas. Time that passes counts here, not the time of one thread.
pub fn threads(threads: usize, steps: usize) -> Threads {
    let scene = named("tromba-marina");
    let simulation = scene.compile(scene.sample_rate).expect("presets compile");
    let mut voices: Vec<Simulation> = vec![simulation; 4 * threads];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had");
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        pool.install(|| batch::step_all(&mut voices, steps));
        best = best.min(start.elapsed().as_secs_f64());
    }
    Threads { threads, samples_per_second: (voices.len() * steps) as f64 / best }
}
