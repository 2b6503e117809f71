//! Builds a scene from the parsed file: elements first, then the tables that refer to them.

use crate::diagnostic::{Diagnostic, Severity, SourceText, closest_match};
use crate::instrument::{self, Keyboard, Mapping};
use crate::limits::format_number;
use crate::midi::MidiFile;
use crate::scene_table::{self, Rendering};
use crate::score::{self, Score};
use crate::table_reader::{Diagnostics, TableLocation, TableReader, with_article};
use crate::{
    Output, Probe, Scene, SceneLocations, Tuning, elements, exciters, interactions, pickups, plates, renamed, schedule,
    strikes_and_plucks,
};
use percuss::{Element, ElementId, ExciterId, InteractionId, Model};
use std::cell::Cell;
use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads one table into the builder.
type ReadTable = fn(&TableReader<'_>, &mut SceneBuilder<'_>) -> Option<()>;

const EXCITER_TABLES: [(&str, ReadTable); 3] =
    [("pulse", exciters::read_pulse), ("pluck", strikes_and_plucks::read_pluck), ("drive", exciters::read_drive)];
const TOUCH_TABLES: [(&str, ReadTable); 1] = [("touch", plates::read_touch)];
const PICKUP_TABLES: [(&str, ReadTable); 2] = [("pickup", pickups::read_pickup), ("probe", pickups::read_probe)];

/// A scene under construction.
pub(crate) struct SceneBuilder<'a> {
    source: &'a SourceText,
    errors: &'a Diagnostics,
    /// Folder of the scene file; paths in the scene are relative to it.
    pub folder: &'a Path,
    pub sample_rate: f64,
    pub duration: f64,
    pub rendering: Rendering,
    pub model: Model,
    /// Ids in the file and in the model, in the order of the model.
    pub elements: Vec<(String, ElementId)>,
    pub interactions: Vec<(String, InteractionId)>,
    /// The same by id.
    pub ids: HashMap<String, Named>,
    /// Names of the points of every modal resonator, in the order of the file.
    pub modal_point_names: Vec<Vec<String>>,
    /// Index into `modal_point_names` for every element of the model.
    pub modal_index: Vec<Option<usize>>,
    pub outputs: Vec<Output>,
    pub probes: Vec<Probe>,
    pub score: Option<Score>,
    /// Replaces the notes of the score.
    midi_file: Option<&'a MidiFile>,
    pub mappings: Vec<Mapping>,
    pub polyphony: usize,
    pub keyboard: Option<Keyboard>,
    /// Strikes and plucks that are done live only, by their ids.
    pub gestures: Vec<(String, ExciterId)>,
    /// Whether it is read to be played live.
    is_live: bool,
    /// Whether a table is for rendering or for playing only.
    has_variants: Cell<bool>,
    pub tunings: Vec<Tuning>,
    warnings: Vec<Diagnostic>,
    /// Until when it may take its time, where it is read for a short run.
    pub deadline: Option<Instant>,
    /// Elements for whose pitch there was no time.
    pub untuned: Vec<String>,
    /// Number of `[[roll]]` tables.
    pub roll_count: usize,
    pub surfaces_until: f64,
    pub locations: SceneLocations,
}

/// What an id names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Named {
    Element(ElementId),
    Interaction(InteractionId),
}

/// Time that a scene may take that is read for a short run.
const SHORT_RUN_TIME: Duration = Duration::from_millis(250);

/// What a scene is read for, and with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Purpose<'a> {
    pub midi_file: Option<&'a MidiFile>,
    pub is_for_short_run: bool,
    /// Whether it is to be played live.
    pub is_live: bool,
}

/// Builds the scene, and what it is live where that differs, or returns all errors.
pub(crate) fn build(
    source: &SourceText,
    root: &DeTable<'_>,
    folder: &Path,
    purpose: Purpose<'_>,
) -> Result<Scene, Vec<Diagnostic>> {
    let (mut scene, has_variants) = build_variant(source, root, folder, purpose)?;
    if has_variants && !purpose.is_for_short_run {
        let (live, _) = build_variant(source, root, folder, Purpose { is_live: true, midi_file: None, ..purpose })?;
        scene.live = Some(Box::new(live));
    }
    Ok(scene)
}

