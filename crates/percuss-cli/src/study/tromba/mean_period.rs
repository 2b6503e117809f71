//! Mean period of a motion with one release per period.
//!
//! Period      from one release of the string to the next
//! Variation   rms difference of the periods from their mean, over the rms of the mean
//! Error       rms difference from another mean period over its rms, at the shift with the smallest difference, since the
//!             release time is known to a fraction of a sample only

use super::RATE;
use super::motion::release_times;

/// Points per period.
const POINTS_PER_PERIOD: usize = 1024;
/// Largest shift in points.
const MAX_SHIFT: usize = 16;

/// Mean period of a velocity.
pub struct MeanPeriod {
    /// Length \[s\].
    pub period: f64,
    /// Velocity \[m/s\] at evenly spaced points.
    pub points: Vec<f64>,
    /// Variation of the periods.
    pub variation: f64,
}

impl MeanPeriod {
    /// Mean period of velocities \[m/s\] at 44.1 kHz under a bow; there must be at least one period.
    pub fn new(velocity: &[f64], bow: f64, max_friction_slip: f64) -> Self {
        let onsets = release_times(velocity, bow, max_friction_slip);
        let count = onsets.len() - 1;
        let at = |place: f64| {
            let (whole, part) = (place as usize, place.fract());
            velocity[whole] + part * (velocity[(whole + 1).min(velocity.len() - 1)] - velocity[whole])
        };
        let periods: Vec<Vec<f64>> = onsets
            .windows(2)
            .map(|span| {
                (0..POINTS_PER_PERIOD)
                    .map(|i| at(span[0] + (span[1] - span[0]) * i as f64 / POINTS_PER_PERIOD as f64))
                    .collect()
            })
            .collect();
        let points: Vec<f64> = (0..POINTS_PER_PERIOD)
            .map(|i| periods.iter().map(|period| period[i]).sum::<f64>() / count as f64)
            .collect();
        let mean_square =
            periods.iter().map(|period| rms_difference(period, &points, 0).powi(2)).sum::<f64>() / count as f64;
        Self {
            period: (onsets[count] - onsets[0]) / count as f64 / RATE,
            variation: mean_square.sqrt() / rms(&points),
            points,
        }
    }

    /// Difference from another mean period.
    pub fn error(&self, other: &Self) -> f64 {
        let shifts = (0..=MAX_SHIFT).flat_map(|shift| [shift, POINTS_PER_PERIOD - shift]);
        let least =
            shifts.map(|shift| rms_difference(&self.points, &other.points, shift)).fold(f64::INFINITY, f64::min);
        least / rms(&other.points)
    }
}

/// Root mean square.
fn rms(points: &[f64]) -> f64 {
    (points.iter().map(|x| x * x).sum::<f64>() / points.len() as f64).sqrt()
}

/// Rms difference of two periods, the second shifted cyclically.
fn rms_difference(a: &[f64], b: &[f64], shift: usize) -> f64 {
    let shifted = b.iter().cycle().skip(shift % b.len());
    rms(&a.iter().zip(shifted).map(|(x, y)| x - y).collect::<Vec<f64>>())
}
