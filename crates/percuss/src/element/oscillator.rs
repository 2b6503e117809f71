//! A bank of damped oscillators under constant force: the kernel that masses and modes share.
//!
//! Equation    m ü = −s u − r u̇ − w
//! Update      (m/k² + r/2k) du⁺ = (m/k² − r/2k) du − s u − w,   u⁺ = u + du⁺
//! Stability   s k²/m < 4, checked where the coefficients are made (`mass`, `mode`)
//! Energy      H = ½m(du/k)² + ½s u u⁻ + ½w(u + u⁻),   Q = r(δt·u)²
//! Symbols     m mass \[kg\], s stiffness \[N/m\], r resistance \[N·s/m\], w weight \[N\], k time step \[s\]
//! Allocates   only in `push`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, ch. 3

use super::{Balance, Increments, State};
use std::ops::Range;

/// Constants of one oscillator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    pub mass: f64,
    pub stiffness: f64,
    pub resistance: f64,
    pub weight: f64,
}

/// Oscillators side by side; node i of the state belongs to oscillator i.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bank {
    keep: Vec<f64>,
    pull: Vec<f64>,
    fall: Vec<f64>,
    constants: Vec<Oscillator>,
}

impl Bank {
    /// Adds an oscillator and its node.
    pub fn push(&mut self, constants: Oscillator, k: f64, state: &mut State) -> usize {
        let Oscillator { mass, stiffness, resistance, weight } = constants;
        let ahead = mass / (k * k) + resistance / (2.0 * k);
        self.keep.push((mass / (k * k) - resistance / (2.0 * k)) / ahead);
        self.pull.push(-stiffness / ahead);
        self.fall.push(-weight / ahead);
        self.constants.push(constants);
        let node = self.len() - 1;
        state.resize(self.len());
        state.inverse_mass[node] = 1.0 / ahead;
        node
    }

    pub fn len(&self) -> usize {
        self.keep.len()
    }

    pub fn mass(&self, node: usize) -> f64 {
        self.constants[node].mass
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    pub fn predict(&self, state: &mut State) {
        let arch = state.arch;
        let (u, Increments { next, kept }) = state.fields(0..self.len());
        arch.dispatch(|| {
            if let Some(du) = kept {
                next.copy_from_slice(du);
            }
            step(&self.keep, &self.pull, &self.fall, u, next);
        });
    }

    /// The account of some of the oscillators after a step.
    pub fn balance(&self, nodes: Range<usize>, state: &State, k: f64) -> Balance {
        let mut sum = Balance::default();
        for i in nodes {
            let Oscillator { mass, stiffness, resistance, weight } = self.constants[i];
            let (back, du) = (state.u[i], state.du[i]);
            let u = back + du;
            let velocity = du / k;
            let centred = (du + state.du_before[i]) / (2.0 * k);
            let own = 0.5 * mass * velocity * velocity + 0.5 * stiffness * u * back;
            let height = 0.5 * weight * (u + back);
            sum.stored += own + height;
            sum.magnitude += own.abs() + height.abs();
            sum.lost += k * resistance * centred * centred;
        }
        sum
    }
}

/// Inlined where the widest vectors of the machine may be used.
#[inline(always)]
fn step(keep: &[f64], pull: &[f64], fall: &[f64], u: &mut [f64], du: &mut [f64]) {
    for ((u, du), ((keep, pull), fall)) in u.iter_mut().zip(du).zip(keep.iter().zip(pull).zip(fall)) {
        *u += *du;
        *du = keep * *du + pull * *u + fall;
    }
}
