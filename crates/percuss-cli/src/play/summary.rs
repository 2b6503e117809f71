//! Messages before and after a performance.

use super::args::PlayArgs;
use super::performance::LivePerformance;
use crate::error::Result;
use crate::format::si;
use percuss_live::MeterReading;
use std::io::{self, Write};

/// Prints scene, device and ports.
pub fn print_header(performance: &LivePerformance) -> Result<()> {
    let mut out = io::stdout().lock();
    let osc = performance.osc.as_ref().map_or_else(|| "none".into(), |server| server.address.to_string());
    writeln!(
        out,
        "playing {} at {} Hz on {}",
        performance.scene_name,
        performance.config.rate,
        performance.device_name()
    )?;
    writeln!(out, "osc     {osc}")?;
    writeln!(out, "midi    {}", performance.midi_status())?;
    Ok(out.flush()?)
}

/// A fraction in per cent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The energy account of a performance: the first three add up to the last two \[J\].
pub fn energy_account(reading: &MeterReading) -> [(&'static str, f64); 5] {
    [
        ("at start", reading.initial),
        ("players", reading.supplied),
        ("touches", reading.touch_work),
        ("stored", reading.stored),
        ("lost", reading.dissipated),
    ]
}

/// Counts of OSC and other control messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct MessageCounts {
    /// OSC messages that were applied.
    pub applied: u64,
    /// OSC packets that were malformed, had no target or came too fast.
    pub rejected: u64,
    /// Messages of any origin that did not fit into the engine's queue.
    pub dropped: u64,
}

/// Prints duration, load, energy and files.
pub fn print_summary(
    args: &PlayArgs,
    reading: &MeterReading,
    messages: MessageCounts,
    xruns: u64,
    rate: f64,
) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "played  {:.1} s, {xruns} xruns", reading.samples as f64 / rate)?;
    if messages.applied + messages.rejected > 0 {
        writeln!(out, "osc     {} messages applied, {} packets rejected", messages.applied, messages.rejected)?;
    }
    writeln!(
        out,
        "load    {} mean, {} in 999 of 1000 buffers, {} worst",
        percent(reading.mean_load),
        percent(reading.load_percentile_99_9),
        percent(reading.max_load)
    )?;
    if reading.has_ledger {
        let [initial, supplied, touches, stored, lost] =
            energy_account(reading).map(|(name, energy)| format!("{} {name}", si(energy, "J")));
        writeln!(out, "energy  {initial} + {supplied} + {touches} = {stored} + {lost}")?;
        writeln!(out, "balance off by at most {:.1e} of the energy in any step", reading.worst_residual)?;
    }
    if messages.dropped > 0 {
        writeln!(io::stderr(), "warning: {} messages came too fast for the engine and were dropped", messages.dropped)?;
        writeln!(io::stderr(), "  hint: send at most an image every 20 ms, and a few thousand numbers per second")?;
    }
    if reading.dropped_frames > 0 {
        writeln!(
            io::stderr(),
            "warning: the disk was too slow: {} frames of the recording are missing",
            reading.dropped_frames
        )?;
        writeln!(io::stderr(), "  hint: a session file, if recorded, still replays all of them")?;
    }
    for path in args.record.iter().chain(&args.session) {
        writeln!(out, "wrote   {}", path.display())?;
    }
    Ok(out.flush()?)
}
