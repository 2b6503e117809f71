//! `percuss`: renders, checks and pictures scenes, and repeats studies.
//!
//! Exit codes: 0 done, 1 the scene is wrong or the run failed, 2 wrong usage.

mod args;
mod bench;
mod commands;
mod failure;
mod film;
mod format;
mod help;
mod modes;
mod output;
mod play;
mod plot;
mod render;
mod source;
mod study;
mod toil;

use args::{Args, Command};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Render(args) => commands::render::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Modes(args) => commands::modes::run(&args),
        Command::List => commands::list::run(),
        Command::Show(args) => commands::show::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Study(args) => commands::study::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has had enough: `percuss list | head -1`.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing is left to be done where even stderr is closed.
            let _ = writeln!(std::io::stderr(), "{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
