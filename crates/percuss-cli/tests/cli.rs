//! The program end to end: files, messages, exit codes.

mod scene_folder;

use scene_folder::{BALL, COSINE, PLATE, SceneFolder, text};
use serde_json::Value;
use std::fs;
use std::process::Command;

#[test]
fn render_writes_all_requested_files() {
    let test = SceneFolder::new();
    let printed = test.succeed("render ball.toml -o out.wav --plots plots --report r.json --probes p.csv");
    for words in ["out.wav", "0.25 s", "m/s", "-1 dBTP", "dissipated", "bounce", "adhesive", "real time"] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    let expected = ["contacts.png", "energy.png", "out.wav", "p.csv", "r.json", "spectrogram.png", "waveform.png"];
    assert_eq!(test.written_files(), expected);
    for name in ["contacts", "energy", "spectrogram", "waveform"] {
        let bytes = fs::read(test.path("plots").join(format!("{name}.png"))).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000, "{name}: {} bytes", bytes.len());
    }
    let table = fs::read_to_string(test.path("p.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 2000);
    for line in table.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        assert_eq!(row.len(), 2);
    }
}

#[test]
fn report_contains_all_results() {
    let test = SceneFolder::new();
    test.succeed("render ball.toml -o out.wav --report r.json --oversample 2 --scheme newton");
    let report: Value = serde_json::from_slice(&fs::read(test.path("r.json")).unwrap()).unwrap();
    assert_eq!(report["sample_rate"], 8000.0);
    assert_eq!(report["physics_rate"], 16_000.0);
    assert_eq!(report["oversample"], 2);
    assert_eq!(report["steps"], 4000);
    assert_eq!(report["scheme"], "newton");
    assert_eq!(report["scene"], "Ball");
    assert_eq!(report["grid"]["ball"]["nodes"], 1);
    assert_eq!(report["output"]["frames"], 2000);
    assert_eq!(report["output"]["bits"], 24);
    assert_eq!(report["output"]["channels"], 2);
    assert_eq!(report["contacts"][0]["id"], "bounce");
    assert_eq!(report["contacts"][0]["kind"], "collision");
    assert!(report["contacts"][0]["hits"].as_u64().unwrap() >= 1);
    let numbers = [
        "/grid/string/intervals /grid/string/spacing /grid/string/least_spacing",
        "/energy/initial /energy/final /energy/dissipated /energy/supplied /energy/max_residual_relative",
        "/elements/0/stored /elements/0/dissipated /elements/0/supplied /elements/0/received",
        "/elements/0/worst_residual /contacts/0/impulse /contacts/0/adhesive_impulse /contacts/0/adhesive_share",
        "/contacts/0/peak_force /contacts/0/dissipated /contacts/0/mean_contact_steps",
        "/contacts/0/shortest_contact_steps /newton/mean_iterations /newton/max_iterations",
        "/newton/unconverged /output/peak /output/gain_db /realtime_factor",
    ];
    for pointer in numbers.iter().flat_map(|line| line.split_whitespace()) {
        assert!(report.pointer(pointer).is_some_and(Value::is_number), "{pointer}");
    }
    assert!(report["energy"]["max_residual_relative"].as_f64().unwrap() < 1e-10);
}

#[test]
fn sound_files_have_the_requested_format_and_peak_at_minus_one_decibel() {
    let test = SceneFolder::new();
    for (bits, full_scale) in [(16, 32_768.0), (24, 8_388_608.0), (32, 1.0)] {
        test.succeed(&format!(
            "render ball.toml -o out.wav --bits {bits} --rate 16000 --seconds 0.5 --peak -1 --force"
        ));
        let mut reader = hound::WavReader::open(test.path("out.wav")).unwrap();
        let spec = reader.spec();
        assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (2, 16_000, bits));
        assert_eq!(reader.duration(), 8000);
        let peak = if bits == 32 {
            reader.samples::<f32>().map(|x| f64::from(x.unwrap().abs())).fold(0.0, f64::max)
        } else {
            reader.samples::<i32>().map(|x| f64::from(x.unwrap().abs())).fold(0.0, f64::max)
        };
        let level = 20.0 * (peak / full_scale).log10();
        assert!((level + 1.0).abs() < 0.01, "{bits} bits: {level} dBFS");
    }
}

#[test]
fn samples_without_normalisation_keep_their_unit_and_clip_with_a_warning() {
    let test = SceneFolder::new();
    test.succeed("render cosine.toml -o out.wav --no-normalise --no-dc-block --bits 32");
    let first = test.samples("out.wav")[0];
    assert!((first - 1e-3).abs() < 1e-6, "{first}");
    fs::write(test.path("loud.toml"), COSINE.replace("position = 1e-3", "position = 2.0")).unwrap();
    let output = test.run("render loud.toml -o out.wav --no-normalise --no-dc-block --bits 16 --force");
    assert_eq!(output.status.code(), Some(0));
    let warning = text(&output.stderr);
    assert!(warning.contains("warning:") && warning.contains("samples beyond full scale"), "{warning}");
}

