//! The benchmark: time per step of plates, presets and contacts, and number of real-time voices, with a baseline and the
//! memory bandwidth limit for comparison.

mod bandwidth;
mod baseline;
mod contacts;
mod json;
mod memory;
mod nonlinear;
mod plates;
mod presets;
mod realtime;
mod tables;
pub mod timing;

pub use json::json;
pub use tables::{markdown, text};

use crate::progress::TaskProgress;
use contacts::{CONTACT_COUNTS, ContactsTiming, MODE_COUNTS, ModalImpactTiming};
use nonlinear::{NONLINEAR_PLATES, NonlinearTiming};
use plates::{BaselineTiming, PLATE_KINDS, PLATE_SIZES, PlateTiming};
use presets::PresetTiming;
use realtime::{BlockTimes, ThreadThroughput, VoiceCount};
use timing::TimingRounds;

/// Sample rates at which voices are counted \[Hz\].
const VOICE_RATES: [f64; 2] = [44_100.0, 48_000.0];
/// Presets whose blocks are timed; the first is also the summary in JSON.
const BLOCK_TIMING_PRESETS: [&str; 3] = ["tromba-marina", "string-mass-barrier", "hand-damped-plate"];

/// All results.
pub struct BenchResults {
    baselines: Vec<BaselineTiming>,
    plates: Vec<PlateTiming>,
    nonlinear: Vec<NonlinearTiming>,
    presets: Vec<PresetTiming>,
    /// Time per sample of the tromba marina on a coarse grid, and of the baseline for its body \[ns\].
    coarse_tromba: [f64; 2],
    modal: Vec<ModalImpactTiming>,
    contacts: Vec<ContactsTiming>,
    voices: Vec<VoiceCount>,
    blocks: Vec<BlockTimes>,
    threads: Vec<ThreadThroughput>,
}

/// Measures everything; `quick` takes seconds instead of minutes, with less accurate results.
pub fn measure(quick: bool) -> BenchResults {
    let rounds = TimingRounds::new(quick);
    let all_presets = percuss_scene::presets::all();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let thread_counts: Vec<usize> = std::iter::successors(Some(1), |count| Some(2 * count))
        .take_while(|&count| count < cores)
        .chain([cores])
        .collect();
    let tasks = PLATE_SIZES.len() * (1 + 2 * PLATE_KINDS.len())
        + NONLINEAR_PLATES.len()
        + all_presets.len()
        + 1
        + MODE_COUNTS.len()
        + CONTACT_COUNTS.len();
    let progress = TaskProgress::new(tasks + VOICE_RATES.len() + BLOCK_TIMING_PRESETS.len() + thread_counts.len());
    // Presets come first: their memory must be measured before the allocator has freed memory to reuse.
    let presets = all_presets
        .iter()
        .map(|preset| progress.run_task(format!("preset {}", preset.name), || presets::measure(preset, rounds)))
        .collect();
    let (samples, seconds) = if quick { (64_000, 0.2) } else { (1_000_000, 1.0) };
    let (baselines, plates) = measure_plates(&progress, rounds);
    BenchResults {
        presets,
        baselines,
        plates,
        nonlinear: NONLINEAR_PLATES
            .map(|plate| {
                progress.run_task(format!("nonlinear plate, {}", plate.name()), || nonlinear::measure(plate, rounds))
            })
            .into(),
        coarse_tromba: progress.run_task("tromba marina, coarse grid", || presets::measure_coarse_tromba(rounds)),
        modal: MODE_COUNTS
            .map(|modes| progress.run_task(format!("{modes} modes"), || contacts::measure_modal_impact(modes, rounds)))
            .into(),
        contacts: CONTACT_COUNTS
            .map(|count| progress.run_task(format!("{count} contacts"), || contacts::measure_contacts(count, rounds)))
            .into(),
        voices: VOICE_RATES.map(|rate| progress.run_task("voices", || realtime::count_voices(rate, seconds))).into(),
        blocks: BLOCK_TIMING_PRESETS
            .map(|name| progress.run_task(format!("blocks of {name}"), || realtime::measure_blocks(name, samples)))
            .into(),
        threads: thread_counts
            .into_iter()
            .map(|count| {
                progress.run_task(format!("{count} threads"), || realtime::measure_threads(count, samples / 1000))
            })
            .collect(),
    }
}

/// Plates that are stretched by bending: name, moving nodes, and time per sample with and without stretching \[ns\].
pub fn nonlinear_times() -> Vec<(String, usize, [f64; 2])> {
    let measure = |plate| nonlinear::measure(plate, TimingRounds::new(true));
    NONLINEAR_PLATES.map(measure).map(|timing| (timing.plate.name(), timing.nodes, timing.ns_per_sample)).into()
}

fn measure_plates(progress: &TaskProgress, rounds: TimingRounds) -> (Vec<BaselineTiming>, Vec<PlateTiming>) {
    let (mut baselines, mut plates) = (Vec::new(), Vec::new());
    for size in PLATE_SIZES {
        let name = format!("{} × {} nodes", size[0], size[1]);
        baselines.push(progress.run_task(format!("baseline, {name}"), || plates::measure_baseline(size, rounds)));
        for kind in PLATE_KINDS {
            for touch in [false, true] {
                let name = format!("plate, {name}, {}", kind.name);
                plates.push(progress.run_task(name, || plates::measure(size, kind, touch, rounds)));
            }
        }
    }
    (baselines, plates)
}
