//! `t60` in strings, bars, plates and membranes.

use percuss::{Element, Quantity};
use percuss_scene::{Scene, parse, partials};
use std::f64::consts::{LN_10, PI, TAU};

fn scene(text: &str) -> Scene {
    parse(text, "test.toml").unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn sigmas(text: &str) -> (f64, f64) {
    match &scene(text).model.elements()[0] {
        Element::String(string) => (string.sigma0, string.sigma1),
        Element::Bar(bar) => (bar.sigma0, bar.sigma1),
        Element::Plate(plate) => (plate.sigma0, plate.sigma1),
        other => panic!("{other:?}"),
    }
}

const STRING: &str = "[[string]]\nid = \"it\"\nlength = 0.7\nradius = 0.4e-3\ntension = 120\n";
const BAR: &str = "[[bar]]\nid = \"it\"\nlength = 0.4\nwidth = 0.03\nthickness = 6e-3\n";
const PLATE: &str = "[[plate]]\nid = \"it\"\nsize = [0.3, 0.2]\nthickness = 1e-3\n";
const MEMBRANE: &str = "[[membrane]]\nid = \"it\"\nsize = [0.3, 0.2]\nsurface_density = 0.3\ntension = 2000\n";

fn two_times(low: [f64; 2], high: [f64; 2]) -> String {
    let entry = |[frequency, time]: [f64; 2]| format!("{{ frequency = {frequency:?}, time = {time:?} }}");
    format!("t60 = [{}, {}]\n", entry(low), entry(high))
}

#[test]
fn one_number_is_the_decay_time_at_all_frequencies() {
    for table in [STRING, BAR, PLATE, MEMBRANE] {
        let (sigma0, sigma1) = sigmas(&format!("{table}t60 = 3.0"));
        assert!((sigma0 - LN_10).abs() < 1e-12 && sigma1 == 0.0, "{sigma0}, {sigma1}");
    }
}

#[test]
fn a_time_at_one_frequency_keeps_the_losses_that_grow_with_frequency() {
    let entry = "{ frequency = 100, time = 1.5 }";
    let (sigma0, sigma1) = sigmas(&format!("{MEMBRANE}t60 = {entry}"));
    let square = (TAU * 100.0_f64).powi(2) * 0.3 / 2000.0;
    assert_eq!(sigma1, 0.001);
    assert!((sigma0 + sigma1 * square - 2.0 * LN_10).abs() < 1e-9);
    assert_eq!(sigmas(&format!("{MEMBRANE}t60 = [{entry}]")), (sigma0, sigma1));
    let (_, of_skin) = sigmas(&format!("{MEMBRANE}material = \"skin\"\nt60 = {entry}"));
    assert!(of_skin != sigma1);
}

/// σ = σ₀ + σ₁β² with ω = κβ² on a plate, ω = cβ on a membrane, ω² = c²β² + κ²β⁴ on a string.
#[test]
fn two_times_hold_at_their_frequencies() {
    let (low, high) = ([200.0, 3.0], [4000.0, 0.4]);
    let kappa = |modulus: f64, thickness: f64, density: f64| thickness * (modulus / (12.0 * 0.91 * density)).sqrt();
    let on_plate = |frequency: f64| TAU * frequency / kappa(2e11, 1e-3, 8000.0);
    let on_membrane = |frequency: f64| (TAU * frequency).powi(2) * 0.3 / 2000.0;
    let on_string = |frequency: f64| {
        let c2 = 120.0 / (7850.0 * PI * 0.16e-6);
        let kappa2: f64 = 2e11 * 0.16e-6 / (4.0 * 7850.0);
        (-c2 + (c2 * c2 + 4.0 * kappa2 * (TAU * frequency).powi(2)).sqrt()) / (2.0 * kappa2)
    };
    let cases: [(&str, &dyn Fn(f64) -> f64); 3] = [(PLATE, &on_plate), (MEMBRANE, &on_membrane), (STRING, &on_string)];
    for (table, square) in cases {
        for times in [two_times(low, high), two_times(high, low)] {
            let (sigma0, sigma1) = sigmas(&format!("{table}{times}"));
            for [frequency, time] in [low, high] {
                let found = 3.0 * LN_10 / (sigma0 + sigma1 * square(frequency));
                assert!((found / time - 1.0).abs() < 1e-9, "{table}{found} s, not {time} s");
            }
        }
    }
}

/// Amplitude of a frequency in a window of samples.
fn amplitude(samples: &[f64], frequency: f64, rate: f64) -> f64 {
    let count = samples.len() as f64;
    let term = |(n, sample): (usize, &f64)| {
        let window = 0.5 - 0.5 * (TAU * n as f64 / count).cos();
        let (sine, cosine) = (TAU * frequency * n as f64 / rate).sin_cos();
        [sample * window * cosine, sample * window * sine]
    };
    let sum = samples.iter().enumerate().map(term).fold([0.0, 0.0], |sum, term| [sum[0] + term[0], sum[1] + term[1]]);
    sum[0].hypot(sum[1])
}

/// Strings and bars with all ends ring as long as they are told to, in their modes.
#[test]
fn partials_decay_in_the_given_times() {
    const RATE: f64 = 44_100.0;
    for (table, ends) in [
        (BAR, "[\"free\", \"free\"]"),
        (BAR, "[\"clamped\", \"clamped\"]"),
        (BAR, "[\"clamped\", \"free\"]"),
        (STRING, "[\"clamped\", \"simply-supported\"]"),
        (STRING, "[\"simply-supported\", \"simply-supported\"]"),
    ] {
        let line = format!("{table}ends = {ends}\nmethod = \"modes\"\nvelocity = {{ at = 0.37, height = 1.0 }}\n");
        let known = partials::of_line(&scene(&line).model.elements()[0], 5000.0).unwrap();
        let [low, high] = [0, 3].map(|index| known[index].omega / TAU);
        let scene = scene(&format!("{line}{}", two_times([low, 1.2], [high, 0.5])));
        let mut model = scene.model.clone();
        let id = model.element_ids().next().unwrap();
        let pickup = model.pickup(id.at(0.91), Quantity::Velocity);
        let mut simulation = model.compile(RATE).unwrap();
        let mut samples = vec![0.0; RATE as usize];
        simulation.process(&[pickup], &mut [&mut samples[..]]);
        for (frequency, time) in [(low, 1.2), (high, 0.5)] {
            let [early, late] = [4000, 17_230].map(|at| amplitude(&samples[at..at + 16_384], frequency, RATE));
            let sigma = (early / late).ln() / (13_230.0 / RATE);
            let found = 3.0 * LN_10 / sigma;
            assert!((found / time - 1.0).abs() < 2e-3, "{ends}, {frequency:.1} Hz: {found} s, not {time} s");
        }
    }
}

#[test]
fn times_that_cannot_be_are_errors_that_say_what_can() {
    let error = |table: &str, fields: &str| parse(&format!("{table}{fields}"), "t.toml").unwrap_err()[0].to_string();
    let cases = [
        (
            STRING,
            "sigma1 = 0.1\nt60 = 2".to_owned(),
            "error: t.toml:7:7: string has both t60 and sigma1\n  hint: t60 sets sigma0 and sigma1: keep either the time or \
             the two numbers",
        ),
        (
            PLATE,
            two_times([200.0, 0.4], [4000.0, 3.0]),
            "error: t.toml:5:7: plate.t60 is 0.4 s at 200 Hz and 3 s at 4000 Hz, must not be longer at the higher \
             frequency\n  hint: losses grow with frequency: at 4000 Hz, 0.4 s or less can be reached",
        ),
        (
            PLATE,
            two_times([200.0, 3.0], [4000.0, 0.1]),
            "error: t.toml:5:7: plate.t60 is 3 s at 200 Hz and 0.1 s at 4000 Hz, which falls too steeply\n  hint: losses \
             grow with the square of the wave number at most: give at least 0.15 s at 4000 Hz, or at most 2 s at 200 Hz",
        ),
        (
            MEMBRANE,
            "t60 = [{ frequency = 2000, time = 1.0 }]".to_owned(),
            "error: t.toml:6:7: membrane.t60 is 1 s at 2000 Hz, must be at most 0.2916 s: sigma1 = 0.001 alone gives \
             that\n  hint: give times at two frequencies, which set sigma1 too",
        ),
        (
            BAR,
            two_times([200.0, 0.0012], [210.0, 0.00117]),
            "error: t.toml:6:7: bar.t60 is 0.0012 s at 200 Hz and 0.00117 s at 210 Hz, which needs sigma1 = 13.01 m²/s, must be \
             at most 10 m²/s\n  hint: give a longer time at the higher frequency",
        ),
        (
            BAR,
            two_times([200.0, 3.0], [200.0, 1.0]),
            "error: t.toml:6:7: bar.t60 has two times at 200 Hz\n  hint: give them at two different frequencies",
        ),
        (
            BAR,
            "t60 = []".to_owned(),
            "error: t.toml:6:7: bar.t60 has 0 entries, must have 1 or 2\n  hint: one sets sigma0, two set sigma0 and sigma1",
        ),
        (BAR, "t60 = [{ frequency = 200 }]".to_owned(), "error: t.toml:6:8: t60 has no time\n  hint: add time = 3.0"),
        (
            BAR,
            "t60 = -2".to_owned(),
            "error: t.toml:6:7: bar.t60 is -2 s, must be at least 0.001 s\n  hint: times are in seconds; did you mean 2?",
        ),
        (
            BAR,
            "t60 = \"long\"".to_owned(),
            "error: t.toml:6:7: bar.t60 is \"long\", must be a time in s or [{ frequency = 200, time = 3.0 }, { frequency = \
             4000, time = 0.4 }]",
        ),
    ];
    for (table, fields, expected) in cases {
        assert_eq!(error(table, &fields), expected);
    }
}

/// What a hint proposes is accepted.
#[test]
fn times_at_the_limit_are_reachable() {
    sigmas(&format!("{PLATE}{}", two_times([200.0, 3.0], [4000.0, 0.15])));
    sigmas(&format!("{PLATE}{}", two_times([200.0, 2.0], [4000.0, 0.1])));
    sigmas(&format!("{MEMBRANE}t60 = {{ frequency = 2000, time = 0.2916 }}"));
    let (_, sigma1) = sigmas(&format!("{PLATE}{}", two_times([200.0, 2.0], [4000.0, 2.0])));
    assert_eq!(sigma1, 0.0);
}
