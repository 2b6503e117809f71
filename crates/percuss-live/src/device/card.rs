//! A device of the machine: ALSA, PipeWire, JACK, CoreAudio or WASAPI, whatever there is.

use super::{Choice, DeviceError, Health, Kind, Loan, Output, Source};
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, Device, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Most frames a device asks for at once: what it converts into is sized by it.
const MOST_FRAMES: usize = 1 << 14;

/// A device and how it is set.
pub(super) struct Card {
    device: Device,
    config: StreamConfig,
    format: SampleFormat,
}

/// A device that plays; ends when dropped.
pub(super) struct Playing(cpal::Stream);

/// How long a last callback may take before the stream is closed.
const LAST_CALL: Duration = Duration::from_millis(50);

impl Drop for Playing {
    fn drop(&mut self) {
        // JACK ends its thread wherever it is. It must not be in the middle of a step then: unwinding a thread that is
        // cancelled through our frames would end the program.
        let _ = self.0.pause();
        std::thread::sleep(LAST_CALL);
    }
}

impl Card {
    pub fn open(choice: &Choice, rate: f64, frames: Option<u32>) -> Result<Output, DeviceError> {
        let device = find(choice)?;
        let name = device.description().map_or_else(|_| "a device".into(), |text| text.name().to_owned());
        let usual = device.default_output_config().map_err(|error| refused(&name, &error))?;
        // The scene's rate where the device has it, else the device's own: the scene is compiled for that.
        let ranges = device.supported_output_configs().map_err(|error| refused(&name, &error))?;
        let wanted = rate as u32;
        let fits = ranges.into_iter().any(|range| {
            let rates = range.min_sample_rate()..=range.max_sample_rate();
            range.channels() == usual.channels()
                && range.sample_format() == usual.sample_format()
                && rates.contains(&wanted)
        });
        let sample_rate = if fits { wanted } else { usual.sample_rate() };
        let buffer_size = frames.map_or(BufferSize::Default, BufferSize::Fixed);
        let config = StreamConfig { channels: usual.channels(), sample_rate, buffer_size };
        let card = Self { device, config, format: usual.sample_format() };
        let channels = usize::from(usual.channels());
        Ok(Output { name, rate: f64::from(sample_rate), channels, frames, kind: Kind::Card(Box::new(card)) })
    }

    pub fn start<S: Source>(
        &self,
        output: &Output,
        loan: Loan<S>,
        health: Arc<Health>,
    ) -> Result<Playing, DeviceError> {
        let stream = match self.format {
            SampleFormat::F32 => self.build::<f32, S>(loan, health),
            SampleFormat::F64 => self.build::<f64, S>(loan, health),
            SampleFormat::I16 => self.build::<i16, S>(loan, health),
            SampleFormat::I32 => self.build::<i32, S>(loan, health),
            SampleFormat::U8 => self.build::<u8, S>(loan, health),
            SampleFormat::U16 => self.build::<u16, S>(loan, health),
            other => {
                let message = format!("{} wants samples as {other}, which percuss cannot make", output.name);
                return Err(DeviceError::new(message, "choose another with --device"));
            }
        };
        let stream = stream.map_err(|error| refused(&output.name, &error))?;
        stream.play().map_err(|error| refused(&output.name, &error))?;
        Ok(Playing(stream))
    }

    fn build<T, S>(&self, mut loan: Loan<S>, health: Arc<Health>) -> Result<cpal::Stream, cpal::Error>
    where
        T: SizedSample + FromSample<f32>,
        S: Source,
    {
        let channels = usize::from(self.config.channels);
        let rate = f64::from(self.config.sample_rate);
        let mut buffer = vec![0.0_f32; MOST_FRAMES * channels];
        let mut last: Option<Instant> = None;
        let seen = health.clone();
        let fill = move |out: &mut [T], _: &cpal::OutputCallbackInfo| {
            let period = Duration::from_secs_f64((out.len() / channels) as f64 / rate);
            let now = Instant::now();
            if last.is_some_and(|last| now - last > 2 * period) {
                seen.note_late();
            }
            last = Some(now);
            for part in out.chunks_mut(buffer.len()) {
                let samples = &mut buffer[..part.len()];
                loan.fill(samples);
                part.iter_mut().zip(samples).for_each(|(out, sample)| *out = T::from_sample(*sample));
            }
        };
        let report = move |error: cpal::Error| match error.kind() {
            ErrorKind::Xrun => health.note_xrun(),
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            _ => health.lost.store(true, Relaxed),
        };
        self.device.build_output_stream(self.config, fill, report, None)
    }
}

fn find(choice: &Choice) -> Result<Device, DeviceError> {
    let no_jack = |error: cpal::Error| {
        DeviceError::new(format!("no JACK server answers: {error}"), "start one, for instance `jackd -d dummy`")
    };
    let none = || {
        DeviceError::new(
            "no sound device was found",
            "plug one in, start a JACK server and use --device jack, or play with --device none",
        )
    };
    match choice {
        #[cfg(any(target_os = "linux", target_os = "freebsd", target_os = "netbsd", target_os = "dragonfly"))]
        Choice::Jack => {
            let host = cpal::host_from_id(cpal::HostId::Jack).map_err(no_jack)?;
            host.default_output_device().ok_or_else(|| no_jack(ErrorKind::DeviceNotAvailable.into()))
        }
        Choice::Named(part) => {
            let host = cpal::default_host();
            let devices = host.output_devices().map_err(|_| none())?;
            let named: Vec<(String, Device)> =
                devices.filter_map(|device| Some((device.description().ok()?.name().to_owned(), device))).collect();
            let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
            let found = named.into_iter().find(|(name, _)| name.to_lowercase().contains(&part.to_lowercase()));
            found.map(|(_, device)| device).ok_or_else(|| {
                let known =
                    if names.is_empty() { "there is none".into() } else { format!("known: {}", names.join(", ")) };
                DeviceError::new(format!("no sound device is called \"{part}\""), known)
            })
        }
        _ => cpal::default_host().default_output_device().ok_or_else(none),
    }
}

fn refused(name: &str, error: &cpal::Error) -> DeviceError {
    let hint = match error.kind() {
        ErrorKind::DeviceBusy => "end the program that uses it, or choose another with --device",
        ErrorKind::UnsupportedConfig => "leave out --frames: the device, or the server behind it, decides on them",
        ErrorKind::PermissionDenied => "you may have to be a member of the group audio",
        _ => "choose another with --device, or play with --device none",
    };
    DeviceError::new(format!("{name}: {error}"), hint)
}
