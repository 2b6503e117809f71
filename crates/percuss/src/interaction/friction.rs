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

    /// The same as `at`, from a slip nearby where that spares an exponential: r = r₀·e^z, z = −a(v − v₀)(v + v₀).
    #[inline(always)]
    pub fn near(&self, known: SlipSample, v: f64) -> SlipSample {
        if let Self::Exponential { sharpness, .. } = *self {
            let z = -sharpness * (v - known.v) * (v + known.v);
            if z.abs() <= MAX_SERIES_EXPONENT && known.r > 0.0 {
                return exponential_sample(sharpness, v, known.r * exp_series(z));
            }
        }
        self.at(v)
    }

    /// φ(v)/v and its derivatives at a slip.
    #[inline(never)]
    pub fn at(&self, v: f64) -> SlipSample {
        match *self {
            Self::Exponential { sharpness, .. } => exponential_sample(sharpness, v, self.resistance(v)),
            Self::Stribeck { sliding, sticking, velocity, creep } => {
                // r·w = μ with w² = v² + ε², differentiated.
                let (inverse, rate) = (1.0 / v.hypot(creep), 2.0 / (velocity * velocity));
                let mu = stribeck(sliding, sticking, velocity, v);
                let excess = mu - sliding;
                let (w1, narrow) = (v * inverse, (creep * inverse).powi(2));
                let (w2, w3) = (narrow * inverse, -3.0 * narrow * w1 * inverse * inverse);
                let r = mu * inverse;
                let slope = (-rate * v * excess - r * w1) * inverse;
                let curvature = (rate * (rate * v * v - 1.0) * excess - 2.0 * slope * w1 - r * w2) * inverse;
                let mu_third_derivative = rate * rate * v * (3.0 - rate * v * v) * excess;
                let third_derivative = (mu_third_derivative - 3.0 * (curvature * w1 + slope * w2) - r * w3) * inverse;
                SlipSample { v, r, slope, curvature, third_derivative }
            }
        }
    }

    /// The slip v with v + b·φ(v) = `free` nearest to a guess, and φ(v)/v there.
    ///
    /// v ← free/(1 + bφ(v)/v) converges to that solution from one side. Householder's step replaces it where the rise of the left
    /// side changes little over the step, and a Newton step where it does not overshoot.
    #[inline(always)]
    pub fn solve_slip(&self, free: f64, b: f64, guess: SlipSample) -> SlipSample {
        // The solution lies between 0 and `free`.
        let is_inside = free.min(0.0) <= guess.v && guess.v <= free.max(0.0);
        let householder = HouseholderStep::new(guess, free, b);
        if is_inside && self.is_last(guess.v, &householder) {
            return self.after_last_step(guess, householder.step);
        }
        self.iterate_slip(free, b, guess)
    }

    /// Not inlined: most slips are found in one step.
    #[inline(never)]
    fn iterate_slip(&self, free: f64, b: f64, guess: SlipSample) -> SlipSample {
        let inside = guess.v.clamp(free.min(0.0), free.max(0.0));
        let mut at = if inside == guess.v { guess } else { self.near(guess, inside) };
        for _ in 0..MAX_ITERATIONS {
            let householder = HouseholderStep::new(at, free, b);
            if self.is_last(at.v, &householder) {
                return self.after_last_step(at, householder.step);
            }
            let HouseholderStep { residual, rise, step, .. } = householder;
            if rise > 0.0 {
                if householder.is_nearly_straight(MAX_RISE_CHANGE) && self.is_short_step(at.v, step, MAX_STEP) {
                    at = self.near(at, at.v + step);
                    continue;
                }
                let there = self.near(at, at.v - residual / rise);
                if (there.v * (1.0 + b * there.r) - free) * residual > 0.0 {
                    at = there;
                    continue;
                }
            }
            let next = free / (1.0 + b * at.r);
            if (next - at.v).abs() <= TOLERANCE * free.abs() {
                return at;
            }
            at = self.near(at, next);
        }
        at
    }

    /// Whether a step leads to the solution.
    #[inline(always)]
    fn is_last(&self, v: f64, householder: &HouseholderStep) -> bool {
        let widths = match self {
            Self::Exponential { .. } => MAX_LAST_STEP,
            Self::Stribeck { .. } => MAX_SERIES_STEP,
        };
        householder.rise > 0.0
            && householder.is_nearly_straight(MAX_LAST_RISE_CHANGE)
            && self.is_short_step(v, householder.step, widths)
    }

    /// The curve after a step that is the last, without its exponential.
    #[inline(always)]
    fn after_last_step(&self, at: SlipSample, step: f64) -> SlipSample {
        match self {
            Self::Exponential { .. } => self.near(at, at.v + step),
            Self::Stribeck { .. } => at.extrapolated(step),
        }
    }

    /// Whether a step is up to `widths` times the narrowest feature of the curve at v.
    #[inline(always)]
    fn is_short_step(&self, v: f64, step: f64, widths: f64) -> bool {
        let square = step * step;
        match *self {
            Self::Exponential { sharpness, .. } => {
                sharpness * square * (1.0 + 4.0 * sharpness * v * v) <= widths * widths
            }
            Self::Stribeck { velocity, creep, .. } => {
                square <= widths * widths * (velocity * velocity).min(creep * creep + v * v)
            }
        }
    }
}

