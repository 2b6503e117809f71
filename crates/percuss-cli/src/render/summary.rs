//! The closing words of a render, for people.

use super::engine::Outcome;
use super::hands::{hands, is_hand};
use super::plan::Plan;
use super::report::scheme_name;
use super::wav::{LEVEL, Written};
use crate::failure::Result;
use crate::format::{digits, plural, si, table, trimmed, unit_of};
use crate::output::Target;
use percuss::Scheme;
use percuss_scene::Scene;
use std::io::{self, Write};

/// The unit of the sound, where all that is heard has the same.
pub fn unit(scene: &Scene) -> &str {
    let mut units = scene.outputs.iter().map(|output| unit_of(&output.label).unwrap_or("?"));
    let first = units.next().unwrap_or("");
    if units.all(|unit| unit == first) { first } else { "(mixed units)" }
}

/// Prints the summary.
pub fn print(scene: &Scene, plan: &Plan, outcome: &Outcome, written: &Written, wav: &Target) -> Result<()> {
    let mut out = io::stdout().lock();
    let channels = plural(plan.channels as u64, "channel");
    let (bits, rate) = (plan.bits.count(), plan.rate);
    let (length, samples) = (trimmed(plan.seconds()), plural(plan.frames, "sample"));
    writeln!(out, "wrote   {}", wav.shown.display())?;
    writeln!(out, "length  {length} s, {samples} at {rate} Hz, {channels}, {bits} bits")?;
    let scheme = scheme_name(scene.model.scheme);
    writeln!(out, "physics {} at {} Hz, scheme {scheme}", plural(plan.steps(), "step"), plan.physics_rate())?;
    writeln!(out, "peak    {}", peak(scene, plan, outcome, written))?;
    energy(&mut out, scene, outcome)?;
    for section in [contacts(scene, outcome), hands(scene, &outcome.ledger.interactions)].into_iter().flatten() {
        write!(out, "\n{section}")?;
    }
    if !scene.interaction_names.is_empty() {
        writeln!(out)?;
    }
    if scene.model.scheme == Scheme::Newton {
        let effort = &outcome.effort;
        let (mean, unsettled) = (effort.mean_steps(), plural(effort.unsettled, "solve"));
        writeln!(out, "newton  {mean:.2} steps per solve, at most {}; {unsettled} unsettled", effort.most_steps)?;
    }
    writeln!(out, "speed   {}× real time", digits(outcome.realtime_factor))?;
    Ok(out.flush()?)
}

fn peak(scene: &Scene, plan: &Plan, outcome: &Outcome, written: &Written) -> String {
    if outcome.audio.peak == 0.0 {
        return "0: nothing was heard, every sample is zero".into();
    }
    let peak = si(outcome.audio.peak, unit(scene));
    if plan.normalise {
        format!("{peak}, brought to {LEVEL} dBFS by {:+.1} dB", written.gain_db())
    } else {
        format!("{peak}, written as it is")
    }
}

fn energy(out: &mut impl Write, scene: &Scene, outcome: &Outcome) -> io::Result<()> {
    let total = &outcome.ledger.total;
    let (initial, end) = (si(total.initial, "J"), si(total.stored, "J"));
    let (dissipated, supplied) = (si(total.dissipated, "J"), si(total.supplied, "J"));
    writeln!(out, "energy  {initial} at the start, {end} at the end, {dissipated} dissipated, {supplied} supplied")?;
    if total.touch_work != 0.0 {
        writeln!(out, "touched {} by changing touches", si(total.touch_work, "J"))?;
    }
    writeln!(out, "balance off by at most {:.1e} of the energy in any step", total.worst_relative)?;
    // Newton's potential is a mean over the ends of a step: half of it may lie in a step whose middle is open.
    if total.worst_open_relative > 0.0 && scene.model.scheme != Scheme::Newton {
        writeln!(out, "open    contacts that are open held at most {:.1e} of the energy", total.worst_open_relative)?;
    }
    Ok(())
}

fn contacts(scene: &Scene, outcome: &Outcome) -> Option<String> {
    let head = ["contact", "kind", "hits", "impulse", "peak force", "adhesive share"].map(String::from).to_vec();
    let ids = scene.interaction_names.iter().zip(scene.model.interactions()).zip(&outcome.ledger.interactions);
    let contacts = ids.filter(|((_, interaction), _)| !is_hand(&interaction.law));
    let rows = contacts.map(|((id, interaction), account)| {
        vec![
            id.clone(),
            interaction.law.kind().into(),
            account.hits.to_string(),
            si(account.impulse, "N·s"),
            si(account.peak_force, "N"),
            format!("{:.3} %", 100.0 * account.adhesive_share()),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(head).chain(rows).collect::<Vec<_>>()))
}
