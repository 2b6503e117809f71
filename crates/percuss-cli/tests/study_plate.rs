//! `percuss study plate`: modes, energy and partials have their known values, and all files are written.

mod program;

use program::percuss;
use serde_json::Value;
use std::fs;
use std::sync::OnceLock;
use tempfile::TempDir;

/// One run for all tests: a folder with figures, and the results.
fn study() -> &'static (TempDir, Value) {
    static STUDY: OnceLock<(TempDir, Value)> = OnceLock::new();
    STUDY.get_or_init(|| program::study("plate"))
}

fn number(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("no number `{name}` in {value}"))
}

/// Every mode of a case is within `percent` of its reference.
#[track_caller]
fn assert_within(case: &str, percent: f64) {
    let modes = study().1["modes"].as_array().unwrap();
    let of_case: Vec<&Value> = modes.iter().filter(|mode| mode["case"] == case).collect();
    assert_eq!(of_case.len(), 6, "{case}");
    for (index, mode) in of_case.into_iter().enumerate() {
        println!("{case} {}: {} {:+.3} %", index + 1, mode["value"], number(mode, "error_pct"));
        assert_eq!(mode["mode"], index + 1);
        assert!(number(mode, "error_pct").abs() <= percent, "{mode}");
        let error = 100.0 * (number(mode, "value") / number(mode, "reference") - 1.0);
        assert!((error - number(mode, "error_pct")).abs() < 1e-9);
    }
}

#[test]
fn free_plates_have_the_modes_of_the_literature() {
    assert_within("free-18", 3.0);
    assert_within("free-36", 1.0);
    assert_within("free-72", 0.3);
}

#[test]
fn simply_supported_plates_and_membranes_have_the_modes_of_their_grids() {
    assert_within("simply-supported-36-grid", 1e-4);
    assert_within("simply-supported-36-continuous", 1.5);
    assert_within("membrane-40x30-grid", 1e-4);
    assert_within("membrane-40x30-continuous", 1.0);
}

#[test]
fn clamped_squares_and_discs_are_within_two_per_cent() {
    assert_within("clamped-36", 2.0);
    assert_within("circle-100", 2.0);
    assert_within("disc-clamped-36", 2.0);
    assert_within("disc-free-36", 1.5);
    assert_within("membrane-disc-36", 0.5);
    // The plate bends into the softer clamp of the paper, which enlarges the disc by (4D/k̄)^¼.
    assert_within("circle-paper-100", 2.6);
}

#[test]
fn full_cell_edges_lower_the_modes() {
    let modes = study().1["modes"].as_array().unwrap();
    let first = modes.iter().find(|mode| mode["case"] == "free-full-cell-18" && mode["mode"] == 1).unwrap();
    assert!((number(first, "error_pct") + 13.3).abs() < 0.5, "{first}");
}

#[test]
fn ledger_residual_is_rounding_for_every_plate() {
    let energy = study().1["energy"].as_object().unwrap();
    assert!(energy.len() >= 8, "{energy:?}");
    for (preset, account) in energy {
        println!("{preset}: {account}");
        assert!(number(account, "max_residual_relative") <= 1e-12, "{preset}: {account}");
    }
    assert_ne!(number(&energy["hand-damped-plate"], "touch_work_j"), 0.0);
}

#[test]
fn hand_lowers_and_damps_partials_and_water_shifts_them_unequally() {
    let hand = study().1["partial_shift"]["hand"].as_array().unwrap();
    assert!(hand.len() >= 3, "{hand:?}");
    for partial in hand {
        assert!(number(partial, "after_hz") < number(partial, "before_hz"), "{partial}");
        assert!(number(partial, "shift_cents") < 0.0, "{partial}");
        assert!(number(partial, "decay_after_per_s") > number(partial, "decay_before_per_s"), "{partial}");
    }
    let gong = study().1["partial_shift"]["gong"].as_array().unwrap();
    let shifts: Vec<f64> = gong.iter().map(|partial| number(partial, "shift_cents")).collect();
    assert_eq!(shifts.len(), 4);
    let [least, most] = [f64::min, f64::max].map(|pick| shifts.iter().copied().reduce(pick).unwrap());
    assert!(least > 0.0 && most - least > 35.0, "{shifts:?}");
}

