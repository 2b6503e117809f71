//! `undercut`, `profile` and `patch`: what they do to partials, and what is refused.

use percuss::{Element, Method, Model, Profile};
use percuss_scene::{Scene, parse};

const BAR: &str = "[[bar]]\nid = \"a\"\nlength = 0.3\nwidth = 0.04\nthickness = 0.01\nends = \"free\"\n";
const SKIN: &str =
    "[[membrane]]\nid = \"a\"\ndiameter = 0.2\nsurface_density = 0.3\ntension = 2000\nedges = \"clamped\"\n";

fn scene(text: &str) -> Scene {
    parse(text, "test.toml").unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}

/// Partials of the first element by itself.
fn partials(scene: &Scene) -> Vec<f64> {
    let mut model = Model::new();
    let id = model.add(scene.model.elements()[0].clone());
    model.compile(8000.0).unwrap().partials(id).unwrap()
}

/// The first error, of the scene or of its model.
fn error(text: &str) -> String {
    match parse(text, "test.toml") {
        Err(errors) => errors[0].to_string(),
        Ok(scene) => scene.compile(scene.sample_rate).map(|_| ()).unwrap_err().to_string(),
    }
}

#[test]
fn an_undercut_in_the_middle_lowers_the_first_partial_most() {
    let uniform = partials(&scene(BAR));
    let cut = partials(&scene(&format!("{BAR}undercut = {{ depth = 0.5, width = 0.4 }}")));
    let lowered: Vec<f64> = uniform.iter().zip(&cut).map(|(uniform, cut)| cut / uniform).collect();
    assert!(lowered[0] < 0.8 && lowered[0] < lowered[1], "{lowered:?}");
    // As deep as nothing.
    let flat = partials(&scene(&format!("{BAR}undercut = {{ depth = 0.0, width = 0.4 }}")));
    for (flat, uniform) in flat.iter().zip(&uniform) {
        assert!((flat / uniform - 1.0).abs() < 1e-9, "{flat}, not {uniform}");
    }
}

/// f ∝ h/L², whatever the profile.
#[test]
fn pitch_sets_the_length_or_thickness_of_a_bar_with_an_undercut_and_keeps_its_ratios() {
    let cut = "undercut = [{ depth = 0.5, width = 0.4 }, { at = 0.3, depth = 0.2, width = 0.1 }]\npitch = \"A4\"\n";
    let whole = partials(&scene(&format!("{BAR}{}", cut.replace("pitch = \"A4\"\n", ""))));
    for removed in ["length = 0.3\n", "thickness = 0.01\n"] {
        let scene = scene(&format!("{}{cut}sigma0 = 0\nsigma1 = 0", BAR.replace(removed, "")));
        let found = partials(&scene);
        assert!((found[0] / 440.0 - 1.0).abs() < 1e-9, "{}", found[0]);
        let ratio = found[1] / found[0] / (whole[1] / whole[0]);
        assert!((ratio - 1.0).abs() < 1e-5, "{ratio}");
        let field = removed.split(' ').next().unwrap();
        assert_eq!(scene.tunings[0].field, field);
    }
}

#[test]
fn pitch_sets_the_tension_of_a_membrane_with_a_patch() {
    let text = format!(
        "{}patch = {{ radius = 0.04, surface_density = 2.0 }}\npitch = 300",
        SKIN.replace("tension = 2000\n", "")
    );
    let found = partials(&scene(&text));
    assert!((found[0] / 300.0 - 1.0).abs() < 1e-9, "{}", found[0]);
}

/// The layer of a grid has the patch too: its first mode is within the error of a grid.
#[test]
fn a_patch_lowers_a_membrane_on_its_grid_as_in_its_modes() {
    let patch = "patch = { radius = 0.04, surface_density = 2.0 }\n";
    let bare = partials(&scene(SKIN))[0];
    let in_modes = partials(&scene(&format!("{SKIN}{patch}")))[0];
    assert!(in_modes < 0.7 * bare, "{in_modes}, {bare}");
    let on_grid = scene(&format!("{SKIN}{patch}method = \"grid\""));
    let Element::Plate(plate) = &on_grid.model.elements()[0] else { panic!() };
    assert_eq!((plate.method, plate.patches.len()), (Method::Grid, 1));
    let mut model = Model::new();
    let id = model.add(plate.clone());
    let heard = model.pickup(id.on([0.5; 2]), percuss::Quantity::Displacement);
    model.pulse(id.on([0.5; 2]), percuss::Pulse { duration: 4e-3, ..percuss::Pulse::default() });
    let mut simulation = model.compile(44_100.0).unwrap();
    let mut sound = vec![0.0; 44_100];
    simulation.process(&[heard], &mut [&mut sound[..]]);
    let rising = sound.windows(2).skip(2205).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
    let frequency = rising as f64 / (sound.len() - 2205) as f64 * 44_100.0;
    assert!((frequency / in_modes - 1.0).abs() < 0.02, "{frequency} Hz on the grid, {in_modes} Hz in modes");
}

