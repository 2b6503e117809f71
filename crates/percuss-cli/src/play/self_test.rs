//! `--self-test`: how much of the machine a scene takes, beside silence and plain work on the same machine in the same run.
//!
//! Load is the CPU time of the callback's own thread over the time its buffer lasts: time that others have is not counted.
//! Yet they make ours longer, where they share caches, a core's other thread or the host of a virtual machine. So the same
//! is measured of work that is the same in every buffer: what is uneven there is not the scene's doing. Xruns and late
//! callbacks count everything, which is why they are given for silence as well.

use super::args::PlayArgs;
use super::crew::Make;
use super::stage::explain;
use super::summary::percent;
use crate::failure::Result;
use crate::format::table;
use crate::source::Source;
use crate::toil::Toil;
use percuss_live::device::{Choice, Output, Silence, Source as Fills, Stream};
use percuss_live::{Meter, Outlets, Reading, Stopwatch, rig};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Buffers that are tried, unless --frames names one.
const SIZES: [u32; 2] = [64, 128];
/// How long a test runs, unless --seconds says otherwise \[s\].
const LENGTH: f64 = 60.0;
/// How often things are cleared away.
const ROUND: Duration = Duration::from_millis(4);

/// What a run came to.
struct Outcome {
    name: String,
    frames: String,
    rate: f64,
    reading: Reading,
    xruns: u64,
    late: u64,
}

impl Outcome {
    /// Time that half of the buffers did not exceed \[s\].
    fn median_time(&self) -> f64 {
        let frames = self.reading.samples as f64 / self.reading.blocks.max(1) as f64;
        self.reading.median * frames / self.rate
    }
}

/// A source whose own time is measured.
struct Measured<S> {
    inner: S,
    meter: Arc<Meter>,
    rate: f64,
    channels: usize,
}

impl<S: Fills> Fills for Measured<S> {
    fn fill(&mut self, out: &mut [f32]) {
        let watch = Stopwatch::start();
        self.inner.fill(out);
        let period = (out.len() / self.channels) as f64 / self.rate;
        self.meter.note_load(watch.elapsed().as_secs_f64() / period);
    }
}

/// Runs the test and prints what came out.
pub fn run(args: &PlayArgs) -> Result<()> {
    let source = Source::open(args.scene.as_deref())?;
    let rate = args.rate.unwrap_or(source.scene.sample_rate);
    let seconds = args.seconds.unwrap_or(LENGTH);
    let mut outcomes = Vec::new();
    for output in outputs(args, rate)? {
        writeln!(
            io::stderr(),
            "testing {} on {} for {seconds} s, silence and plain work as long",
            source.name,
            output.name
        )?;
        outcomes.push(measured("silence", Silence, &output, seconds)?);
        let played = scene(args, &source, &output, seconds)?;
        let toil = Toil::as_long_as(played.median_time());
        outcomes.push(played);
        outcomes.push(measured("as long, no scene", toil, &output, seconds)?);
    }
    print(&outcomes)
}

/// The device with every size of buffer that it takes; with its own where it leaves no choice.
fn outputs(args: &PlayArgs, rate: f64) -> Result<Vec<Output>> {
    let choice = args.choice();
    let sizes = args.frames.map_or_else(|| SIZES.to_vec(), |frames| vec![frames]);
    let open = |frames| Output::open(&choice, rate, frames).map_err(explain);
    let mut taken = Vec::new();
    for frames in sizes {
        let output = open(Some(frames))?;
        if choice == Choice::None || output.start(Silence).is_ok() {
            taken.push(output);
        } else {
            writeln!(io::stderr(), "note: {} does not take buffers of {frames} frames", output.name)?;
        }
    }
    if taken.is_empty() {
        taken.push(open(None)?);
    }
    Ok(taken)
}

fn frames_of(output: &Output) -> String {
    output.frames.map_or_else(|| "its own".into(), |frames| frames.to_string())
}

fn outcome<S: Fills>(name: &str, output: &Output, meter: Arc<Meter>, stream: Stream<S>) -> Outcome {
    let (xruns, late) = (stream.health.xruns.load(Relaxed), stream.health.late.load(Relaxed));
    drop(stream.stop());
    Outcome { name: name.into(), frames: frames_of(output), rate: output.rate, reading: meter.read(), xruns, late }
}

/// Runs something that does not measure itself.
fn measured(name: &str, inner: impl Fills, output: &Output, seconds: f64) -> Result<Outcome> {
    let meter = Arc::new(Meter::default());
    let (rate, channels) = (output.rate, output.channels);
    let stream = output.start(Measured { inner, meter: meter.clone(), rate, channels });
    let stream = stream.map_err(|refused| explain(refused.error))?;
    std::thread::sleep(Duration::from_secs_f64(seconds));
    Ok(outcome(name, output, meter, stream))
}

fn scene(args: &PlayArgs, source: &Source, output: &Output, seconds: f64) -> Result<Outcome> {
    let make = Make { rate: output.rate, channels: output.channels, account: args.account.into() };
    let (instrument, player) = make.player(&source.scene)?;
    let strikes: Vec<usize> = instrument.strike_targets();
    let length = source.scene.duration;
    let mut rig = rig(instrument, player, make.rate, make.channels, Outlets::default());
    let stream = output.start(rig.engine).map_err(|refused| explain(refused.error))?;
    let (begun, mut blows) = (Instant::now(), 0_u32);
    while begun.elapsed().as_secs_f64() < seconds {
        // The scene is played over and over, and struck between: a test of silence would test little.
        if begun.elapsed().as_secs_f64() > f64::from(blows) {
            blows += 1;
            strikes.iter().for_each(|&target| {
                rig.controls.set(target, 0.5);
            });
            if f64::from(blows) % length.ceil() == 0.0 {
                rig.controls.set_named("restart", 1.0);
            }
        }
        rig.housekeeper.clear()?;
        std::thread::sleep(ROUND);
    }
    Ok(outcome(&source.name, output, rig.meter, stream))
}

fn print(outcomes: &[Outcome]) -> Result<()> {
    let head = ["", "frames", "mean load", "median", "99 %", "99.9 %", "worst", "xruns", "late callbacks"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for outcome in outcomes {
        let reading = &outcome.reading;
        let loads = [reading.mean, reading.median, reading.percentile_99, reading.percentile_99_9, reading.worst];
        let mut row = vec![outcome.name.clone(), outcome.frames.clone()];
        row.extend(loads.map(percent));
        row.extend([outcome.xruns, outcome.late].map(|count| count.to_string()));
        rows.push(row);
    }
    let mut out = io::stdout().lock();
    write!(out, "{}", table(&rows))?;
    writeln!(
        out,
        "load: CPU time of the callback's thread over the time of a buffer; late: two periods after the last"
    )?;
    writeln!(out, "as long, no scene: the same work in every buffer; what is uneven there is the machine's doing")?;
    Ok(out.flush()?)
}
