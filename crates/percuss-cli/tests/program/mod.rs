//! Runs the program in tests.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Runs `percuss` with the arguments in a line, in a folder, without a terminal.
pub fn percuss(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
    command.current_dir(folder).stdin(Stdio::null()).args(line.split_whitespace()).output().unwrap()
}

/// Runs a study; returns a folder with its files in `figures`, and its results as JSON.
#[allow(dead_code, reason = "used by the tests of studies only")]
pub fn study(name: &str) -> (TempDir, Value) {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), &format!("study {name} --json -o figures"));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found = serde_json::from_slice(&output.stdout).unwrap();
    (folder, found)
}
