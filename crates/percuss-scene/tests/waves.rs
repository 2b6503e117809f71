//! Sines, sweeps and noise where a control is: what they do, and what is said about those that cannot be.

use percuss::{Control, Drive, Exciter, Waveform};
use percuss_scene::{Scene, parse};

fn scene(drive: &str) -> Result<Scene, String> {
    let text = format!(
        "[scene]\nduration = 1.0\n[[mass]]\nid = \"m\"\nmass = 0.01\nfrequency = 100\ndamping = 5\n[[drive]]\nof = \"m\"\n{drive}\n[[pickup]]\nof = \"m\"\n"
    );
    let messages = match parse(&text, "test.toml") {
        Ok(scene) if scene.warnings.is_empty() => return Ok(scene),
        Ok(scene) => scene.warnings,
        Err(errors) => errors,
    };
    assert_eq!(messages.len(), 1, "{drive}: {messages:#?}");
    println!("{}", messages[0]);
    Err(messages[0].to_string())
}

fn force(scene: &Scene) -> &Control {
    let (_, Exciter::Drive(Drive::Control(force))) = &scene.model.exciters()[0] else { panic!("no drive") };
    force
}

#[test]
fn a_sine_drives_a_resonator_to_the_amplitude_of_its_closed_form() {
    for frequency in [60.0, 100.0, 150.0] {
        let scene = scene(&format!("force = {{ sine = {frequency}, amplitude = 0.1 }}")).unwrap();
        let mut simulation = scene.compile(44_100.0).unwrap();
        simulation.open_ledger();
        let mut peak = 0.0_f64;
        for n in 0..132_300 {
            simulation.step();
            // When the start has decayed by e^7.
            if n > 126_000 {
                peak = peak.max(simulation.displacement(scene.model.element_ids().next().unwrap(), 0).abs());
            }
        }
        let [own, driven] = [100.0, frequency].map(|f| std::f64::consts::TAU * f);
        let expected = 0.1 / 0.01 / (own * own - driven * driven).hypot(5.0 * driven);
        assert!((peak / expected - 1.0).abs() < 0.01, "{frequency} Hz: {peak} m, not {expected}");
        assert!(simulation.ledger().unwrap().total.worst_relative < 1e-12);
    }
}

#[test]
fn all_waves_are_read_with_their_defaults() {
    let wave = |text: &str| force(&scene(&format!("force = {text}")).unwrap()).wave().unwrap().clone();
    let sine = wave("{ sine = 440, amplitude = 2.0, offset = 1.0, phase = 1.5 }");
    assert_eq!(sine.waveform(), Waveform::Sine { frequency: 440.0, phase: 1.5 });
    assert_eq!((sine.range(), sine.end()), (&[-1.0, 3.0], f64::INFINITY));
    let sweep = wave("{ sweep = [20, 2000], amplitude = 1.0, duration = 0.5, start = 0.1, fade = 0.01 }");
    assert_eq!(sweep.waveform(), Waveform::Sweep { frequencies: [20.0, 2000.0], exponential: true });
    assert_eq!(sweep.end(), 0.6);
    let linear = wave("{ sweep = [20, 2000], amplitude = 1.0, duration = 0.5, kind = \"linear\" }");
    assert_eq!(linear.waveform(), Waveform::Sweep { frequencies: [20.0, 2000.0], exponential: false });
    let noise = wave("{ noise = 1000, amplitude = 1.0, seed = 7 }");
    assert_eq!(noise.waveform(), Waveform::Noise { bandwidth: 1000.0, seed: 7 });
}

