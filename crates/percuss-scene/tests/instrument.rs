//! Scenes as instruments: targets of every preset, parity with the scene until a target is set, and mappings.

use percuss::{Element, Simulation};
use percuss_scene::instrument::{ControlTarget, Instrument, MappingCurve, MidiSource, TargetAction};
use percuss_scene::{Scene, parse, presets};

const SCENE: &str = r#"[scene]
duration = 0.1

[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
tension = 100

[[plate]]
id = "gong"
size = [0.2, 0.15]
thickness = 2e-3

[[touch]]
of = "gong"
region = { kind = "circle", centre = [0.3, 0.4], radius = 0.02 }
damping = 100

[[bow]]
id = "bow"
of = "string"
at = 0.2
force = 0.5

[[pickup]]
of = "string"
at = 0.9

[[mapping]]
midi.cc = 1
target = "bow.force"
range = [0.1, 2.0]
curve = "exponential"

[[mapping]]
midi.message = "pressure"
midi.channel = 3
target = "gong.touch.1.pressure"
"#;

fn scene(text: &str) -> Scene {
    parse(text, "test.toml").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn render(scene: &Scene, mut sim: Simulation, samples: usize) -> Vec<f64> {
    let mut output = Vec::new();
    for _ in 0..samples {
        sim.step();
        output.push(scene.outputs.iter().map(|output| sim.read(output.pickup)).sum());
    }
    output
}

/// A scene with all its plates on their grids: an instrument has hands that touch them, which plates in modes do not have.
fn plates_on_grids(text: &str) -> String {
    let mut text = text.replace("method = \"modes\"", "").replace("method = \"grid\"", "");
    for table in ["[[plate]]", "[[membrane]]"] {
        text = text.replace(table, &format!("{table}\nmethod = \"grid\""));
    }
    text
}

/// What `percuss play` compiles steps the same strings and bars in their modes as `percuss render`.
#[test]
fn strings_and_bars_have_their_true_partials_live() {
    let mut in_modes = 0;
    for preset in presets::all() {
        let scene = scene(preset.text);
        let live = Instrument::new(&scene).scene.compile(scene.sample_rate).unwrap();
        // Where it is another scene live, without what is added for playing.
        let scene = scene.live.as_deref().unwrap_or(&scene);
        let rendered = scene.compile(scene.sample_rate).unwrap();
        for (id, element) in scene.model.element_ids().zip(scene.model.elements()) {
            if matches!(element, Element::String(_) | Element::Bar(_)) {
                assert_eq!(live.mode_count(id), rendered.mode_count(id), "{}", preset.name);
                assert_eq!(live.partials(id), rendered.partials(id), "{}", preset.name);
                in_modes += usize::from(live.mode_count(id).is_some());
            }
        }
    }
    assert!(in_modes >= 2, "{in_modes}");
}

#[test]
fn an_instrument_sounds_like_its_scene_until_it_is_controlled() {
    for preset in presets::all() {
        let scene = scene(&plates_on_grids(preset.text));
        let instrument = Instrument::new(&scene);
        let simulation = instrument.scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
        let makes_sound = |target: &ControlTarget| {
            matches!(target.action, TargetAction::Strike(_) | TargetAction::Blow(_)) || target.name == "bow.force"
        };
        assert!(instrument.targets.iter().any(makes_sound), "{}", preset.name);
        for target in &instrument.targets {
            let [min, max] = target.range;
            assert!((min..=max).contains(&target.initial), "{}: {target:?}", preset.name);
        }
        if scene.live.is_some() {
            continue;
        }
        // Fingers without pressure change the order of sums, and rattling contacts amplify rounding errors: by as much as
        // they amplify a change in the last bits of the sample rate, of which the worst of sixteen counts.
        let samples = 1500;
        let reference = render(&scene, scene.compile(scene.sample_rate).unwrap(), samples);
        let perturbed = |bits: i32| {
            let rate = scene.sample_rate * (1.0 + f64::from(bits) * f64::EPSILON);
            render(&scene, scene.compile(rate).unwrap(), samples)
        };
        let uncontrolled = render(&scene, simulation, samples);
        let deviation = |other: &[f64]| reference.iter().zip(other).fold(0.0_f64, |max, (a, b)| max.max((a - b).abs()));
        // Without amplification the rounding error is below 1e-11 of the peak.
        let peak = reference.iter().fold(0.0_f64, |max, x| max.max(x.abs()));
        let amplified = (-8..=8).map(|bits| deviation(&perturbed(bits))).fold(0.0, f64::max);
        let (found, allowed) = (deviation(&uncontrolled), (10.0 * amplified).max(1e-11 * peak));
        assert!(found <= allowed, "{}: {found:e}, allowed {allowed:e}", preset.name);
    }
}

#[test]
fn targets_have_names_units_and_ranges() {
    let instrument = Instrument::new(&scene(SCENE));
    let names: Vec<&str> = instrument.targets.iter().map(|target| target.name.as_str()).collect();
    let expected = [
        "bow.force",
        "bow.velocity",
        "bow.position",
        "string.strike",
        "string.strike.position",
        "gong.strike",
        "gong.strike.x",
        "gong.strike.y",
        "gong.touch.1.x",
        "gong.touch.1.y",
        "gong.touch.1.pressure",
        "gong.touch.1.radius",
        "gong.hand.x",
        "gong.hand.y",
        "gong.hand.pressure",
        "gong.hand.radius",
        "pickup.1.gain",
        "volume",
        "restart",
    ];
    assert_eq!(names, expected);
    let force = &instrument.targets[instrument.find_target("bow.force").unwrap()];
    assert_eq!((force.unit, force.initial), ("N", 0.5));
    let group = |name| instrument.target_group(name).map(|index| names[index]).collect::<Vec<_>>();
    assert_eq!(group("gong.strike"), ["gong.strike", "gong.strike.x", "gong.strike.y"]);
    assert_eq!(group("gong.touch.1")[..3], ["gong.touch.1.x", "gong.touch.1.y", "gong.touch.1.pressure"]);
    assert_eq!(group("nothing"), [""; 0]);
}

#[test]
fn mappings_are_read_from_the_file() {
    let instrument = Instrument::new(&scene(SCENE));
    let [(control_change, force), (aftertouch, pressure)] = &instrument.mappings[..] else { panic!("two mappings") };
    assert_eq!(
        (control_change.source, control_change.channel, control_change.curve),
        (MidiSource::Cc(1), None, MappingCurve::Exponential)
    );
    assert_eq!(control_change.range, [0.1, 2.0]);
    assert_eq!(instrument.targets[*force].name, "bow.force");
    assert_eq!((aftertouch.source, aftertouch.channel), (MidiSource::Pressure, Some(2)));
    assert_eq!((aftertouch.range, aftertouch.curve), ([0.0, 1.0], MappingCurve::Linear));
    assert_eq!(instrument.targets[*pressure].name, "gong.touch.1.pressure");
}

#[test]
fn errors_in_mappings_have_location_finding_and_hint() {
    let cases = [
        ("\"bow.force\"", "\"bow.forse\"", "32:10: mapping.target is \"bow.forse\"", "did you mean \"bow.force\"?"),
        (
            "[0.1, 2.0]",
            "[0.1, 2e6]",
            "33:9: mapping.range has 2e6 N, outside the range of bow.force",
            "the range is 0 to 2 N",
        ),
        ("[0.1, 2.0]", "[0.0, 2.0]", "33:9: mapping.range must not contain 0", "square"),
        ("[0.1, 2.0]", "[0.1]", "33:9: mapping.range must have 2 entries", ""),
        ("\"exponential\"", "\"steep\"", "34:9: mapping.curve is \"steep\"", "\"linear\""),
        ("midi.cc = 1", "midi.cc = 128", "31:11: midi.cc is 128, must be at most 127", ""),
        ("midi.cc = 1", "midi.cc = 1.5", "31:11: midi.cc is 1.5, must be whole", ""),
        ("midi.cc = 1\n", "", "mapping has no midi", "add midi = { cc = 1 }"),
        ("midi.cc = 1", "midi.channel = 1", "midi has neither a cc nor a message", "\"pitch-bend\""),
        ("\"pressure\"", "\"push\"", "37:16: midi.message is \"push\"", ""),
        ("midi.channel = 3", "midi.channel = 17", "38:16: midi.channel is 17, must be at most 16", ""),
        ("midi.channel = 3", "midi.cc = 3", "midi has both a cc and a message", "keep one"),
        (
            "midi.cc = 1",
            "midi.cc = 1\nmidi.keys = [72, 48]",
            "midi.keys must be two whole numbers in ascending order",
            "[48, 72]",
        ),
        ("[[mapping]]", "[voice]\ncount = 17\n[[mapping]]", "voice.count is 17, must be at most 16", ""),
        ("[[mapping]]", "[voice]\ncount = 1.5\n[[mapping]]", "voice.count is 1.5, must be whole", ""),
        ("[[mapping]]", "[[voice]]\ncount = 2\n[[mapping]]", "voice is an array, must be a table", "[voice]"),
        ("\"exponential\"", "\"fret\"", "mapping.range must lie within 0 to below 1", "[0.0, 0.75]"),
        ("target = \"bow.force\"\n", "", "mapping has no target", "add target = \"bow.force\""),
        ("[[mapping]]", "[[mappings]]", "no table is called mappings", "did you mean [[mapping]]?"),
    ];
    for (from, to, finding, hint) in cases {
        let text = SCENE.replacen(from, to, 1);
        assert_ne!(text, SCENE, "nothing was replaced by {to}");
        let errors = parse(&text, "test.toml").expect_err(to);
        let message = errors[0].to_string();
        println!("{message}");
        assert!(message.starts_with("error: test.toml:"), "{message}");
        assert!(message.contains(finding), "{message}\n  expected {finding}");
        assert!(message.contains(hint), "{message}\n  expected hint {hint}");
    }
}
