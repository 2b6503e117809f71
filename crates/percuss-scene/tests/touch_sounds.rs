//! Effect of touches on the partials of a plate, measured in its sound.

use percuss::{Model, Plate, Pulse, Quantity, Region, Touch};
use percuss_scene::{parse, presets};
use std::f64::consts::TAU;

const RATE: f64 = 44_100.0;

/// Signal of the first pickup of a preset, after replacements in its text.
fn signal_of(name: &str, changes: &[(&str, &str)]) -> Vec<f64> {
    let mut text = presets::find(name).expect("a preset").text.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no `{from}`");
        text = text.replace(from, to);
    }
    let scene = parse(&text, name).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut signal = vec![0.0; (scene.duration * RATE) as usize];
    scene.compile(RATE).unwrap().process(&[scene.outputs[0].pickup], &mut [&mut signal]);
    signal
}

/// A segment of a signal with a Hann window, from and to in seconds.
fn windowed(signal: &[f64], from: f64, to: f64) -> Vec<f64> {
    let part = &signal[(from * RATE) as usize..(to * RATE) as usize];
    let window = |n: usize| 0.5 - 0.5 * (TAU * n as f64 / part.len() as f64).cos();
    part.iter().enumerate().map(|(n, sample)| window(n) * sample).collect()
}

/// Level of a windowed segment at a frequency \[dB\], by the Goertzel algorithm.
fn level(stretch: &[f64], frequency: f64) -> f64 {
    let coefficient = 2.0 * (TAU * frequency / RATE).cos();
    let (now, before) = stretch.iter().fold((0.0, 0.0), |(now, before), x| (x + coefficient * now - before, now));
    let square: f64 = now * now + before * before - coefficient * now * before;
    10.0 * (square / (stretch.len() as f64).powi(2)).log10()
}

/// A partial: frequency \[Hz\] and level \[dB\].
type Partial = (f64, f64);

/// Peaks of a spectrum between two frequencies, in ascending order, down to 45 dB below the strongest. A peak is 15 dB
/// above its surroundings.
fn peaks(stretch: &[f64], low: f64, high: f64) -> Vec<Partial> {
    // The main lobe of the window is two bins wide on each side.
    let bin = RATE / stretch.len() as f64;
    let step = bin / 4.0;
    let levels: Vec<f64> = (0..((high - low) / step) as usize).map(|i| level(stretch, low + i as f64 * step)).collect();
    let loudest = levels.iter().copied().fold(f64::MIN, f64::max);
    let is_prominent = |i: usize| [levels[i - 8], levels[i + 8]].iter().all(|beside| levels[i] > beside + 15.0);
    (8..levels.len() - 8)
        .filter(|&i| levels[i] > levels[i - 1] && levels[i] >= levels[i + 1])
        .filter(|&i| levels[i] > loudest - 45.0 && is_prominent(i))
        .map(|i| {
            let shift = 0.5 * (levels[i - 1] - levels[i + 1]) / (levels[i - 1] - 2.0 * levels[i] + levels[i + 1]);
            (low + (i as f64 + shift) * step, levels[i])
        })
        .collect()
}

/// Frequency between two others at which a windowed segment has its maximum \[Hz\].
fn peak_frequency(stretch: &[f64], low: f64, high: f64) -> f64 {
    let at = |i: i32| low + (high - low) * f64::from(i) / 200.0;
    (0..=200).map(|i| (level(stretch, at(i)), at(i))).fold((f64::MIN, 0.0), |a, b| if b.0 > a.0 { b } else { a }).1
}

/// Decay rate of a partial between two times \[1/s\], with windows of a given length \[s\].
fn decay(signal: &[f64], frequency: f64, [from, to]: [f64; 2], window: f64) -> f64 {
    let at = |time: f64| level(&windowed(signal, time, time + window), frequency);
    (at(from) - at(to)) / (to - from) / (20.0 * std::f64::consts::LOG10_E)
}

/// The hand of the preset, and its second stroke, which is left out.
const HAND: &str = "{ time = [0.0, 0.5, 0.6, 0.95, 1.0, 1.5, 1.6], value = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.8] }";
const SECOND_STROKE: (&str, &str) = ("peak = 40.0", "peak = 0.0");

