//! All that most programs need: `use percuss::prelude::*;`.
//!
//! Left out are grids, matrices, accounts and what else only analysis needs. It is all at the root of the crate.

#[doc(no_inline)]
pub use crate::{
    Bar, Barrier, BarrierShape, Blow, Bow, Cavity, Collision, CompileError, Connection, Control, Damper, Drive, Edge,
    Element, ElementId, End, Exciter, ExciterId, Finger, Friction, Interaction, InteractionId, Law, Mallet, Mass,
    Method, Modal, Mode, Model, Outline, ParamId, ParamPath, Path, PathPlace, PickupId, Place, Plate, Pluck, Point,
    Pulse, Quantity, Region, Scheme, Shape, Simulation, Spring, StiffString, Touch, TouchParam, Wave, Waveform,
};
