//! The notes' solves for string, bridge and board at the bridge, with their mistakes corrected.
//!
//! Eqs. 55–65   spring and collision: the spring's force as F′ − Θv⁺, three unknowns u⁺, w⁺, v⁺
//! Eqs. 59–71   the same as sec. 7.2 writes it for speed, F′ and Θ with one division
//! Eq. 78       two-sided potential and collision: three unknowns u⁺, w⁺, v⁺
//! Eq. 83       the same for two unknowns δt·η₁, δt·η₂
//! Symbols      η_s = u − w, η₁ = w − u, η₂ = η_c = v − w; uᴵ, wᴵ, vᴵ next states without contacts (eq. 82)
//! One convention throughout: R and σ₀ in 1/s.

use super::{solve2, solve3};
use percuss::Spring;

/// What the three bodies weigh and how they are damped. A mass M₂, R₂ in place of the board is ρ_pH = M₂, σ₀ = R₂/2, h_p = 1.
pub struct BridgeSystem {
    pub k: f64,
    /// ρ_sA \[kg/m\], σ₀ \[1/s\], h_s \[m\].
    pub string: [f64; 3],
    /// M \[kg\], R \[1/s\].
    pub bridge: [f64; 2],
    /// ρ_pH \[kg/m²\], σ₀ \[1/s\], h_p \[m\].
    pub board: [f64; 3],
}

/// A potential in contact: ψ, its slope g, and η⁻.
#[derive(Clone, Copy, Debug)]
pub struct PotentialContact {
    pub psi: f64,
    pub g: f64,
    pub prev: f64,
}

impl PotentialContact {
    /// g²/4.
    fn quarter(&self) -> f64 {
        0.25 * self.g * self.g
    }

    /// The part of the force that does not wait for η⁺.
    fn known(&self) -> f64 {
        self.psi * self.g - self.quarter() * self.prev
    }

    /// g(ψ + ψ⁺)/2 for η⁺.
    pub fn force(&self, next: f64) -> f64 {
        self.known() + self.quarter() * next
    }
}

/// A spring in action: η_s and η_s⁻.
#[derive(Clone, Copy, Debug)]
pub struct SpringContact {
    pub law: Spring,
    pub eta: f64,
    pub prev: f64,
}

impl SpringContact {
    /// Φ₊ and Φ₋ of eq. 51.
    pub fn phi(&self, k: f64) -> (f64, f64) {
        let elastic = 0.25 * self.law.stiffness + 0.5 * self.law.cubic * self.eta.powi(2);
        (elastic + self.law.damping / k, elastic - self.law.damping / k)
    }

    /// What eq. 50 knows of η_s⁺ without the force: ½K₁η_s + Φ₋η_s⁻ over Φ₊.
    pub fn past(&self, k: f64) -> f64 {
        let (next, behind) = self.phi(k);
        (0.5 * self.law.stiffness * self.eta + behind * self.prev) / next
    }
}

/// u⁺, w⁺, v⁺ and the force between string and bridge \[N\], as it pushes the string up.
pub type BridgeSolution = ([f64; 3], f64);

impl BridgeSystem {
    /// What multiplies u⁺, w⁺ and v⁺ in eqs. 65 and 78 without contacts.
    pub fn left(&self) -> [f64; 3] {
        let k = self.k;
        let ([rho_a, s0, _], [mass, damping], [rho_h, p0, _]) = (self.string, self.bridge, self.board);
        [
            rho_a / (k * k) + rho_a * s0 / k,
            mass / (k * k) + mass * damping / (2.0 * k),
            rho_h / (k * k) + rho_h * p0 / k,
        ]
    }

    /// Eq. 78.
    pub fn eq_78(&self, free: [f64; 3], [first, second]: [PotentialContact; 2]) -> BridgeSolution {
        let ([.., h_s], [.., h_p]) = (self.string, self.board);
        let (left, cell) = (self.left(), h_p * h_p);
        let (q1, q2) = (first.quarter(), second.quarter());
        let a = [
            [left[0] + q1 / h_s, -q1 / h_s, 0.0],
            [-q1, left[1] + q1 + q2, -q2],
            [0.0, -q2 / cell, left[2] + q2 / cell],
        ];
        let v = [
            left[0] * free[0] + first.known() / h_s,
            left[1] * free[1] - first.known() + second.known(),
            left[2] * free[2] - second.known() / cell,
        ];
        let next = solve3(a, v);
        (next, first.force(next[1] - next[0]))
    }

