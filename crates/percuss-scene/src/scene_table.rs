//! Reads `[scene]`: title, rate, length and how the sound is rendered.

use crate::limits::ValueLimits;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::{TableReader, as_number};
use percuss::Scheme;
use toml::de::DeValue;

const SCHEMES: [(&str, Scheme); 3] =
    [("plain", Scheme::Plain), ("tracked", Scheme::Tracked), ("newton", Scheme::Newton)];
const DURATION_LIMITS: ValueLimits = ValueLimits::new(1e-3, 3.6e5, "s");
/// Value of `duration` with which a scene is rendered until it is silent.
const UNTIL_SILENT: &str = "until silent";
/// Longest duration until silence, unless the scene states it or something is scheduled later \[s\].
const DEFAULT_MAX_DURATION: f64 = 30.0;
/// Least time for a sound to fall silent after the last scheduled event, unless the scene states a longest duration \[s\].
const TIME_AFTER_LAST_EVENT: f64 = 10.0;

/// How the sound of a scene is rendered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rendering {
    /// Whether the sound ends when it is silent; the duration of the scene is then the longest.
    pub until_silent: bool,
    /// Physics steps per sample, from 1.
    pub oversample: u32,
    /// Whether inaudibly low frequencies are removed.
    pub dc_block: bool,
    /// Fade-out of a sound that is still loud at its end \[s\]; 0 for none.
    pub fade: f64,
}

impl Default for Rendering {
    fn default() -> Self {
        Self { until_silent: false, oversample: 1, dc_block: true, fade: 0.05 }
    }
}

/// Reads the fields of `[scene]` into the builder; returns the title, if the table has one.
pub(crate) fn read(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<String> {
    let title = table.string("name").map(str::to_owned);
    builder.sample_rate = table.number_or("sample_rate", ValueLimits::new(1e3, 768e3, "Hz"), builder.sample_rate);
    read_duration(table, builder);
    builder.model.scheme = table.choice("scheme", &SCHEMES, Scheme::default());
    builder.model.portable = table.has("portable") && table.flag("portable");
    let defaults = Rendering::default();
    builder.rendering.oversample = read_oversample(table, defaults.oversample);
    builder.rendering.dc_block = if table.has("dc_block") { table.flag("dc_block") } else { defaults.dc_block };
    builder.rendering.fade = table.number_or("fade", ValueLimits::new(0.0, 10.0, "s"), defaults.fade);
    title
}

fn read_duration(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) {
    builder.rendering.until_silent = table.get("duration").and_then(DeValue::as_str) == Some(UNTIL_SILENT);
    if builder.rendering.until_silent {
        builder.duration = table.number_or("max_duration", DURATION_LIMITS, DEFAULT_MAX_DURATION);
        return;
    }
    match table.get("duration") {
        Some(value) if as_number(value).is_none() => {
            table.report_wrong_type("duration", value, &format!("a number or \"{UNTIL_SILENT}\""));
        }
        _ => builder.duration = table.number_or("duration", DURATION_LIMITS, builder.duration),
    }
    if table.has("max_duration") {
        let hint = Some(format!("write duration = \"{UNTIL_SILENT}\", or remove max_duration"));
        table.report("max_duration", "scene.max_duration is given, but the duration is fixed".to_owned(), hint);
    }
}

/// Longest duration of a scene that is rendered until silent, once all its events are known.
pub(crate) fn longest_duration(builder: &SceneBuilder<'_>, last_event: f64) -> f64 {
    if builder.rendering.until_silent && !builder.states("max_duration") {
        builder.duration.max(last_event + TIME_AFTER_LAST_EVENT)
    } else {
        builder.duration
    }
}

fn read_oversample(table: &TableReader<'_>, default: u32) -> u32 {
    let factor = table.number_or("oversample", ValueLimits::new(1.0, 64.0, ""), f64::from(default));
    if factor.fract() != 0.0 {
        let hint = Some("physics steps per sample, as in oversample = 4".to_owned());
        table.report("oversample", format!("scene.oversample is {factor}, must be a whole number"), hint);
    }
    factor as u32
}