/// Builds the scene as it is rendered or as it is live; returns whether it has tables that are for one of both only.
fn build_variant(
    source: &SourceText,
    root: &DeTable<'_>,
    folder: &Path,
    purpose: Purpose<'_>,
) -> Result<(Scene, bool), Vec<Diagnostic>> {
    let errors = Diagnostics::default();
    let mut builder = SceneBuilder::new(source, &errors, folder, purpose);
    builder.roll_count = root.get("roll").and_then(|tables| tables.get_ref().as_array()).map_or(1, |rolls| rolls.len());
    builder.report_unknown_tables(root);
    let title = builder.read_scene_table(root);
    builder.read_elements(root);
    score::read(root, &mut builder);
    if let Some(midi_file) = purpose.midi_file {
        score::replace_notes(midi_file, &mut builder);
    }
    builder.read_interactions(root);
    score::report_missing_ids(&mut builder);
    for (kind, read) in TOUCH_TABLES {
        builder.read_tables(root, kind, read, |_, _| {});
    }
    for (kind, read) in EXCITER_TABLES {
        builder.read_tables(root, kind, read, |locations, location| locations.exciters.push(location));
    }
    for (kind, read) in PICKUP_TABLES {
        builder.read_tables(root, kind, read, |locations, location| locations.pickups.push(location));
    }
    let has_variants = builder.has_variants.get();
    // Mappings may name what is there live only.
    if builder.is_live || !has_variants {
        instrument::read(root, &mut builder);
    }
    Ok((builder.finish(title)?, has_variants))
}

impl<'a> SceneBuilder<'a> {
    fn new(source: &'a SourceText, errors: &'a Diagnostics, folder: &'a Path, purpose: Purpose<'a>) -> Self {
        Self {
            source,
            errors,
            folder,
            sample_rate: 44_100.0,
            duration: 2.0,
            rendering: Rendering::default(),
            model: Model::new(),
            elements: Vec::new(),
            interactions: Vec::new(),
            ids: HashMap::new(),
            modal_point_names: Vec::new(),
            modal_index: Vec::new(),
            outputs: Vec::new(),
            probes: Vec::new(),
            score: None,
            midi_file: purpose.midi_file,
            mappings: Vec::new(),
            polyphony: 1,
            keyboard: None,
            gestures: Vec::new(),
            is_live: purpose.is_live,
            has_variants: Cell::new(false),
            tunings: Vec::new(),
            warnings: Vec::new(),
            deadline: purpose.is_for_short_run.then(|| Instant::now() + SHORT_RUN_TIME),
            untuned: Vec::new(),
            roll_count: 1,
            surfaces_until: f64::INFINITY,
            locations: SceneLocations::default(),
        }
    }

