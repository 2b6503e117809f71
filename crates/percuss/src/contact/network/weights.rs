//! Rows whose weights are new in every step: the gradient of what an element stores by stretching.
//!
//! Allocates   no

use crate::contact::network::Network;
use crate::contact::von_karman::VonKarmanRow;
use crate::element::state::State;
use crate::model::Scheme;
use std::ops::Range;

impl Network {
    /// Sets the weights of stretched rows for displacements that a function writes.
    pub(super) fn update_stretches(&mut self, displacements: impl Fn(Range<usize>, &mut [f64])) {
        let Self { stretches, stencils, pool, moved, .. } = self;
        for stretch in stretches {
            stretch.update(&displacements, &mut stencils[stretch.row], pool);
            *moved = true;
        }
    }

    /// Sets the weights of rows on plates that bend far.
    pub(super) fn update_von_karman(&mut self, state: &State) {
        let Self { rows, von_karman, stencils, pool, moved, scheme, .. } = self;
        for VonKarmanRow { row, form } in von_karman {
            let psi = rows[*row].psi;
            form.update(psi, *scheme == Scheme::Tracked, state, stencils[*row].span_weights(pool));
            *moved = true;
        }
    }

    /// Whether the weights of rows change in every step.
    pub fn has_stretches(&self) -> bool {
        !self.stretches.is_empty() || !self.von_karman.is_empty()
    }

    /// Root of the mean square of ψ − √2V over that of √2V, for the stretching of a plate.
    pub fn drift(&self, interaction: usize) -> Option<f64> {
        let own = self.rows_of(interaction);
        self.von_karman
            .iter()
            .find(|stretching| own.contains(&stretching.row))
            .map(|stretching| stretching.form.drift.ratio())
    }
}
