//! A bank of damped oscillators under constant force: the kernel that masses and modes share.
//!
//! Equation    m ü = −s u − r u̇ − w
//! Update      (m/k² + r/2k) du⁺ = (m/k² − r/2k) du − s u − w,   u⁺ = u + du⁺
//! Stability   s k²/m < 4, checked where the coefficients are made (`mass`, `mode`)
//! Energy      H = ½m(du/k)² + ½s u u⁻ + ½w(u + u⁻),   Q = r(δt·u)²
//! Symbols     m mass \[kg\], s stiffness \[N/m\], r resistance \[N·s/m\], w weight \[N\], k time step \[s\]
//! Allocates   only in `push`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, ch. 3

use crate::element::balance::ElementEnergy;
use crate::element::simd::{Field, LANES, field, vectors, vectors_mut, whole_blocks};
use crate::element::state::{Increments, State};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Up to this number oscillators are stepped without runtime dispatch.
const FEW: usize = 4;

/// Constants of one oscillator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    pub mass: f64,
    pub stiffness: f64,
    pub resistance: f64,
    pub weight: f64,
}

/// Oscillators side by side; node i of the state belongs to oscillator i.
#[derive(Clone, Debug)]
pub(crate) struct Bank {
    /// Coefficients on du and u, and a constant, up to whole blocks.
    coefficients: [Field; 3],
    /// Those of the first few.
    small: [[f64; FEW]; 3],
    masses: Vec<f64>,
    shares: Shares,
}

impl Bank {
    pub fn new() -> Self {
        let coefficients = [(); 3].map(|()| field(0));
        Self { coefficients, small: [[0.0; FEW]; 3], masses: Vec::new(), shares: Shares::default() }
    }

    /// Adds an oscillator and its node.
    pub fn push(&mut self, constants: Oscillator, k: f64, state: &mut State) -> usize {
        let Oscillator { mass, stiffness, resistance, weight } = constants;
        let node = self.len();
        self.masses.push(mass);
        self.shares.motion.push(0.5 * mass / (k * k));
        self.shares.spring.push(0.5 * stiffness);
        self.shares.height.push(0.5 * weight);
        self.shares.loss.push(resistance / (4.0 * k));
        let room = whole_blocks(self.len());
        state.resize(room);
        let ahead = mass / (k * k) + resistance / (2.0 * k);
        let coefficients = [(mass / (k * k) - resistance / (2.0 * k)) / ahead, -stiffness / ahead, -weight / ahead];
        for (of_all, rate) in self.coefficients.iter_mut().zip(coefficients) {
            of_all.resize(room, 0.0);
            of_all[node] = rate;
        }
        for (of_few, rate) in self.small.iter_mut().zip(coefficients).take_while(|_| node < FEW) {
            of_few[node] = rate;
        }
        state.inverse_mass[node] = 1.0 / ahead;
        node
    }

    pub fn len(&self) -> usize {
        self.masses.len()
    }

    pub fn mass(&self, node: usize) -> f64 {
        self.masses[node]
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    #[inline(always)]
    pub fn predict(&self, state: &mut State) {
        match self.len() {
            0 => {}
            1..=FEW => self.predict_small(state),
            _ => self.predict_large(state),
        }
    }

    /// All values are read first and written last, which lets the compiler vectorise at the baseline width.
    #[inline(always)]
    fn predict_small(&self, state: &mut State) {
        let [keep, pull, fall] = &self.small;
        let (u, du) = state.fields(0..FEW);
        let (mut place, mut step) = ([0.0; FEW], [0.0; FEW]);
        place.copy_from_slice(u);
        step.copy_from_slice(du.du());
        for i in 0..FEW {
            place[i] += step[i];
            step[i] = keep[i] * step[i] + (pull[i] * place[i] + fall[i]);
        }
        u.copy_from_slice(&place);
        du.next.copy_from_slice(&step);
    }

    #[inline(never)]
    fn predict_large(&self, state: &mut State) {
        let arch = state.arch;
        let (u, Increments { next: du, previous }) = state.fields(0..self.coefficients[0].len());
        if let Some(previous) = previous {
            du.copy_from_slice(previous);
        }
        arch.dispatch(OscillatorStep { bank: self, u, du });
    }

    /// The energy of a range of oscillators after a step.
    pub fn balance(&self, nodes: Range<usize>, state: &State) -> ElementEnergy {
        if nodes.len() < LANES {
            return self.balance_small(nodes, state);
        }
        let fields = [&state.u, &state.du, &state.du_prev].map(|x| &x[nodes.clone()]);
        state.arch.dispatch(OscillatorSumKernel { shares: &self.shares, fields, nodes })
    }

    /// Scalar: for few oscillators vectors do not pay.
    fn balance_small(&self, nodes: Range<usize>, state: &State) -> ElementEnergy {
        let Shares { motion, spring, height, loss } = &self.shares;
        let mut sums = [0.0; 3];
        for i in nodes {
            let fields = [state.u[i], state.du[i], state.du_prev[i]];
            sums = tally(pulp::Scalar, [motion[i], spring[i], height[i], loss[i]], fields, sums);
        }
        let [stored, magnitude, lost] = sums;
        ElementEnergy { stored, magnitude, lost, ..ElementEnergy::default() }
    }
}

/// The update of whole blocks.
struct OscillatorStep<'a> {
    bank: &'a Bank,
    u: &'a mut [f64],
    du: &'a mut [f64],
}