/// Sec. 4.1.1: driven at its second resonance, the disc vibrates in its (1,1) mode; the clamped region hardly moves.
#[test]
fn driven_plates_approach_the_modes_of_their_resonance() {
    let driven = study().1["driven"].as_array().unwrap();
    assert_eq!(driven.len(), 6);
    for plate in driven.chunks(3) {
        println!("{plate:?}");
        let share: Vec<f64> = plate.iter().map(|it| number(it, "share_in_resonance")).collect();
        assert!(share[0] < share[2] && share[2] > 0.98 && share[2] < 1.0 + 1e-9, "{share:?}");
        assert!(number(&plate[2], "largest_displacement_m") > number(&plate[0], "largest_displacement_m"));
    }
    let csv = fs::read_to_string(study().0.path().join("figures/figure-03.csv")).unwrap();
    let row = |line: &str| line.split(',').map(String::from).collect::<Vec<_>>();
    let rows: Vec<_> = csv.lines().skip(1).map(row).filter(|row| row[0] == "clamped-corner").collect();
    let size = |row: &Vec<String>| row[5].parse::<f64>().unwrap().abs();
    let most = rows.iter().map(size).fold(0.0, f64::max);
    let corner = rows.iter().filter(|row| row[3] == "0" && row[4] == "0").map(size).fold(0.0, f64::max);
    // The rim moves by about (h/L)² of the largest displacement, L = 14 cells, and waves in the clamp decay by e per cell, of which there are
    // three to the corner. Twice that at most.
    let expected = 14.0_f64.powi(-2) * (-3.0_f64).exp();
    assert!(corner < 2.0 * expected * most, "the clamped corner moves: {corner} of {most}");
}

/// Edges with full cells lower all partials; hand and water shift them in the same direction as before.
#[test]
fn edges_of_the_paper_lower_partials() {
    let shifts = &study().1["partial_shift"];
    let first = |case: &str| number(&shifts[case][0], "before_hz");
    for case in ["hand", "gong"] {
        let (ours, paper) = (first(case), first(&format!("{case}_paper_edges")));
        assert!(paper < ours && paper > 0.7 * ours, "{case}: {ours} and {paper}");
    }
    for partial in shifts["hand_paper_edges"].as_array().unwrap() {
        assert!(number(partial, "shift_cents") < 0.0, "{partial}");
    }
    for partial in shifts["gong_paper_edges"].as_array().unwrap() {
        assert!(number(partial, "shift_cents") > 0.0, "{partial}");
    }
}

/// Sec. 4: the elastic foundation of 100 N/m³ covers the whole plate, not only the region of the felt.
#[test]
fn regional_damping_has_an_elastic_foundation_under_the_whole_plate() {
    let preset = percuss_scene::presets::find("regional-damping").unwrap();
    let scene = percuss_scene::parse(preset.text, preset.name).unwrap();
    let percuss::Element::Plate(plate) = &scene.model.elements()[0] else { panic!("a plate") };
    let foundation: Vec<_> = plate.touches.iter().filter(|touch| touch.stiffness > 0.0).collect();
    assert_eq!(foundation.len(), 1);
    assert!(matches!(foundation[0].region, percuss::Region::Everywhere) && foundation[0].stiffness == 100.0);
    let felt: Vec<_> = plate.touches.iter().filter(|touch| touch.damping > 0.0).collect();
    assert!(
        felt.len() == 1 && felt[0].damping == 1000.0 && matches!(felt[0].region, percuss::Region::Rectangle { .. })
    );
}

#[test]
fn every_figure_and_table_is_written() {
    let read = |name: &str| fs::read(study().0.path().join("figures").join(name)).unwrap();
    let paper_edges = ["figure-05-paper-edges", "figure-06-paper-edges"];
    let names = ["figure-03", "figure-04", "figure-05", "figure-06", "shapes", "convergence"];
    for name in names.into_iter().chain(paper_edges) {
        assert!(read(&format!("{name}.png")).starts_with(b"\x89PNG"));
        assert!(String::from_utf8(read(&format!("{name}.svg"))).unwrap().trim_end().ends_with("</svg>"));
        let csv = String::from_utf8(read(&format!("{name}.csv"))).unwrap();
        assert!(csv.lines().count() > 20 && !csv.contains("NaN") && !csv.contains("inf"), "{name}");
    }
    for (name, header) in [
        ("modes.csv", "case,boundary,mode,value,reference,error_pct"),
        ("energy.csv", "preset,seconds,supplied_j,dissipated_j,touch_work_j,max_residual_relative"),
        ("partials.csv", "case,before_hz,after_hz,shift_cents,decay_before_per_s,decay_after_per_s"),
    ] {
        let text = String::from_utf8(read(name)).unwrap();
        assert_eq!(text.lines().next(), Some(header));
        assert!(text.lines().count() > 4, "{name}");
    }
}

#[test]
fn unwritable_folders_are_rejected_before_measuring() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("taken"), "").unwrap();
    for path in ["taken", "no/such"] {
        let output = percuss(folder.path(), &format!("study plate -o {path}"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.starts_with("error: ") && message.contains("hint: "), "{message}");
        assert!(output.stdout.is_empty());
    }
}
