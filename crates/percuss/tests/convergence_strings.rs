//! Convergence and known answers of strings, bars and modes: pitch, decay, stability at the limit, and all schemes
//! tending to one motion.
//!
//! Dispersion of the scheme, simply supported:  sin²(ωk/2) = λ²s² + 4μ²s⁴, s = sin(nπ/2N), λ = ck/h, μ = κk/h²
//! Continuum                                    f_n = n f₀√(1 + Bn²), f₀ = c/2L, B = π²EI/TL²
//! Bars                                         f = (βL)²κ/2πL² with the classical roots βL
//! Reference                                    Bilbao (2009), Numerical Sound Synthesis, ch. 6 and 7

use percuss::*;
use std::f64::consts::{PI, TAU};

/// A lossless stiff string plucked off centre, so that no mode is missing.
fn plucked(sigma0: f64, grid: Option<usize>) -> StiffString {
    StiffString {
        sigma0,
        sigma1: 0.0,
        grid,
        method: Method::Grid,
        displacement: Shape::RaisedCosine { at: 0.137, width: 0.15, height: 1e-3 },
        ..StiffString::default()
    }
}

/// c² and κ² of a string.
fn constants(string: &StiffString) -> (f64, f64) {
    let line_density = string.density * PI * string.radius.powi(2);
    (string.tension / line_density, string.youngs_modulus * string.radius.powi(2) / (4.0 * string.density))
}

fn continuum(string: &StiffString, n: usize) -> f64 {
    let (c2, kappa2) = constants(string);
    let inharmonicity = PI.powi(2) * kappa2 / (c2 * string.length.powi(2));
    let n = n as f64;
    n * c2.sqrt() / (2.0 * string.length) * (1.0 + inharmonicity * n * n).sqrt()
}

/// sin²(ωk/2) of mode n by the scheme's own dispersion relation.
fn dispersion(string: &StiffString, intervals: usize, k: f64, n: usize) -> f64 {
    let (c2, kappa2) = constants(string);
    let h = string.length / intervals as f64;
    let s2 = (n as f64 * PI / (2.0 * intervals as f64)).sin().powi(2);
    c2 * (k / h).powi(2) * s2 + 4.0 * kappa2 * (k / (h * h)).powi(2) * s2 * s2
}

/// What a mode sees of the moving nodes of a simply supported string.
fn project(values: &[f64], n: usize) -> f64 {
    let intervals = values.len() as f64 + 1.0;
    values.iter().enumerate().map(|(i, u)| u * (PI * n as f64 * (i as f64 + 1.0) / intervals).sin()).sum()
}

/// Measured sin²(ωk/2) of modes 1 to 10: q⁺ − 2q + q⁻ = −4 sin²(ωk/2) q at every step, in the least-squares sense.
fn measured(string: &StiffString, rate: f64) -> (usize, [f64; 10]) {
    let mut model = Model::new();
    let handle = model.add(string.clone());
    let mut sim = model.compile(rate).unwrap();
    let (mut bend, mut size) = ([0.0; 10], [0.0; 10]);
    for _ in 0..2000 {
        let before: [f64; 10] = std::array::from_fn(|n| project(&sim.increments(handle), n + 1));
        let now: [f64; 10] = std::array::from_fn(|n| project(&sim.displacements(handle), n + 1));
        sim.step();
        for n in 0..10 {
            bend[n] -= now[n] * (project(&sim.increments(handle), n + 1) - before[n]);
            size[n] += 4.0 * now[n] * now[n];
        }
    }
    (sim.grid(handle).unwrap().intervals, std::array::from_fn(|n| bend[n] / size[n]))
}

#[test]
fn string_modes_follow_the_dispersion_of_the_scheme() {
    let string = plucked(0.0, None);
    let (intervals, found) = measured(&string, 44_100.0);
    for (n, found) in found.iter().enumerate() {
        let expected = dispersion(&string, intervals, 1.0 / 44_100.0, n + 1);
        let error = found / expected - 1.0;
        assert!(error.abs() < 1e-10, "mode {}: {error:e}", n + 1);
    }
}

