//! The tromba marina: pitch, one slip per period, brightness of the rattle, energy balance. Prints tables of docs/tromba.md.

use percuss::Simulation;
use percuss_scene::{Scene, parse, presets};
use std::f64::consts::{PI, TAU};

const RATE: f64 = 44_100.0;
/// First partial between nut and bridge in the presets \[Hz\].
const PITCH: f64 = 65.4;

/// The preset with a constant bow force \[N\] and further replacements in its text.
fn bowed_preset(preset: &str, force: f64, changes: &[(&str, &str)]) -> Scene {
    // Without what is there for playing live only.
    let text = presets::find(preset).expect("a preset").text.split("\n# Live: ").next().expect("a part");
    let steady = |field: &str, line: &str, value: f64| {
        if line.starts_with(field) {
            format!("{field}{{ time = [0.0, 0.05], value = [0.0, {value}] }}")
        } else {
            line.to_owned()
        }
    };
    let lines = text.lines().map(|line| steady("velocity = ", &steady("force = ", line, force), 0.1));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    // The last pickup is the velocity of the string under the bow.
    text += "\n[[pickup]]\nof = \"string\"\nat = 0.21\nquantity = \"velocity\"\n";
    for (from, to) in changes {
        assert!(text.contains(from), "{preset} has no `{from}`");
        text = text.replace(from, to);
    }
    parse(&text, preset).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// The sum of the pickups of the preset, and the velocity under the bow \[m/s\].
fn play(scene: &Scene, seconds: f64) -> (Vec<f64>, Vec<f64>) {
    play_from(scene, 0, seconds)
}

/// The same, without the pickups before `first`.
fn play_from(scene: &Scene, first: usize, seconds: f64) -> (Vec<f64>, Vec<f64>) {
    let mut simulation = scene.compile(RATE).unwrap();
    let (last, preset_outputs) = scene.outputs.split_last().expect("it has pickups");
    let steps = 0..(seconds * RATE) as usize;
    let samples = steps.map(|_| {
        simulation.step();
        let mix =
            preset_outputs[first..].iter().map(|output| output.gain * simulation.read(output.pickup)).sum::<f64>();
        (mix, simulation.read(last.pickup))
    });
    samples.unzip()
}

/// Times at which the string starts to slip under the bow \[s\], with linear interpolation between samples.
fn slip_times(velocity: &[f64], from: f64) -> Vec<f64> {
    let start = (from * RATE) as usize;
    let falls = velocity[start..].windows(2).enumerate().filter(|(_, pair)| pair[0] >= 0.0 && pair[1] < 0.0);
    falls.map(|(i, pair)| (start as f64 + i as f64 + pair[0] / (pair[0] - pair[1])) / RATE).collect()
}

fn cents(frequency: f64, reference: f64) -> f64 {
    1200.0 * (frequency / reference).log2()
}

/// Energy of a signal above a frequency \[dB\], by a fourth-order Butterworth high-pass filter.
fn energy_above(signal: &[f64], frequency: f64) -> f64 {
    let filter = |signal: Vec<f64>, damping: f64| {
        let w = (PI * frequency / RATE).tan();
        let norm = 1.0 / (1.0 + damping * w + w * w);
        let (a1, a2) = (2.0 * (w * w - 1.0) * norm, (1.0 - damping * w + w * w) * norm);
        let (mut one, mut two) = (0.0, 0.0);
        let step = move |x: f64| {
            let inner = x - a1 * one - a2 * two;
            let y = norm * (inner - 2.0 * one + two);
            (one, two) = (inner, one);
            y
        };
        signal.into_iter().map(step).collect::<Vec<f64>>()
    };
    let dampings = [1.0_f64, 3.0].map(|part| 2.0 * (part * PI / 8.0).cos());
    let passed = dampings.iter().fold(signal.to_vec(), |signal, &damping| filter(signal, damping));
    10.0 * passed.iter().map(|x| x * x).sum::<f64>().log10()
}

#[test]
fn high_pass_filter_has_its_response() {
    let tone = |frequency: f64| (0..44_100).map(|n| (TAU * frequency * f64::from(n) / RATE).sin()).collect::<Vec<_>>();
    let level = |frequency: f64| energy_above(&tone(frequency), 2000.0) - 10.0 * 22_050_f64.log10();
    assert!(level(8000.0).abs() < 0.1 && (level(2000.0) + 3.0).abs() < 0.1 && level(500.0) < -45.0);
}

#[test]
fn bowed_string_keeps_its_pitch_and_slips_once_per_period() {
    println!(
        "\n### Pitch\n\n| preset | bow force, at 0.1 m/s | pitch | distance from the first partial |\n|---|---|---|---|"
    );
    for preset in ["tromba-marina", "tromba-marina-spring"] {
        for force in [0.12, 0.2, 0.3, 0.4] {
            let (_, velocity) = play(&bowed_preset(preset, force, &[]), 2.5);
            let slips = slip_times(&velocity, 1.0);
            let period = (slips[slips.len() - 1] - slips[0]) / (slips.len() - 1) as f64;
            let off = cents(1.0 / period, PITCH);
            let row = format!("| {preset} | {force} N | {:.2} Hz | {off:+.1} cents |", 1.0 / period);
            println!("{}", row.replace("| -", "| −"));
            assert!(off.abs() < 10.0, "{preset} at {force} N: {off} cents");
            // A second slip within a period would halve the mean period; an irregular one shows in single periods.
            let uneven = slips.windows(2).map(|pair| ((pair[1] - pair[0]) / period - 1.0).abs()).fold(0.0, f64::max);
            assert!(uneven < 0.05, "{preset} at {force} N: periods differ by {uneven}");
        }
    }
}

#[test]
fn rattle_brightens_the_sound_and_grows_with_the_bow_force() {
    // Level above 2 kHz of all pickups, and of the bridge alone.
    let levels = |force: f64, gap: &str| {
        let scene = bowed_preset("tromba-marina", force, &[("gap = 1e-6", gap)]);
        [0, 2].map(|first| energy_above(&play_from(&scene, first, 2.0).0[(0.5 * RATE) as usize..], 2000.0))
    };
    println!("\n### Rattle\n\n| bow force, at 0.1 m/s | added above 2 kHz | in the bridge alone |\n|---|---|---|");
    let mut previous = f64::MIN;
    for force in [0.15, 0.3, 0.45] {
        // With a gap of 1 mm the bridge never reaches the board.
        let ([with, bridge], [without, still]) = (levels(force, "gap = 1e-6"), levels(force, "gap = 1e-3"));
        let (gain, alone) = (with - without, bridge - still);
        println!("| {force} N | {gain:+.1} dB | {alone:+.1} dB |");
        assert!(gain > 12.0, "{force} N: {with} dB against {without} dB");
        assert!(with > previous + 1.0, "{force} N: {with} dB after {previous} dB");
        previous = with;
    }
}

/// The n-th partial between nut and bridge, stiffness included \[Hz\].
fn partial(n: f64) -> f64 {
    let (length, radius, density, modulus, tension) = (1.65, 5e-4_f64, 7850.0, 2e11, 287.15);
    let area = PI * radius * radius;
    let (c2, kappa2) = (tension / (density * area), modulus * radius * radius / (4.0 * density));
    n / (2.0 * length) * (c2 + kappa2 * (n * PI / length).powi(2)).sqrt()
}

#[test]
fn harmonics_one_to_ten_sound_under_a_light_finger() {
    println!("\n### Harmonics\n\n| n | partial of the string | sounds | off by |\n|---|---|---|---|");
    for n in 1..=10 {
        let n = f64::from(n);
        // The finger is at 1/n of the distance from nut to bridge, the bow at 0.4 of that.
        let finger_at = 1.65 / 1.9 / n;
        let finger = format!("[[finger]]\nof = \"string\"\nat = {finger_at}\nstiffness = 20\ndamping = 3\n[[bow]]");
        let bow_at = format!("at = {}", if n == 1.0 { 0.21 } else { 0.4 * finger_at });
        let changes = [("at = 0.21", bow_at.as_str()), ("[[bow]]", if n == 1.0 { "[[bow]]" } else { &finger })];
        let (_, velocity) = play(&bowed_preset("tromba-marina", 0.15, &changes), 2.0);
        let slips = slip_times(&velocity, 1.0);
        let frequency = (slips.len() - 1) as f64 / (slips[slips.len() - 1] - slips[0]);
        let off = cents(frequency, partial(n));
        let row = format!("| {n} | {:.2} Hz | {frequency:.2} Hz | {off:+.1} cents |", partial(n));
        println!("{}", row.replace("| -", "| −"));
        assert!(off.abs() < 10.0, "harmonic {n}: {off} cents");
    }
}

/// Worst residual and adhesive share of the rattle after bowing for some time.
fn residual_and_adhesion(scene: &Scene, seconds: f64) -> (f64, f64) {
    let mut simulation: Simulation = scene.compile(RATE).unwrap();
    simulation.open_ledger();
    (0..(seconds * RATE) as usize).for_each(|_| simulation.step());
    let rattle = scene.interaction_names.iter().position(|id| id == "rattle").expect("the interaction rattle");
    let ledger = simulation.ledger().expect("open");
    assert!(ledger.interactions[rattle].hits > 100, "{:?}", ledger.interactions[rattle]);
    (ledger.total.worst_relative, ledger.interactions[rattle].adhesive_share())
}

#[test]
fn energy_balances_over_ten_seconds_of_bowing() {
    println!("\n### Ten seconds\n\n| preset | residual over the energy | adhesive share |\n|---|---|---|");
    for preset in ["tromba-marina", "tromba-marina-spring"] {
        let (residual, adhesive) = residual_and_adhesion(&bowed_preset(preset, 0.3, &[]), 10.0);
        println!("| {preset} | {residual:.0e} | {adhesive} |");
        assert!(residual < 1e-12 && adhesive <= 1e-9, "{preset}: {residual}, {adhesive}");
    }
}
