//! The oscillators of one element: their energy and their matrices. The bank steps them.
//!
//! Equations   in `bank`
//! Allocates   only in `push` and `operators`

use crate::element::balance::ElementEnergy;
use crate::element::body::Site;
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Oscillator;
use crate::element::simd::LANES;
use crate::element::state::State;
use crate::model::Place;
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Oscillators of one element, side by side in the bank.
#[derive(Clone, Debug)]
pub(crate) struct OscillatorGroup {
    /// Their nodes.
    pub nodes: Range<usize>,
    masses: Vec<f64>,
    stiffnesses: Vec<f64>,
    coefficients: EnergyCoefficients,
}

impl OscillatorGroup {
    /// None yet; the next are added to the end of the bank.
    pub fn new(site: &Site<'_>) -> Self {
        let start = site.bank.len();
        Self {
            nodes: start..start,
            masses: Vec::new(),
            stiffnesses: Vec::new(),
            coefficients: EnergyCoefficients::default(),
        }
    }

    /// Adds an oscillator and its node, which is returned.
    pub fn push(&mut self, constants: Oscillator, site: &mut Site<'_>) -> usize {
        let Oscillator { mass, stiffness, resistance, gravity_force } = constants;
        let k = site.k;
        self.masses.push(mass);
        self.stiffnesses.push(stiffness);
        self.coefficients.kinetic.push(0.5 * mass / (k * k));
        self.coefficients.potential.push(0.5 * stiffness);
        self.coefficients.gravity.push(0.5 * gravity_force);
        self.coefficients.dissipation.push(resistance / (4.0 * k));
        let node = site.bank.push(constants, k, site.state);
        self.nodes.end = node + 1;
        node
    }

    /// Their energy after a step.
    pub fn balance(&self, state: &State) -> ElementEnergy {
        let fields = [&state.u, &state.du, &state.du_prev].map(|x| &x[self.nodes.clone()]);
        if self.nodes.len() < LANES {
            return self.balance_small(fields);
        }
        state.machine.dispatch(OscillatorSumKernel { coefficients: &self.coefficients, fields })
    }

    /// Scalar: for few oscillators vectors do not pay.
    fn balance_small(&self, [u, du, du_prev]: [&[f64]; 3]) -> ElementEnergy {
        let EnergyCoefficients { kinetic, potential, gravity, dissipation } = &self.coefficients;
        let mut sums = [0.0; 3];
        for i in 0..u.len() {
            let fields = [u[i], du[i], du_prev[i]];
            sums = add_energy(pulp::Scalar, [kinetic[i], potential[i], gravity[i], dissipation[i]], fields, sums);
        }
        let [stored, magnitude, dissipated] = sums;
        ElementEnergy { stored, magnitude, dissipated, ..ElementEnergy::default() }
    }

    /// The matrices of oscillators that sound at given ω \[1/s\].
    pub fn exact_operators(&self, omegas: impl IntoIterator<Item = f64>, k: f64) -> Operators {
        let stiffness = |(i, omega): (usize, f64)| (i, i, self.masses[i] * (2.0 / k * (0.5 * omega * k).sin()).powi(2));
        let stiffness = omegas.into_iter().enumerate().map(stiffness).filter(|entry| entry.2 != 0.0).collect();
        Operators { stiffness, is_exact: true, ..self.operators() }
    }

    /// Their matrices, which are diagonal.
    pub fn operators(&self) -> Operators {
        let count = self.nodes.len();
        let diagonal = self.stiffnesses.iter().enumerate().map(|(i, &stiffness)| (i, i, stiffness));
        Operators {
            mass: self.masses.clone(),
            stiffness: diagonal.filter(|&(_, _, stiffness)| stiffness != 0.0).collect(),
            places: (0..count).map(|i| if count == 1 { Place::Whole } else { Place::Listed(i) }).collect(),
            grid: (0..count).map(|i| (i, 0)).collect(),
            damping_correction: Vec::new(),
            is_exact: false,
            mode_shapes: Vec::new(),
        }
    }
}

/// Coefficients of the energy of each oscillator.
#[derive(Clone, Debug, Default)]
struct EnergyCoefficients {
    /// ½m/k².
    kinetic: Vec<f64>,
    /// ½s.
    potential: Vec<f64>,
    /// ½w.
    gravity: Vec<f64>,
    /// r/4k.
    dissipation: Vec<f64>,
}

/// The sum of the energies of some oscillators.
struct OscillatorSumKernel<'a> {
    coefficients: &'a EnergyCoefficients,
    /// u, du and the du before of theirs.
    fields: [&'a [f64]; 3],
}

impl WithSimd for OscillatorSumKernel<'_> {
    type Output = ElementEnergy;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> ElementEnergy {
        let EnergyCoefficients { kinetic, potential, gravity, dissipation } = self.coefficients;
        let coefficients = [kinetic, potential, gravity, dissipation].map(|of| S::as_simd_f64s(of));
        let fields = self.fields.map(|x| S::as_simd_f64s(x));
        let mut sums = [simd.splat_f64s(0.0); 3];
        for i in 0..fields[0].0.len() {
            sums = add_energy(simd, coefficients.map(|of| of.0[i]), fields.map(|x| x.0[i]), sums);
        }
        if !fields[0].1.is_empty() {
            let rest = |(_, rest): (&[S::f64s], &[f64])| simd.partial_load_f64s(rest);
            sums = add_energy(simd, coefficients.map(rest), fields.map(rest), sums);
        }
        let [stored, magnitude, dissipated] = sums;
        ElementEnergy {
            stored: simd.reduce_sum_f64s(stored),
            magnitude: simd.reduce_sum_f64s(magnitude),
            dissipated: simd.reduce_sum_f64s(dissipated),
            ..ElementEnergy::default()
        }
    }
}

/// Adds what a vector of oscillators stores, its magnitude, and what it dissipates.
#[inline(always)]
fn add_energy<S: Simd>(
    simd: S,
    [kinetic, potential, gravity, dissipation]: [S::f64s; 4],
    [u_prev, du, du_prev]: [S::f64s; 3],
    [stored, magnitude, dissipated]: [S::f64s; 3],
) -> [S::f64s; 3] {
    let (u, both) = (simd.add_f64s(u_prev, du), simd.add_f64s(du, du_prev));
    let potential_energy = simd.mul_f64s(simd.mul_f64s(potential, u), u_prev);
    let oscillation_energy = simd.mul_add_e_f64s(simd.mul_f64s(kinetic, du), du, potential_energy);
    let gravity_energy = simd.mul_f64s(gravity, simd.add_f64s(u, u_prev));
    [
        simd.add_f64s(stored, simd.add_f64s(oscillation_energy, gravity_energy)),
        simd.add_f64s(magnitude, simd.add_f64s(simd.abs_f64s(oscillation_energy), simd.abs_f64s(gravity_energy))),
        simd.mul_add_e_f64s(simd.mul_f64s(dissipation, both), both, dissipated),
    ]
}
