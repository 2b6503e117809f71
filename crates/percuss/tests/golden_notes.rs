//! Known answers: every special matrix of the notes on collisions (Willemsen 2019), with its mistakes corrected.
//!
//! The one block solver, under `Scheme::Plain`, must take the step that each hand-made system takes. At every step the
//! notes' update is worked out from the simulation's own state, then the simulation steps and the two are compared.
//! One convention throughout: R and σ₀ in 1/s. Chains of two contacts are in `golden_notes_chains`.

#[allow(dead_code)] // every test file uses its own part
mod notes;

use notes::*;
use percuss::*;

const RATE: f64 = 44_100.0;
const K: f64 = 1.0 / RATE;
const HARD: Collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 };

fn plain() -> Model {
    let mut model = Model::new();
    model.scheme = Scheme::Plain;
    model
}

/// Eqs. 16 and 21: M/k² and spring on the left of a barrier above it at b.
fn mass_below_barrier(mass: Mass, b: f64, steps: usize) {
    let mut model = plain();
    let body = model.add(mass.clone());
    let barrier = model.add(Barrier::at(b));
    let contact = model.collide(body.point(), barrier.point(), HARD);
    let mut sim = model.compile(RATE).unwrap();
    follow(&mut sim, &[body], &[contact], steps, |state| {
        let (u, prev) = state.node(0, 0);
        let (psi, g) = (state.psi[0][0], slope(HARD, u - b));
        let quarter = 0.25 * g * g;
        let next = (mass_right_side(&mass, K, (u, prev)) + quarter * prev - psi * g) / (mass.mass / (K * K) + quarter);
        NextState { u: vec![vec![next]], psi: vec![vec![psi_next(psi, g, next - b, prev - b)]] }
    });
}

#[test]
fn mass_against_barrier_steps_as_eqs_16_to_18() {
    // Slow enough for the contact to last some 80 samples.
    mass_below_barrier(Mass { mass: 0.05, position: -1e-5, velocity: 0.02, ..Mass::default() }, 1e-5, 300);
}

#[test]
fn mass_on_spring_against_barrier_steps_as_eq_21() {
    mass_below_barrier(Mass { mass: 0.01, velocity: 1.0, frequency: 300.0, ..Mass::default() }, 2e-4, 3000);
}

#[test]
fn colliding_masses_on_springs_step_as_eq_24() {
    let upper = Mass { mass: 1.0, position: 1e-3, velocity: -0.1, frequency: 40.0, ..Mass::default() };
    let lower = Mass { mass: 1e-3, velocity: 0.5, frequency: 200.0, ..Mass::default() };
    let mut model = plain();
    let (u, w) = (model.add(upper.clone()), model.add(lower.clone()));
    let contact = model.collide(w.point(), u.point(), HARD);
    let mut sim = model.compile(RATE).unwrap();
    follow(&mut sim, &[u, w], &[contact], 5000, |state| {
        let (u, w) = (state.node(0, 0), state.node(1, 0));
        let (eta, eta_prev) = (w.0 - u.0, w.1 - u.1);
        let (psi, g) = (state.psi[0][0], slope(HARD, eta));
        let quarter = 0.25 * g * g;
        let a = [[upper.mass / (K * K) + quarter, -quarter], [-quarter, lower.mass / (K * K) + quarter]];
        let push = psi * g - quarter * eta_prev;
        let v = [mass_right_side(&upper, K, u) + push, mass_right_side(&lower, K, w) - push];
        let [u, w] = solve2(a, v);
        NextState { u: vec![vec![u], vec![w]], psi: vec![vec![psi_next(psi, g, w - u, eta_prev)]] }
    });
}

#[test]
fn strings_colliding_along_their_length_step_as_eq_27() {
    let string = |radius, at, height| StiffString {
        sigma0: 0.0,
        sigma1: 0.0,
        grid: Some(40),
        displacement: Shape::RaisedCosine { at, width: 0.3, height },
        ..StiffString::steel(radius)
    };
    let (upper, lower) = (string(0.5e-3, 0.3, -1e-3), string(0.3e-3, 0.6, 2e-3));
    // The notes' K is a force per length: K·h at a node, so their ψ and g are the engine's over √h.
    let law = Collision { stiffness: 1e9, ..HARD };
    let mut model = plain();
    let (u, w) = (model.add(upper.clone()), model.add(lower.clone()));
    let contact = model.collide_along(w, u, law);
    let mut sim = model.compile(RATE).unwrap();
    let wires = [NotesString::of(&upper, u, &sim), NotesString::of(&lower, w, &sim)];
    let root_h = wires[0].h.sqrt();
    follow(&mut sim, &[u, w], &[contact], 3000, |state| {
        let mut next = NextState { u: vec![Vec::new(); 2], psi: vec![Vec::new()] };
        for l in 0..state.psi[0].len() {
            let (u, w) = (state.node(0, l), state.node(1, l));
            let eta_prev = w.1 - u.1;
            let (psi, g) = (state.psi[0][l] / root_h, slope(law, w.0 - u.0));
            let quarter = 0.25 * g * g;
            let a = [[wires[0].left_side() + quarter, -quarter], [-quarter, wires[1].left_side() + quarter]];
            let push = psi * g - quarter * eta_prev;
            let right = |i: usize| wires[i].right_side(&state.now[i], &state.prev[i], l);
            let [u, w] = solve2(a, [right(0) + push, right(1) - push]);
            next.u[0].push(u);
            next.u[1].push(w);
            let (psi, g) = psi_next(psi, g, w - u, eta_prev);
            next.psi[0].push((psi * root_h, g * root_h));
        }
        next
    });
}

