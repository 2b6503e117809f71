//! Regime map over bow force and position, with Schelleng's limits.

use crate::plot::style::PALETTE;
use crate::study::chart::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::tromba::TrombaResults;
use crate::study::tromba::motion::Regime;
use crate::study::tromba::schelleng::{RegimeMap, schelleng_upper_constant};
use crate::study::tromba::stroke::InitialState;
use plotters::prelude::{RGBColor, SeriesLabelPosition};

/// Range of β of the theoretical limits.
const BETA_RANGE: [f64; 2] = [0.013, 0.5];

/// Describes the figure.
pub fn figure(study: &TrombaResults) -> Figure {
    // Only the map from Helmholtz motion determines the lower limit; both panels show the same lines.
    let lower = study.maps.iter().find(|map| map.initial_state == InitialState::Helmholtz).and_then(RegimeMap::lower);
    let panel = |map: &RegimeMap| {
        let title = match map.initial_state {
            InitialState::Rest => "from rest",
            InitialState::Helmholtz => "from Helmholtz motion",
        };
        let mut curves: Vec<Curve> = Regime::ALL.map(|regime| regime_dots(map, regime)).into();
        let line = |constant: f64, power: i32| BETA_RANGE.map(|beta| (beta, constant / beta.powi(power))).to_vec();
        curves.push(Curve::new("2Zv/β", LineStyle::Thin, PALETTE[6], line(schelleng_upper_constant(), 1)));
        curves.extend(lower.map(|lower| Curve::new("~ 1/β²", LineStyle::Dashed, PALETTE[6], line(lower.constant, 2))));
        ChartPanel {
            title,
            x: ChartAxis::new("Bow to bridge over sounding length, β", "")
                .with_scale(AxisScale::Logarithmic)
                .with_range(0.01, 1.0),
            y: ChartAxis::new("Bow force", "N").with_scale(AxisScale::Logarithmic).with_range(3e-4, 30.0),
            curves,
            legend: SeriesLabelPosition::LowerLeft,
        }
    };
    Figure { title: "schelleng".into(), panels: study.maps.iter().map(panel).collect() }
}

fn regime_dots(map: &RegimeMap, regime: Regime) -> Curve {
    let (name, colour): (_, RGBColor) = match regime {
        Regime::Helmholtz => ("Helmholtz motion", PALETTE[0]),
        Regime::Slipping => ("several slips or hardly any sticking", PALETTE[5]),
        Regime::Raucous => ("raucous", PALETTE[1]),
    };
    let cells = map.cells().filter(|cell| cell.motion.regime() == regime);
    Curve::new(name, LineStyle::Dots, colour, cells.map(|cell| (cell.stroke.beta, cell.stroke.force)).collect())
}
