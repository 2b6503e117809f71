//! Known answers: the notes' systems of two contacts, and of a spring (Willemsen 2019), with their mistakes corrected.
//!
//! As in `golden_notes`, every step of `Scheme::Plain` is compared with the hand-made system. The notes' plate node
//! is a second mass here: M₂ for ρ_pHh_p², R₂/2 for σ₀,p. One convention throughout: R and σ₀ in 1/s.

#[allow(dead_code)] // every test file uses its own part
mod notes;

use notes::*;
use percuss::*;

const RATE: f64 = 44_100.0;
const K: f64 = 1.0 / RATE;
const HARD: Collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 };
/// Intervals of every string, and the moving node at 0.4 of its length.
const GRID: usize = 50;
const BRIDGE: usize = 19;

/// u and v of A x = v for two unknowns, as (A, v).
type System2 = ([[f64; 2]; 2], [f64; 2]);

/// A string lying on a mass at 0.4 of its length.
struct Scene {
    model: Model,
    string: StiffString,
    mass: Mass,
    u: Handle,
    w: Handle,
}

impl Scene {
    fn new(string: StiffString, mass: Mass) -> Self {
        let mut model = Model::new();
        model.scheme = Scheme::Plain;
        let (u, w) = (model.add(string.clone()), model.add(mass.clone()));
        Self { model, string, mass, u, w }
    }

    fn compile(&self) -> (Simulation, Wire) {
        let sim = self.model.compile(RATE).unwrap();
        let wire = Wire::of(&self.string, self.u, &sim);
        (sim, wire)
    }
}

fn damped_string() -> StiffString {
    let displacement = Shape::Triangle { at: 0.25, height: 2e-3 };
    StiffString { grid: Some(GRID), sigma0: 3.0, sigma1: 0.01, displacement, ..StiffString::default() }
}

fn damped_mass() -> Mass {
    Mass { mass: 4e-3, position: -2e-4, velocity: 0.1, frequency: 60.0, damping: 5.0, ..Mass::default() }
}

/// String – mass – barrier of eqs. 91 and 93; returns the scene with both contacts and the barrier's height.
fn on_barrier(string: StiffString, mass: Mass) -> (Scene, [Contact; 2], f64) {
    let mut scene = Scene::new(string, mass);
    let b = -4e-4;
    let barrier = scene.model.add(Barrier::at(b));
    let with_string = scene.model.collide(scene.w.point(), scene.u.at(0.4), HARD);
    let with_barrier = scene.model.collide(barrier.point(), scene.w.point(), HARD);
    (scene, [with_string, with_barrier], b)
}

