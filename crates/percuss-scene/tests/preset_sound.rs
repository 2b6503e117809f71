//! How the presets sound, in numbers, as their pickups read them: bandwidth, decay to silence, the level at which gestures happen, and
//! width. `percuss-cli/tests/preset_files` measures the sound files.
//!
//! `cargo test --workspace --test preset_sound -- --nocapture` prints the numbers of every preset.

#![allow(clippy::disallowed_types, reason = "the test shares renders between its threads")]

use percuss::{Control, Element, Law, Region, Touch};
use percuss_scene::{Scene, parse, presets};
use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::sync::{LazyLock, Mutex};
use std::thread;

/// A rendered preset.
struct Sound {
    sample_rate: f64,
    channels: Vec<Vec<f64>>,
}

/// All presets but those of papers, rendered once for all tests.
static SOUNDS: LazyLock<BTreeMap<&str, Sound>> = LazyLock::new(|| {
    let waiting = Mutex::new(presets::all().iter().filter(|preset| !OF_PAPERS.contains(&preset.name)));
    let sounds = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(preset) = { waiting.lock().unwrap().next() } {
            let sound = render(&preset_scene(preset.name));
            sounds.lock().unwrap().insert(preset.name, sound);
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| drop(scope.spawn(work)))
    });
    sounds.into_inner().unwrap()
});

/// A system of the plate paper, as it is there.
const OF_PAPERS: [&str; 1] = ["paper-pinched-bar"];

