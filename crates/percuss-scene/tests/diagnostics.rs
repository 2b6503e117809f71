//! Errors in scene files: location, finding, what is allowed, hint.

use percuss_scene::parse;

/// A valid scene, to be changed one line at a time.
const SCENE: &str = r#"[scene]
name = "Test"
sample_rate = 44100
duration = 0.1

[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
tension = 100

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

[[pickup]]
of = "string"
at = 0.9
"#;

/// The first error in the scene after one replacement.
fn first_error(from: &str, to: &str) -> String {
    let text = SCENE.replacen(from, to, 1);
    assert_ne!(text, SCENE, "nothing was replaced");
    let first = match parse(&text, "test.toml") {
        Err(errors) => errors[0].to_string(),
        Ok(scene) => match scene.compile(scene.sample_rate) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("accepted: {to}"),
        },
    };
    println!("{first}");
    first
}

#[test]
fn the_unchanged_scene_is_valid() {
    let scene = parse(SCENE, "test.toml").unwrap();
    scene.compile(scene.sample_rate).unwrap();
    assert_eq!(scene.interaction_names, ["strike"]);
    assert_eq!(scene.outputs[0].label, "string@0.9 velocity [m/s]");
}

#[test]
fn every_error_has_location_finding_and_hint() {
    let cases = [
        ("tension = 100", "tention = 100", "test.toml:10:1: string has no field tention", "did you mean tension?"),
        ("id = \"string\"", "", "test.toml:6:1: string has no id", "add id = \"my-string\""),
        (
            "radius = 0.5e-3",
            "radius = 0.5",
            "test.toml:9:10: string.radius is 0.5 m, must be at most 0.05 m",
            "did you mean 5e-4?",
        ),
        (
            "mass = 0.01",
            "mass = -0.01",
            "test.toml:14:8: mass.mass is -0.01 kg, must be at least 1e-9 kg",
            "did you mean 0.01?",
        ),
        ("mass = 0.01", "mass = nan", "test.toml:14:8: mass.mass is NaN kg, must be a finite number", "kilograms"),
        ("stiffness = 1e8", "stiffness = inf", "must be a finite number", ""),
        ("tension = 100", "tension = \"100\"", "string.tension is \"100\", must be a number", "drop the quotes"),
        (
            "tension = 100",
            "tension = 100\ngrid = 4000",
            "test.toml:11:8: string \"string\": grid has 4000 intervals",
            "use grid = ",
        ),
        (
            "of = \"hammer\"",
            "of = \"hamer\"",
            "test.toml:20:16: below.of is \"hamer\", but no element has this id",
            "did you mean \"hammer\"?",
        ),
        ("of = \"string\", at = 0.33", "of = \"hammer\"", "cannot collide with itself", "two different elements"),
        ("[[pickup]]", "[[pulse]]\nof = \"string\"\nat = 0\n[[pickup]]", "nothing can move", "away from the support"),
        ("at = 0.33", "at = 1.5", "above.at is 1.5, must be at most 1", ""),
        (", at = 0.33", "", "test.toml:21:9: above has no place on the string", "at = 0.33"),
        ("id = \"hammer\"", "id = \"string\"", "mass.id is \"string\", which is already used", "different"),
        ("[[mass]]", "[mass]", "mass is a table, must be a list of tables", "[[mass]]"),
        ("[[mass]]", "[[mas]]", "no table is called mas", "did you mean [[mass]]?"),
        (
            "duration = 0.1",
            "duration = 0.1\nscheme = \"track\"",
            "must be one of \"plain\", \"tracked\", \"newton\"",
            "\"tracked\"",
        ),
        (
            "sample_rate = 44100",
            "sample_rate = 44.1",
            "scene.sample_rate is 44.1 Hz, must be at least 1000 Hz",
            "did you mean 44100?",
        ),
        ("length = 1.0", "method = \"grid\"\nlength = 0.01", "only", "raise the sample rate"),
        ("velocity = 2.0", "velocity = 2.0\nfrequency = 30000", "frequency 30000 Hz cannot be carried", "stay below"),
        ("velocity = 2.0", "velocity = ", "not valid TOML", "name = 1.0"),
        ("at = 0.9", "at = 0.9\nquantity = \"speed\"", "pickup.quantity is \"speed\"", ""),
        ("[[pickup]]", "[[drive]]\nof = \"hammer\"\nfile = \"Cargo.toml\"\n[[pickup]]", "not a WAV file", "give a WAV"),
        ("[[pickup]]", "[[drive]]\nof = \"hammer\"\nfile = \"no.wav\"\n[[pickup]]", "No such file", "give a WAV"),
        (
            "[[pickup]]",
            "[[drive]]\nof = \"hammer\"\nforce = { time = [0, 2, 1], value = [0, 1, 2] }\n[[pickup]]",
            "times that decrease",
            "sort",
        ),
        (
            "[[pickup]]",
            "[[drive]]\nof = \"hammer\"\nforce = { time = [0, 2], value = [0] }\n[[pickup]]",
            "2 times and 1 values",
            "as many",
        ),
        (
            "[[pickup]]",
            "[[mass]]\nid = \"b\"\nmass = 1.0\n[[collision]]\nid = \"x\"\nbelow = { of = \"hammer\" }\nabove = { of = \"b\" }\nstiffness = 1.0\n[[collision]]\nbelow = { of = \"b\" }\nabove = { of = \"hammer\" }\nstiffness = 1.0\n[[pickup]]",
            "form a cycle with 0 m of clearance",
            "gap = 1e-3",
        ),
    ];
    for (from, to, finding, hint) in cases {
        let message = first_error(from, to);
        assert!(message.starts_with("error: test.toml:"), "{message}");
        assert!(message.contains(finding), "expected {finding:?} in\n{message}");
        assert!(message.contains(hint), "expected {hint:?} in\n{message}");
        assert!(message.lines().count() == 2 && message.contains("\n  hint: "), "{message}");
    }
}

