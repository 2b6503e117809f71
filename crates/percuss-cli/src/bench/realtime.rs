//! Real time: how many tromba marinas one core plays, how evenly blocks take their time, and what more cores bring.

use super::clock::{median, nanoseconds};
use super::presets::{Player, named};
use crate::toil::Toil;
use percuss::{Simulation, batch};
use std::time::Instant;

/// Samples of a block.
pub const BLOCK: usize = 64;
/// How often a number of voices may fail to keep up before it is given up.
const TRIES: usize = 3;
/// How often a scene is played before its blocks are judged.
pub const RUNS: usize = 9;

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
    /// Samples of a run.
    pub samples: usize,
    /// The scene's own: of every block the shortest time of all runs, which are the same to the last bit.
    pub own: Spread,
    /// Of the most even run, with all that the machine did meanwhile.
    pub one_run: Spread,
    /// The most even run of work that is the same in every block and as long.
    pub plain_work: Spread,
}

/// How times are spread.
pub struct Spread {
    /// The one in the middle \[ns\].
    pub median_ns: f64,
    /// One in a thousand is longer \[ns\].
    pub p999_ns: f64,
    /// The longest \[ns\].
    pub max_ns: f64,
}

impl Spread {
    fn of(times: Vec<f64>) -> Self {
        let [p999_ns, max_ns] = high(times.clone());
        Self { median_ns: median(times), p999_ns, max_ns }
    }

    /// The 99.9 % over the median.
    pub fn unevenness(&self) -> f64 {
        self.p999_ns / self.median_ns
    }
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
    let mut shortest = vec![f64::INFINITY; samples / BLOCK];
    let one_run = most_even(|| {
        simulation.reset();
        let block = |_: &f64| nanoseconds(|| (0..BLOCK).for_each(|_| simulation.step()));
        let times: Vec<f64> = shortest.iter().map(block).collect();
        shortest.iter_mut().zip(&times).for_each(|(shortest, &time)| *shortest = shortest.min(time));
        times
    });
    let count = shortest.len();
    let own = Spread::of(shortest);
    let mut toil = Toil::as_long_as(own.median_ns * 1e-9);
    let plain_work = most_even(|| (0..count).map(|_| nanoseconds(|| toil.work())).collect());
    Blocks { name, samples, own, one_run, plain_work }
}

/// The most even of some runs, each of which gives the times of its blocks.
fn most_even(mut run: impl FnMut() -> Vec<f64>) -> Spread {
    let runs = (0..RUNS).map(|_| Spread::of(run()));
    runs.min_by(|one, other| one.unevenness().total_cmp(&other.unevenness())).expect("more runs than none")
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
