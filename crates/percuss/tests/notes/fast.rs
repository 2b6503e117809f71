//! The tromba marina as the notes write it for speed (Willemsen 2019, sec. 7.2): a stepper for this instrument alone.
//!
//! Update      u⁺ = Σ (precomputed coefficients)·(u, u⁻ around), eq. 68 with −6μ_s², ρ_p in μ_p², δΔ under σ₁ and σ₀k on v⁻
//! Bridge      one 2×2 solve for δt·η₁, δt·η₂ (eq. 83), everything in it that does not change precomputed. With a spring
//!             between string and bridge only p₁ and q₁ of f₁ = p₁ + 2kq₁δt·η₁ differ
//! Bow         the notes have none. As the engine takes it in the plain scheme: f = r·(δt·η − v_B), r = F√(2a)·e^(½ − av²) at
//!             the slip expected from the last two, v = (3s − s⁻)/2
//! Symbols     as in `notes::bridge`; c_s, c_b, c_p: k²/4 over the masses of string node, bridge, board node with their damping

use crate::notes::board::NotesPlate;
use crate::notes::{NotesString, StateHistory, solve2};
use crate::tromba::{BOW, BRIDGE_NODE, Joint, RATTLE_NODE, SHARPNESS, Tromba};
use percuss::*;
use std::f64::consts::TAU;

/// u, u⁻ and u⁺ of a body.
#[derive(Default)]
struct TimeLevels {
    now: Vec<f64>,
    prev: Vec<f64>,
    next: Vec<f64>,
}

