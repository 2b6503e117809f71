//! `percuss new FILE`: writes a scene file as a copy of a preset.

use crate::args::NewArgs;
use crate::error::Result;
use crate::loaded_scene;
use crate::output::{OutputFile, refuse_overwrite};
use std::io::{self, Write};

/// Writes a copy of a preset.
pub fn run(args: &NewArgs, force: bool) -> Result<()> {
    let preset = match &args.from {
        Some(name) => loaded_scene::preset(name)?,
        None => loaded_scene::default_preset(),
    };
    let target = OutputFile::new(&args.file)?;
    refuse_overwrite(&[&target], force)?;
    target.write(|file| file.write_all(preset.text.as_bytes()))?;
    let file = args.file.display();
    writeln!(io::stdout(), "wrote {file}, a copy of `{}`\nnext: percuss render {file}", preset.name)?;
    Ok(())
}
