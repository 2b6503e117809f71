//! Reads the file of a recipe.

use super::template::Template;
use super::{Format, Invalid, Keep, Recipe, Variation};
use crate::distribution::{Distribution, Value};
use crate::error::{DataError, Result};
use crate::table::table;
use percuss_scene::{Diagnostic, closest_match, edit, presets};
use serde::Deserialize;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// Most clips of a recipe.
const MAX_CLIPS: u64 = 1 << 40;
const DEFAULT_CLIPS_PER_SHARD: u64 = 500;
/// Most clips of a shard: it is held in memory.
const MAX_CLIPS_PER_SHARD: u64 = 100_000;
/// Longest clip \[s\].
const MAX_DURATION: f64 = 600.0;
/// Sample rates \[Hz\]: FLAC has up to 655350.
const RATES: [f64; 2] = [1000.0, 655_350.0];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecipeFile {
    name: Spanned<String>,
    scene: Option<Spanned<String>>,
    preset: Option<Spanned<String>>,
    seed: u64,
    clips: Spanned<u64>,
    clips_per_shard: Option<Spanned<u64>>,
    duration: Option<Spanned<f64>>,
    rate: Option<Spanned<f64>>,
    #[serde(default)]
    portable: bool,
    #[serde(default)]
    invalid: Invalid,
    #[serde(default)]
    format: Format,
    #[serde(default)]
    keep: Keep,
    #[serde(default)]
    vary: Vec<Spanned<VariationTable>>,
}

/// Exactly one of the distributions is given.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariationTable {
    path: Spanned<String>,
    uniform: Option<[f64; 2]>,
    log_uniform: Option<[f64; 2]>,
    normal: Option<[f64; 2]>,
    integer: Option<[i64; 2]>,
    choice: Option<Vec<ChoiceValue>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ChoiceValue {
    Integer(i64),
    Number(f64),
    Text(String),
}

impl From<ChoiceValue> for Value {
    fn from(value: ChoiceValue) -> Self {
        match value {
            ChoiceValue::Integer(number) => Self::Integer(number),
            ChoiceValue::Number(number) => Self::Number(number),
            ChoiceValue::Text(text) => Self::Text(text),
        }
    }
}

impl VariationTable {
    /// The distributions that are given.
    fn distributions(self) -> Vec<Distribution> {
        let choice = self.choice.map(|values| Distribution::Choice(values.into_iter().map(Value::from).collect()));
        let given = [
            self.uniform.map(Distribution::Uniform),
            self.log_uniform.map(Distribution::LogUniform),
            self.normal.map(|[mean, deviation]| Distribution::Normal { mean, deviation }),
            self.integer.map(Distribution::Integer),
            choice,
        ];
        given.into_iter().flatten().collect()
    }
}

/// The errors of a recipe file.
struct Faults<'a> {
    file: &'a str,
    text: &'a str,
    found: Vec<Diagnostic>,
}

impl Faults<'_> {
    fn add(&mut self, span: Option<Range<usize>>, message: impl Into<String>, hint: impl Into<String>) {
        let start = span.map(|span| span.start);
        self.found.push(Diagnostic::error_at(self.file, self.text, start, message.into(), hint.into()));
    }

    fn check(&mut self, holds: bool, span: Range<usize>, message: impl Into<String>, hint: &str) {
        if !holds {
            self.add(Some(span), message, hint);
        }
    }
}

