//! Pitch and decay of plates and membranes: they sound at their physical partials, at the sample rate the user has.
//!
//! Closed forms: simply supported rectangles and rectangular membranes; discs by their Bessel functions. Clamped and free rectangles:
//! ωa²√(ρH/D) of the literature, ν = 0.3, to five digits (Leissa 1973; Bardell 1991; Gorman 1978), and what the engine states itself
//! for the higher partials, which has to agree with those where both are known.

mod partials;

use partials::{Partial, has_partials, sound};
use percuss::*;
use std::f64::consts::PI;

/// Where it is struck and heard: places that no low mode leaves out.
const PLACES: [Place; 2] = [Place::On([0.9137, 0.8711]), Place::On([0.1319, 0.7723])];
/// The same on a disc.
const ROUND_PLACES: [Place; 2] = [Place::On([0.7137, 0.6611]), Place::On([0.3019, 0.2723])];
const SIGMA: f64 = 0.8;

fn steel(size: [f64; 2], edge: Edge) -> Plate {
    Plate { edges: [edge; 4], sigma0: SIGMA, sigma1: 0.0, ..Plate::steel(size, 2e-3) }
}

/// κ = √(D/ρH).
fn kappa(plate: &Plate) -> f64 {
    let bending = plate.youngs_modulus * plate.thickness.powi(2) / (12.0 * (1.0 - plate.poisson.powi(2)));
    (bending / plate.density).sqrt()
}

/// What should be heard below 10 kHz, of undamped angular frequencies.
fn expected(omegas: impl IntoIterator<Item = f64>) -> Vec<Partial> {
    let mut partials: Vec<_> = omegas.into_iter().map(|omega| Partial::damped(omega, SIGMA)).collect();
    partials.sort_by(|a, b| a.frequency.total_cmp(&b.frequency));
    partials.retain(|partial| partial.frequency < 10_000.0);
    partials
}

/// The partials that the engine states.
fn stated(plate: &Plate) -> Vec<Partial> {
    let mut model = Model::new();
    let plate = model.add(plate.clone());
    let frequencies = model.compile(partials::RATE).unwrap().partials(plate).unwrap();
    let below = frequencies.into_iter().filter(|&frequency| frequency < 10_000.0);
    below.map(|frequency| Partial { frequency, sigma: SIGMA }).collect()
}

#[test]
fn clamped_and_free_rectangles_sound_at_their_physical_pitch_and_decay() {
    let free = [13.468, 19.596, 24.270, 34.801, 34.801, 61.093, 61.093, 63.686, 69.265, 77.172];
    let clamped = [35.985, 73.394, 73.394, 108.22, 131.58, 132.20, 165.00, 165.00, 210.52, 210.52];
    // a is the longer side.
    let long_free = [21.463, 26.575, 58.482, 59.606, 88.010, 101.50, 104.00, 118.73, 144.18, 160.20];
    let long_clamped = [98.311, 127.30, 179.08, 253.32, 255.93, 284.31, 333.09, 349.01, 403.17, 465.43];
    for (name, size, edge, known) in [
        ("free square", [0.3, 0.3], Edge::Free, free),
        ("clamped square", [0.3, 0.3], Edge::Clamped, clamped),
        ("free 2:1", [0.36, 0.18], Edge::Free, long_free),
        ("clamped 2:1", [0.36, 0.18], Edge::Clamped, long_clamped),
    ] {
        let plate = steel(size, edge);
        let scale = kappa(&plate) / size[0].powi(2);
        let mut partials = stated(&plate);
        for (known, stated) in known.iter().map(|known| known * scale).zip(&mut partials) {
            let known = Partial::damped(known, SIGMA);
            let cents = 1200.0 * (stated.frequency / known.frequency).log2();
            assert!(cents.abs() < 0.2, "{name}: {cents} cents between {known:?} and {stated:?}");
        }
        has_partials(name, &sound(plate, PLACES), &partials);
    }
}

