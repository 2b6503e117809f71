//! `percuss list`: lists the presets, one line each, with how they are played live.

use crate::error::Result;
use percuss_scene::presets::{self, Keys};
use std::io::{self, Write};

/// Lists the presets.
pub fn run() -> Result<()> {
    let width = presets::all().iter().map(|preset| preset.name.len()).max().unwrap_or(0);
    let mut out = io::stdout().lock();
    for (index, preset) in presets::all().iter().enumerate() {
        let default = if index == 0 { " (default)" } else { "" };
        let played = match preset.keys() {
            Some(Keys::Pitched(lowest, highest)) => format!(" [keys {lowest}–{highest}, MPE]"),
            Some(Keys::Surface) => " [surface]".to_owned(),
            None => String::new(),
        };
        writeln!(out, "{:width$}  {}{played}{default}", preset.name, preset.summary)?;
    }
    Ok(out.flush()?)
}