#[test]
fn a_hand_lowers_partials_and_damps_each_at_its_own_rate() {
    let signal = signal_of("hand-damped-plate", &[(HAND, "{ time = [1.6, 1.7], value = [0.0, 1.0] }"), SECOND_STROKE]);
    // Second differences remove the slow motion of the free plate at 0.4 Hz, which would mask the damped partials.
    let signal: Vec<f64> = signal.windows(3).map(|x| x[2] - 2.0 * x[1] + x[0]).collect();
    let mut partials = peaks(&windowed(&signal, 0.9, 1.5), 50.0, 3000.0);
    partials.sort_by(|a, b| b.1.total_cmp(&a.1));
    println!("before the hand        under the hand");
    let mut rates = Vec::new();
    for &(before, _) in partials.iter().take(5) {
        let (low, high) = (0.92 * before, 1.01 * before);
        let during = peak_frequency(&windowed(&signal, 1.7, 1.8), low, high);
        let free = decay(&signal, before, [0.9, 1.3], 0.2);
        let damped = decay(&signal, during, [1.7, 1.74], 0.08);
        // A maximum at the limit of the band is the flank of another partial: this one has decayed.
        let is_audible = during > low && during < high;
        println!(
            "{before:7.1} Hz {free:6.2} /s  {during:7.1} Hz {damped:6.2} /s  {}",
            if is_audible { "" } else { "lost" }
        );
        if is_audible {
            assert!(during < before && damped > free, "{before} Hz, {free} /s to {during} Hz, {damped} /s");
            rates.push(damped);
        }
    }
    assert!(rates.len() >= 3, "{rates:?}");
    let [least, most] = [f64::min, f64::max].map(|pick| rates.iter().copied().reduce(pick).unwrap());
    assert!(most > 1.5 * least, "{rates:?}");
}

const WATER: &str = "{ time = [0.0, 0.1, 0.9, 1.6, 2.4], value = [0.3, 0.3, 0.02, 0.02, 0.3] }";

/// First four partials of the gong with its water at a constant level. Struck on the diagonal, its axis of symmetry, it rings
/// in symmetric modes only; their order does not change with the level.
fn partials_at_level(level: &str) -> Vec<f64> {
    let on_the_axis = ("at = [0.88, 0.87]", "at = [0.88, 0.88]");
    let signal = signal_of("water-gong", &[(WATER, level), on_the_axis, ("peak = 18.0", "peak = 0.0")]);
    peaks(&windowed(&signal, 0.5, 1.5), 20.0, 300.0).into_iter().take(4).map(|partial| partial.0).collect()
}

#[test]
fn lowering_the_water_raises_each_partial_by_a_different_ratio() {
    let still = ["0.3", "0.02"].map(partials_at_level);
    let rises: Vec<f64> = still[0].iter().zip(&still[1]).map(|(deep, shallow)| shallow / deep - 1.0).collect();
    for ((deep, shallow), rise) in still[0].iter().zip(&still[1]).zip(&rises) {
        println!("{deep:7.2} Hz in deep water, {shallow:7.2} Hz in shallow: {:+.1} %", 100.0 * rise);
    }
    assert_eq!(rises.len(), 4);
    assert!(rises.iter().all(|rise| *rise > 0.0), "{rises:?}");
    let [least, most] = [f64::min, f64::max].map(|pick| rises.iter().copied().reduce(pick).unwrap());
    assert!(most - least > 0.02, "{rises:?}");
    // In the preset, whose water moves, the partials have these frequencies while the water is at rest.
    let signal = signal_of("water-gong", &[]);
    for (still, [from, to]) in still.iter().zip([[3.0, 3.7], [0.9, 1.39]]) {
        let found = peaks(&windowed(&signal, from, to), 20.0, 300.0);
        let near = |pitch: f64| found.iter().any(|peak| (peak.0 / pitch - 1.0).abs() < 0.015);
        let count = still.iter().filter(|pitch| near(**pitch)).count();
        println!("{from} to {to} s: {count} of 4 found");
        assert!(count >= 3, "{still:?} in {found:?}");
    }
}

