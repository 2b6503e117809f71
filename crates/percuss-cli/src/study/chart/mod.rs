//! Figures of studies: each is described once, then drawn as PNG and SVG and written as CSV.

mod draw;

use crate::error::Result;
use crate::output::OutputFile;
use crate::plot::style::{self, PALETTE, PLOT_SIZE};
use plotters::prelude::*;
use std::io::{self, Write};
use std::path::Path;

/// A figure.
pub struct Figure {
    /// Title.
    pub title: String,
    /// Panels from left to right.
    pub panels: Vec<ChartPanel>,
}

/// A panel of a figure: a chart with two axes.
pub struct ChartPanel {
    /// Title; may be empty.
    pub title: &'static str,
    /// Horizontal axis.
    pub x: ChartAxis,
    /// Vertical axis.
    pub y: ChartAxis,
    /// Curves.
    pub curves: Vec<Curve>,
    /// Position of the legend.
    pub legend: SeriesLabelPosition,
}

/// An axis. Values are in units without prefix; the prefix is chosen when it is drawn.
#[derive(Clone, Copy)]
pub struct ChartAxis {
    /// Name of the quantity.
    pub name: &'static str,
    /// Unit without prefix.
    pub unit: &'static str,
    /// Scale.
    pub scale: AxisScale,
    /// Plotted range; `None` for all values.
    pub range: Option<(f64, f64)>,
}

/// Scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear, increasing.
    Linear,
    /// Linear, decreasing.
    Inverted,
    /// Logarithmic.
    Logarithmic,
}

/// A curve.
pub struct Curve {
    /// Name in the legend.
    pub name: String,
    /// Points, in units without prefix.
    pub points: Vec<(f64, f64)>,
    /// Line style.
    pub style: LineStyle,
    /// Colour.
    pub colour: RGBColor,
}

/// Line style of a curve.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LineStyle {
    /// Thin.
    Thin,
    /// Thick.
    Bold,
    /// Thin and dashed.
    Dashed,
    /// Thin, with a dot at every point.
    Marked,
    /// Large dots without a line.
    Dots,
    /// Thin and dashed, labelled at its end.
    Guide,
    /// Thin and dashed, without a label.
    UnlabelledGuide,
}

impl ChartAxis {
    /// A linear axis for all values.
    pub fn new(name: &'static str, unit: &'static str) -> Self {
        Self { name, unit, scale: AxisScale::Linear, range: None }
    }

    /// Sets the scale.
    pub fn with_scale(self, scale: AxisScale) -> Self {
        Self { scale, ..self }
    }

    /// Sets the plotted range.
    pub fn with_range(self, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..self }
    }
}

impl Curve {
    /// A curve of data.
    pub fn new(name: impl Into<String>, style: LineStyle, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, style, colour }
    }

    /// A line for orientation.
    pub fn guide(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self::new(name, LineStyle::Guide, PALETTE[6], points)
    }
}

/// Files of a figure, checked to be writable.
pub struct FigureFiles {
    /// Bitmap.
    pub png: OutputFile,
    /// Vector graphics.
    pub svg: OutputFile,
    /// Data.
    pub csv: OutputFile,
}

impl FigureFiles {
    /// `NAME.png`, `NAME.svg` and `NAME.csv` in a folder.
    pub fn new(folder: &Path, name: &str) -> Result<Self> {
        let file = |end: &str| OutputFile::new(&folder.join(format!("{name}.{end}")));
        Ok(Self { png: file("png")?, svg: file("svg")?, csv: file("csv")? })
    }

    /// All files.
    pub fn files(&self) -> [&OutputFile; 3] {
        [&self.png, &self.svg, &self.csv]
    }

    /// Draws a figure as PNG and SVG and writes its data as CSV.
    pub fn write(&self, title: &str, figure: &Figure) -> Result<()> {
        self.png.write_by_path(|path| style::write_bitmap(path, |backend| draw::draw(backend, title, figure)))?;
        self.svg.write_by_path(|path| draw::draw(SVGBackend::new(path, PLOT_SIZE), title, figure))?;
        self.csv.write(|file| write_csv(file, figure))
    }
}

/// Writes one row per point.
fn write_csv(out: &mut impl Write, figure: &Figure) -> io::Result<()> {
    for (index, panel) in figure.panels.iter().enumerate() {
        let column =
            |axis: &ChartAxis| format!("{} [{}]", axis.name, if axis.unit.is_empty() { "1" } else { axis.unit });
        if index == 0 {
            writeln!(out, "panel,curve,{},{}", column(&panel.x), column(&panel.y))?;
        }
        let panel_letter = char::from(b'a' + index as u8);
        for curve in &panel.curves {
            for (x, y) in &curve.points {
                writeln!(out, "{panel_letter},\"{}\",{x:e},{y:e}", curve.name)?;
            }
        }
    }
    Ok(())
}
