//! Bows and fingers in scene files: defaults, errors, sound and energy balance.

use percuss::{Control, Finger, Friction, Law};
use percuss_scene::{Scene, parse};

/// A long string, a plate and a mass.
const STRING: &str = r#"
[scene]
duration = 0.2

[[string]]
id = "string"
length = 1.9
radius = 0.5e-3
tension = 91
sigma0 = 0.1
sigma1 = 0.05

[[plate]]
id = "plate"
size = [0.2, 0.2]
thickness = 2e-3

[[mass]]
id = "bob"
mass = 0.01
frequency = 100
"#;

fn read(tables: &str) -> Scene {
    let text = format!("{STRING}{tables}\n[[pickup]]\nof = \"string\"\nat = 0.9\n");
    parse(&text, "bow.toml").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn first_error(tables: &str) -> String {
    let text = format!("{STRING}{tables}\n[[pickup]]\nof = \"string\"\nat = 0.9\n");
    match parse(&text, "bow.toml") {
        Err(errors) => errors[0].to_string(),
        Ok(scene) => match scene.compile(44_100.0) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted: {tables}"),
        },
    }
}

fn law(tables: &str) -> Law {
    read(tables).model.interactions()[0].law.clone()
}

#[test]
fn a_bow_and_a_finger_have_the_defaults_of_the_engine() {
    assert_eq!(law("[[bow]]\nof = \"string\"\nat = 0.2"), Law::Bow(percuss::Bow::default()));
    assert_eq!(law("[[finger]]\nof = \"string\"\nat = 0.2"), Law::Finger(Finger::default()));
}

#[test]
fn every_kind_of_friction_is_read() {
    let friction = |value: &str| match law(&format!("[[bow]]\nof = \"string\"\nat = 0.2\nfriction = {value}")) {
        Law::Bow(bow) => bow.friction,
        other => panic!("{other:?}"),
    };
    assert_eq!(friction("{ kind = \"exponential\", sharpness = 80 }"), Friction::Exponential { sharpness: 80.0 });
    assert_eq!(
        friction("{ kind = \"stribeck\", sliding = 0.2, sticking = 0.7, stribeck_velocity = 0.2, creep = 1e-4 }"),
        Friction::Stribeck { sliding: 0.2, sticking: 0.7, velocity: 0.2, creep: 1e-4 }
    );
    assert_eq!(
        friction("{ kind = \"bristle\", stiffness = 2e4, damping = 0.2, viscous = 0.1 }"),
        Friction::Bristle { sliding: 0.3, sticking: 0.8, velocity: 0.1, stiffness: 2e4, damping: 0.2, viscous: 0.1 }
    );
}

#[test]
fn bows_and_fingers_sound_and_balance_energy() {
    let scene = read(
        r#"
[[bow]]
id = "bow"
of = "string"
at = { time = [0, 0.2], value = [0.2, 0.25] }
force = { time = [0, 0.02], value = [0, 0.5] }
velocity = 0.1
friction = { kind = "bristle" }
[[finger]]
id = "finger"
of = "string"
at = 0.5
pressure = { time = [0, 0.1], value = [1, 0] }
[[bow]]
id = "edge"
of = "plate"
at = [1.0, { time = [0, 0.1], value = [0.2, 0.4] }]
force = 2
velocity = -0.2
friction = { kind = "stribeck" }
[[pickup]]
of = "bow"
quantity = "force"
[[probe]]
of = "finger"
"#,
    );
    assert_eq!(scene.interaction_names, ["bow", "edge", "finger"]);
    assert_eq!(
        (scene.outputs[0].label.as_str(), scene.probes[0].label.as_str()),
        ("bow force [N]", "finger force [N]")
    );
    let mut simulation = scene.compile(44_100.0).unwrap_or_else(|error| panic!("{error}"));
    simulation.open_ledger();
    let mut peak = 0.0_f64;
    for _ in 0..8820 {
        simulation.step();
        peak = peak.max(simulation.read(scene.outputs[0].pickup).abs());
    }
    let ledger = simulation.ledger().unwrap();
    assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    assert!(peak > 0.05, "the peak force of the bow is {peak} N");
    for bow in &ledger.interactions[..2] {
        assert!(bow.supplied > 0.0 && bow.dissipated > 0.0, "{bow:?}");
    }
}

