//! A live performance: engine, sound device, MIDI, OSC and recordings, from start to end.

use super::args::PlayArgs;
#[cfg(feature = "live")]
use super::midi_input::MidiInput;
use super::scene_loader::SceneLoader;
use super::workers::{CollectorThread, PlayerConfig, target_names};
use super::{screen, summary};
use crate::error::{CliError, Result};
use crate::loaded_scene::LoadedScene;
use crate::output::{OutputFile, refuse_overwrite};
use percuss_live::device::{DeviceError, OutputDevice, Stream};
use percuss_live::osc::OscServer;
use percuss_live::session::{SceneSource, SessionWriter};
use percuss_live::{AudioEngine, DisplacementView, EngineHandle, Meter, Player, Recording, SinkError, Sinks};
use percuss_scene::instrument::{Instrument, TargetAction};
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
    pub scenes: SceneLoader,
    pub scene_name: String,
    args: PlayArgs,
    /// Audio stream; `None` while the device is disconnected.
    stream: Option<Stream<AudioEngine>>,
    /// The engine while the device is disconnected, and the time of the last attempt to reopen it.
    detached_engine: Option<(AudioEngine, Instant)>,
    /// Energy cut-outs that were reported.
    reported_cut_outs: u64,
    /// Last error reported while reopening the device.
    last_start_error: String,
    /// Files that could not be written to their end.
    file_errors: Vec<SinkError>,
    /// Set by a signal that ends the program, or by the terminal being closed.
    stop: Arc<AtomicBool>,
    /// Xruns of earlier streams.
    earlier_xruns: u64,
    #[cfg(feature = "live")]
    midi: MidiInput,
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
pub fn run(args: &PlayArgs, force: bool) -> Result<()> {
    let loaded = LoadedScene::open(args.scene.as_deref())?;
    let rate = args.rate.unwrap_or(loaded.scene.sample_rate);
    let output = OutputDevice::open(&args.device_choice(), rate, args.frames).map_err(device_error)?;
    let config = PlayerConfig { rate: output.sample_rate, channels: output.channels, ledger_mode: args.ledger.into() };
    let source = scene_source(&loaded)?;
    let files = [&args.record, &args.session].map(|path| path.as_deref().map(OutputFile::new).transpose());
    let [record, session] = files;
    let (record, session) = (record?, session?);
    if let (Some(record), Some(path)) = (&record, &args.session)
        && record.is_same_file(path)
    {
        let message = format!("{}: is both the recording and the session", path.display());
        return Err(CliError::Usage { message, hint: "name two files".into() });
    }
    refuse_overwrite(&[&record, &session].into_iter().flatten().collect::<Vec<_>>(), force)?;
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
        #[cfg_attr(not(feature = "live"), expect(unused_mut, reason = "MIDI takes the messages of the stream"))]
        let mut stream = output.start(parts.engine).map_err(|refused| device_error(refused.error))?;
        #[cfg(feature = "live")]
        let midi = open_midi(args, &parts.handle, &mut stream, config.rate)?;
        Ok(Self {
            handle: parts.handle,
            meter: parts.meter,
            view: parts.view,
            collector: CollectorThread::new(parts.collector),
            config,
            output,
            osc,
            scenes: SceneLoader::new(scene_source),
            scene_name,
            args: args.clone(),
            stream: Some(stream),
            detached_engine: None,
            reported_cut_outs: 0,
            last_start_error: String::new(),
            file_errors: Vec::new(),
            stop: stop_flag(),
            earlier_xruns: 0,
            #[cfg(feature = "live")]
            midi,
        })
    }

    /// Name of the MIDI port, or "none".
    pub fn midi_status(&self) -> &str {
        #[cfg(feature = "live")]
        return &self.midi.status;
        #[cfg(not(feature = "live"))]
        return "none";
    }

    /// Name of the device; that of the client, where an audio server gives one.
    pub fn device_name(&self) -> String {
        let client = self.stream.as_ref().and_then(Stream::client_name);
        client.map_or_else(|| self.output.name.clone(), |client| format!("{} as {client}", self.output.name))
    }

    /// What is wrong as long as it is.
    pub fn standing_warning(&self) -> Option<String> {
        if self.stream.is_none() {
            return Some(format!("{} is gone; percuss looks for it every second", self.output.name));
        }
        self.file_errors.first().map(ToString::to_string)
    }

    /// Whether a signal asked the program to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Checks files and device. Returns a message about any change.
    pub fn poll(&mut self) -> Option<String> {
        if let Some(error) = self.collector.next_error() {
            let message = format!("{error}; the performance goes on");
            self.file_errors.push(error);
            return Some(message);
        }
        if std::mem::replace(&mut self.reported_cut_outs, self.meter.cut_outs()) < self.meter.cut_outs() {
            return Some("cut out: the scene held more energy than it was given, and was restarted".into());
        }
        self.poll_device().or_else(|| self.poll_scenes())
    }

    /// Goes on with loading scenes, also those that program changes request. Returns a message about any change.
    fn poll_scenes(&mut self) -> Option<String> {
        if let Some(program) = self.handle.take_program_request() {
            return Some(self.scenes.request_preset(program.into()));
        }
        Some(match self.scenes.poll(self.config, &self.handle, &self.collector)? {
            Ok(name) => {
                self.scene_name.clone_from(&name);
                format!("playing {name}")
            }
            Err(failure) => failure.to_string(),
        })
    }

    /// Checks the device; reopens one that was disconnected. Returns a message about any change.
    fn poll_device(&mut self) -> Option<String> {
        if let Some(stream) = self.stream.take_if(|stream| stream.status.is_device_lost()) {
            self.earlier_xruns += stream.status.xruns.load(Relaxed);
            #[cfg(feature = "live")]
            self.midi.abandon();
            self.detach(stream.stop());
            return Some(format!("{} was disconnected; trying to reopen it", self.output.name));
        }
        #[cfg(feature = "live")]
        if let Some(stream) = &self.stream {
            return self.midi.poll(stream);
        }
        let (engine, _) = self.detached_engine.take_if(|(_, since)| since.elapsed() > RETRY_INTERVAL)?;
        let error = match self.reopen(engine) {
            Ok(()) => {
                self.last_start_error.clear();
                return Some(format!("{} was reopened at {} Hz", self.output.name, self.config.rate));
            }
            Err(error) => error,
        };
        let before = std::mem::replace(&mut self.last_start_error, error);
        (self.last_start_error != before).then(|| self.last_start_error.clone())
    }

    /// Keeps the engine until the next attempt to reopen the device.
    fn detach(&mut self, engine: Option<AudioEngine>) {
        self.detached_engine = engine.map(|engine| (engine, Instant::now()));
    }

    /// Opens the device again, which may now run at another rate. After an error the engine is kept.
    fn reopen(&mut self, engine: AudioEngine) -> std::result::Result<(), String> {
        let output = match OutputDevice::open(&self.args.device_choice(), self.config.rate, self.args.frames) {
            Ok(output) => output,
            Err(error) => {
                self.detach(Some(engine));
                return Err(error.message);
            }
        };
        let is_same = (output.sample_rate, output.channels) == (self.config.rate, self.config.channels);
        let engine = if is_same {
            engine
        } else {
            match self.rebuild(&output) {
                Ok(rebuilt) => rebuilt,
                Err(error) => {
                    self.detach(Some(engine));
                    return Err(error.to_string());
                }
            }
        };
        self.output = output;
        #[cfg_attr(not(feature = "live"), expect(unused_mut, reason = "MIDI takes the messages of the stream"))]
        let mut stream = match self.output.start(engine) {
            Ok(stream) => stream,
            Err(refused) => {
                self.detach(refused.source);
                return Err(refused.error.message);
            }
        };
        #[cfg(feature = "live")]
        {
            // A port that is not there yet is connected later.
            let wanted = self.args.midi.as_deref();
            self.midi = MidiInput::open(wanted, &self.handle, &mut stream, self.config.rate).0;
        }
        self.stream = Some(stream);
        Ok(())
    }

    /// Builds the engine for another device: the same scene and the values that were set. Files that are being written
    /// have one rate: they are completed, and new ones begin.
    fn rebuild(&mut self, output: &OutputDevice) -> Result<AudioEngine> {
        let config = PlayerConfig { rate: output.sample_rate, channels: output.channels, ..self.config };
        let source = self.scenes.playing().clone();
        let scene = percuss_scene::parse(&source.text, &source.path).map_err(CliError::Scene)?;
        let (instrument, player) = config.build_player(&scene)?;
        let args = self.args.for_next_part();
        let sinks = open_sinks(&args, config, &source, &instrument, &player)?;
        let parts = AudioEngine::build(instrument, player, config.rate, config.channels, sinks);
        copy_values(&self.handle, &parts.handle);
        let collector = std::mem::replace(&mut self.collector, CollectorThread::new(parts.collector));
        self.file_errors.extend(collector.finish(self.meter.samples())?);
        // The port is free once the old server is dropped.
        self.osc = None;
        self.osc = open_osc(&args, &parts.handle)?;
        (self.handle, self.meter, self.view, self.config) = (parts.handle, parts.meter, parts.view, config);
        Ok(parts.engine)
    }

    /// Number of xruns that the device has reported.
    pub fn xruns(&self) -> u64 {
        self.earlier_xruns + self.stream.as_ref().map_or(0, |stream| stream.status.xruns.load(Relaxed))
    }

    /// Runs without a screen until the end.
    fn wait(&mut self, args: &PlayArgs) -> Result<()> {
        summary::print_header(self)?;
        let start = Instant::now();
        let is_over = || args.seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() >= seconds);
        while !self.is_stopped() && !is_over() {
            if let Some(message) = self.poll() {
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
        self.file_errors.extend(self.collector.finish(reading.samples)?);
        summary::print_summary(args, &reading, messages, xruns, self.config.rate)?;
        match self.file_errors.first() {
            Some(error) => Err(CliError::with_hint(
                format!("a file is incomplete: {error}"),
                "is the disk full? It holds what was written before",
            )),
            None => Ok(()),
        }
    }
}

