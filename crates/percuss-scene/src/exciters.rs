//! Tables that describe forces from outside: pulse, drive.

use crate::build::Builder;
use crate::fields::Fields;
use crate::limits::{Limits, within};
use percuss::{Drive, Pulse};
use std::path::Path;

const FORCE: Limits = within(-1e6, 1e6, "N");
const TIME: Limits = within(0.0, 1e6, "s");

pub(crate) fn pulse(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<()> {
    let usual = Pulse::default();
    let pulse = Pulse {
        time: fields.number_or("time", TIME, usual.time),
        duration: fields.number_or("duration", within(1e-6, 1e4, "s"), usual.duration),
        peak: fields.number_or("peak", FORCE, usual.peak),
        width: fields.number_or("width", within(0.0, 1.0, ""), usual.width),
    };
    let place = builder.path(fields)?;
    if place.moves() && pulse.width > 0.0 {
        let message = "pulse.width is given, but a pulse that moves acts at a point".to_owned();
        fields.complain("width", message, Some("drop width, or let at stand still".to_owned()));
    }
    builder.model.pulse(place, pulse);
    Some(())
}

pub(crate) fn drive(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<()> {
    let place = builder.path(fields);
    let gain = fields.number_or("gain", FORCE, 1.0);
    let drive = match (fields.has("force"), fields.text("file")) {
        (true, Some(_)) => {
            let hint = Some("keep one of them".to_owned());
            fields.complain("file", "drive has both force and file".to_owned(), hint);
            return None;
        }
        (true, None) => Drive::Control(fields.control("force", FORCE)?),
        (false, Some(file)) => {
            let path = builder.folder.join(file);
            match samples(&path, gain) {
                Ok(drive) => drive,
                Err(reason) => {
                    let hint = Some("give a WAV file, with its path from the scene file".to_owned());
                    fields.complain("file", format!("drive.file is {}: {reason}", path.display()), hint);
                    return None;
                }
            }
        }
        (false, None) => {
            let hint = "add force = { time = [0.0, 0.1], value = [0.0, 1.0] } or file = \"force.wav\"".to_owned();
            fields.complain("force", "drive has neither force nor file".to_owned(), Some(hint));
            return None;
        }
    };
    builder.model.drive(place?, drive);
    Some(())
}

/// First channel of a WAV file; full scale is `gain` newtons.
fn samples(path: &Path, gain: f64) -> Result<Drive, String> {
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
