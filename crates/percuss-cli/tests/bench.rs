//! `percuss bench`: all results are present and consistent; their magnitudes depend on the machine.

mod program;

use program::percuss;
use serde_json::Value;
use tempfile::TempDir;

/// All numbers in a JSON value, with their paths.
fn numbers(value: &Value, path: &str, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| numbers(value, &format!("{path}/{name}"), found))
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| numbers(value, &format!("{path}/{i}"), found));
        }
        Value::Number(number) => found.push((path.into(), number.as_f64().unwrap())),
        _ => {}
    }
}

#[track_caller]
fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("no number `{field}` in {value}"))
}

#[test]
fn quick_benchmark_reports_all_results() {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), "bench --quick --markdown -o bench.json");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let bench: Value = serde_json::from_slice(&std::fs::read(folder.path().join("bench.json")).unwrap()).unwrap();

    let mut all = Vec::new();
    numbers(&bench, "", &mut all);
    for (path, number) in &all {
        // On a very slow or busy machine the number of voices may be 0.
        let lower_bound = if path.ends_with("/voices") { -1.0 } else { 0.0 };
        assert!(number.is_finite() && *number > lower_bound, "{path} is {number}");
    }
    check_plates(&bench);
    check_scenes(&bench);
    check_contacts(&bench);
    check_tables(&String::from_utf8(output.stdout).unwrap());
}

fn check_plates(bench: &Value) {
    let sizes = [[20, 20], [60, 60], [130, 13], [200, 200], [1000, 1000]];
    let plates = bench["plates"].as_array().unwrap();
    for [nx, ny] in sizes {
        for edges in ["simply-supported", "simply-supported, in nodes", "clamped", "free"] {
            for touch in [false, true] {
                let same = |plate: &&Value| {
                    plate["nx"] == nx && plate["ny"] == ny && plate["edges"] == edges && plate["touch"] == touch
                };
                let plate = plates.iter().find(same).unwrap_or_else(|| panic!("no {nx} × {ny}, {edges}, {touch}"));
                assert_eq!(plate["precision"], "f64");
                number(plate, "ns_per_node");
                number(plate, "speed_over_baseline");
            }
        }
        let baseline = bench["baseline"].as_array().unwrap().iter().find(|it| it["nx"] == nx).unwrap();
        // An update cannot be faster than its memory traffic.
        assert!(number(baseline, "limit_ns_per_node") < number(baseline, "ns_per_node"), "{baseline}");
    }
}

fn check_scenes(bench: &Value) {
    let presets = bench["presets"].as_array().unwrap();
    assert_eq!(presets.len(), percuss_scene::presets::all().len());
    for preset in presets {
        let factor = 1e9 / (number(preset, "ns_per_sample") * number(preset, "sample_rate_hz"));
        assert!((number(preset, "realtime_factor") / factor - 1.0).abs() < 1e-9, "{preset}");
        number(preset, "compile_ms");
    }
    let coarse = &bench["tromba_coarse"];
    let ratio = number(coarse, "ns_per_sample") / number(coarse, "baseline_body_ns");
    assert!((number(coarse, "ratio_to_baseline_body") / ratio - 1.0).abs() < 1e-9);
    let blocks = &bench["blocks"];
    assert!(number(blocks, "median_ns") <= number(blocks, "p999_ns"));
    assert!(number(blocks, "p999_ns") <= number(blocks, "max_ns"));
    // The minimum over all runs is not above any single run.
    assert!(number(blocks, "median_ns") <= number(&blocks["best_run"], "median_ns"));
    assert!(number(&blocks["synthetic_load"], "median_ns") <= number(&blocks["synthetic_load"], "p999_ns"));
    assert_eq!(bench["voices"].as_array().unwrap().len(), 2);
    assert_eq!(bench["threads"][0]["threads"], 1);
}

fn check_contacts(bench: &Value) {
    let modes: Vec<&Value> = bench["modal"].as_array().unwrap().iter().map(|modal| &modal["modes"]).collect();
    assert_eq!(modes, [3, 30, 300]);
    // A hundred times as many modes and a thousand times as many contacts take more time.
    assert!(number(&bench["modal"][2], "ns_per_sample") > number(&bench["modal"][0], "ns_per_sample"));
    for field in ["ns_per_sample_independent", "ns_per_sample_along_string"] {
        assert!(number(&bench["contacts"][3], field) > number(&bench["contacts"][0], field), "{field}");
    }
}

fn check_tables(text: &str) {
    for heading in
        ["Baseline and limit", "Plates", "Presets", "Tromba marina", "Impacts", "Voices", "Block times", "Batches"]
    {
        assert!(text.contains(&format!("### {heading}")), "{heading} missing in\n{text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn wrong_usage_is_rejected_before_measuring() {
    let folder = TempDir::new().unwrap();
    assert_eq!(percuss(folder.path(), "bench --json --markdown").status.code(), Some(2));
    let output = percuss(folder.path(), "bench --quick -o no/such/folder.json");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("error: ") && message.contains("hint: "), "{message}");
}
