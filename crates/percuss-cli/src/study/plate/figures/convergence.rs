//! Convergence of modes to the literature with refined grids.

use crate::plot::style::PALETTE;
use crate::study::chart::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::plate::PlateResults;
use crate::study::plate::cases::{DISC_GRIDS, FREE_GRIDS};
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn figure(study: &PlateResults) -> Figure {
    let free: Vec<Curve> = [(1, "mode 1"), (2, "mode 2"), (3, "mode 3"), (6, "mode 6")]
        .into_iter()
        .enumerate()
        .map(|(index, (mode, name))| curve(study, name, index, "free", &FREE_GRIDS, mode))
        .collect();
    let disc: Vec<Curve> = [(1, "mode (0,1)"), (2, "mode (1,1)"), (6, "mode (0,2)")]
        .into_iter()
        .enumerate()
        .map(|(index, (mode, name))| curve(study, name, index, "circle", &DISC_GRIDS, mode))
        .collect();
    let panel = |title, name, curves: Vec<Curve>, ends: [f64; 2], order: i32| {
        let most = curves.iter().flat_map(|curve| &curve.points).fold(0.0_f64, |most, point| most.max(point.1));
        let slope = ends.map(|x| (x, 2.0 * most * (ends[0] / x).powi(order)));
        let guide = Curve::guide(if order == 2 { "second order" } else { "first order" }, slope.to_vec());
        ChartPanel {
            title,
            x: ChartAxis::new(name, "").with_scale(AxisScale::Logarithmic).with_range(6.0, 150.0),
            y: ChartAxis::new("Error", "%").with_scale(AxisScale::Logarithmic).with_range(0.02, 40.0),
            curves: curves.into_iter().chain([guide]).collect(),
            legend: SeriesLabelPosition::LowerLeft,
        }
    };
    let ends = |grids: &[usize]| [grids[0] as f64, grids[grids.len() - 1] as f64];
    Figure {
        title: "convergence".into(),
        panels: vec![
            panel("free square", "Intervals along the side", free, ends(&FREE_GRIDS), 2),
            panel("disc clamped by touch", "Intervals in the diameter", disc, ends(&DISC_GRIDS), 1),
        ],
    }
}

fn curve(study: &PlateResults, name: &str, index: usize, case: &str, grids: &[usize], mode: usize) -> Curve {
    let error = |&intervals: &usize| {
        let case = format!("{case}-{intervals}");
        let found = study.rows(&case).find(|row| row.mode == mode).map(|row| row.error().abs());
        found.map(|error| (intervals as f64, error))
    };
    Curve::new(name, LineStyle::Marked, PALETTE[index], grids.iter().filter_map(error).collect())
}
