//! Exceptions, with the messages and hints of the Rust crates.

use percuss::Subject;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyMemoryError, PyValueError};
use pyo3::prelude::*;

create_exception!(percuss, PercussError, PyException, "Any error of percuss.");
create_exception!(
    percuss,
    SceneError,
    PercussError,
    "A scene file that cannot be used. `diagnostics` has every error with its place and hint."
);
create_exception!(
    percuss,
    CompileError,
    PercussError,
    "A model that cannot be simulated at a rate. `part` and `index` say which part of it is wrong, `hint` what to do."
);

/// An error or warning about a scene file.
#[pyclass(frozen, get_all, module = "percuss")]
#[derive(Clone)]
pub struct Diagnostic {
    /// `"error"` or `"warning"`.
    severity: &'static str,
    /// Name of the file.
    file: String,
    /// Line, from 1; `None` where it is not known.
    line: Option<usize>,
    /// Column, from 1.
    column: Option<usize>,
    /// What was found and what is allowed.
    message: String,
    /// What to do.
    hint: Option<String>,
    /// All of it, as the program prints it.
    text: String,
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {:?}>", self.text)
    }
}

impl From<&percuss_scene::Diagnostic> for Diagnostic {
    fn from(diagnostic: &percuss_scene::Diagnostic) -> Self {
        Self {
            severity: match diagnostic.severity {
                percuss_scene::Severity::Error => "error",
                percuss_scene::Severity::Warning => "warning",
            },
            file: diagnostic.file.clone(),
            line: diagnostic.location.map(|(line, _)| line),
            column: diagnostic.location.map(|(_, column)| column),
            message: diagnostic.message.clone(),
            hint: diagnostic.hint.clone(),
            text: diagnostic.to_string(),
        }
    }
}

/// A `SceneError` of all errors of a file; its text is what the program prints.
pub fn scene_error(py: Python<'_>, diagnostics: &[percuss_scene::Diagnostic]) -> PyErr {
    let text: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    let error = SceneError::new_err(text.join("\n"));
    let list: Vec<Diagnostic> = diagnostics.iter().map(Diagnostic::from).collect();
    with_attribute(py, error, "diagnostics", list)
}

/// A `CompileError` of a model that was not read from a file.
pub fn compile_error(py: Python<'_>, error: &percuss::CompileError) -> PyErr {
    let (part, index) = match error.subject() {
        Subject::Model => ("model", None),
        Subject::Element(index) => ("element", Some(index)),
        Subject::Interaction(index) => ("interaction", Some(index)),
        Subject::Exciter(index) => ("exciter", Some(index)),
        Subject::Pickup(index) => ("pickup", Some(index)),
    };
    let place = index.map_or_else(|| part.to_owned(), |index| format!("{part} {index}"));
    let hint = percuss_scene::compile_hint(error);
    let raised = CompileError::new_err(format!("{place}: {error}\n  hint: {hint}"));
    let raised = with_attribute(py, raised, "part", part);
    let raised = with_attribute(py, raised, "index", index);
    with_attribute(py, raised, "hint", hint)
}

/// A `ValueError` with a hint.
pub fn value_error(message: impl std::fmt::Display, hint: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{message}\n  hint: {hint}"))
}

/// A `MemoryError` about so many samples.
pub fn no_memory(channels: usize, samples: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "there is no memory for {channels} x {samples} samples\n  hint: process them in blocks, as in process(65536)"
    ))
}

/// The exception with an attribute; where that cannot be set, the reason.
fn with_attribute<'py>(py: Python<'py>, error: PyErr, name: &str, value: impl IntoPyObject<'py>) -> PyErr {
    let set = || error.value(py).setattr(name, value);
    match set() {
        Ok(()) => error,
        Err(failed) => failed,
    }
}
