//! Loss of a Hunt–Crossley contact in closed form, along the exact trajectory of an impact.
//!
//! Equation    m v̇ = −φ′(x)(1 + μv) conserves φ + m(y − ln(1+y))/μ², y = μv
//! Loss        an impulse J that changes the velocity from v to v⁺ dissipates J/μ times the mean of y²/(1+y) between y and y⁺,
//!             independent of potential and duration
//! Mean        of an interval of width Δ about ȳ, with q = Δ/2(1+ȳ): (ȳ² + atanh(q)/q − 1)/(1+ȳ); infinite for q ≥ 1,
//!             where bodies would part faster than 1/μ
//! Exit        y − ln(1+y) = c has one root −1 < y ≤ 0: the velocity after release
//! Symbols     v velocity of compression \[m/s\], μ loss \[s/m\], φ potential \[J\]
//! Allocates   no
//! Reference   Papetti, Avanzini and Rocchesso (2010), eqs. 3–7, where x(v) follows from the same invariant

/// Mean of y²/(1+y) over an interval about `middle`, of width `width` ≥ 0; infinite where it reaches −1.
#[inline(always)]
pub(crate) fn mean_loss(middle: f64, width: f64) -> f64 {
    let whole = 1.0 + middle;
    let inverse = 1.0 / whole;
    let q = 0.5 * width * inverse;
    if !(q < 1.0 && whole > 0.0) {
        return f64::INFINITY;
    }
    (middle * middle + atanh_excess(q)) * inverse
}

/// atanh(q)/q − 1.
#[inline(always)]
fn atanh_excess(q: f64) -> f64 {
    let square = q * q;
    if square < 1e-5 {
        square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0)))
    } else if square < 1e-2 {
        // q²/3 + q⁴/5 + …: eight terms reach rounding at 0.1.
        let high = 1.0 / 11.0 + square * (1.0 / 13.0 + square * (1.0 / 15.0 + square * (1.0 / 17.0)));
        square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0 + square * high))))
    } else {
        large_atanh_excess(q)
    }
}

#[cold]
fn large_atanh_excess(q: f64) -> f64 {
    q.atanh() / q - 1.0
}

/// (y − ln(1+y))/y², smooth through ½ at 0.
pub(crate) fn log_remainder(y: f64) -> f64 {
    // ½ − y/3 + y²/4 − …: 9 terms reach rounding at 0.01, 18 at 0.1.
    let series = |terms: u32| (2..2 + terms).rev().fold(0.0, |sum, n| 1.0 / f64::from(n) - y * sum);
    if y.abs() < 0.01 {
        series(9)
    } else if y.abs() < 0.1 {
        series(18)
    } else {
        (y - y.ln_1p()) / (y * y)
    }
}

/// y − ln(1+y), without cancellation.
pub(crate) fn invariant(y: f64) -> f64 {
    y * y * log_remainder(y)
}

/// The z from 0 to 1 for which −z − ln(1−z) = c, c ≥ 0.
pub(crate) fn exit_root(c: f64) -> f64 {
    if c < 0.3 {
        // Newton from the series in s = √2c, which is that of Stirling's formula.
        const SERIES: [f64; 6] =
            [-139.0 / 5_443_200.0, -1.0 / 17_010.0, 1.0 / 4320.0, 1.0 / 270.0, 1.0 / 36.0, -1.0 / 3.0];
        let s = (2.0 * c).sqrt();
        let mut z = s * (1.0 + s * SERIES.into_iter().fold(0.0, |sum, term| term + s * sum));
        for _ in 0..4 {
            if z <= 0.0 {
                break;
            }
            let step = (invariant(-z) - c) * (1.0 - z) / z;
            z -= step;
            // The next would be of the order of its square.
            if step.abs() <= 1e-9 * z {
                break;
            }
        }
        z
    } else {
        // With t = ln(1−z): eᵗ − t = 1 + c, Newton from the left, which keeps the precision of small 1 − z.
        let mut t = -(1.0 + c);
        for _ in 0..50 {
            let step = (t.exp() - t - (1.0 + c)) / (1.0 - t.exp());
            t += step;
            if step.abs() <= 1e-17 * t.abs() {
                break;
            }
        }
        -t.exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_loss_is_the_mean_over_the_interval() {
        for middle in [-0.9, -0.3, 0.0, 1e-3, 0.4, 5.0] {
            for share in [1e-6, 1e-2, 0.09, 0.11, 0.5, 0.99] {
                let width = 2.0 * share * (1.0 + middle);
                let at = |i: usize| middle + width * ((i as f64 + 0.5) / 20_000.0 - 0.5);
                let sum: f64 = (0..20_000).map(|i| at(i).powi(2) / (1.0 + at(i))).sum();
                let expected = sum / 20_000.0;
                let found = mean_loss(middle, width);
                assert!((found - expected).abs() <= 1e-4 * expected, "{middle} {share}: {found} {expected}");
            }
        }
        assert_eq!(mean_loss(0.0, 2.0), f64::INFINITY);
        assert_eq!(mean_loss(-1.5, 0.1), f64::INFINITY);
    }

    #[test]
    fn the_exit_is_a_root_for_any_energy() {
        for power in -60..6 {
            let c = 10_f64.powf(0.5 * f64::from(power));
            let z = exit_root(c);
            assert!((0.0..=1.0).contains(&z));
            if z < 0.999 {
                assert!((invariant(-z) / c - 1.0).abs() < 1e-12, "{c:e}: {z}");
            }
        }
        assert_eq!(exit_root(0.0), 0.0);
    }
}
