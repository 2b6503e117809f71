//! Figure 4: impulse responses of a plate without felt, with a small and with a large region of felt.

use crate::plot::style::{PALETTE, TEXT_COLOUR};
use crate::study::chart::{ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::plate::partials::RATE;
use crate::study::plate::presets;
use plotters::prelude::{RGBColor, SeriesLabelPosition};

/// Line of the preset for the large region; its centre and the plate's sides \[m\].
const LARGE_REGION_LINE: &str = "size = [0.06, 0.12]";
const REGION_CENTRE: [f64; 2] = [0.2 * 0.3, 0.5 * 0.2];
const PLATE_SIZE: [f64; 2] = [0.3, 0.2];
const LARGE_REGION_SIZE: [f64; 2] = [0.06, 0.12];
const SMALL_REGION_SIZE: [f64; 2] = [0.02, 0.04];
/// Plotted duration \[s\].
const PLOTTED_SECONDS: f64 = 0.6;
/// Number of columns with minimum and maximum.
const COLUMNS: usize = 500;

/// Describes the figure.
pub fn figure() -> Figure {
    let none = response(&[("damping = 1000", "damping = 1000\npressure = 0.0")]);
    let small = response(&[(LARGE_REGION_LINE, "size = [0.02, 0.04]")]);
    let large = response(&[]);
    let names: [(&str, RGBColor); 3] = [("no felt", PALETTE[6]), ("small", PALETTE[0]), ("large", PALETTE[1])];
    let curve = |index: usize, points| Curve::new(names[index].0, LineStyle::Thin, names[index].1, points);
    let middle = PLATE_SIZE.map(|side| 0.5 * side);
    let regions = vec![
        Curve::new("plate", LineStyle::Bold, TEXT_COLOUR, rectangle(middle, PLATE_SIZE)),
        curve(1, rectangle(REGION_CENTRE, SMALL_REGION_SIZE)),
        curve(2, rectangle(REGION_CENTRE, LARGE_REGION_SIZE)),
    ];
    let panel = |title, x, y, curves| ChartPanel { title, x, y, curves, legend: SeriesLabelPosition::UpperRight };
    // Ranges with the same scale on both axes.
    let (left, right) = ((-0.02, 0.32), (-0.09, 0.29));
    Figure {
        title: "damping over regions".into(),
        panels: vec![
            panel(
                "regions",
                ChartAxis::new("x", "m").with_range(left.0, left.1),
                ChartAxis::new("y", "m").with_range(right.0, right.1),
                regions,
            ),
            panel(
                "impulse responses",
                ChartAxis::new("Time", "s"),
                ChartAxis::new("Velocity", "m/s"),
                vec![curve(0, none), curve(1, small), curve(2, large)],
            ),
        ],
    }
}

fn rectangle(centre: [f64; 2], size: [f64; 2]) -> Vec<(f64, f64)> {
    let corner = |x: f64, y: f64| (centre[0] + 0.5 * x * size[0], centre[1] + 0.5 * y * size[1]);
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)]
}

/// Velocity at the pickup: minimum and maximum of every column.
fn response(changes: &[(&str, &str)]) -> Vec<(f64, f64)> {
    let signal = presets::pickup_signal(
        &presets::modified_preset("regional-damping", changes),
        (PLOTTED_SECONDS * RATE) as usize,
    );
    let width = signal.len() / COLUMNS;
    let extremes = |(index, column): (usize, &[f64])| {
        let time = (index as f64 + 0.5) * width as f64 / RATE;
        let [least, most] = [f64::min, f64::max].map(|pick| column.iter().copied().fold(column[0], pick));
        [(time, least), (time, most)]
    };
    signal.chunks(width).enumerate().flat_map(extremes).collect()
}