#[test]
fn string_mass_barrier_steps_as_eq_91() {
    let (scene, contacts, b) = on_barrier(damped_string(), damped_mass());
    let (mut sim, wire) = scene.compile();
    follow(&mut sim, &[scene.u, scene.w], &contacts, 6000, |seen| {
        let (u, w) = (seen.node(0, BRIDGE), seen.node(1, 0));
        let (psi_s, g_s) = (seen.psi[0][0], slope(HARD, w.0 - u.0));
        let (psi_b, g_b) = (seen.psi[1][0], slope(HARD, b - w.0));
        let (q_s, q_b) = (0.25 * g_s * g_s, 0.25 * g_b * g_b);
        let (s_back, b_back) = (w.1 - u.1, b - w.1);
        let a = [[wire.left_side() + q_s / wire.h, -q_s / wire.h], [-q_s, mass_left_side(&scene.mass, K) + q_s + q_b]];
        let from_mass = psi_s * g_s - q_s * s_back;
        let from_barrier = psi_b * g_b + q_b * (b - b_back);
        let right = wire.right_side(&seen.now[0], &seen.back[0], BRIDGE) + from_mass / wire.h;
        let [u, w] = solve2(a, [right, mass_right_side(&scene.mass, K, w) - from_mass + from_barrier]);
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, from_mass + q_s * (w - u));
        let psi = [psi_ahead(psi_s, g_s, w - u, s_back), psi_ahead(psi_b, g_b, b - w, b_back)];
        Ahead { u: vec![string, vec![w]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

#[test]
fn string_mass_barrier_steps_as_the_matrix_of_appendix_e() {
    // Eqs. 93–101: no stiffness, no damping, no spring; (u − u⁻)/k in eq. 101. Unknowns δt·η_B, δt·η_M.
    let string = StiffString { youngs_modulus: 0.0, sigma0: 0.0, sigma1: 0.0, ..damped_string() };
    let free_mass = Mass { frequency: 0.0, damping: 0.0, ..damped_mass() };
    let (scene, contacts, b) = on_barrier(string, free_mass);
    let (mut sim, wire) = scene.compile();
    let mass = scene.mass.mass;
    let node_mass = wire.rho_a * wire.h;
    follow(&mut sim, &[scene.u, scene.w], &contacts, 6000, |seen| {
        let (u, w) = (seen.node(0, BRIDGE), seen.node(1, 0));
        let (psi_m, g_m) = (seen.psi[0][0], slope(HARD, w.0 - u.0));
        let (psi_b, g_b) = (seen.psi[1][0], slope(HARD, b - w.0));
        let per_mass = [g_b, g_m].map(|g| K * K * g * g / (4.0 * mass));
        let a = [
            [1.0 + per_mass[0], -per_mass[1]],
            [-per_mass[0], 1.0 + per_mass[1] + K * K * g_m * g_m / (4.0 * node_mass)],
        ];
        let first = -(w.0 - w.1) / K + K * g_m * psi_m / (2.0 * mass) - K * g_b * psi_b / (2.0 * mass);
        let bend = wire.tension * K / (2.0 * wire.rho_a) * wire.dxx(&seen.now[0], BRIDGE);
        let second = -first - (u.0 - u.1) / K - bend - K * g_m * psi_m / (2.0 * node_mass);
        let [rate_b, rate_m] = solve2(a, [first, second]);
        // Eqs. 95, 93b and 18.
        let force = (0.5 * g_m * K * rate_m + psi_m) * g_m;
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, force);
        let psi = [(psi_m + K * g_m * rate_m, g_m), (psi_b + K * g_b * rate_b, g_b)];
        Ahead { u: vec![string, vec![w.1 - 2.0 * K * rate_b]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

const TIE: Connection = Connection { stiffness: 5e7, exponent: 1.3, play: 0.0, gap: 0.0 };

/// String – two-sided connection – mass – collision – second mass, all damped: the system of eq. 76.
fn chain() -> (Scene, Mass, Handle, [Contact; 2]) {
    let mut scene = Scene::new(damped_string(), damped_mass());
    let second = Mass { mass: 8e-3, position: -1e-3, frequency: 45.0, damping: 2.0, ..Mass::default() };
    let v = scene.model.add(second.clone());
    let tie = scene.model.connect(scene.w.point(), scene.u.at(0.4), TIE);
    let hit = scene.model.collide(v.point(), scene.w.point(), HARD);
    (scene, second, v, [tie, hit])
}

/// (ψ, g, η⁻) of both contacts of the chain. Eq. 75 with its sign kept in ψ: g is never negative.
fn chain_contacts(seen: &Seen) -> [(f64, f64, f64); 2] {
    let (u, w, v) = (seen.node(0, BRIDGE), seen.node(1, 0), seen.node(2, 0));
    let tie = Collision { stiffness: TIE.stiffness, exponent: TIE.exponent, ..HARD };
    [(seen.psi[0][0], slope(tie, (w.0 - u.0).abs()), w.1 - u.1), (seen.psi[1][0], slope(HARD, v.0 - w.0), v.1 - w.1)]
}

#[test]
fn connected_and_colliding_chain_steps_as_eq_78() {
    let (scene, second, v, contacts) = chain();
    let (mut sim, wire) = scene.compile();
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |seen| {
        let [(psi1, g1, back1), (psi2, g2, back2)] = chain_contacts(seen);
        let (q1, q2) = (0.25 * g1 * g1, 0.25 * g2 * g2);
        let (push1, push2) = (psi1 * g1 - q1 * back1, psi2 * g2 - q2 * back2);
        let a = [
            [wire.left_side() + q1 / wire.h, -q1 / wire.h, 0.0],
            [-q1, mass_left_side(&scene.mass, K) + q1 + q2, -q2],
            [0.0, -q2, mass_left_side(&second, K) + q2],
        ];
        let right = [
            wire.right_side(&seen.now[0], &seen.back[0], BRIDGE) + push1 / wire.h,
            mass_right_side(&scene.mass, K, seen.node(1, 0)) - push1 + push2,
            mass_right_side(&second, K, seen.node(2, 0)) - push2,
        ];
        let [u, w, v] = solve3(a, right);
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, push1 + q1 * (w - u));
        let psi = [psi_ahead(psi1, g1, w - u, back1), psi_ahead(psi2, g2, v - w, back2)];
        Ahead { u: vec![string, vec![w], vec![v]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

/// Eq. 83 for the chain: A and v of δt·η₁, δt·η₂, from the contact-free states of eq. 82.
fn eq_83(seen: &Seen, free: [f64; 3], compliance: [f64; 3]) -> System2 {
    let [(psi1, g1, back1), (psi2, g2, back2)] = chain_contacts(seen);
    let [on_u, on_w, on_v] = compliance;
    let [u, w, v] = free;
    // k²/M(1 + Rk/2)·g²/4 is the notes' g²k²/2M(2 + Rk), and so on.
    let (q1, q2) = (0.25 * g1 * g1, 0.25 * g2 * g2);
    let a = [[1.0 + q1 * (on_w + on_u), -q2 * on_w], [-q1 * on_w, 1.0 + q2 * (on_w + on_v)]];
    let between = on_w * (psi1 * g1 - psi2 * g2);
    let right = [
        (w - u - back1 - between - on_u * psi1 * g1) / (2.0 * K),
        (v - w - back2 + between - on_v * psi2 * g2) / (2.0 * K),
    ];
    (a, right)
}

#[test]
fn connected_and_colliding_chain_steps_as_eq_83() {
    let (scene, second, v, contacts) = chain();
    let (mut sim, wire) = scene.compile();
    let inverse = [wire.h * wire.left_side(), mass_left_side(&scene.mass, K), mass_left_side(&second, K)];
    let compliance = inverse.map(f64::recip);
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |seen| {
        let free = [
            wire.right_side(&seen.now[0], &seen.back[0], BRIDGE) / wire.left_side(),
            mass_right_side(&scene.mass, K, seen.node(1, 0)) / mass_left_side(&scene.mass, K),
            mass_right_side(&second, K, seen.node(2, 0)) / mass_left_side(&second, K),
        ];
        let (a, right) = eq_83(seen, free, compliance);
        let rates = solve2(a, right);
        let [(psi1, g1, _), (psi2, g2, _)] = chain_contacts(seen);
        let force1 = 0.5 * g1 * g1 * K * rates[0] + psi1 * g1;
        let force2 = 0.5 * g2 * g2 * K * rates[1] + psi2 * g2;
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, force1);
        let w = free[1] - compliance[1] * (force1 - force2);
        let v = free[2] - compliance[2] * force2;
        let psi = [(psi1 + K * g1 * rates[0], g1), (psi2 + K * g2 * rates[1], g2)];
        Ahead { u: vec![string, vec![w], vec![v]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

const SPRING: Spring = Spring { stiffness: 5e4, cubic: 1e11, damping: 0.3, gap: 0.0 };

/// Φ₊ and Φ₋ of eq. 51.
fn phi(eta: f64) -> (f64, f64) {
    let elastic = 0.25 * SPRING.stiffness + 0.5 * SPRING.cubic * eta * eta;
    (elastic + SPRING.damping / K, elastic - SPRING.damping / K)
}

#[test]
fn spring_between_string_and_mass_pulls_as_eqs_49_to_51() {
    let mut scene = Scene::new(damped_string(), damped_mass());
    let spring = scene.model.spring(scene.u.at(0.4), scene.w.point(), SPRING);
    let (mut sim, wire) = scene.compile();
    follow(&mut sim, &[scene.u, scene.w], &[spring], 5000, |seen| {
        let (u, w) = (seen.node(0, BRIDGE), seen.node(1, 0));
        let (eta, eta_back) = (u.0 - w.0, u.1 - w.1);
        let (ahead, behind) = phi(eta);
        let u_free = wire.right_side(&seen.now[0], &seen.back[0], BRIDGE) / wire.left_side();
        let left = mass_left_side(&scene.mass, K);
        let w_free = mass_right_side(&scene.mass, K, w) / left;
        // Eq. 50 set equal to η_s⁺ of eq. 53, as in eqs. 55–58 without the collision.
        let compliance = 1.0 / ahead + 1.0 / (wire.h * wire.left_side()) + 1.0 / left;
        let past = (0.5 * SPRING.stiffness * eta + behind * eta_back) / ahead;
        let force = (past + u_free - w_free) / compliance;
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, -force);
        Ahead { u: vec![string, vec![w_free + force / left]], psi: vec![vec![(0.0, 0.0)]] }
    });
}

#[test]
fn tromba_marina_with_spring_and_collision_steps_as_eq_65() {
    let mut scene = Scene::new(damped_string(), damped_mass());
    let second = Mass { mass: 8e-3, position: -1e-3, frequency: 45.0, damping: 2.0, ..Mass::default() };
    let v = scene.model.add(second.clone());
    let contacts = [
        scene.model.spring(scene.u.at(0.4), scene.w.point(), SPRING),
        scene.model.collide(v.point(), scene.w.point(), HARD),
    ];
    let (mut sim, wire) = scene.compile();
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |seen| {
        let (u, w, v) = (seen.node(0, BRIDGE), seen.node(1, 0), seen.node(2, 0));
        let (eta, eta_back, c_back) = (u.0 - w.0, u.1 - w.1, v.1 - w.1);
        let (psi, g) = (seen.psi[1][0], slope(HARD, v.0 - w.0));
        let quarter = 0.25 * g * g;
        let (ahead, behind) = phi(eta);
        let left = mass_left_side(&scene.mass, K) + quarter;
        let push = psi * g - quarter * c_back;
        let string = wire.right_side(&seen.now[0], &seen.back[0], BRIDGE);
        let mass = mass_right_side(&scene.mass, K, w) + push;
        // Eqs. 55–58: F = F′ − Θ v⁺.
        let compliance = 1.0 / ahead + 1.0 / (wire.h * wire.left_side()) + 1.0 / left;
        let past = (0.5 * SPRING.stiffness * eta + behind * eta_back) / ahead;
        let known = (past + string / wire.left_side() - mass / left) / compliance;
        let theta = quarter / (compliance * left);
        let a = [
            [wire.left_side(), 0.0, -theta / wire.h],
            [0.0, left, theta - quarter],
            [0.0, -quarter, mass_left_side(&second, K) + quarter],
        ];
        let right = [string - known / wire.h, mass + known, mass_right_side(&second, K, v) - push];
        let [_, w, v] = solve3(a, right);
        let string = wire.ahead(&seen.now[0], &seen.back[0], BRIDGE, theta * v - known);
        let psi = vec![vec![(0.0, 0.0)], vec![psi_ahead(psi, g, v - w, c_back)]];
        Ahead { u: vec![string, vec![w], vec![v]], psi }
    });
}
