//! `percuss bench`: every figure is there and makes sense. How large they are is the machine's business.

mod program;

use program::percuss;
use serde_json::Value;
use tempfile::TempDir;

/// All numbers in a value, with where they stand.
fn numbers(value: &Value, place: &str, found: &mut Vec<(String, f64)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| numbers(value, &format!("{place}/{name}"), found))
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| numbers(value, &format!("{place}/{i}"), found));
        }
        Value::Number(number) => found.push((place.into(), number.as_f64().unwrap())),
        _ => {}
    }
}

#[track_caller]
fn number(value: &Value, field: &str) -> f64 {
    value[field].as_f64().unwrap_or_else(|| panic!("no number `{field}` in {value}"))
}

#[test]
fn quick_benchmark_measures_everything() {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), "bench --quick --markdown -o bench.json");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let bench: Value = serde_json::from_slice(&std::fs::read(folder.path().join("bench.json")).unwrap()).unwrap();

    let mut all = Vec::new();
    numbers(&bench, "", &mut all);
    for (place, number) in &all {
        // On a very slow or busy machine not a single voice may keep up.
        let least = if place.ends_with("/voices") { -1.0 } else { 0.0 };
        assert!(number.is_finite() && *number > least, "{place} is {number}");
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
                number(plate, "speed_over_yardstick");
            }
        }
        let reference = bench["yardstick"].as_array().unwrap().iter().find(|it| it["nx"] == nx).unwrap();
        // Nothing can be updated faster than it is read and written.
        assert!(number(reference, "limit_ns_per_node") < number(reference, "ns_per_node"), "{reference}");
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
    let ratio = number(coarse, "ns_per_sample") / number(coarse, "yardstick_body_ns");
    assert!((number(coarse, "over_yardstick_body") / ratio - 1.0).abs() < 1e-9);
    let blocks = &bench["blocks"];
    assert!(number(blocks, "median_ns") <= number(blocks, "p999_ns"));
    assert!(number(blocks, "p999_ns") <= number(blocks, "max_ns"));
    // No run is shorter than the shortest of all runs.
    assert!(number(blocks, "median_ns") <= number(&blocks["one_run"], "median_ns"));
    assert!(number(&blocks["plain_work"], "median_ns") <= number(&blocks["plain_work"], "p999_ns"));
    assert_eq!(bench["voices"].as_array().unwrap().len(), 2);
    assert_eq!(bench["threads"][0]["threads"], 1);
}

fn check_contacts(bench: &Value) {
    let modes: Vec<&Value> = bench["modal"].as_array().unwrap().iter().map(|modal| &modal["modes"]).collect();
    assert_eq!(modes, [3, 30, 300]);
    // A hundred times as many modes, a thousand times as many contacts: that must show.
    assert!(number(&bench["modal"][2], "ns_per_sample") > number(&bench["modal"][0], "ns_per_sample"));
    for field in ["ns_per_sample_apart", "ns_per_sample_along_string"] {
        assert!(number(&bench["contacts"][3], field) > number(&bench["contacts"][0], field), "{field}");
    }
}

fn check_tables(text: &str) {
    for heading in
        ["Yardstick and limit", "Plates", "Presets", "Tromba marina", "Impacts", "Voices", "Evenness", "Batches"]
    {
        assert!(text.contains(&format!("### {heading}")), "{heading} missing in\n{text}");
    }
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn wrong_usage_is_refused_before_anything_is_measured() {
    let folder = TempDir::new().unwrap();
    assert_eq!(percuss(folder.path(), "bench --json --markdown").status.code(), Some(2));
    let output = percuss(folder.path(), "bench --quick -o no/such/folder.json");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("error: ") && message.contains("hint: "), "{message}");
}
