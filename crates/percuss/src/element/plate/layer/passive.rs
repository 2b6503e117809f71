//! Touches that take hold of a plate where it is, and so never supply energy.
//!
//! Equation    F = k̄₀u + k̄(u − a), k̄₀ of fixed touches, whose pressure and place are constant, k̄ of the others, a their anchor at the node
//! Stiffness   before the step, at U⁻ = μ₋u: growing k̄⁻ → k̄⁺ moves the anchor, a ← a + (1 − k̄⁻/k̄⁺)(U⁻ − a), so that the force stays and
//!             the stored energy falls by the factor k̄⁻/k̄⁺; shrinking leaves the anchor, and the energy falls with k̄
//! Mass        what grows arrives at rest, γ⁺du⁺ − γ⁻du, and loses ½Δγdu⁺du; it waits while a node turns round (du⁺du < 0). What shrinks
//!             leaves with its velocity, γ⁺(du⁺ − du), and loses ½|Δγ|du²
//! Update      D du⁺ = D₀·(du⁺ without layer) + (γ₀ + γ° − ς + κ₀ + κ⁺)du − 4κ₀u − 4κ⁺(u − a),  D = D₀ + γ₀ + γ⁺ + ς + κ₀ + κ⁺,
//!             γ° = min(γ⁻, γ⁺); symbols as in `layer`
//! Energy      H += ½⟨k̄₀μ₊u,μ₊u⟩ + ½⟨k̄(μ₊u − a),μ₊u − a⟩ + ½⟨(λ̄₀+λ̄)δ₊u,δ₊u⟩; the work P_c is minus what the changes lose. It can exceed 0
//!             only where a force turns a node round in the very step in which its mass grows
//! Steady      while no pressure changes the update is du⁺ ← (D₀·du⁺ + b·du + c·u + e)/D with constant coefficients
//! Allocates   only in `new`

use crate::element::plate::energy::weights::PlateWeights;
use crate::element::plate::grid::GridNodes;
use crate::element::plate::layer::energy::LayerSums;
use crate::element::plate::layer::kernel::{LayerConstants, LayerFields};
use crate::element::plate::layer::loads::{Loads, NodeLoad, TouchCoefficients};
use crate::element::plate::layer::phase::ControlPhase;
use crate::element::simd::{Divide, Field, Kernel, Shift, field, mul_add, run, vectors, vectors_mut};
use crate::element::state::State;
use pulp::Simd;
use std::ops::Range;

/// Divisor in place of a stiffness that is 0.
const LEAST_STIFFNESS: f64 = f64::MIN_POSITIVE;

/// Values on the nodes of a plate, row by row.
#[derive(Clone, Debug)]
struct Nodes {
    /// ḡ, ¼(k²/ρH)k̄ and Σa_σp̄ of the fixed touches.
    fixed: [Field; 3],
    /// ḡ and ¼(k²/ρH)k̄ of the others at n + ½.
    mass: Field,
    stiffness: Field,
    /// a \[m\].
    anchor: Field,
    /// What ḡ has grown by in this step, and what other changes have cost, in units of the energy sums.
    mass_growth: Field,
    loss: Field,
    /// 1/D, b, c and e of the steady update.
    steady: [Field; 4],
}

/// The passive touches of a plate.
#[derive(Clone, Debug)]
pub(crate) struct PassiveTouches {
    nodes: Nodes,
    /// Whether pressures change in this step, and whether the steady coefficients are those of the present pressures.
    is_changing: bool,
    is_steady_known: bool,
}

/// What a step of the layer is about.
#[derive(Clone, Copy)]
pub(crate) struct PassiveStep<'a> {
    pub loads: &'a Loads,
    pub phase: ControlPhase,
    /// In every row, the blocks on which there is pressure, counted in nodes.
    pub pressed: &'a [Range<usize>],
    pub constants: LayerConstants<f64>,
    pub nodes: GridNodes,
}