fn preset_scene(name: &str) -> Scene {
    let preset = presets::find(name).expect("a preset");
    parse(preset.text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn render(scene: &Scene) -> Sound {
    let mut simulation = scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
    let steps = (scene.duration * scene.sample_rate) as usize;
    let gains: Vec<Vec<f64>> = (0..scene.channels())
        .map(|channel| scene.outputs.iter().map(|output| scene.channel_gain(output, channel)).collect())
        .collect();
    let mut channels = vec![Vec::with_capacity(steps); gains.len()];
    for _ in 0..steps {
        simulation.step();
        let read: Vec<f64> = scene.outputs.iter().map(|output| simulation.read(output.pickup)).collect();
        for (samples, gains) in channels.iter_mut().zip(&gains) {
            samples.push(gains.iter().zip(&read).map(|(gain, value)| gain * value).sum());
        }
    }
    Sound { sample_rate: scene.sample_rate, channels }
}

fn energy(samples: &[f64]) -> f64 {
    samples.iter().map(|sample| sample * sample).sum()
}

/// Butterworth filters of the fourth order.
#[derive(Clone, Copy)]
enum Pass {
    Low,
    High,
}

fn filtered(samples: &[f64], cutoff: f64, pass: Pass) -> Vec<f64> {
    let w = (PI * cutoff).tan();
    [1.0_f64, 3.0].iter().fold(samples.to_vec(), |samples, part| {
        let damping = 2.0 * (part * PI / 8.0).cos();
        let norm = 1.0 / (1.0 + damping * w + w * w);
        let (a1, a2) = (2.0 * (w * w - 1.0) * norm, (1.0 - damping * w + w * w) * norm);
        let [b0, b1] = match pass {
            Pass::Low => [w * w * norm, 2.0 * w * w * norm],
            Pass::High => [norm, -2.0 * norm],
        };
        let (mut one, mut two) = (0.0, 0.0);
        let step = |x: f64| {
            let inner = x - a1 * one - a2 * two;
            let y = b0 * inner + b1 * one + b0 * two;
            (one, two) = (inner, one);
            y
        };
        samples.into_iter().map(step).collect()
    })
}

impl Sound {
    /// Share of the energy beyond a frequency.
    fn share(&self, frequency: f64, pass: Pass) -> f64 {
        let beyond = |samples: &Vec<f64>| energy(&filtered(samples, frequency / self.sample_rate, pass));
        self.channels.iter().map(beyond).sum::<f64>() / self.channels.iter().map(|samples| energy(samples)).sum::<f64>()
    }

    fn peak(&self, from: usize, to: usize) -> f64 {
        let part = self.channels.iter().flat_map(|samples| &samples[from..to]);
        part.fold(0.0, |peak, sample| peak.max(sample.abs()))
    }

    /// Peak in the 50 ms from a time on, relative to that of the sound \[dB\].
    fn level(&self, time: f64) -> f64 {
        let from = (time * self.sample_rate) as usize;
        let to = from + (0.05 * self.sample_rate) as usize;
        20.0 * (self.peak(from, to) / self.peak(0, self.channels[0].len())).log10()
    }

    fn end_level(&self) -> f64 {
        self.level(self.channels[0].len() as f64 / self.sample_rate - 0.0501)
    }

    /// Correlation of the two channels; 1 for a mono sound.
    fn correlation(&self) -> f64 {
        let [left, right] = self.channels.as_slice() else { return 1.0 };
        let product: f64 = left.iter().zip(right).map(|(left, right)| left * right).sum();
        product / (energy(left) * energy(right)).sqrt()
    }
}

#[test]
fn filters_have_their_responses() {
    let tone = |frequency: f64| (0..44_100).map(move |n| (2.0 * PI * frequency * f64::from(n) / 44_100.0).sin());
    let share = |frequency: f64, cutoff, pass| {
        let sound = Sound { sample_rate: 44_100.0, channels: vec![tone(frequency).collect()] };
        sound.share(cutoff, pass)
    };
    assert!((share(18_000.0, 18_000.0, Pass::High) - 0.5).abs() < 0.01);
    assert!(share(20_000.0, 18_000.0, Pass::High) > 0.98 && share(12_000.0, 18_000.0, Pass::High) < 1e-3);
    assert!(share(5.0, 20.0, Pass::Low) > 0.97 && share(60.0, 20.0, Pass::Low) < 5e-3);
}

#[test]
fn energy_is_in_the_audible_range() {
    println!(
        "\n### Sound of the presets\n\n| preset | below 20 Hz | above 18 kHz | end | correlation |\n|---|---|---|---|---|"
    );
    for (name, sound) in SOUNDS.iter() {
        let [low, high] = [(20.0, Pass::Low), (18_000.0, Pass::High)].map(|(edge, pass)| sound.share(edge, pass));
        let row = (100.0 * low, 100.0 * high, sound.end_level(), sound.correlation());
        println!("| {name} | {:.1} % | {:.1} % | {:.0} dB | {:.2} |", row.0, row.1, row.2, row.3);
    }
    for (name, sound) in SOUNDS.iter() {
        assert!(sound.share(20.0, Pass::Low) <= 0.05, "{name} is too slow to be heard");
        assert!(sound.share(18_000.0, Pass::High) <= 0.05, "{name} is too fast to be heard");
    }
}

#[test]
fn sounds_end_in_silence() {
    for (name, sound) in SOUNDS.iter() {
        assert!(sound.end_level() < -60.0, "{name} ends at {} dB", sound.end_level());
    }
}

/// Times at which a control begins to change in a way \[s\], told from its values before and after.
fn times(control: &Control, is_gesture: fn(f64, f64) -> bool) -> Vec<f64> {
    let Control::Breakpoints { time, value } = control else { return Vec::new() };
    (1..value.len()).filter(|&next| is_gesture(value[next - 1], value[next])).map(|next| time[next - 1]).collect()
}

/// Times at which something is pressed on, or pressed harder. Lifting is not heard where the sound has been damped.
fn presses(pressure: &Control) -> Vec<f64> {
    times(pressure, |before, after| after > before)
}

fn moves(control: &Control) -> Vec<f64> {
    times(control, |before, after| after != before)
}

fn region_moves(region: &Region) -> Vec<f64> {
    match region {
        Region::Circle { centre: [x, y], radius } | Region::OutsideCircle { centre: [x, y], radius } => {
            [x, y, radius].into_iter().flat_map(moves).collect()
        }
        Region::Rectangle { centre: [x, y], size: [width, height] } => {
            [x, y, width, height].into_iter().flat_map(moves).collect()
        }
        Region::HalfPlane { level, .. } => moves(level),
        Region::Everywhere | Region::Image { .. } => Vec::new(),
    }
}

/// When hands, dampers and water begin to press or to move \[s\]. Fingers of scores choose the notes before they are bowed.
fn gestures(scene: &Scene) -> Vec<f64> {
    let touches = scene.model.elements().iter().filter_map(|element| match element {
        Element::Plate(plate) => Some(&plate.touches),
        _ => None,
    });
    let of_touch = |touch: &Touch| [presses(&touch.pressure), region_moves(&touch.region)].concat();
    let fingers = scene.model.interactions().iter().filter_map(|interaction| match &interaction.law {
        Law::Finger(finger) => Some(presses(&finger.pressure)),
        _ => None,
    });
    touches.flatten().flat_map(of_touch).chain(fingers.flatten()).collect()
}

#[test]
fn gestures_happen_while_the_sound_is_loud() {
    let mut count = 0;
    for (name, sound) in SOUNDS.iter().filter(|(name, _)| **name != "tromba-melody") {
        for time in gestures(&preset_scene(name)) {
            // What damps needs a sound before it; what excites or releases is heard after it.
            let level = sound.level((time - 0.05).max(0.0)).max(sound.level(time));
            println!("{name}, {time} s: {level:.0} dB");
            assert!(level > -30.0, "{name}: the gesture at {time} s comes at {level} dB");
            count += 1;
        }
    }
    assert!(count >= 14, "{count} gestures");
}

#[test]
fn most_presets_are_wide() {
    let wide = SOUNDS.values().filter(|sound| sound.correlation() < 0.9).count();
    assert!(wide >= 20, "{wide} presets with a correlation below 0.9");
}