/// Largest |z| for which the series of e^z leaves out less than rounding.
const MAX_SERIES_EXPONENT: f64 = 0.04;

/// e^z to z⁷.
#[inline(always)]
fn exp_series(z: f64) -> f64 {
    let square = z * z;
    let low = (1.0 + z) + square * (0.5 + z * (1.0 / 6.0));
    let high = (1.0 / 24.0 + z * (1.0 / 120.0)) + square * (1.0 / 720.0 + z * (1.0 / 5040.0));
    low + square * square * high
}

/// The exponential curve at v, where its resistance is r: r′ = −2av·r, differentiated.
#[inline(always)]
fn exponential_sample(sharpness: f64, v: f64, r: f64) -> SlipSample {
    let rate = -2.0 * sharpness;
    let slope = rate * v * r;
    let curvature = rate * (r + v * slope);
    SlipSample { v, r, slope, curvature, third_derivative: rate * (2.0 * slope + v * curvature) }
}

/// A slip v \[m/s\], r = φ(v)/v \[s/m\] there and its derivatives by v.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SlipSample {
    pub v: f64,
    pub r: f64,
    slope: f64,
    curvature: f64,
    third_derivative: f64,
}

impl SlipSample {
    /// The slip and its resistance after a short step, by their series.
    #[inline(always)]
    fn extrapolated(self, step: f64) -> Self {
        let Self { v, r, slope, curvature, third_derivative } = self;
        Self {
            v: v + step,
            r: ((r + step * slope) + step * step * (0.5 * curvature + step * (third_derivative * (1.0 / 6.0))))
                .max(0.0),
            slope: slope + step * (curvature + step * 0.5 * third_derivative),
            curvature: curvature + step * third_derivative,
            third_derivative,
        }
    }
}

/// A step from a slip towards the one with v + b·φ(v) = `free`: Householder's of third order (1970),
/// −f(f′² − c)/(f′(f′² − 2c) + e) with c = ff″/2 and e = f²f‴/6 for the root of f = v + bφ(v) − `free`.
struct HouseholderStep {
    /// f.
    residual: f64,
    /// f′: not above 1 + br, since r falls with |v|, so that a Newton step is never shorter than one of the fixed-point iteration.
    rise: f64,
    /// c and e: over a Newton step the rise changes by about c/f′² and e/f′³ of itself.
    rise_changes: [f64; 2],
    step: f64,
}

impl HouseholderStep {
    #[inline(always)]
    fn new(at: SlipSample, free: f64, b: f64) -> Self {
        let SlipSample { v, r, slope, curvature, third_derivative } = at;
        let residual = v * (1.0 + b * r) - free;
        let rise = 1.0 + b * (r + v * slope);
        let c = residual * (0.5 * b * (2.0 * slope + v * curvature));
        let e = residual * residual * (b * (1.0 / 6.0) * (3.0 * curvature + v * third_derivative));
        let square = rise * rise;
        let step = -residual * (square - c) / (rise * (square - 2.0 * c) + e);
        Self { residual, rise, rise_changes: [c, e], step }
    }

    /// Whether the rise changes by no more than a share over the step.
    #[inline(always)]
    fn is_nearly_straight(&self, most: f64) -> bool {
        let [c, e] = self.rise_changes;
        let limit = most * self.rise * self.rise;
        c.abs() <= limit && e.abs() <= limit * self.rise
    }
}

/// Most iterations.
const MAX_ITERATIONS: usize = 100;
/// Relative tolerance of the slip.
const TOLERANCE: f64 = 1e-10;
/// Longest last step, in widths of the curve, and where a series of third order takes the place of the curve.
const MAX_LAST_STEP: f64 = 2e-2;
const MAX_SERIES_STEP: f64 = 2e-3;
/// Largest relative change of the rise over the last step, half of it. Near a tangent it is large.
const MAX_LAST_RISE_CHANGE: f64 = 2e-3;
/// The same for a step that is not the last.
const MAX_STEP: f64 = 0.1;
const MAX_RISE_CHANGE: f64 = 0.1;

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
        fn derivatives_of_the_resistance_are_those_of_differences(curve in curve(), widths in -5.0..5.0) {
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
            prop_assert!((at.curvature - (after.slope - before.slope) / (2.0 * h)).abs() <= 1e-7 * size / h);
            let third_derivative = (after.curvature - before.curvature) / (2.0 * h);
            prop_assert!((at.third_derivative - third_derivative).abs() <= 1e-7 * size / (h * h));
        }

        #[test]
        fn the_slip_found_is_the_solution_next_to_the_guess(
            curve in curve(), free in -2.0..2.0, power in -4.0..4.0, guess in -2.0..2.0,
        ) {
            let b = 10_f64.powf(power);
            let found = curve.solve_slip(free, b, curve.at(guess)).v;
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
