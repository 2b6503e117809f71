//! The scheme *tracked* for one mass and one wall, for a generic number type.
//!
//! Law         f = gψ + g²/4·d, ψ⁺ = ψ + gd/2, then ½(ψ⁺)² less the loss
//! Predict     g = ψ′(η)(1 + µv)
//! Correct     the slope, so that ψ⁺ is on the potential, twice; contacts of a few samples are integrated within the step
//! Loss        kf/µ times the mean of y²/(1+y), y = µv, between the velocities before and after
//! Release     a contact that is open, or would lose more than it stores, at the root of its invariant; a contact that would
//!             pull exerts no force
//! Reference   `percuss::contact::scheme::tracked`, `short_contact` and `interaction::hunt_crossley`

use super::counted::Number;
use super::schemes::{PenetrationSample, PenetrationState, SchemeStepper, StepSolution};

const CORRECTIONS: usize = 2;
const CORRECTION_TOLERANCE: f64 = 1e-12;
const MAX_CORRECTION_STIFFNESS: f64 = 1e4;
const MAX_RELEASES: usize = 4;
const RELEASE_TOLERANCE: f64 = 1e-14;
pub(super) const SHORT_CONTACT_RATIO: f64 = 1.8;
const SUBSTEP_RATIO: f64 = 0.5;
const MAX_SUBSTEPS: usize = 32;
const REBOUND_STIFFNESS: f64 = 1e3;

impl<N: Number> SchemeStepper<N> {
    pub(super) fn tracked(&self, now: PenetrationState<N>, d_free: N) -> PenetrationState<N> {
        let zero = N::of(0.0);
        let is_separated = now.psi == zero && now.eta <= zero && now.eta_prev <= zero;
        let first =
            if is_separated { zero } else { self.slope_at(now.eta) * self.force_ratio(now.eta_step + now.eta_step) };
        let mut solved = self.solve_slope(now.psi, d_free, first);
        let mut d_assumed = N::of(f64::INFINITY);
        for _ in 0..CORRECTIONS {
            let stiffness_ratio = self.quarter_compliance * solved.g * solved.g;
            if (solved.d - d_assumed).abs() * stiffness_ratio <= N::of(CORRECTION_TOLERANCE) * solved.d.abs() {
                break;
            }
            match self.correct_slope(now, is_separated, solved, &mut d_assumed) {
                Some(g) if g != solved.g => solved = self.solve_slope(now.psi, d_free, g),
                _ => {}
            }
        }
        let mut dissipated = None;
        for _ in 0..MAX_RELEASES {
            let (release, found) = self.release(now, solved);
            match release {
                Some(g) if g != solved.g => solved = self.solve_slope(now.psi, d_free, g),
                _ => {
                    dissipated = Some(found);
                    break;
                }
            }
        }
        if solved.force < zero {
            solved = self.solve_slope(now.psi, d_free, zero);
            dissipated = None;
        }
        let dissipated = dissipated.unwrap_or_else(|| self.twice_dissipated(solved));
        self.advance(now, solved, dissipated)
    }

    fn solve_slope(&self, psi: N, d_free: N, g: N) -> StepSolution<N> {
        let (p, square) = (g * psi, g * g);
        let share = N::of(1.0) / (N::of(1.0) + square * self.quarter_compliance);
        let force = (p + N::of(0.25) * square * d_free) * share;
        StepSolution { g, d: (d_free - self.compliance * p) * share, force }
    }

    /// 1 + µv of a motion 2kv, at least 0.
    fn force_ratio(&self, d: N) -> N {
        let gain = N::of(1.0) + self.scale * d;
        if gain > N::of(0.0) { gain } else { N::of(0.0) }
    }

    fn slope_at(&self, x: N) -> N {
        self.penetration_sample(x).map_or(N::of(0.0), |depth| self.slope * depth.root)
    }

    fn psi_at(&self, x: N) -> N {
        self.penetration_sample(x).map_or(N::of(0.0), |depth| self.psi * depth.x * depth.root)
    }

    /// v₀·k: half the motion without the contact force.
    fn approach(&self, solved: StepSolution<N>) -> N {
        N::of(0.5) * (solved.d + self.compliance * solved.force)
    }