/// Reads a recipe; what it names in the scene is checked by `check_scene`.
pub fn read(text: &str, file: &str) -> Result<Recipe> {
    let mut faults = Faults { file, text, found: Vec::new() };
    let table: RecipeFile = match toml::from_str(text) {
        Ok(table) => table,
        Err(error) => {
            faults.add(error.span(), error.message().trim(), "docs/datasets.md lists the fields of a recipe");
            return Err(DataError::Recipe(faults.found));
        }
    };
    let name = table.name.get_ref();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    let hint = "use letters, digits, - and _: it names the set and its clips";
    faults.check(is_name, table.name.span(), format!("name is \"{name}\", must be a plain name"), hint);
    let clips = check_count(&mut faults, "clips", &table.clips, MAX_CLIPS);
    let clips_per_shard = table.clips_per_shard.map_or(DEFAULT_CLIPS_PER_SHARD, |count| {
        check_count(&mut faults, "clips_per_shard", &count, MAX_CLIPS_PER_SHARD)
    });
    let Some((scene_file, scene_text)) = read_scene(&mut faults, table.scene.as_ref(), table.preset.as_ref()) else {
        return Err(DataError::Recipe(faults.found));
    };
    let scene = percuss_scene::parse(&scene_text, &scene_file).map_err(DataError::Recipe)?;
    let duration = table.duration.as_ref().map_or(scene.duration, |duration| *duration.get_ref());
    let rate = table.rate.as_ref().map_or(scene.sample_rate, |rate| *rate.get_ref());
    let place = table.duration.map_or(0..0, |duration| duration.span());
    let message =
        format!("duration is {duration} s, must be above 0 and at most {MAX_DURATION} s, and a sample or more");
    let is_length = duration > 0.0 && duration <= MAX_DURATION && duration * rate >= 1.0;
    faults.check(is_length, place, message, "durations are in seconds");
    let place = table.rate.map_or(0..0, |rate| rate.span());
    let message = format!("rate is {rate} Hz, must be a whole number of Hz from {} to {}", RATES[0], RATES[1]);
    faults.check(rate.fract() == 0.0 && (RATES[0]..=RATES[1]).contains(&rate), place, message, "rates are in hertz");
    if scene.rendering.oversample > 1 {
        let message = format!("the scene has oversample = {}, sets are not decimated", scene.rendering.oversample);
        faults.add(None, message, "remove it from the scene, and set the recipe's rate to that of the physics");
    }
    let (variations, spans) = read_variations(&mut faults, table.vary, &scene_text);
    if !faults.found.is_empty() {
        return Err(DataError::Recipe(faults.found));
    }
    Ok(Recipe {
        name: table.name.into_inner(),
        seed: table.seed,
        clips,
        clips_per_shard,
        duration,
        rate: rate as u32,
        portable: table.portable,
        invalid: table.invalid,
        format: table.format,
        keep: table.keep,
        variations,
        file: file.to_owned(),
        text: text.to_owned(),
        template: Template::new(scene_file, &scene_text, &spans),
        scene_text,
    })
}

fn check_count(faults: &mut Faults<'_>, field: &str, count: &Spanned<u64>, most: u64) -> u64 {
    let found = *count.get_ref();
    let message = format!("{field} is {found}, must be from 1 to {most}");
    faults.check((1..=most).contains(&found), count.span(), message, "make it smaller, or several sets");
    found
}

/// Name and text of the scene.
fn read_scene(
    faults: &mut Faults<'_>,
    scene: Option<&Spanned<String>>,
    preset: Option<&Spanned<String>>,
) -> Option<(String, String)> {
    match (scene, preset) {
        (Some(scene), None) => {
            let path = Path::new(faults.file).parent().unwrap_or(Path::new("")).join(scene.get_ref());
            match std::fs::read_to_string(&path) {
                Ok(text) => return Some((path.display().to_string(), text)),
                Err(error) => {
                    let message = format!("scene {} cannot be read: {error}", path.display());
                    faults.add(Some(scene.span()), message, "the path is relative to the folder of the recipe");
                }
            }
        }
        (None, Some(preset)) => {
            let name = preset.get_ref();
            if let Some(preset) = presets::find(name) {
                return Some((preset.name.into(), preset.text.into()));
            }
            let nearest = closest_match(name, presets::all().iter().map(|preset| preset.name));
            let hint =
                nearest.map_or_else(|| "`percuss list` shows all".into(), |name| format!("did you mean \"{name}\"?"));
            faults.add(Some(preset.span()), format!("there is no preset \"{name}\""), hint);
        }
        _ => faults.add(None, "a recipe has either a scene or a preset", "add scene = \"my-scene.toml\""),
    }
    None
}

