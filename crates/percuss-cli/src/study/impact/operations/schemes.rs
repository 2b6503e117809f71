//! percuss's schemes for one mass and one wall, for a generic number type.
//!
//! Law         f = gψ + (g²/4 + r/2k)·d, d = d₀ − Bf, B = k²/m, d₀ = 2(η − η⁻), ψ⁺ = ψ + gd/2
//! plain       g = ψ′(η), r = µφ′(η)
//! tracked     see `tracked`
//! newton      the discrete gradient of φ, by Newton's method
//! Left out    the engine evaluates powers from tables, and halves Newton steps that increase the residual, which does not
//!             happen with one mass

use super::counted::Number;
use super::tracked::SHORT_CONTACT_RATIO;
use percuss::Scheme;
use percuss::impact::Impact;

/// Precomputed coefficients of a step.
pub struct SchemeStepper<N> {
    pub(super) compliance: N,
    /// Square of the motion in a step above which a contact is short \[m²\].
    pub(super) short_threshold: N,
    pub(super) quarter_compliance: N,
    half_rate: N,
    pub(super) exponent: f64,
    stiffness: N,
    loss: N,
    /// µ/2k \[1/m\], 0 for a contact without loss.
    pub(super) scale: N,
    /// ψ at x = 1.
    pub(super) psi: N,
    pub(super) slope: N,
}

/// η, η⁻, η − η⁻ and ψ.
#[derive(Clone, Copy)]
pub struct PenetrationState<N> {
    pub eta: N,
    pub(super) eta_prev: N,
    pub(super) eta_step: N,
    pub(super) psi: N,
}

/// Slope g, and the resulting motion and force.
#[derive(Clone, Copy)]
pub(super) struct StepSolution<N> {
    pub g: N,
    pub d: N,
    pub force: N,
}

/// x and x^{(α−1)/2}, from which the potential is computed.
pub(super) struct PenetrationSample<N> {
    pub x: N,
    pub root: N,
}

const TOLERANCE: f64 = 1e-13;
const MAX_ITERATIONS: usize = 60;

impl<N: Number> PenetrationState<N> {
    /// At the wall, with the impact speed.
    pub fn start(impact: &Impact, rate: f64) -> Self {
        let eta_step = impact.speed() / rate;
        Self { eta: N::of(0.0), eta_prev: N::of(-eta_step), eta_step: N::of(eta_step), psi: N::of(0.0) }
    }

    /// Away from the wall and leaving.
    pub fn leaving(impact: &Impact, rate: f64) -> Self {
        let eta_step = impact.speed() / rate;
        Self { eta: N::of(-1.0), eta_prev: N::of(eta_step - 1.0), eta_step: N::of(-eta_step), psi: N::of(0.0) }
    }
}

impl<N: Number> SchemeStepper<N> {
    /// Coefficients of an impact at a sample rate \[Hz\].
    pub fn new(impact: &Impact, rate: f64) -> Self {
        let (stiffness, exponent) = (impact.stiffness(), impact.exponent());
        let compliance = 1.0 / (rate * rate * impact.mass());
        Self {
            compliance: N::of(compliance),
            short_threshold: N::of(short_threshold(stiffness, exponent, compliance)),
            quarter_compliance: N::of(0.25 * compliance),
            half_rate: N::of(0.5 * rate),
            exponent,
            stiffness: N::of(stiffness),
            loss: N::of(impact.loss()),
            scale: N::of(0.5 * rate * impact.loss()),
            psi: N::of((2.0 * stiffness / (exponent + 1.0)).sqrt()),
            slope: N::of((0.5 * stiffness * (exponent + 1.0)).sqrt()),
        }
    }

    /// One step of a scheme.
    pub fn step(&self, scheme: Scheme, now: PenetrationState<N>) -> PenetrationState<N> {
        let zero = N::of(0.0);
        let d_free = now.eta_step + now.eta_step;
        let is_separated = now.psi == zero && now.eta <= zero && now.eta_prev <= zero;
        if is_separated && now.eta_prev + d_free <= zero {
            return self.advance_plain(now, StepSolution { g: zero, d: d_free, force: zero });
        }
        match scheme {
            Scheme::Plain => {
                let (g, r) = self.slope_and_resistance(now.eta);
                self.advance_plain(now, self.solve(now.psi, d_free, g, r))
            }
            Scheme::Tracked => self.tracked(now, d_free),
            Scheme::Newton => self.advance_plain(now, self.newton(now, d_free)),
        }
    }

