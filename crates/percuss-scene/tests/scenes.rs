//! Scenes with every table and field; every field is documented.

use percuss::{Edge, Element};
use percuss_scene::{Routing, parse, presets};

const HAMMER_AND_STRING: &str = r#"
[scene]
name = "Hammer and string"
sample_rate = 44100
duration = 2.0
scheme = "tracked"

[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
density = 7850
youngs_modulus = 2e11
tension = 100
sigma0 = 1.0
sigma1 = 0.005
ends = ["simply-supported", "simply-supported"]

[[mass]]
id = "hammer"
mass = 0.01
position = -1e-3
velocity = 2.0

[[collision]]
id = "strike"
below = { of = "hammer" }
above = { of = "string", at = 0.33 }
stiffness = 1e8
exponent = 1.5
loss = 0.3

[[pickup]]
of = "string"
at = 0.9
quantity = "velocity"

[[probe]]
of = "string"
at = 0.5
quantity = "displacement"
"#;

#[test]
fn hammer_and_string_scene_works() {
    let scene = parse(HAMMER_AND_STRING, "hammer.toml").unwrap();
    assert_eq!((scene.name.as_str(), scene.duration, scene.channels()), ("Hammer and string", 2.0, 1));
    assert_eq!(scene.probes[0].label, "string@0.5 displacement [m]");
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    for _ in 0..88_200 {
        simulation.step();
    }
    let ledger = simulation.ledger().unwrap();
    assert!((ledger.total.initial - 0.02).abs() < 1e-12, "½·0.01·2² J");
    assert!(ledger.total.worst_relative < 1e-12);
    assert!(ledger.interactions[0].hits >= 1);
    assert_eq!(ledger.interactions[0].adhesive_impulse, 0.0);
}

#[test]
fn every_table_and_pickup_quantity_is_read() {
    let text = r#"
[[string]]
id = "s"
length = 0.5
radius = 1e-3
tension = 200
ends = ["clamped", "free"]
grid = 30
displacement = { shape = "raised-cosine", at = 0.4, width = 0.3, height = 1e-3 }
velocity = { at = 0.5, height = 0.1 }
[[bar]]
id = "b"
length = 0.3
width = 0.03
thickness = 4e-3
[[mass]]
id = "m"
mass = 0.01
frequency = 100
damping = 1
gravity = 9.81
[[modal]]
id = "q"
frequency = [200, 300]
decay = [1.0, 0.5]
mass = 0.02
points = { left = [1, -1], right = [1, 1] }
[[barrier]]
id = "w"
position = { time = [0, 0.1], value = [-1e-3, 0] }
profile = [0, 1e-4, 0]
[[collision]]
below = { of = "w" }
above = { of = "s" }
distributed = true
stiffness = 1e9
[[connection]]
below = { of = "m" }
above = { of = "q", at = "left" }
stiffness = 1e6
play = 1e-4
[[spring]]
below = { of = "s", at = 0.3 }
above = { of = "b", at = 0.6 }
stiffness = 1e4
cubic = 1e9
damping = 0.1
[[damper]]
id = "damper"
below = { of = "q", at = "right" }
above = { of = "w" }
resistance = 0.2
[[pulse]]
of = "b"
at = 0.2
peak = 10
width = 0.1
[[drive]]
of = "m"
force = { time = [0, 0.01, 0.02], value = [0, 1, 0] }
[[pickup]]
of = "s"
at = 0.1
quantity = "force"
pan = -1
[[pickup]]
of = "damper"
channel = 2
[[probe]]
of = "w"
quantity = "displacement"
[[probe]]
of = "m"
quantity = "force"
"#;
    let scene = parse(text, "all.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(scene.interaction_names, ["collision-1", "connection-1", "spring-1", "damper"]);
    assert_eq!(scene.outputs[1].routing, Routing::Channel(1));
    assert_eq!((scene.channel_gain(&scene.outputs[0], 0), scene.channels()), (1.0, 2));
    let mut simulation = scene.compile(48_000.0).unwrap_or_else(|error| panic!("{error}"));
    simulation.open_ledger();
    (0..4800).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-12 && total.supplied != 0.0, "{total:?}");
}

#[test]
fn pulses_and_drives_can_move() {
    let text = r#"
[[string]]
id = "s"
length = 0.5
radius = 1e-3
tension = 200
[[plate]]
id = "p"
size = [0.2, 0.15]
thickness = 2e-3
[[pulse]]
of = "s"
at = { time = [0, 0.01, 0.02], value = [0.1, 0.9, 0.3] }
duration = 0.02
[[drive]]
of = "p"
at = [0.3, { time = [0, 0.05], value = [0, 1] }]
force = { time = [0, 0.02, 0.04], value = [0, 3, -3] }
[[pickup]]
of = "p"
at = [0.1, 0.1]
"#;
    let scene = parse(text, "moving.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut simulation = scene.compile(44_100.0).unwrap_or_else(|error| panic!("{error}"));
    simulation.open_ledger();
    (0..4410).for_each(|_| simulation.step());
    let ledger = simulation.ledger().unwrap();
    assert!(ledger.total.worst_relative <= 1e-12, "{:?}", ledger.total);
    assert!(ledger.elements.iter().all(|balance| balance.supplied != 0.0));
}

/// The fields of a table, from the hint of an error.
fn known_fields(kind: &str) -> Vec<String> {
    let brackets = if kind == "score" { format!("[{kind}]") } else { format!("[[{kind}]]") };
    let errors = parse(&format!("{brackets}\nqqqqqq = 1\n"), "x.toml").unwrap_err();
    let hints = errors.iter().filter_map(|error| error.hint.as_deref());
    let list = hints.filter_map(|hint| hint.strip_prefix("known fields: ")).next().expect("a list of fields");
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_field_is_documented() {
    let document = include_str!("../../../docs/scene-format.md");
    for kind in [
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
        "score",
        "note",
        "pulse",
        "drive",
        "pickup",
        "probe",
    ] {
        let heading = if kind == "score" { format!("\n### `[{kind}]`") } else { format!("\n### `[[{kind}]]`") };
        let section = document.split(&heading).nth(1).unwrap_or_else(|| panic!("no {kind}"));
        let section = section.split("\n### ").next().unwrap_or(section);
        // What all tables have is described once.
        assert!(document.contains("`only = \"live\"`"));
        for field in known_fields(kind).into_iter().filter(|field| field != "only") {
            assert!(section.contains(&format!("`{field}`")), "{kind}.{field} is not documented");
        }
    }
}

#[test]
fn preset_names_are_unique() {
    for preset in presets::all() {
        assert_eq!(presets::find(preset.name).map(|found| found.text), Some(preset.text));
    }
    assert!(presets::find("no-such-preset").is_none());
}

#[test]
fn a_round_membrane_is_held_at_its_rim_with_and_without_stiffness() {
    for (stiffness, rim) in [("", Edge::SimplySupported), ("youngs_modulus = 3e9", Edge::Clamped)] {
        let text = format!(
            "[[membrane]]\nid = \"skin\"\ndiameter = 0.36\nsurface_density = 0.3\ntension = 2000\n{stiffness}\n[[pickup]]\nof = \"skin\"\nat = [0.4, 0.5]\n"
        );
        let scene = parse(&text, "drum.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
        let Element::Plate(skin) = &scene.model.elements()[0] else { panic!("no plate") };
        assert_eq!(skin.edges, [rim; 4]);
        scene.compile(44_100.0).unwrap_or_else(|error| panic!("{error:?}"));
    }
}