impl PassiveTouches {
    pub fn new(count: usize) -> Self {
        let three = || [(); 3].map(|()| field(count));
        let [mass, stiffness, anchor] = three();
        let nodes = Nodes {
            fixed: three(),
            mass,
            stiffness,
            anchor,
            mass_growth: field(count),
            loss: field(count),
            steady: [(); 4].map(|()| field(count)),
        };
        Self { nodes, is_changing: true, is_steady_known: false }
    }

    /// Adds a fixed touch.
    pub fn add_fixed(&mut self, coefficients: TouchCoefficients, pressure: f64, covered: &[f64]) {
        for (fixed, part) in self.nodes.fixed.iter_mut().zip(coefficients.parts()) {
            fixed.iter_mut().zip(covered).for_each(|(node, covered)| *node += part * pressure * covered);
        }
    }

    /// Whether fixed touches lie on a node.
    pub fn is_fixed(&self, node: usize) -> bool {
        self.nodes.fixed.iter().any(|fixed| fixed[node] != 0.0)
    }

    /// Starts with the given pressures, anchored at 0.
    pub fn reset(&mut self, loads: &Loads) {
        self.nodes.anchor.fill(0.0);
        self.nodes.mass_growth.fill(0.0);
        self.nodes.loss.fill(0.0);
        for node in 0..self.nodes.mass.len() {
            let TouchCoefficients { mass, stiffness, .. } = loads.at(node, 0.0);
            [self.nodes.mass[node], self.nodes.stiffness[node]] = [mass, stiffness];
        }
        (self.is_changing, self.is_steady_known) = (true, false);
    }

    /// Says before a step whether pressures change in it. Once they are found constant, masses that waited have a control interval to
    /// arrive.
    pub fn set_changing(&mut self, is_changing: bool) {
        if is_changing {
            self.is_steady_known = false;
        } else if self.is_changing {
            self.nodes.mass_growth.fill(0.0);
            self.nodes.loss.fill(0.0);
        }
        self.is_changing = is_changing;
    }

    /// Corrects a prediction.
    pub fn apply(&mut self, step: PassiveStep<'_>, state: &mut State) {
        let State { machine, u, du, du_prev, .. } = state;
        let span = step.nodes.origin..step.nodes.origin + step.pressed.len() * step.nodes.stride;
        let fields = (&u[span.clone()], &mut du[span.clone()], &du_prev[span]);
        if self.is_changing {
            run(*machine, Change { step, nodes: &mut self.nodes, fields });
            return;
        }
        if !self.is_steady_known {
            self.find_steady(step);
            self.is_steady_known = true;
        }
        run(*machine, Steady { step, nodes: &self.nodes, fields });
    }

    fn find_steady(&mut self, step: PassiveStep<'_>) {
        for node in 0..self.nodes.mass.len() {
            let load = self.load(step, node);
            let inertia = load.gamma + load.kappa;
            let diagonal = step.constants.free_diagonal + inertia + load.drag;
            let pull = 4.0 * self.nodes.stiffness[node] * self.nodes.anchor[node];
            let coefficients = [1.0 / diagonal, inertia - load.drag, -4.0 * load.kappa, pull];
            self.nodes.steady.iter_mut().zip(coefficients).for_each(|(field, value)| field[node] = value);
        }
    }

    /// What all touches add to a node.
    pub fn load(&self, step: PassiveStep<'_>, node: usize) -> NodeLoad {
        let Nodes { fixed, mass, stiffness, .. } = &self.nodes;
        let now = step.loads.at(node, step.phase.now);
        let (present_mass, damping) = (fixed[0][node] + now.mass, fixed[2][node] + now.damping);
        let LayerConstants { sigma0, k, .. } = step.constants;
        NodeLoad {
            gamma: fixed[0][node] + mass[node],
            kappa: fixed[1][node] + stiffness[node],
            drag: (damping * (1.0 + present_mass) + sigma0 * present_mass) * k,
        }
    }

