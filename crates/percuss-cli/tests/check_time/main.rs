//! `percuss check` answers within a second, whatever the scene: presets, random scenes over the whole format, and absurd ones.
//!
//! What is measured is CPU time, which other programs on the machine change less than the time on the clock.

#![cfg(unix)]

mod absurd;
#[allow(dead_code, reason = "only its generator is used")]
#[path = "../../examples/search/harness/mod.rs"]
mod harness;

use percuss_scene::presets;
use proptest::test_runner::{RngAlgorithm, TestRng};
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// \[s\].
const LONGEST: f64 = 1.0;

/// CPU time of `percuss check` \[s\]; it must answer with exit code 0 or 1.
fn cpu_time(folder: &Path, scene: &str) -> f64 {
    // `times` prints the time of the shell, then that of its children: user and system.
    let script = format!("\"{}\" check \"{scene}\" > /dev/null 2>&1; echo $?; times", env!("CARGO_BIN_EXE_percuss"));
    let mut shell = Command::new("sh");
    let output = shell.current_dir(folder).stdin(Stdio::null()).args(["-c", &script]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(["0", "1"].contains(&lines[0]), "{scene}: {said}");
    lines[2].split_whitespace().map(seconds).sum()
}

/// Of a time as in `0m1.234s`.
fn seconds(time: &str) -> f64 {
    let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
    60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
}

/// Checks scenes with their names; prints the slowest.
fn check_all(folder: &Path, scenes: &[(String, String)]) {
    let time = |(name, text): &(String, String)| {
        let file = format!("{name}.toml");
        fs::write(folder.join(&file), text).unwrap();
        (cpu_time(folder, &file), name.clone())
    };
    let mut times: Vec<(f64, String)> = scenes.par_iter().map(time).collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (time, name) in times.iter().take(3) {
        println!("{time:.2} s {name}");
    }
    let (slowest, name) = &times[0];
    if *slowest > LONGEST {
        let kept = std::env::temp_dir().join(format!("percuss-slow-{name}.toml"));
        fs::copy(folder.join(format!("{name}.toml")), &kept).unwrap();
        panic!("`percuss check {}` takes {slowest} s", kept.display());
    }
}

#[test]
fn presets_are_checked_within_a_second() {
    let folder = TempDir::new().unwrap();
    let scenes: Vec<(String, String)> =
        presets::all().iter().map(|preset| (preset.name.into(), preset.text.into())).collect();
    check_all(folder.path(), &scenes);
}

#[test]
fn random_scenes_are_checked_within_a_second() {
    let folder = TempDir::new().unwrap();
    harness::files::write(folder.path()).unwrap();
    let scene = |index| (format!("random-{index}"), harness::generate::generate_scene(71, index).to_string());
    check_all(folder.path(), &(0..60).map(scene).collect::<Vec<_>>());
}

#[test]
fn absurd_scenes_are_checked_within_a_second() {
    let folder = TempDir::new().unwrap();
    let scene = |index: u64| {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&index.to_le_bytes());
        (format!("absurd-{index}"), absurd::scene(&mut TestRng::from_seed(RngAlgorithm::ChaCha, &seed)))
    };
    check_all(folder.path(), &(0..100).map(scene).collect::<Vec<_>>());
}

fn repeated(count: usize, table: impl Fn(usize) -> String) -> String {
    (0..count).map(table).collect()
}

#[test]
fn crowds_are_checked_within_a_second() {
    let folder = TempDir::new().unwrap();
    let mass = |n: usize| format!("[[mass]]\nid = \"m{n}\"\nmass = 0.01\n");
    let plate = "[[plate]]\nid = \"p\"\nsize = [0.3, 0.3]\nthickness = 1e-3\n";
    let string = "[[string]]\nid = \"s\"\nlength = 1.0\nradius = 1e-3\ntension = 100\n";
    let grid =
        |id: &str| format!("[[string]]\nid = \"{id}\"\nlength = 100\nradius = 1e-4\ntension = 1\nmethod = \"grid\"\n");
    let edges = "edges = [\"free\", \"clamped\", \"free\", \"simply-supported\"]";
    let hit = |n: usize, on: &str| {
        format!("[[collision]]\nbelow = {{ of = \"m{n}\" }}\nabove = {{ {on} }}\nstiffness = 1e9\ngap = -1e-5\n")
    };
    let spring =
        |n| format!("[[spring]]\nbelow = {{ of = \"m{n}\" }}\nabove = {{ of = \"m{} \" }}\nstiffness = 1e6\n", n + 1);
    let at = |n: usize| 0.01 + 0.98 * (n as f64 * 0.618).fract();
    let scenes = [
        ("masses", repeated(80_000, mass)),
        ("chain", repeated(20_000, mass) + &repeated(19_999, spring).replace(" \"", "\"")),
        ("hub", repeated(5000, mass) + string + &repeated(5000, |n| hit(n, &format!("of = \"s\", at = {}", at(n))))),
        (
            "pressed",
            repeated(200, mass) + plate + &repeated(200, |n| hit(n, &format!("of = \"p\", at = [{}, 0.4]", at(n)))),
        ),
        (
            "lines",
            grid("a")
                + &grid("b")
                + "[[collision]]\ndistributed = true\nbelow = { of = \"a\" }\nabove = { of = \"b\" }\nstiffness = 1e10\ngap = -1e-4\n",
        ),
        (
            "bows",
            string.to_owned()
                + &repeated(2000, |_| {
                    "[[bow]]\nof = \"s\"\nat = { time = [0.0, 1.0], value = [0.1, 0.9] }\nforce = 1.0\nvelocity = 0.1\n"
                        .into()
                }),
        ),
        (
            "pickups",
            plate.to_owned() + &repeated(20_000, |n| format!("[[pickup]]\nof = \"p\"\nat = [{}, 0.4]\n", at(n))),
        ),
        (
            "pitches",
            repeated(200, |n| {
                format!("[[plate]]\nid = \"p{n}\"\nsize = [0.3, {}]\n{edges}\npitch = 200\n", 0.1 + at(n))
            }),
        ),
        (
            "undercuts",
            repeated(300, |n| {
                format!(
                    "[[bar]]\nid = \"b{n}\"\nwidth = 0.05\nthickness = 0.02\npitch = {}\nundercut = {{ depth = 0.5 }}\n",
                    300 + n
                )
            }),
        ),
        (
            "touches",
            plate.to_owned()
                + &repeated(1000, |n| {
                    format!(
                        "[[touch]]\nof = \"p\"\nregion = {{ kind = \"circle\", centre = [{{ time = [0.0, 1.0], value = [{}, 0.9] }}, 0.3], \
                         radius = 0.1 }}\nmass = 1\n",
                        at(n)
                    )
                }),
        ),
        ("errors", repeated(20_000, |_| "[[mass]]\nid = \"m\"\nmass = \"x\"\nweight = 3\n".into())),
    ];
    check_all(folder.path(), &scenes.map(|(name, text)| (name.to_owned(), text)));
}