    /// Whether there is no time left for what can be left out.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    fn report(&self, diagnostic: Diagnostic) {
        self.errors.borrow_mut().push(diagnostic);
    }

    /// Adds a warning at a field.
    pub fn warn(&mut self, table: &TableReader<'_>, field: &str, message: &str, hint: &str) {
        let mut warning = self.source.error(None, message).hint(hint);
        warning.severity = Severity::Warning;
        warning.location = table.location().field(field);
        self.warnings.push(warning);
    }

    /// Adds an error or a warning at the location of a table or field that was read before.
    pub fn report_at(&mut self, severity: Severity, location: Option<(usize, usize)>, message: String, hint: &str) {
        let mut diagnostic = self.source.error(None, message).hint(hint);
        (diagnostic.severity, diagnostic.location) = (severity, location);
        match severity {
            Severity::Error => self.report(diagnostic),
            Severity::Warning => self.warnings.push(diagnostic),
        }
    }

    /// Adds a warning about the MIDI file, once.
    pub fn warn_about_midi_file(&mut self, message: String, hint: &str) {
        let file = self.midi_file.map_or_else(String::new, |midi_file| midi_file.name.clone());
        let (severity, hint) = (Severity::Warning, Some(hint.to_owned()));
        let warning = Diagnostic { severity, file, location: None, message, hint };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn report_unknown_tables(&self, root: &DeTable<'_>) {
        let mut kinds = vec!["scene", "score", "note", "voice", "mapping"];
        kinds.extend(elements::ELEMENT_TABLES.iter().map(|(kind, _)| *kind));
        kinds.extend(interactions::INTERACTION_TABLES.iter().map(|(kind, _)| *kind));
        kinds.extend(EXCITER_TABLES.iter().chain(&PICKUP_TABLES).chain(&TOUCH_TABLES).map(|(kind, _)| *kind));
        for (key, value) in root {
            let name = key.get_ref().as_ref();
            if !kinds.contains(&name) {
                let form = if value.get_ref().is_array() || value.get_ref().is_table() { "table" } else { "field" };
                let hint = match (renamed::table(name), closest_match(name, kinds.iter().copied())) {
                    (Some(new), _) => renamed::hint(name, new),
                    (None, Some(kind)) => format!("did you mean {}?", with_brackets(kind)),
                    (None, None) => format!("known tables: {}", kinds.join(", ")),
                };
                self.report(self.source.error(Some(key.span()), format!("no {form} is called {name}")).hint(hint));
            }
        }
    }

    /// Reads `[scene]`; returns the title.
    fn read_scene_table(&mut self, root: &DeTable<'_>) -> String {
        let stem = Path::new(&self.source.file).file_stem().map_or("scene".into(), |stem| stem.to_string_lossy());
        let mut title = stem.into_owned();
        let Some(table) = self.single_table(root, "scene") else { return title };
        if let Some(name) = scene_table::read(&table, self) {
            title = name;
        }
        self.locations.scene = table.finish();
        title
    }

    /// Whether `[scene]` has a field.
    pub fn states(&self, field: &str) -> bool {
        self.locations.scene.fields.iter().any(|(name, _)| name == field)
    }

    /// Location of the field of `[scene]` that limits the duration, if there is one.
    pub fn duration_location(&self) -> Option<Option<(usize, usize)>> {
        let field = if self.rendering.until_silent { "max_duration" } else { "duration" };
        self.states(field).then(|| self.locations.scene.field(field))
    }

    /// The table `[kind]`.
    pub fn single_table<'r>(&self, root: &'r DeTable<'r>, kind: &'static str) -> Option<TableReader<'r>>
    where
        'a: 'r,
    {
        let value = root.get(kind)?;
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("{kind} is {}, must be a table", with_article(value.get_ref().type_str()));
            let hint = format!("write [{kind}] on a line of its own");
            self.report(self.source.error(Some(value.span()), message).hint(hint));
            return None;
        };
        let reader = TableReader::new(self.source, self.errors, table, value.span(), kind);
        (!self.leaves_out(&reader)).then_some(reader)
    }

    /// Whether a table is for rendering only and this is not, or for playing only.
    fn leaves_out(&self, table: &TableReader<'_>) -> bool {
        const VARIANTS: [(&str, Option<bool>); 2] = [("render", Some(false)), ("live", Some(true))];
        let only_live = table.choice("only", &VARIANTS, None);
        self.has_variants.set(self.has_variants.get() || only_live.is_some());
        only_live.is_some_and(|only_live| only_live != self.is_live)
    }

    /// Calls `read` for every `[[kind]]` table.
    pub fn for_each_table(
        &mut self,
        root: &DeTable<'_>,
        kind: &'static str,
        mut read: impl FnMut(&TableReader<'_>, &mut Self),
    ) {
        let Some(value) = root.get(kind) else { return };
        let Some(tables) = value.get_ref().as_array() else {
            // It is read nevertheless, so that places on it are no further errors.
            if let Some(inner) = value.get_ref().as_table() {
                let before = self.errors.borrow().len();
                read(&TableReader::new(self.source, self.errors, inner, value.span(), kind), self);
                // Not what is wrong in it, either: what it holds may belong to several tables.
                self.errors.borrow_mut().truncate(before);
            }
            let message = format!("{kind} is {}, must be a list of tables", with_article(value.get_ref().type_str()));
            self.report(
                self.source.error(Some(value.span()), message).hint(format!("write [[{kind}]] in double brackets")),
            );
            return;
        };
        for table in tables.iter() {
            match table.get_ref() {
                DeValue::Table(inner) => {
                    let reader = TableReader::new(self.source, self.errors, inner, table.span(), kind);
                    if !self.leaves_out(&reader) {
                        read(&reader, self);
                    }
                }
                other => {
                    let message = format!("{kind} holds {}, must hold tables", with_article(other.type_str()));
                    self.report(self.source.error(Some(table.span()), message));
                }
            }
        }
    }

    /// Reads every `[[kind]]` table; keeps the location of each that is valid.
    fn read_tables(
        &mut self,
        root: &DeTable<'_>,
        kind: &'static str,
        read: ReadTable,
        keep: fn(&mut SceneLocations, TableLocation),
    ) {
        self.for_each_table(root, kind, |table, builder| {
            let is_valid = read(table, builder).is_some();
            let location = table.finish();
            if is_valid {
                keep(&mut builder.locations, location);
            }
        });
    }

    fn read_elements(&mut self, root: &DeTable<'_>) {
        for (kind, read) in elements::ELEMENT_TABLES {
            self.for_each_table(root, kind, |table, builder| {
                let id = builder.new_id(table, None);
                let modals = builder.modal_point_names.len();
                let element: Element = read(table, builder);
                builder.modal_index.push((builder.modal_point_names.len() > modals).then_some(modals));
                let can_stretch = matches!(kind, "string" | "bar" | "membrane");
                let modulates_tension = can_stretch && elements::read_modulates_tension(table);
                let sideways = elements::read_sideways(table, &element);
                let bends_far = kind == "plate" && table.flag("nonlinear");
                let element = builder.model.add(element);
                let location = TableLocation { id: id.clone(), ..table.finish() };
                builder.name_element(id.clone(), element);
                builder.locations.elements.push(location.clone());
                let sideways = sideways.map(|string| builder.add_generated_element(table, "sideways", string));
                if modulates_tension {
                    let tension = match sideways {
                        Some(sideways) => builder.model.share_tension(element, sideways),
                        None => builder.model.modulate_tension(element),
                    };
                    builder.name_interaction(format!("{id}.tension"), tension);
                    builder.locations.interactions.push(location.clone());
                }
                if bends_far {
                    let stretching = builder.model.stretch_by_bending(element);
                    builder.name_interaction(format!("{id}.stretching"), stretching);
                    builder.locations.interactions.push(location);
                }
            });
        }
    }

    fn read_interactions(&mut self, root: &DeTable<'_>) {
        for (kind, read) in interactions::INTERACTION_TABLES {
            let mut count = 0;
            self.for_each_table(root, kind, |table, builder| {
                count += 1;
                let id = builder.new_id(table, Some(format!("{kind}-{count}")));
                let interaction = read(table, builder);
                let location = TableLocation { id: id.clone(), ..table.finish() };
                if let Some(interaction) = interaction {
                    builder.name_interaction(id, interaction);
                    builder.locations.interactions.push(location);
                }
            });
        }
    }

    fn finish(mut self, name: String) -> Result<Scene, Vec<Diagnostic>> {
        if self.elements.is_empty() && self.errors.borrow().is_empty() {
            let empty = self.source.error(None, "the scene is empty");
            self.report(empty.hint("add a [[string]] or a [[mass]]; `percuss new scene.toml` writes an example"));
        }
        let mut errors = self.errors.take();
        if !errors.is_empty() {
            errors.sort_by_key(|error| error.location);
            errors.dedup();
            return Err(errors);
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        if self.outputs.is_empty() {
            let mut silent = self.source.error(None, "the scene is silent: it has no [[pickup]]");
            silent.severity = Severity::Warning;
            warnings.push(silent.hint("add [[pickup]] with of = \"id\""));
        }
        self.locations.file = self.source.file.clone();
        let last_event = schedule::last_event(&self.model);
        let duration = scene_table::longest_duration(&self, last_event);
        warnings.extend(self.late_start_warnings(duration));
        warnings.extend(self.aliasing_warnings());
        Ok(Scene {
            name,
            sample_rate: self.sample_rate,
            duration,
            rendering: self.rendering,
            last_event,
            model: self.model,
            element_names: self.elements.into_iter().map(|(id, _)| id).collect(),
            interaction_names: self.interactions.into_iter().map(|(id, _)| id).collect(),
            outputs: self.outputs,
            probes: self.probes,
            mappings: self.mappings,
            polyphony: self.polyphony,
            keyboard: self.keyboard,
            live: None,
            gestures: self.gestures,
            tunings: self.tunings,
            warnings,
            surfaces_until: self.surfaces_until,
            untuned: self.untuned,
            locations: self.locations,
        })
    }
}

impl SceneBuilder<'_> {
    /// Warnings of what begins when the scene is over; one for each place in the file.
    fn late_start_warnings(&self, duration: f64) -> Vec<Diagnostic> {
        let mut warnings: Vec<Diagnostic> = Vec::new();
        for (subject, field, start) in schedule::late_starts(&self.model, duration) {
            let Some(table) = self.locations.subject(subject) else { continue };
            let [start, end] = [start, duration].map(format_number);
            let message = format!("the {} begins at {start} s, but the scene ends at {end} s", table.kind);
            let hint = "raise duration in [scene], or write duration = \"until silent\"";
            let warning = self.warning_at(table, field, message, hint);
            if warnings.iter().all(|known| known.location != warning.location) {
                warnings.push(warning);
            }
        }
        warnings
    }

    fn aliasing_warnings(&self) -> Vec<Diagnostic> {
        let rate = self.sample_rate * f64::from(self.rendering.oversample);
        let waves = schedule::aliased_waves(&self.model, rate).into_iter().filter_map(|(subject, field, highest)| {
            let table = self.locations.subject(subject)?;
            let [highest, half] = [highest, 0.5 * rate].map(format_number);
            let message = format!("{}.{field} goes up to {highest} Hz, but only {half} Hz can be sampled", table.kind);
            Some(self.warning_at(table, field, message, "lower it, or raise sample_rate or oversample in [scene]"))
        });
        waves.collect()
    }

    fn warning_at(&self, table: &TableLocation, field: &str, message: String, hint: &str) -> Diagnostic {
        let warning = self.source.error(None, message).hint(hint);
        Diagnostic { severity: Severity::Warning, location: table.field(field), ..warning }
    }
}

/// The table as it is written in a file.
fn with_brackets(kind: &str) -> String {
    if matches!(kind, "scene" | "score" | "voice") { format!("[{kind}]") } else { format!("[[{kind}]]") }
}

/// Parses TOML; converts the parser's error to a diagnostic.
pub(crate) fn parse<'t>(source: &SourceText, text: &'t str) -> Result<Spanned<DeTable<'t>>, Vec<Diagnostic>> {
    DeTable::parse(text).map_err(|error| {
        let message = format!("not valid TOML: {}", error.message().replace('\n', ", "));
        let hint = if message.contains("duplicate key") {
            "give every field once; tables of which there are several have double brackets, as in [[string]]"
        } else {
            "fields look like name = 1.0, tables like [[string]]"
        };
        vec![source.error(error.span(), message).hint(hint)]
    })
}
