//! From the parsed file to a scene: elements first, then what refers to them.

use crate::diagnostic::{Diagnostic, Severity, Source, closest};
use crate::fields::{Fields, Origin, Problems};
use crate::instrument::{self, Mapping};
use crate::limits::within;
use crate::midi::Performance;
use crate::score::{self, Score};
use crate::{Origins, Output, Probe, Scene, elements, exciters, interactions, listening, renamed, surfaces};
use percuss::{Element, ElementId, InteractionId, Model, Scheme};
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) const SCHEMES: [(&str, Scheme); 3] =
    [("plain", Scheme::Plain), ("tracked", Scheme::Tracked), ("newton", Scheme::Newton)];

type Reader = fn(&Fields<'_>, &mut Builder<'_>) -> Option<()>;

const EXCITERS: [(&str, Reader); 2] = [("pulse", exciters::pulse), ("drive", exciters::drive)];
const TOUCHES: [(&str, Reader); 1] = [("touch", surfaces::touch)];
const LISTENERS: [(&str, Reader); 2] = [("pickup", listening::pickup), ("probe", listening::probe)];

/// A scene being built.
pub(crate) struct Builder<'a> {
    source: &'a Source,
    problems: &'a Problems,
    pub folder: &'a Path,
    pub sample_rate: f64,
    pub duration: f64,
    pub model: Model,
    pub handles: Vec<(String, ElementId)>,
    pub contacts: Vec<(String, InteractionId)>,
    /// Names of the points of every modal resonator, in the order of the model.
    pub point_names: Vec<Vec<String>>,
    /// Which of `point_names` an element uses.
    pub modal_of: Vec<Option<usize>>,
    pub outputs: Vec<Output>,
    pub probes: Vec<Probe>,
    /// The score, and the MIDI file that is played instead of its notes.
    pub score: Option<Score>,
    performance: Option<&'a Performance>,
    /// What players' controllers do.
    pub mappings: Vec<Mapping>,
    pub voices: usize,
    warnings: Vec<Diagnostic>,
    pub origins: Origins,
}

/// Builds the scene, or says everything that is wrong with it.
pub(crate) fn scene(
    source: &Source,
    root: &DeTable<'_>,
    folder: &Path,
    performance: Option<&Performance>,
) -> Result<Scene, Vec<Diagnostic>> {
    let problems = Problems::default();
    let mut builder = Builder {
        source,
        problems: &problems,
        folder,
        sample_rate: 44_100.0,
        duration: 2.0,
        model: Model::new(),
        handles: Vec::new(),
        contacts: Vec::new(),
        point_names: Vec::new(),
        modal_of: Vec::new(),
        outputs: Vec::new(),
        probes: Vec::new(),
        score: None,
        performance,
        mappings: Vec::new(),
        voices: 1,
        warnings: Vec::new(),
        origins: Origins::default(),
    };
    builder.refuse_unknown_tables(root);
    let title = builder.header(root);
    builder.read_elements(root);
    score::read(root, &mut builder);
    if let Some(performance) = performance {
        score::perform(performance, &mut builder);
    }
    builder.read_interactions(root);
    score::missing(&mut builder);
    for (kind, read) in TOUCHES {
        builder.read_all(root, kind, read, |_, _| {});
    }
    for (kind, read) in EXCITERS {
        builder.read_all(root, kind, read, |origins, origin| origins.exciters.push(origin));
    }
    for (kind, read) in LISTENERS {
        builder.read_all(root, kind, read, |origins, origin| origins.pickups.push(origin));
    }
    instrument::read(root, &mut builder);
    builder.finish(title)
}

impl<'a> Builder<'a> {
    fn report(&self, diagnostic: Diagnostic) {
        self.problems.borrow_mut().push(diagnostic);
    }

    /// Notes something that can be used but perhaps was not meant so.
    pub fn warn(&mut self, fields: &Fields<'_>, field: &str, message: &str, hint: &str) {
        let mut warning = self.source.error(None, message).hint(hint);
        warning.severity = Severity::Warning;
        warning.place = fields.origin().of(field);
        self.warnings.push(warning);
    }