/// The variations and where they are in the scene.
fn read_variations(
    faults: &mut Faults<'_>,
    tables: Vec<Spanned<VariationTable>>,
    scene: &str,
) -> (Vec<Variation>, Vec<Range<usize>>) {
    let places = edit::values(scene);
    let (mut variations, mut spans): (Vec<Variation>, Vec<Range<usize>>) = Default::default();
    for table in tables {
        let table_span = table.span();
        let table = table.into_inner();
        let (path, path_span) = (table.path.get_ref().clone(), table.path.span());
        let mut distributions = table.distributions();
        let found = places.iter().find(|(name, _)| *name == path).map(|(_, span)| span.clone());
        match found {
            None => {
                let nearest = closest_match(&path, places.iter().map(|(name, _)| name.as_str()));
                let hint = nearest.map_or_else(
                    || "write the value in the scene: a recipe varies what is written there".to_owned(),
                    |nearest| format!("did you mean \"{nearest}\"? Only what is written in the scene can vary"),
                );
                faults.add(Some(path_span), format!("the scene has no value {path}"), hint);
            }
            Some(span) if spans.contains(&span) => {
                faults.add(Some(path_span), format!("{path} varies twice"), "remove one of the [[vary]]");
            }
            Some(_) if distributions.len() != 1 => {
                let message = format!("{path} has {} distributions, must have one", distributions.len());
                faults.add(
                    Some(table_span),
                    message,
                    "add uniform = [MIN, MAX], log_uniform, normal, integer or choice",
                );
            }
            Some(span) => {
                let distribution = distributions.remove(0);
                if let Some(fault) = distribution.fault() {
                    faults.add(
                        Some(path_span),
                        format!("the distribution of {path} {fault}"),
                        "docs/datasets.md has examples",
                    );
                }
                variations.push(Variation { path, distribution });
                spans.push(span);
            }
        }
    }
    (variations, spans)
}

impl Recipe {
    /// Checks what the recipe keeps against the ids of the scene.
    pub(super) fn check_scene(&self, text: &str, file: &str) -> Result<()> {
        let scene = percuss_scene::parse(&self.scene_text, &self.template.file).map_err(DataError::Recipe)?;
        let mut faults = Faults { file, text, found: Vec::new() };
        let lists = [
            ("forces", &self.keep.forces, &scene.interaction_names, "interaction"),
            ("hits", &self.keep.hits, &scene.interaction_names, "interaction"),
            ("partials", &self.keep.partials, &scene.element_names, "element"),
        ];
        for (field, kept, known, kind) in lists {
            for name in kept.iter().filter(|name| !known.contains(name)) {
                let nearest = closest_match(name, known.iter().map(String::as_str));
                let hint = nearest
                    .map_or_else(|| format!("known: {}", known.join(", ")), |name| format!("did you mean \"{name}\"?"));
                faults.add(None, format!("keep.{field} names \"{name}\", but no {kind} has this id"), hint);
            }
        }
        let mut names: Vec<String> =
            table(self, Vec::new()).into_iter().map(|(name, _)| name).filter(|name| !name.is_empty()).collect();
        names.sort();
        for pair in names.windows(2).filter(|pair| pair[0] == pair[1]) {
            faults.add(None, format!("two columns would be called {}", pair[0]), "rename an id in the scene");
        }
        if self.keep.audio != super::Audio::None && scene.outputs.is_empty() {
            faults.add(
                None,
                "audio is kept, but the scene has no pickup",
                "add a [[pickup]], or set keep.audio = \"none\"",
            );
        }
        if faults.found.is_empty() { Ok(()) } else { Err(DataError::Recipe(faults.found)) }
    }
}
