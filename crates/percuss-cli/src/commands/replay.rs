//! `percuss render --session`: a session again, to the last bit.

use crate::failure::{Failure, Result};
use crate::output::{Target, confirm_overwriting};
use crate::render::progress::Progress;
use percuss_live::Recording;
use percuss_live::session::{ReplayError, Session, replay};
use std::io::{self, Write};
use std::path::Path;

/// Replays a session into a sound file.
pub fn run(path: &Path, output: Option<&Path>) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::file("cannot be read", path, &error))?;
    let shown = path.display();
    let session = Session::parse(&text).map_err(|error| {
        Failure::hinted(format!("{shown}: {error}"), "sessions are written by `percuss play --session`")
    })?;
    let beside = path.with_extension("wav");
    let target = Target::new(output.unwrap_or(&beside))?;
    if target.is(path) {
        let message = format!("{}: is the session itself, must be another file", target.shown.display());
        return Err(Failure::Usage { message, hint: "name another output with -o".into() });
    }
    confirm_overwriting(&[&target])?;
    let seconds = session.samples as f64 / session.rate;
    let mut progress = Progress::new(seconds);
    target.write_at(|file| {
        let mut recording =
            Recording::create(file, session.rate, session.channels).map_err(|error| error.to_string())?;
        let take = |frames: &[f32], share: f64| {
            progress.at(share * seconds);
            frames.iter().try_for_each(|&sample| recording.write(sample))
        };
        replay(&session, take).map_err(|error| explain(&error))?;
        recording.finish().map_err(|error| error.to_string())
    })?;
    progress.finish();
    let mut out = io::stdout().lock();
    let count = session.events.len();
    writeln!(out, "replayed {seconds:.2} s with {count} events at {} Hz", session.rate)?;
    writeln!(out, "wrote   {}", target.shown.display())?;
    Ok(out.flush()?)
}

fn explain(error: &ReplayError) -> String {
    match error {
        ReplayError::Scene(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}
