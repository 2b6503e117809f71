//! The four integrators of the study, for any force law: m·a = −f(x, v) − f_e.
//!
//! AM1     x⁺ = x + h v + (h²/4m)(F⁺ + F), v⁺ = v + (h/2m)(F⁺ + F): implicit; the K-method makes it one equation in f⁺,
//!         solved by Newton's method, whose iterations are counted
//! Verlet  x⁺ = x + h v + h²F/2m, f⁺ = f(x⁺, v + hF/2m), v⁺ = v + (h/2m)(F + F⁺)
//! Heun    ṽ = v + hF/m, x⁺ = x + (h/2)(v + ṽ), f⁺ = f(x⁺, ṽ), v⁺ = v + (h/2m)(F + F⁺)
//! RK4     the classical four stages
//!
//! Here F = −f − f_e is the total force. Verlet and Heun reuse f⁺ as the next f, as the study's tables require.
//! Symbols     x compression \[m\], v its velocity \[m/s\], h step \[s\], m mass \[kg\]
//! Allocates   no
//! Reference   Papetti, Avanzini and Rocchesso (2010), eqs. 21–26, with the sign of f as in eq. 2

use percuss::impact::Impact;

/// A contact force that depends on compression and its velocity.
pub trait ForceLaw {
    /// Force against the compression \[N\].
    fn force(&self, x: f64, v: f64) -> f64;
    /// ∂f/∂x \[N/m\] and ∂f/∂v \[N·s/m\].
    fn gradient(&self, x: f64, v: f64) -> (f64, f64);
}

/// f = k\[x\]₊^α (1 + μv).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HuntCrossley {
    /// Stiffness k \[N/m^α\].
    pub stiffness: f64,
    /// Exponent α.
    pub exponent: f64,
    /// Loss μ \[s/m\].
    pub loss: f64,
}

impl HuntCrossley {
    /// Force law of an impact.
    pub fn from_impact(impact: &Impact) -> Self {
        Self { stiffness: impact.stiffness(), exponent: impact.exponent(), loss: impact.loss() }
    }
}

impl ForceLaw for HuntCrossley {
    fn force(&self, x: f64, v: f64) -> f64 {
        if x > 0.0 { self.stiffness * x.powf(self.exponent) * (1.0 + self.loss * v) } else { 0.0 }
    }

    fn gradient(&self, x: f64, v: f64) -> (f64, f64) {
        if x <= 0.0 {
            return (0.0, 0.0);
        }
        let elastic = self.stiffness * x.powf(self.exponent);
        (self.exponent * elastic / x * (1.0 + self.loss * v), self.loss * elastic)
    }
}

/// Compression, velocity and contact force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Compression \[m\].
    pub x: f64,
    /// Velocity of compression \[m/s\].
    pub v: f64,
    /// Contact force \[N\].
    pub f: f64,
}

/// Integrators of the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// Trapezoid rule, one-step Adams–Moulton.
    Am1,
    /// Velocity Verlet.
    Verlet,
    /// Heun's predictor–corrector.
    Heun,
    /// Fourth-order Runge–Kutta.
    Rk4,
}

impl Method {
    /// All integrators, in the order of the study.
    pub const ALL: [Self; 4] = [Self::Am1, Self::Verlet, Self::Heun, Self::Rk4];

    /// Short name: `am1`, `verlet`, `heun`, `rk4`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Am1 => "am1",
            Self::Verlet => "verlet",
            Self::Heun => "heun",
            Self::Rk4 => "rk4",
        }
    }
}

const NEWTON_TOLERANCE: f64 = 1e-13;
const MAX_NEWTON_ITERATIONS: u32 = 100;

/// A mass with a force law, stepped by an integrator.
#[derive(Clone, Copy, Debug)]
pub struct Integrator<L> {
    /// Method.
    pub method: Method,
    /// Contact force.
    pub law: L,
    /// Mass \[kg\].
    pub mass: f64,
    /// Time step h \[s\].
    pub step: f64,
    /// Constant external force f_e of eq. 21, against the compression where positive \[N\].
    pub external: f64,
    /// Total number of Newton iterations of AM1.
    pub newton_iterations: u64,
    /// Largest number of Newton iterations in one sample.
    pub max_newton_iterations: u32,
}

