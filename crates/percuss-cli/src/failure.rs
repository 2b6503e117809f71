//! Why a command ended early, in words: `error: …` and, where there is something to do about it, `  hint: …`.

use percuss_scene::Diagnostic;
use std::fmt;
use std::io;

/// The result of anything that can go wrong in a command.
pub type Result<T> = std::result::Result<T, Failure>;

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// The scene is wrong.
    Scene(Vec<Diagnostic>),
    /// The run failed.
    Run { message: String, hint: Option<String> },
    /// Flags that contradict each other: what clap cannot know.
    Usage { message: String, hint: String },
    /// Writing to the terminal failed.
    Console(io::Error),
}

impl Failure {
    /// A failed run with something to do about it.
    pub fn hinted(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Run { message: message.into(), hint: Some(hint.into()) }
    }

    /// What the system said about a file.
    pub fn file(doing: &str, path: &std::path::Path, error: &io::Error) -> Self {
        let hint = match error.kind() {
            io::ErrorKind::PermissionDenied => Some("choose a folder you may write to"),
            io::ErrorKind::StorageFull => Some("free some space, or render fewer --seconds"),
            io::ErrorKind::NotFound => Some("check the spelling of the path"),
            _ => None,
        };
        // tempfile adds the temporary name, which is no one's business.
        let said = error.to_string();
        let said = said.split(" at path \"").next().unwrap_or_default();
        Self::Run { message: format!("{}: {doing}: {said}", path.display()), hint: hint.map(String::from) }
    }

    /// Whether the reader of our output went away.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Console(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What the process returns.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Usage { .. }) { 2 } else { 1 }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Console(error)
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        Self::Scene(vec![*diagnostic])
    }
}

impl fmt::Display for Failure {
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
            Self::Console(error) => write!(f, "error: cannot write to the terminal: {error}"),
        }
    }
}
