//! `percuss modes`: eigenfrequencies and mode shapes of the elements of a scene.

use crate::args::ModesArgs;
use crate::error::{CliError, Result};
use crate::loaded_scene::LoadedScene;
use crate::modes::{self, ElementModes, Mode, tables};
use crate::output::{OutputFile, OutputFolder, refuse_overwrite};
use crate::plot::mode_shapes::{self, PlottedShape, ShapePanel, SurfaceShape};
use crate::plot::style;
use crate::progress::RenderProgress;
use crate::progress::TaskProgress;
use percuss::{Element, ElementId, Outline, Place, PlateGrid, Simulation};
use percuss_scene::{Scene, closest_match};
use std::io::{self, Write};
use std::path::Path;

/// Steps between two updates of the progress bar.
const STEPS_PER_UPDATE: u64 = 1024;

/// An element whose modes are computed.
struct SelectedElement<'a> {
    element_id: ElementId,
    name: &'a str,
    element: &'a Element,
}

impl SelectedElement<'_> {
    /// Whether its mode shapes can be plotted.
    fn has_plot(&self) -> bool {
        matches!(self.element, Element::String(_) | Element::Bar(_) | Element::Plate(_))
    }
}

/// Computes, prints and plots modes.
pub fn run(args: &ModesArgs, force: bool) -> Result<()> {
    let source = LoadedScene::open(Some(&args.scene))?;
    let selected = select_elements(&source.scene, args.element.as_deref())?;
    let rate = args.rate.unwrap_or(source.scene.sample_rate);
    let mut simulation = source.scene.compile(rate)?;
    let outputs = ModePlotFiles::new(args, &source.name, &selected, force)?;
    step_to(&mut simulation, args.time, rate);
    let found = find(&simulation, &selected, args.count)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", tables::as_json(&found))?;
    } else {
        let blocks: Vec<String> = found.iter().map(tables::text).collect();
        write!(out, "{}", blocks.join("\n"))?;
    }
    if let Some(outputs) = &outputs {
        for (file, element, modes) in outputs.plots(&selected, &found) {
            draw(file, &simulation, element, modes)?;
        }
        if !args.json {
            let lines = outputs.files.iter().map(|file| format!("wrote   {}\n", file.given_path.display()));
            write!(out, "\n{}", lines.collect::<String>())?;
        }
    }
    Ok(out.flush()?)
}

/// The element with the given id, or all that move.
fn select_elements<'a>(scene: &'a Scene, id: Option<&str>) -> Result<Vec<SelectedElement<'a>>> {
    let all = scene.model.element_ids().zip(&scene.element_names).zip(scene.model.elements());
    let all = all.map(|((element_id, name), element)| SelectedElement { element_id, name, element });
    let moving: Vec<SelectedElement> = all.filter(|element| !matches!(element.element, Element::Barrier(_))).collect();
    let Some(id) = id else {
        return match moving.len() {
            0 => Err(CliError::with_hint(
                "no element of this scene moves",
                "modes need a mass, string, bar, plate or modal",
            )),
            _ => Ok(moving),
        };
    };
    let names = || moving.iter().map(|element| element.name);
    let hint = closest_match(id, names()).map_or_else(
        || format!("elements with modes: {}", names().collect::<Vec<_>>().join(", ")),
        |id| format!("did you mean `{id}`?"),
    );
    let message = match scene.element_names.iter().any(|other| other == id) {
        true => format!("{id}: is a barrier, which has no modes"),
        false => format!("there is no element called `{id}`"),
    };
    let found: Vec<SelectedElement> = moving.into_iter().filter(|element| element.name == id).collect();
    if found.is_empty() { Err(CliError::with_hint(message, hint)) } else { Ok(found) }
}

fn step_to(simulation: &mut Simulation, time: f64, rate: f64) {
    let steps = (time * rate).round() as u64;
    let mut progress = RenderProgress::new(time);
    for step in 0..steps {
        simulation.step();
        if step % STEPS_PER_UPDATE == 0 {
            progress.update(step as f64 / rate);
        }
    }
    progress.finish();
}

fn find(simulation: &Simulation, selected: &[SelectedElement], count: usize) -> Result<Vec<ElementModes>> {
    let progress = TaskProgress::new(selected.len());
    let mut all = Vec::new();
    for element in selected {
        let found = progress.run_task(element.name, || modes::lowest_modes(simulation, element.element_id, count));
        let Some(found) = found else { continue };
        let hint = "try fewer modes with --count, or another --time";
        let (modes, operators) = found.map_err(|why| CliError::with_hint(format!("{} {why}", element.name), hint))?;
        let partials = modes::partials(simulation, (element.element_id, element.element), &operators, &modes);
        all.push(ElementModes { id: element.name.into(), kind: element.element.kind(), modes, partials, operators });
    }
    Ok(all)
}