#[test]
fn oversampling_changes_neither_length_nor_timing() {
    let test = SceneFolder::new();
    test.succeed("render cosine.toml -o plain.wav --no-normalise --no-dc-block --bits 32");
    let plain = test.samples("plain.wav");
    for factor in [2, 3, 16] {
        test.succeed(&format!(
            "render cosine.toml -o over.wav --no-normalise --no-dc-block --bits 32 --force --oversample {factor}"
        ));
        let over = test.samples("over.wav");
        assert_eq!((plain.len(), over.len()), (4000, 4000));
        // A delay of one sample would differ by 4e-6; the frequency error of the scheme differs by 1e-8.
        // The filter rings at the sudden start, but not at the end, where its input continues.
        for (m, (a, b)) in plain.iter().zip(&over).enumerate().skip(600) {
            assert!((a - b).abs() < 1e-7, "factor {factor}, frame {m}: {a} and {b}");
        }
    }
}

#[test]
fn silence_is_written_and_reported() {
    let test = SceneFolder::new();
    fs::write(test.path("still.toml"), COSINE.replace("position = 1e-3", "position = 0.0")).unwrap();
    let printed = test.succeed("render still.toml -o out.wav --plots .");
    assert!(printed.contains("every sample is zero"), "{printed}");
    assert_eq!(test.written_files(), ["energy.png", "out.wav", "spectrogram.png", "waveform.png"]);
}

#[test]
fn default_preset_is_rendered_into_the_default_folder() {
    let test = SceneFolder::new();
    test.succeed("render --seconds 0.1 --probes probes.csv");
    let list = test.succeed("list");
    let name = list.split_whitespace().next().unwrap();
    assert_eq!(name, "tromba-marina");
    assert!(test.path(&format!("percuss-out/{name}.wav")).is_file());
    assert!(test.path(&format!("percuss-out/{name}/energy.png")).is_file());
    assert!(test.path("probes.csv").is_file());
    test.succeed("render ball.toml --plots .");
    assert!(test.path("percuss-out/ball.wav").is_file() && !test.path("percuss-out/ball").exists());
}

#[test]
fn materials_are_listed_with_units_and_sources() {
    let list = SceneFolder::new().succeed("materials");
    let line = list.lines().find(|line| line.trim_start().starts_with("bronze")).unwrap();
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells, ["bronze", "8640 kg/m³", "110.0 GPa", "0.34", "5e-4", "bell metal, 80 % copper, 20 % tin"]);
    for material in percuss_scene::materials::all() {
        assert!(list.lines().any(|line| line.contains(material.name) && line.ends_with(material.source)), "{list}");
    }
}

#[test]
fn wrong_usage_and_wrong_scenes_have_different_exit_codes() {
    let test = SceneFolder::new();
    for flags in ["--rate nan", "--rate 0", "--rate 1e9", "--seconds -1", "--seconds inf", "--oversample 0"] {
        let message = test.fail(&format!("render ball.toml {flags}"), 2);
        assert!(message.contains("invalid value"), "{message}");
    }
    for flags in ["--bits 20", "--scheme magic", "--oversample 65", "--no-such-flag"] {
        test.fail(&format!("render ball.toml {flags}"), 2);
    }
    test.fail("render ball.toml -o ball.toml", 2);
    test.fail("render ball.toml -o x.wav --report x.wav", 2);
    fs::write(test.path("wrong.toml"), BALL.replace("mass = 0.01", "mass = -1")).unwrap();
    let message = test.fail("render wrong.toml", 1);
    assert!(message.contains("wrong.toml:") && message.contains("hint:"), "{message}");
    test.fail("check wrong.toml", 1);
    test.fail("render missing.toml", 1);
    assert!(test.written_files().is_empty(), "{:?}", test.written_files());
    assert!(!test.path("percuss-out").exists());
}

#[test]
fn unknown_preset_gets_a_suggestion() {
    let test = SceneFolder::new();
    let message = test.fail("render hamer-string", 1);
    assert!(message.contains("`hammer-string`") && message.contains("percuss list"), "{message}");
    test.fail("show nothing-like-it", 1);
}

#[test]
fn unwritable_outputs_are_reported_before_the_run() {
    let test = SceneFolder::new();
    let message = test.fail("render ball.toml --seconds 30000 -o no/such/out.wav", 1);
    assert!(message.contains("does not exist") && message.contains("mkdir"), "{message}");
    fs::create_dir(test.path("folder")).unwrap();
    let message = test.fail("render ball.toml --seconds 30000 -o folder", 1);
    assert!(message.contains("is a folder"), "{message}");
    test.fail("render ball.toml --seconds 30000 -o out.wav --report no/r.json", 1);
    let message = test.fail("render cosine.toml -o out.wav --probes p.csv", 1);
    assert!(message.contains("[[probe]]"), "{message}");
    let message = test.fail("render ball.toml --seconds 300000 -o out.wav", 1);
    assert!(message.contains("WAV") && message.contains("--seconds"), "{message}");
    assert!(test.written_files().is_empty(), "{:?}", test.written_files());
}

