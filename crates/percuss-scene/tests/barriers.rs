//! Shapes of `[[barrier]]`: how they are read, and what is said about those that cannot be.

use percuss::{Barrier, BarrierShape, Element};
use percuss_scene::{Scene, parse};

fn scene(barrier: &str) -> Result<Scene, String> {
    let text = format!(
        "[[barrier]]\nid = \"b\"\n{barrier}\n[[string]]\nid = \"s\"\nlength = 0.8\nradius = 2e-4\ntension = 40\n[[collision]]\nbelow = {{ of = \"b\" }}\nabove = {{ of = \"s\" }}\ndistributed = true\nstiffness = 1e9\n[[pickup]]\nof = \"s\"\nat = 0.1\n"
    );
    match parse(&text, "test.toml") {
        Ok(scene) => {
            scene.compile(scene.sample_rate).map_err(|error| error.to_string())?;
            Ok(scene)
        }
        Err(errors) => {
            assert_eq!(errors.len(), 1, "{barrier}: {errors:#?}");
            println!("{}", errors[0]);
            Err(errors[0].to_string())
        }
    }
}

fn barrier(text: &str) -> Barrier {
    let scene = scene(text).unwrap();
    let found = scene.model.elements().iter().find_map(|element| match element {
        Element::Barrier(barrier) => Some(barrier.clone()),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn all_shapes_are_read() {
    let parabola = barrier("shape = { kind = \"parabola\", at = 1.0, width = 0.05, depth = 1e-3 }\nfrom = 0.95");
    assert_eq!(parabola.shape, BarrierShape::Parabola { at: 1.0, width: 0.05, depth: 1e-3 });
    assert_eq!(parabola.span, [0.95, 1.0]);
    let lines = barrier("shape = { kind = \"polyline\", at = [0.2, 0.2, 0.7], height = [0, 1e-3, 0] }\nto = 0.8");
    assert_eq!(lines.shape, BarrierShape::Polyline { at: vec![0.2, 0.2, 0.7], height: vec![0.0, 1e-3, 0.0] });
    assert_eq!(lines.span, [0.0, 0.8]);
    let frets = barrier("shape = { kind = \"frets\", at = [0.2, 0.7], height = 1e-3 }");
    assert_eq!(frets.shape, BarrierShape::Frets { at: vec![0.2, 0.7], height: vec![1e-3; 2], width: 1e-3 });
    assert_eq!(barrier("").shape, BarrierShape::Flat);
}

/// The octave is at the twelfth fret, in the middle of the string.
#[test]
fn frets_by_number_are_those_of_equal_temperament() {
    let BarrierShape::Frets { at, height, width } =
        barrier("shape = { kind = \"frets\", count = 24, height = [1e-3, 0.4e-3], width = 2e-3 }").shape
    else {
        panic!("no frets")
    };
    assert_eq!((at.len(), height.len(), width), (24, 24, 2e-3));
    assert!((at[11] - 0.5).abs() < 1e-15 && (at[23] - 0.75).abs() < 1e-15);
    for pair in at.windows(2) {
        assert!(((1.0 - pair[0]) / (1.0 - pair[1]) - 2_f64.powf(1.0 / 12.0)).abs() < 1e-12);
    }
    assert!((height[0] - 1e-3).abs() < 1e-15 && (height[23] - 0.4e-3).abs() < 1e-15);
    let share = (at[11] - at[0]) / (at[23] - at[0]);
    assert!((height[11] - (1e-3 - share * 0.6e-3)).abs() < 1e-15);
}

#[test]
fn bad_shapes_have_place_finding_and_hint() {
    let cases = [
        (
            "shape = { kind = \"parabolla\", width = 1 }",
            "shape.kind is \"parabolla\", must be one of",
            "did you mean \"parabola\"?",
        ),
        ("shape = { width = 0.1 }", "test.toml:3:9: shape has no kind", "add kind = \"parabola\""),
        ("shape = \"parabola\"", "barrier.shape is \"parabola\", must be a table", ""),
        ("shape = { kind = \"parabola\", width = 0.1 }", "shape has no depth", "add depth = 1e-3"),
        ("shape = { kind = \"parabola\", width = 0, depth = 1 }", "shape.width is 0, must be at least", "between"),
        ("shape = { kind = \"parabola\", width = nan, depth = 1 }", "shape.width is NaN, must be a finite", "between"),
        ("shape = { kind = \"parabola\", width = 0.1, depth = 1, at = 2 }", "shape.at is 2, must be at most 1", ""),
        (
            "shape = { kind = \"parabola\", width = 0.1, depth = 1, radius = 2 }",
            "shape has no field radius",
            "known fields",
        ),
        ("shape = { kind = \"polyline\", height = 0 }", "shape has no at", "add at = [0.2, 0.5]"),
        (
            "shape = { kind = \"polyline\", at = [0.5, 0.2], height = 0 }",
            "shape.at has places that do not rise",
            "sort",
        ),
        ("shape = { kind = \"polyline\", at = [], height = 0 }", "shape.at is empty", "fractions of the length"),
        (
            "shape = { kind = \"polyline\", at = [0.1, 0.5], height = [1, 2, 3] }",
            "shape.height has 3 entries, but there are 2",
            "one for each",
        ),
        (
            "shape = { kind = \"polyline\", at = [0.1, inf], height = 0 }",
            "shape.at is inf, must be a finite number",
            "",
        ),
        ("shape = { kind = \"frets\", at = [0.5, 0.5], height = 0 }", "shape.at has places that do not rise", "sort"),
        ("shape = { kind = \"frets\", at = [0.5], count = 3, height = 0 }", "frets have both count and at", "keep one"),
        (
            "shape = { kind = \"frets\", count = 2.5, height = 0 }",
            "shape.count is 2.5, must be a whole number",
            "count = 19",
        ),
        ("shape = { kind = \"frets\", count = 0, height = 0 }", "shape.count is 0, must be at least 1", "between"),
        ("shape = { kind = \"frets\", count = 3 }", "shape has no height", "add height = 1e-3"),
        (
            "shape = { kind = \"frets\", count = 3, height = 0, width = 5 }",
            "shape.width is 5 m, must be at most 0.1 m",
            "did you mean",
        ),
        ("from = 0.5\nto = 0.5", "test.toml:4:6: barrier.to is 0.5, must be beyond from, which is 0.5", "as in from"),
        ("from = -1", "barrier.from is -1, must be at least 0", ""),
        (
            "profile = [0, 1e-3]\nshape = { kind = \"frets\", count = 3, height = 0 }",
            "barrier has both profile and shape",
            "keep one",
        ),
    ];
    for (text, finding, hint) in cases {
        let Err(message) = scene(text) else { panic!("accepted: {text}") };
        assert!(message.contains(finding), "{text}: {message}");
        assert!(message.contains(hint), "{text}: {message}");
    }
}
