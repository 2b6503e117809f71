//! `percuss show PRESET`: prints the scene file of a preset.

use crate::args::ShowArgs;
use crate::error::Result;
use crate::loaded_scene;
use std::io::{self, Write};

/// Prints a preset.
pub fn run(args: &ShowArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(loaded_scene::preset(&args.preset)?.text.as_bytes())?;
    Ok(out.flush()?)
}
