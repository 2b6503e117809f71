//! `percuss tune SCENE --body ID --ratios 1,4,10`: changes a body until its partials have these ratios.

use crate::args::TuneArgs;
use crate::error::{CliError, Result};
use crate::format::table;
use crate::loaded_scene::LoadedScene;
use crate::output::{OutputFile, refuse_overwrite};
use crate::tune::{TunedBody, distances, partials, tune, worst};
use percuss::{Element, Profile};
use percuss_scene::edit::{FieldChange, change_field};
use percuss_scene::{Scene, parse, presets};
use std::io::{self, Write};

/// Most ratios that are tuned at a time.
const MAX_RATIOS: usize = 12;

/// Tunes a body.
pub fn run(args: &TuneArgs, force: bool) -> Result<()> {
    check_ratios(&args.ratios)?;
    let target = args.output.as_ref().map(|path| OutputFile::new(path)).transpose()?;
    refuse_overwrite(&target.iter().collect::<Vec<_>>(), force)?;
    let loaded = LoadedScene::open(Some(&args.scene))?;
    let (text, file) = scene_text(&loaded)?;
    let element = body(&loaded.scene, &args.body)?;
    let tuned = tune(element, &args.ratios).ok_or_else(|| {
        CliError::with_hint(
            format!("the partials of \"{}\" are not known", args.body),
            "touches, grids and edges with full cells are left out; too large bodies have too many partials",
        )
    })?;
    let text = changed_text(&text, args, &tuned)?;
    let changed = parse(&text, &file).map_err(CliError::Scene)?;
    let element = body(&changed, &args.body)?;
    let found = partials(element, args.ratios.len()).unwrap_or_default();
    let cents = distances(&found, &args.ratios);
    let mut out = io::stdout().lock();
    write!(out, "{}", report(&args.ratios, &found, &cents))?;
    writeln!(out, "\n{} = {}", tuned.unknowns.field(), tuned.unknowns.toml())?;
    for tuning in changed.tunings.iter().filter(|tuning| tuning.element == args.body) {
        writeln!(out, "{} = {} {} for {}", tuning.field, tuning.value, tuning.unit, tuning.pitch)?;
    }
    if worst(&cents) > args.within {
        return Err(out_of_reach(&args.ratios, &found, &cents, args.within));
    }
    if let (Some(target), Some(path)) = (target, &args.output) {
        target.write(|file| file.write_all(text.as_bytes()))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(out.flush()?)
}

fn check_ratios(ratios: &[f64]) -> Result<()> {
    let usage = |message: String, hint: &str| Err(CliError::Usage { message, hint: hint.to_owned() });
    if !(2..=MAX_RATIOS).contains(&ratios.len()) {
        return usage(
            format!("--ratios has {} entries, must have 2 to {MAX_RATIOS}", ratios.len()),
            "a vibraphone bar has --ratios 1,4,10",
        );
    }
    let is_in_range = ratios.iter().all(|ratio| (1e-3..=1e3).contains(ratio));
    if !is_in_range || !ratios.is_sorted() {
        return usage(
            "--ratios must rise, from 0.001 to 1000".to_owned(),
            "one for each partial; two that should coincide have the same ratio",
        );
    }
    Ok(())
}

/// The text of a scene, and its name in messages.
fn scene_text(loaded: &LoadedScene) -> Result<(String, String)> {
    match &loaded.path {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| CliError::io("cannot be read", path, &error))?;
            Ok((text, path.display().to_string()))
        }
        None => Ok((
            presets::find(&loaded.name).map_or_else(String::new, |preset| preset.text.to_owned()),
            loaded.name.clone(),
        )),
    }
}

/// A bar, plate or membrane that can be tuned.
fn body<'a>(scene: &'a Scene, id: &str) -> Result<&'a Element> {
    let index = scene.element_names.iter().position(|name| name == id).ok_or_else(|| {
        CliError::with_hint(
            format!("the scene has no element \"{id}\""),
            format!("it has {}", scene.element_names.join(", ")),
        )
    })?;
    match &scene.model.elements()[index] {
        Element::Bar(bar) if matches!(bar.profile, Profile::Lines { .. }) => Err(CliError::with_hint(
            format!("\"{id}\" has a profile, which tuning would replace"),
            "remove profile: an undercut takes its place",
        )),
        element @ (Element::Bar(_) | Element::Plate(_)) => Ok(element),
        other => Err(CliError::with_hint(
            format!("\"{id}\" is a {}, whose partials have fixed ratios", other.kind()),
            "bars have undercuts, plates and membranes have patches that can be tuned",
        )),
    }
}

/// The scene with the body tuned.
fn changed_text(text: &str, args: &TuneArgs, tuned: &TunedBody) -> Result<String> {
    let change = |text: &str, field: &str, change: FieldChange| {
        change_field(text, &args.body, field, &change).ok_or_else(|| {
            CliError::with_hint(
                format!("the table of \"{}\" is not found in the scene", args.body),
                "give it an id and a table of its own, as in [[bar]]",
            )
        })
    };
    let mut text = change(text, tuned.unknowns.field(), FieldChange::Set(tuned.unknowns.toml()))?;
    if let Some(pitch) = &args.pitch {
        let value = if pitch.parse::<f64>().is_ok() { pitch.clone() } else { format!("{pitch:?}") };
        let dimension = if tuned.unknowns.field() == "undercut" { "length" } else { "tension" };
        text = change(&text, "pitch", FieldChange::Set(value))?;
        text = change(&text, dimension, FieldChange::Remove)?;
    }
    Ok(text)
}

fn report(ratios: &[f64], partials: &[f64], cents: &[f64]) -> String {
    let head = ["partial", "frequency", "asked", "reached", "off by"].map(String::from).to_vec();
    let row = |(index, ((ratio, partial), cents)): (usize, ((&f64, &f64), &f64))| {
        vec![
            format!("{}", index + 1),
            format!("{partial:.2} Hz"),
            format!("{:.4}", ratio / ratios[0]),
            format!("{:.4}", partial / partials[0]),
            format!("{cents:+.2} cents"),
        ]
    };
    let rows = ratios.iter().zip(partials).zip(cents).enumerate().map(row);
    table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn out_of_reach(ratios: &[f64], partials: &[f64], cents: &[f64], within: f64) -> CliError {
    let join = |values: &mut dyn Iterator<Item = f64>| {
        values.map(|value| format!("{}", (1e3 * value).round() / 1e3)).collect::<Vec<_>>().join(",")
    };
    let asked = join(&mut ratios.iter().copied());
    let nearest = join(&mut partials.iter().map(|partial| ratios[0] * partial / partials[0]));
    CliError::with_hint(
        format!(
            "--ratios {asked} cannot be met: the nearest is {nearest}, off by {:.1} cents, must be within {within} cents",
            worst(cents)
        ),
        format!("ask for --ratios {nearest} or for fewer, or accept it with --within {:.0}", worst(cents).ceil()),
    )
}
