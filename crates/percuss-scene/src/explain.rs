//! What the engine refuses, in the words and places of the scene file.

use crate::diagnostic::{Diagnostic, Severity};
use crate::fields::Origin;
use crate::limits::plain;
use crate::{Origins, Scene};
use percuss::{CompileError, Subject};

impl Origins {
    fn of(&self, subject: Subject) -> Option<&Origin> {
        match subject {
            Subject::Model => Some(&self.scene),
            Subject::Element(index) => self.elements.get(index),
            Subject::Interaction(index) => self.interactions.get(index),
            Subject::Exciter(index) => self.exciters.get(index),
            Subject::PickupId(index) => self.pickups.get(index),
        }
    }
}

impl Scene {
    /// Turns an engine error into a diagnostic at the right place.
    pub(crate) fn explain(&self, error: &CompileError) -> Diagnostic {
        let origin = self.origins.of(error.subject());
        let (field, message, hint) = words(error);
        let name = origin.map_or_else(String::new, |origin| match origin.id.as_str() {
            "" => format!("{}: ", origin.table),
            id => format!("{} \"{id}\": ", origin.table),
        });
        Diagnostic {
            severity: Severity::Error,
            file: self.origins.file.clone(),
            place: origin.and_then(|origin| origin.of(field)),
            message: format!("{name}{message}"),
            hint: Some(hint),
        }
    }
}

/// The field at fault, what is wrong, and what to do.
fn words(error: &CompileError) -> (&'static str, String, String) {
    match *error {
        CompileError::Parameter { field, value, allowed, .. } => {
            (field, format!("{field} is {}, must be {allowed}", plain(value)), "all values are in SI units".to_owned())
        }
        CompileError::GridTooFine { maximum, .. } => {
            ("grid", error.to_string(), format!("use grid = {maximum} or less, or raise the sample rate"))
        }
        CompileError::GridTooCoarse { .. } => (
            "length",
            error.to_string(),
            "raise the sample rate or oversample, or make it longer, heavier or slacker".to_owned(),
        ),
        CompileError::GridTooLarge { .. } => {
            ("length", error.to_string(), "use grid = N for a coarser grid, or lower the sample rate".to_owned())
        }
        CompileError::FrequencyTooHigh { maximum, .. } => (
            "frequency",
            error.to_string(),
            format!("stay below {maximum:.1} Hz, or raise the sample rate or oversample"),
        ),
        CompileError::Place { expected, .. } => ("at", error.to_string(), expected.to_owned()),
        CompileError::Foreign { .. } => ("of", error.to_string(), "name an element of this scene".to_owned()),
        CompileError::Immovable { .. } => {
            ("at", error.to_string(), "move the point away from the support, for instance at = 0.1".to_owned())
        }
        CompileError::SelfContact { .. } => {
            ("above", error.to_string(), "let below and above name two different elements".to_owned())
        }
        CompileError::Ring { .. } => {
            ("gap", error.to_string(), "leave room with gap = 1e-3 on one of them, or drop a contact".to_owned())
        }
        CompileError::TooStiff { .. } => (
            "stiffness",
            error.to_string(),
            "use a softer spring, heavier bodies or a higher sample rate, or start with less energy".to_owned(),
        ),
        CompileError::TouchTooStiff { maximum, .. } => (
            "touches",
            error.to_string(),
            format!("let it be {maximum:.0e} N/m³ stiff at most: it then holds the plate as fast"),
        ),
        CompileError::Empty => ("", error.to_string(), "add a [[string]], [[bar]], [[mass]] or [[modal]]".to_owned()),
    }
}
