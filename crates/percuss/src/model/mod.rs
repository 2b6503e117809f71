//! What a person describes: elements, interactions, exciters and pickups, in SI units.
//!
//! A [`Model`] is plain data. [`Model::compile`] checks it and turns it into a
//! [`Simulation`](crate::Simulation) for one sample rate.

mod affine;
mod barrier;
mod bow_finger;
mod control;
mod custom_law;
mod description;
mod element;
mod equality;
mod excitation;
mod id;
mod interaction;
mod method;
mod param_path;
mod path;
mod pickup;
mod place;
mod plate;
mod profile;
mod scheme;
mod wave;

pub use affine::{AffineLaw, PotentialSample};
pub use barrier::{Barrier, BarrierShape};
pub use bow_finger::{Bow, Finger, Friction};
pub(crate) use control::Segment;
pub use control::{Control, Param};
pub use custom_law::{BadParameter, CustomLaw, LawState, SharedLaw, SolvedStep};
pub use description::Model;
pub(crate) use element::dispatch_element;
pub use element::{Bar, Blow, Element, End, Mallet, Mass, Modal, Mode, Shape, StiffString};
pub use excitation::{Drive, Exciter, Pluck, Pulse};
pub(crate) use id::Ids;
pub use id::{ElementId, ExciterId, InteractionId, ParamId, PickupId};
pub use interaction::{Cavity, Collision, Connection, Damper, Interaction, Law, Spring};
pub use method::Method;
pub use param_path::{ParamPath, TouchParam};
pub use path::{Path, PathPlace};
pub(crate) use pickup::PickupTarget;
pub use pickup::Quantity;
pub use place::{Place, Point};
pub use plate::{Edge, Outline, Patch, Plate, Region, Touch, TouchLaw};
pub use profile::{Profile, Undercut};
pub use scheme::Scheme;
pub use wave::{Wave, Waveform};
