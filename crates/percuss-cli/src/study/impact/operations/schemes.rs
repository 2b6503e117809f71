//! percuss's schemes for one mass and one wall, for any number: the equations of the engine, without its short cuts.
//!
//! Law         f = gψ + (g²/4 + r/2k)·d, d = d₀ − Bf, B = k²/m, d₀ = 2(η − η⁻), ψ⁺ = ψ + gd/2
//! plain       g = ψ′(η), r = µφ′(η)
//! tracked     see `tracked`
//! newton      the discrete gradient of φ, by Newton steps
//! Left out    the engine foretells a contact that goes on as it did and then takes one aim in place of two; powers of the
//!             engine come from tables; it halves Newton steps that lead astray, which those of one mass do not

use super::counted::Number;
use super::tracked::SHORT;
use percuss::Scheme;
use percuss::impact::Impact;

/// What a step needs, known beforehand.
pub struct Contact<N> {
    pub(super) compliance: N,
    /// Square of the motion in a step from which on a contact is short \[m²\].
    pub(super) short_above: N,
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
pub struct Penetration<N> {
    pub eta: N,
    pub(super) back: N,
    pub(super) rise: N,
    pub(super) psi: N,
}

/// Slope g, and the motion and force that follow.
#[derive(Clone, Copy)]
pub(super) struct Solved<N> {
    pub g: N,
    pub d: N,
    pub force: N,
}

/// x and x^{(α−1)/2}: all that the potential is made of.
pub(super) struct Depth<N> {
    pub x: N,
    pub root: N,
}

const TOLERANCE: f64 = 1e-13;
const MOST_STEPS: usize = 60;

impl<N: Number> Penetration<N> {
    /// At the wall, with a speed \[m/s\].
    pub fn start(impact: &Impact, rate: f64) -> Self {
        let rise = impact.speed() / rate;
        Self { eta: N::of(0.0), back: N::of(-rise), rise: N::of(rise), psi: N::of(0.0) }
    }

    /// The same, leaving the wall behind.
    pub fn leaving(impact: &Impact, rate: f64) -> Self {
        let rise = impact.speed() / rate;
        Self { eta: N::of(-1.0), back: N::of(rise - 1.0), rise: N::of(-rise), psi: N::of(0.0) }
    }
}

impl<N: Number> Contact<N> {
    /// An impact at a rate \[Hz\].
    pub fn new(impact: &Impact, rate: f64) -> Self {
        let (stiffness, exponent) = (impact.stiffness(), impact.exponent());
        let compliance = 1.0 / (rate * rate * impact.mass());
        Self {
            compliance: N::of(compliance),
            short_above: N::of(short_above(stiffness, exponent, compliance)),
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
    pub fn step(&self, scheme: Scheme, now: Penetration<N>) -> Penetration<N> {
        let zero = N::of(0.0);
        let free = now.rise + now.rise;
        let clear = now.psi == zero && now.eta <= zero && now.back <= zero;
        if clear && now.back + free <= zero {
            return self.follow(now, Solved { g: zero, d: free, force: zero });
        }
        match scheme {
            Scheme::Plain => {
                let (g, r) = self.law_at(now.eta);
                self.follow(now, self.solve(now.psi, free, g, r))
            }
            Scheme::Tracked => self.tracked(now, free),
            Scheme::Newton => self.follow(now, self.newton(now, free)),
        }
    }

    fn follow(&self, now: Penetration<N>, Solved { g, d, .. }: Solved<N>) -> Penetration<N> {
        let rise = d - now.rise;
        Penetration { eta: now.eta + rise, back: now.eta, rise, psi: now.psi + N::of(0.5) * g * d }
    }

    pub(super) fn depth(&self, x: N) -> Option<Depth<N>> {
        let root = |x: N| if self.exponent == 1.5 { x.sqrt().sqrt() } else { x.powf(0.5 * (self.exponent - 1.0)) };
        (x > N::of(0.0)).then(|| Depth { x, root: root(x) })
    }

    pub(super) fn force(&self, Depth { x, root }: &Depth<N>) -> N {
        self.stiffness * *x * (*root * *root)
    }

    /// g = ψ′ and r = µφ′ at a place.
    fn law_at(&self, x: N) -> (N, N) {
        self.depth(x)
            .map_or((N::of(0.0), N::of(0.0)), |depth| (self.slope * depth.root, self.loss * self.force(&depth)))
    }

    fn solve(&self, psi: N, free: N, g: N, r: N) -> Solved<N> {
        let (square, resistance) = (g * g, self.half_rate * r);
        let share = N::of(1.0) / (N::of(1.0) + self.compliance * resistance + square * self.quarter_compliance);
        let p = g * psi;
        let force = (p + (N::of(0.25) * square + resistance) * free) * share;
        Solved { g, d: (free - self.compliance * p) * share, force }
    }

    fn newton(&self, now: Penetration<N>, free: N) -> Solved<N> {
        let r = self.law_at(now.eta).1;
        let resistance = self.half_rate * r;
        let size = free.value().abs().max(now.rise.value().abs());
        let mut d = free;
        let mut force = N::of(0.0);
        for _ in 0..MOST_STEPS {
            let (pull, slope) = self.discrete_gradient(now.back, d);
            force = pull + resistance * d;
            let residual = d - free + self.compliance * force;
            if residual.abs() <= N::of(TOLERANCE * size) {
                break;
            }
            d = d - residual / (N::of(1.0) + self.compliance * (slope + resistance));
        }
        Solved { g: N::of(0.0), d, force }
    }

    /// f = (φ(η⁻+d) − φ(η⁻))/d and its derivative.
    fn discrete_gradient(&self, back: N, d: N) -> (N, N) {
        let energy = |x: N| {
            self.depth(x).map_or((N::of(0.0), N::of(0.0)), |depth| {
                let force = self.force(&depth);
                (force * depth.x * N::of(1.0 / (self.exponent + 1.0)), force)
            })
        };
        let ahead = back + d;
        let ((before, _), (after, force)) = (energy(back), energy(ahead));
        if before == N::of(0.0) && after == N::of(0.0) {
            return (N::of(0.0), N::of(0.0));
        }
        let mean = if back > N::of(0.0) && ahead > N::of(0.0) {
            before * (N::of(self.exponent + 1.0) * (d / back).ln_1p()).exp_m1() / d
        } else {
            (after - before) / d
        };
        (mean, (force - mean) / d)
    }
}

/// Square of the r for which ψ(`SHORT`·r)√B = r.
fn short_above(stiffness: f64, exponent: f64, compliance: f64) -> f64 {
    let (psi, power) = ((2.0 * stiffness / (exponent + 1.0)).sqrt(), 0.5 * (exponent - 1.0));
    (psi * compliance.sqrt() * SHORT * SHORT.powf(power)).powf(-1.0 / power).powi(2)
}