#[test]
fn pressure_outside_its_range_is_clamped_with_a_warning() {
    let scene = read("[[finger]]\nof = \"string\"\nat = 0.5\npressure = { time = [0, 1], value = [-0.5, 2] }");
    let Law::Finger(finger) = &scene.model.interactions()[0].law else { panic!("not a finger") };
    assert_eq!(finger.pressure, Control::Breakpoints { time: vec![0.0, 1.0], value: vec![0.0, 1.0] });
    let warning = scene.warnings[0].to_string();
    assert!(warning.starts_with("warning: bow.toml:") && warning.contains("finger.pressure is outside"), "{warning}");
}

#[test]
fn every_error_has_location_finding_and_hint() {
    let cases = [
        ("[[bow]]\nat = 0.2", "bow has no of", "add of ="),
        ("[[bow]]\nof = \"string\"", "no place on the string", "at = 0.33"),
        ("[[bow]]\nof = \"strng\"\nat = 0.2", "no element has this id", "did you mean \"string\"?"),
        ("[[bow]]\nof = \"string\"\nat = 0.2\nforce = -1", "bow.force is -1 N, must be at least 0 N", "mean 1?"),
        ("[[bow]]\nof = \"string\"\nat = 0.2\nvelocity = 300", "must be at most 100 m/s", "mean 0.3?"),
        ("[[bow]]\nof = \"string\"\nat = 0.2\nspeed = 1", "bow has no field speed", "known fields: at, force"),
        ("[[bow]]\nof = \"string\"\nat = 0.2\nfriction = \"dry\"", "must be a table", "kind = \"exponential\""),
        ("[[bow]]\nof = \"string\"\nat = 0.2\nfriction = {}", "friction has no kind", "add kind = \"exponential\""),
        (
            "[[bow]]\nof = \"string\"\nat = 0.2\nfriction = { kind = \"bristles\" }",
            "must be one of \"exponential\", \"stribeck\", \"bristle\"",
            "did you mean \"bristle\"?",
        ),
        (
            "[[bow]]\nof = \"string\"\nat = 0.2\nfriction = { kind = \"stribeck\", sliding = 0.9 }",
            "friction.sticking is 0.8, must be at least the sliding friction, 0.9",
            "larger one",
        ),
        (
            "[[bow]]\nof = \"string\"\nat = 0.2\nfriction = { kind = \"exponential\", creep = 0.1 }",
            "friction has no field creep",
            "known fields: kind, sharpness",
        ),
        ("[[bow]]\nof = \"string\"\nat = 0", "nothing can move", "away from the support"),
        ("[[finger]]\nof = \"string\"\nat = 0.5\nstiffness = 0\ndamping = 0", "neither stiffness nor damping", "20"),
        ("[[finger]]\nof = \"bob\"\nat = { time = [0], value = [0] }", "no place can move on a mass", "strings, bars"),
        (
            "[[bow]]\nid = \"plate\"\nof = \"string\"\nat = 0.2",
            "bow.id is \"plate\", which is already used",
            "different",
        ),
    ];
    for (tables, finding, hint) in cases {
        let message = first_error(tables);
        assert!(message.starts_with("error: bow.toml:"), "{message}");
        assert!(message.contains(finding), "expected {finding:?} in\n{message}");
        assert!(message.lines().count() == 2 && message.contains("\n  hint: "), "{message}");
        assert!(message.contains(hint), "expected {hint:?} in\n{message}");
    }
}
