//! Partials of strings, bars and plates by themselves, in continuous time: frequencies, and how strongly σ₁ damps them.
//!
//! Decay       σ = σ₀ + σ₁s, s = ∫φ′²/∫φ². Between simply supported ends, and of flexible strings, s = β², the wave number squared of
//!             the frequency. Other ends change it: the first partial of a free bar has s = 2.2β², that of a clamped one 0.55β²
//! Method      the engine knows the partials in closed form. With losses they are at ω_d² = ω² − σ², so that s follows from the
//!             partials with σ₁ = 0 and with a small σ₁
//! Symbols     φ shape of a mode, ω angular frequency without damping \[1/s\], ω_d with it

use crate::waves::Waves;
use percuss::{Element, End, Method, Model, Plate};
use std::f64::consts::{PI, TAU};

/// Largest partial for which s is computed: beyond it, s/β² tends to 1 as 1/β.
const MAX_PARTIALS: f64 = 40.0;
/// Highest mode of a line that is stepped in its modes, over half the sample rate, with a margin: 0.95 in the engine.
const HIGHEST: f64 = 0.9;
/// σ at the highest partial over its ω: large enough for s to nine digits, small enough for all partials to oscillate.
const TRIAL_LOSS: f64 = 2e-3;

/// A partial.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyPartial {
    /// ω \[1/s\].
    pub omega: f64,
    /// s \[1/m²\].
    pub slope: f64,
}

/// Partials of a string or bar up to a frequency \[Hz\], the losses of the description left out; `None` for all other elements, and
/// where they are not known in closed form.
pub fn of_line(line: &Element, highest: f64) -> Option<Vec<BodyPartial>> {
    let waves = Waves::of(line)?;
    let omega = TAU * highest;
    let sigma1 = TRIAL_LOSS * omega / waves.wave_number_squared(omega);
    let [free, damped] = [0.0, sigma1].map(|sigma1| frequencies(line, sigma1, highest));
    Some(slopes(free?, damped?, sigma1))
}

/// Partials of a plate by itself at a sample rate \[Hz\], its losses and touches left out; `None` where it is stepped on its grid.
pub fn of_plate(plate: &Plate, rate: f64) -> Option<Vec<BodyPartial>> {
    let omega = PI * rate;
    let square = Waves::of(&plate.clone().into())?.wave_number_squared(omega);
    let sigma1 = TRIAL_LOSS * omega / square;
    let frequencies = |sigma1: f64| {
        let mut model = Model::new();
        // What follows from a pitch or decay is the same on all processors.
        model.portable = true;
        let plate = model.add(Plate { sigma0: 0.0, sigma1, touches: Vec::new(), ..plate.clone() });
        model.compile(rate).ok()?.partials(plate)
    };
    Some(slopes(frequencies(0.0)?, frequencies(sigma1)?, sigma1))
}

/// s of partials at frequencies without and with σ₁ \[Hz\].
fn slopes(free: Vec<f64>, damped: Vec<f64>, sigma1: f64) -> Vec<BodyPartial> {
    let partial = |(free, damped): (f64, f64)| {
        let [omega, damped] = [free, damped].map(|frequency| TAU * frequency);
        BodyPartial { omega, slope: ((omega - damped) * (omega + damped)).max(0.0).sqrt() / sigma1 }
    };
    free.into_iter().zip(damped).map(partial).collect()
}

/// The first partial of a string or bar; rigid motions are none.
pub fn first_of_line(line: &Element) -> Option<BodyPartial> {
    let waves = Waves::of(line)?;
    let length = length_and_ends(line)?.0;
    let thickest = if let Element::Bar(bar) = line { bar.profile.thickest() } else { 1.0 };
    let supported = thickest * waves.omega((PI / length).powi(2)) / TAU;
    // Between other ends it is at 0.35 to 2.3 times that of supported ends; thin ends raise it, a thin middle lowers it.
    let (mut highest, most) = (4.0 * supported, 64.0 * supported);
    loop {
        match of_line(line, highest)?.first() {
            None if highest < most => highest *= 4.0,
            first => return first.copied(),
        }
    }
}

/// s at any frequency \[Hz\]: that of the partials, between them by the ratio s/β².
pub(crate) fn slope_at(element: &Element, frequency: f64) -> Option<f64> {
    let waves = Waves::of(element)?;
    let square = |omega: f64| waves.wave_number_squared(omega);
    let omega = TAU * frequency;
    Some(square(omega) * slope_ratio(element, &waves, omega).unwrap_or(1.0))
}

