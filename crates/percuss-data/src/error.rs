//! What can go wrong, with hints.

use percuss_scene::Diagnostic;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A recipe that cannot be used, or a set that cannot be written.
#[derive(Debug)]
pub enum DataError {
    /// Errors in the recipe or in its scene.
    Recipe(Vec<Diagnostic>),
    /// A draw gave a scene that cannot be simulated, and the recipe refuses it or found no other.
    InvalidClip {
        /// Number of the clip.
        clip: u64,
        /// Draws that were tried.
        attempts: u32,
        /// What is wrong with the last of them.
        diagnostic: Box<Diagnostic>,
    },
    /// A file or folder.
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// What was asked for is not possible.
    Refused {
        /// What was found and what is allowed.
        message: String,
        /// What to do.
        hint: String,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, DataError>;

impl DataError {
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        |error| Self::File { path: path.into(), error }
    }

    pub(crate) fn refused(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Refused { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recipe(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    write!(f, "{}{diagnostic}", if index > 0 { "\n" } else { "" })?;
                }
                Ok(())
            }
            Self::InvalidClip { clip, attempts, diagnostic } => {
                let draws = if *attempts == 1 { "its draw".to_owned() } else { format!("{attempts} draws") };
                write!(f, "error: clip {clip} cannot be simulated with {draws}: {}", diagnostic.message)?;
                write!(f, "\n  hint: narrow the distributions, or set invalid = \"replace\" or \"skip\"")
            }
            Self::File { path, error } if error.kind() == io::ErrorKind::StorageFull => {
                write!(f, "error: {}: the disk is full", path.display())?;
                write!(f, "\n  hint: the shards so far are complete; make room and run the same command again")
            }
            Self::File { path, error } => write!(f, "error: {}: {error}", path.display()),
            Self::Refused { message, hint } => write!(f, "error: {message}\n  hint: {hint}"),
        }
    }
}

impl std::error::Error for DataError {}
