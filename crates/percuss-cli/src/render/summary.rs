//! Summary of a render, for the terminal.

use super::bows_and_fingers::{bow_and_finger_table, is_bow_or_finger};
use super::dc_block;
use super::level::{CEILING_DBTP, Level};
use super::render_loop::Ending;
use super::render_loop::RenderedScene;
use super::report::SoundStats;
use super::report::scheme_name;
use super::settings::RenderSettings;
use super::silence;
use crate::error::Result;
use crate::format::{four_digits, plural, si, table, trimmed_decimal, unit_in_label};
use crate::output::OutputFile;
use percuss::Scheme;
use percuss_scene::Scene;
use std::io::{self, Write};

/// Unit of the sound, if all outputs have the same unit.
pub fn output_unit(scene: &Scene) -> &str {
    let mut units = scene.outputs.iter().map(|output| unit_in_label(&output.label).unwrap_or("?"));
    let first = units.next().unwrap_or("");
    if units.all(|unit| unit == first) { first } else { "(mixed units)" }
}

/// Prints the summary.
pub fn print(
    scene: &Scene,
    settings: &RenderSettings,
    rendered: &RenderedScene,
    sound: &SoundStats,
    file: &OutputFile,
) -> Result<()> {
    let mut out = io::stdout().lock();
    let channels = plural(settings.channels as u64, "channel");
    let (bits, rate) = (settings.bit_depth.bits(), settings.rate);
    let (length, samples) =
        (trimmed_decimal(rendered.audio.seconds(settings.rate)), plural(rendered.audio.frames, "sample"));
    writeln!(out, "wrote   {}", file.given_path.display())?;
    writeln!(out, "length  {length} s, {samples} at {rate} Hz, {channels}, {bits} bits")?;
    let scheme = scheme_name(scene.model.scheme);
    writeln!(out, "physics {} at {} Hz, scheme {scheme}", plural(rendered.steps, "step"), settings.physics_rate())?;
    writeln!(out, "peak    {}", peak_text(scene, settings, rendered, sound))?;
    writeln!(out, "sound   {}", sound_text(settings, rendered))?;
    write_energy(&mut out, scene, rendered)?;
    for section in [contact_table(scene, rendered), bow_and_finger_table(scene, &rendered.ledger.interactions)]
        .into_iter()
        .flatten()
    {
        write!(out, "\n{section}")?;
    }
    if !scene.interaction_names.is_empty() {
        writeln!(out)?;
    }
    if scene.model.scheme == Scheme::Newton {
        let effort = &rendered.newton_effort;
        let (mean, unconverged) = (effort.mean_steps(), plural(effort.unconverged, "solve"));
        let max = effort.max_steps;
        writeln!(out, "newton  {mean:.2} iterations per solve, at most {max}; {unconverged} without convergence")?;
    }
    writeln!(out, "speed   {}× real time", four_digits(rendered.realtime_factor))?;
    Ok(out.flush()?)
}

fn peak_text(scene: &Scene, settings: &RenderSettings, rendered: &RenderedScene, sound: &SoundStats) -> String {
    if rendered.audio.peak == 0.0 {
        return "0: every sample is zero".into();
    }
    let peak = si(rendered.audio.peak, output_unit(scene));
    let level = &sound.level;
    let (Some(true_peak), gain) = (level.true_peak, level.gain_db()) else {
        return format!("{peak}, not normalised");
    };
    let reason = match (settings.level, level.loudness) {
        (Level::Peak(wanted), _) => format!("a peak of {wanted} dBFS"),
        (Level::Loudness(_), None) => format!("{CEILING_DBTP} dBTP, too short for a loudness"),
        // Equal to rounding where the loudness wanted was reached.
        (Level::Loudness(wanted), Some(found)) if (found - wanted).abs() < 1e-6 => format!("{wanted} LUFS"),
        (Level::Loudness(wanted), _) => format!("{CEILING_DBTP} dBTP, which comes before {wanted} LUFS"),
        (Level::Physical, _) => return format!("{peak}, not normalised"),
    };
    let loudness = level.loudness.map_or(String::new(), |loudness| format!("{loudness:.1} LUFS, "));
    format!("{peak}, normalised to {reason}, by {gain:+.1} dB: {loudness}true peak {true_peak:.1} dBTP")
}

/// What was done to the sound, and how it ends.
fn sound_text(settings: &RenderSettings, rendered: &RenderedScene) -> String {
    let low = if settings.dc_block {
        format!("high-passed at {} Hz", dc_block::CORNER)
    } else {
        "with all low frequencies".into()
    };
    let end = match (rendered.ending, settings.until_silent) {
        (Ending::Quiet, true) if rendered.audio.frames < settings.frames => {
            format!("ends when silent: {} dB for {} s", silence::LEVEL_DB, silence::HOLD)
        }
        (Ending::Quiet, _) => "ends quietly".into(),
        (Ending::Faded, false) => format!("still loud at the end: faded out in {} s", settings.fade),
        (Ending::Faded, true) => {
            format!("never silent within {} s: faded out in {} s", settings.seconds(), settings.fade)
        }
        (Ending::Cut, _) => "still loud at the end: cut".into(),
    };
    format!("{low}; {end}")
}

fn write_energy(out: &mut impl Write, scene: &Scene, rendered: &RenderedScene) -> io::Result<()> {
    let total = &rendered.ledger.total;
    let (initial, end) = (si(total.initial, "J"), si(total.stored, "J"));
    let (dissipated, supplied) = (si(total.dissipated, "J"), si(total.supplied, "J"));
    writeln!(out, "energy  {initial} at the start, {end} at the end, {dissipated} dissipated, {supplied} supplied")?;
    if total.touch_work != 0.0 {
        writeln!(out, "touches {} of work by changing touches", si(total.touch_work, "J"))?;
    }
    writeln!(out, "balance off by at most {:.1e} of the energy in any step", total.worst_relative)?;
    // Newton's potential is a mean over both ends of a step: up to half of it remains in a step whose midpoint is open.
    if total.worst_open_relative > 0.0 && scene.model.scheme != Scheme::Newton {
        writeln!(out, "open    contacts that are open store at most {:.1e} of the energy", total.worst_open_relative)?;
    }
    Ok(())
}

fn contact_table(scene: &Scene, rendered: &RenderedScene) -> Option<String> {
    let header = ["contact", "kind", "hits", "impulse", "peak force", "adhesive share"].map(String::from).to_vec();
    let ids = scene.interaction_names.iter().zip(scene.model.interactions()).zip(&rendered.ledger.interactions);
    let contacts = ids.filter(|((_, interaction), _)| !is_bow_or_finger(&interaction.law));
    let rows = contacts.map(|((id, interaction), account)| {
        vec![
            id.clone(),
            interaction.law.kind().into(),
            account.hits.to_string(),
            si(account.impulse, &format!("{}·s", interaction.law.force_unit())),
            si(account.peak_force, interaction.law.force_unit()),
            format!("{:.3} %", 100.0 * account.adhesive_share()),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| table(&std::iter::once(header).chain(rows).collect::<Vec<_>>()))
}
