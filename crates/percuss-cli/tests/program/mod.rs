//! Runs the program.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// `percuss` with the words of a line, in a folder, with nobody at the keyboard.
pub fn percuss(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
    command.current_dir(folder).stdin(Stdio::null()).args(line.split_whitespace()).output().unwrap()
}

/// Runs a study: a folder with its files in `figures`, and what it printed as JSON.
#[allow(dead_code, reason = "only the tests of studies need it")]
pub fn study(name: &str) -> (TempDir, Value) {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), &format!("study {name} --json -o figures"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found = serde_json::from_slice(&output.stdout).unwrap();
    (folder, found)
}
