//! One numerical scheme per file. Each supplies a contact-free prediction, an inverse mass per node, and its energy.

pub(crate) mod line;
pub(crate) mod mass;
pub(crate) mod mode;
pub(crate) mod oscillator;
pub(crate) mod plate;
mod plate_disc;
mod plate_energy;
pub(crate) mod plate_grid;
mod plate_kernel;
mod plate_operator;
pub(crate) mod touch;

/// Displacements and their increments over the last and the next step, for all nodes of a model.
///
/// Keeping u and du = uⁿ − uⁿ⁻¹ instead of two displacements keeps the velocity exact to rounding however far a body
/// has travelled: δt·u = (du⁺ + du)/2k without cancellation.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// uⁿ \[m\].
    pub u: Vec<f64>,
    /// uⁿ − uⁿ⁻¹ \[m\].
    pub du: Vec<f64>,
    /// uⁿ⁺¹ − uⁿ \[m\]; between steps it holds the du before the last.
    pub du_next: Vec<f64>,
    /// u⁺ = uᴵ + inverse_mass·(nodal force in N); 0 for padding nodes.
    pub inverse_mass: Vec<f64>,
}

/// Below this nothing is kept \[m\]: far under any physical motion, far above the subnormal numbers and their squares.
const SILENCE: f64 = 1e-120;

/// Rounds values far below [`SILENCE`] to zero and leaves all others as they are, bit for bit.
#[inline(always)]
pub(crate) fn flush(x: f64) -> f64 {
    (x + SILENCE) - SILENCE
}

/// u ← u + du⁺; inlined where the widest vectors of the machine may be used.
#[inline(always)]
fn move_on(u: &mut [f64], du_next: &mut [f64]) {
    for (u, next) in u.iter_mut().zip(du_next) {
        *next = flush(*next);
        *u += *next;
    }
}

impl State {
    /// Takes the step: u ← u + du⁺.
    pub fn advance(&mut self) {
        pulp::Arch::new().dispatch(|| move_on(&mut self.u, &mut self.du_next));
        std::mem::swap(&mut self.du, &mut self.du_next);
    }

    /// Second-order start: from du = k·v, which is the velocity at n = 0, to the increment that led there.
    pub fn centre_start(&mut self) {
        for (du, next) in self.du.iter_mut().zip(&self.du_next) {
            *du -= 0.5 * (next - *du);
        }
    }
}

/// Energy of one element at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Balance {
    /// Stored energy H \[J\].
    pub stored: f64,
    /// Sum of the magnitudes of its parts \[J\]: what rounding errors are measured against.
    pub magnitude: f64,
    /// Energy lost during the last step \[J\].
    pub lost: f64,
    /// Work done during the last step by whoever changes a touch \[J\].
    pub worked: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flush_leaves_audible_values_untouched_and_removes_subnormals() {
        for x in [0.0, 1.0, -3.7e-90, 1e-104, -1e-19] {
            assert_eq!(flush(x), x);
        }
        for x in [f64::MIN_POSITIVE / 2.0, -1e-300, 1e-137] {
            assert_eq!(flush(x), 0.0);
        }
    }
}
