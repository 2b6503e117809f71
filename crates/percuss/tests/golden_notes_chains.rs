//! Known answers: the notes' systems of two contacts, and of a spring (Willemsen 2019), with their mistakes corrected.
//!
//! As in `golden_notes`, every step of `Scheme::Plain` is compared with the hand-made system. The notes' plate node
//! is a second mass here: M₂ for ρ_pHh_p², R₂/2 for σ₀,p. One convention throughout: R and σ₀ in 1/s.

#[allow(dead_code)] // every test file uses its own part
mod notes;

use notes::bridge::{BridgeSystem, PotentialContact, SpringContact};
use notes::*;
use percuss::*;

const RATE: f64 = 44_100.0;
const K: f64 = 1.0 / RATE;
const HARD: Collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 };
/// Intervals of every string, and the moving node at 0.4 of its length.
const GRID: usize = 50;
const BRIDGE: usize = 19;

/// A string lying on a mass at 0.4 of its length.
struct StringOnMass {
    model: Model,
    string: StiffString,
    mass: Mass,
    u: ElementId,
    w: ElementId,
}

impl StringOnMass {
    fn new(string: StiffString, mass: Mass) -> Self {
        let mut model = Model::new();
        model.scheme = Scheme::Plain;
        let (u, w) = (model.add(string.clone()), model.add(mass.clone()));
        Self { model, string, mass, u, w }
    }

