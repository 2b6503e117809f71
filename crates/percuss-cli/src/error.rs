//! Errors of a command, printed as `error: …` and, where there is a remedy, `  hint: …`.

use percuss_data::DataError;
use percuss_scene::Diagnostic;
use std::fmt;
use std::io;

/// Result of an operation of a command.
pub type Result<T> = std::result::Result<T, CliError>;

/// Error that ends a command.
#[derive(Debug)]
pub enum CliError {
    /// The scene file has errors.
    Scene(Vec<Diagnostic>),
    /// An operation failed while the command ran.
    Run { message: String, hint: Option<String> },
    /// Flags that contradict each other in a way that clap cannot check.
    Usage { message: String, hint: String },
    /// A data set cannot be made.
    Data(Box<DataError>),
    /// Writing to the terminal failed.
    Terminal(io::Error),
}

impl CliError {
    /// A failed operation with a remedy.
    pub fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Run { message: message.into(), hint: Some(hint.into()) }
    }

    /// A failed file operation; `failure` names it, as in "cannot be read".
    pub fn io(failure: &str, path: &std::path::Path, error: &io::Error) -> Self {
        let hint = match error.kind() {
            io::ErrorKind::PermissionDenied => Some("choose a folder you may write to"),
            io::ErrorKind::StorageFull => Some("free some space, or render fewer --seconds"),
            io::ErrorKind::NotFound => Some("check the spelling of the path"),
            _ => None,
        };
        // tempfile appends the temporary path, which means nothing to the user.
        let reason = error.to_string();
        let reason = reason.split(" at path \"").next().unwrap_or_default();
        Self::Run { message: format!("{}: {failure}: {reason}", path.display()), hint: hint.map(String::from) }
    }

    /// Whether the reader of stdout closed it.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Terminal(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Exit code of the process.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage { .. }) { 2 } else { 1 }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Terminal(error)
    }
}

impl From<DataError> for CliError {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Recipe(diagnostics) => Self::Scene(diagnostics),
            DataError::Refused { message, hint } => Self::with_hint(message, hint),
            other => Self::Data(Box::new(other)),
        }
    }
}

impl From<Box<Diagnostic>> for CliError {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Scene(vec![*diagnostic])
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    write!(f, "{}{diagnostic}", if index > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
            Self::Run { message, hint: None } => write!(f, "error: {message}"),
            Self::Run { message, hint: Some(hint) } | Self::Usage { message, hint } => {
                write!(f, "error: {message}\n  hint: {hint}")
            }
            Self::Data(error) => write!(f, "{error}"),
            Self::Terminal(error) => write!(f, "error: cannot write to the terminal: {error}"),
        }
    }
}
