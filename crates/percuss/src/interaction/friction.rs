//! Dry friction as a resistance: f = r(v)·v with r = F·φ(v)/v ≥ 0, so that it is always passive.
//!
//! Exponential   r = F√(2a)·exp(½ − av²)
//! Stribeck      r = F(μ_C + (μ_S − μ_C)exp(−(v/v_S)²))/√(v² + ε²)
//! Symbols       F force of the bow \[N\], v slip \[m/s\]
//! Both decrease with |v|, so that the fixed-point iteration of the slip converges monotonically to the nearest solution.
//! Reference     Bilbao (2009), ch. 4; Serafin (2004)

/// A friction curve without memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FrictionCurve {
    /// `peak` = √(2a)·e^½ \[s/m\].
    Exponential {
        sharpness: f64,
        peak: f64,
    },
    Stribeck {
        sliding: f64,
        sticking: f64,
        velocity: f64,
        creep: f64,
    },
}

impl FrictionCurve {
    pub fn exponential(sharpness: f64) -> Self {
        Self::Exponential { sharpness, peak: (2.0 * sharpness).sqrt() * 0.5_f64.exp() }
    }

    /// φ(v)/v \[s/m\].
    #[inline]
    pub fn resistance(&self, v: f64) -> f64 {
        match *self {
            Self::Exponential { sharpness, peak } => peak * (-sharpness * v * v).exp(),
            Self::Stribeck { sliding, sticking, velocity, creep } => {
                stribeck(sliding, sticking, velocity, v) / v.hypot(creep)
            }
        }
    }
}

impl FrictionCurve {
    /// φ(v)/v \[s/m\] and its derivative \[s²/m²\].
    fn resistance_and_slope(&self, v: f64) -> (f64, f64) {
        match *self {
            Self::Exponential { sharpness, .. } => {
                let resistance = self.resistance(v);
                (resistance, -2.0 * sharpness * v * resistance)
            }
            Self::Stribeck { sliding, sticking, velocity, creep } => {
                let width = v.hypot(creep);
                let mu = stribeck(sliding, sticking, velocity, v);
                let fall = 2.0 * v / (velocity * velocity) * (mu - sliding);
                (mu / width, -(fall + mu * v / (width * width)) / width)
            }
        }
    }

    /// The slip v with v + b·φ(v) = `free` nearest to a guess, and φ(v)/v there.
    ///
    /// v ← free/(1 + bφ(v)/v) converges to that solution from one side. A Newton step, which is longer, replaces it where it does
    /// not overshoot. A short Newton step is the last one, corrected for the curvature (Halley's step).
    pub fn slip(&self, free: f64, b: f64, guess: Slip) -> Slip {
        // The solution lies between 0 and `free`.
        let inside = guess.v.clamp(free.min(0.0), free.max(0.0));
        let mut at = if inside == guess.v { guess } else { self.at(inside) };
        for _ in 0..MOST_STEPS {
            let miss = at.v * (1.0 + b * at.r) - free;
            // Not above 1 + br, since r falls with |v|: a Newton step is never shorter than the other.
            let rise = 1.0 + b * (at.r + at.v * at.slope);
            if rise > 0.0 {
                let newton = at.v - miss / rise;
                if (newton - at.v).abs() <= LAST_STEP * free.abs() {
                    let bend = b * (2.0 * at.slope + at.v * self.curvature(at));
                    let correction = 0.5 * miss * bend / (rise * rise);
                    // Near a tangent the curvature is large: then the Newton steps go on.
                    if correction.abs() <= MOST_CORRECTION {
                        let last = at.v + (newton - at.v) / (1.0 - correction);
                        // r is chosen to yield this slip.
                        let r = (free - last) / (b * last);
                        return if r >= 0.0 && r.is_finite() { Slip { v: last, r, ..at } } else { at };
                    }
                }
                let there = self.at(newton);
                if (there.v * (1.0 + b * there.r) - free) * miss > 0.0 {
                    at = there;
                    continue;
                }
            }
            let next = free / (1.0 + b * at.r);
            if (next - at.v).abs() <= TOLERANCE * free.abs() {
                return at;
            }
            at = self.at(next);
        }
        at
    }

