//! Common slips in scene files: one message each, with the remedy; and warnings about pickups that read nothing.

use percuss_scene::{Severity, parse};

const SCENE: &str = r#"
[[string]]
id = "string"
length = 1.0
radius = 0.5e-3
tension = 100

[[membrane]]
id = "drum"
size = [0.3, 0.3]
surface_density = 0.3
tension = 2000

[[mass]]
id = "hammer"
mass = 0.01

[[collision]]
below = { of = "hammer" }
above = { of = "string", at = 0.3 }
stiffness = 1e8

[[pickup]]
of = "string"
at = 0.9

[[pickup]]
of = "drum"
at = [0.3, 0.4]
"#;

/// The only message after one replacement.
#[track_caller]
fn only_message(from: &str, to: &str) -> String {
    let text = SCENE.replacen(from, to, 1);
    assert_ne!(text, SCENE, "nothing was replaced");
    let messages = match parse(&text, "test.toml") {
        Err(errors) => errors,
        Ok(scene) => scene.warnings,
    };
    assert_eq!(messages.len(), 1, "{to}: {messages:#?}");
    messages[0].to_string()
}

/// A string that lies on a membrane.
#[test]
fn a_line_on_a_membrane_needs_two_places_on_it() {
    let collision = "below = { of = \"hammer\" }\nabove = { of = \"string\", at = 0.3 }\nstiffness = 1e8";
    let on_drum = |line: &str| {
        format!("below = {{ of = \"string\" }}\nabove = {{ of = \"drum\"{line} }}\ndistributed = true\nstiffness = 1e8")
    };
    let text = SCENE.replacen(collision, &on_drum(", from = [0.2, 0.5], to = [0.8, 0.5]"), 1);
    let scene = parse(&text, "test.toml").unwrap();
    scene.compile(44_100.0).unwrap();
    let cases = [
        (", from = [0.2, 0.5]", "above has no to", "add to = [0.8, 0.5]"),
        (", to = [0.2, 0.5]", "above has no from", "add from = [0.2, 0.5]"),
        (", from = [0.2, 0.5], to = [0.8, 1.5]", "above.to is 1.5, must be at most 1", "between 0 and 1"),
        (", from = [0.2, nan], to = [0.8, 0.5]", "above.from is NaN, must be a finite number", ""),
        (", from = 0.2, to = [0.8, 0.5]", "above.from is 0.2, must be a list of numbers", ""),
        (
            ", at = [0.2, 0.5], from = [0.2, 0.5], to = [0.8, 0.5]",
            "above.at has no meaning in a distributed",
            "remove at",
        ),
    ];
    for (line, finding, hint) in cases {
        let message = only_message(collision, &on_drum(line));
        assert!(message.contains(finding) && message.contains(hint), "{line}: {message}");
    }
    let on_string = on_drum(", from = [0.2, 0.5], to = [0.8, 0.5]").replace("drum", "hammer");
    let message = only_message(collision, &on_string.replace(", from = [0.2, 0.5], to = [0.8, 0.5]", ", from = 0.2"));
    assert!(message.contains("above has no field from"), "{message}");
}

#[test]
fn slip_gives_one_message_with_a_hint() {
    let cases = [
        (
            "[[string]]",
            "[string]",
            "string is a table, must be a list of tables",
            "write [[string]] in double brackets",
        ),
        ("[[membrane]]", "[membrane]", "membrane is a table", "[[membrane]]"),
        (
            "[[mass]]",
            "[[mass]]\nid = \"string\"\nmass = 1\n[[mass]]",
            "mass.id is \"string\", which is already used",
            "\"string-2\"",
        ),
        ("at = 0.9", "at = [0.9, 0.5]", "pickup.at is a list, but only plates and membranes", "at = 0.33"),
        ("at = 0.9", "at = \"0.9\"", "pickup has no place on the string", "drop the quotes"),
        ("at = [0.3, 0.4]", "at = 0.3", "pickup.at is one number, a membrane has two coordinates", "at = [0.3, 0.4]"),
        ("at = [0.3, 0.4]", "at = [\"0.3\", 0.4]", "pickup.at is \"0.3\", must be a number", "drop the quotes"),
        ("tension = 100", "tension = [100]", "string.tension is [100], must be a number", ""),
        ("size = [0.3, 0.3]", "size = [\"0.3\", 0.3]", "must be a number", "drop the quotes"),
        ("[[mass]]", "[scene]\n[scene]\n[[mass]]", "not valid TOML: duplicate key", "double brackets"),
        (
            "of = \"hammer\"",
            "of = \"hammer\", at = [0.1, 0.2]",
            "below.at is a list",
            "a mass is a single point: remove at",
        ),
    ];
    for (from, to, finding, hint) in cases {
        let message = only_message(from, to);
        assert!(message.starts_with("error: test.toml:"), "{message}");
        assert!(message.contains(finding) && message.contains(hint), "expected {finding:?} and {hint:?} in\n{message}");
    }
}

#[test]
fn membranes_are_called_membranes() {
    let message = only_message("at = [0.3, 0.4]", "at = 0.3");
    assert!(!message.contains("a plate"), "{message}");
    let scene = parse(SCENE, "test.toml").unwrap();
    let kinds: Vec<&str> = (0..3).map(|index| scene.element_kind(index)).collect();
    let mut expected = ["string", "mass", "membrane"];
    expected.sort_unstable();
    let mut kinds_sorted = kinds.clone();
    kinds_sorted.sort_unstable();
    assert_eq!(kinds_sorted, expected);
    assert_eq!(scene.element_names[kinds.iter().position(|&kind| kind == "membrane").unwrap()], "drum");
}

#[test]
fn pickup_on_a_support_gets_a_warning() {
    for (from, to) in [
        ("at = 0.9", "at = 1.0"),
        ("at = 0.9", "at = 0.0\nquantity = \"displacement\""),
        ("at = [0.3, 0.4]", "at = [0.3, 1.0]"),
        ("at = [0.3, 0.4]", "at = [0.0, 0.4]"),
    ] {
        let message = only_message(from, to);
        assert!(message.starts_with("warning: test.toml:") && message.contains("on a support"), "{message}");
        assert!(message.contains("hint: move it away"), "{message}");
    }
}

#[test]
fn free_ends_and_forces_at_supports_are_read() {
    let without_warnings = |text: String| {
        let warnings = parse(&text, "test.toml").unwrap().warnings;
        assert!(warnings.iter().all(|warning| warning.severity == Severity::Warning));
        assert!(warnings.is_empty(), "{warnings:?}");
    };
    without_warnings(SCENE.replacen("at = 0.9", "at = 1.0\nquantity = \"force\"", 1));
    let free = SCENE.replacen("tension = 100", "tension = 100\nends = [\"clamped\", \"free\"]", 1);
    without_warnings(free.replacen("at = 0.9", "at = 1.0", 1));
}

/// Whatever is missing or wrong in a table with single brackets.
#[test]
fn single_brackets_give_one_message() {
    for table in ["[string]", "[string]\nid = \"a\"", "[string]\nid = \"a\"\nlength = \"1\"\nwidth = 3"] {
        let errors =
            percuss_scene::parse(&format!("{table}\n[[pickup]]\nof = \"a\"\nat = 0.3\n"), "scene.toml").unwrap_err();
        let first: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert!(first.iter().any(|message| message.contains("must be a list of tables")), "{first:?}");
        assert!(
            !first.iter().any(|message| message.starts_with("string has") || message.starts_with("string.")),
            "{first:?}"
        );
    }
}
