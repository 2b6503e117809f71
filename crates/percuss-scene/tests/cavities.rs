//! `[[cavity]]`: how it is read, and what is said about one that cannot be.

use percuss_scene::{Scene, parse};
use std::f64::consts::PI;

const DRUM: &str = r#"[[membrane]]
id = "batter"
diameter = 0.3
surface_density = 0.3
tension = 2000

[[membrane]]
id = "resonant"
size = [0.3, 0.2]
surface_density = 0.2
tension = 2000

[[barrier]]
id = "kettle"

[[mass]]
id = "ball"
mass = 0.01

[[pickup]]
of = "batter"
at = [0.4, 0.4]
"#;

fn scene(cavity: &str) -> Result<Scene, String> {
    match parse(&format!("{DRUM}\n[[cavity]]\n{cavity}\n"), "test.toml") {
        Ok(scene) => match scene.compile(scene.sample_rate) {
            Ok(_) => Ok(scene),
            Err(error) => Err(error.to_string()),
        },
        Err(errors) => {
            assert_eq!(errors.len(), 1, "{cavity}: {errors:#?}");
            Err(errors[0].to_string())
        }
    }
}

fn cavity(text: &str) -> percuss::Cavity {
    let scene = scene(text).unwrap();
    let percuss::Law::Cavity(cavity) = scene.model.interactions()[0].law else { panic!("no cavity") };
    cavity
}

#[test]
fn a_cavity_has_a_volume_or_a_depth() {
    let sides = "below = \"resonant\"\nabove = \"batter\"\n";
    let air = cavity(&format!("{sides}volume = 0.01"));
    assert_eq!((air.volume, air.density, air.speed_of_sound), (0.01, 1.204, 343.2));
    let depth = cavity(&format!("{sides}depth = 0.2\ndensity = 0.18\nspeed_of_sound = 970"));
    assert!((depth.volume - 0.2 * 0.3 * 0.2).abs() < 1e-15, "that of the first");
    assert_eq!((depth.density, depth.speed_of_sound), (0.18, 970.0));
    let kettle = cavity("below = \"kettle\"\nabove = \"batter\"\ndepth = 0.4");
    assert!((kettle.volume - 0.25 * PI * 0.09 * 0.4).abs() < 1e-15, "that of the membrane");
}

#[test]
fn its_pressure_can_be_read() {
    let text = "id = \"shell\"\nbelow = \"resonant\"\nabove = \"batter\"\nvolume = 0.01\n[[probe]]\nof = \"shell\"";
    assert_eq!(scene(text).unwrap().probes[0].label, "shell pressure [Pa]");
}

#[test]
fn bad_cavities_have_place_finding_and_hint() {
    let good = "below = \"resonant\"\nabove = \"batter\"\nvolume = 0.01";
    let cases = [
        (
            "volume = 0.01",
            "volume = nan",
            "test.toml:27:10: cavity.volume is NaN m³, must be a finite number",
            "between",
        ),
        ("volume = 0.01", "volume = -0.01", "cavity.volume is -0.01 m³, must be at least", "did you mean 0.01?"),
        ("volume = 0.01", "", "cavity has no volume", "depth = 0.2"),
        ("volume = 0.01", "depth = 0", "cavity.depth is 0 m, must be at least", "metres"),
        ("volume = 0.01", "volume = 0.01\ndepth = 0.1", "cavity has both volume and depth", "keep one"),
        ("volume = 0.01", "volume = 0.01\ndensity = 0", "cavity.density is 0 kg/m³", "kilograms per cubic metre"),
        (
            "volume = 0.01",
            "volume = 0.01\nspeed_of_sound = inf",
            "cavity.speed_of_sound is inf m/s",
            "metres per second",
        ),
        ("below = \"resonant\"\n", "", "test.toml:24:1: cavity has no below", "id of a membrane"),
        (
            "\"resonant\"",
            "\"resonnant\"",
            "cavity.below is \"resonnant\", but no element has this id",
            "did you mean \"resonant\"?",
        ),
        ("\"resonant\"", "\"ball\"", "cavity.below is a mass, which encloses no air", "membranes and barriers"),
        ("\"resonant\"", "\"batter\"", "cannot collide with itself", "two different elements"),
        ("volume = 0.01", "volume = 0.01\nat = 0.5", "cavity has no field at", "known fields"),
    ];
    for (from, to, finding, hint) in cases {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "nothing was replaced");
        let Err(message) = scene(&changed) else { panic!("accepted: {to}") };
        assert!(message.contains(finding) && message.contains(hint), "{to}: {message}");
    }
    let walls = scene("below = \"kettle\"\nabove = \"kettle\"\nvolume = 1");
    assert!(walls.is_err());
}
