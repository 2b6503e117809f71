//! `pitch` in strings, bars, plates and membranes: the first partial is the pitch.

use percuss::{Element, End, Method, Model, StiffString};
use percuss_scene::{Scene, parse};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};

const ENDS: [(&str, End); 3] =
    [("simply-supported", End::SimplySupported), ("clamped", End::Clamped), ("free", End::Free)];

fn scene(text: &str) -> Scene {
    parse(text, "test.toml").unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]))
}

fn element(text: &str) -> Element {
    scene(text).model.elements()[0].clone()
}

fn plate(text: &str) -> percuss::Plate {
    match element(text) {
        Element::Plate(plate) => plate,
        other => panic!("{other:?}"),
    }
}

/// The first partial of an element by itself at a rate, from the engine.
fn first_partial(element: &Element, rate: f64) -> Option<f64> {
    let mut model = Model::new();
    let id = model.add(element.clone());
    model.compile(rate).ok()?.partials(id)?.first().copied()
}

fn cents(from: f64, to: f64) -> f64 {
    1200.0 * (to / from).log2()
}

#[test]
fn note_names_and_frequencies_set_the_tension_of_a_string() {
    let string = "[[string]]\nid = \"a\"\nlength = 0.65\nradius = 0.35e-3\nmethod = \"modes\"\n";
    for (pitch, frequency) in [("\"A3\"", 220.0), ("220.0", 220.0), ("\"Bb2\"", 116.540_940_379_522_48)] {
        let scene = scene(&format!("{string}pitch = {pitch}"));
        let found = first_partial(&scene.model.elements()[0], 44_100.0).unwrap();
        assert!(cents(frequency, found).abs() < 1e-6, "{found} Hz");
        let [tuning] = &scene.tunings[..] else { panic!("{:?}", scene.tunings) };
        assert_eq!((tuning.element.as_str(), tuning.field, tuning.unit), ("a", "tension", "N"));
    }
    let Element::String(string) = element(&format!("{string}youngs_modulus = 0\nsigma0 = 0\nsigma1 = 0\npitch = 220"))
    else {
        panic!()
    };
    // A flexible string has f = √(T/ρA)/2L.
    let tension = (2.0 * 0.65 * 220.0_f64).powi(2) * 7850.0 * PI * 0.35e-3 * 0.35e-3;
    assert!((string.tension / tension - 1.0).abs() < 1e-12, "{} N", string.tension);
}

/// f ∝ h/L².
#[test]
fn pitch_sets_the_length_or_the_thickness_of_a_bar() {
    let bar = |fields: &str| match element(&format!(
        "[[bar]]\nid = \"a\"\nwidth = 0.04\nmaterial = \"rosewood\"\n{fields}"
    )) {
        Element::Bar(bar) => bar,
        other => panic!("{other:?}"),
    };
    let by_length = bar("thickness = 0.02\npitch = \"C4\"");
    let by_thickness = bar(&format!("length = {:?}\npitch = \"C4\"", by_length.length));
    assert!((by_thickness.thickness / 0.02 - 1.0).abs() < 1e-9, "{} m", by_thickness.thickness);
    let octave = bar("thickness = 0.02\npitch = \"C5\"");
    assert!((octave.length * 2_f64.sqrt() / by_length.length - 1.0).abs() < 1e-4, "{} m", octave.length);
    let found = first_partial(&by_length.clone().into(), 44_100.0).unwrap();
    assert!(cents(261.625_565_300_6, found).abs() < 1e-6, "{found} Hz");
}

/// With σ = 0: f = κβ²/2π on plates, cβ/2π on membranes.
#[test]
fn pitch_sets_the_thickness_of_plates_and_the_tension_of_membranes() {
    let lossless = "sigma0 = 0\nsigma1 = 0\npitch = 110\n";
    let kappa = |plate: &percuss::Plate| {
        plate.thickness * (2e11_f64 / (12.0 * 8000.0 * (1.0 - plate.poisson * plate.poisson))).sqrt()
    };
    let rectangle = "size = [0.4, 0.3]\nedges = \"simply-supported\"\n";
    for (outline, square) in [
        (rectangle, PI * PI * (1.0 / 0.16 + 1.0 / 0.09)),
        ("diameter = 0.5\nedges = \"clamped\"\n", 10.215_826_2 / 0.0625),
        ("diameter = 0.5\nedges = \"free\"\n", 5.358_3 / 0.0625),
    ] {
        let plate = plate(&format!("[[plate]]\nid = \"a\"\n{outline}{lossless}"));
        let found = kappa(&plate) * square / TAU;
        assert!((found / 110.0 - 1.0).abs() < 1e-4, "{outline}: {found} Hz");
    }
    let film = "surface_density = 0.26\n";
    for (outline, square) in [
        (rectangle, PI * PI * (1.0 / 0.16 + 1.0 / 0.09)),
        ("diameter = 0.5\n", (2.404_825_557_7_f64 / 0.25).powi(2)),
        ("size = [0.4, 0.3]\nedges = [\"free\", \"clamped\", \"free\", \"free\"]\n", (PI / 0.8).powi(2)),
        ("size = [0.4, 0.3]\nedges = \"free\"\n", (PI / 0.4).powi(2)),
    ] {
        let membrane = plate(&format!("[[membrane]]\nid = \"a\"\n{outline}{film}{lossless}"));
        let found = (membrane.tension / 0.26 * square).sqrt() / TAU;
        assert!((found / 110.0 - 1.0).abs() < 1e-9, "{outline}: {found} Hz");
    }
}

