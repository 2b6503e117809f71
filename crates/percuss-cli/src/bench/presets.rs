//! Whole scenes: what a sample of every preset costs, and of the tromba marina on a coarse grid.

use super::clock::{Rounds, best_medians, nanoseconds, steps_per_call};
use super::memory::bytes_per_copy;
use super::yardstick::Yardstick;
use percuss::Simulation;
use percuss_scene::presets::{self, Preset};
use percuss_scene::{Scene, parse};

/// What a scene costs.
pub struct PresetFigure {
    /// Of the preset.
    pub name: &'static str,
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Values that move.
    pub nodes: usize,
    /// Time of a sample \[ns\].
    pub ns_per_sample: f64,
    /// The same with the ledger open.
    pub ns_with_ledger: f64,
    /// Time to read and compile the scene \[ns\].
    pub compile_ns: f64,
    /// Memory of one simulation \[B\], where the system tells.
    pub bytes: Option<f64>,
}

impl PresetFigure {
    /// How many times faster than it sounds.
    pub fn realtime_factor(&self) -> f64 {
        1e9 / (self.ns_per_sample * self.rate)
    }
}

/// A scene that plays over and over.
pub struct Player {
    simulation: Simulation,
    last: u64,
}

impl Player {
    /// Compiles a scene for a rate \[Hz\].
    pub fn new(scene: &Scene, rate: f64) -> Self {
        let simulation = scene.compile(rate).expect("presets compile");
        Self { simulation, last: (scene.duration * rate) as u64 }
    }

    /// Steps; at its end the scene starts again.
    pub fn play(&mut self, steps: usize) {
        if self.simulation.steps() > self.last {
            self.simulation.reset();
        }
        (0..steps).for_each(|_| self.simulation.step());
    }
}

/// Reads a preset.
pub fn read(preset: &Preset) -> Scene {
    parse(preset.text, preset.name).expect("presets are right")
}

/// The preset of a name.
pub fn named(name: &str) -> Scene {
    read(presets::find(name).expect("one of the presets"))
}

/// Measures a preset.
pub fn measure(preset: &'static Preset, rounds: Rounds) -> PresetFigure {
    let mut compile_ns = f64::INFINITY;
    for _ in 0..3 {
        let compile = || drop(std::hint::black_box(read(preset).compile(44_100.0)));
        compile_ns = compile_ns.min(nanoseconds(compile));
    }
    let scene = read(preset);
    let mut plain = Player::new(&scene, scene.sample_rate);
    let (nodes, bytes) = (plain.simulation.node_count(), bytes_per_copy(&plain.simulation));
    let mut booked = Player::new(&scene, scene.sample_rate);
    booked.simulation.open_ledger();
    let steps = steps_per_call(|| plain.play(1));
    let found = best_medians(rounds, [&mut || plain.play(steps), &mut || booked.play(steps)]);
    let [ns_per_sample, ns_with_ledger] = found.map(|ns| ns / steps as f64);
    PresetFigure { name: preset.name, rate: scene.sample_rate, nodes, ns_per_sample, ns_with_ledger, compile_ns, bytes }
}

/// The tromba marina on the grid of an earlier real-time implementation: a string of 226 points, a body of which 130 × 13
/// nodes move. Its body was of foam, else so fine a grid would not be stable; the bow is held steady.
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
    let steady = |line: &str| match line.split_once(" = { time") {
        Some(("force", _)) => "force = 0.2".into(),
        Some(("velocity", _)) => "velocity = 0.1".into(),
        _ => line.to_owned(),
    };
    parse(&text.lines().map(steady).collect::<Vec<_>>().join("\n"), "tromba-coarse").expect("a scene")
}

/// What a sample of it costs, and what the yardstick takes for the body alone, turn by turn \[ns\].
pub fn measure_coarse_tromba(rounds: Rounds) -> [f64; 2] {
    let scene = coarse_tromba();
    let mut player = Player::new(&scene, 44_100.0);
    // Half a second, until string, bridge and body sound.
    player.play(22_050);
    let steps = steps_per_call(|| player.play(1));
    let mut body = Yardstick::new(130, 13);
    let found = best_medians(rounds, [&mut || player.play(steps), &mut || body.play(steps)]);
    found.map(|ns| ns / steps as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coarse_tromba_has_the_grid_it_should_and_sounds() {
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
