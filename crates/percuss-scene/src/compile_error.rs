//! Compile errors of the engine as diagnostics with locations in the scene file.

use crate::diagnostic::{Diagnostic, Severity};
use crate::limits::format_number;
use crate::table_reader::TableLocation;
use crate::{Scene, SceneLocations};
use percuss::{CompileError, Subject};

impl SceneLocations {
    /// Location of the part of the model that an error is about.
    pub(crate) fn subject(&self, subject: Subject) -> Option<&TableLocation> {
        match subject {
            Subject::Model => Some(&self.scene),
            Subject::Element(index) => self.elements.get(index),
            Subject::Interaction(index) => self.interactions.get(index),
            Subject::Exciter(index) => self.exciters.get(index),
            Subject::Pickup(index) => self.pickups.get(index),
        }
    }
}

impl Scene {
    /// Converts a compile error into a diagnostic.
    pub(crate) fn diagnose(&self, error: &CompileError) -> Diagnostic {
        let location = self.locations.subject(error.subject());
        let (field, hint) = field_and_hint(error);
        let name = location.map_or_else(String::new, |location| match location.id.as_str() {
            "" => format!("{}: ", location.kind),
            id => format!("{} \"{id}\": ", location.kind),
        });
        Diagnostic {
            severity: Severity::Error,
            file: self.locations.file.clone(),
            location: location.and_then(|location| location.field(field)),
            message: format!("{name}{}", message(error)),
            hint: Some(hint),
        }
    }
}

/// The message of an error, with numbers as in the scene file.
fn message(error: &CompileError) -> String {
    if let CompileError::Parameter { field, value, allowed, .. } = error {
        return format!("{field} is {}, must be {allowed}", format_number(*value));
    }
    error.to_string()
}

/// What to do about a compile error.
pub fn compile_hint(error: &CompileError) -> String {
    field_and_hint(error).1
}

/// Field at fault, and hint.
fn field_and_hint(error: &CompileError) -> (&'static str, String) {
    match *error {
        CompileError::Parameter { field, .. } => (field, "all values are in SI units".to_owned()),
        CompileError::GridTooFine { maximum, .. } => {
            ("grid", format!("use grid = {maximum} or less, or raise the sample rate"))
        }
        CompileError::GridTooCoarse { .. } => {
            ("length", "raise the sample rate or oversample, or make it longer, heavier or less tense".to_owned())
        }
        CompileError::GridTooLarge { .. } => {
            ("length", "use grid = N for a coarser grid, or lower the sample rate".to_owned())
        }
        CompileError::FrequencyTooHigh { maximum, .. } => {
            ("frequency", format!("stay below {maximum:.1} Hz, or raise the sample rate or oversample"))
        }
        CompileError::Place { expected, .. } => ("at", expected.to_owned()),
        CompileError::ForeignId { .. } => ("of", "name an element of this scene".to_owned()),
        CompileError::Immovable { .. } => {
            ("at", "move the point away from the support, for instance at = 0.1".to_owned())
        }
        CompileError::NotStretched { .. } => (
            "nonlinear",
            "leave it out, or hold both ends or all edges: \"simply-supported\" or \"clamped\"".to_owned(),
        ),
        CompileError::NotStretchedByBending { reason, .. } => ("nonlinear", format!("leave it out: {reason}")),
        CompileError::NoDiscreteGradient { .. } => {
            ("nonlinear", "use scheme = \"tracked\" or \"plain\" in [scene]".to_owned())
        }
        CompileError::SelfContact { .. } => ("above", "below and above must name two different elements".to_owned()),
        CompileError::ContactCycle { .. } => ("gap", "set gap = 1e-3 on one of them, or remove a contact".to_owned()),
        CompileError::TooStiff { .. } => (
            "stiffness",
            "use a softer spring, heavier bodies or a higher sample rate, or start with less energy".to_owned(),
        ),
        CompileError::TouchTooStiff { maximum, .. } => {
            ("touches", format!("use at most {maximum:.0e} N/m³: it holds the plate as firmly"))
        }
        CompileError::NeedsTracked { .. } => {
            ("restitution", "set scheme = \"tracked\" in [scene], or use a [[collision]]".to_owned())
        }
        CompileError::NeedsModes { .. } => (
            "profile",
            "remove grid and method, hold it and strike it at fixed places, or give it one thickness".to_owned(),
        ),
        CompileError::Empty => ("", "add a [[string]], [[bar]], [[mass]] or [[modal]]".to_owned()),
    }
}