#[test]
fn check_prints_grids_contacts_and_cost() {
    let test = SceneFolder::new();
    let printed = test.succeed("check ball.toml");
    for words in ["string", "intervals", "h/h_min", "bounce", "samples", "ns per sample", "real time"] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    fs::write(test.path("hard.toml"), BALL.replace("1e6", "1e12")).unwrap();
    let output = test.run("check hard.toml");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("warning: bounce") && text(&output.stderr).contains("--oversample"));
    fs::write(test.path("high.toml"), BALL.replace("position = 0.01", "position = 100.0")).unwrap();
    assert!(test.succeed("check high.toml").contains("no contact within"));
}

#[test]
fn plates_show_their_grid_actual_size_and_work_of_touches() {
    let test = SceneFolder::new();
    let printed = test.succeed("render plate.toml -o out.wav --report r.json");
    assert!(printed.contains("touches ") && printed.contains("J of work by changing touches"), "{printed}");
    let report: Value = serde_json::from_slice(&fs::read(test.path("r.json")).unwrap()).unwrap();
    let grid = &report["grid"]["plate"];
    let numbers = |key: &str| grid[key].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect::<Vec<_>>();
    let (intervals, size) = (numbers("intervals"), numbers("size"));
    let (spacing, least) = (grid["spacing"].as_f64().unwrap(), grid["least_spacing"].as_f64().unwrap());
    assert!(spacing >= least && spacing < 1.2 * least, "{grid}");
    assert_eq!(size, [intervals[0] * spacing, intervals[1] * spacing]);
    assert!(size[0] == 0.2 && size[1] != 0.125 && (size[1] - 0.125).abs() < spacing, "{grid}");
    for part in ["touch_work", "touch_stored", "touch_dissipated"] {
        assert!(report["energy"][part].as_f64().unwrap() != 0.0, "{part}");
        assert_eq!(report["energy"][part], report["elements"][0][part], "{part}");
    }
    test.succeed("render plate.toml -o out.wav --plots charts --svg --force");
    let chart = fs::read_to_string(test.path("charts/touches.svg")).unwrap();
    for text in ["P_c", "H_c", "Q_c", "power of changes", "stored in mass and stiffness", "lost in damping"] {
        assert!(chart.contains(text), "{text}");
    }
    assert!(report["energy"]["max_residual_relative"].as_f64().unwrap() < 1e-11);

    let printed = test.succeed("check plate.toml");
    let row = printed.lines().find(|line| line.trim_start().starts_with("plate ")).unwrap();
    for words in [&format!("{} × {} intervals", intervals[0], intervals[1]), "mm", "200.0 mm × "] {
        assert!(row.contains(words), "{words} in {row}");
    }
    assert!(printed.contains("actual size"), "{printed}");
    // No actual size where it equals the given one, and no work where touches do not change.
    fs::write(test.path("square.toml"), PLATE.replace("0.125", "0.2").replace("1.0] }", "0.0] }")).unwrap();
    let printed = test.succeed("check square.toml");
    assert!(printed.contains("intervals") && !printed.contains("actual size"), "{printed}");
    assert!(!test.succeed("render square.toml -o out.wav --report r.json --force").contains("touches "));
    let report: Value = serde_json::from_slice(&fs::read(test.path("r.json")).unwrap()).unwrap();
    assert_eq!(report["energy"]["touch_work"].as_f64(), Some(0.0));
}

#[test]
fn new_copies_a_preset_and_overwrites_only_with_force() {
    let test = SceneFolder::new();
    test.succeed("new mine.toml --from hammer-string");
    let copy = fs::read_to_string(test.path("mine.toml")).unwrap();
    assert_eq!(copy, test.succeed("show hammer-string"));
    let message = test.fail("new mine.toml", 1);
    assert!(message.contains("--force"), "{message}");
    assert_eq!(fs::read_to_string(test.path("mine.toml")).unwrap(), copy);
    test.succeed("new mine.toml --force");
    assert_ne!(fs::read_to_string(test.path("mine.toml")).unwrap(), copy);
    test.fail("new other.toml --from nothing", 1);
}

#[cfg(unix)]
#[test]
fn closed_stdout_is_no_error() {
    let shell = format!("{} show tromba-marina | true; exit ${{PIPESTATUS[0]}}", env!("CARGO_BIN_EXE_percuss"));
    let output = Command::new("bash").arg("-c").arg(shell).output().unwrap();
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_contains_examples() {
    let test = SceneFolder::new();
    for command in ["", "render", "check", "list", "materials", "show", "new"] {
        assert!(test.succeed(&format!("{command} --help")).contains("Examples:"), "{command} --help");
    }
}
