//! `percuss list`: lists the presets, one line each.

use crate::error::Result;
use percuss_scene::presets;
use std::io::{self, Write};

/// Lists the presets.
pub fn run() -> Result<()> {
    let width = presets::all().iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    for (index, preset) in presets::all().iter().enumerate() {
        let default = if index == 0 { " (default)" } else { "" };
        writeln!(out, "{:width$}  {}{default}", preset.name, preset.summary)?;
    }
    Ok(out.flush()?)
}