    /// Says something about a place that was read before.
    pub fn remark(&mut self, severity: Severity, place: Option<(usize, usize)>, message: String, hint: &str) {
        let mut diagnostic = self.source.error(None, message).hint(hint);
        (diagnostic.severity, diagnostic.place) = (severity, place);
        match severity {
            Severity::Error => self.report(diagnostic),
            Severity::Warning => self.warnings.push(diagnostic),
        }
    }

    /// Notes something about the MIDI file, once.
    pub fn warn_of_performance(&mut self, message: String, hint: &str) {
        let file = self.performance.map_or_else(String::new, |performance| performance.file.clone());
        let (severity, hint) = (Severity::Warning, Some(hint.to_owned()));
        let warning = Diagnostic { severity, file, place: None, message, hint };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    fn refuse_unknown_tables(&self, root: &DeTable<'_>) {
        let mut kinds = vec!["scene", "score", "note", "voice", "mapping"];
        kinds.extend(elements::READERS.iter().map(|(kind, _)| *kind));
        kinds.extend(interactions::READERS.iter().map(|(kind, _)| *kind));
        kinds.extend(EXCITERS.iter().chain(&LISTENERS).chain(&TOUCHES).map(|(kind, _)| *kind));
        for (key, value) in root {
            let name = key.get_ref().as_ref();
            if !kinds.contains(&name) {
                let brackets = if value.get_ref().is_array() || value.get_ref().is_table() { "table" } else { "field" };
                let hint = match (renamed::table(name), closest(name, kinds.iter().copied())) {
                    (Some(new), _) => renamed::hint(name, new),
                    (None, Some(kind)) => format!("did you mean {}?", bracketed(kind)),
                    (None, None) => format!("known tables: {}", kinds.join(", ")),
                };
                self.report(self.source.error(Some(key.span()), format!("no {brackets} is called {name}")).hint(hint));
            }
        }
    }

    /// Reads `[scene]`; returns the title.
    fn header(&mut self, root: &DeTable<'_>) -> String {
        let stem = Path::new(&self.source.file).file_stem().map_or("scene".into(), |stem| stem.to_string_lossy());
        let mut title = stem.into_owned();
        let Some(fields) = self.single(root, "scene") else { return title };
        if let Some(name) = fields.text("name") {
            title = name.to_owned();
        }
        self.sample_rate = fields.number_or("sample_rate", within(1e3, 768e3, "Hz"), self.sample_rate);
        self.duration = fields.number_or("duration", within(1e-3, 3.6e5, "s"), self.duration);
        self.model.scheme = fields.choice("scheme", &SCHEMES, Scheme::default());
        self.origins.scene = fields.finish();
        title
    }

    /// Where the file says how long the scene is, if it does.
    pub fn stated_duration(&self) -> Option<Option<(usize, usize)>> {
        let is_stated = self.origins.scene.fields.iter().any(|(field, _)| field == "duration");
        is_stated.then(|| self.origins.scene.of("duration"))
    }

    /// The only table of its kind, `[kind]`.
    pub fn single<'r>(&self, root: &'r DeTable<'r>, kind: &'static str) -> Option<Fields<'r>>
    where
        'a: 'r,
    {
        let value = root.get(kind)?;
        let Some(table) = value.get_ref().as_table() else {
            let message = format!("{kind} is {}, must be a table", a_or_an(value.get_ref().type_str()));
            let hint = format!("write [{kind}] on a line of its own");
            self.report(self.source.error(Some(value.span()), message).hint(hint));
            return None;
        };
        Some(Fields::new(self.source, self.problems, table, value.span(), kind))
    }

