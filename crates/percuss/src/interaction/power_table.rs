//! x^p for one p, from tables, to two units in the last place: with less latency than `powf`, which computes ln x first.
//!
//! Equation    x = 2ᵉ·m, 1 ≤ m < 2, c the nearest of 64 knots to m, r = (m − c)/c;  x^p = 2^{ep}·c^p·(1 + r)^p
//! Series      (1 + r)^p = 1 + pr + p(p−1)/2·r² + …, to r⁶: |r| ≤ 2⁻⁷, so that r⁷ is below rounding
//! Range       2⁻¹⁶⁰ to 2⁴⁰, for 0 ≤ p ≤ 5; `powf` beyond
//! Allocates   only in `new`

/// Knots between 1 and 2, as a power of 2.
const KNOT_BITS: u32 = 6;
const KNOTS: usize = 1 << KNOT_BITS;
/// Bits of a mantissa after the binary point.
const MANTISSA_BITS: u32 = f64::MANTISSA_DIGITS - 1;
/// Range of the exponents e with the bias of 1023, as stored in a number.
const MIN_BIASED_EXPONENT: u64 = 1023 - 160;
const MAX_BIASED_EXPONENT: u64 = 1023 + 40;

/// A knot c, 1/c and c^p.
#[derive(Clone, Copy, Debug)]
struct Knot {
    value: f64,
    inverse: f64,
    power: f64,
}

/// The tables for one p.
#[derive(Clone, Debug)]
pub(crate) struct PowerTable {
    pub exponent: f64,
    /// Coefficients of r to r⁶.
    series: [f64; 6],
    knots: [Knot; KNOTS],
    /// 2^{ep}.
    scales: Vec<f64>,
}

impl PowerTable {
    pub fn new(exponent: f64) -> Self {
        let mut series = [exponent; 6];
        for n in 1..6 {
            series[n] = series[n - 1] * (exponent - n as f64) / (n + 1) as f64;
        }
        let knots = std::array::from_fn(|index| {
            let value = 1.0 + (index as f64 + 0.5) / KNOTS as f64;
            Knot { value, inverse: 1.0 / value, power: value.powf(exponent) }
        });
        let scale = |e: u64| f64::from_bits(e << MANTISSA_BITS).powf(exponent);
        Self { exponent, series, knots, scales: (MIN_BIASED_EXPONENT..=MAX_BIASED_EXPONENT).map(scale).collect() }
    }

    /// x^p for x > 0.
    #[inline]
    pub fn evaluate(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        let Some(&scale) = self.scales.get((bits >> MANTISSA_BITS).wrapping_sub(MIN_BIASED_EXPONENT) as usize) else {
            return x.powf(self.exponent);
        };
        let knot = self.knots[(bits >> (MANTISSA_BITS - KNOT_BITS)) as usize % KNOTS];
        let m = f64::from_bits(bits & ((1 << MANTISSA_BITS) - 1) | 1_f64.to_bits());
        let r = (m - knot.value) * knot.inverse;
        let [a, b, c, d, e, f] = self.series;
        let square = r * r;
        // Grouped so that few operations wait for each other.
        let sum = ((a + b * r) + square * (c + d * r)) + (square * square) * (e + f * r);
        let whole = scale * knot.power;
        whole + (whole * r) * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn powers_are_right_to_two_units_in_the_last_place(exponent in 0.0..4.5, digits in 1.0..2.0, power in -170..50_i32) {
            let x = digits * 2_f64.powi(power);
            let (found, expected) = (PowerTable::new(exponent).evaluate(x), x.powf(exponent));
            prop_assert!((found - expected).abs() <= 2.0 * f64::EPSILON * expected, "{x}^{exponent}: {found} {expected}");
        }
    }

    #[test]
    fn powers_know_where_their_tables_end() {
        let root = PowerTable::new(0.15);
        for x in [f64::MIN_POSITIVE, 1e-310, 2_f64.powi(-160), 2_f64.powi(41), 1e300, 1.0, 2.0 - f64::EPSILON] {
            assert!((root.evaluate(x) / x.powf(0.15) - 1.0).abs() <= 2.0 * f64::EPSILON, "{x:e}");
        }
    }
}