    fn compile(&self) -> (Simulation, NotesString) {
        let sim = self.model.compile(RATE).unwrap();
        let wire = NotesString::of(&self.string, self.u, &sim);
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
fn on_barrier(string: StiffString, mass: Mass) -> (StringOnMass, [InteractionId; 2], f64) {
    let mut scene = StringOnMass::new(string, mass);
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
    follow(&mut sim, &[scene.u, scene.w], &contacts, 6000, |state| {
        let (u, w) = (state.node(0, BRIDGE), state.node(1, 0));
        let (psi_s, g_s) = (state.psi[0][0], slope(HARD, w.0 - u.0));
        let (psi_b, g_b) = (state.psi[1][0], slope(HARD, b - w.0));
        let (q_s, q_b) = (0.25 * g_s * g_s, 0.25 * g_b * g_b);
        let (s_back, b_back) = (w.1 - u.1, b - w.1);
        let a = [[wire.left_side() + q_s / wire.h, -q_s / wire.h], [-q_s, mass_left_side(&scene.mass, K) + q_s + q_b]];
        let from_mass = psi_s * g_s - q_s * s_back;
        let from_barrier = psi_b * g_b + q_b * (b - b_back);
        let right = wire.right_side(&state.now[0], &state.prev[0], BRIDGE) + from_mass / wire.h;
        let [u, w] = solve2(a, [right, mass_right_side(&scene.mass, K, w) - from_mass + from_barrier]);
        let string = wire.next(&state.now[0], &state.prev[0], BRIDGE, from_mass + q_s * (w - u));
        let psi = [psi_next(psi_s, g_s, w - u, s_back), psi_next(psi_b, g_b, b - w, b_back)];
        NextState { u: vec![string, vec![w]], psi: psi.map(|psi| vec![psi]).to_vec() }
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
    follow(&mut sim, &[scene.u, scene.w], &contacts, 6000, |state| {
        let (u, w) = (state.node(0, BRIDGE), state.node(1, 0));
        let (psi_m, g_m) = (state.psi[0][0], slope(HARD, w.0 - u.0));
        let (psi_b, g_b) = (state.psi[1][0], slope(HARD, b - w.0));
        let per_mass = [g_b, g_m].map(|g| K * K * g * g / (4.0 * mass));
        let a = [
            [1.0 + per_mass[0], -per_mass[1]],
            [-per_mass[0], 1.0 + per_mass[1] + K * K * g_m * g_m / (4.0 * node_mass)],
        ];
        let first = -(w.0 - w.1) / K + K * g_m * psi_m / (2.0 * mass) - K * g_b * psi_b / (2.0 * mass);
        let bend = wire.tension * K / (2.0 * wire.rho_a) * wire.dxx(&state.now[0], BRIDGE);
        let second = -first - (u.0 - u.1) / K - bend - K * g_m * psi_m / (2.0 * node_mass);
        let [rate_b, rate_m] = solve2(a, [first, second]);
        // Eqs. 95, 93b and 18.
        let force = (0.5 * g_m * K * rate_m + psi_m) * g_m;
        let string = wire.next(&state.now[0], &state.prev[0], BRIDGE, force);
        let psi = [(psi_m + K * g_m * rate_m, g_m), (psi_b + K * g_b * rate_b, g_b)];
        NextState { u: vec![string, vec![w.1 - 2.0 * K * rate_b]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

const JOINT: Connection = Connection { stiffness: 5e7, exponent: 1.3, play: 0.0, gap: 0.0 };

/// String – two-sided connection – mass – collision – second mass, all damped: the system of eq. 76.
fn chain() -> (StringOnMass, Mass, ElementId, [InteractionId; 2]) {
    let mut scene = StringOnMass::new(damped_string(), damped_mass());
    let second = Mass { mass: 8e-3, position: -1e-3, frequency: 45.0, damping: 2.0, ..Mass::default() };
    let v = scene.model.add(second.clone());
    let joint = scene.model.connect(scene.w.point(), scene.u.at(0.4), JOINT);
    let hit = scene.model.collide(v.point(), scene.w.point(), HARD);
    (scene, second, v, [joint, hit])
}

/// Both contacts of the chain. Eq. 75 with its sign kept in ψ: g is never negative.
fn chain_contacts(state: &StateHistory) -> [PotentialContact; 2] {
    let (u, w, v) = (state.node(0, BRIDGE), state.node(1, 0), state.node(2, 0));
    let joint = Collision { stiffness: JOINT.stiffness, exponent: JOINT.exponent, ..HARD };
    [
        PotentialContact { psi: state.psi[0][0], g: slope(joint, (w.0 - u.0).abs()), prev: w.1 - u.1 },
        PotentialContact { psi: state.psi[1][0], g: slope(HARD, v.0 - w.0), prev: v.1 - w.1 },
    ]
}

/// String, bridge, and the second mass in the place of the board.
struct StringBridgeMass {
    wire: NotesString,
    masses: [Mass; 2],
    bodies: BridgeSystem,
}

impl StringBridgeMass {
    fn new(wire: NotesString, masses: [Mass; 2]) -> Self {
        let [bridge, second] = &masses;
        let bodies = BridgeSystem {
            k: K,
            string: [wire.rho_a, wire.sigma0, wire.h],
            bridge: [bridge.mass, bridge.damping],
            board: [second.mass, 0.5 * second.damping, 1.0],
        };
        Self { wire, masses, bodies }
    }

    /// Eq. 82: u⁺, w⁺ and v⁺ without contacts.
    fn free(&self, state: &StateHistory) -> [f64; 3] {
        let mass = |i: usize| {
            let mass = &self.masses[i];
            mass_right_side(mass, K, state.node(i + 1, 0)) / mass_left_side(mass, K)
        };
        let string = self.wire.right_side(&state.now[0], &state.prev[0], BRIDGE);
        [string / self.wire.left_side(), mass(0), mass(1)]
    }

    /// The whole string after a solve for the bridge.
    fn string(&self, state: &StateHistory, force: f64) -> Vec<f64> {
        self.wire.next(&state.now[0], &state.prev[0], BRIDGE, force)
    }
}

#[test]
fn connected_and_colliding_chain_steps_as_eq_78() {
    let (scene, second, v, contacts) = chain();
    let (mut sim, wire) = scene.compile();
    let trio = StringBridgeMass::new(wire, [scene.mass.clone(), second]);
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |state| {
        let [joint, hit] = chain_contacts(state);
        let ([u, w, v], force) = trio.bodies.eq_78(trio.free(state), [joint, hit]);
        let psi = [psi_next(joint.psi, joint.g, w - u, joint.prev), psi_next(hit.psi, hit.g, v - w, hit.prev)];
        NextState { u: vec![trio.string(state, force), vec![w], vec![v]], psi: psi.map(|psi| vec![psi]).to_vec() }
    });
}

#[test]
fn connected_and_colliding_chain_steps_as_eq_83() {
    let (scene, second, v, contacts) = chain();
    let (mut sim, wire) = scene.compile();
    let trio = StringBridgeMass::new(wire, [scene.mass.clone(), second]);
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |state| {
        let (pushes, free) = (chain_contacts(state), trio.free(state));
        let rates = trio.bodies.eq_83(free, pushes);
        let ([_, w, v], force) = trio.bodies.eq_81(free, pushes, rates);
        let psi = [0, 1].map(|i| vec![(pushes[i].psi + K * pushes[i].g * rates[i], pushes[i].g)]);
        NextState { u: vec![trio.string(state, force), vec![w], vec![v]], psi: psi.to_vec() }
    });
}

const SPRING: Spring = Spring { stiffness: 5e4, cubic: 1e11, damping: 0.3, gap: 0.0 };

#[test]
fn spring_between_string_and_mass_pulls_as_eqs_49_to_51() {
    let mut scene = StringOnMass::new(damped_string(), damped_mass());
    let spring = scene.model.spring(scene.u.at(0.4), scene.w.point(), SPRING);
    let (mut sim, wire) = scene.compile();
    follow(&mut sim, &[scene.u, scene.w], &[spring], 5000, |state| {
        let (u, w) = (state.node(0, BRIDGE), state.node(1, 0));
        let pull = SpringContact { law: SPRING, eta: u.0 - w.0, prev: u.1 - w.1 };
        let u_free = wire.right_side(&state.now[0], &state.prev[0], BRIDGE) / wire.left_side();
        let left = mass_left_side(&scene.mass, K);
        let w_free = mass_right_side(&scene.mass, K, w) / left;
        // Eq. 50 set equal to η_s⁺ of eq. 53, as in eqs. 55–58 without the collision.
        let compliance = 1.0 / pull.phi(K).0 + 1.0 / (wire.h * wire.left_side()) + 1.0 / left;
        let force = (pull.past(K) + u_free - w_free) / compliance;
        let string = wire.next(&state.now[0], &state.prev[0], BRIDGE, -force);
        NextState { u: vec![string, vec![w_free + force / left]], psi: vec![vec![(0.0, 0.0)]] }
    });
}

#[test]
fn tromba_marina_with_spring_and_collision_steps_as_eq_65() {
    let mut scene = StringOnMass::new(damped_string(), damped_mass());
    let second = Mass { mass: 8e-3, position: -1e-3, frequency: 45.0, damping: 2.0, ..Mass::default() };
    let v = scene.model.add(second.clone());
    let contacts = [
        scene.model.spring(scene.u.at(0.4), scene.w.point(), SPRING),
        scene.model.collide(v.point(), scene.w.point(), HARD),
    ];
    let (mut sim, wire) = scene.compile();
    let trio = StringBridgeMass::new(wire, [scene.mass.clone(), second]);
    follow(&mut sim, &[scene.u, scene.w, v], &contacts, 8000, |state| {
        let (u, w, v) = (state.node(0, BRIDGE), state.node(1, 0), state.node(2, 0));
        let pull = SpringContact { law: SPRING, eta: u.0 - w.0, prev: u.1 - w.1 };
        let hit = PotentialContact { psi: state.psi[1][0], g: slope(HARD, v.0 - w.0), prev: v.1 - w.1 };
        let ([_, w, v], force) = trio.bodies.eq_65(trio.free(state), pull, hit);
        let psi = vec![vec![(0.0, 0.0)], vec![psi_next(hit.psi, hit.g, v - w, hit.prev)]];
        NextState { u: vec![trio.string(state, force), vec![w], vec![v]], psi }
    });
}
