//! `--self-test`: CPU load of a scene, compared with silence and a synthetic load in the same run.
//!
//! Load is the CPU time of the callback's thread over the duration of its buffer. The time of other processes is not
//! counted, but they slow the callback down where they share caches, a physical core or the host of a virtual machine.
//! The synthetic load does the same work in every buffer: its variation is that of the machine. Xruns and late callbacks
//! depend on all processes, so they are also measured for silence.

use super::args::PlayArgs;
use super::performance::device_error;
use super::summary::percent;
use super::workers::PlayerConfig;
use crate::error::Result;
use crate::format::table;
use crate::loaded_scene::LoadedScene;
use crate::synthetic_load::SyntheticLoad;
use percuss_live::device::{AudioSource, DeviceSelector, OutputDevice, Silence, Stream};
use percuss_live::{AudioEngine, CpuTimer, Meter, MeterReading, Sinks};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Buffer sizes that are tested, unless --frames is given \[frames\].
const BUFFER_SIZES: [u32; 2] = [64, 128];
/// Duration of a test, unless --seconds is given \[s\].
const DEFAULT_SECONDS: f64 = 60.0;
/// Time between two runs of the collector.
const COLLECT_INTERVAL: Duration = Duration::from_millis(4);

/// Load of one source.
struct LoadMeasurement {
    name: String,
    frames: String,
    rate: f64,
    reading: MeterReading,
    xruns: u64,
    late_callbacks: u64,
}

impl LoadMeasurement {
    /// Median CPU time per buffer \[s\].
    fn median_time(&self) -> f64 {
        let frames = self.reading.samples as f64 / self.reading.blocks.max(1) as f64;
        self.reading.median_load * frames / self.rate
    }
}

/// An audio source whose CPU time is measured.
struct MeteredSource<S> {
    inner: S,
    meter: Arc<Meter>,
    rate: f64,
    channels: usize,
}

impl<S: AudioSource> AudioSource for MeteredSource<S> {
    fn fill(&mut self, out: &mut [f32]) {
        let watch = CpuTimer::start();
        self.inner.fill(out);
        let period = (out.len() / self.channels) as f64 / self.rate;
        self.meter.record_load(watch.elapsed().as_secs_f64() / period);
    }
}

/// Runs the test and prints the loads.
pub fn run(args: &PlayArgs) -> Result<()> {
    let source = LoadedScene::open(args.scene.as_deref())?;
    let rate = args.rate.unwrap_or(source.scene.sample_rate);
    let seconds = args.seconds.unwrap_or(DEFAULT_SECONDS);
    let mut measurements = Vec::new();
    for output in outputs(args, rate)? {
        writeln!(
            io::stderr(),
            "testing {} on {} for {seconds} s, silence and synthetic load for as long",
            source.name,
            output.name
        )?;
        measurements.push(measure_source("silence", Silence, &output, seconds)?);
        let played = measure_scene(args, &source, &output, seconds)?;
        let load = SyntheticLoad::with_duration(played.median_time());
        measurements.push(played);
        measurements.push(measure_source("synthetic load", load, &output, seconds)?);
    }
    print(&measurements)
}

/// The device with every tested buffer size that it accepts; with its default size if it accepts none.
fn outputs(args: &PlayArgs, rate: f64) -> Result<Vec<OutputDevice>> {
    let device_choice = args.device_choice();
    let sizes = args.frames.map_or_else(|| BUFFER_SIZES.to_vec(), |frames| vec![frames]);
    let open = |frames| OutputDevice::open(&device_choice, rate, frames).map_err(device_error);
    let mut accepted = Vec::new();
    for frames in sizes {
        let output = open(Some(frames))?;
        if device_choice == DeviceSelector::None || output.start(Silence).is_ok() {
            accepted.push(output);
        } else {
            writeln!(io::stderr(), "note: {} does not accept buffers of {frames} frames", output.name)?;
        }
    }
    if accepted.is_empty() {
        accepted.push(open(None)?);
    }
    Ok(accepted)
}