/// Where there is no closed form, the engine's own partials are taken.
#[test]
fn plates_with_any_edges_have_their_pitch() {
    for fields in [
        "size = [0.4, 0.3]\n",
        "size = [0.4, 0.3]\nedges = [\"clamped\", \"free\", \"simply-supported\", \"free\"]\n",
        "size = [0.3, 0.3]\nedges = \"clamped\"\n",
        "diameter = 0.35\nmaterial = \"bronze\"\n",
        "diameter = 0.35\nedges = \"clamped\"\n",
        "size = [0.3, 0.3]\nedges = \"clamped\"\ntension = 3000\n",
    ] {
        let plate = plate(&format!("[[plate]]\nid = \"a\"\n{fields}pitch = \"A3\"\n"));
        let found = first_partial(&plate.into(), 44_100.0).unwrap();
        assert!(cents(220.0, found).abs() < 0.01, "{fields}: {found} Hz");
    }
}

#[test]
fn decay_times_hold_at_the_pitch() {
    let bar =
        "[[bar]]\nid = \"a\"\nwidth = 0.04\nthickness = 0.02\npitch = 220\nt60 = { frequency = 220, time = 1.5 }\n";
    let Element::Bar(bar) = element(bar) else { panic!() };
    let first = percuss_scene::partials::first_of_line(&bar.clone().into()).unwrap();
    let time = 1000_f64.ln() / (bar.sigma0 + bar.sigma1 * first.slope);
    assert!((time / 1.5 - 1.0).abs() < 1e-6, "{time} s");
}

#[test]
fn a_pitch_that_cannot_be_is_an_error_that_says_what_can() {
    let string = "[[string]]\nid = \"a\"\nlength = 2.0\nradius = 1e-3\n";
    let bar = "[[bar]]\nid = \"a\"\nwidth = 0.04\n";
    let cases = [
        (
            string,
            "pitch = \"C7\"",
            "error: t.toml:5:9: string.pitch is C7 (2093.005 Hz), out of reach: tension = 100000 N, the largest possible, \
             gives 503.4 Hz\n  hint: use pitch = 503.4 or lower, or make the string smaller or lighter",
        ),
        (
            string,
            "ends = \"clamped\"\npitch = 1.5",
            "error: t.toml:6:9: string.pitch is 1.5 Hz, out of reach: tension = 0 N, the smallest possible, gives 2.241 Hz\n  \
             hint: use pitch = 2.241 or higher, or make the string larger or heavier",
        ),
        (
            string,
            "tension = 100\npitch = \"A3\"",
            "error: t.toml:6:9: string has a tension and a pitch\n  hint: remove tension: it follows from the pitch",
        ),
        (
            bar,
            "length = 0.3\nthickness = 0.02\npitch = \"A3\"",
            "error: t.toml:6:9: bar has a length, a thickness and a pitch\n  hint: remove length or thickness: it \
             follows from the pitch",
        ),
        (
            bar,
            "pitch = \"A3\"",
            "error: t.toml:4:9: bar has a pitch, but neither length nor thickness\n  hint: give length or thickness: the \
             other follows from the pitch",
        ),
        (
            "[[plate]]\nid = \"a\"\nsize = [0.4, 0.3]\n",
            "edges = \"free-full-cell\"\npitch = \"A3\"",
            "error: t.toml:5:9: plate.pitch is A3 (220 Hz), but the partials of this plate are not known\n  hint: give a \
             thickness, and see its partials with `percuss modes`",
        ),
        (
            string,
            "pitch = \"H3\"",
            "error: t.toml:5:9: string.pitch is \"H3\", must be a note or a frequency in Hz\n  hint: notes look like \"A3\", \
             \"F#3\" or \"Bb2\"",
        ),
        (
            string,
            "pitch = 30000",
            "error: t.toml:5:9: string.pitch is 30000 Hz, must be at most 20000 Hz\n  hint: frequencies are in hertz; did \
             you mean 30?",
        ),
    ];
    for (table, fields, expected) in cases {
        let errors = parse(&format!("{table}{fields}\n"), "t.toml").unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].to_string(), expected);
    }
    let slow = format!("[scene]\nsample_rate = 8000\n{string}pitch = 5000\n");
    assert_eq!(
        parse(&slow, "t.toml").unwrap_err()[0].to_string(),
        "error: t.toml:7:9: string.pitch is 5000 Hz, must be below half the sample rate, 4000 Hz\n  hint: raise sample_rate \
         in [scene]"
    );
}

