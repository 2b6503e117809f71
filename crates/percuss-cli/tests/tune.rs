//! `percuss tune`: ratios of partials by undercuts and patches.

mod program;

use program::percuss;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const BAR: &str = "# A bar.\n[scene]\nname = \"Bar\"\n\n[[bar]]\nid = \"bar\" # its name\nlength = 0.3\nwidth = 0.05\nthickness = 0.01\n\n[[pickup]]\nof = \"bar\"\nat = 0.4\n";
const SKIN: &str = "[scene]\nname = \"Skin\"\n\n[[membrane]]\nid = \"skin\"\ndiameter = 0.2\nsurface_density = 0.3\ntension = 2000\nedges = \"clamped\"\npatch = { radius = 0.04, surface_density = 2.0 } # syahi\n";

fn folder(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.toml"), text).unwrap();
    folder
}

/// Exit code, and what was printed.
fn run(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let output = percuss(folder, arguments);
    let [said, warned] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), said, warned)
}

#[test]
fn undercut_is_found_and_written_with_comments_kept() {
    let folder = folder(BAR);
    let (code, said, warned) = run(folder.path(), "tune a.toml --body bar --ratios 1,4 -o b.toml --within 0.1");
    assert_eq!(code, Some(0), "{said}{warned}");
    assert!(said.contains("undercut = {") && said.contains("wrote b.toml"), "{said}");
    let written = fs::read_to_string(folder.path().join("b.toml")).unwrap();
    let without: String =
        written.lines().filter(|line| !line.starts_with("undercut")).map(|line| format!("{line}\n")).collect();
    assert_eq!(without, BAR);
    // What was written has the ratios without further tuning, and is not overwritten.
    let (code, _, warned) = run(folder.path(), "tune b.toml --body bar --ratios 1,4 -o b.toml --within 0.1");
    assert!(code == Some(1) && warned.contains("b.toml: exists already"), "{warned}");
    let (code, said, _) = run(folder.path(), "tune b.toml --body bar --ratios 1,4 -o b.toml --within 0.1 --force");
    assert!(code == Some(0) && said.contains("wrote b.toml"), "{said}");
}

#[test]
fn pitch_takes_the_place_of_the_length() {
    let folder = folder(BAR);
    let (code, said, warned) = run(folder.path(), "tune a.toml --body bar --ratios 1,4 --pitch A3 -o b.toml");
    assert_eq!(code, Some(0), "{said}{warned}");
    assert!(said.contains("220.00 Hz") && said.contains("m for A3 (220 Hz)"), "{said}");
    let written = fs::read_to_string(folder.path().join("b.toml")).unwrap();
    assert!(written.contains("pitch = \"A3\"") && !written.contains("length ="), "{written}");
}

#[test]
fn patch_of_a_membrane_changes_in_its_place() {
    let folder = folder(SKIN);
    let (code, said, warned) = run(folder.path(), "tune a.toml --body skin --ratios 1,2 -o b.toml --within 0.1");
    assert_eq!(code, Some(0), "{said}{warned}");
    let written = fs::read_to_string(folder.path().join("b.toml")).unwrap();
    assert!(written.contains("patch = {") && written.contains("} # syahi") && written != SKIN, "{written}");
}

#[test]
fn what_cannot_be_met_or_tuned_is_named() {
    let folder = folder(&format!("{BAR}\n[[mass]]\nid = \"ball\"\nmass = 1\n"));
    for (arguments, code, message) in [
        ("--body bar --ratios 1,1.01,1.02", 1, "--ratios 1,1.01,1.02 cannot be met: the nearest is 1,"),
        ("--body bell --ratios 1,2", 1, "no element \"bell\"\n  hint: it has bar, ball"),
        ("--body ball --ratios 1,2", 1, "\"ball\" is a mass"),
        ("--body bar --ratios 1", 2, "--ratios has 1 entries"),
        ("--body bar --ratios 2,1", 2, "--ratios must rise"),
        ("--body bar --ratios 1,4 --pitch H9", 1, "\"H9\""),
    ] {
        let (found, said, warned) = run(folder.path(), &format!("tune a.toml {arguments} -o b.toml"));
        assert!(found == Some(code) && warned.contains(message), "{arguments}: {found:?}\n{said}{warned}");
        assert!(!folder.path().join("b.toml").exists(), "{arguments}");
    }
}
