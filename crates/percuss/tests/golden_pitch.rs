//! Pitch and decay: strings and bars sound at their physical partials, at the sample rate the user has.

mod partials;

use partials::{Partial, RATE, has_partials, sound};
use percuss::*;
use std::f64::consts::{PI, TAU};

/// Where it is struck and heard: places that no low mode leaves out.
const PLACES: [Place; 2] = [Place::Along(0.9137), Place::Along(0.8623)];

/// βL of a bar: the first from Blevins (1979), table 8-1, to ten digits; from the sixth on the asymptote is exact to rounding.
fn wave_numbers(ends: [End; 2]) -> impl Iterator<Item = f64> {
    use End::{Clamped, Free, SimplySupported};
    let (first, offset): (&[f64], f64) = match ends {
        [Free, Free] | [Clamped, Clamped] => {
            (&[4.730_040_744_9, 7.853_204_624_1, 10.995_607_838_0, 14.137_165_491_3, 17.278_759_657_4], 0.5)
        }
        [Clamped, Free] | [Free, Clamped] => {
            (&[1.875_104_068_7, 4.694_091_133_0, 7.854_757_438_2, 10.995_540_734_9, 14.137_168_391_0], -0.5)
        }
        [SimplySupported, SimplySupported] => (&[], 0.0),
        [Clamped | Free, SimplySupported] | [SimplySupported, Clamped | Free] => {
            (&[3.926_602_312_0, 7.068_582_745_6, 10.210_176_122_8, 13.351_768_777_8, 16.493_361_431_3], 0.25)
        }
    };
    let start = first.len() + 1;
    first.iter().copied().chain((start..).map(move |n| (n as f64 + offset) * PI))
}

#[test]
fn bars_sound_at_their_physical_pitch_and_decay() {
    let kinds = [End::SimplySupported, End::Clamped, End::Free];
    for ends in kinds.into_iter().flat_map(|left| kinds.map(|right| [left, right])) {
        let bar = Bar { length: 0.4, width: 0.03, thickness: 3e-3, sigma0: 0.8, sigma1: 0.0, ends, ..Bar::default() };
        let kappa = (bar.youngs_modulus / (12.0 * bar.density)).sqrt() * bar.thickness;
        let frequency = |wave: f64| kappa * (wave / bar.length).powi(2) / TAU;
        // Damping lowers the frequency.
        let damped = |wave: f64| (frequency(wave).powi(2) - (bar.sigma0 / TAU).powi(2)).sqrt();
        let partials = wave_numbers(ends).map(damped).take_while(|&frequency| frequency < 10_000.0);
        let partials: Vec<_> = partials.map(|frequency| Partial { frequency, sigma: bar.sigma0 }).collect();
        has_partials(&format!("{ends:?}"), &sound(bar, PLACES), &partials);
    }
}

/// Fletcher (1964): f_n = n f₁√(1 + Bn²) with simply supported ends, and σ = σ₀ + σ₁(nπ/L)².
#[test]
fn stiff_strings_in_modes_have_the_partials_of_fletcher() {
    for inharmonicity in [1e-5, 1e-4, 1e-3] {
        let string = StiffString { length: 0.65, tension: 80.0, sigma0: 0.5, sigma1: 2e-5, ..StiffString::default() };
        let area = PI * string.radius.powi(2);
        let bending = inharmonicity * string.tension * string.length.powi(2) / PI.powi(2);
        let youngs_modulus = bending / (0.25 * area * string.radius.powi(2));
        let string = StiffString { youngs_modulus, method: LineMethod::Modes, ..string };
        let first = (string.tension / (string.density * area)).sqrt() / (2.0 * string.length);
        let partial = |n: u32| {
            let n = f64::from(n);
            let sigma = string.sigma0 + string.sigma1 * (n * PI / string.length).powi(2);
            let frequency = n * first * (1.0 + inharmonicity * n * n).sqrt();
            Partial { frequency: (frequency.powi(2) - (sigma / TAU).powi(2)).sqrt(), sigma }
        };
        let partials: Vec<_> = (1..).map(partial).take_while(|partial| partial.frequency < 10_000.0).collect();
        has_partials(&format!("B = {inharmonicity:e}"), &sound(string, PLACES), &partials);
    }
}

/// A mass that strikes a bar in its modes moves as on a fine grid at 16 times the rate.
#[test]
fn contact_with_a_bar_in_modes_is_that_with_a_fine_grid() {
    let struck = |method: LineMethod, oversampling: usize| {
        let mut model = Model::new();
        let bar = model.add(Bar { method, sigma1: 0.0, ..Bar::default() });
        let mass = model.add(Mass { mass: 0.02, velocity: 0.8, position: -1e-4, ..Mass::default() });
        let collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.05, gap: 0.0 };
        model.collide(mass.point(), bar.at(0.42), collision);
        let pickup = model.pickup(bar.at(0.42), Quantity::Displacement);
        let mut simulation = model.compile(RATE * oversampling as f64).unwrap();
        let mut sample = || {
            (0..oversampling).for_each(|_| simulation.step());
            simulation.read(pickup)
        };
        (0..1000).map(|_| sample()).collect::<Vec<f64>>()
    };
    let rms = |sound: &[f64]| (sound.iter().map(|x| x * x).sum::<f64>() / sound.len() as f64).sqrt();
    let reference = struck(LineMethod::Grid, 16);
    let error = |method: LineMethod| {
        let sound = struck(method, 1);
        let difference: Vec<f64> = sound.iter().zip(&reference).map(|(a, b)| a - b).collect();
        rms(&difference) / rms(&reference)
    };
    let (modes, grid) = (error(LineMethod::Modes), error(LineMethod::Grid));
    println!("modes differ by {:.3} %, the grid by {:.3} %", 100.0 * modes, 100.0 * grid);
    assert!(modes < 0.01 && modes < 0.5 * grid, "{modes} and {grid}");
}
