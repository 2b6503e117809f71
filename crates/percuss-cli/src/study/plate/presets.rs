//! The presets with plates: their sounds and their energy. The hand and the gong are played as in the paper, not as in the presets.

use super::partials::RATE;
use percuss::Element;
use percuss_scene::presets::{self, Preset};
use percuss_scene::{Scene, parse};

/// Results of a preset, run with the ledger open.
pub struct PresetRun {
    /// The preset.
    pub preset: &'static str,
    /// Duration \[s\].
    pub seconds: f64,
    /// Largest residual of a step over the energy.
    pub residual: f64,
    /// Supplied energy \[J\].
    pub supplied: f64,
    /// Dissipated energy \[J\].
    pub dissipated: f64,
    /// Work of changing touches \[J\].
    pub touch_work: f64,
    /// Signal of the first pickup.
    pub signal: Vec<f64>,
}

/// All presets with a plate.
pub fn with_plates() -> Vec<&'static Preset> {
    let has_plate = |preset: &&Preset| {
        let scene = modified_preset(preset.name, &[]);
        scene.model.elements().iter().any(|element| matches!(element, Element::Plate(_)))
    };
    presets::all().iter().filter(has_plate).collect()
}

/// Line of the presets for free edges.
pub const FREE_EDGES: &str = r#"edges = "free""#;
/// The same with the edges of the paper, whose nodes have the mass of a full cell.
pub const PAPER_EDGES: &str = r#"edges = "free-full-cell""#;

/// Signal of the first pickup of a preset with the paper's edges.
pub fn pickup_signal_with_paper_edges(name: &str) -> Vec<f64> {
    let scene = modified_preset(name, &[(FREE_EDGES, PAPER_EDGES)]);
    pickup_signal(&scene, (scene.duration * RATE) as usize)
}

/// Scenes of the paper whose presets have other strokes and gestures.
const PAPER_SCENES: [(&str, &str); 2] = [
    ("hand-damped-plate", include_str!("systems/hand-damped-plate.toml")),
    ("water-gong", include_str!("systems/water-gong.toml")),
];

/// Text of the paper's scene, or of the preset where that is the paper's.
fn text_of(name: &str) -> &'static str {
    let paper = PAPER_SCENES.iter().find(|scene| scene.0 == name);
    paper.map_or_else(|| presets::find(name).expect("a preset").text, |scene| scene.1)
}

/// The paper's scene, or a preset, with the paper's law for touches, after replacements in its text.
pub fn modified_preset(name: &str, changes: &[(&str, &str)]) -> Scene {
    let mut text = text_of(name).to_owned();
    for table in ["[[plate]]\n", "[[membrane]]\n"] {
        text = text.replace(table, &format!("{table}touch_law = \"absolute\"\n"));
    }
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no `{from}`");
        text = text.replace(from, to);
    }
    parse(&text, name).expect("presets parse")
}

/// Signal of the first pickup of a scene.
pub fn pickup_signal(scene: &Scene, samples: usize) -> Vec<f64> {
    let mut signal = vec![0.0; samples];
    scene.compile(RATE).expect("presets compile").process(&[scene.outputs[0].pickup], &mut [&mut signal]);
    signal
}

/// Presets that are run to their end, because figures are made from them.
const FULL_LENGTH_PRESETS: [&str; 2] = ["hand-damped-plate", "water-gong"];
/// The others run for at most a second, and for this number of node-seconds.
const NODE_SECONDS: f64 = 500.0;

/// Runs a preset with the ledger open.
pub fn run(preset: &'static Preset) -> PresetRun {
    let scene = modified_preset(preset.name, &[]);
    let mut simulation = scene.compile(scene.sample_rate).expect("presets compile");
    simulation.open_ledger();
    let seconds = match FULL_LENGTH_PRESETS.contains(&preset.name) {
        true => scene.duration,
        false => scene.duration.min(1.0).min(NODE_SECONDS / simulation.node_count() as f64),
    };
    let mut signal = vec![0.0; (seconds * scene.sample_rate) as usize];
    simulation.process(&[scene.outputs[0].pickup], &mut [&mut signal]);
    let total = simulation.ledger().expect("open").total;
    PresetRun {
        preset: preset.name,
        seconds,
        residual: total.worst_relative,
        supplied: total.supplied,
        dissipated: total.dissipated,
        touch_work: total.touch_work,
        signal,
    }
}
