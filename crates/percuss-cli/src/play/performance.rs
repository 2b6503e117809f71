//! A live performance: engine, sound device, MIDI, OSC and recordings, from start to end.

use super::args::PlayArgs;
use super::workers::{CollectorThread, PlayerConfig, target_names};
use super::{screen, summary};
use crate::error::{CliError, Result};
use crate::loaded_scene::LoadedScene;
use crate::output::{OutputFile, confirm_overwrite};
use percuss_live::device::{DeviceError, OutputDevice, Stream};
use percuss_live::osc::OscServer;
use percuss_live::session::{SceneSource, SessionWriter};
use percuss_live::{AudioEngine, DisplacementView, EngineHandle, Meter, Player, Recording, Sinks};
use percuss_scene::instrument::Instrument;
use percuss_scene::presets;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Time between two checks of a performance without a screen.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time between two attempts to reopen a device that was disconnected.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// A running performance.
pub struct LivePerformance {
    pub handle: EngineHandle,
    pub meter: Arc<Meter>,
    pub view: Arc<DisplacementView>,
    pub collector: CollectorThread,
    pub config: PlayerConfig,
    pub output: OutputDevice,
    pub osc: Option<OscServer>,
    /// Name of the MIDI port, or why there is none.
    pub midi_status: String,
    /// The scene that was requested.
    pub scene_source: SceneSource,
    pub scene_name: String,
    /// Audio stream; `None` while the device is disconnected.
    stream: Option<Stream<AudioEngine>>,
    /// The engine while the device is disconnected, and the time of the last attempt to reopen it.
    detached_engine: Option<(AudioEngine, Instant)>,
    /// Last error reported while reopening the device.
    last_start_error: String,
    /// Xruns of earlier streams.
    earlier_xruns: u64,
    #[cfg(feature = "live")]
    midi_port: Option<percuss_live::midi_port::MidiPort>,
}

/// Error of a sound device.
pub fn device_error(error: DeviceError) -> CliError {
    CliError::with_hint(error.message, error.hint)
}

/// Text of a scene, with the path relative to which it names files.
pub fn scene_source(loaded: &LoadedScene) -> Result<SceneSource> {
    match &loaded.path {
        Some(path) => {
            let read_error = |error: io::Error| CliError::io("cannot be read", path, &error);
            let text = std::fs::read_to_string(path).map_err(read_error)?;
            let path = std::path::absolute(path).map_err(read_error)?.display().to_string();
            Ok(SceneSource { path, text })
        }
        None => {
            let text = presets::find(&loaded.name).map_or("", |preset| preset.text);
            Ok(SceneSource { path: loaded.name.clone(), text: text.to_owned() })
        }
    }
}

/// Plays a scene until the user ends it.
pub fn run(args: &PlayArgs) -> Result<()> {
    let loaded = LoadedScene::open(args.scene.as_deref())?;
    let rate = args.rate.unwrap_or(loaded.scene.sample_rate);
    let output = OutputDevice::open(&args.device_choice(), rate, args.frames).map_err(device_error)?;
    let config = PlayerConfig { rate: output.sample_rate, channels: output.channels, ledger_mode: args.ledger.into() };
    let source = scene_source(&loaded)?;
    let files = [&args.record, &args.session].map(|path| path.as_deref().map(OutputFile::new).transpose());
    let [record, session] = files;
    let (record, session) = (record?, session?);
    confirm_overwrite(&[&record, &session].into_iter().flatten().collect::<Vec<_>>())?;
    let (instrument, player) = config.build_player(&loaded.scene)?;
    let sinks = open_sinks(args, config, &source, &instrument, &player)?;
    let mut performance =
        LivePerformance::new(args, loaded.scene.name, source, output, config, (instrument, player), sinks)?;
    let on_screen = !args.plain && io::stdout().is_terminal() && io::stdin().is_terminal();
    let result = if on_screen { screen::run(&mut performance, args) } else { performance.wait(args) };
    performance.end(args).and(result)
}

/// Opens the files that are written during the performance.
fn open_sinks(
    args: &PlayArgs,
    config: PlayerConfig,
    source: &SceneSource,
    instrument: &Instrument,
    player: &Player,
) -> Result<Sinks> {
    let write_error = |path: &Path, error: io::Error| CliError::io("cannot be written", path, &error);
    let record =
        |path: &Path| Recording::create(path, config.rate, config.channels).map_err(|error| write_error(path, error));
    let session = |path: &Path| {
        let begin = || {
            let file = BufWriter::new(File::create(path)?);
            let mut log = SessionWriter::new(Box::new(file), config.rate, config.channels)?;
            log.add_scene(source, player.calibration_gain(), target_names(instrument))?;
            Ok(log)
        };
        begin().map_err(|error| write_error(path, error))
    };
    Ok(Sinks {
        recording: args.record.as_deref().map(record).transpose()?,
        session: args.session.as_deref().map(session).transpose()?,
    })
}