    /// The next slope; `None` keeps the present one.
    fn correct_slope(
        &self,
        now: PenetrationState<N>,
        is_separated: bool,
        solved: StepSolution<N>,
        d_assumed: &mut N,
    ) -> Option<N> {
        let zero = N::of(0.0);
        if is_separated && now.eta_prev + solved.d <= zero {
            return Some(zero);
        }
        let half = self.approach(solved);
        let square = half * half + self.compliance * now.psi * now.psi;
        if square > self.short_threshold {
            let start = half + half;
            if (start - *d_assumed).abs() <= N::of(1e-4) * start.abs() {
                return None;
            }
            *d_assumed = start;
            return Some(self.short_slope(now, half, square));
        }
        *d_assumed = solved.d;
        self.correct_slope_to_potential(now, solved)
    }

    /// The slope that leads to ψ on the potential, if it is plausible, with the work of the loss.
    fn correct_slope_to_potential(&self, now: PenetrationState<N>, solved: StepSolution<N>) -> Option<N> {
        let (zero, d) = (N::of(0.0), solved.d);
        let middle = N::of(0.5) * (now.eta + now.eta_prev);
        if d == zero || self.is_resting(now, middle, d) {
            return None;
        }
        let target = self.penetration_sample(middle + N::of(0.5) * d);
        let psi = target.as_ref().map_or(zero, |target| self.psi * target.x * target.root);
        let g = (psi - now.psi) * (N::of(2.0) / d);
        if g >= zero && self.is_plausible(now, d, target, g) {
            return Some(g * self.slope_ratio(now.psi, solved, psi));
        }
        (now.psi == zero && d < zero).then_some(zero)
    }

    /// Ratio of the slope that does 1 + µv times the work to the one that does the work alone.
    fn slope_ratio(&self, psi: N, solved: StepSolution<N>, target: N) -> N {
        let (zero, one, gain) = (N::of(0.0), N::of(1.0), self.force_ratio(solved.d));
        if gain == one {
            return one;
        }
        let positive_root = |square: N| if square > zero { square.sqrt() } else { zero };
        let ahead = psi + N::of(0.5) * solved.g * solved.d;
        if gain > zero && ahead > zero {
            let there = positive_root(psi * psi + (ahead - psi) * (ahead + psi) / gain);
            return gain / (ahead + psi) * (there + psi);
        }
        let sum = target + psi;
        if sum == zero {
            return one;
        }
        gain * sum / (positive_root(psi * psi + gain * (target - psi) * sum) + psi)
    }

    fn is_resting(&self, now: PenetrationState<N>, middle: N, d: N) -> bool {
        let is_slow = d.abs() < N::of(1e-4) * now.eta.abs();
        is_slow && (self.psi_at(middle) - now.psi).abs() < N::of(1e-9) * now.psi.abs()
    }

    fn is_plausible(&self, now: PenetrationState<N>, d: N, target: Option<PenetrationSample<N>>, g: N) -> bool {
        if target.is_some_and(|target| g <= N::of(4.0) * self.slope * target.root) {
            return true;
        }
        let deeper = |a: N, b: N| if a > b { a } else { b };
        let steepest = self.slope_at(deeper(deeper(now.eta_prev + d, now.eta), now.eta_prev));
        if steepest > N::of(0.0) {
            g <= N::of(4.0) * steepest
        } else {
            self.quarter_compliance * g * g <= N::of(MAX_CORRECTION_STIFFNESS)
        }
    }

    /// The slope of a contact that is integrated within the step.
    fn short_slope(&self, now: PenetrationState<N>, half: N, square: N) -> N {
        let zero = N::of(0.0);
        if let Some(end) = self.integrate_within_step(now, half, square) {
            return self.slope_of_exit(now.psi, half, end);
        }
        if now.psi == zero && self.scale.value() == 0.0 {
            let closes = half > zero && now.eta + now.eta_prev > zero;
            return if closes { N::of(2.0) * (N::of(REBOUND_STIFFNESS) / self.compliance).sqrt() } else { zero };
        }
        self.release_slope(now.psi, half)
    }

