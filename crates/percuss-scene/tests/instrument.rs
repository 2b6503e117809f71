//! Scenes as instruments: every preset can be played, goes on as written until it is, and controllers are read from the
//! file with messages that say where and why.

use percuss::Simulation;
use percuss_scene::instrument::{Action, Curve, Instrument, MidiSource};
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
    parse(text, "test.toml").unwrap_or_else(|problems| panic!("{}", problems[0]))
}

fn heard(scene: &Scene, mut sim: Simulation, samples: usize) -> Vec<f64> {
    let mut heard = Vec::new();
    for _ in 0..samples {
        sim.step();
        heard.push(scene.outputs.iter().map(|output| sim.read(output.pickup)).sum());
    }
    heard
}

#[test]
fn every_preset_is_an_instrument_that_goes_on_as_written_until_it_is_played() {
    for preset in presets::all() {
        let scene = scene(preset.text);
        let instrument = Instrument::new(&scene);
        let played = instrument.scene.compile(scene.sample_rate).unwrap_or_else(|error| panic!("{error}"));
        assert!(instrument.targets.iter().any(|target| matches!(target.action, Action::Strike(_))), "{}", preset.name);
        for target in &instrument.targets {
            let [least, most] = target.range;
            assert!((least..=most).contains(&target.initial), "{}: {target:?}", preset.name);
        }
        // Hands that wait beside a string change the order of sums, and contacts that rattle magnify rounding: as much
        // as they magnify the last bit of the sample rate, and no more.
        let samples = 1500;
        let written = heard(&scene, scene.compile(scene.sample_rate).unwrap(), samples);
        let nudged = heard(&scene, scene.compile(scene.sample_rate * (1.0 + f64::EPSILON)).unwrap(), samples);
        let unplayed = heard(&scene, played, samples);
        let apart = |other: &[f64]| written.iter().zip(other).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        // Where nothing magnifies it, rounding is as it falls: a hundred thousandth of a millionth of the sound.
        let peak = written.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let (found, allowed) = (apart(&unplayed), (10.0 * apart(&nudged)).max(1e-11 * peak));
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
    let force = &instrument.targets[instrument.find("bow.force").unwrap()];
    assert_eq!((force.unit, force.initial), ("N", 0.5));
    let group = |name| instrument.group(name).map(|index| names[index]).collect::<Vec<_>>();
    assert_eq!(group("gong.strike"), ["gong.strike", "gong.strike.x", "gong.strike.y"]);
    assert_eq!(group("gong.touch.1")[..3], ["gong.touch.1.x", "gong.touch.1.y", "gong.touch.1.pressure"]);
    assert_eq!(group("nothing"), [""; 0]);
}

#[test]
fn controllers_are_read_from_the_file() {
    let instrument = Instrument::new(&scene(SCENE));
    let [(wheel, force), (squeeze, pressure)] = &instrument.mappings[..] else { panic!("two mappings") };
    assert_eq!((wheel.source, wheel.channel, wheel.curve), (MidiSource::Cc(1), None, Curve::Exponential));
    assert_eq!(wheel.range, [0.1, 2.0]);
    assert_eq!(instrument.targets[*force].name, "bow.force");
    assert_eq!((squeeze.source, squeeze.channel), (MidiSource::Pressure, Some(2)));
    assert_eq!((squeeze.range, squeeze.curve), ([0.0, 1.0], Curve::Linear));
    assert_eq!(instrument.targets[*pressure].name, "gong.touch.1.pressure");
}

#[test]
fn wrong_controllers_are_explained() {
    let cases = [
        ("\"bow.force\"", "\"bow.forse\"", "32:10: mapping.target is \"bow.forse\"", "did you mean \"bow.force\"?"),
        ("[0.1, 2.0]", "[0.1, 2e6]", "33:9: mapping.range has 2e6 N, which bow.force cannot be", "from 0 to 100 N"),
        ("[0.1, 2.0]", "[0.0, 2.0]", "33:9: mapping.range goes from 0 to 2, which no factors do", "square"),
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
            "midi.keys must be two whole numbers that rise",
            "[48, 72]",
        ),
        ("[[mapping]]", "[voice]\ncount = 17\n[[mapping]]", "voice.count is 17, must be at most 16", ""),
        ("[[mapping]]", "[voice]\ncount = 1.5\n[[mapping]]", "voice.count is 1.5, must be whole", ""),
        ("[[mapping]]", "[[voice]]\ncount = 2\n[[mapping]]", "voice is an array, must be a table", "[voice]"),
        ("\"exponential\"", "\"fret\"", "mapping.range leaves no string to sound", "[0.0, 0.75]"),
        ("target = \"bow.force\"\n", "", "mapping has no target", "add target = \"bow.force\""),
        ("[[mapping]]", "[[mappings]]", "no table is called mappings", "did you mean [[mapping]]?"),
    ];
    for (from, to, finding, hint) in cases {
        let text = SCENE.replacen(from, to, 1);
        assert_ne!(text, SCENE, "nothing was replaced by {to}");
        let problems = parse(&text, "test.toml").expect_err(to);
        let message = problems[0].to_string();
        println!("{message}");
        assert!(message.starts_with("error: test.toml:"), "{message}");
        assert!(message.contains(finding), "{message}\n  expected {finding}");
        assert!(message.contains(hint), "{message}\n  expected hint {hint}");
    }
}
