//! The tromba marina as the notes write it for speed (Willemsen 2019, sec. 7.2): a stepper for this instrument alone.
//!
//! Update      u⁺ = Σ (precomputed coefficients)·(u, u⁻ around), eq. 68 with −6μ_s², ρ_p in μ_p², δΔ under σ₁ and σ₀k on v⁻
//! Bridge      one 2×2 solve for δt·η₁, δt·η₂ (eq. 83), everything in it that does not change precomputed. With a spring
//!             between string and bridge only p₁ and q₁ of f₁ = p₁ + 2kq₁δt·η₁ differ
//! Bow         the notes have none. As the engine takes it in the plain scheme: f = r·(δt·η − v_B), r = F√(2a)·e^(½ − av²) at
//!             the slip expected from the last two, v = (3s − s⁻)/2
//! Symbols     as in `notes::bridge`; c_s, c_b, c_p: k²/4 over the masses of string node, bridge, board node with their damping

use crate::notes::board::Board;
use crate::notes::{Seen, Wire, solve2};
use crate::tromba::{BOW, BRIDGE_NODE, Joint, RATTLE_NODE, SHARPNESS, Tromba};
use percuss::*;
use std::f64::consts::TAU;

/// u, u⁻ and u⁺ of a body.
#[derive(Default)]
struct Levels {
    now: Vec<f64>,
    back: Vec<f64>,
    ahead: Vec<f64>,
}

impl Levels {
    fn new(size: usize) -> Self {
        Self { now: vec![0.0; size], back: vec![0.0; size], ahead: vec![0.0; size] }
    }

    fn move_on(&mut self) {
        std::mem::swap(&mut self.back, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.ahead);
    }
}

/// A law √(K(α+1)/2)·x^{(α−1)/2} of slopes.
struct Slope {
    scale: f64,
    power: f64,
}

impl Slope {
    fn new(stiffness: f64, exponent: f64) -> Self {
        Self { scale: (0.5 * stiffness * (exponent + 1.0)).sqrt(), power: 0.5 * (exponent - 1.0) }
    }

    fn at(&self, x: f64) -> f64 {
        if x > 0.0 { self.scale * x.powf(self.power) } else { 0.0 }
    }
}

/// What joins string and bridge, ready for use: a potential's slope, or K₁/2, K₃ and σ×/k.
enum Tie {
    Slope(Slope),
    Spring { half: f64, cubic: f64, loss: f64 },
}

