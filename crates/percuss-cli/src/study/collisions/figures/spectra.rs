//! What the rattle adds to the sound of the bowed tromba marina.

use super::{COLOURS, Study};
use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Kind, Look, Panel};
use crate::study::collisions::bowed_spectrum::{Sound, Spectrum};
use percuss::Scheme;
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn describe(study: &Study) -> Figure {
    let panel = |title, spectrum: fn(&Sound) -> &Spectrum| {
        let curves = study.sounds.iter().filter_map(|sound| {
            let (look, colour) = match (sound.version.rattles, sound.version.scheme) {
                (false, _) => (Look::Bold, PALETTE[6]),
                (_, Scheme::Plain) => (Look::Line, COLOURS[0]),
                (_, Scheme::Tracked) => (Look::Line, COLOURS[1]),
                (_, Scheme::Newton) => (Look::Dashed, COLOURS[2]),
            };
            let bands = spectrum(sound).bands();
            (!bands.is_empty()).then(|| Curve::new(sound.version.name, look, colour, bands))
        });
        Panel {
            title,
            x: Axis::new("Frequency", "Hz").of_kind(Kind::Logarithmic).within(30.0, 20_000.0),
            y: Axis::new("Level re 1 m/s", "dB").within(-170.0, -40.0),
            curves: curves.collect(),
            legend: SeriesLabelPosition::LowerLeft,
        }
    };
    let panels = vec![panel("bridge", |sound| &sound.bridge), panel("body under the bridge", |sound| &sound.body)];
    Figure { title: "spectra".into(), panels }
}
