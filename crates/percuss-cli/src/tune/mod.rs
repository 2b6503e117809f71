//! Changes undercuts of a bar, or patches of a plate or membrane, until its partials have given ratios.
//!
//! Unknowns    depth and width of every undercut; radius and surface density of every patch around the centre
//! Wanted      1200·log₂(f_i/f_1) of the first partials that differ, in rising order
//! Method      least squares by Levenberg and Marquardt from several starts, derivatives by differences (`least_squares`)
//! Partials    those that the engine states for the body by itself

pub mod least_squares;
mod unknowns;

pub use unknowns::Unknowns;

use least_squares::minimise;
use percuss::{Element, Method, Model};

/// Partials closer than this are one: the two directions of a mode of a round plate.
const SAME: f64 = 1e-6;
/// Sample rate at which partials are asked for, over the highest of them.
const RATE_PER_PARTIAL: f64 = 2.6;
/// First rate \[Hz\], and the highest.
const FIRST_RATE: f64 = 4000.0;
const MAX_RATE: f64 = 1e7;
/// Accuracy that ends the search \[cents\].
const CLOSE: f64 = 1e-3;

/// A body with unknowns that were found.
#[derive(Clone, Debug)]
pub struct TunedBody {
    /// Its unknowns.
    pub unknowns: Unknowns,
    /// Distance of every partial from what was wanted \[cents\].
    pub cents: Vec<f64>,
}

/// The first `count` partials of an element by itself that differ \[Hz\]; `None` where it has not so many, or they are not known.
pub fn partials(element: &Element, count: usize) -> Option<Vec<f64>> {
    let mut alone = element.clone();
    match &mut alone {
        Element::Bar(bar) => (bar.method, bar.grid) = (Method::Modes, None),
        Element::Plate(plate) => {
            (plate.method, plate.grid) = (Method::Modes, None);
            plate.touches.clear();
        }
        _ => return None,
    }
    let mut rate = FIRST_RATE;
    while rate < MAX_RATE {
        let mut model = Model::new();
        let id = model.add(alone.clone());
        let mut found = model.compile(rate).ok().and_then(|simulation| simulation.partials(id)).unwrap_or_default();
        found.dedup_by(|next, previous| *next < *previous * (1.0 + SAME));
        if found.len() >= count {
            found.truncate(count);
            return Some(found);
        }
        // Of a body with few partials below this rate the first tells where others are.
        rate = found.first().map_or(2.0 * rate, |first| (2.0 * rate).max(RATE_PER_PARTIAL * first));
    }
    None
}

/// Distance of partials from ratios \[cents\].
pub fn distances(partials: &[f64], ratios: &[f64]) -> Vec<f64> {
    let distance = |(partial, ratio): (&f64, &f64)| 1200.0 * (partial / partials[0] / (ratio / ratios[0])).log2();
    partials.iter().zip(ratios).map(distance).collect()
}

/// The largest distance \[cents\].
pub fn worst(cents: &[f64]) -> f64 {
    cents.iter().fold(0.0, |worst, cents| worst.max(cents.abs()))
}

/// The unknowns of a body with which its partials come closest to ratios; `None` where its partials are not known.
pub fn tune(element: &Element, ratios: &[f64]) -> Option<TunedBody> {
    let mut best: Option<TunedBody> = None;
    for start in Unknowns::starts(element, ratios.len() - 1) {
        let residuals = |values: &[f64]| {
            let found = partials(&start.with(values).apply(element), ratios.len())?;
            Some(distances(&found, ratios).split_off(1))
        };
        let Some((values, _)) = minimise(start.values(), residuals) else { continue };
        let unknowns = start.with(&values).rounded();
        let Some(found) = partials(&unknowns.apply(element), ratios.len()) else { continue };
        let cents = distances(&found, ratios);
        if best.as_ref().is_none_or(|best| worst(&cents) < worst(&best.cents)) {
            best = Some(TunedBody { unknowns, cents });
        }
        if best.as_ref().is_some_and(|best| worst(&best.cents) < CLOSE) {
            break;
        }
    }
    best
}
