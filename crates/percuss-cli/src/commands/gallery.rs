//! `percuss gallery -o DIR`: renders presets, with a page to listen and look.
//!
//! Every preset is rendered by a `percuss render` of its own, as many at once as there are cores: its messages stay apart, and its
//! memory is given back when it ends.

use crate::args::GalleryArgs;
use crate::error::{CliError, Result};
use crate::gallery;
use crate::loaded_scene;
use crate::output::{OutputFile, OutputFolder};
use crate::progress::TaskProgress;
use percuss_scene::presets::{self, Preset};
use rayon::prelude::*;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Renders presets and writes the page.
pub fn run(args: &GalleryArgs) -> Result<()> {
    let chosen: Vec<&'static Preset> = match args.presets.as_slice() {
        [] => presets::all().iter().collect(),
        names => names.iter().map(|name| loaded_scene::preset(name)).collect::<Result<_>>()?,
    };
    let folder = new_folder(&args.output)?;
    let index = OutputFile::new(&folder.path.join("index.html"))?;
    let progress = TaskProgress::new(chosen.len());
    chosen.par_iter().try_for_each(|preset| {
        progress.run_task(format!("rendering {}", preset.name), || render(preset, &folder.path))
    })?;
    drop(progress);
    index.write(|file| file.write_all(gallery::page(&chosen).as_bytes()))?;
    writeln!(
        io::stdout(),
        "wrote {}, {} presets\nnext: open it in a browser",
        index.given_path.display(),
        chosen.len()
    )?;
    Ok(())
}

/// A folder without files in it, so that none is overwritten.
fn new_folder(path: &Path) -> Result<OutputFolder> {
    let folder = OutputFolder::new(path, true)?;
    let mut files = path.read_dir().map_err(|error| CliError::io("cannot be read", path, &error))?;
    if files.next().is_some() {
        return Err(CliError::with_hint(
            format!("{}: has files in it, must be empty or new", path.display()),
            "name another folder",
        ));
    }
    Ok(folder)
}

/// Renders the sound and the pictures of a preset.
fn render(preset: &Preset, folder: &Path) -> Result<()> {
    let failed = |error: io::Error| CliError::io("cannot be run", Path::new("percuss"), &error);
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.args(["render", preset.name, "--bits", "16", "-o"]).arg(folder.join(gallery::sound_name(preset)));
    command.arg("--plots").arg(folder.join(gallery::picture_folder(preset)));
    let output = command.stdin(Stdio::null()).output().map_err(failed)?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(CliError::with_hint(
        format!("{} cannot be rendered: {}", preset.name, messages.trim()),
        format!("`percuss render {}` shows all messages", preset.name),
    ))
}
