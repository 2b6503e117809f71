//! Scores: controls of bow and finger, pitches of the sound, errors and warnings.

use percuss::{Control, Law, Place};
use percuss_scene::{Scene, parse};
use std::f64::consts::{PI, TAU};

/// A long string, a bow and a light finger.
const INSTRUMENT: &str = r#"
[[string]]
id = "string"
length = 1.9
radius = 0.5e-3
tension = 91
sigma0 = 0.1
sigma1 = 0.05

[[bow]]
id = "bow"
of = "string"
at = 0.217

[[finger]]
id = "finger"
of = "string"
stiffness = 20
damping = 1

[[pickup]]
of = "string"
at = 0.97
"#;

const SCORE: &str = "[score]\nbow = \"bow\"\nfinger = \"finger\"\n";

fn read(text: &str) -> Scene {
    parse(&format!("{INSTRUMENT}{text}"), "score.toml").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// The error in a score that contains a text.
fn first_error(text: &str, finding: &str) -> String {
    let Err(errors) = parse(&format!("{INSTRUMENT}{text}"), "score.toml") else { panic!("accepted: {text}") };
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let found = messages.iter().find(|message| message.contains(finding));
    found.unwrap_or_else(|| panic!("expected {finding:?} in\n{}", messages.join("\n"))).clone()
}

/// Force and velocity of the bow, pressure of the finger.
fn controls(scene: &Scene) -> (Control, Control, Control) {
    let mut found = (None, None);
    for interaction in scene.model.interactions() {
        match &interaction.law {
            Law::Bow(bow) => found.0 = Some((bow.force.clone(), bow.velocity.clone())),
            Law::Finger(finger) => found.1 = Some(finger.pressure.clone()),
            _ => {}
        }
    }
    let (force, velocity) = found.0.expect("a bow");
    (force, velocity, found.1.expect("a finger"))
}

/// Frequency of a partial of the string \[Hz\].
fn partial(n: f64) -> f64 {
    let (area, beta) = (PI * 0.5e-3_f64.powi(2), n * PI / 1.9);
    let (c2, kappa2) = (91.0 / (7850.0 * area), 2e11 * 0.5e-3_f64.powi(2) / (4.0 * 7850.0));
    beta * (c2 + kappa2 * beta * beta).sqrt() / TAU
}

/// Signal of the first pickup between two times \[s\], with a Hann window.
fn windowed_signal(scene: &Scene, from: f64, to: f64) -> Vec<f64> {
    let mut simulation = scene.compile(44_100.0).unwrap_or_else(|error| panic!("{error}"));
    let [first, last] = [from, to].map(|t| (t * 44_100.0) as usize);
    let samples: Vec<f64> = (0..last)
        .map(|_| {
            simulation.step();
            simulation.read(scene.outputs[0].pickup)
        })
        .collect();
    let length = (last - first) as f64;
    let window = |i: usize| 0.5 - 0.5 * (TAU * i as f64 / length).cos();
    samples[first..].iter().enumerate().map(|(i, sample)| sample * window(i)).collect()
}

/// Maximum amplitude within 1 % of a frequency.
fn amplitude(samples: &[f64], frequency: f64) -> f64 {
    let at = |frequency: f64| {
        let coefficient = 2.0 * (TAU * frequency / 44_100.0).cos();
        let (mut a, mut b) = (0.0, 0.0);
        for sample in samples {
            (a, b) = (sample + coefficient * a - b, a);
        }
        (a * a + b * b - coefficient * a * b).max(0.0).sqrt() / samples.len() as f64
    };
    (-4..=4).map(|i| at(frequency * (1.0 + 0.0025 * f64::from(i)))).fold(0.0, f64::max)
}

/// Maximum amplitude among the first multiples of partial n, and among the other partials.
fn own_and_other_amplitudes(samples: &[f64], n: u32) -> (f64, f64) {
    let multiples: Vec<f64> = (1..=4).map(|m| f64::from(m) * partial(f64::from(n))).collect();
    // The multiples of a periodic tone are exact, the partials of a stiff string are slightly sharp.
    let is_own = |frequency: f64| multiples.iter().any(|own| (frequency / own - 1.0).abs() < 0.04);
    let others = (1..=16).map(|k| partial(f64::from(k))).filter(|&frequency| !is_own(frequency));
    let largest = |list: &mut dyn Iterator<Item = f64>| list.map(|f| amplitude(samples, f)).fold(0.0, f64::max);
    (largest(&mut multiples.iter().copied()), largest(&mut { others }))
}

#[test]
fn harmonics_sound_at_their_pitch() {
    for (n, dynamics) in (2..=10).zip(["pp", "mf", "ff"].into_iter().cycle()) {
        let score = SCORE.replace("[score]", "[score]\nbow_follows = true");
        let text = format!("{score}[[note]]\nstart = 0\nduration = 1.5\nharmonic = {n}\ndynamics = \"{dynamics}\"\n");
        let (own, other) = own_and_other_amplitudes(&windowed_signal(&read(&text), 0.7, 1.3), n);
        println!("harmonic {n} {dynamics}: {own:.1e} m/s, others {:.0} dB", 20.0 * (other / own).log10());
        assert!(own > 1e-3 && own > 10.0 * other, "harmonic {n}: {own:e} beside {other:e}");
    }
}

#[test]
fn energy_balances_while_a_score_plays() {
    let notes = [(0.0, 3), (0.2, 2), (0.4, 1), (0.7, 5)];
    let notes = notes.map(|(start, n)| format!("[[note]]\nstart = {start}\nduration = 0.2\nharmonic = {n}\n"));
    let scene = read(&format!("{SCORE}bow_follows = true\nstrokes = \"alternate\"\n{}", notes.concat()));
    let mut simulation = scene.compile(44_100.0).unwrap_or_else(|error| panic!("{error}"));
    simulation.open_ledger();
    (0..44_100).for_each(|_| simulation.step());
    let ledger = simulation.ledger().unwrap();
    assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    assert!(ledger.interactions[0].supplied > 0.0 && ledger.interactions[0].dissipated > 0.0);
}

#[test]
fn a_stopped_string_sounds_at_its_pitch() {
    let firm = INSTRUMENT.replace("stiffness = 20", "stiffness = 1e5").replace("damping = 1", "damping = 5");
    let pitch = 1.5 * partial(1.0);
    let text = format!("{firm}{SCORE}technique = \"stopped\"\n[[note]]\nstart = 0\nduration = 1.5\npitch = {pitch}\n");
    let samples = {
        // The pickup is on the sounding part, between nut and finger.
        let text = text.replace("at = 0.97", "at = 0.05");
        windowed_signal(&parse(&text, "stopped.toml").unwrap_or_else(|errors| panic!("{}", errors[0])), 0.7, 1.3)
    };
    let [own, open] = [[1.0, 2.0, 3.0, 4.0].map(|k| k * pitch), [1.0, 2.0, 4.0, 5.0].map(partial)]
        .map(|list| list.into_iter().map(|f| amplitude(&samples, f)).fold(0.0, f64::max));
    println!("stopped: {own:.1e} m/s, open {:.0} dB", 20.0 * (open / own).log10());
    assert!(own > 1e-3 && own > 5.0 * open, "{own:e} beside {open:e}");
}

#[test]
fn dynamics_and_strokes_set_force_and_velocity() {
    let scene = read(&format!(
        "{SCORE}strokes = \"alternate\"\nforce = [0.1, 0.6]\nvelocity = [0.1, 0.2]\n\
         [[note]]\nstart = 1\nduration = 1\ndynamics = \"ff\"\nharmonic = 3\n\
         [[note]]\nstart = 0\nduration = 1\ndynamics = 0.5\n\
         [[note]]\nstart = 2\nduration = 1\ndynamics = \"pp\"\nfinger_at = 0.5\nbow_at = 0.1\n"
    ));
    let (force, velocity, pressure) = controls(&scene);
    for (t, f, v, p) in [(0.5, 0.35, 0.15, 0.0), (1.5, 0.6, -0.2, 1.0), (2.5, 0.1, 0.1, 1.0)] {
        assert!((force.at(t) - f).abs() < 1e-12 && (velocity.at(t) - v).abs() < 1e-12, "at {t} s");
        assert_eq!(pressure.at(t), p, "at {t} s");
    }
    assert_eq!(scene.duration, 4.0, "1 s after the last note");
    assert!(scene.warnings.is_empty(), "{}", scene.warnings[0]);
}

#[test]
fn a_note_name_is_played_on_the_nearest_harmonic() {
    // The third partial is at 95.9 Hz, G2 at 98.0 Hz.
    let named = read(&format!("{SCORE}[[note]]\nstart = 0\nduration = 1\npitch = \"G2\"\n"));
    let numbered = read(&format!("{SCORE}[[note]]\nstart = 0\nduration = 1\nharmonic = 3\n"));
    assert_eq!(named.model, numbered.model);
}

#[test]
fn harmonics_are_relative_to_the_bridge() {
    let place = |bridge: f64| {
        let note = "[[note]]\nstart = 0\nduration = 1\nharmonic = 3\n";
        let scene = read(&format!("{SCORE}bridge = {bridge}\n{note}"));
        let fingers = scene.model.interactions().iter().filter(|it| matches!(it.law, Law::Finger(_)));
        fingers.filter_map(|it| it.below.point()).map(|point| point.place).next().expect("a fixed finger")
    };
    assert_eq!(place(1.0), Place::Along(1.0 / 3.0));
    assert_eq!(place(0.9), Place::Along(0.9 / 3.0));
    // A minor third above the whole string's third partial.
    let short =
        read(&format!("{SCORE}bridge = 0.84\n[[note]]\nstart = 0\nduration = 1\npitch = {}\n", partial(3.0) / 0.84));
    let finger = short.model.interactions().iter().find(|it| matches!(it.law, Law::Finger(_))).unwrap();
    assert_eq!(finger.below.point().unwrap().place, Place::Along(0.84 / 3.0));
}

#[test]
fn suspicious_scores_give_warnings() {
    let warning = |text: &str| read(text).warnings.first().map(ToString::to_string).expect("a warning");
    let weak = warning(&format!("{SCORE}[[note]]\nstart = 0\nduration = 1\nharmonic = 5\n"));
    assert!(weak.contains("next to a node of harmonic 5") && weak.contains("bow_follows"), "{weak}");
    let short = warning(&format!("[scene]\nduration = 1\n{SCORE}[[note]]\nstart = 0.5\nduration = 1\n"));
    assert!(short.contains("the scene lasts 1 s, the last note ends at 1.5 s"), "{short}");
    let empty = warning(SCORE);
    assert!(empty.contains("the score has no notes") && empty.contains("--midi"), "{empty}");
}

#[test]
fn every_error_has_location_finding_and_hint() {
    let note = |fields: &str| format!("{SCORE}[[note]]\nstart = 0\nduration = 1\n{fields}\n");
    let cases = [
        (note("harmonic = 3\npitch = \"D3\""), "note has both harmonic and pitch", "keep one"),
        (note("harmonic = 2.5"), "note.harmonic is 2.5, must be a whole number", "2 its octave"),
        (note("harmonic = 0"), "note.harmonic is 0, must be at least 1", ""),
        (note("pitch = \"H3\""), "note.pitch is \"H3\", must be a note or a frequency", "\"F#3\""),
        (note("pitch = 143"), "cents from the nearest harmonic (4, 128.2 Hz), must be within 100", "technique = \"sto"),
        (note("pitch = 20\ntechnique = \"stopped\""), "lower than the open string at 32", "raises the pitch"),
        (note("pitch = 300\ntechnique = \"stopped\""), "the bow at 0.217 is not on the part", "bow_at"),
        (note("harmonic = 2\nbow_at = 0.5"), "harmonic 2 has no node away from the bow", "move the bow"),
        (note("dynamics = \"fff\""), "must be one of \"pp\"", "did you mean \"ff\"?"),
        (note("dynamics = 2"), "note.dynamics is 2, must be at most 1", ""),
        (note("lenght = 2"), "note has no field lenght", ""),
        (
            format!("{SCORE}[[note]]\nstart = 0\nduration = 1\n[[note]]\nstart = 0.5\nduration = 1\n"),
            "score.toml:31:9: note.start is 0.5 s, but the previous note ends at 1 s",
            "start this one at 1, or shorten the previous one to 0.5",
        ),
        ("[[note]]\nstart = 0\nduration = 1\n".to_owned(), "there are notes, but no [score]", "bow = "),
        ("[score]\nbow = \"bwo\"\n".to_owned(), "score.bow is \"bwo\", but no bow has this id", "id = \"bwo\""),
        (format!("{SCORE}finger_id = 1\n"), "score has no field finger_id", "finger"),
        ("[score]\nbow = \"bow\"\nfinger = \"toe\"\n".to_owned(), "but no finger has this id", "id = \"toe\""),
        ("[score]\nfinger = \"finger\"\n".to_owned(), "score has no bow", "add bow = \"id of a bow\""),
        (format!("{SCORE}force = [0.5, 0.1]\n"), "must be two numbers in ascending order", "as in force"),
        (format!("{SCORE}strokes = \"up\"\n"), "must be one of \"down\", \"alternate\"", ""),
        ("[[score]]\nbow = \"bow\"\n".to_owned(), "score is an array, must be a table", "write [score]"),
    ];
    for (text, finding, hint) in cases {
        let message = first_error(&text, finding);
        assert!(message.starts_with("error: score.toml:"), "{message}");
        assert!(message.lines().count() == 2 && message.contains("\n  hint: "), "{message}");
        assert!(message.contains(hint), "expected {hint:?} in\n{message}");
    }
}

#[test]
fn a_scored_bow_or_finger_has_no_controls_of_its_own() {
    let errors_after = |from: &str, to: &str| {
        let text = format!("{INSTRUMENT}{SCORE}[[note]]\nstart = 0\nduration = 1\nharmonic = 2\n");
        let text = text.replacen(from, to, 1);
        let errors: Vec<String> = parse(&text, "score.toml").unwrap_err().iter().map(ToString::to_string).collect();
        errors.join("\n")
    };
    let bar = "[[bar]]\nid = \"bar\"\nlength = 0.3\nwidth = 0.03\nthickness = 4e-3\n[[finger]]";
    for (from, to, finding) in [
        ("at = 0.217", "at = 0.217\nforce = 1", "bow.force is given, but the score plays this bow"),
        ("at = 0.217", "at = 1.0", "not between nut and bridge"),
        ("at = 0.217", "at = { time = [0, 1], value = [0.2, 0.3] }", "the score moves this bow"),
        ("damping = 1", "damping = 1\nat = 0.5", "finger.at is given, but the score plays this finger"),
        ("damping = 1", "damping = 1\npressure = 0.5", "finger.pressure is given"),
        ("tension = 91", "tension = 91\nends = [\"free\", \"clamped\"]", "held at both ends"),
        (
            "[[finger]]\nid = \"finger\"\nof = \"string\"",
            &format!("{bar}\nid = \"finger\"\nof = \"bar\""),
            "not on the bowed string",
        ),
        ("finger = \"finger\"\n", "", "the notes need a finger, but the score names none"),
    ] {
        let message = errors_after(from, to);
        assert!(message.contains(finding) && message.contains("\n  hint: "), "expected {finding:?} in\n{message}");
    }
}
