//! What the rattle adds to the sound of the bowed tromba marina.

use super::Study;
use crate::plot::style::PALETTE;
use crate::study::chart::{Axis, Curve, Figure, Kind, Look, Panel};
use crate::study::collisions::sound::{Sound, Spectrum};
use plotters::prelude::SeriesLabelPosition;

/// Describes the figure.
pub fn describe(study: &Study) -> Figure {
    let panel = |title, spectrum: fn(&Sound) -> &Spectrum| {
        let sounds = study.sounds.iter().zip([PALETTE[6], PALETTE[0], PALETTE[1]]);
        let curves = sounds.filter_map(|(sound, colour)| {
            let bands = spectrum(sound).bands();
            (!bands.is_empty()).then(|| Curve::new(sound.version.name, Look::Line, colour, bands))
        });
        Panel {
            title,
            x: Axis::new("Frequency", "Hz").of_kind(Kind::Logarithmic).within(30.0, 20_000.0),
            y: Axis::new("Level re 1 m/s", "dB").within(-160.0, -20.0),
            curves: curves.collect(),
            legend: SeriesLabelPosition::LowerLeft,
        }
    };
    let panels = vec![panel("bridge", |sound| &sound.bridge), panel("body under the bridge", |sound| &sound.body)];
    Figure { title: "spectra".into(), panels }
}
