//! `percuss render --session`: replays a recorded session with bit-identical samples.

use crate::error::{CliError, Result};
use crate::output::{OutputFile, refuse_overwrite};
use crate::progress::RenderProgress;
use percuss_live::Recording;
use percuss_live::session::{ReplayError, Session, replay};
use std::io::{self, Write};
use std::path::Path;

/// Replays a session into a sound file.
pub fn run(path: &Path, output: Option<&Path>, force: bool) -> Result<()> {
    let bytes = std::fs::read(path).map_err(|error| CliError::io("cannot be read", path, &error))?;
    let shown = path.display();
    let session = Session::parse(&bytes).map_err(|error| {
        CliError::with_hint(format!("{shown}: {error}"), "sessions are written by `percuss play --session`")
    })?;
    let beside = path.with_extension("wav");
    let target = OutputFile::new(output.unwrap_or(&beside))?;
    if target.is_same_file(path) {
        let message = format!("{}: is the session itself, must be another file", target.given_path.display());
        return Err(CliError::Usage { message, hint: "name another output with -o".into() });
    }
    refuse_overwrite(&[&target], force)?;
    let seconds = session.samples as f64 / session.sample_rate;
    if !session.is_complete {
        writeln!(io::stderr(), "note: {shown} has no end, as after a crash; what it has is replayed, {seconds:.2} s")?;
    }
    let mut progress = RenderProgress::new(seconds);
    target.write_by_path(|file| {
        let mut recording =
            Recording::create(file, session.sample_rate, session.channels).map_err(|error| error.to_string())?;
        let take = |frames: &[f32], share: f64| {
            progress.update(share * seconds);
            frames.iter().try_for_each(|&sample| recording.write(sample))
        };
        replay(&session, take).map_err(|error| explain(&error))?;
        recording.finish().map_err(|error| error.to_string())
    })?;
    progress.finish();
    let mut out = io::stdout().lock();
    let count = session.events.len();
    writeln!(out, "replayed {seconds:.2} s with {count} events at {} Hz", session.sample_rate)?;
    writeln!(out, "wrote   {}", target.given_path.display())?;
    Ok(out.flush()?)
}

fn explain(error: &ReplayError) -> String {
    match error {
        ReplayError::Scene(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}
