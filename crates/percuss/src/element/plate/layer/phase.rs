//! Where a step lies between two control updates.

/// Where between the last control update and the one to come n, n + ½ and n − ½ are, from 0 to 1; below 0 before the last.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ControlPhase {
    pub now: f64,
    pub ahead: f64,
    pub behind: f64,
}
