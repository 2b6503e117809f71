//! The corrected modes of one parity.
//!
//! Allocates   only in `new`

use crate::element::simd::{Field, SingleField, field, single_field, whole_blocks};
use crate::element::spectral::matching::MatchedMode;

/// The corrected modes of one parity; numbers for each mode are in whole blocks of modes.
#[derive(Clone, Debug)]
pub(super) struct ParityModes {
    /// Shapes by mode, orthonormal: a row for each mode, of whole blocks of orbits. In single precision they fit into the nearest cache.
    /// They are orthogonal to rigid motions within 1e-8, so that modes that are lowered take at most 1e-16 of λ from these: less than
    /// the rounding of the update.
    pub shapes: SingleField,
    /// λ̂ − λ and d̂ − d.
    pub stiffness: Field,
    pub damping: Field,
    pub y: Field,
    pub z: Field,
    /// z of the step to come, where it is known already.
    pub next_z: Field,
}

impl ParityModes {
    /// For modes with their λ̂ − λ and d̂ − d.
    pub fn new(modes: &[(&MatchedMode, [f64; 2])], orbits: usize) -> Self {
        let (count, length) = (whole_blocks(modes.len()), whole_blocks(orbits));
        let mut shapes = single_field(modes.len() * length);
        let [mut stiffness, mut damping] = [field(count), field(count)];
        for (index, (mode, change)) in modes.iter().enumerate() {
            [stiffness[index], damping[index]] = *change;
            let row = shapes[index * length..].iter_mut().zip(&mode.shape);
            row.for_each(|(single, &value)| *single = value as f32);
        }
        Self { shapes, stiffness, damping, y: field(count), z: field(count), next_z: field(count) }
    }

    /// Number of modes, in whole blocks.
    pub fn padded_count(&self) -> usize {
        self.y.len()
    }
}