#[test]
fn string_pitch_tends_to_the_continuum_with_second_order() {
    // Grid and step refined together, at a fixed Courant number.
    let error = |doublings: i32| -> [f64; 10] {
        let rate = 22_050.0 * 2_f64.powi(doublings);
        let string = plucked(0.0, Some(32 << doublings));
        let pitch = measured(&string, rate).1.map(|sin2| 2.0 * sin2.sqrt().asin() * rate / TAU);
        std::array::from_fn(|n| (pitch[n] / continuum(&string, n + 1) - 1.0).abs())
    };
    let errors = [error(0), error(1), error(2)];
    println!("relative error of modes 1 and 10: {:.1e} {:.1e} at the finest", errors[2][0], errors[2][9]);
    for (n, ((coarse, finer), finest)) in errors[0].iter().zip(errors[1]).zip(errors[2]).enumerate() {
        assert!(finer < *coarse && finest < finer, "mode {}", n + 1);
        let order = (coarse / finest).log2() / 2.0;
        assert!((order - 2.0).abs() < 0.15, "mode {}: order {order}", n + 1);
    }
}

/// Frequency \[Hz\] of the spectral peak near a guess, of a lossless sound: a Blackman window puts the leakage of all
/// other modes far below; the peak is found by golden section within 10 %.
fn spectral_peak(sound: &[f64], rate: f64, guess: f64) -> f64 {
    let power = |frequency: f64| {
        let (sin, cos) = (TAU * frequency / rate).sin_cos();
        let (mut re, mut im, mut turn) = (0.0, 0.0, (1.0, 0.0));
        for sample in sound {
            re += sample * turn.0;
            im += sample * turn.1;
            turn = (turn.0 * cos - turn.1 * sin, turn.0 * sin + turn.1 * cos);
        }
        re * re + im * im
    };
    let ratio = 0.5 * (5_f64.sqrt() - 1.0);
    let bin = rate / sound.len() as f64;
    // A coarse look at every half bin, then the golden section between the neighbours of the best.
    let count = (0.4 * guess / bin) as usize;
    let looks = (0..=count).map(|i| 0.9 * guess + 0.5 * bin * i as f64);
    let best = looks.max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap();
    let (mut low, mut high) = (best - 0.5 * bin, best + 0.5 * bin);
    while high - low > 1e-9 * best {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if power(left) < power(right) { low = left } else { high = right }
    }
    0.5 * (low + high)
}

/// Blackman-windowed displacement at a place on a lossless bar, one second of it.
fn ring(ends: [End; 2], intervals: usize, rate: f64) -> Vec<f64> {
    let displacement = Shape::RaisedCosine { at: 0.63, width: 0.5, height: 1e-3 };
    let bar = Bar { sigma0: 0.0, sigma1: 0.0, ends, grid: Some(intervals), displacement, ..bar() };
    let mut model = Model::new();
    let handle = model.add(bar);
    let ear = model.pickup(handle.at(0.8125), Quantity::Displacement);
    let mut sim = model.compile(rate).unwrap();
    let mut sound = vec![0.0; rate as usize];
    sim.process(&[ear], &mut [&mut sound]);
    let turn = TAU / sound.len() as f64;
    let window = |i: usize| 0.42 - 0.5 * (turn * i as f64).cos() + 0.08 * (2.0 * turn * i as f64).cos();
    sound.iter().enumerate().map(|(i, sample)| sample * window(i)).collect()
}

fn bar() -> Bar {
    Bar { length: 0.6, thickness: 4e-3, ..Bar::default() }
}

#[test]
fn bar_pitch_tends_to_the_classical_roots_with_second_order() {
    let rate = 200_000.0;
    let kappa = bar().thickness * (bar().youngs_modulus / (12.0 * bar().density)).sqrt();
    let roots_of_clamped = [4.730040744862704, 7.853204624095838, 10.995607838001671];
    let cases = [
        ([End::Clamped, End::Clamped], roots_of_clamped),
        ([End::Free, End::Free], roots_of_clamped),
        ([End::Clamped, End::Free], [1.875104068711961, 4.694091132974175, 7.854757438237613]),
        ([End::SimplySupported, End::SimplySupported], [PI, 2.0 * PI, 3.0 * PI]),
    ];
    for (ends, roots) in cases {
        let sounds = [16, 32, 64].map(|intervals| ring(ends, intervals, rate));
        for root in roots {
            let exact = root * root * kappa / (TAU * bar().length.powi(2));
            let errors = sounds.each_ref().map(|sound| spectral_peak(sound, rate, exact) / exact - 1.0);
            let order = (errors[0] / errors[2]).log2() / 2.0;
            println!(
                "{ends:?} βL = {root:.4}: {exact:.2} Hz, error {:.1e} on the finest grid, order {order:.2}",
                errors[2]
            );
            assert!((order - 2.0).abs() < 0.15, "{ends:?} βL = {root}: {errors:?}, order {order}");
            assert!(errors[2].abs() < 6e-3);
        }
    }
}

