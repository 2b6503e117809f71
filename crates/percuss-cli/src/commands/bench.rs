//! `percuss bench`: measures how fast this machine runs the engine.

use crate::args::BenchArgs;
use crate::bench;
use crate::error::Result;
use crate::output::{OutputFile, refuse_overwrite};
use std::io::{self, Write};

/// Measures and prints.
pub fn run(args: &BenchArgs, force: bool) -> Result<()> {
    let file = args.output.as_deref().map(OutputFile::new).transpose()?;
    refuse_overwrite(&file.iter().collect::<Vec<_>>(), force)?;
    if cfg!(debug_assertions) {
        writeln!(io::stderr(), "warning: this build is not optimised, its timings are meaningless")?;
        writeln!(io::stderr(), "  hint: cargo run --release -- bench")?;
    }
    let measured = bench::measure(args.quick);
    let json = format!("{:#}\n", bench::json(&measured));
    if let Some(file) = &file {
        file.write(|file| file.write_all(json.as_bytes()))?;
    }
    let text = match (args.json, args.markdown) {
        (true, _) => json,
        (false, true) => bench::markdown(&measured),
        (false, false) => bench::text(&measured),
    };
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}
