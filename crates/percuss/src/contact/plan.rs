//! Rows as they are described to the network.

use crate::contact::bow_or_finger::BowOrFinger;
use crate::interaction::law::RowLaw;

/// What one side of a row touches.
#[derive(Clone, Debug)]
pub(crate) enum RowSide {
    /// Nodes of an element with signed interpolation weights.
    Nodes(Vec<(usize, f64)>),
    /// The node of a barrier, with the sign of its side.
    Barrier(usize, f64),
}

/// A row before it is sorted into a block.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    pub law: RowLaw,
    pub interaction: usize,
    /// +1, or −1 for the second face of a connection with play.
    pub sense: f64,
    /// Constant part of η \[m\].
    pub offset: f64,
    /// The elements and what is touched of them: below, above, and a surface where there is one.
    pub sides: Vec<(usize, RowSide)>,
    /// The hand that holds it, for a bow or a finger.
    pub bow_or_finger: Option<BowOrFinger>,
}

impl RowPlan {
    /// Whether its place moves over its element.
    pub fn moves(&self) -> bool {
        self.bow_or_finger.as_ref().is_some_and(|bow_or_finger| bow_or_finger.moving_point.is_some())
    }
}
