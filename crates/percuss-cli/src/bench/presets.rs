//! Benchmark of complete scenes: all presets, and the tromba marina on a coarse grid.

use super::baseline::Baseline;
use super::memory::bytes_per_copy;
use super::timing::{TimingRounds, cpu_time_ns, min_of_medians, steps_per_batch};
use percuss::Simulation;
use percuss_scene::presets::{self, Preset};
use percuss_scene::{Scene, parse};

/// Time and memory of a preset.
pub struct PresetTiming {
    /// Name of the preset.
    pub name: &'static str,
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Number of nodes.
    pub nodes: usize,
    /// Time per sample \[ns\].
    pub ns_per_sample: f64,
    /// Time per sample with the ledger open \[ns\].
    pub ns_with_ledger: f64,
    /// Time to parse and compile the scene \[ns\].
    pub compile_ns: f64,
    /// Memory of one simulation \[B\], on systems with /proc.
    pub bytes: Option<f64>,
}

impl PresetTiming {
    /// Simulated time over CPU time.
    pub fn realtime_factor(&self) -> f64 {
        1e9 / (self.ns_per_sample * self.rate)
    }
}

/// A scene that restarts at its end.
pub struct LoopedScene {
    simulation: Simulation,
    last_step: u64,
}

impl LoopedScene {
    /// Compiles a scene for a sample rate \[Hz\].
    pub fn new(scene: &Scene, rate: f64) -> Self {
        let simulation = scene.compile(rate).expect("presets compile");
        Self { simulation, last_step: (scene.duration * rate) as u64 }
    }

    /// Runs a number of steps; restarts the scene first if it has ended.
    pub fn run(&mut self, steps: usize) {
        if self.simulation.steps() > self.last_step {
            self.simulation.reset();
        }
        (0..steps).for_each(|_| self.simulation.step());
    }
}

/// Parses a preset.
pub fn parse_preset(preset: &Preset) -> Scene {
    parse(preset.text, preset.name).expect("presets parse")
}

/// Parses the preset with a name.
pub fn load_preset(name: &str) -> Scene {
    parse_preset(presets::find(name).expect("one of the presets"))
}

/// Measures a preset.
pub fn measure(preset: &'static Preset, rounds: TimingRounds) -> PresetTiming {
    let mut compile_ns = f64::INFINITY;
    for _ in 0..3 {
        let compile = || drop(std::hint::black_box(parse_preset(preset).compile(44_100.0)));
        compile_ns = compile_ns.min(cpu_time_ns(compile));
    }
    let scene = parse_preset(preset);
    let mut without_ledger = LoopedScene::new(&scene, scene.sample_rate);
    let (nodes, bytes) = (without_ledger.simulation.node_count(), bytes_per_copy(&without_ledger.simulation));
    let mut with_ledger = LoopedScene::new(&scene, scene.sample_rate);
    with_ledger.simulation.open_ledger();
    let steps = steps_per_batch(|| without_ledger.run(1));
    let times = min_of_medians(rounds, [&mut || without_ledger.run(steps), &mut || with_ledger.run(steps)]);
    let [ns_per_sample, ns_with_ledger] = times.map(|ns| ns / steps as f64);
    PresetTiming { name: preset.name, rate: scene.sample_rate, nodes, ns_per_sample, ns_with_ledger, compile_ns, bytes }
}

/// The tromba marina on the grid of an earlier real-time implementation: a string of 226 points and a body with 130 × 13
/// moving nodes. The body has the stiffness of foam, for which this grid is stable; bow force and velocity are constant.
pub fn coarse_tromba() -> Scene {
    let changes = [
        ("sigma1 = 0.005\n", "sigma1 = 0.005\ngrid = 225\n"),
        ("size = [1.35, 0.18]\nthickness = 4e-3\n", "size = [1.35, 0.18]\nthickness = 0.01\ngrid = [131, 14]\n"),
        ("density = 450\nyoungs_modulus = 1e10\n", "density = 50\nyoungs_modulus = 2e5\n"),
    ];
    let mut text = presets::find("tromba-marina").expect("a preset").text.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "the preset has no `{from}`");
        text = text.replace(from, to);
    }
    let with_constant_bow = |line: &str| match line.split_once(" = { time") {
        Some(("force", _)) => "force = 0.2".into(),
        Some(("velocity", _)) => "velocity = 0.1".into(),
        _ => line.to_owned(),
    };
    parse(&text.lines().map(with_constant_bow).collect::<Vec<_>>().join("\n"), "tromba-coarse").expect("a scene")
}

/// Time per sample of the coarse tromba marina, and of the baseline for its body alone, measured alternately \[ns\].
pub fn measure_coarse_tromba(rounds: TimingRounds) -> [f64; 2] {
    let scene = coarse_tromba();
    let mut looped = LoopedScene::new(&scene, 44_100.0);
    // Half a second, until string, bridge and body vibrate.
    looped.run(22_050);
    let steps = steps_per_batch(|| looped.run(1));
    let mut body = Baseline::new(130, 13);
    let times = min_of_medians(rounds, [&mut || looped.run(steps), &mut || body.run(steps)]);
    times.map(|ns| ns / steps as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_tromba_has_the_stated_grid_and_all_its_contacts_act() {
        let scene = coarse_tromba();
        let mut simulation = scene.compile(44_100.0).unwrap();
        assert_eq!(simulation.node_count(), 224 + 1 + 130 * 13);
        simulation.open_ledger();
        (0..22_050).for_each(|_| simulation.step());
        let ledger = simulation.ledger().unwrap();
        for (id, contact) in scene.interaction_names.iter().zip(&ledger.interactions) {
            assert!(contact.hits > 0, "{id} is idle");
        }
    }
}
