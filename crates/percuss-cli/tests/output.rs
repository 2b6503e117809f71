//! The sound file of `percuss render`: format, level, low frequencies, end, and what is overwritten.

#[allow(dead_code, reason = "the scenes are for other tests")]
mod scene_folder;

use ebur128::{EbuR128, Mode};
use flac_codec::decode::FlacSampleReader;
use scene_folder::{SceneFolder, text};
use serde_json::Value;
use std::fs;

/// A damped mass on a spring, read as velocity; it decays by 60 dB in 2·ln 1000/damping.
fn oscillator(scene: &str, frequency: f64, damping: f64) -> String {
    format!(
        r#"
[scene]
name = "Oscillator"
sample_rate = 8000
{scene}

[[mass]]
id = "bob"
mass = 1e-3
position = 1e-3
frequency = {frequency}
damping = {damping}

[[pickup]]
of = "bob"
quantity = "velocity"
"#
    )
}

fn folder(scene: &str, frequency: f64, damping: f64) -> SceneFolder {
    let test = SceneFolder::new();
    fs::write(test.path("scene.toml"), oscillator(scene, frequency, damping)).unwrap();
    test
}

/// The scene of a folder, read as displacement.
fn read_as_displacement(test: SceneFolder) -> SceneFolder {
    let text = fs::read_to_string(test.path("scene.toml")).unwrap();
    fs::write(test.path("scene.toml"), text.replace("\"velocity\"", "\"displacement\"")).unwrap();
    test
}

fn report(test: &SceneFolder) -> Value {
    serde_json::from_slice(&fs::read(test.path("r.json")).unwrap()).unwrap()
}

fn number(report: &Value, pointer: &str) -> f64 {
    report.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {report}"))
}

#[test]
fn flac_holds_the_samples_of_the_wav_file() {
    let test = SceneFolder::new();
    for bits in [16, 24] {
        test.succeed(&format!("render ball.toml -o out.wav --bits {bits} --force"));
        test.succeed(&format!("render ball.toml -o out.flac --bits {bits} --force"));
        let wav: Vec<i32> =
            hound::WavReader::open(test.path("out.wav")).unwrap().into_samples().map(Result::unwrap).collect();
        let mut flac = FlacSampleReader::open(test.path("out.flac")).unwrap();
        let mut samples = Vec::new();
        flac.read_to_end(&mut samples).unwrap();
        assert_eq!(samples, wav, "{bits} bits");
        assert!(fs::metadata(test.path("out.flac")).unwrap().len() < fs::metadata(test.path("out.wav")).unwrap().len());
    }
}

#[test]
fn extensions_and_formats_that_cannot_be_written_are_rejected_before_the_run() {
    let test = SceneFolder::new();
    for name in ["out.mp3", "out", "out.aiff"] {
        let message = test.fail(&format!("render ball.toml --seconds 30000 -o {name}"), 2);
        assert!(message.contains(".wav or .flac") && message.contains("hint: name it out.wav"), "{message}");
    }
    let message = test.fail("render ball.toml --seconds 30000 -o out.flac --bits 32", 2);
    assert!(message.contains("16 or 24 bits"), "{message}");
    assert!(test.written_files().is_empty());
}

#[test]
fn named_files_are_overwritten_only_with_force() {
    let test = SceneFolder::new();
    let names = ["out.wav", "r.json", "p.csv", "plots/energy.png"];
    fs::create_dir(test.path("plots")).unwrap();
    for (index, flags) in ["-o out.wav", "--report r.json", "--probes p.csv", "--plots plots"].iter().enumerate() {
        fs::write(test.path(names[index]), "mine").unwrap();
        let message = test.fail(&format!("render ball.toml {flags}"), 1);
        assert!(message.contains(names[index]) && message.contains("--force"), "{message}");
        assert_eq!(fs::read(test.path(names[index])).unwrap(), b"mine");
        test.succeed(&format!("render ball.toml {flags} --force"));
        assert_ne!(fs::read(test.path(names[index])).unwrap(), b"mine");
    }
}

#[test]
fn repeating_a_command_without_names_needs_no_force() {
    let test = SceneFolder::new();
    test.succeed("render ball.toml");
    let first = fs::read(test.path("percuss-out/ball.wav")).unwrap();
    test.succeed("render ball.toml --seconds 0.2");
    assert_ne!(fs::read(test.path("percuss-out/ball.wav")).unwrap(), first);
}

/// Integrated loudness of a file of one channel, and its largest sample.
fn loudness_and_peak(test: &SceneFolder, name: &str) -> (f64, f64) {
    let mut reader = hound::WavReader::open(test.path(name)).unwrap();
    let samples: Vec<f64> = reader.samples::<f32>().map(|sample| f64::from(sample.unwrap())).collect();
    let mut meter = EbuR128::new(1, reader.spec().sample_rate, Mode::I).unwrap();
    meter.add_frames_f64(&samples).unwrap();
    (meter.loudness_global().unwrap(), samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs())))
}

