//! Known answers: the tromba marina of the notes (Willemsen 2019, sec. 7 and 8), bowed, with its mistakes corrected.
//!
//! At each of 10⁵ states that the general solver visits while it plays under `Scheme::Plain`, the hand-made solves for the
//! bridge and the stepper of sec. 7.2 with its precomputed coefficients take the same step from the same state.
//! The notes have no bow: the stepper linearises its friction as the engine does in that scheme. The bow touches no
//! node that the bridge touches, so the solves for the bridge do not see it.
//! u⁺ may differ by 1e-12 of the largest displacement that its body has had, a force by 1e-12 of its largest: the notes'
//! u⁻ = u − du carries the rounding of u, and contacts multiply it.

#[path = "notes/fast.rs"]
#[allow(dead_code)] // every test file uses its own part
mod fast;
#[allow(dead_code)]
mod notes;
#[path = "models/tromba.rs"]
mod tromba;

use fast::PrecomputedStepper;
use notes::board::NotesPlate;
use notes::bridge::{BridgeSolution, BridgeSystem, PotentialContact, SpringContact};
use notes::*;
use percuss::*;
use tromba::*;

const STATES: usize = 100_000;
const TOLERANCE: f64 = 1e-12;
/// Slip at which the bow grips best \[m/s\]: below it sticks, above it slips.
const MAX_FRICTION_SLIP: f64 = 0.070_710_678;

/// The bridge as the notes' solves see it.
struct BridgeNodes {
    wire: NotesString,
    board: NotesPlate,
    bodies: BridgeSystem,
    bridge: Mass,
    /// Nodes that move, of string, bridge and board.
    moving: [Vec<usize>; 3],
}

impl BridgeNodes {
    fn of(tromba: &Tromba, built: &TrombaModel, sim: &Simulation) -> Self {
        let [string, _, board] = built.bodies;
        let (wire, board) = (NotesString::of(&tromba.string, string, sim), NotesPlate::of(&tromba.board, board, sim));
        let bridge = tromba.bridge.clone();
        let bodies = BridgeSystem {
            k: wire.k,
            string: [wire.rho_a, wire.sigma0, wire.h],
            bridge: [bridge.mass, bridge.damping],
            board: [board.rho_h, board.sigma0, board.h],
        };
        let moving = [(0..sim.displacements(string).len()).collect(), vec![0], board.moving().collect()];
        Self { wire, board, bodies, bridge, moving }
    }

    /// (u, u⁻), (w, w⁻), (v, v⁻) at the bridge.
    fn nodes(&self, state: &StateHistory) -> [(f64, f64); 3] {
        [state.node(0, BRIDGE_NODE - 1), state.node(1, 0), state.node(2, self.board.node(RATTLE_NODE))]
    }

    /// Eq. 82: u⁺, w⁺ and v⁺ at the bridge, without contacts.
    fn free(&self, state: &StateHistory) -> [f64; 3] {
        let bridge = mass_right_side(&self.bridge, self.wire.k, state.node(1, 0));
        [
            self.wire.right_side(&state.now[0], &state.prev[0], BRIDGE_NODE - 1) / self.wire.left_side(),
            bridge / mass_left_side(&self.bridge, self.wire.k),
            self.board.free(&state.now[2], &state.prev[2], self.board.node(RATTLE_NODE)),
        ]
    }

    /// What the rattle does. The gap shifts η⁺ and η⁻ alike, so that only the slope sees it.
    fn hit(&self, state: &StateHistory, rattle: Collision) -> PotentialContact {
        let [_, w, v] = self.nodes(state);
        PotentialContact { psi: state.psi[1][0], g: slope(rattle, v.0 - w.0 - rattle.gap), prev: v.1 - w.1 }
    }

    /// The step by both ways of the notes.
    fn solve(&self, state: &StateHistory, tromba: &Tromba) -> [BridgeSolution; 2] {
        let ([u, w, _], free, hit) = (self.nodes(state), self.free(state), self.hit(state, tromba.rattle));
        match tromba.joint {
            Joint::Spring(law) => {
                let pull = SpringContact { law, eta: u.0 - w.0, prev: u.1 - w.1 };
                [self.bodies.eq_65(free, pull, hit), self.bodies.eq_71(free, pull, hit)]
            }
            Joint::Potential(law) => {
                let even = Collision { stiffness: law.stiffness, exponent: law.exponent, ..tromba.rattle };
                let pushes = [
                    PotentialContact { psi: state.psi[0][0], g: slope(even, (w.0 - u.0).abs()), prev: w.1 - u.1 },
                    hit,
                ];
                let rates = self.bodies.eq_83(free, pushes);
                [self.bodies.eq_78(free, pushes), self.bodies.eq_81(free, pushes, rates)]
            }
        }
    }
}

/// The largest magnitude yet, and the largest difference against it.
#[derive(Clone, Copy, Default)]
struct MaxDifference {
    size: f64,
    worst: f64,
}

impl MaxDifference {
    /// Records the magnitude of values before they are compared: a board in its modes moves by
    /// rounding where no wave has arrived yet.
    fn measure(&mut self, values: &[f64]) {
        self.size = values.iter().fold(self.size, |size, value| size.max(value.abs()));
    }

    /// Compares all values with each other.
    fn check(&mut self, values: &[f64], what: &str, n: usize) {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.measure(values);
        let off = if most == least { 0.0 } else { (most - least) / self.size };
        assert!(off <= TOLERANCE, "state {n}: {what} differ by {off:.1e} of their size: {values:?}");
        self.worst = self.worst.max(off);
    }
}

