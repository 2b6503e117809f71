//! What is read from a simulation.

use crate::model::id::InteractionId;
use crate::model::place::Point;

/// What a pickup reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Displacement \[m\].
    Displacement,
    /// Velocity \[m/s\].
    Velocity,
    /// Force \[N\]. On a string or bar the transverse force passed along, Tu′ − EIu‴; on a mass the net force Mü;
    /// on an interaction its force.
    Force,
}

/// What a pickup reads, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PickupTarget {
    /// A point on an element.
    Point(Point, Quantity),
    /// The force of an interaction \[N\].
    Force(InteractionId),
}
