//! Integrators of the study for a generic number type. Constants such as h/2m are precomputed.
//!
//! The same updates as in `integration::integrators`, without an external force.

use super::counted::Number;
use crate::study::impact::integration::integrators::Method;
use percuss::impact::Impact;

/// Precomputed coefficients of a step.
pub struct ClassicalStepper<N> {
    h: N,
    half_h: N,
    sixth_h: N,
    over_mass: N,
    stiffness: N,
    exponent: f64,
    loss: N,
    /// v_in, 1/(1 + µv_in) and m(α+1)/kµ² of eq. 3.
    entry: (N, N, N),
}

/// Compression, velocity and force.
#[derive(Clone, Copy)]
pub struct MotionState<N> {
    pub x: N,
    pub v: N,
    pub f: N,
}

const TOLERANCE: f64 = 1e-13;
const MAX_ITERATIONS: u32 = 100;

impl<N: Number> ClassicalStepper<N> {
    /// Coefficients of an impact at a sample rate \[Hz\].
    pub fn new(impact: &Impact, rate: f64) -> Self {
        let (h, mu, speed) = (1.0 / rate, impact.loss(), impact.speed());
        let scale = impact.mass() * (impact.exponent() + 1.0) / (impact.stiffness() * mu * mu);
        Self {
            h: N::of(h),
            half_h: N::of(0.5 * h),
            sixth_h: N::of(h / 6.0),
            over_mass: N::of(-1.0 / impact.mass()),
            stiffness: N::of(impact.stiffness()),
            exponent: impact.exponent(),
            loss: N::of(mu),
            entry: (N::of(speed), N::of(1.0 / (1.0 + mu * speed)), N::of(scale)),
        }
    }

    fn force(&self, x: N, v: N) -> N {
        if x > N::of(0.0) { self.stiffness * x.powf(self.exponent) * (N::of(1.0) + self.loss * v) } else { N::of(0.0) }
    }

    /// One step of a method.
    pub fn advance(&self, method: Method, now: MotionState<N>) -> MotionState<N> {
        match method {
            Method::Am1 => self.adams_moulton(now),
            Method::Verlet => self.verlet(now),
            Method::Heun => self.heun(now),
            Method::Rk4 => self.runge_kutta(now),
        }
    }

    fn verlet(&self, MotionState { x, v, f }: MotionState<N>) -> MotionState<N> {
        let half = v + self.half_h * (self.over_mass * f);
        let x = x + self.h * half;
        let f = self.force(x, half);
        MotionState { x, v: half + self.half_h * (self.over_mass * f), f }
    }

    fn heun(&self, MotionState { x, v, f }: MotionState<N>) -> MotionState<N> {
        let a = self.over_mass * f;
        let predicted = v + self.h * a;
        let x = x + self.half_h * (v + predicted);
        let f = self.force(x, predicted);
        MotionState { x, v: v + self.half_h * (a + self.over_mass * f), f }
    }

    fn runge_kutta(&self, MotionState { x, v, .. }: MotionState<N>) -> MotionState<N> {
        let slope = |x: N, v: N| self.over_mass * self.force(x, v);
        let two = N::of(2.0);
        let (l1, k1) = (v, slope(x, v));
        let (x2, l2) = (x + self.half_h * l1, v + self.half_h * k1);
        let k2 = slope(x2, l2);
        let (x3, l3) = (x + self.half_h * l2, v + self.half_h * k2);
        let k3 = slope(x3, l3);
        let (x4, l4) = (x + self.h * l3, v + self.h * k3);
        let k4 = slope(x4, l4);
        let x = x + self.sixth_h * (l1 + two * (l2 + l3) + l4);
        let v = v + self.sixth_h * (k1 + two * (k2 + k3) + k4);
        MotionState { x, v, f: N::of(0.0) }
    }

    fn adams_moulton(&self, MotionState { x, v, f }: MotionState<N>) -> MotionState<N> {
        let (x_gain, v_gain) = (self.force_ratio(0.25 * self.h.value()), self.force_ratio(0.5));
        let (v_known, x_known) = (v + v_gain * f, x + self.h * v + x_gain * f);
        let mut next = f;
        for _ in 0..MAX_ITERATIONS {
            let (x, v) = (x_known + x_gain * next, v_known + v_gain * next);
            let (mut force, mut slope) = (N::of(0.0), N::of(0.0));
            if x > N::of(0.0) {
                let elastic = self.stiffness * x.powf(self.exponent);
                let damped = N::of(1.0) + self.loss * v;
                force = elastic * damped;
                slope = elastic * (N::of(self.exponent) * damped / x * x_gain + self.loss * v_gain);
            }
            let change = (force - next) / (N::of(1.0) - slope);
            next = next + change;
            if change.abs() <= N::of(TOLERANCE) * N::of(next.value().abs().max(1e-9)) {
                break;
            }
        }
        MotionState { x: x_known + x_gain * next, v: v_known + v_gain * next, f: next }
    }

    /// A precomputed fraction of −h/m.
    fn force_ratio(&self, share: f64) -> N {
        N::of(share * self.h.value() * self.over_mass.value())
    }

    /// The hybrid correction: x(v) of eq. 3 as printed, and the corresponding force.
    pub fn hybrid_correction(&self, MotionState { v, .. }: MotionState<N>) -> MotionState<N> {
        let (entry, over_entry, scale) = self.entry;
        let ratio = (N::of(1.0) + self.loss * v) * over_entry;
        let fall = (ratio - N::of(1.0)).ln_1p() - self.loss * (v - entry);
        let x = (scale * N::of(fall.value().max(0.0))).powf(1.0 / (self.exponent + 1.0));
        MotionState { x, v, f: self.force(x, v) }
    }
}
