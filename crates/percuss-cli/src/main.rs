//! `percuss`: renders, plays, checks and plots scenes, and repeats published studies.
//!
//! Exit codes: 0 done, 1 the scene is wrong or the run failed, 2 wrong usage.

mod arg_values;
mod args;
mod bench;
mod commands;
mod error;
mod format;
mod gallery;
/// The generator of random scenes.
#[cfg(test)]
#[path = "../examples/search/harness/mod.rs"]
#[allow(dead_code, reason = "tests of the program need scenes only")]
mod harness;
mod help;
mod loaded_scene;
mod markdown;
mod modes;
mod movie;
mod output;
mod play;
mod plot;
mod progress;
mod render;
mod static_server;
mod study;
mod synthetic_load;
mod tune;

use args::{Args, Command};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Args { force, command } = Args::parse();
    let result = match command {
        Command::Render(args) => commands::render::run(&args, force),
        Command::Play(args) => commands::play::run(&args, force),
        Command::Check(args) => commands::check::run(&args),
        Command::Modes(args) => commands::modes::run(&args, force),
        Command::Gallery(args) => commands::gallery::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::List => commands::list::run(),
        Command::Materials => commands::materials::run(),
        Command::Show(args) => commands::show::run(&args),
        Command::New(args) => commands::new::run(&args, force),
        Command::Tune(args) => commands::tune::run(&args, force),
        Command::Study(args) => commands::study::run(&args, force),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Bench(args) => commands::bench::run(&args, force),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of stdout closed it, as in `percuss list | head -1`.
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Ignored: there is nowhere to report a closed stderr.
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::from(error.exit_code())
        }
    }
}