/// What the instrument did in the states visited.
#[derive(Debug, Default)]
struct ContactCounts {
    stuck: usize,
    slipped: usize,
    closed: usize,
    open: usize,
    pushed: usize,
    pulled: usize,
}

impl ContactCounts {
    fn record(&mut self, slip: f64, joint: f64, rattle: f64) {
        self.stuck += usize::from(slip.abs() < MAX_FRICTION_SLIP);
        self.slipped += usize::from(slip.abs() > 2.0 * MAX_FRICTION_SLIP);
        self.closed += usize::from(rattle != 0.0);
        self.open += usize::from(rattle == 0.0);
        self.pushed += usize::from(joint > 0.0);
        self.pulled += usize::from(joint < 0.0);
    }
}

/// Differences of all bodies and forces.
#[derive(Default)]
struct BodyDifferences {
    /// u, w, v at the bridge, by all four ways.
    bridge: [MaxDifference; 3],
    /// All moving nodes of string, bridge and board, by the general solver and the stepper.
    bodies: [MaxDifference; 3],
    /// Between string and bridge by all four ways; rattle and bow by the general solver and the stepper.
    forces: [MaxDifference; 3],
    psi: [MaxDifference; 2],
}

impl BodyDifferences {
    fn check(
        &mut self,
        n: usize,
        found: &StateHistory,
        forces: [f64; 3],
        bridge_nodes: &BridgeNodes,
        notes: [BridgeSolution; 2],
        fast: &PrecomputedStepper,
    ) {
        let stepped = fast.displacements();
        let at = [BRIDGE_NODE - 1, 0, bridge_nodes.board.node(RATTLE_NODE)];
        for (body, name) in ["u", "w", "v"].into_iter().enumerate() {
            self.bodies[body].measure(stepped[body]);
            for &node in &bridge_nodes.moving[body] {
                self.bodies[body].check(&[found.now[body][node], stepped[body][node]], name, n);
            }
            let ways = [found.now[body][at[body]], notes[0].0[body], notes[1].0[body], stepped[body][at[body]]];
            self.bridge[body].check(&ways, name, n);
        }
        self.forces[0].check(&[forces[0], notes[0].1, notes[1].1, fast.forces[0]], "forces of the bridge", n);
        self.forces[1].check(&[forces[1], fast.forces[1]], "forces of the rattle", n);
        self.forces[2].check(&[forces[2], fast.forces[2]], "forces of the bow", n);
        self.psi[0].check(&[found.psi[0][0], fast.psi[0]], "ψ₁", n);
        self.psi[1].check(&[found.psi[1][0], fast.psi[1]], "ψ₂", n);
    }

    fn worst(differences: &[MaxDifference]) -> f64 {
        differences.iter().fold(0.0, |worst, difference| worst.max(difference.worst))
    }
}

/// Plays, and compares every step with the notes.
fn follow_tromba(joint: Joint) {
    let tromba = Tromba::new(joint);
    let built = tromba.build(Scheme::Plain);
    let mut sim = built.model.compile(RATE).unwrap();
    let bridge_nodes = BridgeNodes::of(&tromba, &built, &sim);
    let mut fast = PrecomputedStepper::new(&tromba, &bridge_nodes.wire, &bridge_nodes.board);
    let potentials = &built.contacts[..2];
    let upwards = if matches!(joint, Joint::Spring(_)) { -1.0 } else { 1.0 };
    let (mut differences, mut contact_counts) = (BodyDifferences::default(), ContactCounts::default());
    let mut state = StateHistory::of(&sim, &built.bodies, potentials);
    for n in 0..STATES {
        let notes = bridge_nodes.solve(&state, &tromba);
        fast.load(&state);
        fast.step();
        sim.step();
        let found = StateHistory::of(&sim, &built.bodies, potentials);
        let [joint, rattle, bow] = std::array::from_fn(|i| sim.force(built.contacts[i]));
        let forces = [upwards * joint, rattle, bow];
        differences.check(n, &found, forces, &bridge_nodes, notes, &fast);
        contact_counts.record(fast.slip.unwrap(), joint, rattle);
        state = found;
    }
    let [bridge, bodies] =
        [&differences.bridge, &differences.bodies].map(|differences| BodyDifferences::worst(differences));
    println!(
        "{STATES} states of {joint:?}: at the bridge within {bridge:.1e}, everywhere {bodies:.1e} of the largest u, w, v"
    );
    println!(
        "forces within {:.1e}, ψ within {:.1e} of the largest",
        BodyDifferences::worst(&differences.forces),
        BodyDifferences::worst(&differences.psi)
    );
    println!("{contact_counts:?}");
    let ContactCounts { stuck, slipped, closed, open, pushed, pulled } = contact_counts;
    let least = [stuck, slipped, closed, open, pushed, pulled].into_iter().min().unwrap();
    assert!(least >= STATES / 100, "not everything happened often enough: {contact_counts:?}");
}

#[test]
fn tromba_with_spring_steps_as_eqs_65_and_71_and_the_fast_form() {
    follow_tromba(Joint::SPRING);
}

#[test]
fn tromba_with_two_sided_potential_steps_as_eqs_78_and_83_and_the_fast_form() {
    follow_tromba(Joint::POTENTIAL);
}