#[test]
fn string_modes_decay_as_sigma0_says() {
    // (1 + σ₀k)q⁺ − … + (1 − σ₀k)q⁻ = 0: the roots' radius is e^{−σk} with tanh(σk) = σ₀k, whatever the mode.
    let (sigma0, rate, steps) = (5.0, 44_100.0, 20_000);
    let mut model = Model::new();
    let handle = model.add(plucked(sigma0, Some(40)));
    let mut sim = model.compile(rate).unwrap();
    // q⁺q⁻ − q² shrinks by the square of the radius at every step.
    let casoratian = |sim: &mut Simulation, n: usize| {
        let (q, before) = (project(&sim.displacements(handle), n), project(&sim.increments(handle), n));
        sim.step();
        let after = project(&sim.increments(handle), n);
        q * (after - before) - before * after
    };
    for n in 1..=10 {
        sim.reset();
        let start = casoratian(&mut sim, n);
        (1..steps).for_each(|_| sim.step());
        let rate_of_decay = (start / casoratian(&mut sim, n)).ln() * 0.5 * rate / f64::from(steps);
        let expected = (sigma0 / rate).atanh() * rate;
        assert!((rate_of_decay / expected - 1.0).abs() < 1e-9, "mode {n}: {rate_of_decay} {expected}");
        assert!((expected / sigma0 - 1.0).abs() < 1e-8, "the scheme's σ is σ₀ but for (σ₀k)²/3");
    }
}

#[test]
fn modes_ring_with_exact_pitch_and_decay() {
    let rate = 44_100.0;
    let modes: Vec<Mode> = [(27.5, 8.0), (440.0, 2.0), (441.0, f64::INFINITY), (9000.0, 0.5), (21_000.0, 1.0)]
        .map(|(frequency, decay)| Mode { frequency, decay, mass: 1e-3 })
        .to_vec();
    let mut model = Model::new();
    let handle = model.add(Modal { points: vec![vec![1.0; modes.len()]], modes: modes.clone() });
    model.pulse(handle.point_at(0), Pulse { duration: 2.5 / rate, ..Pulse::default() });
    let mut sim = model.compile(rate).unwrap();
    (0..10).for_each(|_| sim.step());
    let (start, before) = (sim.displacements(handle), sim.increments(handle));
    // From q and q⁻ on: q(t) = e^{−σt}(q cos ωt + b sin ωt), b from q⁻ = e^{σk}(q cos ωk − b sin ωk).
    for n in 1..=44_100 {
        sim.step();
        let t = f64::from(n) / rate;
        for (i, mode) in modes.iter().enumerate() {
            let (sigma, omega) = (1000_f64.ln() / mode.decay, TAU * mode.frequency);
            let (sin, cos) = (omega / rate).sin_cos();
            let b = (start[i] * cos - (start[i] - before[i]) * (-sigma / rate).exp()) / sin;
            let expected = (-sigma * t).exp() * (start[i] * (omega * t).cos() + b * (omega * t).sin());
            let envelope = (-sigma * t).exp() * start[i].hypot(b);
            let error = (sim.displacements(handle)[i] - expected).abs() / envelope;
            assert!(error < 1e-9, "{mode:?} after {t} s: {error:e}");
        }
    }
}

/// Distance of `plain` and `tracked` from `newton` in where the mass is once its first contact is over \[m\].
fn distance_from_newton(rate: f64) -> [f64; 2] {
    let place = |scheme| {
        let mut model = Model::new();
        model.scheme = scheme;
        let string = model.add(StiffString { grid: Some(30), ..StiffString::default() });
        let mass = model.add(Mass { mass: 2e-4, position: -1e-4, velocity: 1.0, ..Mass::default() });
        let contact = model.collide(mass.point(), string.at(0.5), Collision { stiffness: 1e7, ..Collision::default() });
        let mut sim = model.compile(rate).unwrap();
        sim.open_ledger();
        (0..(END_TIME * rate).round() as usize).for_each(|_| sim.step());
        if scheme == Scheme::Newton {
            let account = sim.ledger().unwrap().interactions[0];
            assert!(account.hits == 1 && sim.force(contact) == 0.0, "contact once, and over: {account:?}");
        }
        sim.displacements(mass)[0]
    };
    let reference = place(Scheme::Newton);
    [Scheme::Plain, Scheme::Tracked].map(|scheme| (place(scheme) - reference).abs())
}