    /// The sums of `LayerSumKernel`.
    pub fn sums(&self, step: PassiveStep<'_>, weights: &PlateWeights, state: &State) -> LayerSums {
        let mut sums = [0.0; 3];
        for (row, blocks) in step.pressed.iter().enumerate() {
            let masses = weights.mass(row);
            for column in blocks.clone() {
                let node = row * step.nodes.stride + column;
                let at = step.nodes.origin + node;
                let node_sums = self.node_sums(step, node, [state.u[at], state.du[at], state.du_prev[at]]);
                sums.iter_mut().zip(node_sums).for_each(|(sum, of_node)| *sum += masses[column] * of_node);
            }
        }
        let [stored, dissipated, touch_work] = sums;
        LayerSums { stored, dissipated, touch_work }
    }

    fn node_sums(&self, step: PassiveStep<'_>, node: usize, [u, next, du]: [f64; 3]) -> [f64; 3] {
        let load = self.load(step, node);
        let Nodes { fixed, stiffness, anchor, mass_growth, loss, .. } = &self.nodes;
        let mean = u + 0.5 * next;
        let springs = fixed[1][node] * mean * mean + stiffness[node] * (mean - anchor[node]).powi(2);
        let stored = 4.0 * springs + load.gamma * next * next;
        [stored, load.drag * (next + du).powi(2), -loss[node] - mass_growth[node] * next * du]
    }
}

/// The update while pressures change.
struct Change<'a> {
    step: PassiveStep<'a>,
    nodes: &'a mut Nodes,
    fields: LayerFields<'a>,
}

impl Kernel for Change<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(mut self, simd: S, _: H) {
        for row in 0..self.step.pressed.len() {
            let (blocks, first) = (&self.step.pressed[row], row * self.step.nodes.stride);
            self.correct(simd, first + blocks.start..first + blocks.end);
        }
    }
}

