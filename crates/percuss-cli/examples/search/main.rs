//! Searches random scenes for violations of physical laws.
//!
//!     cargo run --release --example search -- --scenes 10000 --seed 7
//!     cargo run --release --example search -- --seed 7 --from 4711 --scenes 1 --print
//!
//! `docs/search.md` describes the scenes and the checks. A scene depends only on the seed and its index. The exit code is 1
//! if a check failed.

mod harness;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::process::ExitCode;

/// Searches random scenes for violations of physical laws.
#[derive(Parser)]
struct SearchArgs {
    /// Number of scenes.
    #[arg(long, default_value_t = 1000)]
    scenes: u64,
    /// Seed of the random scenes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Index of the first scene.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Number of minimised scenes that are printed per kind of failure.
    #[arg(long, default_value_t = 1)]
    show: usize,
    /// Folder for minimised scenes and for the files that scenes name.
    #[arg(long, default_value = "target/search")]
    out: PathBuf,
    /// Print the scenes instead of running them.
    #[arg(long)]
    print: bool,
}

fn main() -> ExitCode {
    let args = SearchArgs::parse();
    let indices = args.from..args.from.saturating_add(args.scenes);
    if args.print {
        for index in indices {
            println!(
                "# --seed {} --from {index} --scenes 1\n{}",
                args.seed,
                harness::generate::generate_scene(args.seed, index)
            );
        }
        return ExitCode::SUCCESS;
    }
    if let Err(error) = harness::files::write(&args.out) {
        eprintln!("error: {}: {error}", args.out.display());
        return ExitCode::from(2);
    }
    // A panic is reported with its scene, not on stderr.
    std::panic::set_hook(Box::new(|_| {}));
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} scenes, {per_sec}, {eta} left");
    let bar = ProgressBar::new(args.scenes).with_style(style.expect("a valid template"));
    let summary = harness::search(args.seed, indices, &args.out, || bar.inc(1));
    bar.finish_and_clear();
    print!("{}", summary.report(&args.out, args.show));
    if summary.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