#[test]
fn simply_supported_plates_and_membranes_sound_at_their_physical_pitch_and_decay() {
    for (size, bends, tension) in
        [([0.3, 0.3], true, 0.0), ([0.36, 0.18], true, 0.0), ([0.3, 0.2], true, 3e4), ([0.2, 0.13], false, 1.5e4)]
    {
        let plate = if bends {
            Plate { tension, ..steel(size, Edge::SimplySupported) }
        } else {
            Plate { sigma0: SIGMA, sigma1: 0.0, ..Plate::membrane(size, 0.26, tension) }
        };
        let (c2, kappa2) = (tension / (plate.density * plate.thickness), kappa(&plate).powi(2));
        let waves = (1..200).flat_map(|m| (1..200).map(move |n| [m, n].map(f64::from)));
        let squares = waves.map(|[m, n]| (m * PI / size[0]).powi(2) + (n * PI / size[1]).powi(2));
        let omegas = squares.map(|square| (square * (c2 + kappa2 * square)).sqrt());
        has_partials(&format!("supported, {size:?} m, {tension} N/m"), &sound(plate, PLACES), &expected(omegas));
    }
}

/// J_n(x) and J_n′(x), from Bessel's integral.
fn bessel_j(n: u32, x: f64) -> [f64; 2] {
    let n = f64::from(n);
    mean(|t| [(n * t - x * t.sin()).cos(), t.sin() * (n * t - x * t.sin()).sin()])
}

/// e^{−x}I_n(x) and e^{−x}I_n′(x).
fn bessel_i(n: u32, x: f64) -> [f64; 2] {
    let n = f64::from(n);
    mean(|t| [(x * (t.cos() - 1.0)).exp() * (n * t).cos(), t.cos() * (x * (t.cos() - 1.0)).exp() * (n * t).cos()])
}

/// The mean over a turn, exact to rounding for functions of its period.
fn mean(f: impl Fn(f64) -> [f64; 2]) -> [f64; 2] {
    const POINTS: u32 = 400;
    let values = (0..POINTS).map(|i| f(2.0 * PI * f64::from(i) / f64::from(POINTS)));
    values.fold([0.0; 2], |sum, value| [0, 1].map(|i| sum[i] + value[i] / f64::from(POINTS)))
}

/// The roots of a function of n nodal diameters up to `most`. All lie above n, below which there is rounding.
fn roots(n: u32, f: impl Fn(f64) -> f64, most: f64) -> Vec<f64> {
    let step = 0.01;
    let spans = (100 * n.max(1)..(most / step) as u32).map(|i| [f64::from(i) * step, f64::from(i + 1) * step]);
    let signs = spans.filter(|span| f(span[0]) * f(span[1]) < 0.0);
    let bisect = |mut span: [f64; 2]| {
        for _ in 0..50 {
            let middle = 0.5 * (span[0] + span[1]);
            let side = usize::from(f(span[0]) * f(middle) < 0.0);
            span[side] = middle;
        }
        span[0]
    };
    signs.map(bisect).collect()
}

/// Leissa (1969), Vibration of Plates, eqs. 2.1, 2.2 and 2.7.
#[test]
fn discs_sound_at_their_physical_pitch_and_decay() {
    let clamped = |n: u32, x: f64| {
        let ([j, dj], [i, di]) = (bessel_j(n, x), bessel_i(n, x));
        j * di - i * dj
    };
    let free = |nu: f64| {
        move |n: u32, x: f64| {
            let ([j, dj], [i, di], n2) = (bessel_j(n, x), bessel_i(n, x), f64::from(n).powi(2));
            let moment_j = x * x * j + (1.0 - nu) * (x * dj - n2 * j);
            let moment_i = x * x * i - (1.0 - nu) * (x * di - n2 * i);
            let force_j = x.powi(3) * dj + (1.0 - nu) * n2 * (x * dj - j);
            let force_i = x.powi(3) * di - (1.0 - nu) * n2 * (x * di - i);
            moment_j * force_i - moment_i * force_j
        }
    };
    let radius = 0.15;
    for (name, edge) in [("clamped disc", Edge::Clamped), ("free disc", Edge::Free)] {
        let plate = Plate { outline: Outline::Disc, ..steel([2.0 * radius; 2], edge) };
        let condition = |n: u32, x: f64| match edge {
            Edge::Clamped => clamped(n, x),
            Edge::SimplySupported | Edge::Free | Edge::FreeFullCell => free(plate.poisson)(n, x),
        };
        let most = (2.0 * PI * 10_100.0 / kappa(&plate)).sqrt() * radius;
        let waves = (0..40).flat_map(|n| roots(n, |x| condition(n, x), most));
        let omegas = waves.map(|x| kappa(&plate) * (x / radius).powi(2));
        has_partials(name, &sound(plate.clone(), ROUND_PLACES), &expected(omegas));
    }
    let membrane = Plate {
        outline: Outline::Disc,
        edges: [Edge::Clamped; 4],
        sigma0: SIGMA,
        sigma1: 0.0,
        ..Plate::membrane([2.0 * radius; 2], 0.26, 2e4)
    };
    let speed = (2e4_f64 / 0.26).sqrt();
    let waves = (0..200).flat_map(|n| roots(n, |x| bessel_j(n, x)[0], 2.0 * PI * 10_100.0 / speed * radius));
    let omegas = waves.map(|x| x * speed / radius);
    has_partials("membrane", &sound(membrane, ROUND_PLACES), &expected(omegas));
}

