//! ṽ_out: the exit velocity of a Hunt–Crossley impact as a polynomial times an exponential.
//!
//! Equation    ṽ_out = −(1/μ)·(1 − (Σ bⱼ (μv)ʲ) e^{−2μv})
//! Symbols     v speed of approach \[m/s\], μ loss \[s/m\]
//! Reference   Papetti, Avanzini and Rocchesso (2010), eqs. 7, 8, 30–38

/// ṽ_out of order n, eq. 7: −(1/μ)·(1 − (Σ bⱼ (μv)ʲ) e^{−2μv}), with b from the recursion of eq. 38.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityApproximation {
    /// Coefficients bⱼ of eq. 8, over μʲ.
    coefficients: Vec<f64>,
}

impl VelocityApproximation {
    /// Approximation of the given order; the study uses 4.
    pub fn new(order: usize) -> Self {
        let a = expansion(order);
        let c = |j: usize| (1..=j).map(|i| -2.0 / i as f64).product::<f64>();
        let mut b = vec![1.0];
        for (j, a) in a.iter().enumerate().skip(1) {
            let known: f64 = (0..j).map(|l| b[l] * c(j - l)).sum();
            b.push(a - known);
        }
        Self { coefficients: b }
    }

    /// ṽ_out for a loss μ \[s/m\] and a speed \[m/s\]; negative \[m/s\].
    pub fn exit_velocity(&self, loss: f64, speed: f64) -> f64 {
        let a = loss * speed;
        if a < f64::MIN_POSITIVE {
            return -speed;
        }
        // 1 − B(a)e^{−2a} = −expm1(−2a) − (B(a) − 1)e^{−2a}: avoids cancellation for small a.
        let above_one = self.coefficients[1..].iter().rev().fold(0.0, |sum, b| (sum + b) * a);
        -((-(-2.0 * a).exp_m1()) - above_one * (-2.0 * a).exp()) / loss
    }
}

/// Coefficients of μv_out = Σ aⱼ (μv_in)ʲ, eqs. 30–33, to any order: from W(y) = W(a) by series reversal.
///
/// With s(y) = sgn(y)√(2W(y)), which is analytic, s(μv_out) = −s(μv_in). Both s and its inverse are found term by term.
fn expansion(order: usize) -> Vec<f64> {
    // dy/da = (a/(1+a))·((1+y)/y) follows from differentiating W(y) = W(a): y·y′·(1+a) = a(1+y), term by term.
    let mut y = vec![0.0; order + 2];
    if order >= 1 {
        y[1] = -1.0;
    }
    for n in 2..=order {
        // Coefficient of aⁿ in y·y′ + a·y·y′ − a − a·y, solved for y[n], which enters as y₁·n·yₙ + yₙ·y₁.
        let product = |m: usize, skip: bool| -> f64 {
            (1..=m).filter(|&i| !(skip && (i == 1 || i == m))).map(|i| y[i] * (m + 1 - i) as f64 * y[m + 1 - i]).sum()
        };
        let known = product(n, true) + product(n - 1, false) - y[n - 1];
        y[n] = -known / (y[1] * (n as f64 + 1.0));
    }
    y.truncate(order + 1);
    y
}

#[cfg(test)]
mod tests {
    use super::VelocityApproximation;
    use crate::study::impact::cases::impact;

    #[test]
    fn recursion_gives_the_printed_coefficients_of_order_four() {
        let printed = [1.0, 1.0, 2.0 / 3.0, 2.0 / 9.0, 14.0 / 135.0];
        for (found, expected) in VelocityApproximation::new(4).coefficients.iter().zip(printed) {
            assert!((found - expected).abs() < 1e-15, "{found} {expected}");
        }
    }

    #[test]
    fn higher_orders_are_more_accurate_for_small_loss() {
        let impact = impact(1e9, 1.5, 0.3, 1.0);
        let error =
            |order| (VelocityApproximation::new(order).exit_velocity(0.3, 1.0) / impact.exit_velocity() - 1.0).abs();
        let contact_errors: Vec<f64> = [2, 4, 8, 12].map(error).to_vec();
        assert!(contact_errors.is_sorted_by(|a, b| a > b), "{contact_errors:?}");
        assert!(contact_errors[3] < 1e-7, "{contact_errors:?}");
    }

    #[test]
    fn approximation_is_exact_in_both_limits() {
        let approximation = VelocityApproximation::new(4);
        assert!((approximation.exit_velocity(1e-14, 1.0) + 1.0).abs() < 1e-13);
        assert!((approximation.exit_velocity(1.0, 1e3) + 1.0).abs() < 1e-12);
        assert_eq!(approximation.exit_velocity(0.0, 2.0), -2.0);
    }
}
