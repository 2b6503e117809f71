//! Charts of studies: each is described once, then drawn as PNG and SVG and written as CSV.

mod draw;

use crate::error::Result;
use crate::output::OutputFile;
use crate::plot::style::{self, PALETTE, SIZE};
use plotters::prelude::*;
use std::io::{self, Write};
use std::path::Path;

/// One figure.
pub struct Figure {
    /// Above it.
    pub title: String,
    /// From left to right.
    pub panels: Vec<Panel>,
}

/// One chart.
pub struct Panel {
    /// Above it; may be empty.
    pub title: &'static str,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is shown.
    pub curves: Vec<Curve>,
    /// Where curves are named.
    pub legend: SeriesLabelPosition,
}

/// One axis. Values are in units without prefix; the picture chooses one.
#[derive(Clone, Copy)]
pub struct Axis {
    /// Of the quantity.
    pub name: &'static str,
    /// Without prefix.
    pub unit: &'static str,
    /// How it runs.
    pub kind: Kind,
    /// What is shown; all where nothing is said.
    pub window: Option<(f64, f64)>,
}

/// How an axis runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// From small to large, evenly.
    Linear,
    /// From large to small.
    Inverted,
    /// Powers of ten, evenly.
    Logarithmic,
}

/// One line.
pub struct Curve {
    /// In the legend.
    pub name: String,
    /// In units without prefix.
    pub points: Vec<(f64, f64)>,
    /// How it looks.
    pub look: Look,
    /// In which colour.
    pub colour: RGBColor,
}

/// How a line looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// Thin.
    Line,
    /// Thick.
    Bold,
    /// Thin, in dashes.
    Dashed,
    /// With a dot at every sample.
    Marked,
    /// Large dots, and no line.
    Dots,
    /// Thin and dashed, with its name at its end.
    Guide,
    /// The same without a name.
    Quiet,
}

impl Axis {
    /// From small to large, all values shown.
    pub fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, kind: Kind::Linear, window: None }
    }

    /// The same running in another way.
    pub fn of_kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// The same with only some values shown.
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { window: Some((low, high)), ..self }
    }
}

impl Curve {
    /// A line of data.
    pub fn new(name: impl Into<String>, look: Look, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, look, colour }
    }

    /// A line that is there for orientation.
    pub fn guide(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::new(name, Look::Guide, PALETTE[6], points)
    }
}

/// Where the files of one figure go, checked beforehand.
pub struct FigureFiles {
    /// The picture.
    pub png: OutputFile,
    /// The same as vectors.
    pub svg: OutputFile,
    /// Its data.
    pub csv: OutputFile,
}

impl FigureFiles {
    /// `NAME.png` and its like in a folder.
    pub fn new(folder: &Path, name: &str) -> Result<Self> {
        let target = |end: &str| OutputFile::new(&folder.join(format!("{name}.{end}")));
        Ok(Self { png: target("png")?, svg: target("svg")?, csv: target("csv")? })
    }

    /// The files.
    pub fn all(&self) -> [&OutputFile; 3] {
        [&self.png, &self.svg, &self.csv]
    }

    /// Draws a chart twice and writes its data.
    pub fn write(&self, title: &str, figure: &Figure) -> Result<()> {
        self.png.write_by_path(|path| style::bitmap(path, |backend| draw::draw(backend, title, figure)))?;
        self.svg.write_by_path(|path| draw::draw(SVGBackend::new(path, SIZE), title, figure))?;
        self.csv.write(|file| csv(file, figure))
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
