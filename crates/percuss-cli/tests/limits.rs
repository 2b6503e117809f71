//! `percuss render` checks its energy ledger against limits, and warns about contacts that are too short for the rate.

mod program;

use program::percuss;
use serde_json::Value;
use std::fs;
use std::process::Output;
use tempfile::TempDir;

/// A ball falls on a floor of some stiffness.
fn ball(stiffness: &str) -> String {
    format!(
        r#"
[scene]
name = "Ball"
sample_rate = 8000
duration = 0.25

[[mass]]
id = "ball"
mass = 0.01
position = 0.01
gravity = 9.81

[[barrier]]
id = "floor"
position = 0.0

[[collision]]
id = "bounce"
below = {{ of = "floor" }}
above = {{ of = "ball" }}
stiffness = {stiffness}
exponent = 1.5
loss = 0.2

[[pickup]]
of = "ball"
quantity = "velocity"
"#
    )
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("soft.toml"), ball("1e6")).unwrap();
    fs::write(folder.path().join("hard.toml"), ball("1e12")).unwrap();
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn report(folder: &TempDir) -> Value {
    serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap()
}

/// The exit code follows from the values and limits in the report; files are written in either case.
#[test]
fn exit_code_agrees_with_reported_values_and_limits() {
    for (scene, scheme) in ["soft", "hard"].into_iter().flat_map(|s| ["plain", "tracked", "newton"].map(|n| (s, n))) {
        let folder = folder();
        let line = format!("render {scene}.toml -o out.wav --report r.json --scheme {scheme}");
        let output = percuss(folder.path(), &line);
        let energy = &report(&folder)["energy"];
        let value = |pointer: &str| energy.pointer(pointer).and_then(Value::as_f64).unwrap();
        let balanced = value("/max_residual_relative") <= value("/limits/max_residual_relative");
        let closed = value("/worst_open_relative") <= value("/limits/worst_open_relative");
        let failed = !balanced || (scheme == "tracked" && !closed);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(i32::from(failed)), "{line}: {message}");
        assert_eq!(failed, message.contains("error: "), "{line}: {message}");
        if failed {
            assert!(message.contains("bounce") && message.contains("hint: ") && message.contains("--lenient"));
        }
        if scheme == "plain" {
            assert_eq!(!closed, message.contains("warning: open contacts store"), "{line}: {message}");
        }
        assert!(folder.path().join("out.wav").is_file(), "{line}");
        let output = percuss(folder.path(), &format!("{line} --lenient --force"));
        assert_eq!(output.status.code(), Some(0), "{line} --lenient: {}", stderr(&output));
        assert!(!stderr(&output).contains("error: "), "{line} --lenient: {}", stderr(&output));
    }
}

#[test]
fn open_energy_under_plain_is_a_warning() {
    let folder = folder();
    let output = percuss(folder.path(), "render hard.toml -o out.wav --scheme plain --report r.json");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(message.contains("warning: open contacts store") && message.contains("the collision bounce"), "{message}");
    assert!(message.contains("--scheme tracked"), "{message}");
    let report = report(&folder);
    for pointer in ["/energy/open_energy", "/contacts/0/open_energy", "/contacts/0/worst_residual"] {
        assert!(report.pointer(pointer).is_some_and(Value::is_number), "{pointer}");
    }
}

#[test]
fn short_contacts_get_a_warning_with_the_oversampling_that_resolves_them() {
    let folder = folder();
    for command in ["render hard.toml -o out.wav --lenient", "check hard.toml"] {
        let message = stderr(&percuss(folder.path(), command));
        let warning = message.lines().find(|line| line.starts_with("warning: bounce: ")).unwrap_or_else(|| {
            panic!("{command}: {message}");
        });
        assert!(warning.contains("samples at 8000 Hz"), "{warning}");
        let words: Vec<&str> = warning.split_whitespace().collect();
        let lasts = words.iter().position(|&word| word == "lasts").unwrap();
        let samples: f64 = words[lasts + 1].parse().unwrap();
        assert!(samples < 2.0, "{warning}");
        let hint = message.lines().find(|line| line.contains("--oversample")).unwrap();
        let mut after = hint.split_whitespace().skip_while(|&word| word != "--oversample");
        let factor: f64 = after.nth(1).unwrap().trim_end_matches(',').parse().unwrap();
        assert!(factor.log2().fract() == 0.0, "{hint}");
        assert!((4.0..8.0).contains(&(factor * samples)) || factor == 64.0, "{warning}\n{hint}");
    }
    for command in ["render soft.toml -o out.wav --lenient", "check soft.toml"] {
        let message = stderr(&percuss(folder.path(), command));
        assert!(!message.contains("shortest contact"), "{command}: {message}");
    }
}
