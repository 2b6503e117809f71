//! `percuss modes`: eigenfrequencies and mode shapes of what a scene is made of.

use crate::args::ModesArgs;
use crate::failure::{Failure, Result};
use crate::modes::{self, ElementModes, Mode, tables};
use crate::output::{Folder, Target, confirm_overwriting};
use crate::plot::shapes::{self, Form, Panel, Surface};
use crate::plot::style::{self, SIZE};
use crate::render::progress::Progress as Steps;
use crate::source::Source;
use crate::study::progress::Progress;
use percuss::{Element, ElementId, Place, Simulation};
use percuss_scene::{Scene, closest_match};
use plotters::prelude::BitMapBackend;
use std::io::{self, Write};
use std::path::Path;

/// Steps between two looks at the clock.
const STRETCH: u64 = 1024;

/// An element whose modes are asked for.
struct Part<'a> {
    handle: ElementId,
    id: &'a str,
    element: &'a Element,
}

impl Part<'_> {
    /// Whether there is a shape to be drawn.
    fn has_picture(&self) -> bool {
        matches!(self.element, Element::String(_) | Element::Bar(_) | Element::Plate(_))
    }
}

/// Finds, prints and draws modes.
pub fn run(args: &ModesArgs) -> Result<()> {
    let source = Source::open(Some(&args.scene))?;
    let parts = parts(&source.scene, args.element.as_deref())?;
    let rate = args.rate.unwrap_or(source.scene.sample_rate);
    let mut simulation = source.scene.compile(rate)?;
    let outputs = Outputs::new(args, &source.name, &parts)?;
    step_to(&mut simulation, args.time, rate);
    let found = find(&simulation, &parts, args.count)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", tables::as_json(&found, simulation.time_step()))?;
    } else {
        let blocks: Vec<String> = found.iter().map(|it| tables::text(it, simulation.time_step())).collect();
        write!(out, "{}", blocks.join("\n"))?;
    }
    if let Some(outputs) = &outputs {
        for (target, part, modes) in outputs.pictures(&parts, &found) {
            draw(target, &simulation, part, modes)?;
        }
        if !args.json {
            let lines = outputs.targets.iter().map(|target| format!("wrote   {}\n", target.shown.display()));
            write!(out, "\n{}", lines.collect::<String>())?;
        }
    }
    Ok(out.flush()?)
}

/// The elements asked for: one, or all that move.
fn parts<'a>(scene: &'a Scene, wanted: Option<&str>) -> Result<Vec<Part<'a>>> {
    let all = modes::element_ids(scene).into_iter().zip(&scene.element_names).zip(scene.model.elements());
    let all = all.map(|((handle, id), element)| Part { handle, id, element });
    let moving: Vec<Part> = all.filter(|part| !matches!(part.element, Element::Barrier(_))).collect();
    let Some(wanted) = wanted else {
        return match moving.len() {
            0 => Err(Failure::hinted("nothing in this scene moves", "modes need a mass, string, bar, plate or modal")),
            _ => Ok(moving),
        };
    };
    let ids = || moving.iter().map(|part| part.id);
    let hint = closest_match(wanted, ids()).map_or_else(
        || format!("elements that move: {}", ids().collect::<Vec<_>>().join(", ")),
        |id| format!("did you mean `{id}`?"),
    );
    let message = match scene.element_names.iter().any(|id| id == wanted) {
        true => format!("{wanted}: is a barrier, which has no modes"),
        false => format!("there is no element called `{wanted}`"),
    };
    let found: Vec<Part> = moving.into_iter().filter(|part| part.id == wanted).collect();
    if found.is_empty() { Err(Failure::hinted(message, hint)) } else { Ok(found) }
}

fn step_to(simulation: &mut Simulation, time: f64, rate: f64) {
    let steps = (time * rate).round() as u64;
    let mut progress = Steps::new(time);
    for step in 0..steps {
        simulation.step();
        if step % STRETCH == 0 {
            progress.at(step as f64 / rate);
        }
    }
    progress.finish();
}

