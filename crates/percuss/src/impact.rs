//! The Hunt–Crossley impact of a mass on a wall, in closed form.
//!
//! Equation    m v̇ = −k x^α (1 + μv),  x(0) = 0,  v(0) = v_in
//! Invariant   k x^{α+1}/(m(α+1)) + P(v) = P(v_in),  P(v) = (μv − ln(1+μv))/μ² = v²·R(μv),  R(y) = (y − ln(1+y))/y²
//! Hence       x(v), H(v) = ½mv² + m(P(v_in) − P(v)), x_max = x(0), and v_out from P(v_out) = P(v_in), which is
//!             v_out = −(1 + W₀(−(1+μv_in)e^{−(1+μv_in)}))/μ with Lambert's W
//! Accuracy    1e-12 relative for μv_in from 0 to 1e3: differences are taken from the nearer end of the contact, where
//!             the printed forms subtract equal numbers; μ = 0 is the lossless limit, not a special case
//! Symbols     x compression \[m\], v its velocity \[m/s\], m \[kg\], k \[N/m^α\], μ loss \[s/m\]
//! Allocates   no
//! Reference   Papetti, Avanzini and Rocchesso (2010), eqs. 3–9, 20; the exact v_out is not in the source

use crate::interaction::hunt_crossley;
use crate::interaction::hunt_crossley::{invariant, log_remainder};
use thiserror::Error;

/// A parameter of an impact is not finite or outside its range. Remedy: bring it into the range.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{field} is {value}, must be {allowed}")]
#[non_exhaustive]
pub struct ImpactError {
    /// Name of the parameter.
    pub field: &'static str,
    /// What was found.
    pub value: f64,
    /// What is allowed, in words.
    pub allowed: &'static str,
}

/// An impact: a mass with a speed, and the law of the wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    mass: f64,
    stiffness: f64,
    exponent: f64,
    loss: f64,
    speed: f64,
    /// μ|v_out|.
    scaled_exit_speed: f64,
}

/// z = μ|v_out| for a = μv_in: the other root of y − ln(1+y), at y = −z.
fn scaled_exit_speed(a: f64) -> f64 {
    hunt_crossley::exit_root(invariant(a))
}

impl Impact {
    /// An impact of a mass \[kg\] at a speed \[m/s\] on a wall with stiffness k \[N/m^α\], exponent α and loss μ \[s/m\].
    ///
    /// # Errors
    /// Non-finite values, a mass, stiffness or speed not above 0, α below 1, μ below 0.
    pub fn new(mass: f64, stiffness: f64, exponent: f64, loss: f64, speed: f64) -> Result<Self, ImpactError> {
        let check = |holds: bool, field, value: f64, allowed| {
            if holds && value.is_finite() { Ok(()) } else { Err(ImpactError { field, value, allowed }) }
        };
        check(mass > 0.0, "mass", mass, "above 0 kg")?;
        check(stiffness > 0.0, "stiffness", stiffness, "above 0 N/m^α")?;
        check(exponent >= 1.0, "exponent", exponent, "1 or more")?;
        check(loss >= 0.0, "loss", loss, "0 s/m or more")?;
        check(speed > 0.0, "speed", speed, "above 0 m/s")?;
        Ok(Self { mass, stiffness, exponent, loss, speed, scaled_exit_speed: scaled_exit_speed(loss * speed) })
    }

    /// The same wall and mass at another speed \[m/s\], which must be above 0.
    #[must_use]
    pub fn at_speed(&self, speed: f64) -> Self {
        Self { speed, scaled_exit_speed: scaled_exit_speed(self.loss * speed), ..*self }
    }

