//! A performance, from the first sample to the last.

use super::args::PlayArgs;
use super::crew::{Crew, Make, names};
use super::{screen, summary};
use crate::failure::{Failure, Result};
use crate::output::{Target, confirm_overwriting};
use crate::source::Source;
use percuss_live::device::{DeviceError, Output, Stream};
use percuss_live::osc::OscServer;
use percuss_live::session::{Log, SceneText};
use percuss_live::{Controls, Engine, Meter, Outlets, Player, Recording, View, rig};
use percuss_scene::instrument::Instrument;
use percuss_scene::presets;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How often a performance without a screen looks up.
const GLANCE: Duration = Duration::from_millis(20);
/// How often a device that is gone is looked for.
const RETRY: Duration = Duration::from_secs(1);

/// All that is on and around the stage.
pub struct Stage {
    pub controls: Controls,
    pub meter: Arc<Meter>,
    pub view: Arc<View>,
    pub crew: Crew,
    pub make: Make,
    pub output: Output,
    pub osc: Option<OscServer>,
    /// Name of the MIDI port, or why there is none.
    pub midi: String,
    /// The scene that was asked for.
    pub text: SceneText,
    pub title: String,
    /// What is heard, unless the device is gone.
    stream: Option<Stream<Engine>>,
    /// The engine while there is no device, and when one was last looked for.
    waiting: Option<(Engine, Instant)>,
    /// Why the device that is gone did not come back, as last told.
    refusal: String,
    xruns_before: u64,
    #[cfg(feature = "live")]
    midi_port: Option<percuss_live::midi_port::MidiPort>,
}

pub fn explain(error: DeviceError) -> Failure {
    Failure::hinted(error.message, error.hint)
}

/// The text of a scene, with a path from which the files it names are found.
pub fn text_of(source: &Source) -> Result<SceneText> {
    match &source.path {
        Some(path) => {
            let wrong = |error: io::Error| Failure::file("cannot be read", path, &error);
            let text = std::fs::read_to_string(path).map_err(wrong)?;
            let path = std::path::absolute(path).map_err(wrong)?.display().to_string();
            Ok(SceneText { path, text })
        }
        None => {
            let text = presets::find(&source.name).map_or("", |preset| preset.text);
            Ok(SceneText { path: source.name.clone(), text: text.to_owned() })
        }
    }
}

/// Performs a scene until it is ended.
pub fn run(args: &PlayArgs) -> Result<()> {
    let source = Source::open(args.scene.as_deref())?;
    let rate = args.rate.unwrap_or(source.scene.sample_rate);
    let output = Output::open(&args.choice(), rate, args.frames).map_err(explain)?;
    let make = Make { rate: output.rate, channels: output.channels, account: args.account.into() };
    let text = text_of(&source)?;
    let targets = [&args.record, &args.session].map(|path| path.as_deref().map(Target::new).transpose());
    let [record, session] = targets;
    let (record, session) = (record?, session?);
    confirm_overwriting(&[&record, &session].into_iter().flatten().collect::<Vec<_>>())?;
    let (instrument, player) = make.player(&source.scene)?;
    let outlets = outlets(args, make, &text, &instrument, &player)?;
    let mut stage = Stage::new(args, source.scene.name, text, output, make, (instrument, player), outlets)?;
    let on_screen = !args.plain && io::stdout().is_terminal() && io::stdin().is_terminal();
    let ended = if on_screen { screen::run(&mut stage, args) } else { stage.wait(args) };
    stage.end(args).and(ended)
}

/// Opens the files that are written while it plays.
fn outlets(args: &PlayArgs, make: Make, text: &SceneText, instrument: &Instrument, player: &Player) -> Result<Outlets> {
    let wrong = |path: &Path, error: io::Error| Failure::file("cannot be written", path, &error);
    let record = |path: &Path| Recording::create(path, make.rate, make.channels).map_err(|error| wrong(path, error));
    let session = |path: &Path| {
        let begin = || {
            let file = BufWriter::new(File::create(path)?);
            let mut log = Log::begin(Box::new(file), make.rate, make.channels)?;
            log.announce(text, player.level(), names(instrument))?;
            Ok(log)
        };
        begin().map_err(|error| wrong(path, error))
    };
    Ok(Outlets {
        recording: args.record.as_deref().map(record).transpose()?,
        session: args.session.as_deref().map(session).transpose()?,
    })
}

impl Stage {
    fn new(
        args: &PlayArgs,
        title: String,
        text: SceneText,
        output: Output,
        make: Make,
        (instrument, player): (Instrument, Player),
        outlets: Outlets,
    ) -> Result<Self> {
        let rig = rig(instrument, player, make.rate, make.channels, outlets);
        let osc = open_osc(args, &rig.controls)?;
        #[cfg(feature = "live")]
        let (midi, midi_port) = open_midi(args, &rig.controls)?;
        #[cfg(not(feature = "live"))]
        let midi = "none".to_owned();
        let stream = output.start(rig.engine).map_err(|refused| explain(refused.error))?;
        Ok(Self {
            controls: rig.controls,
            meter: rig.meter,
            view: rig.view,
            crew: Crew::new(rig.housekeeper),
            make,
            output,
            osc,
            midi,
            text,
            title,
            stream: Some(stream),
            waiting: None,
            refusal: String::new(),
            xruns_before: 0,
            #[cfg(feature = "live")]
            midi_port,
        })
    }

