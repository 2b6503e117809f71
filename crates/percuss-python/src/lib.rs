//! The Python module `percuss._percuss`; the package around it is in `python/percuss`.
//!
//! Everything that Python sees is a thin class around a type of the engine or of the scene files. Long work runs without the
//! interpreter's lock, and errors carry the messages and hints of the Rust crates.

mod batch;
mod data;
mod errors;
mod ids;
mod ledger;
mod model;
mod operators;
mod samples;
mod scene;
mod simulation;

use pyo3::prelude::*;

#[pymodule]
mod _percuss {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn add_version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::batch::batch;
    #[pymodule_export]
    use crate::data::{Clip, DataSetError, Recipe, ShardRecord};
    #[pymodule_export]
    use crate::errors::{CompileError, Diagnostic, PercussError, SceneError};
    #[pymodule_export]
    use crate::ids::{ElementId, ExciterId, InteractionId, ParamId, PickupId, Point};
    #[pymodule_export]
    use crate::ledger::{Account, ContactAccount, Ledger, Total};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::model::choices::{
        BarrierShape, Drive, Edge, End, Friction, Method, Outline, ParamPath, Profile, Quantity, Region, Scheme, Shape,
        TouchLaw, TouchParam, Waveform,
    };
    #[pymodule_export]
    use crate::model::control::{Control, Path};
    #[pymodule_export]
    use crate::model::descriptions::{
        Bar, Barrier, Blow, Bow, Cavity, Collision, Connection, Damper, Felt, Finger, Mallet, Mass, Modal, Mode, Patch,
        Plate, Pluck, Pulse, Spring, StiffString, Touch, Undercut,
    };
    #[pymodule_export]
    use crate::operators::Operators;
    #[pymodule_export]
    use crate::scene::{Output, Probe, Scene, load, parse, preset, presets};
    #[pymodule_export]
    use crate::simulation::Simulation;
}
