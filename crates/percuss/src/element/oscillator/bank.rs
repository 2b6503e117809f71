//! A bank of damped oscillators under constant force: the kernel that masses and modes share.
//!
//! Equation    m ü = −s u − r u̇ − w
//! Update      (m/k² + r/2k) du⁺ = (m/k² − r/2k) du − s u − w,   u⁺ = u + du⁺
//! Stability   s k²/m < 4, checked where the coefficients are made (`mass`, `mode`)
//! Energy      in `group`: H = ½m(du/k)² + ½s u u⁻ + ½w(u + u⁻),   Q = r(δt·u)²
//! Symbols     m mass \[kg\], s stiffness \[N/m\], r resistance \[N·s/m\], w gravity force \[N\], k time step \[s\]
//! Allocates   only in `push`
//! Reference   Bilbao (2009), Numerical Sound Synthesis, ch. 3

use crate::element::simd::{Field, field, mul_add, vectors, vectors_mut, whole_blocks};
use crate::element::state::{Increments, State};
use pulp::{Simd, WithSimd};

/// Up to this number oscillators are stepped without runtime dispatch.
const MAX_SMALL_BANK: usize = 4;

/// Constants of one oscillator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oscillator {
    pub mass: f64,
    pub stiffness: f64,
    pub resistance: f64,
    pub gravity_force: f64,
}

/// Oscillators side by side; node i of the state belongs to oscillator i.
#[derive(Clone, Debug)]
pub(crate) struct Bank {
    /// Coefficients on du and u, and a constant, up to whole blocks.
    coefficients: [Field; 3],
    /// Those of the first few.
    small: [[f64; MAX_SMALL_BANK]; 3],
    count: usize,
}

impl Bank {
    pub fn new() -> Self {
        let coefficients = [(); 3].map(|()| field(0));
        Self { coefficients, small: [[0.0; MAX_SMALL_BANK]; 3], count: 0 }
    }

    /// Adds an oscillator and its node.
    pub fn push(&mut self, constants: Oscillator, k: f64, state: &mut State) -> usize {
        let Oscillator { mass, stiffness, resistance, gravity_force } = constants;
        let node = self.count;
        self.count += 1;
        let room = whole_blocks(self.count);
        state.resize(room);
        let ahead = mass / (k * k) + resistance / (2.0 * k);
        let coefficients =
            [(mass / (k * k) - resistance / (2.0 * k)) / ahead, -stiffness / ahead, -gravity_force / ahead];
        for (of_all, rate) in self.coefficients.iter_mut().zip(coefficients) {
            of_all.resize(room, 0.0);
            of_all[node] = rate;
        }
        for (of_small, rate) in self.small.iter_mut().zip(coefficients).take_while(|_| node < MAX_SMALL_BANK) {
            of_small[node] = rate;
        }
        state.inverse_mass[node] = 1.0 / ahead;
        node
    }

    /// The coefficients of an oscillator.
    pub fn coefficients(&self, node: usize) -> [f64; 3] {
        self.coefficients.each_ref().map(|of_all| of_all[node])
    }

    /// Sets the coefficients of an oscillator; with zeros it rests.
    pub fn set_coefficients(&mut self, node: usize, coefficients: [f64; 3]) {
        let of_oscillator = self.coefficients.iter_mut().zip(&mut self.small).zip(coefficients);
        for ((of_all, of_small), coefficient) in of_oscillator {
            of_all[node] = coefficient;
            if let Some(of_small) = of_small.get_mut(node) {
                *of_small = coefficient;
            }
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Brings u up to date and turns du into du⁺ without contacts.
    #[inline(always)]
    pub fn predict(&self, state: &mut State) {
        match self.len() {
            0 => {}
            1..=MAX_SMALL_BANK => self.predict_small(state),
            _ => self.predict_large(state),
        }
    }

    /// All values are read first and written last, which lets the compiler vectorise at the baseline width.
    #[inline(always)]
    fn predict_small(&self, state: &mut State) {
        let [decay, stiffness_gain, constant] = &self.small;
        let (u, du) = state.fields(0..MAX_SMALL_BANK);
        let (mut place, mut step) = ([0.0; MAX_SMALL_BANK], [0.0; MAX_SMALL_BANK]);
        place.copy_from_slice(u);
        step.copy_from_slice(du.du());
        for i in 0..MAX_SMALL_BANK {
            place[i] += step[i];
            step[i] = decay[i] * step[i] + (stiffness_gain[i] * place[i] + constant[i]);
        }
        u.copy_from_slice(&place);
        du.next.copy_from_slice(&step);
    }

    #[inline(never)]
    fn predict_large(&self, state: &mut State) {
        let machine = state.machine;
        let (u, Increments { next: du, previous }) = state.fields(0..self.coefficients[0].len());
        if let Some(previous) = previous {
            du.copy_from_slice(previous);
        }
        machine.dispatch(OscillatorStep { bank: self, u, du });
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
        let [decay, stiffness_gain, constant] = &self.bank.coefficients;
        let (decay, stiffness_gain, constant) =
            (vectors::<S>(decay), vectors::<S>(stiffness_gain), vectors::<S>(constant));
        let fields = vectors_mut::<S>(self.u).iter_mut().zip(vectors_mut::<S>(self.du));
        for ((u, du), ((&decay, &stiffness_gain), &constant)) in
            fields.zip(decay.iter().zip(stiffness_gain).zip(constant))
        {
            *u = simd.add_f64s(*u, *du);
            *du = mul_add(simd, decay, *du, mul_add(simd, stiffness_gain, *u, constant));
        }
    }
}