impl Change<'_> {
    #[inline(always)]
    fn correct<S: Simd>(&mut self, simd: S, range: Range<usize>) {
        let PassiveStep { loads, phase, constants, .. } = self.step;
        let (u, next, du) = &mut self.fields;
        let (u, next, du) = (on::<S>(u, &range), on_mut::<S>(next, &range), on::<S>(du, &range));
        let Nodes { fixed, mass, stiffness, anchor, mass_growth, loss, .. } = &mut *self.nodes;
        let [fixed_mass, fixed_stiffness, fixed_damping] = fixed.each_ref().map(|field| on::<S>(field, &range));
        let (mass, stiffness) = (on_mut::<S>(mass, &range), on_mut::<S>(stiffness, &range));
        let (anchor, loss) = (on_mut::<S>(anchor, &range), on_mut::<S>(loss, &range));
        let mass_growth = on_mut::<S>(mass_growth, &range);
        let [zero, half, four] = [0.0, 0.5, 4.0].map(|value| simd.splat_f64s(value));
        let [free_diagonal, sigma0, k] =
            [constants.free_diagonal, constants.sigma0, constants.k].map(|value| simd.splat_f64s(value));
        let least = simd.splat_f64s(LEAST_STIFFNESS);
        for i in 0..next.len() {
            let [new_mass, new_stiffness, _] = loads.vector_at::<S>(simd, &range, i, phase.ahead);
            let [present_mass, _, damping] = loads.vector_at::<S>(simd, &range, i, phase.now);

            // Springs: the anchor follows what grows.
            let (u, du, last) = (u[i], du[i], next[i]);
            let from_anchor = simd.sub_f64s(simd.sub_f64s(u, simd.mul_f64s(half, du)), anchor[i]);
            let change = simd.sub_f64s(new_stiffness, stiffness[i]);
            let [growth, decrease] = [simd.max_f64s(change, zero), simd.max_f64s(simd.neg_f64s(change), zero)];
            let share = simd.div_f64s(growth, simd.max_f64s(new_stiffness, least));
            let lost_stiffness = mul_add(simd, stiffness[i], share, decrease);
            let spring_loss =
                simd.mul_f64s(simd.mul_f64s(four, lost_stiffness), simd.mul_f64s(from_anchor, from_anchor));
            anchor[i] = mul_add(simd, share, from_anchor, anchor[i]);
            stiffness[i] = new_stiffness;

            // Mass: what shrinks leaves at once.
            let kept_mass = simd.min_f64s(mass[i], new_mass);
            let mass_loss = simd.mul_f64s(simd.sub_f64s(mass[i], kept_mass), simd.mul_f64s(du, du));
            loss[i] = simd.add_f64s(spring_loss, mass_loss);

            let loaded = simd.add_f64s(fixed_mass[i], present_mass);
            let damping = simd.add_f64s(fixed_damping[i], damping);
            let drag = simd.mul_f64s(k, mul_add(simd, loaded, simd.add_f64s(damping, sigma0), damping));
            let inertia = simd
                .add_f64s(simd.add_f64s(fixed_mass[i], kept_mass), simd.add_f64s(fixed_stiffness[i], new_stiffness));
            let pull = mul_add(simd, new_stiffness, simd.sub_f64s(u, anchor[i]), simd.mul_f64s(fixed_stiffness[i], u));
            let momentum = mul_add(simd, simd.sub_f64s(inertia, drag), du, simd.mul_f64s(free_diagonal, last));
            let numerator = simd.sub_f64s(momentum, simd.mul_f64s(four, pull));

            // What grows waits until the node has turned round; the sign of du⁺ is that of the numerator.
            let keeps_direction = simd.less_than_or_equal_f64s(zero, simd.mul_f64s(numerator, du));
            mass_growth[i] = simd.select_f64s(keeps_direction, simd.sub_f64s(new_mass, kept_mass), zero);
            mass[i] = simd.add_f64s(kept_mass, mass_growth[i]);
            let diagonal = simd.add_f64s(simd.add_f64s(free_diagonal, inertia), simd.add_f64s(drag, mass_growth[i]));
            next[i] = simd.div_f64s(numerator, diagonal);
        }
    }
}

/// The update while pressures are constant.
struct Steady<'a> {
    step: PassiveStep<'a>,
    nodes: &'a Nodes,
    fields: LayerFields<'a>,
}

impl Kernel for Steady<'_> {
    #[inline(always)]
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, _: H) {
        let Self { step, nodes, fields: (u, next, du) } = self;
        let free_diagonal = simd.splat_f64s(step.constants.free_diagonal);
        for (row, blocks) in step.pressed.iter().enumerate() {
            let first = row * step.nodes.stride;
            let range = first + blocks.start..first + blocks.end;
            let (u, next, du) = (on::<S>(u, &range), on_mut::<S>(next, &range), on::<S>(du, &range));
            // One by one: `map` may not be inlined.
            let [inverse, on_du, on_u, pull] = &nodes.steady;
            let (inverse, pull) = (on::<S>(inverse, &range), on::<S>(pull, &range));
            let (on_du, on_u) = (on::<S>(on_du, &range), on::<S>(on_u, &range));
            for i in 0..next.len() {
                let touch = mul_add(simd, on_du[i], du[i], mul_add(simd, on_u[i], u[i], pull[i]));
                next[i] = simd.mul_f64s(inverse[i], mul_add(simd, free_diagonal, next[i], touch));
            }
        }
    }
}

#[inline(always)]
fn on<'a, S: Simd>(nodes: &'a [f64], range: &Range<usize>) -> &'a [S::f64s] {
    &vectors::<S>(&nodes[range.clone()])[..range.len() / S::F64_LANES]
}

#[inline(always)]
fn on_mut<'a, S: Simd>(nodes: &'a mut [f64], range: &Range<usize>) -> &'a mut [S::f64s] {
    &mut vectors_mut::<S>(&mut nodes[range.clone()])[..range.len() / S::F64_LANES]
}
