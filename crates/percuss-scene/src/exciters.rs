//! Reads `[[pulse]]` and `[[drive]]`.

use crate::limits::ValueLimits;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Drive, Pulse};
use std::path::Path;

pub(crate) const FORCE_LIMITS: ValueLimits = ValueLimits::new(-1e6, 1e6, "N");
pub(crate) const TIME_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e6, "s");

pub(crate) fn read_pulse(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let defaults = Pulse::default();
    let pulse = Pulse {
        time: table.number_or("time", TIME_LIMITS, defaults.time),
        duration: table.number_or("duration", ValueLimits::new(1e-6, 1e4, "s"), defaults.duration),
        peak: table.number_or("peak", FORCE_LIMITS, defaults.peak),
        width: table.number_or("width", ValueLimits::new(0.0, 1.0, ""), defaults.width),
    };
    let place = builder.path(table)?;
    if place.moves() && pulse.width > 0.0 {
        let message = "pulse.width is given, but a moving pulse acts at a point".to_owned();
        table.report("width", message, Some("remove width, or give a fixed place".to_owned()));
    }
    builder.model.pulse(place, pulse);
    Some(())
}

pub(crate) fn read_drive(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<()> {
    let place = builder.path(table);
    let gain = table.number_or("gain", FORCE_LIMITS, 1.0);
    let drive = match (table.has("force"), table.string("file")) {
        (true, Some(_)) => {
            let hint = Some("keep one of them".to_owned());
            table.report("file", "drive has both force and file".to_owned(), hint);
            return None;
        }
        (true, None) => Drive::Control(table.control("force", FORCE_LIMITS)?),
        (false, Some(file)) => {
            let path = builder.folder.join(file);
            match read_wav(&path, gain) {
                Ok(drive) => drive,
                Err(reason) => {
                    let hint = Some("give a WAV file, with its path relative to the scene file".to_owned());
                    table.report("file", format!("drive.file is {}: {reason}", path.display()), hint);
                    return None;
                }
            }
        }
        (false, None) => {
            let hint = "add force = { time = [0.0, 0.1], value = [0.0, 1.0] } or file = \"force.wav\"".to_owned();
            table.report("force", "drive has neither force nor file".to_owned(), Some(hint));
            return None;
        }
    };
    builder.model.drive(place?, drive);
    Some(())
}

/// First channel of a WAV file as a force; full scale is `gain` newtons.
fn read_wav(path: &Path, gain: f64) -> Result<Drive, String> {
    let mut reader = hound::WavReader::open(path).map_err(|error| match error {
        hound::Error::IoError(error) => error.to_string(),
        other => format!("not a WAV file ({other})"),
    })?;
    let spec = reader.spec();
    let channels = usize::from(spec.channels.max(1));
    let full_scale = match spec.sample_format {
        hound::SampleFormat::Float => 1.0,
        hound::SampleFormat::Int => 2_f64.powi(i32::from(spec.bits_per_sample) - 1),
    };
    let values: Result<Vec<f64>, hound::Error> = match spec.sample_format {
        hound::SampleFormat::Float => {
            reader.samples::<f32>().step_by(channels).map(|sample| Ok(f64::from(sample?) * gain)).collect()
        }
        hound::SampleFormat::Int => {
            reader.samples::<i32>().step_by(channels).map(|sample| Ok(f64::from(sample?) / full_scale * gain)).collect()
        }
    };
    let values = values.map_err(|error| format!("damaged WAV file ({error})"))?;
    if values.iter().any(|value| !value.is_finite()) {
        return Err("the WAV file holds values that are not finite".to_owned());
    }
    Ok(Drive::Samples { rate: f64::from(spec.sample_rate), values })
}