    /// v₊·k, or `None` if the contact ends within the step.
    fn integrate_within_step(&self, now: PenetrationState<N>, half: N, square: N) -> Option<N> {
        let zero = N::of(0.0);
        let power = 2.0 / (self.exponent + 1.0);
        let mut x = if now.psi > zero {
            (now.psi / self.psi).powf(power)
        } else {
            let middle = N::of(0.5) * (now.eta + now.eta_prev);
            if middle < zero { middle } else { zero }
        };
        let (mut v, mut left) = (half, N::of(1.0));
        if x < zero {
            if x + v <= zero {
                return Some(v);
            }
            (x, left) = (zero, N::of(1.0) + x / v);
        }
        let (one, loss, root) = (N::of(1.0), self.scale + self.scale, self.compliance.sqrt());
        let crossings = square.powf(0.5 * (1.0 - power)) * (self.psi * root).powf(power);
        let losses = if self.scale.value() > 0.0 { one + loss * square.sqrt() } else { one };
        let steps = (left * crossings * losses / N::of(SUBSTEP_RATIO)).value();
        let steps = 1 + steps.min(MAX_SUBSTEPS as f64) as usize;
        let h = left / N::of(steps as f64);
        let correction = h * h * N::of(self.exponent / 12.0);
        for _ in 0..steps.min(MAX_SUBSTEPS) {
            x = x + N::of(0.5) * h * v;
            let push = self.penetration_sample(x).map_or(zero, |depth| {
                let kick = self.compliance * self.force(&depth);
                let remaining = one - correction * kick / x;
                h * kick * if remaining > N::of(0.5) { remaining } else { N::of(0.5) }
            });
            v = v - if self.scale.value() > 0.0 { push * mean_force_ratio(v, push, loss) } else { push };
            x = x + N::of(0.5) * h * v;
            if x <= zero && v < zero {
                return None;
            }
        }
        (steps <= MAX_SUBSTEPS).then_some(v)
    }

    fn slope_of_exit(&self, psi: N, start: N, end: N) -> N {
        let zero = N::of(0.0);
        let force = (start - end) / self.compliance;
        let square = psi * psi + force * (start + end);
        let ahead = if square > zero { square.sqrt() } else { zero };
        let sum = psi + ahead;
        if force > zero && sum > zero { N::of(2.0) * force / sum } else { zero }
    }

    /// The slope that returns all stored energy but the loss.
    fn release_slope(&self, psi: N, half: N) -> N {
        let zero = N::of(0.0);
        let compliance_psi_squared = self.compliance * psi * psi;
        if self.scale.value() == 0.0 {
            if psi == zero {
                return zero;
            }
            let root = (half * half + compliance_psi_squared).sqrt();
            return if half > zero {
                N::of(2.0) * (root + half) / (self.compliance * psi)
            } else {
                N::of(2.0) * psi / (root - half)
            };
        }
        let scale = self.scale + self.scale;
        let start = half * scale;
        if start <= N::of(-1.0) {
            return zero;
        }
        let energy = invariant(start) + N::of(0.5) * scale * scale * compliance_psi_squared;
        self.slope_of_exit(psi, half, -exit_root(energy) / scale)
    }

    /// Whether the contact is open at the midpoint of the step.
    fn is_open(&self, now: PenetrationState<N>, d: N) -> bool {
        now.eta + now.eta_prev + d <= N::of(0.0)
    }

    /// Twice the energy dissipated in the step.
    fn twice_dissipated(&self, StepSolution { d, force, .. }: StepSolution<N>) -> N {
        if self.scale.value() == 0.0 || force <= N::of(0.0) {
            return N::of(0.0);
        }
        let width = N::of(2.0) * self.scale * self.compliance * force;
        force / self.scale * mean_loss(self.scale * d, width)
    }

