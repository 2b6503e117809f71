//! One period of a motion in which a string lets go of the bow once, the mean of many.
//!
//! Period      from one place where the string lets go of the bow to the next
//! Roughness   root mean square of what periods differ from their mean by, over that of the mean
//! Error       the same of the difference to another wave, shifted to where they agree best: where a string
//!             lets go is found only to a fraction of a sample

use super::RATE;
use super::motion::let_goes;

/// Points in a period.
const POINTS: usize = 1024;
/// Most points by which waves are shifted to match.
const SHIFT: usize = 16;

/// A mean period.
pub struct Wave {
    /// Its length \[s\].
    pub period: f64,
    /// Velocity \[m/s\], at even steps.
    pub points: Vec<f64>,
    /// How much periods differ.
    pub roughness: f64,
}

impl Wave {
    /// The mean period of velocities \[m/s\] at 44.1 kHz under a bow, of which there must be one at least.
    pub fn new(velocity: &[f64], bow: f64, grip: f64) -> Self {
        let onsets = let_goes(velocity, bow, grip);
        let count = onsets.len() - 1;
        let at = |place: f64| {
            let (whole, part) = (place as usize, place.fract());
            velocity[whole] + part * (velocity[(whole + 1).min(velocity.len() - 1)] - velocity[whole])
        };
        let periods: Vec<Vec<f64>> = onsets
            .windows(2)
            .map(|span| (0..POINTS).map(|i| at(span[0] + (span[1] - span[0]) * i as f64 / POINTS as f64)).collect())
            .collect();
        let points: Vec<f64> =
            (0..POINTS).map(|i| periods.iter().map(|period| period[i]).sum::<f64>() / count as f64).collect();
        let strayed = periods.iter().map(|period| difference(period, &points, 0).powi(2)).sum::<f64>() / count as f64;
        Self {
            period: (onsets[count] - onsets[0]) / count as f64 / RATE,
            roughness: strayed.sqrt() / size(&points),
            points,
        }
    }

    /// How far it is from another.
    pub fn error(&self, other: &Self) -> f64 {
        let shifts = (0..=SHIFT).flat_map(|shift| [shift, POINTS - shift]);
        let least = shifts.map(|shift| difference(&self.points, &other.points, shift)).fold(f64::INFINITY, f64::min);
        least / size(&other.points)
    }
}

/// Root mean square.
fn size(points: &[f64]) -> f64 {
    (points.iter().map(|x| x * x).sum::<f64>() / points.len() as f64).sqrt()
}

/// That of the difference of two waves, the second shifted round.
fn difference(a: &[f64], b: &[f64], shift: usize) -> f64 {
    let shifted = b.iter().cycle().skip(shift % b.len());
    size(&a.iter().zip(shifted).map(|(x, y)| x - y).collect::<Vec<f64>>())
}