impl WithSimd for OscillatorStep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let [keep, pull, fall] = &self.bank.coefficients;
        let (keep, pull, fall) = (vectors::<S>(keep), vectors::<S>(pull), vectors::<S>(fall));
        let fields = vectors_mut::<S>(self.u).iter_mut().zip(vectors_mut::<S>(self.du));
        for ((u, du), ((&keep, &pull), &fall)) in fields.zip(keep.iter().zip(pull).zip(fall)) {
            *u = simd.add_f64s(*u, *du);
            *du = simd.mul_add_f64s(keep, *du, simd.mul_add_f64s(pull, *u, fall));
        }
    }
}

/// What the energies of the oscillators are made of.
#[derive(Clone, Debug, Default)]
struct Shares {
    /// ½m/k².
    motion: Vec<f64>,
    /// ½s.
    spring: Vec<f64>,
    /// ½w.
    height: Vec<f64>,
    /// r/4k.
    loss: Vec<f64>,
}

/// The sum of the energies of some oscillators.
struct OscillatorSumKernel<'a> {
    shares: &'a Shares,
    /// u, du and the du before of theirs.
    fields: [&'a [f64]; 3],
    nodes: Range<usize>,
}

impl WithSimd for OscillatorSumKernel<'_> {
    type Output = ElementEnergy;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> ElementEnergy {
        let Shares { motion, spring, height, loss } = self.shares;
        let shares = [motion, spring, height, loss].map(|of| S::as_simd_f64s(&of[self.nodes.clone()]));
        let fields = self.fields.map(|x| S::as_simd_f64s(x));
        let mut sums = [simd.splat_f64s(0.0); 3];
        for i in 0..fields[0].0.len() {
            sums = tally(simd, shares.map(|of| of.0[i]), fields.map(|x| x.0[i]), sums);
        }
        if !fields[0].1.is_empty() {
            let rest = |(_, rest): (&[S::f64s], &[f64])| simd.partial_load_f64s(rest);
            sums = tally(simd, shares.map(rest), fields.map(rest), sums);
        }
        let [stored, magnitude, lost] = sums;
        ElementEnergy {
            stored: simd.reduce_sum_f64s(stored),
            magnitude: simd.reduce_sum_f64s(magnitude),
            lost: simd.reduce_sum_f64s(lost),
            ..ElementEnergy::default()
        }
    }
}

/// Adds what a vector of oscillators stores, its magnitude, and what it lost.
#[inline(always)]
fn tally<S: Simd>(
    simd: S,
    [motion, spring, height, loss]: [S::f64s; 4],
    [back, du, old]: [S::f64s; 3],
    [stored, magnitude, lost]: [S::f64s; 3],
) -> [S::f64s; 3] {
    let (u, both) = (simd.add_f64s(back, du), simd.add_f64s(du, old));
    let held = simd.mul_f64s(simd.mul_f64s(spring, u), back);
    let own = simd.mul_add_e_f64s(simd.mul_f64s(motion, du), du, held);
    let raised = simd.mul_f64s(height, simd.add_f64s(u, back));
    [
        simd.add_f64s(stored, simd.add_f64s(own, raised)),
        simd.add_f64s(magnitude, simd.add_f64s(simd.abs_f64s(own), simd.abs_f64s(raised))),
        simd.mul_add_e_f64s(simd.mul_f64s(loss, both), both, lost),
    ]
}
