//! `percuss`: renders, plays, checks and plots scenes, and repeats published studies.
//!
//! Exit codes: 0 done, 1 the scene is wrong or the run failed, 2 wrong usage.

mod arg_values;
mod args;
mod bench;
mod commands;
mod error;
mod format;
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
mod study;
mod synthetic_load;

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
        Command::Materials => commands::materials::run(),
        Command::Show(args) => commands::show::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Study(args) => commands::study::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
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
