//! `percuss check` on scenes that are too large for a dry run of a second.

mod program;

use program::percuss;
use std::fs;
use tempfile::TempDir;

const HALL: &str = r#"
[scene]
name = "Hall"
sample_rate = 44100
duration = 1.0

[[plate]]
id = "hall"
size = [30, 20]
thickness = 2e-3

[[pickup]]
of = "hall"
at = [0.3, 0.3]
quantity = "velocity"
"#;

/// Number of samples of a dry run that was cut short.
fn samples_run(said: &str) -> u64 {
    let line = said.lines().find_map(|line| line.strip_prefix("dry run          the first ")).expect("a short dry run");
    line.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn huge_plate_gets_a_short_dry_run_and_a_warning() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("hall.toml"), HALL).unwrap();
    let output = percuss(folder.path(), "check hall.toml");
    let (said, warned) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{warned}");
    // At most 4 billion updates of 2.185 million nodes, out of a second of 44100 samples.
    assert!((1..1840).contains(&samples_run(&said)) && said.contains(" of 44100"), "{said}");
    assert!(warned.contains("warning: hall: a grid of 1810 × 1207 at 44100 Hz: 2.185 million nodes"), "{warned}");
    assert!(warned.contains("  hint: lower --rate, or give it a coarser grid"), "{warned}");
}

#[test]
fn small_scene_completes_its_dry_run() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("small.toml"), HALL.replace("[30, 20]", "[0.3, 0.2]")).unwrap();
    let output = percuss(folder.path(), "check small.toml");
    assert!(!String::from_utf8(output.stdout).unwrap().contains("dry run"));
    assert!(output.stderr.is_empty());
}

/// A string that lies pressed on a profile with more detail than its coarse grid.
const PRESSED: &str = r#"
[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
tension = 100
grid = 6

[[barrier]]
id = "frets"
position = 1e-3
profile = [0, 1e-4, 0, 1e-4, 0, 1e-4, 0, 1e-4, 0]

[[collision]]
id = "buzz"
below = { of = "frets" }
above = { of = "string" }
distributed = true
stiffness = 1e6

[[pickup]]
of = "string"
at = 0.9
"#;

#[test]
fn coarse_grid_fine_profile_and_pressed_contact_get_warnings() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("pressed.toml"), PRESSED).unwrap();
    let output = percuss(folder.path(), "check pressed.toml");
    let warned = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{warned}");
    for finding in [
        "warning: string: its grid has 6 intervals, should have 8 or more",
        "warning: buzz: the profile has 8 intervals, the grid of string 6",
        "warning: buzz: the collision is pressed at the start and stores ",
    ] {
        assert!(warned.contains(finding), "{finding} in {warned}");
    }
    let apart = PRESSED.replace("grid = 6", "grid = 20").replace("position = 1e-3", "position = -1e-3");
    fs::write(folder.path().join("apart.toml"), apart).unwrap();
    let output = percuss(folder.path(), "check apart.toml");
    let warned = String::from_utf8(output.stderr).unwrap();
    // The string is on a grid, since the contact is along all of it.
    assert!(warned.lines().filter(|line| line.starts_with("warning")).all(|line| line.contains("pitch")), "{warned}");
}

#[test]
fn dimensions_that_a_pitch_has_set_are_printed() {
    let scene = "[[string]]\nid = \"low\"\nlength = 0.65\nradius = 0.4e-3\npitch = \"A2\"\n\
                 [[bar]]\nid = \"key\"\nwidth = 0.04\nthickness = 0.02\nmaterial = \"rosewood\"\npitch = 262\n\
                 [[pickup]]\nof = \"key\"\nat = 0.9\n";
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("tuned.toml"), scene).unwrap();
    let output = percuss(folder.path(), "check tuned.toml");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("  low    A2 (110 Hz)  tension = 80.59 N\n"), "{said}");
    assert!(said.contains("  key    262 Hz       length = 546.1 mm\n"), "{said}");
}

/// A string whose tension rises, held by a spring and struck by a felt hammer.
const HAMMERED: &str = r#"
[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
tension = 700
nonlinear = "tension"

[[mass]]
id = "hammer"
mass = 0.01
position = -1e-4
velocity = 2

[[felt]]
id = "felt"
below = { of = "hammer" }
above = { of = "string", at = 0.3 }
stiffness = 4e8

[[spring]]
id = "spring"
below = { of = "hammer" }
above = { of = "string", at = 0.5 }
stiffness = 10

[[pickup]]
of = "string"
at = 0.2
"#;

#[test]
fn what_has_no_contact_time_has_none_printed() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("hammered.toml"), HAMMERED).unwrap();
    let output = percuss(folder.path(), "check hammered.toml");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!said.contains("0.000 samples") && !said.contains("still in contact"), "{said}");
    let row = |id: &str| {
        said.lines().find(|line| line.trim_start().starts_with(id)).unwrap_or_else(|| panic!("{id}: {said}"))
    };
    assert!(row("spring").ends_with("always closed  –"), "{said}");
    let felt: Vec<&str> = row("felt").split_whitespace().collect();
    let length: f64 = felt[3].parse().unwrap_or_else(|_| panic!("{said}"));
    assert!((5.0..2000.0).contains(&length) && felt[5] == "–", "{said}");
    assert!(said.lines().filter(|line| line.ends_with("always closed  –")).count() == 2, "spring and tension: {said}");
}

#[test]
fn pickups_that_read_nothing_are_named() {
    let folder = TempDir::new().unwrap();
    let string = PRESSED.split("[[barrier]]").next().unwrap();
    for (name, pickup, finding) in [
        ("none.toml", "", "warning: none.toml: the scene is silent: it has no [[pickup]]"),
        ("held.toml", "[[pickup]]\nof = \"string\"\nat = 1.0\n", "pickup.at is on a support, which does not move"),
    ] {
        fs::write(folder.path().join(name), format!("{string}{pickup}")).unwrap();
        let output = percuss(folder.path(), &format!("check {name}"));
        let warned = String::from_utf8(output.stderr).unwrap();
        assert!(warned.contains(finding) && warned.contains("  hint: "), "{finding} in {warned}");
    }
}
