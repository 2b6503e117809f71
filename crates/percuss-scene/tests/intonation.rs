//! Intonation: the finger of a stopped note tunes the string to the pitch of the note.

use percuss_scene::{Scene, parse};
use std::f64::consts::TAU;

const RATE: f64 = 44_100.0;

/// Interval between two frequencies \[cents\].
fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

/// The fundamental of a steady sound near a frequency: that whose first eight partials together are the strongest in the sound
/// under a Blackman window.
fn fundamental(sound: &[f64], near: f64) -> f64 {
    strongest(sound, near, 8)
}

/// The same of the partial near a frequency alone.
fn partial_near(sound: &[f64], near: f64) -> f64 {
    strongest(sound, near, 1)
}

fn strongest(sound: &[f64], near: f64, partials: u32) -> f64 {
    let length = sound.len() as f64;
    let window = |n: usize| {
        let phase = TAU * (n as f64 + 0.5) / length;
        0.42 - 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos()
    };
    let windowed: Vec<f64> = sound.iter().enumerate().map(|(n, x)| window(n) * x).collect();
    let power = |frequency: f64| {
        let (sin, cos) = (TAU * frequency / RATE).sin_cos();
        // Horner's scheme in e^{jω}.
        let sum = windowed.iter().fold([0.0; 2], |[re, im], x| [re * cos - im * sin + x, re * sin + im * cos]);
        sum[0].powi(2) + sum[1].powi(2)
    };
    let strength =
        |shift: f64| (1..=partials).map(|n| power(f64::from(n) * near * (shift / 1200.0).exp2())).sum::<f64>().ln();
    // Rough steps, narrower than the peak of the eighth partial, then parabolas of half the width.
    let rough = (-12..=12).map(|step| 4.0 * f64::from(step));
    let mut shift = rough.max_by(|&a, &b| strength(a).total_cmp(&strength(b))).unwrap();
    let mut span = 2.0;
    while span > 2e-3 {
        let [below, at, above] = [-1.0, 0.0, 1.0].map(|side| strength(shift + side * span));
        let bend = below - 2.0 * at + above;
        let step = if bend < 0.0 { 0.5 * (below - above) / bend } else { (above - below).signum() };
        shift += span * step.clamp(-1.0, 1.0);
        span *= 0.5;
    }
    near * (shift / 1200.0).exp2()
}

#[test]
fn the_pitch_of_a_steady_sound_is_found_to_a_hundredth_of_a_cent() {
    for pitch in [61.3, 130.77, 523.1] {
        let partial = |n: f64, t: f64| (TAU * pitch * n * t + n * n).sin() / n;
        let sound: Vec<f64> = (0..(0.6 * RATE) as usize)
            .map(|n| (1..=20).map(|partial_number| partial(f64::from(partial_number), n as f64 / RATE)).sum())
            .collect();
        for away in [-30.0, -1.0, 0.0, 25.0] {
            let found = fundamental(&sound, pitch * (away / 1200.0_f64).exp2());
            assert!(cents(pitch, found).abs() < 0.01, "{} cents", cents(pitch, found));
        }
    }
}

/// Sounds of a score: the last note, from 0.6 s after its start, for 0.6 s.
fn last_note(text: &str, pickup: &str, start: f64) -> Vec<f64> {
    let text = format!("{text}\n{pickup}");
    let scene: Scene = parse(&text, "score.toml").unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let pickup = scene.outputs.last().expect("a pickup").pickup;
    let mut simulation = scene.compile(RATE).unwrap();
    let mut signal = vec![0.0; ((start + 1.2) * RATE) as usize];
    simulation.process(&[pickup], &mut [&mut signal]);
    signal[((start + 0.6) * RATE) as usize..].to_vec()
}

/// A steel string between nut and bridge, stopped by a firm finger.
fn stopped(notes: &[String], seconds: f64) -> String {
    let note = |(index, pitch): (usize, &String)| {
        format!("[[note]]\nstart = {}\nduration = {seconds}\n{pitch}\n\n", index as f64 * seconds)
    };
    let notes: String = notes.iter().enumerate().map(note).collect();
    format!(
        "[score]\nbow = \"bow\"\nfinger = \"finger\"\ntechnique = \"stopped\"\nforce = [0.1, 0.4]\n{notes}\n\
         [[string]]\nid = \"string\"\nlength = 1.9\nradius = 0.5e-3\ntension = 91\nsigma0 = 0.1\nsigma1 = 0.05\n\
         [[bow]]\nid = \"bow\"\nof = \"string\"\nat = 0.12\n\
         [[finger]]\nid = \"finger\"\nof = \"string\"\nstiffness = 1e5\ndamping = 5\n"
    )
}

/// By the first partial of the plucked string under the finger, without the bow's nonlinearity.
#[test]
fn stopped_strings_are_tuned_to_their_pitch() {
    let mut worst = 0.0_f64;
    for semitone in 1..=19 {
        let pitch = 33.0 * (f64::from(semitone) / 12.0).exp2();
        let text = stopped(&[format!("pitch = {pitch}")], 3.0).replace("force = [0.1, 0.4]", "force = [0.0, 0.0]");
        let pulse = "[[pulse]]\nof = \"string\"\nat = 0.07\ntime = 0.2\nduration = 2e-3\npeak = 5\n";
        let sound = last_note(
            &format!("{text}{pulse}"),
            "[[pickup]]\nof = \"string\"\nat = 0.15\nquantity = \"velocity\"\n",
            0.0,
        );
        let off = cents(pitch, partial_near(&sound, pitch));
        println!("{semitone:2}: {pitch:.2} Hz: {off:+.2} cents");
        worst = worst.max(off.abs());
    }
    assert!(worst < 3.0, "{worst} cents");
}
