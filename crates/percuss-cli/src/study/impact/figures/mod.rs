//! The study's Figures 1 to 12: each is described once, then drawn as PNG and SVG and written as CSV.

mod analytic;
mod draw;
mod methods;
mod trends;

use crate::failure::Result;
use crate::output::Target;
use crate::plot::style::{self, PALETTE, SIZE};
use crate::study::progress::Progress;
use plotters::prelude::*;
use std::io::{self, Write};
use std::path::Path;

/// How many figures there are.
pub const COUNT: usize = 12;

/// One figure.
struct Figure {
    title: String,
    /// From left to right.
    panels: Vec<Panel>,
}

/// One chart.
struct Panel {
    title: &'static str,
    x: Axis,
    y: Axis,
    curves: Vec<Curve>,
    legend: SeriesLabelPosition,
}

/// One axis. Values are in units without prefix; the picture chooses one.
#[derive(Clone, Copy)]
struct Axis {
    name: &'static str,
    unit: &'static str,
    kind: Kind,
    /// What is shown; all where nothing is said.
    window: Option<(f64, f64)>,
}

/// How an axis runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Linear,
    /// From large to small.
    Inverted,
    Logarithmic,
}

/// One line.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
    look: Look,
    colour: RGBColor,
}

/// How a line looks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Line,
    Bold,
    Dashed,
    /// With a dot at every sample.
    Marked,
    /// Thin and dashed, with its name at its end.
    Guide,
    /// The same without a name.
    Quiet,
}

impl Axis {
    fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, kind: Kind::Linear, window: None }
    }

    fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    fn within(self, low: f64, high: f64) -> Self {
        Self { window: Some((low, high)), ..self }
    }
}

impl Curve {
    fn new(name: impl Into<String>, look: Look, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, look, colour }
    }

    /// A line that is there for orientation.
    fn guide(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::new(name, Look::Guide, PALETTE[6], points)
    }
}

/// Where the files of one figure go, checked beforehand.
pub struct Targets {
    png: Target,
    svg: Target,
    csv: Target,
}

impl Targets {
    /// `figure-01.png` and its like in a folder.
    pub fn new(folder: &Path, number: usize) -> Result<Self> {
        let target = |end: &str| Target::new(&folder.join(format!("figure-{number:02}.{end}")));
        Ok(Self { png: target("png")?, svg: target("svg")?, csv: target("csv")? })
    }

    /// The files.
    pub fn all(&self) -> [&Target; 3] {
        [&self.png, &self.svg, &self.csv]
    }
}

/// Writes all figures.
pub fn write(targets: &[Targets]) -> Result<()> {
    style::register_fonts();
    let progress = Progress::new(COUNT);
    for (index, targets) in targets.iter().enumerate() {
        let number = index + 1;
        progress.during(format!("figure {number}"), || {
            let figure = describe(number);
            let title = format!("Figure {number}: {}", figure.title);
            targets.png.write_at(|path| draw::draw(BitMapBackend::new(path, SIZE), &title, &figure))?;
            targets.svg.write_at(|path| draw::draw(SVGBackend::new(path, SIZE), &title, &figure))?;
            targets.csv.write(|file| csv(file, &figure))
        })?;
    }
    Ok(())
}

fn describe(number: usize) -> Figure {
    match number {
        1 => analytic::phase_portraits(),
        2 => analytic::hysteresis(),
        3 => analytic::approximation_error(),
        4 => analytic::energy(),
        5 => analytic::external_force(),
        6 => methods::non_critical(),
        7 => methods::little_loss(),
        8 => methods::hard(),
        9 => methods::heun_little_loss(),
        10 => methods::heun_hard(),
        11 => trends::deviations(),
        _ => trends::rebounds(),
    }
}

/// One row per point.
fn csv(out: &mut impl Write, figure: &Figure) -> io::Result<()> {
    for (index, panel) in figure.panels.iter().enumerate() {
        let column = |axis: &Axis| format!("{} [{}]", axis.name, if axis.unit.is_empty() { "1" } else { axis.unit });
        if index == 0 {
            writeln!(out, "panel,curve,{},{}", column(&panel.x), column(&panel.y))?;
        }
        let letter = char::from(b'a' + index as u8);
        for curve in &panel.curves {
            for (x, y) in &curve.points {
                writeln!(out, "{letter},\"{}\",{x:e},{y:e}", curve.name)?;
            }
        }
    }
    Ok(())
}
