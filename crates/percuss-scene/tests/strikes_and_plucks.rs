//! `[[strike]]`, `[[pluck]]` and `start`: what they do, and what is said about those that cannot be.

use percuss::{Simulation, impact::Impact};
use percuss_scene::{Scene, Severity, parse};

const SCENE: &str = r#"[scene]
duration = 0.5

[[string]]
id = "string"
length = 0.65
radius = 0.25e-3
tension = 70
"#;

fn scene(tables: &str) -> Scene {
    parse(&format!("{SCENE}{tables}\n[[pickup]]\nof = \"string\"\nat = 0.1\n"), "test.toml")
        .unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn run(scene: &Scene, seconds: f64) -> Simulation {
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    (0..(seconds * scene.sample_rate) as usize).for_each(|_| simulation.step());
    simulation
}

#[test]
fn a_mallet_strikes_at_every_time_from_either_side() {
    for (from, sign) in [("above", -1.0), ("below", 1.0)] {
        let tables = format!(
            "[[strike]]\nid = \"hammer\"\nof = \"string\"\nat = 0.12\ntime = [0.05, 0.25]\nspeed = [1.0, 2.0]\nmass = 0.005\nstiffness = 1e7\nfrom = \"{from}\"\n"
        );
        let scene = scene(&tables);
        assert_eq!(scene.element_names, ["string", "hammer-mallet"]);
        assert_eq!(scene.interaction_names, ["hammer"]);
        assert_eq!(scene.last_event, 0.25);
        let supplied = |seconds: f64| run(&scene, seconds).ledger().unwrap().elements[1].supplied;
        assert_eq!(supplied(0.049), 0.0);
        assert!((supplied(0.0502) - 0.5 * 0.005).abs() < 1e-12);
        let simulation = run(&scene, 0.45);
        let ledger = simulation.ledger().unwrap();
        assert!(ledger.interactions[0].hits >= 2 && ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
        assert!(!simulation.is_present(scene.model.element_ids().nth(1).unwrap()));
        // The string first moves in the direction of the blow.
        let mut simulation = run(&scene, 0.0505);
        let mut velocity = 0.0;
        while velocity == 0.0 {
            simulation.step();
            let string = scene.model.element_ids().next().unwrap();
            velocity = simulation.increments(string).iter().sum();
        }
        assert_eq!(velocity.signum(), sign, "from {from}");
    }
}

#[test]
fn a_contact_time_sets_the_stiffness() {
    for (contact_time, exponent) in [(0.2e-3, 1.5), (1e-3, 1.0), (5e-3, 2.5)] {
        let text = format!(
            "[[barrier]]\nid = \"wall\"\n[[strike]]\nof = \"wall\"\nmass = 0.02\nspeed = 1.5\ncontact_time = {contact_time}\nexponent = {exponent}\n"
        );
        let scene = scene(&text);
        let percuss::Law::Collision(law) = &scene.model.interactions()[0].law else { panic!("no collision") };
        let hit = Impact::new(0.02, law.stiffness, exponent, 0.0, 1.5).unwrap();
        assert!((hit.contact_time() / contact_time - 1.0).abs() < 1e-9, "{}", hit.contact_time());
    }
}

#[test]
fn felt_and_forces_strike_too() {
    let felt =
        scene("[[strike]]\nof = \"string\"\nat = 0.1\nmass = 0.005\nspeed = 2\nstiffness = 4e8\nrestitution = 0.6\n");
    assert_eq!(felt.model.interactions()[0].law.kind(), "felt");
    assert!(run(&felt, 0.1).ledger().unwrap().interactions[0].dissipated > 0.0);
    let force =
        scene("[[strike]]\nof = \"string\"\nat = 0.1\ntime = [0.0, 0.2]\nforce = [1.0, 2.0]\nduration = 2e-3\n");
    assert_eq!((force.model.exciters().len(), force.model.interactions().len()), (2, 0));
    assert!(run(&force, 0.3).ledger().unwrap().total.supplied > 0.0);
}

#[test]
fn unnamed_strikes_have_different_mallets() {
    let strike = "[[strike]]\nof = \"string\"\nat = 0.1\nmass = 0.005\nspeed = 2\nstiffness = 4e7\n";
    let scene = scene(&strike.repeat(3));
    assert_eq!(scene.element_names, ["string", "strike-mallet", "strike-mallet-2", "strike-mallet-3"]);
    assert_eq!(scene.interaction_names, ["strike-1", "strike-2", "strike-3"]);
}

#[test]
fn a_pluck_displaces_a_string_as_stated() {
    // Stiff enough that bending matters, damped enough to follow the pull.
    for (at, radius) in [(0.5, 0.25e-3), (0.1, 0.25e-3), (0.02, 1e-3)] {
        let text = SCENE.replace("radius = 0.25e-3", &format!("radius = {radius}\nsigma0 = 40"));
        let text = format!(
            "{text}[[pluck]]\nof = \"string\"\nat = {at}\ndisplacement = 2e-3\nduration = 0.45\n[[pickup]]\nof = \"string\"\nat = {at}\nquantity = \"displacement\"\n"
        );
        let scene = parse(&text, "test.toml").unwrap();
        let simulation = run(&scene, 0.45);
        let found = simulation.read(scene.outputs[0].pickup);
        assert!((found / 2e-3 - 1.0).abs() < 0.02, "at {at}, radius {radius}: {found} m");
    }
}

#[test]
fn a_pluck_comes_at_every_time() {
    let scene =
        scene("[[pluck]]\nof = \"string\"\nat = 0.2\ntime = [0.0, 0.1, 0.3]\nforce = [1, -2, 1]\nduration = 0.01\n");
    assert_eq!(scene.model.exciters().len(), 3);
    assert!((scene.last_event - 0.3102).abs() < 1e-9);
    let total = run(&scene, 0.4).ledger().unwrap().total;
    assert!(total.supplied > 0.0 && total.worst_relative < 1e-12);
}

#[test]
fn a_mass_that_starts_late_is_not_there_before() {
    let scene = scene(
        "[[mass]]\nid = \"ball\"\nmass = 0.01\nposition = -1e-3\nvelocity = 1.0\nstart = 0.2\n[[collision]]\nbelow = { of = \"ball\" }\nabove = { of = \"string\", at = 0.3 }\nstiffness = 1e8\n",
    );
    let hits = |seconds| run(&scene, seconds).ledger().unwrap().interactions[0].hits;
    assert!(hits(0.2) == 0 && hits(0.21) > 0);
}

/// The only message about a scene with these tables.
#[track_caller]
fn only_message(tables: &str) -> (Severity, String) {
    let text = format!("{SCENE}{tables}\n[[pickup]]\nof = \"string\"\nat = 0.1\n");
    let messages = match parse(&text, "test.toml") {
        Err(errors) => errors,
        Ok(scene) => match scene.compile(scene.sample_rate) {
            Err(error) => vec![*error],
            Ok(_) => scene.warnings,
        },
    };
    assert_eq!(messages.len(), 1, "{tables}: {messages:#?}");
    println!("{}", messages[0]);
    (messages[0].severity, messages[0].to_string())
}

#[test]
fn bad_gestures_have_place_finding_and_hint() {
    let strike = "[[strike]]\nof = \"string\"\nat = 0.2\nmass = 0.01\nspeed = 1.0\nstiffness = 1e8\n";
    let pluck = "[[pluck]]\nof = \"string\"\nat = 0.2\nforce = 1.0\n";
    let mass = "[[mass]]\nid = \"m\"\nmass = 0.01\nstart = 0.1\n";
    let cases = [
        (
            strike,
            "mass = 0.01",
            "mass = nan",
            "test.toml:12:8: strike.mass is NaN kg, must be a finite number",
            "kilograms",
        ),
        (strike, "mass = 0.01", "mass = -0.01", "strike.mass is -0.01 kg, must be at least", "did you mean 0.01?"),
        (strike, "mass = 0.01\n", "", "test.toml:9:1: strike has no mass", "add mass = 0.01"),
        (strike, "speed = 1.0\n", "", "strike has no speed", "add speed = 1.0"),
        (strike, "speed = 1.0", "speed = 0", "strike.speed is 0 m/s, must be at least 0.001", "metres per second"),
        (strike, "speed = 1.0", "speed = -1.0", "strike.speed is -1 m/s", "did you mean 1?"),
        (
            strike,
            "speed = 1.0",
            "speed = [1, 2]",
            "strike.speed has 2 entries, but there are 1 times",
            "one for each time",
        ),
        (strike, "stiffness = 1e8\n", "", "strike has no stiffness", "contact_time = 1e-3"),
        (
            strike,
            "stiffness = 1e8",
            "stiffness = 1e8\ncontact_time = 1e-3",
            "both stiffness and contact_time",
            "keep one",
        ),
        (strike, "stiffness = 1e8", "contact_time = 0", "strike.contact_time is 0 s", "times are in seconds"),
        (
            strike,
            "stiffness = 1e8",
            "stiffness = 1e8\nloss = 1\nrestitution = 0.5",
            "both restitution and loss",
            "keep one",
        ),
        (strike, "stiffness = 1e8", "stiffness = 1e8\nrestitution = 2", "strike.restitution is 2", "between 0.1 and 1"),
        (strike, "stiffness = 1e8", "stiffness = 1e8\nretreat = -1", "strike.retreat is -1 m", "did you mean 1?"),
        (
            strike,
            "stiffness = 1e8",
            "stiffness = 1e8\nfrom = \"belw\"",
            "strike.from is \"belw\"",
            "did you mean \"below\"?",
        ),
        (
            strike,
            "stiffness = 1e8",
            "stiffness = 1e8\nforce = 1",
            "strike has both force and mass",
            "keep force and duration",
        ),
        (
            strike,
            "of = \"string\"",
            "of = \"sting\"",
            "strike.of is \"sting\", but no element has this id",
            "did you mean",
        ),
        (strike, "at = 0.2", "at = 1.2", "test.toml:11:6: strike.at is 1.2, must be at most 1", "between 0 and 1"),
        (strike, "at = 0.2", "at = 0", "strike.at is on a support", "move it away"),
        (
            strike,
            "speed = 1.0",
            "speed = 1.0\ntime = -1",
            "strike.time is -1 s, must be at least 0 s",
            "did you mean 1?",
        ),
        (strike, "speed = 1.0", "speed = 1.0\ntime = [0.2, nan]", "strike.time is NaN s", "seconds"),
        (
            strike,
            "speed = 1.0",
            "speed = 1.0\ntime = [0.2, 0.1]",
            "strike.time has 0.1 s after 0.2 s, must rise",
            "sort",
        ),
        (
            strike,
            "speed = 1.0",
            "speed = 1.0\ntime = 7",
            "test.toml:14:8: the strike begins at 7 s, but the scene ends at 0.5 s",
            "raise duration",
        ),
        (strike, "speed = 1.0", "speeed = 1.0", "strike has no field speeed", "did you mean speed?"),
        (pluck, "force = 1.0", "", "pluck has no force", "add force = 1.0"),
        (pluck, "force = 1.0", "force = inf", "pluck.force is inf N, must be a finite number", "newtons"),
        (pluck, "force = 1.0", "force = 1.0\ndisplacement = 1e-3", "both force and displacement", "keep one"),
        (pluck, "force = 1.0", "displacement = 2.0", "pluck.displacement is 2 m", "did you mean 0.002?"),
        (pluck, "force = 1.0", "force = 1.0\nrelease = 0", "pluck.release is 0 s", "seconds"),
        (pluck, "force = 1.0", "force = 1.0\nduration = -0.1", "pluck.duration is -0.1 s", "did you mean 0.1?"),
        (pluck, "at = 0.2", "at = 0", "nothing can move at this place", "away from the support"),
        (pluck, "at = 0.2", "at = -0.2", "pluck.at is -0.2", "between 0 and 1"),
        (pluck, "of = \"string\"", "of = \"strin\"", "pluck.of is \"strin\"", "did you mean \"string\"?"),
        (
            pluck,
            "force = 1.0",
            "force = [1.0, 2.0]",
            "pluck.force has 2 entries, but there are 1 times",
            "one for each",
        ),
        (pluck, "force = 1.0", "force = 1.0\ntime = 0.49", "the pluck begins at 0.51 s, but the scene ends", "raise"),
        (mass, "start = 0.1", "start = -0.1", "mass.start is -0.1 s, must be at least 0 s", "did you mean 0.1?"),
        (mass, "start = 0.1", "start = nan", "mass.start is NaN s", "seconds"),
        (mass, "start = 0.1", "start = 9", "the mass begins at 9 s, but the scene ends at 0.5 s", "raise duration"),
    ];
    for (table, from, to, finding, hint) in cases {
        let changed = table.replacen(from, to, 1);
        assert_ne!(changed, table, "nothing was replaced");
        let (_, message) = only_message(&changed);
        assert!(message.contains(finding), "{to}: {message}");
        assert!(message.contains("hint: ") && message.contains(hint), "{to}: {message}");
    }
    let (_, message) = only_message("[[mass]]\nid = \"m\"\nmass = 1\n[[pluck]]\nof = \"m\"\ndisplacement = 1e-3\n");
    assert!(message.contains("needs a fixed place on a string") && message.contains("give a force"), "{message}");
}