fn find(simulation: &Simulation, parts: &[Part], count: usize) -> Result<Vec<ElementModes>> {
    let progress = Progress::new(parts.len());
    let mut all = Vec::new();
    for part in parts {
        let found = progress.during(part.id, || modes::of(simulation, part.handle, count));
        let Some(found) = found else { continue };
        let hint = "ask for fewer modes with --count, or for another --time";
        let (modes, operators) = found.map_err(|why| Failure::hinted(format!("{} {why}", part.id), hint))?;
        all.push(ElementModes { id: part.id.into(), kind: part.element.kind(), modes, operators });
    }
    Ok(all)
}

fn draw(target: &Target, simulation: &Simulation, part: &Part, found: &ElementModes) -> Result<()> {
    let intervals = simulation.plate_grid(part.handle).map(|grid| grid.intervals);
    let panel = |(index, mode): (usize, &Mode)| Panel {
        title: format!("{}: {}", index + 1, crate::format::si(mode.frequency, "Hz")),
        form: match intervals {
            Some(intervals) => Form::Surface(Surface::new(intervals, &found.operators.grid, &mode.shape)),
            None => Form::Line(along(&found.operators.places, &mode.shape)),
        },
    };
    let panels: Vec<Panel> = found.modes.iter().enumerate().map(panel).collect();
    let across = (panels.len() as f64 * 1.6).sqrt().round().max(1.0) as usize;
    let colours = if intervals.is_some() { ", blue below and red above rest" } else { "" };
    let title = format!("{}: mode shapes{colours}", part.id);
    style::register_fonts();
    target.write_at(|path| shapes::draw(BitMapBackend::new(path, SIZE), &title, across, &panels))
}

/// A line through the nodes and, where ends are held, through them.
fn along(places: &[Place], shape: &[f64]) -> Vec<(f64, f64)> {
    let place = |place: &Place| if let Place::Along(fraction) = place { *fraction } else { 0.0 };
    let mut points: Vec<(f64, f64)> = places.iter().map(place).zip(shape.iter().copied()).collect();
    if points.first().is_some_and(|point| point.0 > 0.0) {
        points.insert(0, (0.0, 0.0));
    }
    if points.last().is_some_and(|point| point.0 < 1.0) {
        points.push((1.0, 0.0));
    }
    points
}

/// Everything that will be written, checked beforehand. Folders come last: so they are dropped.
struct Outputs {
    /// One for each part that has a picture.
    targets: Vec<Target>,
    _folders: Vec<Folder>,
}

impl Outputs {
    /// None where only JSON is asked for, or nothing can be drawn.
    fn new(args: &ModesArgs, name: &str, parts: &[Part]) -> Result<Option<Self>> {
        if args.output.is_none() && args.json || !parts.iter().any(Part::has_picture) {
            return Ok(None);
        }
        let home = Path::new("percuss-out");
        let mut folders = Vec::new();
        let path = match &args.output {
            Some(path) => path.clone(),
            None => {
                folders.push(Folder::new(home, true)?);
                home.join(format!("{name}-modes"))
            }
        };
        // The inner folder is dropped first.
        folders.insert(0, Folder::new(&path, false)?);
        let drawn = parts.iter().filter(|part| part.has_picture());
        let targets = drawn.map(|part| Target::new(&path.join(file_name(part.id)))).collect::<Result<Vec<_>>>()?;
        confirm_overwriting(&targets.iter().collect::<Vec<_>>())?;
        Ok(Some(Self { targets, _folders: folders }))
    }

    /// What goes where.
    fn pictures<'a>(
        &'a self,
        parts: &'a [Part<'a>],
        found: &'a [ElementModes],
    ) -> impl Iterator<Item = (&'a Target, &'a Part<'a>, &'a ElementModes)> {
        let drawn = parts.iter().filter(|part| part.has_picture());
        let modes = |part: &Part| found.iter().find(|it| it.id == part.id);
        self.targets.iter().zip(drawn).filter_map(move |(target, part)| Some((target, part, modes(part)?)))
    }
}

/// Ids may hold anything, file names may not: other characters become their numbers.
fn file_name(id: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    let safe = |c: char| if allowed(c) { c.to_string() } else { format!("%{:X}", u32::from(c)) };
    format!("{}.png", id.chars().map(safe).collect::<String>())
}