    /// The release slope, where the contact ends in this step, and twice the energy dissipated.
    fn release(&self, now: PenetrationState<N>, solved: StepSolution<N>) -> (Option<N>, N) {
        let zero = N::of(0.0);
        let ahead = now.psi + N::of(0.5) * solved.g * solved.d;
        if ahead == zero && now.psi == zero {
            return (None, zero);
        }
        let dissipated = self.twice_dissipated(solved);
        let left = ahead * ahead - dissipated;
        let rounding = N::of(RELEASE_TOLERANCE) * now.psi * now.psi;
        let open = self.is_open(now, solved.d);
        if ahead >= zero && left >= -rounding && !(open && left > rounding) {
            return (None, dissipated);
        }
        let empty = open && now.psi == zero;
        (Some(if empty { zero } else { self.release_slope(now.psi, self.approach(solved)) }), dissipated)
    }

    /// Advances the state, and subtracts the loss from ψ.
    fn advance(&self, now: PenetrationState<N>, solved: StepSolution<N>, dissipated: N) -> PenetrationState<N> {
        let zero = N::of(0.0);
        let ahead = now.psi + N::of(0.5) * solved.g * solved.d;
        let psi = if self.is_open(now, solved.d) || ahead <= zero {
            zero
        } else if self.scale.value() > 0.0 {
            let left = ahead * ahead - dissipated;
            if left > zero { left.sqrt() } else { zero }
        } else {
            ahead
        };
        let eta_step = solved.d - now.eta_step;
        PenetrationState { eta: now.eta + eta_step, eta_prev: now.eta, eta_step, psi }
    }
}

/// Mean of 1 + µv while a push acts.
fn mean_force_ratio<N: Number>(v: N, push: N, loss: N) -> N {
    let (one, z) = (N::of(1.0), push * loss);
    let half = N::of(0.5) * z;
    (one + loss * v) * (one + half) / (one + z + half * z)
}

/// Mean of y²/(1+y) over an interval about `middle`; infinite where it reaches −1.
fn mean_loss<N: Number>(middle: N, width: N) -> N {
    let whole = N::of(1.0) + middle;
    let inverse = N::of(1.0) / whole;
    let q = N::of(0.5) * width * inverse;
    if !(q < N::of(1.0) && whole > N::of(0.0)) {
        return N::of(f64::INFINITY);
    }
    let square = q * q;
    let excess = if square < N::of(1e-2) {
        let series = (1..8).rev().fold(N::of(1.0 / 17.0), |sum, n| N::of(1.0 / f64::from(2 * n + 1)) + square * sum);
        square * series
    } else {
        N::of(0.5) * ((q + q) / (N::of(1.0) - q)).ln_1p() / q - N::of(1.0)
    };
    (middle * middle + excess) * inverse
}

/// y − ln(1+y).
fn invariant<N: Number>(y: N) -> N {
    let series =
        |last: u32| (2..last).rev().fold(N::of(1.0 / f64::from(last)), |sum, n| N::of(1.0 / f64::from(n)) - y * sum);
    if y.abs() < N::of(0.01) {
        y * y * series(10)
    } else if y.abs() < N::of(0.1) {
        y * y * series(19)
    } else {
        y - y.ln_1p()
    }
}

/// The z from 0 to 1 for which −z − ln(1−z) = c.
fn exit_root<N: Number>(c: N) -> N {
    const SERIES: [f64; 6] = [-139.0 / 5_443_200.0, -1.0 / 17_010.0, 1.0 / 4320.0, 1.0 / 270.0, 1.0 / 36.0, -1.0 / 3.0];
    let (zero, one) = (N::of(0.0), N::of(1.0));
    if c < N::of(0.3) {
        let s = (c + c).sqrt();
        let mut z = s * (one + s * SERIES.into_iter().fold(zero, |sum, term| N::of(term) + s * sum));
        for _ in 0..4 {
            if z <= zero {
                break;
            }
            let step = (invariant(-z) - c) * (one - z) / z;
            z = z - step;
            if step.abs() <= N::of(1e-9) * z {
                break;
            }
        }
        return z;
    }
    let mut t = -(one + c);
    for _ in 0..50 {
        let z = -t.exp_m1();
        let step = (one - z - t - (one + c)) / z;
        t = t + step;
        if step.abs() <= N::of(1e-17) * t.abs() {
            break;
        }
    }
    -t.exp_m1()
}