fn buffer_size(output: &OutputDevice) -> String {
    output.buffer_frames.map_or_else(|| "default".into(), |frames| frames.to_string())
}

fn measurement<S: AudioSource>(
    name: &str,
    output: &OutputDevice,
    meter: Arc<Meter>,
    stream: Stream<S>,
) -> LoadMeasurement {
    let (xruns, late_callbacks) = (stream.status.xruns.load(Relaxed), stream.status.late_callbacks.load(Relaxed));
    drop(stream.stop());
    LoadMeasurement {
        name: name.into(),
        frames: buffer_size(output),
        rate: output.sample_rate,
        reading: meter.read(),
        xruns,
        late_callbacks,
    }
}

/// Measures a source other than the engine.
fn measure_source(name: &str, inner: impl AudioSource, output: &OutputDevice, seconds: f64) -> Result<LoadMeasurement> {
    let meter = Arc::new(Meter::default());
    let (rate, channels) = (output.sample_rate, output.channels);
    let stream = output.start(MeteredSource { inner, meter: meter.clone(), rate, channels });
    let stream = stream.map_err(|refused| device_error(refused.error))?;
    std::thread::sleep(Duration::from_secs_f64(seconds));
    Ok(measurement(name, output, meter, stream))
}

/// Measures the engine with a scene.
fn measure_scene(
    args: &PlayArgs,
    source: &LoadedScene,
    output: &OutputDevice,
    seconds: f64,
) -> Result<LoadMeasurement> {
    let config = PlayerConfig { rate: output.sample_rate, channels: output.channels, ledger_mode: args.ledger.into() };
    let (instrument, player) = config.build_player(&source.scene)?;
    let strikes: Vec<usize> = instrument.strike_targets();
    let length = source.scene.duration;
    let mut parts = AudioEngine::build(instrument, player, config.rate, config.channels, Sinks::default());
    let stream = output.start(parts.engine).map_err(|refused| device_error(refused.error))?;
    let (start, mut strike_count) = (Instant::now(), 0_u32);
    while start.elapsed().as_secs_f64() < seconds {
        // The scene is restarted at its end and struck every second, so that it never falls silent.
        if start.elapsed().as_secs_f64() > f64::from(strike_count) {
            strike_count += 1;
            let targets = &parts.handle.active_scene().instrument.targets;
            strikes.iter().for_each(|&target| {
                parts.handle.set(target, 0.5 * targets[target].range[1]);
            });
            if f64::from(strike_count) % length.ceil() == 0.0 {
                parts.handle.set_by_name("restart", 1.0);
            }
        }
        parts.collector.collect().map_err(|failed| failed.error)?;
        std::thread::sleep(COLLECT_INTERVAL);
    }
    Ok(measurement(&source.name, output, parts.meter, stream))
}

fn print(measurements: &[LoadMeasurement]) -> Result<()> {
    let header = ["", "frames", "mean load", "median", "99 %", "99.9 %", "worst", "xruns", "late callbacks"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for measurement in measurements {
        let reading = &measurement.reading;
        let loads = [
            reading.mean_load,
            reading.median_load,
            reading.load_percentile_99,
            reading.load_percentile_99_9,
            reading.max_load,
        ];
        let mut row = vec![measurement.name.clone(), measurement.frames.clone()];
        row.extend(loads.map(percent));
        row.extend([measurement.xruns, measurement.late_callbacks].map(|count| count.to_string()));
        rows.push(row);
    }
    let mut out = io::stdout().lock();
    write!(out, "{}", table(&rows))?;
    writeln!(
        out,
        "load: CPU time of the callback's thread over the duration of a buffer; late: two periods after the last"
    )?;
    writeln!(out, "synthetic load: the same work in every buffer; its variation is that of the machine")?;
    Ok(out.flush()?)
}