    /// Eq. 83: δt·η₁ and δt·η₂.
    pub fn eq_83(&self, free: [f64; 3], [first, second]: [PotentialContact; 2]) -> [f64; 2] {
        let k = self.k;
        let ([rho_a, s0, h_s], [mass, damping], [rho_h, p0, h_p]) = (self.string, self.bridge, self.board);
        let bridge = 2.0 * mass * (2.0 + damping * k);
        let string = 4.0 * rho_a * h_s * (1.0 + s0 * k);
        let board = 4.0 * h_p * h_p * rho_h * (1.0 + p0 * k);
        let [s1, s2] = [first.g, second.g].map(|g| g * g * k * k);
        let a = [[1.0 + s1 / bridge + s1 / string, -s2 / bridge], [-s1 / bridge, 1.0 + s2 / bridge + s2 / board]];
        let [f1, f2] = [first, second].map(|push| push.psi * push.g);
        let between = 2.0 * k * (f1 - f2) / bridge;
        let [u, w, v] = free;
        let right = [
            (w - u - first.prev) / (2.0 * k) - between - 2.0 * f1 * k / string,
            (v - w - second.prev) / (2.0 * k) + between - 2.0 * f2 * k / board,
        ];
        solve2(a, right)
    }

    /// u⁺, w⁺, v⁺ after eq. 83, by eq. 81.
    pub fn eq_81(&self, free: [f64; 3], pushes: [PotentialContact; 2], rates: [f64; 2]) -> BridgeSolution {
        let ([.., h_s], [.., h_p]) = (self.string, self.board);
        let [f1, f2] = [0, 1].map(|i| {
            let PotentialContact { psi, g, .. } = pushes[i];
            0.5 * g * g * self.k * rates[i] + psi * g
        });
        let left = self.left();
        let next =
            [free[0] + f1 / (left[0] * h_s), free[1] + (f2 - f1) / left[1], free[2] - f2 / (left[2] * h_p * h_p)];
        (next, f1)
    }

    /// Eqs. 55–58 and 65.
    pub fn eq_65(&self, free: [f64; 3], pull: SpringContact, hit: PotentialContact) -> BridgeSolution {
        let ([.., h_s], [.., h_p]) = (self.string, self.board);
        let (left, cell, quarter) = (self.left(), h_p * h_p, hit.quarter());
        let (next, _) = pull.phi(self.k);
        let bridge = left[1] + quarter;
        let compliance = 1.0 / next + 1.0 / (h_s * left[0]) + 1.0 / bridge;
        let pushed = left[1] * free[1] + hit.known();
        let known = (pull.past(self.k) + free[0] - pushed / bridge) / compliance;
        let theta = quarter / (compliance * bridge);
        let a = [
            [left[0], 0.0, -theta / h_s],
            [0.0, bridge, theta - quarter],
            [0.0, -quarter / cell, left[2] + quarter / cell],
        ];
        let v = [left[0] * free[0] - known / h_s, pushed + known, left[2] * free[2] - hit.known() / cell];
        let next = solve3(a, v);
        (next, theta * next[2] - known)
    }

    /// Eqs. 59–64 and 71.
    pub fn eq_71(&self, free: [f64; 3], pull: SpringContact, hit: PotentialContact) -> BridgeSolution {
        let k = self.k;
        let ([rho_a, s0, h_s], [mass, damping], [rho_h, p0, h_p]) = (self.string, self.bridge, self.board);
        let [u, w, v] = free;
        let (theta_s, theta_b) = (h_s * rho_a * (1.0 + s0 * k), 4.0 * mass + 2.0 * mass * damping * k);
        let elastic = k * (pull.law.stiffness + 2.0 * pull.law.cubic * pull.eta.powi(2));
        let (plus, minus) = (elastic + 4.0 * pull.law.damping, elastic - 4.0 * pull.law.damping);
        let gk = (hit.g * k).powi(2);
        let below = plus * k * k * (theta_b + gk + 4.0 * theta_s) + 4.0 * k * theta_s * (theta_b + gk);
        let sprung = 2.0 * k * pull.law.stiffness * pull.eta + minus * pull.prev + plus * u;
        let pushed = theta_b * w - gk * hit.prev + 4.0 * k * k * hit.psi * hit.g;
        let known = theta_s * ((theta_b + gk) * sprung - plus * pushed) / below;
        let theta = plus * theta_s * gk / below;
        let bridge = mass * (1.0 + 0.5 * damping * k);
        let board = rho_h * (1.0 + p0 * k);
        let a = [
            [1.0 + s0 * k, 0.0, -theta * k * k / (rho_a * h_s)],
            [0.0, bridge + 0.25 * gk, theta * k * k - 0.25 * gk],
            [0.0, -0.25 * gk / (h_p * h_p), board + 0.25 * gk / (h_p * h_p)],
        ];
        let right = [
            (1.0 + s0 * k) * u - known * k * k / (h_s * rho_a),
            bridge * w + k * k * (hit.known() + known),
            board * v - k * k * hit.known() / (h_p * h_p),
        ];
        let next = solve3(a, right);
        (next, theta * next[2] - known)
    }
}
