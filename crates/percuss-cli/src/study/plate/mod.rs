//! The plate paper of van Walstijn, Bhanuprakash and Stapleton (2021), repeated: modes compared with closed forms and the
//! literature, energy of all presets with a plate, shifts of partials by a hand and by water, Figures 3 to 6.

mod cases;
mod driven;
pub mod figures;
mod markdown;
mod partial_shifts;
mod partials;
mod presets;
mod report;

pub use markdown::markdown;
pub use presets::modified_preset;
pub use report::{as_json, energy_csv, modes_csv, partials_csv, text};

use crate::progress::TaskProgress;
use cases::ModeComparison;
use driven::Snapshot;
use partial_shifts::PartialShift;
use percuss_scene::presets::Preset;
use presets::PresetRun;
use std::thread;

/// All results.
pub struct PlateResults {
    modes: Vec<ModeComparison>,
    runs: Vec<PresetRun>,
    hand: Vec<PartialShift>,
    gong: Vec<PartialShift>,
    paper: PaperEdges,
    driven: Vec<Snapshot>,
}

/// Figures 5 and 6 with the edges of the paper.
struct PaperEdges {
    hand_sound: Vec<f64>,
    gong_sound: Vec<f64>,
    hand: Vec<PartialShift>,
    gong: Vec<PartialShift>,
}

impl PaperEdges {
    fn measure() -> Self {
        let [hand_sound, gong_sound] = ["hand-damped-plate", "water-gong"].map(presets::pickup_signal_with_paper_edges);
        Self {
            hand: partial_shifts::hand_shifts(&hand_sound),
            gong: partial_shifts::water_shifts(presets::PAPER_EDGES),
            hand_sound,
            gong_sound,
        }
    }
}

impl PlateResults {
    /// Signal of a preset's first pickup.
    fn sound(&self, preset: &str) -> &[f64] {
        self.runs.iter().find(|run| run.preset == preset).map_or(&[], |run| &run.signal)
    }

    /// Modes of one case.
    fn rows<'a>(&'a self, case: &'a str) -> impl Iterator<Item = &'a ModeComparison> {
        self.modes.iter().filter(move |row| row.case == case)
    }
}

/// Measures everything.
pub fn measure() -> PlateResults {
    let (cases, scenes) = (cases::all(), presets::with_plates());
    let progress = TaskProgress::new(cases.len() + scenes.len() + 3);
    let modes = cases.iter().flat_map(|case| progress.run_task(format!("modes: {}", case.name), || case.rows()));
    let modes = modes.collect();
    // The presets take most of the time: each runs in its own thread.
    let (runs, gong, paper) = thread::scope(|scope| {
        let progress = &progress;
        let run = move |preset: &'static Preset| {
            progress.run_task(format!("energy: {}", preset.name), || presets::run(preset))
        };
        let started: Vec<_> = scenes.into_iter().map(|preset| scope.spawn(move || run(preset))).collect();
        let gong = progress.run_task("still water", || partial_shifts::water_shifts(presets::FREE_EDGES));
        let paper = progress.run_task("the paper's edges", PaperEdges::measure);
        (started.into_iter().map(|run| run.join().expect("a preset runs")).collect(), gong, paper)
    });
    let driven = progress.run_task("driven plates", driven::measure);
    let mut study = PlateResults { modes, runs, hand: Vec::new(), gong, paper, driven };
    study.hand = partial_shifts::hand_shifts(study.sound("hand-damped-plate"));
    study
}