/// Other errors of the table come alone.
#[test]
fn no_pitch_is_solved_in_a_table_with_errors() {
    let errors = parse("[[string]]\nid = \"a\"\nlength = 0.6\npitch = \"A3\"\n", "t.toml").unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].message.contains("string has no radius"), "{errors:?}");
}

/// \[cents\].
const TOLERANCE: f64 = 1e-6;
const RATE: f64 = 192_000.0;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn strings_have_their_pitch(
        (length, radius, density) in (-1.3..0.5_f64, -4.5..-2.8_f64, 3.0..4.0_f64),
        tension in -1.0..4.5_f64,
        modulus in prop_oneof![Just(None), (8.0..11.5_f64).prop_map(Some)],
        (left, right) in (0..3_usize, 0..3_usize),
        (sigma0, sigma1) in (0.0..5.0_f64, 0.0..0.01_f64),
    ) {
        let [length, radius, density, tension] = [length, radius, density, tension].map(|power| 10_f64.powf(power));
        let modulus = modulus.map_or(0.0, |power| 10_f64.powf(power));
        let ends = [left, right].map(|end| ENDS[end]);
        let string = StiffString {
            length, radius, density, youngs_modulus: modulus, tension, sigma0, sigma1,
            ends: ends.map(|(_, end)| end), method: Method::Modes, ..StiffString::default()
        };
        let Some(pitch) = first_partial(&string.into(), RATE).filter(|pitch| (1.0..2e4).contains(pitch)) else {
            return Ok(());
        };
        let text = format!(
            "[scene]\nsample_rate = {RATE:?}\n[[string]]\nid = \"a\"\nlength = {length:?}\nradius = {radius:?}\n\
             density = {density:?}\nyoungs_modulus = {modulus:?}\nsigma0 = {sigma0:?}\nsigma1 = {sigma1:?}\n\
             ends = [\"{}\", \"{}\"]\nmethod = \"modes\"\npitch = {pitch:?}\n", ends[0].0, ends[1].0
        );
        let scene = match parse(&text, "test.toml") {
            Ok(scene) => scene,
            Err(errors) => {
                // Its first mode was a pendulum motion.
                let is_light = tension * length * length < 101.0 * modulus * PI * radius.powi(4) / 4.0;
                prop_assert!(is_light && errors[0].message.contains("out of reach"), "{}\n{text}", errors[0]);
                return Ok(());
            }
        };
        let found = first_partial(&scene.model.elements()[0], RATE).unwrap();
        prop_assert!(cents(pitch, found).abs() < TOLERANCE, "{found} instead of {pitch} Hz\n{text}");
    }

    #[test]
    fn bars_have_their_pitch(
        (length, thickness) in (-1.3..0.5_f64, -3.0..-1.3_f64),
        (density, modulus) in (2.5..4.0_f64, 8.0..11.7_f64),
        (left, right) in (0..3_usize, 0..3_usize),
        (sigma0, sigma1) in (0.0..5.0_f64, 0.0..0.01_f64),
        by_length in any::<bool>(),
        pitch in 1.0..4.2_f64,
    ) {
        let [length, thickness, density, modulus, pitch] =
            [length, thickness, density, modulus, pitch].map(|power| 10_f64.powf(power));
        let [left, right] = [left, right].map(|end| ENDS[end].0);
        let given = if by_length { format!("thickness = {thickness:?}") } else { format!("length = {length:?}") };
        let text = format!(
            "[scene]\nsample_rate = {RATE:?}\n[[bar]]\nid = \"a\"\nwidth = 0.03\n{given}\ndensity = {density:?}\n\
             youngs_modulus = {modulus:?}\nsigma0 = {sigma0:?}\nsigma1 = {sigma1:?}\nends = [\"{left}\", \"{right}\"]\n\
             pitch = {pitch:?}\n"
        );
        let scene = match parse(&text, "test.toml") {
            Ok(scene) => scene,
            Err(errors) => {
                prop_assert!(errors[0].message.contains("out of reach"), "{}\n{text}", errors[0]);
                return Ok(());
            }
        };
        let found = first_partial(&scene.model.elements()[0], RATE).unwrap();
        prop_assert!(cents(pitch, found).abs() < TOLERANCE, "{found} instead of {pitch} Hz\n{text}");
    }
}