#[test]
fn errors_in_moving_places_have_location_finding_and_hint() {
    let plate = "[[plate]]\nid = \"plate\"\nsize = [0.2, 0.2]\nthickness = 2e-3\n";
    let cases = [
        ("[[pulse]]\nof = \"string\"\nat = { time = [0, 1], value = [0.2, 1.2] }", "at most 1", "between 0 and 1"),
        ("[[pulse]]\nof = \"string\"\nat = { time = [0, 1], value = [0.2] }", "2 times and 1 values", "as many"),
        (
            "[[drive]]\nof = \"string\"\nforce = 1\nat = { time = [1, 0], value = [0, 1] }",
            "times that decrease",
            "sort",
        ),
        ("[[pulse]]\nof = \"string\"\nat = { time = [0, 1] }", "control has no value", "add value"),
        ("[[pulse]]\nof = \"string\"\nat = { time = [0, 1], value = [0, 0] }", "nothing can move", "support"),
        (
            "[[pulse]]\nof = \"string\"\nwidth = 0.1\nat = { time = [0, 1], value = [0, 1] }",
            "a moving pulse acts at a point",
            "remove width",
        ),
        (
            "[[pulse]]\nof = \"hammer\"\nat = { time = [0], value = [0] }",
            "no place can move on a mass",
            "strings, bars",
        ),
        (
            "[[pulse]]\nof = \"plate\"\nat = { time = [0, 1], value = [0, 1] }",
            "pulse.at must be two numbers or controls",
            "at = [{ time = [0.0, 1.0], value = [0.2, 0.8] }, 0.5]",
        ),
        ("[[pulse]]\nof = \"plate\"\nat = [0.3, { time = [0, 1], value = [0, 2] }]", "at most 1", "between 0 and 1"),
        ("[[probe]]\nof = \"plate\"\nat = [0.3, { time = [0], value = [0] }]", "only the place of a pulse", "at = ["),
        ("[[probe]]\nof = \"string\"\nat = { time = [0], value = [0] }", "only the place of a pulse", "at = 0.33"),
    ];
    for (table, finding, hint) in cases {
        let message = first_error("[[pickup]]", &format!("{plate}{table}\n[[pickup]]"));
        assert!(message.starts_with("error: test.toml:"), "{message}");
        assert!(message.contains(finding), "expected {finding:?} in\n{message}");
        assert!(message.contains(hint), "expected {hint:?} in\n{message}");
        assert!(message.lines().count() == 2 && message.contains("\n  hint: "), "{message}");
    }
}

