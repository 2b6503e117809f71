//! Reading a scene never panics or hangs: random bytes, random changes to a valid scene, random valid TOML.

use percuss_scene::{load, parse, presets};
use proptest::prelude::*;

/// Parses; if valid, compiles and runs 20 steps.
fn parse_and_run(text: &str) {
    if let Ok(mut scene) = parse(text, "fuzz.toml") {
        scene.duration = 0.01;
        if let Ok(mut simulation) = scene.compile(scene.sample_rate) {
            for _ in 0..20 {
                simulation.step();
            }
        }
    }
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>().prop_map(|x| if x.is_nan() { "nan".into() } else { format!("{x:?}").replace("NaN", "nan") }),
        (-3.0..3.0_f64).prop_map(|x| format!("{x:?}")),
        (-12..12_i32).prop_map(|power| format!("1e{power}")),
        any::<i64>().prop_map(|x| x.to_string()),
        (1..200_i64).prop_map(|x| x.to_string()),
        any::<bool>().prop_map(|x| x.to_string()),
        "[a-z\\-]{0,12}".prop_map(|word| format!("{word:?}")),
        prop_oneof![Just("\"a\""), Just("\"b\""), Just("\"free\""), Just("\"clamped\""), Just("\"force\"")]
            .prop_map(str::to_owned),
        prop::collection::vec(-2.0..2.0_f64, 0..5).prop_map(|list| format!("{list:?}")),
        Just("{ of = \"a\", at = 0.3 }".to_owned()),
        Just("{ of = \"b\" }".to_owned()),
        Just("{ time = [0, 0.1], value = [0, 1] }".to_owned()),
        Just("{ shape = \"triangle\", at = 0.2, height = 1e-3 }".to_owned()),
        Just("{ x = [1.0, 0.5] }".to_owned()),
        Just("[{ frequency = 200, time = 3.0 }, { frequency = 4000, time = 0.4 }]".to_owned()),
        prop_oneof![Just("\"A3\""), Just("\"bronze\""), Just("\"rubber\"")].prop_map(str::to_owned),
        Just("[0.2, 0.3]".to_owned()),
        Just("{ kind = \"bristle\", sticking = 0.5 }".to_owned()),
        Just("{ kind = \"circle\", centre = [0.1, { time = [0, 1], value = [0, 1] }], radius = 0.04 }".to_owned()),
    ]
}

fn table() -> impl Strategy<Value = String> {
    let kinds = [
        "string",
        "bar",
        "plate",
        "membrane",
        "touch",
        "mass",
        "modal",
        "barrier",
        "collision",
        "connection",
        "spring",
        "damper",
        "felt",
        "roll",
        "bow",
        "finger",
        "strike",
        "cavity",
        "pluck",
        "score",
        "note",
        "pulse",
        "drive",
        "pickup",
        "probe",
    ];
    let fields = [
        "id",
        "of",
        "at",
        "length",
        "radius",
        "tension",
        "mass",
        "position",
        "velocity",
        "frequency",
        "decay",
        "points",
        "below",
        "above",
        "stiffness",
        "exponent",
        "loss",
        "gap",
        "play",
        "distributed",
        "ends",
        "grid",
        "displacement",
        "profile",
        "force",
        "time",
        "duration",
        "peak",
        "width",
        "thickness",
        "size",
        "surface_density",
        "edges",
        "region",
        "pressure",
        "quantity",
        "pan",
        "channel",
        "sigma1",
        "resistance",
        "restitution",
        "ball",
        "on",
        "speed",
        "roughness",
        "correlation_length",
        "seed",
        "asymmetry",
        "cubic",
        "damping",
        "density",
        "youngs_modulus",
        "friction",
        "bow",
        "finger",
        "technique",
        "start",
        "harmonic",
        "pitch",
        "material",
        "t60",
        "diameter",
        "dynamics",
    ];
    let lines = prop::collection::btree_map(prop::sample::select(fields.to_vec()), value(), 0..9);
    (prop::sample::select(kinds.to_vec()), lines).prop_map(|(kind, lines)| {
        let lines: Vec<_> = lines.iter().map(|(field, value)| format!("{field} = {value}")).collect();
        let brackets = if kind == "score" { format!("[{kind}]") } else { format!("[[{kind}]]") };
        format!("{brackets}\n{}\n", lines.join("\n"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_give_errors_with_messages(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, &bytes).unwrap();
        if let Err(errors) = load(&path) {
            prop_assert!(!errors.is_empty());
            prop_assert!(errors.iter().all(|error| !error.message.is_empty()));
        }
    }

    #[test]
    fn random_valid_toml_never_panics(tables in prop::collection::vec(table(), 0..6)) {
        parse_and_run(&tables.concat());
    }

    #[test]
    fn a_valid_scene_with_random_changes_never_panics(
        which in 0..presets::all().len(),
        place in any::<prop::sample::Index>(),
        cut in 0..12_usize,
        insert in "[ -~\\n]{0,6}",
    ) {
        let text = presets::all()[which].text;
        let start = place.index(text.len());
        let end = (start + cut).min(text.len());
        if let (Some(head), Some(tail)) = (text.get(..start), text.get(end..)) {
            parse_and_run(&format!("{head}{insert}{tail}"));
        }
    }

    #[test]
    fn a_valid_scene_with_random_values_never_panics(
        which in 0..presets::all().len(),
        line in any::<prop::sample::Index>(),
        value in value(),
    ) {
        let mut lines: Vec<String> = presets::all()[which].text.lines().map(str::to_owned).collect();
        let line = line.index(lines.len());
        if let Some((field, _)) = lines[line].clone().split_once('=') {
            lines[line] = format!("{field}= {value}");
            parse_and_run(&lines.join("\n"));
        }
    }
}
