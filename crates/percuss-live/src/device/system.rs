//! A device of the system, through cpal: ALSA, PipeWire, CoreAudio or WASAPI.

use super::{
    AudioSource, Backend, BackendStream, DeviceError, DeviceSelector, OutputDevice, ReturnOnDrop, StreamClock,
    StreamStatus,
};
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, Device, ErrorKind, FromSample, SampleFormat, SizedSample, StreamConfig};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Maximum number of frames that are converted at once.
const MAX_FRAMES: usize = 1 << 14;

/// A device and its configuration.
pub(super) struct SystemDevice {
    device: Device,
    config: StreamConfig,
    format: SampleFormat,
}

/// A running stream; stops when dropped.
pub(super) struct RunningStream(cpal::Stream);

/// Time for the last callback to end before the stream is closed.
const DRAIN_TIME: Duration = Duration::from_millis(50);

impl BackendStream for RunningStream {}

impl Drop for RunningStream {
    fn drop(&mut self) {
        // A server may cancel the thread of its callback. If that were inside a step, the cancellation would unwind Rust
        // frames, which aborts the program.
        let _ = self.0.pause();
        std::thread::sleep(DRAIN_TIME);
    }
}

impl SystemDevice {
    pub fn open(
        selector: &DeviceSelector,
        sample_rate: f64,
        buffer_frames: Option<u32>,
    ) -> Result<OutputDevice, DeviceError> {
        let device = find(selector)?;
        let name = device.description().map_or_else(|_| "unnamed device".into(), |text| text.name().to_owned());
        let default = device.default_output_config().map_err(|error| device_error(&name, &error))?;
        // The requested rate if the device supports it, else its default rate.
        let ranges = device.supported_output_configs().map_err(|error| device_error(&name, &error))?;
        let requested = sample_rate as u32;
        let is_supported = ranges.into_iter().any(|range| {
            let rates = range.min_sample_rate()..=range.max_sample_rate();
            range.channels() == default.channels()
                && range.sample_format() == default.sample_format()
                && rates.contains(&requested)
        });
        let sample_rate = if is_supported { requested } else { default.sample_rate() };
        let buffer_size = buffer_frames.map_or(BufferSize::Default, BufferSize::Fixed);
        let config = StreamConfig { channels: default.channels(), sample_rate, buffer_size };
        let system_device = Self { device, config, format: default.sample_format() };
        let channels = usize::from(default.channels());
        let backend = Backend::System(Box::new(system_device));
        Ok(OutputDevice { name, sample_rate: f64::from(sample_rate), channels, buffer_frames, backend })
    }

    pub fn start<S: AudioSource>(
        &self,
        device: &OutputDevice,
        source: ReturnOnDrop<S>,
        status: Arc<StreamStatus>,
        clock: Arc<StreamClock>,
    ) -> Result<RunningStream, DeviceError> {
        let stream = match self.format {
            SampleFormat::F32 => self.build::<f32, S>(source, status, clock),
            SampleFormat::F64 => self.build::<f64, S>(source, status, clock),
            SampleFormat::I16 => self.build::<i16, S>(source, status, clock),
            SampleFormat::I32 => self.build::<i32, S>(source, status, clock),
            SampleFormat::U8 => self.build::<u8, S>(source, status, clock),
            SampleFormat::U16 => self.build::<u16, S>(source, status, clock),
            other => {
                let message = format!("{} needs the sample format {other}, which is not supported", device.name);
                return Err(DeviceError::new(message, "choose another device with --device"));
            }
        };
        let stream = stream.map_err(|error| device_error(&device.name, &error))?;
        stream.play().map_err(|error| device_error(&device.name, &error))?;
        Ok(RunningStream(stream))
    }

    fn build<T, S>(
        &self,
        mut source: ReturnOnDrop<S>,
        status: Arc<StreamStatus>,
        clock: Arc<StreamClock>,
    ) -> Result<cpal::Stream, cpal::Error>
    where
        T: SizedSample + FromSample<f32>,
        S: AudioSource,
    {
        let channels = usize::from(self.config.channels);
        let rate = f64::from(self.config.sample_rate);
        let mut buffer = vec![0.0_f32; MAX_FRAMES * channels];
        let mut previous: Option<Instant> = None;
        let callback_status = status.clone();
        let fill = move |out: &mut [T], _: &cpal::OutputCallbackInfo| {
            let period = Duration::from_secs_f64((out.len() / channels) as f64 / rate);
            let now = Instant::now();
            if previous.is_some_and(|previous| now - previous > 2 * period) {
                callback_status.count_late_callback();
            }
            previous = Some(now);
            clock.record(clock.nanoseconds(now), source.sample_time(), (out.len() / channels) as u64, rate);
            for part in out.chunks_mut(buffer.len()) {
                let samples = &mut buffer[..part.len()];
                source.fill(samples);
                part.iter_mut().zip(samples).for_each(|(out, sample)| *out = T::from_sample(*sample));
            }
        };
        let on_error = move |error: cpal::Error| match error.kind() {
            ErrorKind::Xrun => status.count_xrun(),
            ErrorKind::DeviceChanged | ErrorKind::RealtimeDenied => {}
            _ => status.device_lost.store(true, Relaxed),
        };
        self.device.build_output_stream(self.config, fill, on_error, None)
    }
}

fn find(selector: &DeviceSelector) -> Result<Device, DeviceError> {
    let no_device = || {
        DeviceError::new(
            "no audio device was found",
            "connect one, start a JACK server and use --device jack, or use --device none",
        )
    };
    match selector {
        DeviceSelector::Named(part) => {
            let host = cpal::default_host();
            let devices = host.output_devices().map_err(|_| no_device())?;
            let named: Vec<(String, Device)> =
                devices.filter_map(|device| Some((device.description().ok()?.name().to_owned(), device))).collect();
            let names: Vec<String> = named.iter().map(|(name, _)| name.clone()).collect();
            let found = named.into_iter().find(|(name, _)| name.to_lowercase().contains(&part.to_lowercase()));
            found.map(|(_, device)| device).ok_or_else(|| {
                let known = if names.is_empty() {
                    "there are none".into()
                } else {
                    format!("known devices: {}", names.join(", "))
                };
                DeviceError::new(format!("no audio device has a name that contains \"{part}\""), known)
            })
        }
        _ => cpal::default_host().default_output_device().ok_or_else(no_device),
    }
}

fn device_error(name: &str, error: &cpal::Error) -> DeviceError {
    let hint = match error.kind() {
        ErrorKind::DeviceBusy => "close the program that uses it, or choose another device with --device",
        ErrorKind::UnsupportedConfig => "omit --frames: the device or its server sets the buffer size",
        ErrorKind::PermissionDenied => "you may need to be a member of the group audio",
        _ => "choose another device with --device, or use --device none",
    };
    DeviceError::new(format!("{name}: {error}"), hint)
}