    fn advance_plain(
        &self,
        now: PenetrationState<N>,
        StepSolution { g, d, .. }: StepSolution<N>,
    ) -> PenetrationState<N> {
        let eta_step = d - now.eta_step;
        PenetrationState { eta: now.eta + eta_step, eta_prev: now.eta, eta_step, psi: now.psi + N::of(0.5) * g * d }
    }

    pub(super) fn penetration_sample(&self, x: N) -> Option<PenetrationSample<N>> {
        let root = |x: N| if self.exponent == 1.5 { x.sqrt().sqrt() } else { x.powf(0.5 * (self.exponent - 1.0)) };
        (x > N::of(0.0)).then(|| PenetrationSample { x, root: root(x) })
    }

    pub(super) fn force(&self, PenetrationSample { x, root }: &PenetrationSample<N>) -> N {
        self.stiffness * *x * (*root * *root)
    }

    /// g = ψ′ and r = µφ′ at x.
    fn slope_and_resistance(&self, x: N) -> (N, N) {
        self.penetration_sample(x)
            .map_or((N::of(0.0), N::of(0.0)), |depth| (self.slope * depth.root, self.loss * self.force(&depth)))
    }

    fn solve(&self, psi: N, d_free: N, g: N, r: N) -> StepSolution<N> {
        let (square, resistance) = (g * g, self.half_rate * r);
        let share = N::of(1.0) / (N::of(1.0) + self.compliance * resistance + square * self.quarter_compliance);
        let p = g * psi;
        let force = (p + (N::of(0.25) * square + resistance) * d_free) * share;
        StepSolution { g, d: (d_free - self.compliance * p) * share, force }
    }

    fn newton(&self, now: PenetrationState<N>, d_free: N) -> StepSolution<N> {
        let r = self.slope_and_resistance(now.eta).1;
        let resistance = self.half_rate * r;
        let size = d_free.value().abs().max(now.eta_step.value().abs());
        let mut d = d_free;
        let mut force = N::of(0.0);
        for _ in 0..MAX_ITERATIONS {
            let (pull, slope) = self.discrete_gradient(now.eta_prev, d);
            force = pull + resistance * d;
            let residual = d - d_free + self.compliance * force;
            if residual.abs() <= N::of(TOLERANCE * size) {
                break;
            }
            d = d - residual / (N::of(1.0) + self.compliance * (slope + resistance));
        }
        StepSolution { g: N::of(0.0), d, force }
    }

    /// f = (φ(η⁻+d) − φ(η⁻))/d and its derivative.
    fn discrete_gradient(&self, eta_prev: N, d: N) -> (N, N) {
        let energy = |x: N| {
            self.penetration_sample(x).map_or((N::of(0.0), N::of(0.0)), |depth| {
                let force = self.force(&depth);
                (force * depth.x * N::of(1.0 / (self.exponent + 1.0)), force)
            })
        };
        let ahead = eta_prev + d;
        let ((before, _), (after, force)) = (energy(eta_prev), energy(ahead));
        if before == N::of(0.0) && after == N::of(0.0) {
            return (N::of(0.0), N::of(0.0));
        }
        let mean = if eta_prev > N::of(0.0) && ahead > N::of(0.0) {
            before * (N::of(self.exponent + 1.0) * (d / eta_prev).ln_1p()).exp_m1() / d
        } else {
            (after - before) / d
        };
        (mean, (force - mean) / d)
    }
}

/// Square of the r for which ψ(`SHORT_CONTACT_RATIO`·r)√B = r.
fn short_threshold(stiffness: f64, exponent: f64, compliance: f64) -> f64 {
    let (psi, power) = ((2.0 * stiffness / (exponent + 1.0)).sqrt(), 0.5 * (exponent - 1.0));
    (psi * compliance.sqrt() * SHORT_CONTACT_RATIO * SHORT_CONTACT_RATIO.powf(power)).powf(-1.0 / power).powi(2)
}
