//! `percuss show PRESET`: the scene file of a preset.

use crate::args::ShowArgs;
use crate::failure::Result;
use crate::source;
use std::io::{self, Write};

/// Prints a preset.
pub fn run(args: &ShowArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(source::preset(&args.preset)?.text.as_bytes())?;
    Ok(out.flush()?)
}
