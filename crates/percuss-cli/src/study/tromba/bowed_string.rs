//! A bowed string outside the engine, with the usual lagged friction: it is evaluated at the slip of the last step.
//!
//! Equation    ρA ü = Tu″ − 2ρAσ₀u̇ + 2ρAσ₁u̇″ − δ(x − x_B)·f,  f = r·v,  v = u̇(x_B) − v_B,  r = F√(2a)·exp(½ − av*²)
//! Update      (1 + σ₀k)du⁺ = (1 − σ₀k)du + k²c²δxx u + 2σ₁k δxx du − (k²/ρAh)·f at the bow's node
//!             f = r·v₀/(1 + rB/2k), v₀ the slip without friction, B = k²/ρAh/(1 + σ₀k)
//! Lagged      v* = δt−u − v_B, the slip of the last step. The engine extrapolates (3s − s⁻)/2 from the last two and then
//!             either evaluates r again at the new slip or solves for the slip of the step. All are implemented here, so that
//!             this string can be compared with the engine's
//! Reference   Bilbao (2009), sec. 7.4

use super::stroke::{SHARPNESS, linear_density};
use percuss::{ElementId, Simulation, StiffString};

/// Linearisation of friction in a step.
#[derive(Clone, Copy)]
pub struct FrictionUpdate {
    /// Whether v* is extrapolated from the last two slips, or is the last.
    pub extrapolates: bool,
    /// Iteration that starts from v*.
    pub iteration: FrictionIteration,
}

/// Iteration of the friction coefficient r within a step.
#[derive(Clone, Copy)]
pub enum FrictionIteration {
    /// r is evaluated again at the new slip, a fixed number of times.
    Fixed(usize),
    /// v = v₀ − (rB/2k)·v is solved next to v*: by fixed-point steps, or by Newton steps where they go further but not past the
    /// solution, until a step is below 1e-5 of v₀, and by one more.
    #[cfg_attr(not(test), expect(dead_code, reason = "the engine's method, for comparison in a test"))]
    Solved,
}

/// Friction at the slip of the last step.
pub const LAGGED_FRICTION: FrictionUpdate =
    FrictionUpdate { extrapolates: false, iteration: FrictionIteration::Fixed(0) };

/// A string with fixed ends, and a bow at one of its nodes.
pub struct BowedString {
    update: FrictionUpdate,
    /// Displacements of all nodes, including the ends \[m\].
    u: Vec<f64>,
    du: Vec<f64>,
    du_next: Vec<f64>,
    /// Coefficients of u and its neighbours, and of du and its neighbours.
    coefficients: [f64; 4],
    /// B \[m/N\].
    compliance: f64,
    k: f64,
    bow_node: usize,
    force: f64,
    bow_velocity: f64,
    /// Slip one step ago \[m/s\].
    previous_slip: Option<f64>,
}

impl BowedString {
    /// The string of a simulation at its start, bowed at a node with a force \[N\] and a velocity \[m/s\].
    pub fn new(
        (string, element): (&StiffString, ElementId),
        simulation: &Simulation,
        bow_node: usize,
        [force, bow_velocity]: [f64; 2],
        update: FrictionUpdate,
    ) -> Self {
        let (k, h) = (simulation.time_step(), simulation.grid(element).expect("a string has a grid").spacing);
        let with_ends = |inner: &[f64]| [&[0.0], inner, &[0.0]].concat();
        let line = linear_density(string);
        let (wave, spread) = (string.tension / line * (k / h).powi(2), 2.0 * string.sigma1 * k / (h * h));
        let loss = string.sigma0 * k;
        let u = with_ends(&simulation.displacements(element));
        Self {
            update,
            du_next: vec![0.0; u.len()],
            u,
            du: with_ends(&simulation.increments(element)),
            coefficients: [-2.0 * wave, wave, 1.0 - loss - 2.0 * spread, spread]
                .map(|coefficient| coefficient / (1.0 + loss)),
            compliance: k * k / (line * h * (1.0 + loss)),
            k,
            bow_node,
            force,
            bow_velocity,
            previous_slip: None,
        }
    }

    /// Advances by one sample; returns the displacement under the bow \[m\].
    pub fn step(&mut self) -> f64 {
        let [u0, u1, d0, d1] = self.coefficients;
        let nodes = self.u.windows(3).zip(self.du.windows(3));
        for (du_next, (u, du)) in self.du_next[1..].iter_mut().zip(nodes) {
            *du_next = u0 * u[1] + u1 * (u[0] + u[2]) + d0 * du[1] + d1 * (du[0] + du[2]);
        }
        self.apply_friction();
        std::mem::swap(&mut self.du, &mut self.du_next);
        self.u.iter_mut().zip(&self.du).for_each(|(u, du)| *u += du);
        self.u[self.bow_node]
    }

    fn apply_friction(&mut self) {
        let slip = self.du[self.bow_node] / self.k - self.bow_velocity;
        let free = 0.5 * (self.du_next[self.bow_node] + self.du[self.bow_node]) / self.k - self.bow_velocity;
        // Reduction of the slip per unit of r.
        let half_compliance = 0.5 * self.compliance / self.k;
        let resistance = |v: f64| self.force * (2.0 * SHARPNESS).sqrt() * (0.5 - SHARPNESS * v * v).exp();
        let change = slip - self.previous_slip.replace(slip).unwrap_or(slip);
        let expected = if self.update.extrapolates { slip + 0.5 * change } else { slip };
        let found = match self.update.iteration {
            FrictionIteration::Fixed(iteration) => {
                (0..=iteration).fold(expected, |v, _| free / (1.0 + half_compliance * resistance(v)))
            }
            FrictionIteration::Solved => solve(free, expected, |v| half_compliance * resistance(v)),
        };
        self.du_next[self.bow_node] -= self.compliance * (free - found) / half_compliance;
    }
}

/// The v with v(1 + br) = `free` next to a guess, for the exponential friction curve.
fn solve(free: f64, guess: f64, br: impl Fn(f64) -> f64) -> f64 {
    let mut v = guess.clamp(free.min(0.0), free.max(0.0));
    for _ in 0..40 {
        let residual = |v: f64| v * (1.0 + br(v)) - free;
        let slope = |v: f64| 1.0 + br(v) * (1.0 - 2.0 * SHARPNESS * v * v);
        let next = free / (1.0 + br(v));
        let newton = v - residual(v) / slope(v);
        let goes_further = slope(v) > 0.0 && (newton - next) * (next - v) >= 0.0;
        if goes_further && (newton - v).abs() <= 1e-5 * free.abs() {
            return newton - residual(newton) / slope(newton);
        }
        let stays_before = goes_further && residual(newton) * residual(v) > 0.0;
        if !stays_before && (next - v).abs() <= 1e-10 * free.abs() {
            return next;
        }
        v = if stays_before { newton } else { next };
    }
    free / (1.0 + br(v))
}