    /// Second derivative of φ(v)/v \[s³/m³\].
    fn curvature(&self, at: Slip) -> f64 {
        match *self {
            Self::Exponential { sharpness, .. } => -2.0 * sharpness * (at.r + at.v * at.slope),
            Self::Stribeck { sliding, sticking, velocity, creep } => {
                let (v, width) = (at.v, at.v.hypot(creep));
                let rate = 2.0 / (velocity * velocity);
                let excess = stribeck(sliding, sticking, velocity, v) - sliding;
                // r·w = μ, differentiated twice.
                let mu_bend = rate * (rate * v * v - 1.0) * excess;
                (mu_bend - 2.0 * at.slope * v / width - at.r * (creep / width).powi(2) / width) / width
            }
        }
    }

    /// φ(v)/v and its derivative at a slip.
    #[inline]
    pub fn at(&self, v: f64) -> Slip {
        let (r, slope) = self.resistance_and_slope(v);
        Slip { v, r, slope }
    }
}

/// A slip v \[m/s\], r = φ(v)/v \[s/m\] there and dr/dv.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slip {
    pub v: f64,
    pub r: f64,
    slope: f64,
}

/// Most iterations.
const MOST_STEPS: usize = 100;
/// Relative tolerance of the slip.
const TOLERANCE: f64 = 1e-10;
/// Relative size of a Newton step that is the last one: the error of Halley's step is of third order.
const LAST_STEP: f64 = 5e-5;
/// Largest share of that step by which the curvature may correct it: the error is of the order of its square.
const MOST_CORRECTION: f64 = 1e-2;

/// μ(v) = μ_C + (μ_S − μ_C)·exp(−(v/v_S)²).
#[inline]
pub(crate) fn stribeck(sliding: f64, sticking: f64, velocity: f64, v: f64) -> f64 {
    sliding + (sticking - sliding) * (-(v / velocity).powi(2)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn curve() -> impl Strategy<Value = FrictionCurve> {
        prop_oneof![
            (0.0..5.0).prop_map(|power| FrictionCurve::exponential(10_f64.powf(power))),
            (0.1..0.5, 0.5..1.2, 0.01..0.3, -5.0..-1.0).prop_map(|(sliding, sticking, velocity, creep)| {
                FrictionCurve::Stribeck { sliding, sticking, velocity, creep: 10_f64.powf(creep) }
            }),
        ]
    }

    proptest! {
        #[test]
        fn slope_and_curvature_are_derivatives_of_the_resistance(curve in curve(), widths in -5.0..5.0) {
            // Its width and its narrowest feature.
            let (width, narrowest) = match curve {
                FrictionCurve::Exponential { sharpness, .. } => (1.0 / sharpness.sqrt(), 1.0 / sharpness.sqrt()),
                FrictionCurve::Stribeck { creep, velocity, .. } => (velocity, creep.min(velocity)),
            };
            let (v, h) = (widths * width, 1e-4 * narrowest);
            let at = curve.at(v);
            let [before, after] = [curve.at(v - h), curve.at(v + h)];
            let size = at.r.abs() / h;
            prop_assert!((at.slope - (after.r - before.r) / (2.0 * h)).abs() <= 1e-7 * size);
            prop_assert!((curve.curvature(at) - (after.slope - before.slope) / (2.0 * h)).abs() <= 1e-7 * size / h);
        }

        #[test]
        fn the_slip_found_is_the_solution_next_to_the_guess(
            curve in curve(), free in -2.0..2.0, power in -4.0..4.0, guess in -2.0..2.0,
        ) {
            let b = 10_f64.powf(power);
            let found = curve.slip(free, b, curve.at(guess)).v;
            let map = |v: f64| free / (1.0 + b * curve.resistance(v));
            // What the map that never overshoots comes to, however long it takes.
            let mut slow = guess.clamp(free.min(0.0), free.max(0.0));
            for _ in 0..200_000 {
                slow = map(slow);
            }
            let missed = (map(found) - found).abs();
            prop_assert!(missed <= 1e-3 * free.abs(), "{found} {}", map(found));
            // Where the map hardly moves, at a tangent, neither comes to an end.
            let ended = (map(slow) - slow).abs() <= 1e-13 * free.abs() && missed <= 1e-10 * free.abs();
            prop_assert!(!ended || (found - slow).abs() <= 1e-5 * free.abs(), "{found} {slow}");
        }
    }
}