impl TimeLevels {
    fn new(size: usize) -> Self {
        Self { now: vec![0.0; size], prev: vec![0.0; size], next: vec![0.0; size] }
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.prev, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

/// A law √(K(α+1)/2)·x^{(α−1)/2} of slopes.
struct SlopeLaw {
    scale: f64,
    power: f64,
}

impl SlopeLaw {
    fn new(stiffness: f64, exponent: f64) -> Self {
        Self { scale: (0.5 * stiffness * (exponent + 1.0)).sqrt(), power: 0.5 * (exponent - 1.0) }
    }

    fn at(&self, x: f64) -> f64 {
        if x > 0.0 { self.scale * x.powf(self.power) } else { 0.0 }
    }
}

/// What joins string and bridge, ready for use: a potential's slope, or K₁/2, K₃ and σ×/k.
enum StringJoint {
    SlopeLaw(SlopeLaw),
    Spring { half: f64, cubic: f64, loss: f64 },
}

/// The stepper.
pub struct PrecomputedStepper {
    k: f64,
    /// Steps taken.
    n: usize,
    string: TimeLevels,
    bridge: TimeLevels,
    board: TimeLevels,
    /// On u at a node, one and two beside it; on u⁻ at the node and beside it.
    string_coefficients: [f64; 5],
    bridge_coefficients: [f64; 2],
    /// On v at a node, beside it, across the corner, two beside it; on v⁻ at the node and beside it.
    plate_coefficients: [f64; 6],
    intervals: [usize; 2],
    /// c_s, c_b, c_p.
    quarter_compliance: [f64; 3],
    joint: StringJoint,
    rattle: SlopeLaw,
    gap: f64,
    bow: Bow,
    /// Node before the bow, and its weight and that of the next.
    bow_node: usize,
    bow_weights: [f64; 2],
    /// δt−η − v_B of the last step, where there was one \[m/s\].
    pub slip: Option<f64>,
    /// ψ₁ (0 with a spring) and ψ₂.
    pub psi: [f64; 2],
    /// f₁ and f₂ of the last step, and the bow's \[N\].
    pub forces: [f64; 3],
}

impl PrecomputedStepper {
    pub fn new(tromba: &Tromba, wire: &NotesString, board: &NotesPlate) -> Self {
        let (k, bridge) = (wire.k, &tromba.bridge);
        let nodes = (tromba.string.length / wire.h).round() as usize;
        let at_bow = BOW * nodes as f64;
        let share = at_bow.fract();
        let quarter_compliance = [
            wire.rho_a * wire.h * (1.0 + wire.sigma0 * k),
            bridge.mass * (1.0 + 0.5 * bridge.damping * k),
            board.rho_h * board.h.powi(2) * (1.0 + board.sigma0 * k),
        ];
        let half = 0.5 * bridge.damping * k;
        Self {
            k,
            n: 0,
            string: TimeLevels::new(nodes + 3),
            bridge: TimeLevels::new(1),
            board: TimeLevels::new(board.stride() * (board.intervals[1] + 5)),
            string_coefficients: precompute_string(wire),
            bridge_coefficients: [2.0 - (TAU * bridge.frequency * k).powi(2), half - 1.0].map(|c| c / (1.0 + half)),
            plate_coefficients: precompute_plate(board),
            intervals: board.intervals,
            quarter_compliance: quarter_compliance.map(|mass| 0.25 * k * k / mass),
            joint: match tromba.joint {
                Joint::Potential(law) => StringJoint::SlopeLaw(SlopeLaw::new(law.stiffness, law.exponent)),
                Joint::Spring(law) => {
                    StringJoint::Spring { half: 0.5 * law.stiffness, cubic: law.cubic, loss: law.damping / k }
                }
            },
            rattle: SlopeLaw::new(tromba.rattle.stiffness, tromba.rattle.exponent),
            gap: tromba.rattle.gap,
            bow: tromba.bow.clone(),
            bow_node: at_bow as usize + 1,
            bow_weights: [1.0 - share, share],
            slip: None,
            psi: [0.0; 2],
            forces: [0.0; 3],
        }
    }

    /// Goes to a state of string, bridge and board, and of their contacts.
    pub fn load(&mut self, state: &StateHistory) {
        let last = self.string.now.len() - 2;
        self.string.now[2..last].copy_from_slice(&state.now[0]);
        self.string.prev[2..last].copy_from_slice(&state.prev[0]);
        (self.bridge.now[0], self.bridge.prev[0]) = state.node(1, 0);
        self.board.now.copy_from_slice(&state.now[2]);
        self.board.prev.copy_from_slice(&state.prev[2]);
        self.psi = [state.psi[0][0], state.psi[1][0]];
        mirror_ends(&mut self.string.now);
        mirror_edges(&mut self.board.now, self.intervals);
    }

    /// Advances by one sample.
    pub fn step(&mut self) {
        self.predict();
        self.apply_bow();
        self.solve_bridge();
        self.advance();
    }

    /// Advances string, bridge and board by one sample, each alone.
    pub fn step_uncoupled(&mut self) {
        self.predict();
        self.advance();
    }

    /// u, w and v: the moving nodes of the string, the bridge, all nodes of the board with their padding.
    pub fn displacements(&self) -> [&[f64]; 3] {
        let last = self.string.now.len() - 2;
        [&self.string.now[2..last], &self.bridge.now, &self.board.now]
    }

    /// Eq. 68: u⁺, w⁺ and v⁺ without contacts.
    fn predict(&mut self) {
        let [c0, c1, c2, d0, d1] = self.string_coefficients;
        let TimeLevels { now, prev, next } = &mut self.string;
        for l in 2..now.len() - 2 {
            next[l] = c0 * now[l]
                + c1 * (now[l + 1] + now[l - 1])
                + c2 * (now[l + 2] + now[l - 2])
                + d0 * prev[l]
                + d1 * (prev[l + 1] + prev[l - 1]);
        }
        let [c0, d0] = self.bridge_coefficients;
        self.bridge.next[0] = c0 * self.bridge.now[0] + d0 * self.bridge.prev[0];
        let [c0, c1, c2, c3, d0, d1] = self.plate_coefficients;
        let ([columns, rows], TimeLevels { now, prev, next }) = (self.intervals, &mut self.board);
        let s = columns + 5;
        for j in 1..rows {
            for n in (j + 2) * s + 3..(j + 2) * s + columns + 2 {
                next[n] = c0 * now[n]
                    + c1 * (now[n + 1] + now[n - 1] + now[n + s] + now[n - s])
                    + c2 * (now[n + s + 1] + now[n + s - 1] + now[n - s + 1] + now[n - s - 1])
                    + c3 * (now[n + 2] + now[n - 2] + now[n + 2 * s] + now[n - 2 * s])
                    + d0 * prev[n]
                    + d1 * (prev[n + 1] + prev[n - 1] + prev[n + s] + prev[n - s]);
            }
        }
    }

    /// The bow, alone on its two nodes: f = (p + q·d₀)/(1 + Bq).
    fn apply_bow(&mut self) {
        let ([left, right], node) = (self.bow_weights, self.bow_node);
        let at = |u: &[f64]| left * u[node] + right * u[node + 1];
        let (eta, prev, next) = (at(&self.string.now), at(&self.string.prev), at(&self.string.next));
        let t = self.n as f64 * self.k;
        let velocity = self.bow.velocity.at(t);
        let slip = (eta - prev) / self.k - velocity;
        let expected = slip + 0.5 * (slip - self.slip.unwrap_or(slip));
        self.slip = Some(slip);
        let r = self.bow.force.at(t) * (2.0 * SHARPNESS).sqrt() * (0.5 - SHARPNESS * expected * expected).exp();
        let q = 0.5 * r / self.k;
        let compliance = 4.0 * self.quarter_compliance[0];
        let force = (q * (next - prev) - r * velocity) / (1.0 + compliance * (left * left + right * right) * q);
        self.string.next[node] -= compliance * left * force;
        self.string.next[node + 1] -= compliance * right * force;
        self.forces[2] = force;
    }

    /// Eq. 83, then eq. 81 at the three nodes of the bridge.
    fn solve_bridge(&mut self) {
        let (l, m) = (BRIDGE_NODE + 1, (RATTLE_NODE[1] + 2) * (self.intervals[0] + 5) + RATTLE_NODE[0] + 2);
        let (u, w, v) = (&mut self.string, &mut self.bridge, &mut self.board);
        let (eta1, prev1) = (w.now[0] - u.now[l], w.prev[0] - u.prev[l]);
        let (eta2, prev2) = (v.now[m] - w.now[0] - self.gap, v.prev[m] - w.prev[0]);
        let g2 = self.rattle.at(eta2);
        let (g1, p1, q1) = match &self.joint {
            StringJoint::SlopeLaw(slope) => {
                let g = slope.at(eta1.abs());
                (g, g * self.psi[0], 0.25 * g * g)
            }
            StringJoint::Spring { half, cubic, loss } => {
                let cubed = cubic * eta1 * eta1;
                (0.0, half * (eta1 + prev1) + cubed * prev1, 0.5 * half + 0.5 * cubed + loss)
            }
        };
        let (p2, q2) = (g2 * self.psi[1], 0.25 * g2 * g2);
        let (s1, s2) = (4.0 * q1, 4.0 * q2);
        let [c_s, c_b, c_p] = self.quarter_compliance;
        let half_rate = 0.5 / self.k;
        let free1 = w.next[0] - u.next[l] - prev1;
        let free2 = v.next[m] - w.next[0] - prev2;
        let a = [[1.0 + s1 * (c_b + c_s), -s2 * c_b], [-s1 * c_b, 1.0 + s2 * (c_b + c_p)]];
        let between = 4.0 * c_b * (p1 - p2);
        let right = [free1 - between - 4.0 * c_s * p1, free2 + between - 4.0 * c_p * p2];
        let [rate1, rate2] = solve2(a, right.map(|x| x * half_rate));
        let (f1, f2) = (p1 + 2.0 * self.k * q1 * rate1, p2 + 2.0 * self.k * q2 * rate2);
        u.next[l] += 4.0 * c_s * f1;
        w.next[0] += 4.0 * c_b * (f2 - f1);
        v.next[m] -= 4.0 * c_p * f2;
        self.psi = [self.psi[0] + self.k * g1 * rate1, self.psi[1] + self.k * g2 * rate2];
        (self.forces[0], self.forces[1]) = (f1, f2);
    }

    fn advance(&mut self) {
        self.string.advance();
        self.bridge.advance();
        self.board.advance();
        mirror_ends(&mut self.string.now);
        mirror_edges(&mut self.board.now, self.intervals);
        self.n += 1;
    }
}

/// Eq. 68a over 1 + σ₀k.
fn precompute_string(wire: &NotesString) -> [f64; 5] {
    let NotesString { rho_a, tension, bending, sigma0, sigma1, h, k } = *wire;
    let (lambda, mu) = (tension * k * k / (rho_a * h * h), bending * k * k / (rho_a * h.powi(4)));
    let loss = 2.0 * sigma1 * k / (h * h);
    [2.0 - 2.0 * lambda - 6.0 * mu - 2.0 * loss, lambda + 4.0 * mu + loss, -mu, -1.0 + sigma0 * k + 2.0 * loss, -loss]
        .map(|c| c / (1.0 + sigma0 * k))
}

/// Eq. 68c over 1 + σ₀k.
fn precompute_plate(board: &NotesPlate) -> [f64; 6] {
    let NotesPlate { rho_h, bending, sigma0, sigma1, h, k, .. } = *board;
    let (mu, loss) = (bending * k * k / (rho_h * h.powi(4)), 2.0 * sigma1 * k / (h * h));
    [2.0 - 20.0 * mu - 4.0 * loss, 8.0 * mu + loss, -2.0 * mu, -mu, -1.0 + sigma0 * k + 4.0 * loss, -loss]
        .map(|c| c / (1.0 + sigma0 * k))
}

/// Simply supported ends: u₋₁ = −u₁, u_{N+1} = −u_{N−1}.
fn mirror_ends(u: &mut [f64]) {
    let last = u.len() - 1;
    (u[0], u[last]) = (-u[2], -u[last - 2]);
}

/// The same along the four edges of the board.
fn mirror_edges(v: &mut [f64], [columns, rows]: [usize; 2]) {
    let s = columns + 5;
    for i in 3..columns + 2 {
        v[s + i] = -v[3 * s + i];
        v[(rows + 3) * s + i] = -v[(rows + 1) * s + i];
    }
    for row in (3..rows + 2).map(|j| j * s) {
        v[row + 1] = -v[row + 3];
        v[row + columns + 3] = -v[row + columns + 1];
    }
}
