//! `percuss bench`: how fast this machine is at it.

use crate::args::BenchArgs;
use crate::bench;
use crate::failure::Result;
use crate::output::{Target, confirm_overwriting};
use std::io::{self, Write};

/// Measures and prints.
pub fn run(args: &BenchArgs) -> Result<()> {
    let target = args.output.as_deref().map(Target::new).transpose()?;
    confirm_overwriting(&target.iter().collect::<Vec<_>>())?;
    if cfg!(debug_assertions) {
        writeln!(io::stderr(), "warning: this build is not optimised, its figures say nothing")?;
        writeln!(io::stderr(), "  hint: cargo run --release -- bench")?;
    }
    let measured = bench::measure(args.quick);
    let figures = format!("{:#}\n", bench::json(&measured));
    if let Some(target) = &target {
        target.write(|file| file.write_all(figures.as_bytes()))?;
    }
    let said = match (args.json, args.markdown) {
        (true, _) => figures,
        (false, true) => bench::markdown(&measured),
        (false, false) => bench::text(&measured),
    };
    let mut out = io::stdout().lock();
    write!(out, "{said}")?;
    Ok(out.flush()?)
}