/// A mass on a spring below the middle of a string.
fn mass_below_string(scheme: Scheme, law: Collision) -> (Simulation, [ElementId; 2], InteractionId, NotesString, Mass) {
    let string = StiffString {
        sigma0: 0.0,
        sigma1: 0.0,
        grid: Some(60),
        displacement: Shape::Triangle { at: 0.3, height: 2e-3 },
        ..StiffString::default()
    };
    let mass = Mass { mass: 5e-3, position: -1e-3, frequency: 30.0, ..Mass::default() };
    let mut model = Model::new();
    model.scheme = scheme;
    let (u, w) = (model.add(string.clone()), model.add(mass.clone()));
    let contact = model.collide(w.point(), u.at(0.5), law);
    let sim = model.compile(RATE).unwrap();
    let wire = NotesString::of(&string, u, &sim);
    (sim, [u, w], contact, wire, mass)
}

/// Moving node of the middle of the string above.
const MIDDLE: usize = 29;

#[test]
fn mass_against_string_steps_as_eqs_30_and_31() {
    let (mut sim, elements, contact, wire, mass) = mass_below_string(Scheme::Plain, HARD);
    follow(&mut sim, &elements, &[contact], 5000, |state| {
        let (u, w) = (state.node(0, MIDDLE), state.node(1, 0));
        let eta_prev = w.1 - u.1;
        let (psi, g) = (state.psi[0][0], slope(HARD, w.0 - u.0));
        let quarter = 0.25 * g * g;
        let a =
            [[wire.rho_a / (K * K) + quarter / wire.h, -quarter / wire.h], [-quarter, mass.mass / (K * K) + quarter]];
        let push = psi * g - quarter * eta_prev;
        let right = wire.right_side(&state.now[0], &state.prev[0], MIDDLE);
        let [at_mass, w] = solve2(a, [right + push / wire.h, mass_right_side(&mass, K, w) - push]);
        let force = quarter * (w - at_mass - eta_prev) + psi * g;
        let string = wire.next(&state.now[0], &state.prev[0], MIDDLE, force);
        NextState { u: vec![string, vec![w]], psi: vec![vec![psi_next(psi, g, w - at_mass, eta_prev)]] }
    });
}

/// (φ(η⁺) − φ(η⁻))/(η⁺ − η⁻), by φ′ in the middle where the two are too close to subtract.
fn quotient(law: Collision, next: f64, prev: f64) -> f64 {
    let phi = |eta: f64| law.stiffness / (law.exponent + 1.0) * eta.max(0.0).powf(law.exponent + 1.0);
    let d = next - prev;
    if d.abs() < 1e-6 * next.abs() {
        law.stiffness * (0.5 * (next + prev)).max(0.0).powf(law.exponent)
    } else {
        (phi(next) - phi(prev)) / d
    }
}

/// Eqs. 36 and 37, corrected: G′ = 1 + c[φ′(η⁺)(η⁺ − η⁻) − (φ(η⁺) − φ(η⁻))]/(η⁺ − η⁻)², from the contact-free guess.
fn newton_raphson(law: Collision, compliance: f64, b: f64, prev: f64) -> f64 {
    let mut next = -b;
    for _ in 0..40 {
        let push = quotient(law, next, prev);
        let force = law.stiffness * next.max(0.0).powf(law.exponent);
        let derivative = if next == prev { 0.0 } else { (force - push) / (next - prev) };
        next -= (next + compliance * push + b) / (1.0 + compliance * derivative);
    }
    next
}

#[test]
fn newton_solves_eqs_32_to_37() {
    for stiffness in [1e6, 1e8, 1e10] {
        let law = Collision { stiffness, ..HARD };
        let (mut sim, [string, mass], contact, wire, description) = mass_below_string(Scheme::Newton, law);
        let omega = std::f64::consts::TAU * description.frequency;
        let (mut worst, mut touching) = (0.0_f64, 0);
        for n in 0..5000 {
            let state = StateHistory::of(&sim, &[string, mass], &[]);
            let (u, w) = (state.node(0, MIDDLE), state.node(1, 0));
            sim.step();
            let eta_next = sim.displacements(mass)[0] - sim.displacements(string)[MIDDLE];
            let (eta, eta_prev) = (w.0 - u.0, w.1 - u.1);
            // Eq. 35, and eq. 34 with + before the bracket.
            let elastic =
                wire.tension * wire.dxx(&state.now[0], MIDDLE) - wire.bending * wire.dxxxx(&state.now[0], MIDDLE);
            let b = -2.0 * eta + eta_prev + K * K / wire.rho_a * elastic + K * K * omega * omega * w.0;
            let compliance = K * K / (wire.rho_a * wire.h) + K * K / description.mass;
            let push = compliance * quotient(law, eta_next, eta_prev);
            let terms = eta_next.abs() + push.abs() + b.abs();
            let off = (eta_next + push + b).abs() / terms;
            assert!(off <= 1e-10, "K = {stiffness}, step {n}: G = {off} of its terms");
            let by_hand = newton_raphson(law, compliance, b, eta_prev);
            assert!((by_hand - eta_next).abs() <= 1e-10 * terms, "step {n}: η⁺ {eta_next}, by hand {by_hand}");
            worst = worst.max(off);
            touching += usize::from(sim.force(contact) != 0.0);
        }
        println!("K = {stiffness:.0e}: {touching} steps in contact, G within {worst:.1e} of its terms");
        assert!(touching >= 50);
        assert_eq!(sim.newton_effort().unconverged, 0);
    }
}
