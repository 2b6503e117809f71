//! Spectra of the bowed tromba marina with and without contact of bridge and body.

use super::{CollisionResults, SCHEME_COLOURS};
use crate::plot::style::PALETTE;
use crate::study::chart::{AxisScale, ChartAxis, ChartPanel, Curve, Figure, LineStyle};
use crate::study::collisions::bowed_spectrum::{BowedSound, PowerSpectrum};
use percuss::Scheme;
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn figure(study: &CollisionResults) -> Figure {
    let panel = |title, spectrum: fn(&BowedSound) -> &PowerSpectrum| {
        let curves = study.sounds.iter().filter_map(|sound| {
            let (look, colour) = match (sound.variant.rattles, sound.variant.scheme) {
                (false, _) => (LineStyle::Bold, PALETTE[6]),
                (_, Scheme::Plain) => (LineStyle::Thin, SCHEME_COLOURS[0]),
                (_, Scheme::Tracked) => (LineStyle::Thin, SCHEME_COLOURS[1]),
                (_, Scheme::Newton) => (LineStyle::Dashed, SCHEME_COLOURS[2]),
            };
            let levels = spectrum(sound).band_levels();
            (!levels.is_empty()).then(|| Curve::new(sound.variant.name, look, colour, levels))
        });
        ChartPanel {
            title,
            x: ChartAxis::new("Frequency", "Hz").with_scale(AxisScale::Logarithmic).with_range(30.0, 20_000.0),
            y: ChartAxis::new("Level re 1 m/s", "dB").with_range(-170.0, -40.0),
            curves: curves.collect(),
            legend: SeriesLabelPosition::LowerLeft,
        }
    };
    let panels = vec![panel("bridge", |sound| &sound.bridge), panel("body below the bridge", |sound| &sound.body)];
    Figure { title: "spectra".into(), panels }
}