/// s/β² at ω; `None` where it is 1, or not known.
fn slope_ratio(line: &Element, waves: &Waves, omega: f64) -> Option<f64> {
    let (length, ends) = length_and_ends(line)?;
    let is_uniform = !matches!(line, Element::Bar(bar) if !bar.profile.is_uniform());
    if waves.kappa2 == 0.0 || (is_uniform && ends == [End::SimplySupported; 2]) {
        return None;
    }
    let most = waves.omega((MAX_PARTIALS * PI / length).powi(2));
    let first = 4.0 * waves.omega((PI / length).powi(2));
    let partials = of_line(line, (1.5 * omega).clamp(first, most) / TAU)?;
    let ratio = |partial: &BodyPartial| partial.slope / waves.wave_number_squared(partial.omega);
    let next = partials.partition_point(|partial| partial.omega < omega);
    let (below, above) = (partials[..next].last(), partials.get(next));
    match (below, above) {
        (Some(below), Some(above)) => {
            let share = (omega - below.omega) / (above.omega - below.omega);
            Some((1.0 - share) * ratio(below) + share * ratio(above))
        }
        (Some(last), None) => {
            let wave_numbers = [last.omega, omega].map(|omega| waves.wave_number_squared(omega).sqrt());
            Some(1.0 + (ratio(last) - 1.0) * wave_numbers[0] / wave_numbers[1])
        }
        (None, first) => first.map(ratio),
    }
}

fn length_and_ends(line: &Element) -> Option<(f64, [End; 2])> {
    match line {
        Element::String(string) => Some((string.length, string.ends)),
        Element::Bar(bar) => Some((bar.length, bar.ends)),
        _ => None,
    }
}

/// Frequencies of the partials with σ₀ = 0 and a σ₁, up to a highest \[Hz\].
fn frequencies(line: &Element, sigma1: f64, highest: f64) -> Option<Vec<f64>> {
    let mut line = line.clone();
    match &mut line {
        Element::String(string) => {
            (string.sigma0, string.sigma1) = (0.0, sigma1);
            (string.method, string.grid) = (Method::Modes, None);
        }
        Element::Bar(bar) => {
            (bar.sigma0, bar.sigma1) = (0.0, sigma1);
            (bar.method, bar.grid) = (Method::Modes, None);
        }
        _ => return None,
    }
    let mut model = Model::new();
    let line = model.add(line);
    model.compile((2.0 * highest / HIGHEST).clamp(1.0, 1e9)).ok()?.partials(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::{Bar, StiffString};

    /// ∫φ′²/∫φ² of bars, times L²: Blevins (1979), table 8-1, from the constants there.
    #[test]
    fn bars_have_the_known_slopes() {
        use End::{Clamped, Free, SimplySupported};
        for (ends, wave, slope) in [
            ([SimplySupported; 2], PI, PI * PI),
            ([Free; 2], 4.730_040_745, 49.480_9),
            ([Clamped; 2], 4.730_040_745, 12.302_6),
            ([Clamped, Free], 1.875_104_069, 4.647_8),
        ] {
            let bar = Bar { ends, ..Bar::default() };
            let element = Element::from(bar.clone());
            let first = first_of_line(&element).unwrap();
            let kappa = Waves::of(&element).unwrap().kappa2.sqrt();
            let found = (first.omega / kappa).sqrt() * bar.length;
            assert!((found / wave - 1.0).abs() < 1e-9, "{ends:?}: {found}, not {wave}");
            let found = first.slope * bar.length.powi(2);
            assert!((found / slope - 1.0).abs() < 1e-4, "{ends:?}: {found}, not {slope}");
            let at_partial = slope_at(&element, first.omega / TAU).unwrap();
            assert!((at_partial / first.slope - 1.0).abs() < 1e-7, "{ends:?}: {at_partial}, not {}", first.slope);
        }
    }

    #[test]
    fn slope_grows_with_frequency_and_tends_to_the_wave_number_squared() {
        use End::{Clamped, Free, SimplySupported};
        for ends in [[SimplySupported; 2], [Free; 2], [Clamped; 2], [Clamped, Free], [SimplySupported, Free]] {
            let lines: [Element; 2] =
                [Bar { ends, ..Bar::default() }.into(), StiffString { ends, ..StiffString::steel(1e-3) }.into()];
            for line in lines {
                let waves = Waves::of(&line).unwrap();
                let frequencies: Vec<f64> = (0..60).map(|n| 10.0 * 1.15_f64.powi(n)).collect();
                let slopes: Vec<f64> = frequencies.iter().map(|&f| slope_at(&line, f).unwrap()).collect();
                assert!(slopes.is_sorted(), "{ends:?}: {slopes:?}");
                let ratio = slope_at(&line, 1e7).unwrap() / waves.wave_number_squared(TAU * 1e7);
                assert!((ratio - 1.0).abs() < 0.02, "{ends:?}: {ratio}");
            }
        }
    }
}