/// The stepper.
pub struct Fast {
    k: f64,
    /// Steps taken.
    n: usize,
    string: Levels,
    bridge: Levels,
    board: Levels,
    /// On u at a node, one and two beside it; on u⁻ at the node and beside it.
    on_string: [f64; 5],
    on_bridge: [f64; 2],
    /// On v at a node, beside it, across the corner, two beside it; on v⁻ at the node and beside it.
    on_board: [f64; 6],
    intervals: [usize; 2],
    /// c_s, c_b, c_p.
    softness: [f64; 3],
    tie: Tie,
    rattle: Slope,
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

impl Fast {
    pub fn new(tromba: &Tromba, wire: &Wire, board: &Board) -> Self {
        let (k, bridge) = (wire.k, &tromba.bridge);
        let nodes = (tromba.string.length / wire.h).round() as usize;
        let at_bow = BOW * nodes as f64;
        let share = at_bow.fract();
        let softness = [
            wire.rho_a * wire.h * (1.0 + wire.sigma0 * k),
            bridge.mass * (1.0 + 0.5 * bridge.damping * k),
            board.rho_h * board.h.powi(2) * (1.0 + board.sigma0 * k),
        ];
        let half = 0.5 * bridge.damping * k;
        Self {
            k,
            n: 0,
            string: Levels::new(nodes + 3),
            bridge: Levels::new(1),
            board: Levels::new(board.stride() * (board.intervals[1] + 5)),
            on_string: string_coefficients(wire),
            on_bridge: [2.0 - (TAU * bridge.frequency * k).powi(2), half - 1.0].map(|c| c / (1.0 + half)),
            on_board: board_coefficients(board),
            intervals: board.intervals,
            softness: softness.map(|mass| 0.25 * k * k / mass),
            tie: match tromba.joint {
                Joint::Potential(law) => Tie::Slope(Slope::new(law.stiffness, law.exponent)),
                Joint::Spring(law) => {
                    Tie::Spring { half: 0.5 * law.stiffness, cubic: law.cubic, loss: law.damping / k }
                }
            },
            rattle: Slope::new(tromba.rattle.stiffness, tromba.rattle.exponent),
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
    pub fn load(&mut self, seen: &Seen) {
        let last = self.string.now.len() - 2;
        self.string.now[2..last].copy_from_slice(&seen.now[0]);
        self.string.back[2..last].copy_from_slice(&seen.back[0]);
        (self.bridge.now[0], self.bridge.back[0]) = seen.node(1, 0);
        self.board.now.copy_from_slice(&seen.now[2]);
        self.board.back.copy_from_slice(&seen.back[2]);
        self.psi = [seen.psi[0][0], seen.psi[1][0]];
        mirror_ends(&mut self.string.now);
        mirror_edges(&mut self.board.now, self.intervals);
    }

    /// Advances by one sample.
    pub fn step(&mut self) {
        self.predict();
        self.draw();
        self.rattle();
        self.move_on();
    }

    /// Advances string, bridge and board by one sample, each alone.
    pub fn step_apart(&mut self) {
        self.predict();
        self.move_on();
    }

    /// u, w and v: the moving nodes of the string, the bridge, all nodes of the board with their padding.
    pub fn displacements(&self) -> [&[f64]; 3] {
        let last = self.string.now.len() - 2;
        [&self.string.now[2..last], &self.bridge.now, &self.board.now]
    }

    /// Eq. 68: everything ahead without contacts.
    fn predict(&mut self) {
        let [c0, c1, c2, d0, d1] = self.on_string;
        let Levels { now, back, ahead } = &mut self.string;
        for l in 2..now.len() - 2 {
            ahead[l] = c0 * now[l]
                + c1 * (now[l + 1] + now[l - 1])
                + c2 * (now[l + 2] + now[l - 2])
                + d0 * back[l]
                + d1 * (back[l + 1] + back[l - 1]);
        }
        let [c0, d0] = self.on_bridge;
        self.bridge.ahead[0] = c0 * self.bridge.now[0] + d0 * self.bridge.back[0];
        let [c0, c1, c2, c3, d0, d1] = self.on_board;
        let ([columns, rows], Levels { now, back, ahead }) = (self.intervals, &mut self.board);
        let s = columns + 5;
        for j in 1..rows {
            for n in (j + 2) * s + 3..(j + 2) * s + columns + 2 {
                ahead[n] = c0 * now[n]
                    + c1 * (now[n + 1] + now[n - 1] + now[n + s] + now[n - s])
                    + c2 * (now[n + s + 1] + now[n + s - 1] + now[n - s + 1] + now[n - s - 1])
                    + c3 * (now[n + 2] + now[n - 2] + now[n + 2 * s] + now[n - 2 * s])
                    + d0 * back[n]
                    + d1 * (back[n + 1] + back[n - 1] + back[n + s] + back[n - s]);
            }
        }
    }

    /// The bow, alone on its two nodes: f = (p + q·d₀)/(1 + Bq).
    fn draw(&mut self) {
        let ([left, right], node) = (self.bow_weights, self.bow_node);
        let at = |u: &[f64]| left * u[node] + right * u[node + 1];
        let (eta, back, ahead) = (at(&self.string.now), at(&self.string.back), at(&self.string.ahead));
        let t = self.n as f64 * self.k;
        let velocity = self.bow.velocity.at(t);
        let slip = (eta - back) / self.k - velocity;
        let expected = slip + 0.5 * (slip - self.slip.unwrap_or(slip));
        self.slip = Some(slip);
        let r = self.bow.force.at(t) * (2.0 * SHARPNESS).sqrt() * (0.5 - SHARPNESS * expected * expected).exp();
        let q = 0.5 * r / self.k;
        let give = 4.0 * self.softness[0];
        let force = (q * (ahead - back) - r * velocity) / (1.0 + give * (left * left + right * right) * q);
        self.string.ahead[node] -= give * left * force;
        self.string.ahead[node + 1] -= give * right * force;
        self.forces[2] = force;
    }

    /// Eq. 83, then eq. 81 at the three nodes of the bridge.
    fn rattle(&mut self) {
        let (l, m) = (BRIDGE_NODE + 1, (RATTLE_NODE[1] + 2) * (self.intervals[0] + 5) + RATTLE_NODE[0] + 2);
        let (u, w, v) = (&mut self.string, &mut self.bridge, &mut self.board);
        let (eta1, back1) = (w.now[0] - u.now[l], w.back[0] - u.back[l]);
        let (eta2, back2) = (v.now[m] - w.now[0] - self.gap, v.back[m] - w.back[0]);
        let g2 = self.rattle.at(eta2);
        let (g1, p1, q1) = match &self.tie {
            Tie::Slope(slope) => {
                let g = slope.at(eta1.abs());
                (g, g * self.psi[0], 0.25 * g * g)
            }
            Tie::Spring { half, cubic, loss } => {
                let cubed = cubic * eta1 * eta1;
                (0.0, half * (eta1 + back1) + cubed * back1, 0.5 * half + 0.5 * cubed + loss)
            }
        };
        let (p2, q2) = (g2 * self.psi[1], 0.25 * g2 * g2);
        let (s1, s2) = (4.0 * q1, 4.0 * q2);
        let [c_s, c_b, c_p] = self.softness;
        let half_rate = 0.5 / self.k;
        let free1 = w.ahead[0] - u.ahead[l] - back1;
        let free2 = v.ahead[m] - w.ahead[0] - back2;
        let a = [[1.0 + s1 * (c_b + c_s), -s2 * c_b], [-s1 * c_b, 1.0 + s2 * (c_b + c_p)]];
        let between = 4.0 * c_b * (p1 - p2);
        let right = [free1 - between - 4.0 * c_s * p1, free2 + between - 4.0 * c_p * p2];
        let [rate1, rate2] = solve2(a, right.map(|x| x * half_rate));
        let (f1, f2) = (p1 + 2.0 * self.k * q1 * rate1, p2 + 2.0 * self.k * q2 * rate2);
        u.ahead[l] += 4.0 * c_s * f1;
        w.ahead[0] += 4.0 * c_b * (f2 - f1);
        v.ahead[m] -= 4.0 * c_p * f2;
        self.psi = [self.psi[0] + self.k * g1 * rate1, self.psi[1] + self.k * g2 * rate2];
        (self.forces[0], self.forces[1]) = (f1, f2);
    }

    fn move_on(&mut self) {
        self.string.move_on();
        self.bridge.move_on();
        self.board.move_on();
        mirror_ends(&mut self.string.now);
        mirror_edges(&mut self.board.now, self.intervals);
        self.n += 1;
    }
}

/// Eq. 68a over 1 + σ₀k.
fn string_coefficients(wire: &Wire) -> [f64; 5] {
    let Wire { rho_a, tension, bending, sigma0, sigma1, h, k } = *wire;
    let (lambda, mu) = (tension * k * k / (rho_a * h * h), bending * k * k / (rho_a * h.powi(4)));
    let loss = 2.0 * sigma1 * k / (h * h);
    [2.0 - 2.0 * lambda - 6.0 * mu - 2.0 * loss, lambda + 4.0 * mu + loss, -mu, -1.0 + sigma0 * k + 2.0 * loss, -loss]
        .map(|c| c / (1.0 + sigma0 * k))
}

/// Eq. 68c over 1 + σ₀k.
fn board_coefficients(board: &Board) -> [f64; 6] {
    let Board { rho_h, bending, sigma0, sigma1, h, k, .. } = *board;
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
