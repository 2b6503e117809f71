//! Analysis of the motion of a bowed string, from its velocity v = δt·u under the bow.
//!
//! Slip        s = v − v_B. The string is released when |s| exceeds s_g, the slip at which friction is largest, and captured
//!             when |s| falls below ½s_g
//! Period      the lag, within 3 % of that of the first partial, at which the autocorrelation of v is largest;
//!             between samples by parabolic interpolation
//! Helmholtz   the motion is periodic, with one release per period

/// Smallest autocorrelation of a periodic motion.
const MIN_PERIODICITY: f64 = 0.9;
/// Allowed deviation from one slip per period; the analysed span is not a whole number of periods.
const SLIP_COUNT_TOLERANCE: f64 = 0.05;
/// Relative range around the period of the first partial that is searched.
const PERIOD_SEARCH_RANGE: f64 = 0.03;
/// Largest decrease of the velocity from the first to the second half. A string without bow would lose twice as much.
const MAX_AMPLITUDE_LOSS: f64 = 0.01;

/// Properties of the motion.
#[derive(Clone, Copy)]
pub struct BowedMotion {
    /// Period \[s\].
    pub period: f64,
    /// Autocorrelation of the velocity at the period.
    pub periodicity: f64,
    /// Releases per period; 0 if the string never sticks.
    pub slips_per_period: f64,
    /// Relative decrease of the rms velocity from the first half to the second.
    pub amplitude_loss: f64,
}

/// Regimes of bowed motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regime {
    /// One stick and one slip per period.
    Helmholtz,
    /// Periodic with the string, but with several slips per period, hardly any sticking, or a decaying amplitude.
    Slipping,
    /// Not periodic with the string.
    Raucous,
}

impl Regime {
    /// All regimes.
    pub const ALL: [Self; 3] = [Self::Helmholtz, Self::Slipping, Self::Raucous];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Helmholtz => "helmholtz",
            Self::Slipping => "slipping",
            Self::Raucous => "raucous",
        }
    }
}

impl BowedMotion {
    /// Analyses velocities \[m/s\] under a bow with a velocity \[m/s\], the slip of largest friction \[m/s\], and the expected
    /// period \[s\].
    pub fn new(velocity: &[f64], bow: f64, max_friction_slip: f64, expected: f64) -> Self {
        let (lag, periodicity) = find_period(velocity, expected * super::RATE);
        let (first, second) = velocity.split_at(velocity.len() / 2);
        let power = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>() / part.len() as f64;
        Self {
            period: lag / super::RATE,
            periodicity,
            slips_per_period: release_times(velocity, bow, max_friction_slip).len() as f64 * lag
                / velocity.len() as f64,
            amplitude_loss: 1.0 - (power(second) / power(first)).sqrt(),
        }
    }

    /// Regime of the motion.
    pub fn regime(&self) -> Regime {
        if self.periodicity < MIN_PERIODICITY {
            Regime::Raucous
        } else if (self.slips_per_period - 1.0).abs() < SLIP_COUNT_TOLERANCE && self.amplitude_loss < MAX_AMPLITUDE_LOSS
        {
            Regime::Helmholtz
        } else {
            Regime::Slipping
        }
    }
}

/// Lag \[samples\] and value of the largest autocorrelation near a lag.
fn find_period(velocity: &[f64], expected: f64) -> (f64, f64) {
    let mean = velocity.iter().sum::<f64>() / velocity.len() as f64;
    let autocorrelation = |lag: usize| {
        let pairs = velocity.iter().zip(&velocity[lag..]);
        let [xy, xx, yy] = pairs.fold([0.0; 3], |[xy, xx, yy], (x, y)| {
            let (x, y) = (x - mean, y - mean);
            [xy + x * y, xx + x * x, yy + y * y]
        });
        if xx * yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
    };
    let shortest = (expected * (1.0 - PERIOD_SEARCH_RANGE)) as usize;
    let correlations: Vec<f64> =
        (shortest..=(expected * (1.0 + PERIOD_SEARCH_RANGE)) as usize).map(autocorrelation).collect();
    let best =
        (0..correlations.len()).max_by(|&a, &b| correlations[a].total_cmp(&correlations[b])).expect("there are lags");
    let offset = match (best.checked_sub(1).map(|left| correlations[left]), correlations.get(best + 1)) {
        (Some(left), Some(&right)) => 0.5 * (left - right) / (left - 2.0 * correlations[best] + right),
        _ => 0.0,
    };
    ((shortest + best) as f64 + offset, correlations[best])
}

/// Times at which the string is released \[samples\], by linear interpolation.
pub fn release_times(velocity: &[f64], bow: f64, max_friction_slip: f64) -> Vec<f64> {
    let (mut sticks, mut found) = (false, Vec::new());
    for (n, pair) in velocity.windows(2).enumerate() {
        let [before, slip] = [pair[0], pair[1]].map(|v| (v - bow).abs());
        if sticks && slip > max_friction_slip {
            sticks = false;
            found.push(n as f64 + (max_friction_slip - before) / (slip - before));
        } else if slip < 0.5 * max_friction_slip {
            sticks = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of ideal Helmholtz motion that slips for a share of the period.
    fn helmholtz(frequency: f64, share: f64) -> Vec<f64> {
        let at = |n: usize| (n as f64 / super::super::RATE * frequency).fract();
        (0..44_100).map(|n| if at(n) < share { 0.1 - 0.1 / share } else { 0.1 }).collect()
    }

    #[test]
    fn ideal_motions_are_classified() {
        let analyse = |velocity: &[f64]| BowedMotion::new(velocity, 0.1, 0.07, 1.0 / 65.0);
        let once = analyse(&helmholtz(65.4, 0.1));
        assert_eq!(once.regime(), Regime::Helmholtz);
        assert!((1.0 / once.period - 65.4).abs() < 0.02, "{}", 1.0 / once.period);
        let twice = analyse(&helmholtz(130.8, 0.1));
        assert!(
            twice.regime() == Regime::Slipping && (twice.slips_per_period - 2.0).abs() < 0.05,
            "{}",
            twice.slips_per_period
        );
        assert_eq!(analyse(&helmholtz(71.3, 0.1)).regime(), Regime::Raucous);
        let amplitude_loss: Vec<f64> =
            helmholtz(65.4, 0.1).iter().enumerate().map(|(n, v)| v * (-2e-6 * n as f64).exp()).collect();
        assert_eq!(analyse(&amplitude_loss).regime(), Regime::Slipping);
    }
}
