//! Real-time benchmarks: number of voices on one core, variation of block times, throughput over threads.

use super::presets::{LoopedScene, load_preset};
use super::timing::{cpu_time_ns, median};
use crate::synthetic_load::SyntheticLoad;
use percuss::{Simulation, batch};
use std::time::Instant;

/// Samples per block.
pub const BLOCK_SAMPLES: usize = 64;
/// Attempts before a number of voices counts as too large.
const VOICE_ATTEMPTS: usize = 3;
/// Runs of a scene in the measurement of block times.
pub const BLOCK_TIMING_RUNS: usize = 9;

/// Number of tromba marinas that one core plays in real time.
pub struct VoiceCount {
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Largest number that finishes 99.9 % of its blocks in time.
    pub voices: usize,
}

/// CPU times of the blocks of a scene.
pub struct BlockTimes {
    /// The preset.
    pub name: &'static str,
    /// Samples per run.
    pub samples: usize,
    /// Of every block the shortest time of all runs, which are bit-identical: without the variation of the machine.
    pub fastest: TimeQuantiles,
    /// The run with the smallest variation.
    pub best_run: TimeQuantiles,
    /// The run with the smallest variation of a synthetic load of the same median time.
    pub synthetic_load: TimeQuantiles,
}

/// Quantiles of block times.
pub struct TimeQuantiles {
    /// Median \[ns\].
    pub median_ns: f64,
    /// 99.9th percentile \[ns\].
    pub p999_ns: f64,
    /// Maximum \[ns\].
    pub max_ns: f64,
}

impl TimeQuantiles {
    fn from_times(times: Vec<f64>) -> Self {
        let [p999_ns, max_ns] = p999_and_max(times.clone());
        Self { median_ns: median(times), p999_ns, max_ns }
    }

    /// 99.9th percentile over the median.
    pub fn tail_ratio(&self) -> f64 {
        self.p999_ns / self.median_ns
    }
}

/// Throughput of a batch of simulations.
pub struct ThreadThroughput {
    /// Number of threads.
    pub threads: usize,
    /// Samples of all simulations per second.
    pub samples_per_second: f64,
}

fn p999_and_max(mut times: Vec<f64>) -> [f64; 2] {
    times.sort_unstable_by(f64::total_cmp);
    let last = times.len() - 1;
    [times[last - times.len() / 1000], times[last]]
}

/// Counts the tromba marinas that one core plays at a sample rate \[Hz\], block by block in turn.
pub fn count_voices(rate: f64, seconds: f64) -> VoiceCount {
    let scene = load_preset("tromba-marina");
    let deadline = 1e9 * BLOCK_SAMPLES as f64 / rate;
    let blocks = (seconds * rate) as usize / BLOCK_SAMPLES;
    let mut single = LoopedScene::new(&scene, rate);
    let block_ns = median((0..blocks.min(100)).map(|_| cpu_time_ns(|| single.run(BLOCK_SAMPLES))).collect());
    let meets_deadline = |voices: usize| {
        let mut scenes: Vec<LoopedScene> = (0..voices).map(|_| LoopedScene::new(&scene, rate)).collect();
        let block = |_| cpu_time_ns(|| scenes.iter_mut().for_each(|scene| scene.run(BLOCK_SAMPLES)));
        let [p999, _] = p999_and_max((0..blocks).map(block).collect());
        p999 <= deadline
    };
    let mut voices = (deadline / block_ns) as usize;
    // Other processes may disturb one attempt, hardly all.
    while voices > 0 && !(0..VOICE_ATTEMPTS).any(|_| meets_deadline(voices)) {
        voices -= (voices / 8).max(1);
    }
    VoiceCount { rate, voices }
}

/// Measures the block times of a preset, from its start until long after its sound has decayed.
pub fn measure_blocks(name: &'static str, samples: usize) -> BlockTimes {
    let scene = load_preset(name);
    let mut simulation = scene.compile(scene.sample_rate).expect("presets compile");
    let mut shortest = vec![f64::INFINITY; samples / BLOCK_SAMPLES];
    let best_run = least_jitter(|| {
        simulation.reset();
        let block = |_: &f64| cpu_time_ns(|| (0..BLOCK_SAMPLES).for_each(|_| simulation.step()));
        let times: Vec<f64> = shortest.iter().map(block).collect();
        shortest.iter_mut().zip(&times).for_each(|(shortest, &time)| *shortest = shortest.min(time));
        times
    });
    let count = shortest.len();
    let fastest = TimeQuantiles::from_times(shortest);
    let mut load = SyntheticLoad::with_duration(fastest.median_ns * 1e-9);
    let synthetic_load = least_jitter(|| (0..count).map(|_| cpu_time_ns(|| load.run())).collect());
    BlockTimes { name, samples, fastest, best_run, synthetic_load }
}

/// The run with the smallest tail ratio; `run` returns the times of its blocks.
fn least_jitter(mut run: impl FnMut() -> Vec<f64>) -> TimeQuantiles {
    let runs = (0..BLOCK_TIMING_RUNS).map(|_| TimeQuantiles::from_times(run()));
    runs.min_by(|one, other| one.tail_ratio().total_cmp(&other.tail_ratio())).expect("BLOCK_TIMING_RUNS is positive")
}

/// Measures the throughput of a batch of tromba marinas, in wall-clock time.
pub fn measure_threads(threads: usize, steps: usize) -> ThreadThroughput {
    let scene = load_preset("tromba-marina");
    let simulation = scene.compile(scene.sample_rate).expect("presets compile");
    let mut voices: Vec<Simulation> = vec![simulation; 4 * threads];
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        pool.install(|| batch::step_all(&mut voices, steps));
        best = best.min(start.elapsed().as_secs_f64());
    }
    ThreadThroughput { threads, samples_per_second: (voices.len() * steps) as f64 / best }
}