    /// Calls `read` for every `[[kind]]` table.
    pub fn each(&mut self, root: &DeTable<'_>, kind: &'static str, mut read: impl FnMut(&Fields<'_>, &mut Self)) {
        let Some(value) = root.get(kind) else { return };
        let Some(tables) = value.get_ref().as_array() else {
            let message = format!("{kind} is {}, must be a list of tables", a_or_an(value.get_ref().type_str()));
            self.report(
                self.source.error(Some(value.span()), message).hint(format!("write [[{kind}]] in double brackets")),
            );
            return;
        };
        for table in tables.iter() {
            match table.get_ref() {
                DeValue::Table(inner) => {
                    read(&Fields::new(self.source, self.problems, inner, table.span(), kind), self);
                }
                other => {
                    let message = format!("{kind} holds a {}, must hold tables", other.type_str());
                    self.report(self.source.error(Some(table.span()), message));
                }
            }
        }
    }

    /// Reads every `[[kind]]` table, and keeps where it stands if it could be read.
    fn read_all(&mut self, root: &DeTable<'_>, kind: &'static str, read: Reader, keep: fn(&mut Origins, Origin)) {
        self.each(root, kind, |fields, builder| {
            let done = read(fields, builder).is_some();
            let origin = fields.finish();
            if done {
                keep(&mut builder.origins, origin);
            }
        });
    }

    fn read_elements(&mut self, root: &DeTable<'_>) {
        for (kind, read) in elements::READERS {
            self.each(root, kind, |fields, builder| {
                let id = builder.new_id(fields, None);
                let modals = builder.point_names.len();
                let element: Element = read(fields, builder);
                builder.modal_of.push((builder.point_names.len() > modals).then_some(modals));
                let handle = builder.model.add(element);
                let origin = Origin { id: id.clone(), ..fields.finish() };
                builder.handles.push((id, handle));
                builder.origins.elements.push(origin);
            });
        }
    }

    fn read_interactions(&mut self, root: &DeTable<'_>) {
        for (kind, read) in interactions::READERS {
            let mut count = 0;
            self.each(root, kind, |fields, builder| {
                count += 1;
                let id = builder.new_id(fields, Some(format!("{kind}-{count}")));
                let contact = read(fields, builder);
                let origin = Origin { id: id.clone(), ..fields.finish() };
                if let Some(contact) = contact {
                    builder.contacts.push((id, contact));
                    builder.origins.interactions.push(origin);
                }
            });
        }
    }

    fn finish(mut self, name: String) -> Result<Scene, Vec<Diagnostic>> {
        if self.handles.is_empty() && self.problems.borrow().is_empty() {
            let nothing = self.source.error(None, "the scene is empty");
            self.report(nothing.hint("add a [[string]] or a [[mass]]; `percuss new scene.toml` writes an example"));
        }
        let mut problems = self.problems.take();
        if !problems.is_empty() {
            problems.sort_by_key(|problem| problem.place);
            problems.dedup();
            return Err(problems);
        }
        let mut warnings = std::mem::take(&mut self.warnings);
        if self.outputs.is_empty() {
            let mut silent = self.source.error(None, "nothing is heard: the scene has no [[pickup]]");
            silent.severity = Severity::Warning;
            warnings.push(silent.hint("add [[pickup]] with of = \"id\""));
        }
        self.origins.file = self.source.file.clone();
        Ok(Scene {
            name,
            sample_rate: self.sample_rate,
            duration: self.duration,
            model: self.model,
            element_ids: self.handles.into_iter().map(|(id, _)| id).collect(),
            contact_ids: self.contacts.into_iter().map(|(id, _)| id).collect(),
            outputs: self.outputs,
            probes: self.probes,
            mappings: self.mappings,
            voices: self.voices,
            warnings,
            origins: self.origins,
        })
    }
}

fn bracketed(kind: &str) -> String {
    if matches!(kind, "scene" | "score" | "voice") { format!("[{kind}]") } else { format!("[[{kind}]]") }
}

/// Parses TOML, with the parser's complaint turned into ours.
pub(crate) fn parse<'t>(source: &Source, text: &'t str) -> Result<Spanned<DeTable<'t>>, Vec<Diagnostic>> {
    DeTable::parse(text).map_err(|error| {
        let message = format!("not valid TOML: {}", error.message().replace('\n', ", "));
        vec![source.error(error.span(), message).hint("fields look like name = 1.0, tables like [[string]]")]
    })
}

/// A word with its article.
fn a_or_an(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}