    /// Looks after the device: one that is gone is looked for until it is back. Returns what there is to say about it.
    pub fn look_after(&mut self) -> Option<String> {
        if let Some(stream) = self.stream.take_if(|stream| stream.health.is_lost()) {
            self.xruns_before += stream.health.xruns.load(Relaxed);
            #[cfg(feature = "live")]
            if let Some(port) = self.midi_port.take() {
                port.abandon();
            }
            self.waiting = stream.stop().map(|engine| (engine, Instant::now()));
            return Some(format!("{} is gone; looking for it", self.output.name));
        }
        let (engine, _) = self.waiting.take_if(|(_, since)| since.elapsed() > RETRY)?;
        match self.output.start(engine) {
            Ok(stream) => {
                self.stream = Some(stream);
                self.refusal.clear();
                #[cfg(feature = "live")]
                self.open_midi_again();
                Some(format!("{} is back", self.output.name))
            }
            Err(refused) => {
                self.waiting = refused.source.map(|engine| (engine, Instant::now()));
                let before = std::mem::replace(&mut self.refusal, refused.error.message);
                (self.refusal != before).then(|| self.refusal.clone())
            }
        }
    }

    /// The port of our own goes with the server, and comes back with it.
    #[cfg(feature = "live")]
    fn open_midi_again(&mut self) {
        let reader = percuss_live::midi::MidiReader::new(self.controls.clone());
        self.midi_port = percuss_live::midi_port::MidiPort::open(None, reader).ok();
        self.midi = self.midi_port.as_ref().map_or_else(|| "none".into(), |port| port.name.clone());
    }

    /// Buffers that the device said came too late.
    pub fn xruns(&self) -> u64 {
        self.xruns_before + self.stream.as_ref().map_or(0, |stream| stream.health.xruns.load(Relaxed))
    }

    /// Waits without a screen.
    fn wait(&mut self, args: &PlayArgs) -> Result<()> {
        let stop = Arc::new(AtomicBool::new(false));
        let told = stop.clone();
        // A second performance in one process has its handler already.
        let _ = ctrlc::set_handler(move || told.store(true, Relaxed));
        summary::opening(self)?;
        let begun = Instant::now();
        let is_over = || args.seconds.is_some_and(|seconds| begun.elapsed().as_secs_f64() >= seconds);
        while !stop.load(Relaxed) && !is_over() && !self.crew.has_given_up() {
            if let Some(news) = self.look_after() {
                writeln!(io::stderr(), "note: {news}")?;
            }
            std::thread::sleep(GLANCE);
        }
        Ok(())
    }

    /// Ends the sound, completes the files and says how it went.
    fn end(mut self, args: &PlayArgs) -> Result<()> {
        let xruns = self.xruns();
        drop(self.stream.take().map(Stream::stop));
        let traffic = self.osc.take().map(|server| server.traffic.clone()).unwrap_or_default();
        let post = summary::Post {
            obeyed: traffic.obeyed.load(Relaxed),
            refused: traffic.refused.load(Relaxed),
            lost: self.controls.lost(),
        };
        let reading = self.meter.read();
        self.crew.finish(reading.samples)?;
        summary::closing(args, &reading, post, xruns, self.make.rate)
    }
}

/// Listens for OSC; a port that is taken is no reason not to play.
fn open_osc(args: &PlayArgs, controls: &Controls) -> Result<Option<OscServer>> {
    match OscServer::start(args.osc(), controls.clone()) {
        Ok(server) => Ok(Some(server)),
        Err(error) => {
            writeln!(io::stderr(), "warning: OSC cannot listen at {}: {error}", args.osc())?;
            writeln!(io::stderr(), "  hint: choose another port with --osc-port; all else goes on")?;
            Ok(None)
        }
    }
}

#[cfg(feature = "live")]
fn open_midi(args: &PlayArgs, controls: &Controls) -> Result<(String, Option<percuss_live::midi_port::MidiPort>)> {
    let reader = percuss_live::midi::MidiReader::new(controls.clone());
    match percuss_live::midi_port::MidiPort::open(args.midi.as_deref(), reader) {
        Ok(port) => Ok((port.name.clone(), Some(port))),
        // One that was asked for must be there; otherwise it plays without.
        Err(error) if args.midi.is_some() => Err(Failure::hinted(error, "leave out --midi, or check the name")),
        Err(error) => {
            writeln!(io::stderr(), "note: no MIDI: {error}")?;
            Ok(("none".into(), None))
        }
    }
}
