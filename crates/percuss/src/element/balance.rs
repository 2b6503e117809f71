//! The energy of an element for the ledger.

/// Energy of one element at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ElementEnergy {
    /// Stored energy H \[J\].
    pub stored: f64,
    /// Sum of the magnitudes of its parts \[J\]: what rounding errors are measured against.
    pub magnitude: f64,
    /// Energy dissipated during the last step \[J\], without `self_loss` of this step and the one before.
    pub dissipated: f64,
    /// Part of the dissipation that depends on this du alone \[J\].
    pub self_loss: f64,
    /// Work done during the last step by changes of touches \[J\].
    pub touch_work: f64,
    /// Part of `stored` and of `dissipated` that is in the layer of touches \[J\].
    pub touch_stored: f64,
    pub touch_dissipated: f64,
}