#[test]
fn loudness_is_reached_unless_the_true_peak_comes_first() {
    let test = folder("duration = 2.0", 400.0, 1.0);
    for (flags, wanted) in [("", -18.0), ("--lufs -30", -30.0)] {
        test.succeed(&format!("render scene.toml -o out.wav --bits 32 --report r.json --force {flags}"));
        let (found, _) = loudness_and_peak(&test, "out.wav");
        assert!((found - wanted).abs() < 0.01, "{found} LUFS, not {wanted}");
        assert!((number(&report(&test), "/output/loudness_lufs") - wanted).abs() < 1e-9);
    }
    let printed = test.succeed("render scene.toml -o out.wav --bits 32 --report r.json --force --lufs 0");
    let (found, peak) = loudness_and_peak(&test, "out.wav");
    assert!(printed.contains("-1 dBTP, which comes before 0 LUFS"), "{printed}");
    // A sine is sampled 20 times per period: its largest sample is within cos(π/20) of the true peak.
    assert!(found < -1.0 && (-1.11..-0.9999).contains(&(20.0 * peak.log10())), "{found} LUFS, peak {peak}");
    test.succeed("render scene.toml -o out.wav --bits 32 --force --peak -6");
    assert!((20.0 * loudness_and_peak(&test, "out.wav").1.log10() + 6.0).abs() < 1e-4);
}

#[test]
fn sound_too_short_for_a_loudness_is_normalised_to_its_peak() {
    let test = folder("duration = 0.3", 400.0, 1.0);
    let printed = test.succeed("render scene.toml -o out.wav --report r.json");
    assert!(printed.contains("too short for a loudness"), "{printed}");
    assert!(report(&test)["output"]["loudness_lufs"].is_null());
    assert!((number(&report(&test), "/output/true_peak_dbtp") + 1.0).abs() < 1e-9);
}

#[test]
fn low_frequencies_are_removed_unless_the_scene_or_a_flag_keeps_them() {
    let offset = |test: &SceneFolder, flags: &str| {
        test.succeed(&format!("render scene.toml -o out.wav --bits 32 --no-normalise --fade 0 --force {flags}"));
        let samples = test.samples("out.wav");
        samples.iter().map(|&x| f64::from(x)).sum::<f64>() / samples.len() as f64
    };
    // A heavily damped mass without a spring stays at 1 mm.
    let test = read_as_displacement(folder("duration = 0.5", 0.0, 100.0));
    assert!(offset(&test, "").abs() < 1e-12);
    assert!((offset(&test, "--no-dc-block") - 1e-3).abs() < 1e-9);
    let test = read_as_displacement(folder("duration = 0.5\ndc_block = false", 0.0, 100.0));
    assert!((offset(&test, "") - 1e-3).abs() < 1e-9);
}

#[test]
fn sound_ends_when_it_is_silent() {
    let test = folder("duration = \"until silent\"", 400.0, 8.0);
    let printed = test.succeed("render scene.toml -o out.wav --report r.json");
    assert!(printed.contains("ends when silent: -70 dB for 1 s"), "{printed}");
    // exp(−4t) falls by 70 dB in 2.015 s; then it is silent for a second. The end is checked every 1024 samples.
    let seconds = number(&report(&test), "/output/frames") / 8000.0;
    assert!((3.01..3.02 + 1024.0 / 8000.0).contains(&seconds), "{seconds} s");
    assert_eq!(report(&test)["output"]["ending"], "quiet");
    test.succeed("render scene.toml -o out.wav --report r.json --seconds 0.5 --force");
    assert_eq!(number(&report(&test), "/output/frames"), 4000.0);
}

#[test]
fn sound_that_is_never_silent_is_faded_out_at_the_longest_duration() {
    let test = folder("duration = \"until silent\"\nmax_duration = 1.5", 400.0, 0.1);
    let printed = test.succeed("render scene.toml -o out.wav --report r.json --bits 32");
    assert!(printed.contains("never silent within 1.5 s: faded out in 0.05 s"), "{printed}");
    let (samples, report) = (test.samples("out.wav"), report(&test));
    assert_eq!((samples.len(), samples[11_999]), (12_000, 0.0));
    assert_eq!((report["output"]["ending"].as_str(), number(&report, "/output/fade_s")), (Some("faded"), 0.05));
    let printed = test.succeed("render scene.toml -o out.wav --force --fade 0");
    assert!(printed.contains("still loud at the end: cut"), "{printed}");
}

#[test]
fn scene_sets_the_oversampling_and_a_flag_overrides_it() {
    let test = folder("duration = 0.5\noversample = 4", 400.0, 1.0);
    for (flags, rate) in [("", 32_000.0), ("--oversample 2", 16_000.0)] {
        test.succeed(&format!("render scene.toml -o out.wav --report r.json --force {flags}"));
        assert_eq!(number(&report(&test), "/physics_rate"), rate);
        assert_eq!(number(&report(&test), "/output/frames"), 4000.0);
    }
    assert!(test.succeed("check scene.toml").contains("at 32000 Hz"));
}

#[test]
fn energy_near_the_nyquist_frequency_gets_a_warning() {
    for (frequency, is_near) in [(2000.0, false), (2540.0, true)] {
        // The scheme's own frequency is arcsin(π·f/rate)·rate/π: 2540 Hz becomes 3818 Hz, above 0.8·4000 Hz.
        let test = folder("duration = 0.5", frequency, 1.0);
        let warned = text(&test.run("render scene.toml -o out.wav").stderr);
        assert_eq!(warned.contains("near the Nyquist frequency"), is_near, "{warned}");
        assert_eq!(warned.contains("--oversample 4"), is_near, "{warned}");
    }
}
