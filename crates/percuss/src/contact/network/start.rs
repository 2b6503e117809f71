//! The start of rows: the motion before it, and their potentials.
//!
//! Springs     (1/B + K/4)V₊² − Kη·V₊ = V²/B for V = η − η⁻: springs and bodies together have the described energy
//! Stretch     acts for half a step, as all other forces do in a start of second order
//! Allocates   no

use crate::contact::network::Network;
use crate::element::state::State;
use crate::interaction::law::RowLaw;

impl Network {
    /// Corrects the motion before the start for the strain of springs, so that springs and bodies together have the described
    /// energy: (1/B + K/4)V₊² − Kη·V₊ = V²/B for V = η − η⁻, with u at n = 0. Springs that share
    /// nodes do so in turn.
    pub fn start_springs(&self, state: &mut State) {
        for (row, stencil) in self.rows.iter().zip(&self.stencils) {
            let motion = stencil.eta_step(&self.pool, state);
            if let RowLaw::Spring(spring) = &row.law
                && row.compliance > 0.0
                && motion != 0.0
                && !row.is_suspended()
            {
                let eta = stencil.eta_prev(&self.pool, state);
                let [a, b] = [1.0 / row.compliance + 0.25 * spring.stiffness, spring.stiffness * eta];
                let root = (b * b + 4.0 * a * motion * motion / row.compliance).sqrt();
                // Of two solutions, the one nearest to the described motion; in whichever form does not cancel.
                let far = (b + root.copysign(b)) / (2.0 * a);
                let near = -motion * motion / (a * row.compliance * far);
                let next = if (far - motion).abs() < (near - motion).abs() { far } else { near };
                stencil.apply_force((motion - next) / row.compliance, &self.pool, state);
            }
        }
    }

    /// Lets the tension of stretched elements act for half a step before the start, with u at n = 0.
    pub fn start_stretches(&self, state: &mut State) {
        for stretch in &self.stretches {
            let stencil = &self.stencils[stretch.row];
            let elongation = 0.5 * stencil.eta_prev(&self.pool, state);
            stencil.apply_force(-0.5 * stretch.stiffness() * elongation, &self.pool, state);
        }
    }

    /// Puts every ψ on its potential, ψ = ψ(½(η + η⁻)), and leaves the rows as if the step to η had just been taken: their
    /// energy is read that way.
    pub fn start_on_potential(&mut self, state: &State) {
        self.update_stretches(|nodes, values| values.copy_from_slice(&state.u[nodes]));
        (0..self.rows.len()).for_each(|row| self.start_row(row, state));
        for stretching in &mut self.von_karman {
            self.rows[stretching.row].psi = stretching.form.start(state);
        }
    }

    pub(super) fn start_row(&mut self, row: usize, state: &State) {
        let (row, stencil) = (&mut self.rows[row], &self.stencils[row]);
        let [eta_prev, eta_step] = [stencil.eta_prev(&self.pool, state), stencil.eta_step(&self.pool, state)];
        row.psi = if row.is_suspended() { 0.0 } else { row.law.psi(eta_prev + 0.5 * eta_step) };
        row.law.reset(eta_prev + eta_step, eta_prev);
        (row.eta, row.eta_prev, row.eta_step, row.d) = (eta_prev, eta_prev, 0.0, eta_step);
        (row.force, row.dissipated) = (0.0, 0.0);
    }
}