#[test]
fn a_touch_needs_two_coordinates() {
    let plate = "[[plate]]\nid = \"plate\"\nsize = [0.2, 0.2]\nthickness = 2e-3\n";
    let touch = "[[touch]]\nof = \"plate\"\nmass = 1\nregion = { kind = \"circle\", centre = 0.5, radius = 0.1 }\n";
    let message = first_error("[[pickup]]", &format!("{plate}{touch}[[pickup]]"));
    assert!(message.contains("region.centre must be two numbers or controls"), "{message}");
}

#[test]
fn an_empty_scene_is_an_error_and_a_silent_one_a_warning() {
    let errors = parse("", "empty.toml").unwrap_err();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].to_string().starts_with("error: empty.toml: the scene is empty\n  hint: "));
    let silent = SCENE.replace("[[pickup]]", "[[probe]]");
    assert!(
        parse(&silent, "test.toml").unwrap().warnings[0]
            .to_string()
            .starts_with("warning: test.toml: the scene is silent")
    );
}

#[test]
fn all_errors_are_returned_in_the_order_of_the_file() {
    let text = SCENE.replace("radius = 0.5e-3", "radius = 3").replace("stiffness = 1e8", "stifness = 1e8");
    let locations: Vec<_> = parse(&text, "test.toml").unwrap_err().into_iter().map(|error| error.location).collect();
    assert!(locations.len() >= 2 && locations.is_sorted(), "{locations:?}");
}

#[test]
fn old_words_get_a_hint_with_the_new_word() {
    let plate = "[[plate]]\nid = \"plate\"\nsize = [0.2, 0.2]\nthickness = 2e-3\n";
    let sides = "below = { of = \"hammer\" }\nabove = { of = \"string\", at = 0.5 }";
    let cases = [
        (format!("[[link]]\n{sides}\nresistance = 1\n"), "no table is called link", "link is called damper"),
        (
            "[[control]]\nmidi.cc = 1\ntarget = \"volume\"\n".to_owned(),
            "no table is called control",
            "control is called mapping",
        ),
        (
            "[[bar]]\nid = \"bar\"\nlength = 0.3\nwidth = 0.03\nthickness = 4e-3\npluck = { at = 0.3, height = 1e-3 }\n"
                .to_owned(),
            "bar has no field pluck",
            "pluck is called displacement",
        ),
        (
            format!("{plate}[[touch]]\nof = \"plate\"\nmass = 1\nshape = {{ kind = \"everywhere\" }}\n"),
            "touch has no field shape",
            "shape is called region",
        ),
        (
            "[[roll]]\nball = \"hammer\"\non = { of = \"string\", at = 0.5 }\nradius = 0.01\nroughness = 1e-6\n\
             stiffness = 1e6\ngrain = 1e-3\n"
                .to_owned(),
            "roll has no field grain",
            "grain is called correlation_length",
        ),
        ("[score]\nbow = \"bow\"\ntouch = 1\n".to_owned(), "score has no field touch", "touch is called harmonic_pressure"),
        ("[score]\nbow = \"bow\"\nstop = 1\n".to_owned(), "score has no field stop", "stop is called stopped_pressure"),
        (format!("{plate}edges = \"free-paper\"\n"), "plate.edges is \"free-paper\"", "free-paper is called free-full-cell"),
        (
            "[[mapping]]\nmidi.message = \"bend\"\ntarget = \"volume\"\n".to_owned(),
            "midi.message is \"bend\"",
            "bend is called pitch-bend",
        ),
    ];
    for (table, finding, hint) in cases {
        let errors = parse(&SCENE.replacen("[[pickup]]", &format!("{table}[[pickup]]"), 1), "test.toml").unwrap_err();
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let found = messages.iter().find(|message| message.contains(finding)).unwrap_or_else(|| panic!("{messages:?}"));
        assert!(found.ends_with(&format!("hint: {hint}")), "expected {hint:?} in\n{found}");
        assert!(!messages.iter().any(|message| message.contains("touch has no region")), "{messages:?}");
    }
}
