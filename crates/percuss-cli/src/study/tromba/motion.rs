//! What a string does under a bow, judged by its velocity v = δt·u there, which is what friction sees.
//!
//! Slip        s = v − v_B. The string lets go of the bow when |s| exceeds s_g, the slip at which friction is largest, and
//!             is caught when |s| falls below ½s_g
//! Period      the lag, within 3 % of that of the first partial, at which the autocorrelation of v is largest;
//!             between samples by a parabola
//! Helmholtz   the motion repeats, and the string lets go once in each period

/// Least autocorrelation of a motion that repeats.
const REPEATS: f64 = 0.9;
/// How far the number of slips may be from one a period: the span judged is no whole number of periods.
const ONE_SLIP: f64 = 0.05;
/// How far from the first partial a period is looked for.
const SEARCH: f64 = 0.03;
/// How much weaker the second half of what is judged may be. A string left alone would lose twice as much.
const FADING: f64 = 0.01;

/// What was found.
#[derive(Clone, Copy)]
pub struct Motion {
    /// \[s\].
    pub period: f64,
    /// Autocorrelation of the velocity at that lag.
    pub periodicity: f64,
    /// How often the string lets go of the bow in a period; 0 where it is never held.
    pub slips: f64,
    /// By how much the velocity of the second half is below that of the first, as a share.
    pub fading: f64,
}

/// Kinds of motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regime {
    /// One stick and one slip in each period.
    Helmholtz,
    /// Periodic with the string, but with several slips in a period, or hardly held at all, or dying away.
    Slipping,
    /// Not periodic with the string.
    Raucous,
}

impl Regime {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Helmholtz, Self::Slipping, Self::Raucous];

    /// In tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Helmholtz => "helmholtz",
            Self::Slipping => "slipping",
            Self::Raucous => "raucous",
        }
    }
}

impl Motion {
    /// Judges velocities \[m/s\] under a bow, with the slip at which it grips best and the period expected \[s\].
    pub fn new(velocity: &[f64], bow: f64, grip: f64, expected: f64) -> Self {
        let (lag, periodicity) = period(velocity, expected * super::RATE);
        let (first, second) = velocity.split_at(velocity.len() / 2);
        let power = |part: &[f64]| part.iter().map(|v| v * v).sum::<f64>() / part.len() as f64;
        Self {
            period: lag / super::RATE,
            periodicity,
            slips: let_goes(velocity, bow, grip).len() as f64 * lag / velocity.len() as f64,
            fading: 1.0 - (power(second) / power(first)).sqrt(),
        }
    }

    /// Which kind it is.
    pub fn regime(&self) -> Regime {
        if self.periodicity < REPEATS {
            Regime::Raucous
        } else if (self.slips - 1.0).abs() < ONE_SLIP && self.fading < FADING {
            Regime::Helmholtz
        } else {
            Regime::Slipping
        }
    }
}

/// Lag \[samples\] and height of the largest autocorrelation near a lag.
fn period(velocity: &[f64], expected: f64) -> (f64, f64) {
    let mean = velocity.iter().sum::<f64>() / velocity.len() as f64;
    let likeness = |lag: usize| {
        let pairs = velocity.iter().zip(&velocity[lag..]);
        let [xy, xx, yy] = pairs.fold([0.0; 3], |[xy, xx, yy], (x, y)| {
            let (x, y) = (x - mean, y - mean);
            [xy + x * y, xx + x * x, yy + y * y]
        });
        if xx * yy > 0.0 { xy / (xx * yy).sqrt() } else { 0.0 }
    };
    let shortest = (expected * (1.0 - SEARCH)) as usize;
    let heights: Vec<f64> = (shortest..=(expected * (1.0 + SEARCH)) as usize).map(likeness).collect();
    let best = (0..heights.len()).max_by(|&a, &b| heights[a].total_cmp(&heights[b])).expect("there are lags");
    let bend = match (best.checked_sub(1).map(|left| heights[left]), heights.get(best + 1)) {
        (Some(left), Some(&right)) => 0.5 * (left - right) / (left - 2.0 * heights[best] + right),
        _ => 0.0,
    };
    ((shortest + best) as f64 + bend, heights[best])
}

/// Where the string lets go of the bow \[samples\], between samples by a straight line.
pub fn let_goes(velocity: &[f64], bow: f64, grip: f64) -> Vec<f64> {
    let (mut held, mut found) = (false, Vec::new());
    for (n, pair) in velocity.windows(2).enumerate() {
        let [before, slip] = [pair[0], pair[1]].map(|v| (v - bow).abs());
        if held && slip > grip {
            held = false;
            found.push(n as f64 + (grip - before) / (slip - before));
        } else if slip < 0.5 * grip {
            held = true;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second of Helmholtz motion: slip for a share of the period.
    fn helmholtz(frequency: f64, share: f64) -> Vec<f64> {
        let at = |n: usize| (n as f64 / super::super::RATE * frequency).fract();
        (0..44_100).map(|n| if at(n) < share { 0.1 - 0.1 / share } else { 0.1 }).collect()
    }

    #[test]
    fn ideal_motions_are_told_apart() {
        let judge = |velocity: &[f64]| Motion::new(velocity, 0.1, 0.07, 1.0 / 65.0);
        let once = judge(&helmholtz(65.4, 0.1));
        assert_eq!(once.regime(), Regime::Helmholtz);
        assert!((1.0 / once.period - 65.4).abs() < 0.02, "{}", 1.0 / once.period);
        let twice = judge(&helmholtz(130.8, 0.1));
        assert!(twice.regime() == Regime::Slipping && (twice.slips - 2.0).abs() < 0.05, "{}", twice.slips);
        assert_eq!(judge(&helmholtz(71.3, 0.1)).regime(), Regime::Raucous);
        let fading: Vec<f64> =
            helmholtz(65.4, 0.1).iter().enumerate().map(|(n, v)| v * (-2e-6 * n as f64).exp()).collect();
        assert_eq!(judge(&fading).regime(), Regime::Slipping);
    }
}
