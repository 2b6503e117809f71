//! A bowed string by itself, as it is usually written: friction is taken at the slip of the last step.
//!
//! Equation    ρA ü = Tu″ − 2ρAσ₀u̇ + 2ρAσ₁u̇″ − δ(x − x_B)·f,  f = r·v,  v = u̇(x_B) − v_B,  r = F√(2a)·exp(½ − av*²)
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²c²δxx u + 2σ₁k δxx du − (k²/ρAh)·f at the bow's node
//!             f = r·v₀/(1 + rB/2k), v₀ the slip that no friction would leave, B = k²/ρAh/(1 + σ₀k)
//! Lagged      v* = δt−u − v_B, the slip that led here. The engine starts from (3s − s⁻)/2 of the last two and then
//!             either takes r anew at the slip found or goes to the slip that solves the step: all are here, so that this
//!             string can be held against the engine's
//! Reference   Bilbao (2009), sec. 7.4

use super::stroke::{SHARPNESS, line_density};
use percuss::{ElementId, Simulation, StiffString};

/// How friction is made linear in a step.
#[derive(Clone, Copy)]
pub struct Treatment {
    /// Whether v* starts from the last two slips, or is the last.
    pub extrapolates: bool,
    /// How it goes on from there.
    pub aims: Aims,
}

/// How friction is mended within a step.
#[derive(Clone, Copy)]
pub enum Aims {
    /// r is taken anew at the slip found, so many times.
    Again(usize),
    /// v = v₀ − (rB/2k)·v is solved next to v*: by r at the slip found, or by Newton's steps where they go further and not past
    /// the solution, until one is below 1e-5 of v₀, so that its square is left.
    #[cfg_attr(not(test), expect(dead_code, reason = "the engine's way, to hold this string against it"))]
    Solved,
}

/// The usual way.
pub const LAGGED: Treatment = Treatment { extrapolates: false, aims: Aims::Again(0) };

/// A string held at both ends, and a bow on one of its nodes.
pub struct BowedString {
    treatment: Treatment,
    /// Of all nodes, the ends included \[m\].
    u: Vec<f64>,
    du: Vec<f64>,
    ahead: Vec<f64>,
    /// Weights of u and its neighbours, of du and its neighbours.
    weights: [f64; 4],
    /// B \[m/N\].
    compliance: f64,
    k: f64,
    node: usize,
    force: f64,
    bow: f64,
    /// Slip one step ago \[m/s\].
    before: Option<f64>,
}

impl BowedString {
    /// The string of an engine's simulation that has not begun, bowed on a node with a force \[N\] at a velocity \[m/s\].
    pub fn new(
        (string, handle): (&StiffString, ElementId),
        simulation: &Simulation,
        node: usize,
        [force, bow]: [f64; 2],
        treatment: Treatment,
    ) -> Self {
        let (k, h) = (simulation.time_step(), simulation.grid(handle).expect("a string has a grid").spacing);
        let with_ends = |inner: &[f64]| [&[0.0], inner, &[0.0]].concat();
        let line = line_density(string);
        let (wave, spread) = (string.tension / line * (k / h).powi(2), 2.0 * string.sigma1 * k / (h * h));
        let loss = string.sigma0 * k;
        let u = with_ends(&simulation.displacements(handle));
        Self {
            treatment,
            ahead: vec![0.0; u.len()],
            u,
            du: with_ends(&simulation.increments(handle)),
            weights: [-2.0 * wave, wave, 1.0 - loss - 2.0 * spread, spread].map(|weight| weight / (1.0 + loss)),
            compliance: k * k / (line * h * (1.0 + loss)),
            k,
            node,
            force,
            bow,
            before: None,
        }
    }

    /// Advances by one sample; returns the displacement under the bow \[m\].
    pub fn step(&mut self) -> f64 {
        let [u0, u1, d0, d1] = self.weights;
        let nodes = self.u.windows(3).zip(self.du.windows(3));
        for (ahead, (u, du)) in self.ahead[1..].iter_mut().zip(nodes) {
            *ahead = u0 * u[1] + u1 * (u[0] + u[2]) + d0 * du[1] + d1 * (du[0] + du[2]);
        }
        self.rub();
        std::mem::swap(&mut self.du, &mut self.ahead);
        self.u.iter_mut().zip(&self.du).for_each(|(u, du)| *u += du);
        self.u[self.node]
    }

    fn rub(&mut self) {
        let slip = self.du[self.node] / self.k - self.bow;
        let free = 0.5 * (self.ahead[self.node] + self.du[self.node]) / self.k - self.bow;
        // What a resistance of 1 N·s/m takes from the slip.
        let yielding = 0.5 * self.compliance / self.k;
        let resistance = |v: f64| self.force * (2.0 * SHARPNESS).sqrt() * (0.5 - SHARPNESS * v * v).exp();
        let change = slip - self.before.replace(slip).unwrap_or(slip);
        let expected = if self.treatment.extrapolates { slip + 0.5 * change } else { slip };
        let found = match self.treatment.aims {
            Aims::Again(aims) => (0..=aims).fold(expected, |v, _| free / (1.0 + yielding * resistance(v))),
            Aims::Solved => solve(free, expected, |v| yielding * resistance(v)),
        };
        self.ahead[self.node] -= self.compliance * (free - found) / yielding;
    }
}

/// The v with v(1 + br) = `free` next to a guess, for the exponential curve.
fn solve(free: f64, guess: f64, br: impl Fn(f64) -> f64) -> f64 {
    let mut v = guess.clamp(free.min(0.0), free.max(0.0));
    for _ in 0..40 {
        let miss = |v: f64| v * (1.0 + br(v)) - free;
        let next = free / (1.0 + br(v));
        let rise = 1.0 + br(v) * (1.0 - 2.0 * SHARPNESS * v * v);
        let newton = v - miss(v) / rise;
        let goes_further = rise > 0.0 && (newton - next) * (next - v) >= 0.0;
        if goes_further && (newton - v).abs() <= 1e-5 * free.abs() {
            return newton;
        }
        let stays_before = goes_further && miss(newton) * miss(v) > 0.0;
        if !stays_before && (next - v).abs() <= 1e-10 * free.abs() {
            return next;
        }
        v = if stays_before { newton } else { next };
    }
    free / (1.0 + br(v))
}