/// A flag that SIGINT, SIGTERM and SIGHUP set.
fn stop_flag() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = stop.clone();
    // Fails if an earlier performance of this process has installed a handler.
    let _ = ctrlc::set_handler(move || set.store(true, Relaxed));
    stop
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

/// Sets the targets of an engine to the values of another one that plays the same scene.
fn copy_values(from: &EngineHandle, to: &EngineHandle) {
    let scene = from.active_scene();
    for (index, target) in scene.instrument.targets.iter().enumerate() {
        let is_value = matches!(target.action, TargetAction::Param(_) | TargetAction::Gain(_) | TargetAction::Volume);
        if is_value && scene.value(index) != target.initial {
            to.set(index, scene.value(index));
        }
    }
}

#[cfg(feature = "live")]
fn open_midi(args: &PlayArgs, handle: &EngineHandle, stream: &mut Stream<AudioEngine>, rate: f64) -> Result<MidiInput> {
    let (input, opened) = MidiInput::open(args.midi.as_deref(), handle, stream, rate);
    match opened {
        // A port that was named must exist; without --midi percuss plays without MIDI.
        Err(error) if args.midi.is_some() => Err(CliError::with_hint(error, "leave out --midi, or check the name")),
        Err(error) => {
            writeln!(io::stderr(), "note: no MIDI: {error}")?;
            Ok(input)
        }
        Ok(()) => Ok(input),
    }
}
