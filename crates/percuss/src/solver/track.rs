//! A control that is read step after step: it looks for the straight piece it is on when the last one ends.
//!
//! Allocates   no

use crate::model::{Control, Piece};

/// A control and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    control: Control,
    piece: Piece,
}

impl From<Control> for Track {
    fn from(control: Control) -> Self {
        Self { control, piece: Piece::none() }
    }
}

impl Track {
    /// Value at time t \[s\].
    #[inline]
    pub fn at(&mut self, t: f64) -> f64 {
        if !self.piece.holds(t) {
            self.piece = self.control.piece(t);
        }
        self.piece.at(t)
    }

    /// The control: where it is a dial it may be set, and the next reading sees it.
    pub fn control(&mut self) -> &mut Control {
        &mut self.control
    }
}