/// A wave in every field that may change in time.
#[test]
fn every_control_can_be_a_wave() {
    let wave = "{ sine = 3.0, amplitude = 0.1, offset = 0.4 }";
    let text = format!(
        r#"[scene]
duration = 0.2
[[string]]
id = "string"
length = 0.65
radius = 0.25e-3
tension = 70
[[plate]]
id = "plate"
size = [0.3, 0.2]
thickness = 1e-3
[[touch]]
of = "plate"
region = {{ kind = "circle", centre = [{wave}, 0.5], radius = {{ noise = 5.0, amplitude = 0.01, offset = 0.04 }} }}
pressure = {{ noise = 20.0, amplitude = 0.5, offset = 0.5 }}
damping = 100
[[touch]]
of = "plate"
region = {{ kind = "half-plane", direction = [0.0, 1.0], level = {wave} }}
mass = 1.0
[[mass]]
id = "ball"
mass = 1e-3
gravity = 9.81
[[barrier]]
id = "table"
position = {{ sweep = [10, 100], amplitude = 1e-4, duration = 0.2 }}
[[collision]]
below = {{ of = "table" }}
above = {{ of = "ball" }}
stiffness = 1e7
[[bow]]
of = "string"
at = {{ sine = 2.0, amplitude = 0.02, offset = 0.1 }}
force = {{ noise = 30.0, amplitude = 0.1, offset = 0.3 }}
velocity = {{ sine = 4.0, amplitude = 0.1, offset = 0.1 }}
[[finger]]
of = "string"
at = {wave}
pressure = {wave}
[[pulse]]
of = "plate"
at = [{wave}, {wave}]
[[pickup]]
of = "plate"
at = [0.3, 0.3]
"#
    );
    let scene = parse(&text, "test.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(scene.warnings, []);
    assert!((scene.last_event - 0.2).abs() < 1e-12, "that of the sweep: {}", scene.last_event);
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    (0..8820).for_each(|_| simulation.step());
    let total = simulation.ledger().unwrap().total;
    assert!(total.worst_relative < 1e-12 && total.supplied != 0.0, "{total:?}");
}

#[test]
fn a_place_on_a_disc_must_not_swing_off_it() {
    let text = |amplitude: f64| {
        format!(
            "[[membrane]]\nid = \"drum\"\ndiameter = 0.3\nsurface_density = 0.3\ntension = 2000\n[[drive]]\nof = \"drum\"\nat = [{{ sine = 1.0, amplitude = {amplitude}, offset = 0.5 }}, 0.5]\nforce = 1.0\n[[pickup]]\nof = \"drum\"\nat = [0.5, 0.5]\n"
        )
    };
    let compiles = |amplitude| {
        let scene = parse(&text(amplitude), "test.toml").unwrap();
        scene.compile(44_100.0).map(|_| ())
    };
    assert!(compiles(0.3).is_ok());
    let square = text(0.45).replace("0.5]\nforce", "{ sine = 2.0, amplitude = 0.45, offset = 0.5 }]\nforce");
    let scene = parse(&square, "test.toml").unwrap();
    assert!(scene.compile(44_100.0).is_err(), "the corners of its way are off the disc");
}

#[test]
fn bad_waves_have_place_finding_and_hint() {
    let cases = [
        ("{ sine = nan, amplitude = 1 }", "test.toml:10:18: control.sine is NaN Hz, must be a finite", "hertz"),
        ("{ sine = -5, amplitude = 1 }", "control.sine is -5 Hz, must be at least", "did you mean 5?"),
        ("{ sine = 440 }", "test.toml:10:9: control has no amplitude", "add amplitude = 1.0"),
        ("{ sine = 440, amplitude = inf }", "control.amplitude is inf N, must be a finite number", "newtons"),
        (
            "{ sine = 440, amplitude = 2e6 }",
            "drive.force goes from -2e6 to 2e6 N, must stay within",
            "offset − amplitude",
        ),
        ("{ sine = 440, sweep = [1, 2], amplitude = 1 }", "drive.force has both sine and sweep", "keep one"),
        ("{ sine = 440, amplitude = 1, seed = 3 }", "control has no field seed", "did you mean"),
        ("{ sine = 440, amplitude = 1, phase = nan }", "control.phase is NaN rad", "between -1000 and 1000"),
        ("{ sine = 440, amplitude = 1, fade = -1 }", "control.fade is -1 s", "did you mean 1?"),
        ("{ sine = 440, amplitude = 1, start = -1 }", "control.start is -1 s", "did you mean 1?"),
        ("{ sweep = [20, 2000], amplitude = 1 }", "control has no duration", "add duration = 5.0"),
        (
            "{ sweep = [20], amplitude = 1, duration = 1 }",
            "sweep has 1 frequencies, must have 2",
            "sweep = [20.0, 2000.0]",
        ),
        ("{ sweep = [0, 100], amplitude = 1, duration = 1 }", "control.sweep is 0 Hz", "hertz"),
        ("{ sweep = [1, 100], amplitude = 1, duration = 0 }", "control.duration is 0 s", "seconds"),
        ("{ sweep = [1, 9], amplitude = 1, duration = 1, kind = \"log\" }", "control.kind is \"log\"", "kind = "),
        ("{ noise = 100, amplitude = 1, seed = -1 }", "control.seed is -1, must be at least 0", "between 0"),
        ("{ noise = 1e9, amplitude = 1 }", "control.noise is 1e9 Hz, must be at most", "did you mean"),
        (
            "{ sine = 30000, amplitude = 1 }",
            "drive.force goes up to 30000 Hz, but only 22050 Hz",
            "sample_rate or oversample",
        ),
        ("{ noise = 6000, amplitude = 1 }", "drive.force goes up to 24000 Hz", "lower it"),
    ];
    for (force, finding, hint) in cases {
        let message = scene(&format!("force = {force}")).map(drop).unwrap_err();
        assert!(message.contains(finding), "{force}: {message}");
        assert!(message.contains("hint: ") && message.contains(hint), "{force}: {message}");
    }
    let pressure = "force = 1.0\n[[finger]]\nof = \"m\"\npressure = { sine = 3, amplitude = 1 }";
    let message = scene(pressure).map(drop).unwrap_err();
    assert!(message.contains("finger.pressure goes from -1 to 1, must stay within 0 and 1"), "{message}");
}
