//! What is printed before and after a performance.

use super::args::PlayArgs;
use super::stage::Stage;
use crate::failure::Result;
use crate::format::si;
use percuss_live::Reading;
use std::io::{self, Write};

/// What is on stage and how to reach it.
pub fn opening(stage: &Stage) -> Result<()> {
    let mut out = io::stdout().lock();
    let osc = stage.osc.as_ref().map_or_else(|| "none".into(), |server| server.address.to_string());
    writeln!(out, "playing {} at {} Hz on {}", stage.title, stage.make.rate, stage.output.name)?;
    writeln!(out, "osc     {osc}")?;
    writeln!(out, "midi    {}", stage.midi)?;
    Ok(out.flush()?)
}

/// A share in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// What came in from outside.
#[derive(Clone, Copy, Debug, Default)]
pub struct Post {
    /// OSC messages that were obeyed.
    pub obeyed: u64,
    /// OSC packets that were not understood, named nothing or came too fast.
    pub refused: u64,
    /// Messages, from wherever, that were too many for the engine.
    pub lost: u64,
}

/// How it went.
pub fn closing(args: &PlayArgs, reading: &Reading, post: Post, xruns: u64, rate: f64) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "played  {:.1} s, {xruns} xruns", reading.samples as f64 / rate)?;
    if post.obeyed + post.refused > 0 {
        writeln!(out, "osc     {} messages obeyed, {} packets passed over", post.obeyed, post.refused)?;
    }
    writeln!(
        out,
        "load    {} mean, {} in 999 of 1000 buffers, {} worst",
        percent(reading.mean),
        percent(reading.percentile_99_9),
        percent(reading.worst)
    )?;
    if reading.has_account {
        let (stored, supplied, lost) = (reading.stored, reading.supplied, reading.dissipated);
        writeln!(out, "energy  {} held, {} supplied, {} lost", si(stored, "J"), si(supplied, "J"), si(lost, "J"))?;
        writeln!(out, "balance off by at most {:.1e} of the energy in any step", reading.residual)?;
    }
    if post.lost > 0 {
        writeln!(io::stderr(), "warning: {} messages came faster than they could be obeyed, and were lost", post.lost)?;
        writeln!(io::stderr(), "  hint: send fewer: a picture every 20 ms, numbers a few thousand times a second")?;
    }
    if reading.gaps > 0 {
        writeln!(io::stderr(), "warning: the disk was too slow: {} frames of the recording are missing", reading.gaps)?;
        writeln!(io::stderr(), "  hint: the session, if there is one, still replays all of them")?;
    }
    for path in args.record.iter().chain(&args.session) {
        writeln!(out, "wrote   {}", path.display())?;
    }
    Ok(out.flush()?)
}
