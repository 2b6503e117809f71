//! Bouncing and rolling bodies come to rest at the right time and are silent afterwards.

use percuss::impact::Impact;
use percuss::{Collision, Mass, Model, Quantity, StiffString};
use percuss_scene::{Scene, parse, presets};

fn preset(name: &str) -> Scene {
    parse(presets::find(name).expect("a preset").text, name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

/// The ball of the preset `bounce` on a rigid floor.
const BALL_ON_RIGID_FLOOR: &str = r#"
[scene]
duration = 4.0

[[mass]]
id = "ball"
mass = 0.01
position = 0.1
gravity = 9.81

[[barrier]]
id = "floor"

[[collision]]
below = { of = "floor" }
above = { of = "ball" }
stiffness = 1e9
exponent = 1.5
loss = 2.0

[[pickup]]
of = "ball"
quantity = "velocity"
"#;
/// Its constants.
const HEIGHT: f64 = 0.1;
const GRAVITY: f64 = 9.81;
fn bounce_impact() -> Impact {
    Impact::new(0.01, 1e9, 1.5, 2.0, (2.0 * GRAVITY * HEIGHT).sqrt()).unwrap()
}

/// Time of the given number of contacts and flights, from exit velocities without gravity in contact \[s\].
fn flights_without_weight(rebounds: u64) -> f64 {
    let mut impact = bounce_impact();
    let mut time = 0.0;
    for _ in 0..rebounds {
        let exit = -impact.exit_velocity();
        time += impact.contact_time() + 2.0 * exit / GRAVITY;
        impact = impact.at_speed(exit);
    }
    time
}

/// Contact time \[s\] and exit speed \[m/s\] of m v̇ = −k x^α (1 + μv) + mg, by the classical Runge–Kutta method with linear
/// interpolation of the last step; `None` if the ball does not leave the floor.
fn contact_with_weight(impact: &Impact) -> Option<(f64, f64)> {
    let slope = |[x, v]: [f64; 2]| {
        let elastic = impact.stiffness() * x.max(0.0).powf(impact.exponent());
        [v, GRAVITY - elastic * (1.0 + impact.loss() * v) / impact.mass()]
    };
    let along = |y: [f64; 2], h: f64, d: [f64; 2]| [y[0] + h * d[0], y[1] + h * d[1]];
    let h = impact.contact_time() / 1000.0;
    let mut y = [0.0, impact.speed()];
    for step in 0..1_000_000 {
        let a = slope(y);
        let b = slope(along(y, 0.5 * h, a));
        let c = slope(along(y, 0.5 * h, b));
        let d = slope(along(y, h, c));
        let next = [0, 1].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        if next[0] <= 0.0 && next[1] < 0.0 {
            // Without interpolation the exit speed is low by up to g·h, which shortens the last flights by 1 %.
            let fraction = y[0] / (y[0] - next[0]);
            return Some(((f64::from(step) + fraction) * h, -(y[1] + fraction * (next[1] - y[1]))));
        }
        y = next;
    }
    None
}

/// Number of rebounds until the ball stays in contact, and the time they take, with weight acting in contact too \[s\].
fn flights_with_weight() -> (u64, f64) {
    let mut impact = bounce_impact();
    let (mut rebounds, mut time) = (0, 0.0);
    while let Some((contact, exit)) = contact_with_weight(&impact) {
        time += contact + 2.0 * exit / GRAVITY;
        rebounds += 1;
        impact = impact.at_speed(exit);
    }
    (rebounds, time)
}

/// Result at a sample rate: number of rebounds, their duration \[s\], and the peak velocity in every
/// tenth of a second after the last, relative to the first impact \[dB\].
fn bounce(rate: f64) -> (u64, f64, Vec<f64>) {
    let scene = parse(BALL_ON_RIGID_FLOOR, "bounce").unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut simulation = scene.compile(rate).unwrap();
    simulation.open_ledger();
    let velocity = scene.outputs[0].pickup;
    let (mut first_contact, mut last_contact) = (None, 0.0);
    let mut velocities = Vec::new();
    let mut hits = 0;
    for n in 0..(scene.duration * rate) as usize {
        simulation.step();
        let now = simulation.ledger().unwrap().interactions[0].hits;
        if now > hits {
            hits = now;
            last_contact = n as f64 / rate;
            first_contact = first_contact.or(Some(last_contact));
        }
        velocities.push(simulation.read(velocity).abs());
    }
    let after = &velocities[(last_contact * rate) as usize..];
    let peak = |part: &[f64]| part.iter().fold(0.0_f64, |peak, v| peak.max(*v));
    let level = |part: &[f64]| 20.0 * (peak(part) / bounce_impact().speed()).log10();
    let levels = after.chunks((0.1 * rate) as usize).map(level).collect();
    (hits - 1, last_contact - first_contact.unwrap(), levels)
}

#[test]
fn bounce_lasts_as_long_as_the_exact_flights_and_is_silent_afterwards() {
    let (exact_rebounds, exact) = flights_with_weight();
    println!("\n### Bounce\n\n| sample rate | rebounds | last until | off by | without weight in contact, off by |");
    println!("|---|---|---|---|---|\n| exact | {exact_rebounds} | {exact:.4} s | | |");
    for rate in [44_100.0, 48_000.0, 96_000.0] {
        let (rebounds, time, levels) = bounce(rate);
        let quiet = levels.iter().position(|level| *level < -100.0).expect("never below -100 dB");
        let percent = |reference: f64| 100.0 * (time / reference - 1.0);
        let [off, without_weight] = [percent(exact), percent(flights_without_weight(rebounds))];
        let row = format!("| {rate} Hz | {rebounds} | {time:.4} s | {off:+.3} % | {without_weight:+.1} % |");
        println!("{}", row.replace("| -", "| −"));
        assert!(percent(exact).abs() < 1.0, "{rate} Hz: {time} s instead of {exact} s");
        assert!(rebounds.abs_diff(exact_rebounds) <= 2, "{rate} Hz: {rebounds} rebounds instead of {exact_rebounds}");
        assert!(levels[quiet..].iter().all(|level| *level < -100.0), "{rate} Hz does not stay silent: {levels:?}");
        assert!(quiet < 20, "{rate} Hz: {levels:?}");
    }
}

#[test]
fn ball_on_a_bar_comes_to_rest_and_the_bar_rings_out() {
    let scene = preset("bounce-on-bar");
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    let steps = (20.0 * scene.sample_rate) as usize;
    let mut peak_late = 0.0_f64;
    for n in 0..steps {
        simulation.step();
        if n > steps - 44_100 {
            peak_late = peak_late.max(simulation.read(scene.outputs[0].pickup).abs());
        }
    }
    let ledger = simulation.ledger().unwrap();
    println!("last second: {peak_late:e} m/s, {} hits", ledger.interactions[0].hits);
    assert!(peak_late < 1e-8, "{peak_late} m/s");
    assert!(ledger.total.worst_relative < 1e-12);
    assert_eq!(ledger.interactions[0].adhesive_impulse, 0.0);
}

#[test]
fn ball_bouncing_on_a_string_has_an_energy_balance_at_rounding() {
    let mut model = Model::new();
    let string = model.add(StiffString { tension: 400.0, ..StiffString::steel(0.6e-3) });
    let ball = model.add(Mass { mass: 2e-3, position: 5e-3, gravity: GRAVITY, ..Mass::default() });
    let law = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.2, gap: 0.0 };
    model.collide(string.at(0.4), ball.point(), law);
    let pickup = model.pickup(string.at(0.9), Quantity::Velocity);
    let mut simulation = model.compile(48_000.0).unwrap();
    simulation.open_ledger();
    let mut late = 0.0_f64;
    for n in 0..48_000 * 20 {
        simulation.step();
        if n > 48_000 * 19 {
            late = late.max(simulation.read(pickup).abs());
        }
    }
    let ledger = simulation.ledger().unwrap();
    println!("{} hits, last second {late:e} m/s", ledger.interactions[0].hits);
    assert!(ledger.total.worst_relative < 1e-12, "{:?}", ledger.total);
    assert!(ledger.interactions[0].hits > 3 && late < 1e-6, "{late}");
}

#[test]
fn rolling_sounds_while_the_ball_moves_and_is_silent_at_rest() {
    let scene = preset("roll");
    let mut simulation = scene.compile(scene.sample_rate).unwrap();
    simulation.open_ledger();
    let rms: Vec<f64> = (0..20)
        .map(|_| {
            let square = |_| {
                simulation.step();
                simulation.read(scene.outputs[0].pickup).powi(2)
            };
            ((0..11_025).map(square).sum::<f64>() / 11_025.0).sqrt()
        })
        .collect();
    let ledger = simulation.ledger().unwrap();
    println!("{rms:?}\n{:?}", ledger.total);
    assert!(ledger.total.supplied > 0.0 && ledger.total.worst_relative < 1e-12);
    assert!(ledger.interactions[0].hits > 300 && ledger.interactions[0].adhesive_impulse == 0.0);
    // Full speed from 1 to 3 s, at rest from 4.6 s.
    let moving = rms[6..12].iter().sum::<f64>() / 6.0;
    assert!(rms[19] < 0.03 * moving && rms[0] < moving);
}
