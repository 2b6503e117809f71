//! The energy of an element, as the ledger takes it.

/// Energy of one element at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ElementEnergy {
    /// Stored energy H \[J\].
    pub stored: f64,
    /// Sum of the magnitudes of its parts \[J\]: what rounding errors are measured against.
    pub magnitude: f64,
    /// Energy lost during the last step \[J\], but for `self_loss` of this step and of the one before.
    pub lost: f64,
    /// Energy that this du alone would lose in a step \[J\].
    pub self_loss: f64,
    /// Work done during the last step by whoever changes a touch \[J\].
    pub touch_work: f64,
}