/// Columns and rows of a pressure image.
const IMAGE_SIZE: [usize; 2] = [185, 105];
/// Samples between two images (150 Hz).
const IMAGE_INTERVAL: usize = 294;

/// Pressure image of a hand at a place given in fractions of the sides.
fn hand_image(at: [f64; 2]) -> Vec<f64> {
    let pixel = |index: usize| {
        let place = [index % IMAGE_SIZE[0], index / IMAGE_SIZE[0]];
        let away = [0, 1].map(|axis| (place[axis] as f64 / (IMAGE_SIZE[axis] - 1) as f64 - at[axis]) / 0.2);
        (-(away[0] * away[0] + away[1] * away[1])).exp()
    };
    (0..IMAGE_SIZE[0] * IMAGE_SIZE[1]).map(pixel).collect()
}

/// One second of a struck plate whose touch receives pressure images.
fn with_images(control_interval: usize, image: impl Fn(usize) -> Option<Vec<f64>>) -> Vec<f64> {
    let region = Region::Image { width: 1, values: vec![0.0] };
    let touch = Touch { region, pressure: 1.0.into(), mass: 7.2, stiffness: 1e4, damping: 10.0 };
    let mut model = Model::new();
    let plate = model.add(Plate { touches: vec![touch], control_interval, ..Plate::steel([0.2, 0.2], 2e-3) });
    model.pulse(plate.on([0.77, 0.4]), Pulse { duration: 2e-3, ..Pulse::default() });
    let pickup = model.pickup(plate.on([0.95, 0.11]), Quantity::Velocity);
    let mut simulation = model.compile(RATE).unwrap();
    let step = |n: usize| {
        if n.is_multiple_of(IMAGE_INTERVAL)
            && let Some(values) = image(n / IMAGE_INTERVAL)
        {
            simulation.press(plate, 0, IMAGE_SIZE[0], &values);
        }
        simulation.step();
        simulation.read(pickup)
    };
    (0..RATE as usize).map(step).collect()
}

fn peak(signal: impl IntoIterator<Item = f64>) -> f64 {
    signal.into_iter().fold(0.0, |peak: f64, x| peak.max(x.abs()))
}

#[test]
fn sending_the_same_image_again_changes_nothing() {
    let fixed = hand_image([0.3, 0.5]);
    let once = with_images(256, |index| (index == 0).then(|| fixed.clone()));
    let always = with_images(256, |_| Some(fixed.clone()));
    let never = with_images(256, |_| None);
    let deviation = |other: &[f64]| peak(once.iter().zip(other).map(|(a, b)| a - b)) / peak(once.iter().copied());
    println!("deviation {:e} of the peak; without a hand {:.3}", deviation(&always), deviation(&never));
    assert!(deviation(&always) <= 1e-4, "{}", deviation(&always));
    assert!(deviation(&never) > 0.1, "the hand has no effect: {}", deviation(&never));
}

/// Ratio of the rms second difference of a signal where images take effect to that elsewhere.
fn roughness(signal: &[f64]) -> f64 {
    let (mut at, mut rest) = ((0.0, 0), (0.0, 0));
    // The first tenth of a second contains the strike.
    for n in 4410..signal.len() - 1 {
        let second = signal[n + 1] - 2.0 * signal[n] + signal[n - 1];
        let (sum, count) = if (n + 1) % IMAGE_INTERVAL < 3 { &mut at } else { &mut rest };
        *sum += second * second;
        *count += 1;
    }
    (at.0 / f64::from(at.1) / (rest.0 / f64::from(rest.1))).sqrt()
}

#[test]
fn a_hand_that_moves_from_image_to_image_does_not_click() {
    let moving = |index: usize| {
        let angle = TAU * index as f64 / 50.0;
        Some(hand_image([0.5 + 0.4 * angle.cos(), 0.5 + 0.4 * angle.sin()]))
    };
    let [smooth, abrupt] = [IMAGE_INTERVAL, 1].map(|interval| roughness(&with_images(interval, moving)));
    println!("where images take effect: {smooth:.3} of the rest, {abrupt:.2} without interpolation");
    assert!(smooth < 1.2, "{smooth}");
    // The measure detects clicks.
    assert!(abrupt > 2.0, "{abrupt}");
}
