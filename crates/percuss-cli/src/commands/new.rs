//! `percuss new FILE`: a scene of one's own, as a copy of a preset.

use crate::args::NewArgs;
use crate::failure::{Failure, Result};
use crate::output::Target;
use crate::source;
use std::io::{self, Write};

/// Writes a copy of a preset.
pub fn run(args: &NewArgs) -> Result<()> {
    let preset = match &args.from {
        Some(name) => source::preset(name)?,
        None => source::default_preset(),
    };
    let target = Target::new(&args.file)?;
    if target.exists() && !args.force {
        return Err(Failure::hinted(
            format!("{}: exists already", args.file.display()),
            "--force overwrites it; or name another file",
        ));
    }
    target.write(|file| file.write_all(preset.text.as_bytes()))?;
    let file = args.file.display();
    writeln!(io::stdout(), "wrote {file}, a copy of `{}`\nnext: percuss render {file}", preset.name)?;
    Ok(())
}