impl<L: ForceLaw> Integrator<L> {
    /// An integrator at a sample rate \[Hz\], without external force.
    pub fn new(method: Method, law: L, mass: f64, rate: f64) -> Self {
        Self { method, law, mass, step: 1.0 / rate, external: 0.0, newton_iterations: 0, max_newton_iterations: 0 }
    }

    /// Advances the motion by one step.
    pub fn advance(&mut self, now: Motion) -> Motion {
        match self.method {
            Method::Am1 => self.adams_moulton(now),
            Method::Verlet => self.verlet(now),
            Method::Heun => self.heun(now),
            Method::Rk4 => self.runge_kutta(now),
        }
    }

    fn acceleration(&self, f: f64) -> f64 {
        -(f + self.external) / self.mass
    }

    fn adams_moulton(&mut self, Motion { x, v, f }: Motion) -> Motion {
        let h = self.step;
        // Explicit parts of x⁺ and v⁺, and their dependence on f⁺ (the K of the K-method).
        let known = self.acceleration(f) - self.external / self.mass;
        let (x_known, v_known) = (x + h * v + 0.25 * h * h * known, v + 0.5 * h * known);
        let (x_gain, v_gain) = (-0.25 * h * h / self.mass, -0.5 * h / self.mass);
        let at = |f: f64| (x_known + x_gain * f, v_known + v_gain * f);
        let mut next = f;
        let mut steps = 0;
        while steps < MAX_NEWTON_ITERATIONS {
            let (x, v) = at(next);
            let (by_x, by_v) = self.law.gradient(x, v);
            let residual = self.law.force(x, v) - next;
            let change = residual / (1.0 - by_x * x_gain - by_v * v_gain);
            next += change;
            steps += 1;
            if change.abs() <= NEWTON_TOLERANCE * next.abs().max(1e-9) {
                break;
            }
        }
        self.newton_iterations += u64::from(steps);
        self.max_newton_iterations = self.max_newton_iterations.max(steps);
        let (x, v) = at(next);
        Motion { x, v, f: next }
    }

    fn verlet(&self, Motion { x, v, f }: Motion) -> Motion {
        let (h, a) = (self.step, self.acceleration(f));
        let x = x + h * v + 0.5 * h * h * a;
        let half = v + 0.5 * h * a;
        let f = self.law.force(x, half);
        Motion { x, v: half + 0.5 * h * self.acceleration(f), f }
    }

    fn heun(&self, Motion { x, v, f }: Motion) -> Motion {
        let (h, a) = (self.step, self.acceleration(f));
        let predicted = v + h * a;
        let x = x + 0.5 * h * (v + predicted);
        let f = self.law.force(x, predicted);
        Motion { x, v: v + 0.5 * h * (a + self.acceleration(f)), f }
    }

    fn runge_kutta(&self, Motion { x, v, .. }: Motion) -> Motion {
        let h = self.step;
        let slope = |x: f64, v: f64| (v, self.acceleration(self.law.force(x, v)));
        let (l1, k1) = slope(x, v);
        let (l2, k2) = slope(x + 0.5 * h * l1, v + 0.5 * h * k1);
        let (l3, k3) = slope(x + 0.5 * h * l2, v + 0.5 * h * k2);
        let (l4, k4) = slope(x + h * l3, v + h * k3);
        let x = x + h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
        let v = v + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        Motion { x, v, f: self.law.force(x, v) }
    }
}

impl Integrator<HuntCrossley> {
    /// An integrator for an impact at a sample rate \[Hz\].
    pub fn for_impact(method: Method, impact: &Impact, rate: f64) -> Self {
        Self::new(method, HuntCrossley::from_impact(impact), impact.mass(), rate)
    }
}

/// Largest number of samples of a contact.
const MAX_SAMPLES: usize = 1_000_000;

/// Steps from first touch, or before it, to the release; returns the samples in contact and the first after it.
pub fn integrate_until_release(start: Motion, mut advance: impl FnMut(Motion) -> Motion) -> Vec<Motion> {
    let mut motion = start;
    let mut samples = Vec::new();
    for _ in 0..MAX_SAMPLES {
        motion = advance(motion);
        let open = motion.x <= 0.0;
        if !open || !samples.is_empty() || motion.v < 0.0 {
            samples.push(motion);
        }
        if open && (samples.len() > 1 || motion.v < 0.0) {
            return samples;
        }
    }
    samples.push(Motion::default());
    samples
}
