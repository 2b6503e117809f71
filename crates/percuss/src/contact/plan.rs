//! Description of rows from which the network is built.

use crate::contact::bow_or_finger::BowOrFinger;
use crate::element::plate::von_karman::VonKarmanForm;
use crate::element::stretch::StretchForm;
use crate::interaction::law::RowLaw;

/// Nodes of one side of a row.
#[derive(Clone, Debug)]
pub(crate) enum RowSide {
    /// Nodes of an element with signed interpolation weights.
    Nodes(Vec<(usize, f64)>),
    /// The node of a barrier, with the sign of its side.
    Barrier(usize, f64),
}

/// A row before it is assigned to a block.
#[derive(Clone, Debug)]
pub(crate) struct RowPlan {
    pub law: RowLaw,
    pub interaction: usize,
    /// +1, or −1 for the second face of a connection with play.
    pub sign: f64,
    /// Constant part of η \[m\].
    pub offset: f64,
    /// Elements and their nodes: below, above, and the surface if there is one.
    pub sides: Vec<(usize, RowSide)>,
    /// Controls of a bow or finger.
    pub bow_or_finger: Option<BowOrFinger>,
    /// What gives the weights of each side in every step.
    pub stretches: Vec<StretchForm>,
    /// The energy of a plate that gives them.
    pub von_karman: Option<Box<VonKarmanForm>>,
}

impl RowPlan {
    /// A row without controls whose weights do not change.
    pub fn new(law: RowLaw, interaction: usize, sides: Vec<(usize, RowSide)>) -> Self {
        let (sign, offset, stretches) = (1.0, 0.0, Vec::new());
        Self { law, interaction, sign, offset, sides, bow_or_finger: None, stretches, von_karman: None }
    }

    /// Whether its nodes or weights change: it moves over its element, or is stretched with it.
    pub fn moves(&self) -> bool {
        !self.stretches.is_empty()
            || self.von_karman.is_some()
            || self.bow_or_finger.as_ref().is_some_and(|bow_or_finger| bow_or_finger.moving_point.is_some())
    }
}
