//! Physical-modelling sound: bodies that collide, with every joule accounted for.
//!
//! Describe a [`Model`] in SI units, [`compile`](Model::compile) it for a sample rate, [`step`](Simulation::step) it.
//! Everything that can be wrong is found by `compile`; `step` neither allocates, locks, panics nor fails.
//!
//! ```
//! use percuss::prelude::*;
//!
//! let mut model = Model::new();
//! let ball = model.add(Mass { mass: 0.01, position: 0.02, gravity: 9.81, ..Mass::default() });
//! let floor = model.add(Barrier::at(0.0));
//! let bounce = model.collide(floor.point(), ball.point(), Collision { loss: 0.3, ..Collision::default() });
//! let mut simulation = model.compile(48_000.0)?;
//! simulation.open_ledger();
//! for _ in 0..48_000 {
//!     simulation.step();
//! }
//! let ledger = simulation.ledger().expect("open");
//! assert!(ledger.interactions[bounce.index()].hits > 5);
//! assert!(ledger.total.worst_relative < 1e-12);
//! # Ok::<(), CompileError>(())
//! ```
//!
//! The feature `parallel`, off by default, lets [`batch`] use several threads.
//!
//! Enums of what is described and of what can be wrong are exhaustive: where a program has to know every kind, the compiler
//! says so when there is a new one. A new kind is a breaking change. Structs that are only read, as those of the ledger, may
//! get new fields at any time.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]

pub mod batch;
mod compile;
mod contact;
mod control;
mod element;
mod energy;
mod error;
pub mod impact;
mod interaction;
mod model;
pub mod prelude;
mod simulation;

pub use contact::scheme::newton::NewtonEffort;
pub use element::line::grid::Grid;
pub use element::operators::Operators;
pub use element::plate::grid::PlateGrid;
pub use energy::{Account, ContactAccount, Ledger, Total};
pub use error::{CompileError, Subject};
pub use interaction::laws;
pub use model::{
    AffineLaw, BadParameter, Bar, Barrier, BarrierShape, Blow, Bow, Cavity, Collision, Connection, Control, CustomLaw,
    Damper, Drive, Edge, Element, ElementId, End, Exciter, ExciterId, Finger, Friction, Interaction, InteractionId,
    Law, LawState, Mallet, Mass, Method, Modal, Mode, Model, Outline, Param, ParamId, ParamPath, Patch, Path,
    PathPlace, PickupId, Place, Plate, Pluck, Point, PotentialSample, Profile, Pulse, Quantity, Region, Scheme, Shape,
    SharedLaw, SolvedStep, Spring, StiffString, Touch, TouchLaw, TouchParam, Undercut, Wave, Waveform,
};
pub use simulation::Simulation;
pub use simulation::view::{GridView, LineView};

/// The code in the project's README, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;

/// The code in this crate's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
