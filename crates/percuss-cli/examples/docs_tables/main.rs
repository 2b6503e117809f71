//! Compares the generated tables of README.md and docs/ with what their commands print.
//!
//!     cargo run --release -p percuss-cli --example docs_tables                          fails if a table is stale
//!     cargo run --release -p percuss-cli --example docs_tables -- --update              rewrites the tables
//!     cargo run --release -p percuss-cli --example docs_tables -- --update --timings    also those with times of this machine
//!
//! A table is enclosed by two comments:
//!
//!     <!-- generated: percuss study impact --markdown | Table I -->
//!     <!-- end -->
//!
//! The first names a command and one of the tables that it prints, below a heading `### Table I`. `lines A to B` in place of a
//! heading selects the lines from the first that starts with A to the last that starts with B. After that, separated by `;`:
//!
//!     within 5 %              tolerance of numbers, in addition to one unit of their last digit; 2 % by default
//!     ROW within 200 %        the same for rows whose first cell, or lines whose first word, is ROW
//!     timings                 depends on the machine: not compared, rewritten only with `--timings`
//!
//! Text must be equal. `check/compare.rs` describes how numbers are compared. Commands are `percuss …`, run in a temporary
//! folder, and `cargo …`, run in the repository; each is run once.

mod check;

use check::document::{GeneratedBlock, MarkdownDocument, blocks};
use check::{compare, output};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const HINT: &str = "cargo run --release -p percuss-cli --example docs_tables -- --update";

type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let result = options().and_then(|(update, timings)| run(update, timings));
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(stale) => {
            eprintln!("error: {stale} stale\n  hint: {HINT}");
            ExitCode::FAILURE
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether to update, and whether to include tables with times.
fn options() -> Result<(bool, bool)> {
    let given: Vec<String> = env::args().skip(1).collect();
    let has = |name: &str| given.iter().any(|option| option == name);
    match given.iter().find(|option| !["--update", "--timings"].contains(&option.as_str())) {
        Some(other) => Err(format!("{other}: not an option; there are --update and --timings")),
        None if has("--timings") && !has("--update") => Err("--timings needs --update: times are not compared".into()),
        None => Ok((has("--update"), has("--timings"))),
    }
}

/// Compares or updates all documents; returns the number of stale tables.
fn run(update: bool, timings: bool) -> Result<usize> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().map_err(|e| e.to_string())?;
    let mut runner = Runner { program: build_program(&root)?, root: root.clone(), outputs: HashMap::new() };
    let (mut stale, mut skipped, mut checked) = (0, 0, 0);
    for path in documents(&root)? {
        let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let mut document = MarkdownDocument::new(&text);
        for block in blocks(&text).map_err(|error| format!("{name}:{error}"))? {
            if block.timings && !timings {
                skipped += 1;
                continue;
            }
            let printed = runner.output(&block).map_err(|error| format!("{name}:{}: {error}", block.line))?;
            checked += 1;
            if update {
                document.replace(&block, &printed);
            } else if let Err(difference) = compare::compare(&block, &printed) {
                stale += 1;
                println!("{name}:{}: {}\n{difference}", block.line, block.selection);
            }
        }
        if update && document.text() != text {
            fs::write(&path, document.text()).map_err(|error| format!("{name}: {error}"))?;
            println!("updated {name}");
        }
    }
    println!("{checked} tables {}, {skipped} with times skipped", if update { "printed" } else { "compared" });
    Ok(stale)
}

/// README.md and docs/*.md.
fn documents(root: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root.join("docs")).map_err(|error| format!("docs: {error}"))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    paths.insert(0, root.join("README.md"));
    Ok(paths)
}

/// Builds `percuss` beside this program.
fn build_program(root: &Path) -> Result<PathBuf> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.parent().and_then(Path::parent).filter(|folder| folder.ends_with("release"));
    let folder = folder.ok_or("not built with --release")?;
    let mut build = cargo(root);
    build.args(["build", "--quiet", "--release", "-p", "percuss-cli", "--bin", "percuss"]);
    stdout_of(build)?;
    Ok(folder.join("percuss").with_extension(env::consts::EXE_EXTENSION))
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a command; an error has its stderr.
fn stdout_of(mut command: Command) -> Result<String> {
    let done = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !done.status.success() {
        return Err(format!("{command:?} failed:\n{}", String::from_utf8_lossy(&done.stderr)));
    }
    String::from_utf8(done.stdout).map_err(|error| format!("{command:?}: {error}"))
}

/// Runs commands and keeps what they print.
struct Runner {
    program: PathBuf,
    root: PathBuf,
    outputs: HashMap<String, String>,
}

impl Runner {
    /// The selected part of the output of a block's command.
    fn output(&mut self, block: &GeneratedBlock) -> Result<String> {
        if !self.outputs.contains_key(&block.command) {
            let printed = self.run(&block.command)?;
            self.outputs.insert(block.command.clone(), printed);
        }
        output::select(&self.outputs[&block.command], &block.selection)
            .ok_or_else(|| format!("`{}` does not print `{}`", block.command, block.selection))
    }

    fn run(&self, line: &str) -> Result<String> {
        let mut words = line.split_whitespace();
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut command = match words.next() {
            Some("percuss") => {
                let mut command = Command::new(&self.program);
                command.current_dir(&folder);
                command
            }
            Some("cargo") => cargo(&self.root),
            _ => return Err(format!("`{line}`: must be a command of percuss or cargo")),
        };
        eprintln!("run {line}");
        command.args(words);
        stdout_of(command)
    }
}
