//! The card of a set: what it is, for people, and for the Hugging Face Hub, which reads the lines at its top.

use crate::distribution::Distribution;
use crate::recipe::{Audio, Format, Invalid, Recipe};
use crate::set::ShardRecord;
use crate::table::column_name;
use std::fmt::Write;

/// The card as Markdown.
pub fn text(recipe: &Recipe, records: &[ShardRecord]) -> String {
    let sum = |value: fn(&ShardRecord) -> u64| records.iter().map(value).sum::<u64>();
    let (clips, bytes) = (sum(|record| record.clips), sum(|record| record.bytes));
    let extension = if recipe.format == Format::Parquet { "parquet" } else { "tar" };
    let mut card = format!(
        "---\npretty_name: {}\ntags:\n- audio\n- physical-modelling\nconfigs:\n- config_name: default\n  data_files:\n  \
         - split: train\n    path: data/*.{extension}\n---\n\n# {0}\n\n",
        recipe.name
    );
    let (duration, rate, shards) = (recipe.duration, recipe.rate, records.len());
    // Writing to a string does not fail.
    let _ = writeln!(
        card,
        "{clips} clips of {duration} s at {rate} Hz, in {shards} shards of {:.1} MB in all, made by percuss {} from `recipe.toml` and \
         `scene.toml`. The same recipe gives the same bytes again {}: `SHA256SUMS` has their checksums.\n",
        bytes as f64 / 1e6,
        env!("CARGO_PKG_VERSION"),
        if recipe.portable {
            "on processors with the same elementary functions"
        } else {
            "on the same kind of processor"
        },
    );
    let _ = match recipe.invalid {
        Invalid::Replace => {
            writeln!(card, "{} draws could not be simulated and were replaced.\n", sum(|record| record.replaced))
        }
        Invalid::Skip => {
            writeln!(card, "{} clips could not be simulated and were left out.\n", sum(|record| record.skipped))
        }
        Invalid::Refuse => writeln!(card, "All draws could be simulated.\n"),
    };
    card += "## Columns\n\n| column | what it is |\n|---|---|\n| clip | number of the clip |\n";
    for variation in &recipe.variations {
        let drawn = describe(&variation.distribution);
        let _ = writeln!(
            card,
            "| {} | `{}` of the scene, in its unit: {drawn} |",
            column_name(&variation.path),
            variation.path
        );
    }
    let mut row = |column: &str, what: &str| card += &format!("| {column} | {what} |\n");
    let keep = &recipe.keep;
    match keep.audio {
        Audio::Flac => {
            row("audio", "24-bit FLAC, scaled to full scale");
            row("audio_scale", "what a sample of 1 is, in the unit of the pickups");
        }
        Audio::Wav => row("audio", "32-bit float WAV, in the unit of the pickups"),
        Audio::None => {}
    }
    for name in &keep.hits {
        row(&column_name(&format!("{name}.hits")), "times at which the force began to act [s]");
    }
    for name in &keep.partials {
        row(
            &column_name(&format!("{name}.partials")),
            "frequencies of the element by itself [Hz]; empty where they are not known",
        );
    }
    for name in &keep.forces {
        row(&column_name(&format!("{name}.force")), "force [N], from its first sample that is not 0 to its last");
        row(&column_name(&format!("{name}.force_start")), "sample of the clip at which the force starts");
    }
    if keep.energy {
        row(
            "energy_initial, energy_supplied, energy_dissipated",
            "energy at the start, supplied and dissipated by the end [J]",
        );
        row("energy_stored", "energy stored after every 64th sample [J]");
    }
    card
}

fn describe(distribution: &Distribution) -> String {
    match distribution {
        Distribution::Uniform([least, most]) => format!("uniform from {least:?} to {most:?}"),
        Distribution::LogUniform([least, most]) => format!("log-uniform from {least:?} to {most:?}"),
        Distribution::Normal { mean, deviation } => format!("normal, mean {mean:?}, standard deviation {deviation:?}"),
        Distribution::Integer([least, most]) => format!("whole numbers from {least} to {most}"),
        Distribution::Choice(values) => {
            let values: Vec<String> = values.iter().map(|value| value.to_toml()).collect();
            format!("one of {}", values.join(", "))
        }
    }
}