#[test]
fn a_profile_of_straight_lines_is_read() {
    let scene = scene(&format!("{BAR}profile = {{ at = [0, 0.5, 0.5, 1], ratio = [1, 0.5, 0.4, 1] }}"));
    let Element::Bar(bar) = &scene.model.elements()[0] else { panic!() };
    let expected = Profile::Lines { at: vec![0.0, 0.5, 0.5, 1.0], ratio: vec![1.0, 0.5, 0.4, 1.0] };
    assert_eq!(bar.profile, expected);
}

#[test]
fn errors_say_where_what_and_what_is_allowed() {
    for (base, fields, message, hint) in [
        (
            BAR,
            "profile = { at = [0, 0.5, 1], ratio = [1, 0, 1] }",
            "profile.ratio is 0 at 0.5, must be at least 0.01",
            "ratio is",
        ),
        (BAR, "profile = { at = [0, 0.5], ratio = [1, 1] }", "goes from 0 to 0.5, must go from 0 to 1", "fractions"),
        (BAR, "profile = { at = [0, 1], ratio = [1] }", "2 places and 1 ratios", "over that of the bar"),
        (BAR, "profile = { at = [0, 0.6, 0.5, 1], ratio = [1, 1, 1, 1] }", "0.5 after 0.6", "step"),
        (BAR, "profile = { at = [0, 0, 1], ratio = [1, 0.5, 1] }", "step at an end", "two points"),
        (BAR, "undercut = { depth = 1.0, width = 0.4 }", "undercut.depth is 1, must be at most 0.99", ""),
        (BAR, "undercut = { depth = 0.5 }", "undercut has no width", "add width = 0.5"),
        (
            BAR,
            "undercut = [{ depth = 0.6, width = 0.4 }, { depth = 0.6, width = 0.2 }]",
            "bar is -0.2 of its thickness",
            "add up",
        ),
        (
            BAR,
            "undercut = { depth = 0.6, width = 0.4 }\nprofile = { at = [0, 1], ratio = [1, 1] }",
            "both an undercut and a profile",
            "keep one",
        ),
        (SKIN, "patch = { radius = 0.03 }", "patch has no surface_density", "add surface_density"),
        (
            SKIN,
            "patch = { centre = [0.8, 0.5], radius = 0.05, surface_density = 1 }",
            "reaches 0.01 m beyond the edge",
            "at most 0.04 m fit",
        ),
        (SKIN, "patch = { centre = [0, 0], radius = 0.05, surface_density = 1 }", "beyond the edge", "move the centre"),
        (SKIN, "patch = { radius = 1e-4, surface_density = 1 }", "must be at least 0.002 m", "a hundredth"),
    ] {
        let text = format!("{base}{fields}");
        let found = error(&text);
        assert!(found.starts_with("test.toml:") || found.contains("test.toml:"), "{found}");
        assert!(found.contains(message) && found.contains(hint), "{fields}:\n{found}");
    }
}

#[test]
fn what_cannot_be_done_in_modes_is_refused_on_a_bar_with_an_undercut() {
    let bar = format!("{BAR}undercut = {{ depth = 0.5, width = 0.4 }}\n");
    let barrier = "[[barrier]]\nid = \"b\"\n[[collision]]\nid = \"c\"\nbelow = { of = \"b\" }\nabove = { of = \"a\" }\nstiffness = 1e6\ndistributed = true\n";
    for (text, reason) in [
        (format!("{bar}method = \"grid\""), "its method is a grid"),
        (format!("{bar}grid = 20"), "a grid is given"),
        (format!("{bar}{barrier}"), "something acts along its whole length"),
        (bar.replace("length = 0.3", "length = 100"), "too many below half the sample rate"),
    ] {
        let found = error(&text);
        assert!(found.contains("stepped in its modes only") && found.contains(reason), "{reason}:\n{found}");
    }
}

#[test]
fn places_move_on_a_bar_with_an_undercut() {
    let finger = "[[finger]]\nid = \"f\"\nof = \"a\"\nat = { time = [0, 0.02], value = [0.2, 0.5] }\npressure = 1\n\
        [[pulse]]\nof = \"a\"\nat = 0.1\n";
    let scene = scene(&format!("{BAR}undercut = {{ depth = 0.5, width = 0.4 }}\n{finger}"));
    let mut simulation = scene.compile(44_100.0).unwrap();
    simulation.open_ledger();
    (0..1500).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.supplied > 0.0 && total.worst_relative < 1e-12, "{:e}", total.worst_relative);
}