/// A mass that strikes a plate in its modes moves as on a fine grid at 32 times the rate.
#[test]
fn contact_with_a_plate_in_modes_is_that_with_a_fine_grid() {
    let struck = |grid: Option<[usize; 2]>, oversampling: usize| {
        let mut model = Model::new();
        let plate = model.add(Plate { grid, ..steel([0.2, 0.15], Edge::Clamped) });
        let mass = model.add(Mass { mass: 0.02, velocity: 0.8, position: -1e-4, ..Mass::default() });
        let collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.05, gap: 0.0 };
        model.collide(mass.point(), plate.on([0.5, 0.5]), collision);
        let pickup = model.pickup(plate.on([0.5, 0.5]), Quantity::Displacement);
        let mut simulation = model.compile(partials::RATE * oversampling as f64).unwrap();
        assert_eq!(simulation.mode_count(plate).is_some(), grid.is_none());
        let mut sample = || {
            (0..oversampling).for_each(|_| simulation.step());
            simulation.read(pickup)
        };
        (0..200).map(|_| sample()).collect::<Vec<f64>>()
    };
    let rms = |sound: &[f64]| (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64).sqrt();
    let reference = struck(Some([64, 48]), 32);
    let error = |grid: Option<[usize; 2]>, oversampling: usize| {
        let sound = struck(grid, oversampling);
        let difference: Vec<f64> = sound.iter().zip(&reference).map(|(a, b)| a - b).collect();
        rms(&difference) / rms(&reference)
    };
    let (modes, finer, grid) = (error(None, 1), error(None, 2), error(Some([8, 6]), 1));
    println!("modes differ by {modes:.4}, at twice the rate by {finer:.4}, a grid by {grid:.4}");
    assert!(modes < 0.05 && finer < 0.05 && modes < 0.1 * grid, "{modes}, {finer} and {grid}");
}

/// With ν = 0 a long free strip bends as a free bar. Its polynomials have degrees of some hundred, whose stiffness spans the most decades.
#[test]
fn long_strips_have_the_partials_of_bars() {
    for length in [0.3, 0.8, 1.4] {
        let plate = Plate { poisson: 0.0, ..steel([length, 0.03], Edge::Free) };
        let partials = stated(&plate);
        for wave in [4.730_040_744_9_f64, 7.853_204_624_1, 10.995_607_838_0] {
            let expected = Partial::damped(kappa(&plate) * (wave / length).powi(2), SIGMA).frequency;
            let cents = |partial: &Partial| (1200.0 * (partial.frequency / expected).log2()).abs();
            let nearest = partials.iter().map(cents).fold(f64::INFINITY, f64::min);
            assert!(nearest < 0.01, "{length} m: {nearest} cents from {expected} Hz");
        }
    }
}

/// The most elongated plates that a scene may have are looked at in little time and memory.
#[test]
fn elongated_plates_have_views_of_few_nodes() {
    use Edge::{Free, SimplySupported};
    let mut built = 0;
    for size in [[100.0, 1e-3], [60.0, 1e-3], [5.0, 1e-3], [0.2, 0.1]] {
        for edges in [[SimplySupported; 4], [Free; 4], [SimplySupported, SimplySupported, Free, Free]] {
            let mut model = Model::new();
            let plate = model.add(Plate { edges, ..Plate::steel(size, 0.02) });
            // Refused where no mode lies below half the sample rate, or the modes are too many and the grid is too coarse.
            let Ok(simulation) = model.compile(8000.0) else { continue };
            assert!(simulation.displacements(plate).len() < 6000, "{size:?}, {edges:?}");
            built += 1;
        }
    }
    assert!(built >= 5, "{built}");
}
