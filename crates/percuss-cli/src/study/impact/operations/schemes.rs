//! percuss's schemes for one mass and one wall, for any number: the equations of the engine, without its short cuts.
//!
//! Law         f = gψ + (g²/4 + r/2k)·d, d = d₀ − Bf, B = k²/m, d₀ = 2(η − η⁻), ψ⁺ = ψ + gd/2
//! plain       g = ψ′(η), r = µφ′(η)
//! tracked     aims g at the potential and r at Simpson's mean, twice; empties a contact that parts; lets go of one that pulls
//! newton      the discrete gradient of φ, by Newton steps
//! Left out    the engine foretells a contact that goes on as it did and then takes one aim in place of two; it halves Newton
//!             steps that lead astray, which those of one mass do not

use super::number::Number;
use percuss::Scheme;
use percuss::impact::Impact;

/// What a step needs, known beforehand.
pub struct Contact<N> {
    compliance: N,
    quarter_compliance: N,
    half_rate: N,
    exponent: f64,
    stiffness: N,
    loss: N,
    psi: N,
    slope: N,
}

/// η, η⁻, η − η⁻ and ψ.
#[derive(Clone, Copy)]
pub struct Penetration<N> {
    pub eta: N,
    back: N,
    rise: N,
    psi: N,
}

/// Slope g, resistance r, and the motion and force that follow.
#[derive(Clone, Copy)]
struct Solved<N> {
    g: N,
    r: N,
    d: N,
    force: N,
}

/// x and x^{(α−1)/2}: all that the potential is made of.
struct Depth<N> {
    x: N,
    root: N,
}

const AIMS: usize = 2;
const WELL_AIMED: f64 = 1e-12;
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
            quarter_compliance: N::of(0.25 * compliance),
            half_rate: N::of(0.5 * rate),
            exponent,
            stiffness: N::of(stiffness),
            loss: N::of(impact.loss()),
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
            return self.follow(now, Solved { g: zero, r: zero, d: free, force: zero });
        }
        let solved = match scheme {
            Scheme::Plain => {
                let (g, r) = self.law_at(now.eta);
                self.solve(now.psi, free, g, r)
            }
            Scheme::Tracked => self.tracked(now, free),
            Scheme::Newton => self.newton(now, free),
        };
        self.follow(now, solved)
    }

    fn follow(&self, now: Penetration<N>, Solved { g, d, .. }: Solved<N>) -> Penetration<N> {
        let rise = d - now.rise;
        let psi = now.psi + N::of(0.5) * g * d;
        // What an exact release leaves behind is rounding.
        let psi = if psi.value().abs() <= 1e-12 * now.psi.value().abs() { N::of(0.0) } else { psi };
        Penetration { eta: now.eta + rise, back: now.eta, rise, psi }
    }

    fn depth(&self, x: N) -> Option<Depth<N>> {
        let root = |x: N| if self.exponent == 1.5 { x.sqrt().sqrt() } else { x.powf(0.5 * (self.exponent - 1.0)) };
        (x > N::of(0.0)).then(|| Depth { x, root: root(x) })
    }

    fn force(&self, Depth { x, root }: &Depth<N>) -> N {
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
        Solved { g, r, d: (free - self.compliance * p) * share, force }
    }

    fn tracked(&self, now: Penetration<N>, free: N) -> Solved<N> {
        let zero = N::of(0.0);
        let (g, r) = self.law_at(now.eta);
        let middle = N::of(0.5) * (now.eta + now.back);
        let rubbed = self.depth(middle).map_or(zero, |depth| self.loss * self.force(&depth)) + N::of(4.0) * r;
        let mut solved = self.solve(now.psi, free, g, r);
        let mut aimed = N::of(f64::INFINITY);
        for _ in 0..AIMS {
            let yielding = self.quarter_compliance * solved.g * solved.g + self.compliance * self.half_rate * solved.r;
            let settled = (solved.d - aimed).abs() * yielding <= N::of(WELL_AIMED) * solved.d.abs();
            if settled || solved.d == zero {
                break;
            }
            aimed = solved.d;
            let (aim, r) = self.aim(now, rubbed, middle + N::of(0.5) * solved.d, solved.d);
            solved = self.solve(now.psi, free, aim.unwrap_or(g), r);
        }
        self.finish(now, free, solved)
    }

    /// The slope that leads to ψ at the target, if it is to be trusted, and Simpson's mean of the resistance.
    fn aim(&self, now: Penetration<N>, rubbed: N, target: N, d: N) -> (Option<N>, N) {
        let Some(there) = self.depth(target) else {
            let g = -now.psi * (N::of(2.0) / d);
            return ((g >= N::of(0.0)).then_some(g), rubbed * N::of(1.0 / 6.0));
        };
        let r = (rubbed + self.loss * self.force(&there)) * N::of(1.0 / 6.0);
        let g = (self.psi * there.x * there.root - now.psi) * (N::of(2.0) / d);
        let trusted = g >= N::of(0.0) && g <= N::of(4.0) * self.slope * there.root;
        (trusted.then_some(g), r)
    }

    /// Empties a contact that parts, then lets go of one that pulls.
    fn finish(&self, now: Penetration<N>, free: N, mut solved: Solved<N>) -> Solved<N> {
        let zero = N::of(0.0);
        let parted = now.eta <= zero && now.eta + N::of(0.5) * (solved.d - now.rise) <= zero && solved.d < zero;
        if now.psi > zero && (parted || now.psi + N::of(0.5) * solved.g * solved.d < zero) {
            let lossy = N::of(1.0) + self.compliance * self.half_rate * solved.r;
            let compliance = self.compliance / lossy;
            let half = N::of(0.5) * free / lossy;
            let root = (half * half + compliance * now.psi * now.psi).sqrt();
            solved = self.solve(now.psi, free, N::of(2.0) * now.psi / (root - half), solved.r);
        }
        if solved.force < zero {
            solved = self.solve(now.psi, free, solved.g, zero);
            if solved.force < zero {
                solved = self.solve(now.psi, free, zero, zero);
            }
        }
        solved
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
        Solved { g: N::of(0.0), r, d, force }
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