    /// Mass \[kg\].
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }
    /// Stiffness k \[N/m^α\].
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }
    /// Exponent α.
    #[must_use]
    pub fn exponent(&self) -> f64 {
        self.exponent
    }
    /// Loss μ \[s/m\].
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.loss
    }
    /// Speed of approach v_in \[m/s\].
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Velocity after the contact, exactly; negative \[m/s\].
    #[must_use]
    pub fn exit_velocity(&self) -> f64 {
        if self.loss * self.speed < f64::MIN_POSITIVE { -self.speed } else { -self.scaled_exit_speed / self.loss }
    }

    /// Restitution E = |v_out/v_in|.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        -self.exit_velocity() / self.speed
    }

    /// P(v_in) − P(v_in − q) \[m²/s²\], without cancellation for small q.
    fn invariant_drop_from_entry(&self, q: f64) -> f64 {
        let q = q / (1.0 + self.loss * self.speed);
        (q * self.speed - q * q * log_remainder(-self.loss * q)).max(0.0)
    }

    /// P(v_out) − P(v_out + q) \[m²/s²\], without cancellation for small q.
    fn invariant_drop_from_exit(&self, q: f64) -> f64 {
        let q = q / (1.0 - self.scaled_exit_speed);
        (q * -self.exit_velocity() - q * q * log_remainder(self.loss * q)).max(0.0)
    }

    /// P(v_in) − P(v) \[m²/s²\], from the nearer end of the contact. Strong loss leaves no digits at the exit's end.
    fn invariant_drop(&self, v: f64) -> f64 {
        if v < 0.0 && self.scaled_exit_speed < 0.5 {
            self.invariant_drop_from_exit(v - self.exit_velocity())
        } else {
            self.invariant_drop_from_entry(self.speed - v)
        }
    }

    /// Compression at velocity v between v_out and v_in, eq. 3 \[m\].
    #[must_use]
    pub fn compression(&self, v: f64) -> f64 {
        (self.mass * (self.exponent + 1.0) / self.stiffness * self.invariant_drop(v)).powf(1.0 / (self.exponent + 1.0))
    }

    /// Largest compression, eq. 4 \[m\].
    #[must_use]
    pub fn max_compression(&self) -> f64 {
        self.compression(0.0)
    }

    /// Force at velocity v, f = k x^α (1 + μv) \[N\].
    #[must_use]
    pub fn force(&self, v: f64) -> f64 {
        self.stiffness * self.compression(v).powf(self.exponent) * (1.0 + self.loss * v)
    }

    /// Largest force \[N\]: where v = μ(α+1)/α·(P(v_in) − P(v)).
    #[must_use]
    pub fn peak_force(&self) -> f64 {
        let factor = self.loss * (self.exponent + 1.0) / self.exponent;
        let (mut low, mut high) = (0.0, self.speed);
        // The left side rises and the right side falls: bisection to the last bit.
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if middle < factor * self.invariant_drop(middle) { low = middle } else { high = middle }
        }
        self.force(low)
    }

    /// Energy of mass and spring at velocity v, eq. 20 \[J\].
    #[must_use]
    pub fn energy(&self, v: f64) -> f64 {
        self.mass * (0.5 * v * v + self.invariant_drop(v))
    }

    /// Energy lost in the whole impact, −ΔH_τ of eq. 18 \[J\].
    #[must_use]
    pub fn dissipated_energy(&self) -> f64 {
        let exit = self.exit_velocity();
        if self.scaled_exit_speed < 0.5 {
            // v_in² − v_out² = 2(P_in·g) with P equal at both ends: difference of v²(1 − 2R), without cancellation.
            let rest = |v: f64| v * v * v * self.loss * half_minus_remainder(self.loss * v);
            self.mass * (rest(self.speed) - rest(exit))
        } else {
            0.5 * self.mass * (self.speed - exit) * (self.speed + exit)
        }
    }

    /// Contact time τ, eq. 9 \[s\].
    ///
    /// The integrand is singular like a power at both ends; with the distance from the end as p^{α+1} it is smooth. With
    /// strong loss the velocity stays near −1/μ, and ln(1+μv) is the better variable.
    #[must_use]
    pub fn contact_time(&self) -> f64 {
        let scale = self.mass / self.stiffness
            * (self.stiffness / (self.mass * (self.exponent + 1.0))).powf(self.exponent / (self.exponent + 1.0));
        let a = self.loss * self.speed;
        if a < 0.5 {
            let slowness = |invariant_drop: f64, v: f64| {
                invariant_drop.powf(-self.exponent / (self.exponent + 1.0)) / (1.0 + self.loss * v)
            };
            let exit = self.exit_velocity();
            let first = self.integrate_from_singularity(self.speed, |q| {
                slowness(self.invariant_drop_from_entry(q), self.speed - q)
            });
            let second =
                self.integrate_from_singularity(-exit, |q| slowness(self.invariant_drop_from_exit(q), exit + q));
            scale * (first + second)
        } else {
            let (enter, leave) = (a.ln_1p(), a.ln_1p() - a - self.scaled_exit_speed);
            // μ²(P(v_in) − P(v)) with 1 + μv = e^y, counted from either end.
            let from_enter = |q: f64| a * q - (1.0 + a) * ((-q).exp_m1() + q);
            // e^leave·(e^q − 1), written so that neither factor overflows; near the exit the first form keeps the digits.
            let from_leave =
                |q: f64| q - if q < 1.0 { leave.exp() * q.exp_m1() } else { (leave + q).exp() - leave.exp() };
            let slowness = |invariant_drop: f64| (invariant_drop.max(0.0)).powf(-self.exponent / (self.exponent + 1.0));
            let first = self.integrate_from_singularity(enter, |q| slowness(from_enter(q)));
            let second = self.integrate_from_singularity(-leave, |q| slowness(from_leave(q)));
            scale * self.loss.powf((self.exponent - 1.0) / (self.exponent + 1.0)) * (first + second)
        }
    }

    /// ∫ f(q) dq from 0 to `length`, where f goes like q^{−α/(α+1)} at 0.
    fn integrate_from_singularity(&self, length: f64, f: impl Fn(f64) -> f64) -> f64 {
        let power = self.exponent + 1.0;
        tanh_sinh(length.powf(1.0 / power), |p| f(p.powf(power)) * power * p.powf(power - 1.0))
    }
}

/// ∫ f(p) dp from 0 to `end` by the double-exponential rule: p = end/(1 + e^{−2·π/2·sinh t}), trapezoids in t.
fn tanh_sinh(end: f64, f: impl Fn(f64) -> f64) -> f64 {
    const STEP: f64 = 1.0 / 64.0;
    let term = |i: i32| {
        let t = f64::from(i) * STEP;
        let bend = std::f64::consts::PI * t.sinh();
        let share = 1.0 / (1.0 + (-bend).exp());
        let weight = std::f64::consts::PI * t.cosh() * share * (1.0 - share);
        let p = end * share;
        if weight > 0.0 && p > 0.0 && p < end { weight * f(p) } else { 0.0 }
    };
    end * STEP * (-256..=256).map(term).filter(|term| term.is_finite()).sum::<f64>()
}

/// (½ − R(y))/y = 1/3 − y/4 + …, smooth.
fn half_minus_remainder(y: f64) -> f64 {
    if y.abs() < 0.1 {
        (3..21).rev().fold(0.0, |sum, n| 1.0 / f64::from(n) - y * sum)
    } else {
        (0.5 - log_remainder(y)) / y
    }
}
