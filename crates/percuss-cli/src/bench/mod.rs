//! The benchmark: how fast this machine steps plates, scenes, contacts and voices, beside a yardstick and the machine's limit.

pub mod clock;
mod contacts;
mod json;
mod memory;
mod plates;
mod presets;
mod realtime;
mod sheets;
mod stream;
mod yardstick;

pub use json::json;
pub use sheets::{markdown, text};

use crate::study::progress::Progress;
use clock::Rounds;
use contacts::{CONTACTS, ContactsFigure, MODES, ModalFigure};
use plates::{KINDS, PlateFigure, Reference, SIZES};
use presets::PresetFigure;
use realtime::{Blocks, Threads, Voices};

/// Sample rates at which voices are counted \[Hz\].
const RATES: [f64; 2] = [44_100.0, 48_000.0];
/// Scenes whose blocks are timed; the first stands for all in a summary.
const EVEN: [&str; 3] = ["tromba-marina", "string-mass-barrier", "hand-damped-plate"];

/// Everything that was measured.
pub struct Bench {
    references: Vec<Reference>,
    plates: Vec<PlateFigure>,
    presets: Vec<PresetFigure>,
    /// What a sample of the tromba marina on a coarse grid costs, and the yardstick's body of the same grid \[ns\].
    coarse_tromba: [f64; 2],
    modal: Vec<ModalFigure>,
    contacts: Vec<ContactsFigure>,
    voices: Vec<Voices>,
    blocks: Vec<Blocks>,
    threads: Vec<Threads>,
}

/// Measures everything; `quick` takes seconds instead of minutes, for rougher figures.
pub fn measure(quick: bool) -> Bench {
    let rounds = Rounds::new(quick);
    let all_presets = percuss_scene::presets::all();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let thread_counts: Vec<usize> = std::iter::successors(Some(1), |count| Some(2 * count))
        .take_while(|&count| count < cores)
        .chain([cores])
        .collect();
    let pieces = SIZES.len() * (1 + 2 * KINDS.len()) + all_presets.len() + 1 + MODES.len() + CONTACTS.len();
    let progress = Progress::new(pieces + RATES.len() + EVEN.len() + thread_counts.len());
    // Memory first, while none has been given back: presets are measured before plates.
    let presets = all_presets
        .iter()
        .map(|preset| progress.during(format!("preset {}", preset.name), || presets::measure(preset, rounds)))
        .collect();
    let (samples, seconds) = if quick { (64_000, 0.2) } else { (1_000_000, 1.0) };
    let (references, plates) = measure_plates(&progress, rounds);
    Bench {
        presets,
        references,
        plates,
        coarse_tromba: progress.during("tromba marina, coarse grid", || presets::measure_coarse_tromba(rounds)),
        modal: MODES.map(|modes| progress.during(format!("{modes} modes"), || contacts::modal(modes, rounds))).into(),
        contacts: CONTACTS
            .map(|count| progress.during(format!("{count} contacts"), || contacts::contacts(count, rounds)))
            .into(),
        voices: RATES.map(|rate| progress.during("voices", || realtime::voices(rate, seconds))).into(),
        blocks: EVEN
            .map(|name| progress.during(format!("blocks of {name}"), || realtime::blocks(name, samples)))
            .into(),
        threads: thread_counts
            .into_iter()
            .map(|count| progress.during(format!("{count} threads"), || realtime::threads(count, samples / 1000)))
            .collect(),
    }
}

fn measure_plates(progress: &Progress, rounds: Rounds) -> (Vec<Reference>, Vec<PlateFigure>) {
    let (mut references, mut plates) = (Vec::new(), Vec::new());
    for size in SIZES {
        let name = format!("{} × {} nodes", size[0], size[1]);
        references.push(progress.during(format!("yardstick, {name}"), || plates::reference(size, rounds)));
        for kind in KINDS {
            for touch in [false, true] {
                let name = format!("plate, {name}, {}", kind.name);
                plates.push(progress.during(name, || plates::measure(size, kind, touch, rounds)));
            }
        }
    }
    (references, plates)
}