impl LivePerformance {
    fn new(
        args: &PlayArgs,
        scene_name: String,
        scene_source: SceneSource,
        output: OutputDevice,
        config: PlayerConfig,
        (instrument, player): (Instrument, Player),
        sinks: Sinks,
    ) -> Result<Self> {
        let parts = AudioEngine::build(instrument, player, config.rate, config.channels, sinks);
        let osc = open_osc(args, &parts.handle)?;
        #[cfg(feature = "live")]
        let (midi_status, midi_port) = open_midi(args, &parts.handle)?;
        #[cfg(not(feature = "live"))]
        let midi_status = "none".to_owned();
        let stream = output.start(parts.engine).map_err(|refused| device_error(refused.error))?;
        Ok(Self {
            handle: parts.handle,
            meter: parts.meter,
            view: parts.view,
            collector: CollectorThread::new(parts.collector),
            config,
            output,
            osc,
            midi_status,
            scene_source,
            scene_name,
            stream: Some(stream),
            detached_engine: None,
            last_start_error: String::new(),
            earlier_xruns: 0,
            #[cfg(feature = "live")]
            midi_port,
        })
    }

    /// Checks the device; reopens one that was disconnected. Returns a message about any change.
    pub fn poll_device(&mut self) -> Option<String> {
        if let Some(stream) = self.stream.take_if(|stream| stream.status.is_device_lost()) {
            self.earlier_xruns += stream.status.xruns.load(Relaxed);
            #[cfg(feature = "live")]
            if let Some(port) = self.midi_port.take() {
                port.leak_connection();
            }
            self.detached_engine = stream.stop().map(|engine| (engine, Instant::now()));
            return Some(format!("{} was disconnected; trying to reopen it", self.output.name));
        }
        let (engine, _) = self.detached_engine.take_if(|(_, since)| since.elapsed() > RETRY_INTERVAL)?;
        match self.output.start(engine) {
            Ok(stream) => {
                self.stream = Some(stream);
                self.last_start_error.clear();
                #[cfg(feature = "live")]
                self.reopen_midi();
                Some(format!("{} was reopened", self.output.name))
            }
            Err(refused) => {
                self.detached_engine = refused.source.map(|engine| (engine, Instant::now()));
                let before = std::mem::replace(&mut self.last_start_error, refused.error.message);
                (self.last_start_error != before).then(|| self.last_start_error.clone())
            }
        }
    }

    /// Reopens the virtual MIDI port, which is lost with the audio server.
    #[cfg(feature = "live")]
    fn reopen_midi(&mut self) {
        let reader = percuss_live::midi::MidiHandler::new(self.handle.clone());
        self.midi_port = percuss_live::midi_port::MidiPort::open(None, reader).ok();
        self.midi_status = self.midi_port.as_ref().map_or_else(|| "none".into(), |port| port.name.clone());
    }

    /// Number of xruns that the device has reported.
    pub fn xruns(&self) -> u64 {
        self.earlier_xruns + self.stream.as_ref().map_or(0, |stream| stream.status.xruns.load(Relaxed))
    }

    /// Runs without a screen until the end.
    fn wait(&mut self, args: &PlayArgs) -> Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let stop_flag = stop.clone();
        // Fails if an earlier performance of this process has installed a handler.
        let _ = ctrlc::set_handler(move || stop_flag.store(true, Relaxed));
        summary::print_header(self)?;
        let start = Instant::now();
        let is_over = || args.seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() >= seconds);
        while !stop.load(Relaxed) && !is_over() && !self.collector.has_failed() {
            if let Some(message) = self.poll_device() {
                writeln!(io::stderr(), "note: {message}")?;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }

    /// Stops the audio, completes the files and prints a summary.
    fn end(mut self, args: &PlayArgs) -> Result<()> {
        let xruns = self.xruns();
        let detached = self.detached_engine.take().map(|(engine, _)| engine);
        if let Some(mut engine) = self.stream.take().and_then(Stream::stop).or(detached) {
            engine.finish();
        }
        let stats = self.osc.take().map(|server| server.stats.clone()).unwrap_or_default();
        let messages = summary::MessageCounts {
            applied: stats.accepted_messages.load(Relaxed),
            rejected: stats.rejected_packets.load(Relaxed),
            dropped: self.handle.dropped_commands(),
        };
        let reading = self.meter.read();
        self.collector.finish(reading.samples)?;
        summary::print_summary(args, &reading, messages, xruns, self.config.rate)
    }
}

/// Opens the OSC port; the performance goes on without OSC if that fails.
fn open_osc(args: &PlayArgs, handle: &EngineHandle) -> Result<Option<OscServer>> {
    match OscServer::start(args.osc_socket(), handle.clone()) {
        Ok(server) => Ok(Some(server)),
        Err(error) => {
            writeln!(io::stderr(), "warning: OSC cannot listen at {}: {error}", args.osc_socket())?;
            writeln!(io::stderr(), "  hint: choose another port with --osc-port; percuss plays without OSC")?;
            Ok(None)
        }
    }
}

#[cfg(feature = "live")]
fn open_midi(args: &PlayArgs, handle: &EngineHandle) -> Result<(String, Option<percuss_live::midi_port::MidiPort>)> {
    let reader = percuss_live::midi::MidiHandler::new(handle.clone());
    match percuss_live::midi_port::MidiPort::open(args.midi.as_deref(), reader) {
        Ok(port) => Ok((port.name.clone(), Some(port))),
        // A port that was named must exist; without --midi percuss plays without MIDI.
        Err(error) if args.midi.is_some() => Err(CliError::with_hint(error, "leave out --midi, or check the name")),
        Err(error) => {
            writeln!(io::stderr(), "note: no MIDI: {error}")?;
            Ok(("none".into(), None))
        }
    }
}
