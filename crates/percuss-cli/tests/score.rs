//! Bows, fingers, scores and MIDI files in the program, end to end.

use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const SCENE: &str = r#"
[scene]
name = "Bowed"
duration = 0.4

[[string]]
id = "string"
length = 1.9
radius = 0.5e-3
tension = 91

[[mass]]
id = "bob"
mass = 1e-3
frequency = 200

[[connection]]
id = "bridge"
below = { of = "string", at = 0.9 }
above = { of = "bob" }
stiffness = 1e5

[score]
bow = "bow"
finger = "finger"
bow_follows = true

[[note]]
start = 0
duration = 0.4
harmonic = 3

[[bow]]
id = "bow"
of = "string"
at = 0.217

[[finger]]
id = "finger"
of = "string"
stiffness = 20
damping = 1

[[pickup]]
of = "string"
at = 0.97
"#;

/// A MIDI file with 96 ticks per beat: G2 for one beat, half a second.
const TUNE: &[u8] = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0c\0\x90\x2b\x50\x60\x80\x2b\0\0\xff\x2f\0";

fn run(folder: &TempDir, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
    command.current_dir(folder.path()).stdin(Stdio::null());
    command.args(line.split_whitespace()).output().unwrap()
}

#[track_caller]
fn succeed(folder: &TempDir, line: &str) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(0), "percuss {line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[track_caller]
fn fail(folder: &TempDir, line: &str, code: i32) -> String {
    let output = run(folder, line);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "percuss {line}: {message}");
    assert!(message.starts_with("error: ") && message.contains("\n  hint: "), "percuss {line}: {message}");
    message
}

fn test_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("bowed.toml"), SCENE).unwrap();
    fs::write(folder.path().join("tune.mid"), TUNE).unwrap();
    folder
}

#[test]
fn bows_and_fingers_have_a_separate_table() {
    let folder = test_folder();
    let summary =
        succeed(&folder, "render bowed.toml -o out.wav --report out.json --plots plots --movie movie.gif --frames 3");
    for words in ["bow or finger", "supplied", "by friction", "by damping", "contact", "bridge"] {
        assert!(summary.contains(words), "no {words} in\n{summary}");
    }
    let check = succeed(&folder, "check bowed.toml");
    assert!(check.contains("bow or finger") && check.contains("by friction"), "{check}");
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.path().join("out.json")).unwrap()).unwrap();
    let bow = report["contacts"].as_array().unwrap().iter().find(|contact| contact["id"] == "bow").unwrap();
    assert!(bow["supplied"].as_f64().unwrap() > 0.0 && bow["dissipated"].as_f64().unwrap() > 0.0, "{bow}");
}

#[test]
fn midi_file_sets_the_duration_to_its_length_plus_a_second() {
    let folder = test_folder();
    let summary = succeed(&folder, "render bowed.toml --midi tune.mid -o out.wav");
    assert!(summary.contains("length  1.5 s"), "{summary}");
    let summary = succeed(&folder, "render bowed.toml --midi tune.mid --seconds 0.2 -o out.wav --force");
    assert!(summary.contains("length  0.2 s"), "{summary}");
}

#[test]
fn wrong_midi_files_and_scenes_without_a_score_are_rejected() {
    let folder = test_folder();
    assert!(fail(&folder, "render bowed.toml --midi bowed.toml -o out.wav", 1).contains("not a MIDI file"));
    assert!(fail(&folder, "render bowed.toml --midi no.mid -o out.wav", 1).contains("no.mid"));
    assert!(fail(&folder, "render bounce --midi tune.mid -o out.wav", 1).contains("has no [score]"));
    assert!(
        fail(&folder, "render bowed.toml --midi tune.mid --report tune.mid -o out.wav", 2)
            .contains("is the MIDI file itself")
    );
}