fn draw(file: &OutputFile, simulation: &Simulation, element: &SelectedElement, found: &ElementModes) -> Result<()> {
    let grid = simulation.plate_grid(element.element_id);
    let panel = |(index, mode): (usize, &Mode)| ShapePanel {
        title: format!("{}: {}", index + 1, crate::format::si(mode.frequency, "Hz")),
        shape: match grid {
            Some(grid) => {
                let shape = SurfaceShape::new(grid.intervals, &found.operators.grid, &mode.shape);
                PlottedShape::Surface(SurfaceShape { rim: rim_radius(element.element, &grid), ..shape })
            }
            None => PlottedShape::Line(line_shape(&found.operators.places, &mode.shape)),
        },
    };
    let panels: Vec<ShapePanel> = found.modes.iter().enumerate().map(panel).collect();
    let across = (panels.len() as f64 * 1.6).sqrt().round().max(1.0) as usize;
    let colours = if grid.is_some() { ", blue below and red above rest" } else { "" };
    let title = format!("{}: mode shapes{colours}", element.name);
    style::register_fonts();
    file.write_by_path(|path| mode_shapes::write(path, &title, across, &panels))
}

/// Radius of a round plate, as a fraction of the side of its grid, which extends beyond it.
fn rim_radius(element: &Element, grid: &PlateGrid) -> Option<f64> {
    let is_round = matches!(element, Element::Plate(plate) if plate.outline == Outline::Disc);
    is_round.then(|| (grid.coordinate(0, 1.0) - grid.coordinate(0, 0.5)) / grid.intervals[0] as f64)
}

/// Mode shape of a line: position as a fraction of the length, and displacement; fixed ends are added.
fn line_shape(places: &[Place], shape: &[f64]) -> Vec<(f64, f64)> {
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

/// All output files, checked before the computation. Folders are dropped after the files in them.
struct ModePlotFiles {
    /// One per element that has a plot.
    files: Vec<OutputFile>,
    _folders: Vec<OutputFolder>,
}

impl ModePlotFiles {
    /// `None` if only JSON is requested or no element has a plot.
    fn new(args: &ModesArgs, name: &str, selected: &[SelectedElement], force: bool) -> Result<Option<Self>> {
        if args.output.is_none() && args.json || !selected.iter().any(SelectedElement::has_plot) {
            return Ok(None);
        }
        let default_folder = Path::new("percuss-out");
        let mut folders = Vec::new();
        let path = match &args.output {
            Some(path) => path.clone(),
            None => {
                folders.push(OutputFolder::new(default_folder, true)?);
                default_folder.join(format!("{name}-modes"))
            }
        };
        // The inner folder must be dropped first.
        folders.insert(0, OutputFolder::new(&path, false)?);
        let drawn = selected.iter().filter(|element| element.has_plot());
        let extension = if args.svg { "svg" } else { "png" };
        let file = |element: &SelectedElement| OutputFile::new(&path.join(file_name(element.name, extension)));
        let files = drawn.map(file).collect::<Result<Vec<_>>>()?;
        // What percuss names itself, it overwrites.
        refuse_overwrite(&files.iter().collect::<Vec<_>>(), force || args.output.is_none())?;
        Ok(Some(Self { files, _folders: folders }))
    }

    /// Files with their elements and modes.
    fn plots<'a>(
        &'a self,
        selected: &'a [SelectedElement<'a>],
        found: &'a [ElementModes],
    ) -> impl Iterator<Item = (&'a OutputFile, &'a SelectedElement<'a>, &'a ElementModes)> {
        let drawn = selected.iter().filter(|element| element.has_plot());
        let modes = |element: &SelectedElement| found.iter().find(|it| it.id == element.name);
        self.files.iter().zip(drawn).filter_map(move |(file, element)| Some((file, element, modes(element)?)))
    }
}

/// File name of an id: characters other than letters, digits, `-`, `_` and space become their code points.
fn file_name(id: &str, extension: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || "-_ ".contains(c);
    let safe = |c: char| if allowed(c) { c.to_string() } else { format!("%{:X}", u32::from(c)) };
    format!("{}.{extension}", id.chars().map(safe).collect::<String>())
}