/// After the first contact of the strike below, before the second \[s\].
const END_TIME: f64 = 0.0005;

#[test]
fn all_schemes_tend_to_the_same_motion() {
    let distances: Vec<_> = (0..8).map(|doublings| distance_from_newton(44_000.0 * 2_f64.powi(doublings))).collect();
    println!("plain and tracked from newton [m]: {distances:?}");
    let order = |scheme: usize| (distances[0][scheme] / distances[7][scheme]).log2() / 7.0;
    assert!(order(0) >= 1.0, "plain: order {}", order(0));
    assert!(order(1) >= 1.9, "tracked: order {}", order(1));
}

const LIMIT_INTERVALS: usize = 24;

/// A lossless line and the rate that puts its grid exactly at the limit, k = h²/√(c²h² + 4κ²).
fn at_the_limit(tension: f64, youngs_modulus: f64, ends: [End; 2], velocity: f64) -> (StiffString, f64) {
    // A bump on one node alone: every mode up to the fastest is in it.
    let n = LIMIT_INTERVALS as f64;
    let rough = |node: f64, height: f64| Shape::RaisedCosine { at: node / n, width: 1.5 / n, height };
    let lossless =
        StiffString { sigma0: 0.0, sigma1: 0.0, ends, grid: Some(LIMIT_INTERVALS), ..StiffString::default() };
    let start = StiffString { displacement: rough(7.0, 1e-3), velocity: rough(17.0, velocity), ..lossless };
    let string = StiffString { tension, youngs_modulus, ..start };
    let (c2, kappa2) = constants(&string);
    let h = string.length / n;
    (string, (c2 * h * h + 4.0 * kappa2).sqrt() / (h * h))
}

/// Worst relative drift of the energy, and the fastest any node moves \[m/s\], in 2e5 steps.
fn run_long(string: StiffString, rate: f64) -> Result<(f64, f64), CompileError> {
    let mut model = Model::new();
    let handle = model.add(string);
    let mut sim = model.compile(rate)?;
    sim.open_ledger();
    let (mut drift, mut fastest) = (0.0_f64, 0.0_f64);
    for _ in 0..200_000 {
        sim.step();
        let total = &sim.ledger().unwrap().total;
        drift = drift.max((total.stored / total.initial - 1.0).abs());
        fastest = sim.increments(handle).iter().fold(fastest, |fastest, du| fastest.max(du.abs() * rate));
    }
    Ok((drift, fastest))
}

#[test]
fn lines_at_the_stability_limit_stay_bounded_whatever_their_ends() {
    let kinds = [End::SimplySupported, End::Clamped, End::Free];
    for (tension, youngs_modulus) in [(100.0, 2e11), (0.0, 2e11), (100.0, 0.0)] {
        for ends in kinds.into_iter().flat_map(|left| kinds.map(|right| [left, right])) {
            if youngs_modulus == 0.0 && ends == [End::Free; 2] {
                continue; // not allowed at the limit: see the next law
            }
            // A line that can drift away as a whole starts at rest, or its energy drowns in the rounding of its place.
            let loose = ends.contains(&End::Free) && !ends.contains(&End::Clamped);
            let drifts = if tension > 0.0 { ends == [End::Free; 2] } else { loose };
            let (string, rate) = at_the_limit(tension, youngs_modulus, ends, if drifts { 0.0 } else { 1.0 });
            let (drift, fastest) = run_long(string, rate).unwrap();
            println!("T = {tension}, E = {youngs_modulus:.0e}, {ends:?}: drift {drift:.1e}, fastest {fastest:.1} m/s");
            assert!(drift < 1e-10 && fastest < 20.0, "{ends:?}: energy drifts by {drift}, speed up to {fastest} m/s");
        }
    }
}

#[test]
fn flexible_string_with_free_ends_at_the_limit_is_refused_or_bounded() {
    // Its fastest mode, ±1 from node to node, has the eigenvalue 4/h² itself: with h = ck it grows like n(−1)ⁿ.
    let (string, rate) = at_the_limit(100.0, 0.0, [End::Free; 2], 1.0);
    match run_long(string, rate) {
        Ok((_, fastest)) => assert!(fastest < 20.0, "a node pushed at 1 m/s reaches {fastest} m/s"),
        Err(error) => assert!(matches!(error, CompileError::GridTooFine { .. }), "{error:?}"),
    }
}
