//! A bank of damped oscillators under constant force: the kernel that masses and modes share.
//!
//! Equation    m ü = −s u − r u̇ − w
//! Update      (m/k² + r/2k) du⁺ = (m/k² − r/2k) du − s u − w,   u⁺ = u + du⁺
//! Stability   s k²/m < 4, checked where the coefficients are made (`mass`, `mode`)
//! Energy      H = ½m(du/k)² + ½s u u⁻ + ½w(u + u⁻),   Q = r(δt·u)²
//! Symbols     m mass \[kg\], s stiffness \[N/m\], r resistance \[N·s/m\], w weight \[N\], k time step \[s\]
//! Allocates   only in `push`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, ch. 3

use super::vectors::{Field, field, vectors, vectors_mut, whole_blocks};
use super::{Balance, State};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// So few are stepped one by one: contacts push nodes one by one, and a vector would wait until all of it is written.
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
    keep: Field,
    pull: Field,
    fall: Field,
    constants: Vec<Oscillator>,
}

impl Bank {
    pub fn new() -> Self {
        Self { keep: field(0), pull: field(0), fall: field(0), constants: Vec::new() }
    }

    /// Adds an oscillator and its node.
    pub fn push(&mut self, constants: Oscillator, k: f64, state: &mut State) -> usize {
        let Oscillator { mass, stiffness, resistance, weight } = constants;
        let node = self.len();
        self.constants.push(constants);
        let room = whole_blocks(self.len());
        for coefficients in [&mut self.keep, &mut self.pull, &mut self.fall] {
            coefficients.resize(room, 0.0);
        }
        state.resize(room);
        let ahead = mass / (k * k) + resistance / (2.0 * k);
        self.keep[node] = (mass / (k * k) - resistance / (2.0 * k)) / ahead;
        self.pull[node] = -stiffness / ahead;
        self.fall[node] = -weight / ahead;
        state.inverse_mass[node] = 1.0 / ahead;
        node
    }

    pub fn len(&self) -> usize {
        self.constants.len()
    }

    pub fn mass(&self, node: usize) -> f64 {
        self.constants[node].mass
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    pub fn predict(&self, state: &mut State) {
        let State { arch, u, du, .. } = state;
        let room = self.keep.len();
        if self.len() <= FEW {
            let coefficients = self.keep.iter().zip(&*self.pull).zip(&*self.fall).take(self.len());
            for ((u, du), ((keep, pull), fall)) in u.iter_mut().zip(&mut **du).zip(coefficients) {
                *u += *du;
                *du = keep * *du + (pull * *u + fall);
            }
        } else {
            arch.dispatch(Step { bank: self, u: &mut u[..room], du: &mut du[..room] });
        }
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

/// The update of whole blocks.
struct Step<'a> {
    bank: &'a Bank,
    u: &'a mut [f64],
    du: &'a mut [f64],
}

impl WithSimd for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Bank { keep, pull, fall, .. } = self.bank;
        let (keep, pull, fall) = (vectors::<S>(keep), vectors::<S>(pull), vectors::<S>(fall));
        let fields = vectors_mut::<S>(self.u).iter_mut().zip(vectors_mut::<S>(self.du));
        for ((u, du), ((&keep, &pull), &fall)) in fields.zip(keep.iter().zip(pull).zip(fall)) {
            *u = simd.add_f64s(*u, *du);
            *du = simd.mul_add_f64s(keep, *du, simd.mul_add_f64s(pull, *u, fall));
        }
    }
}
