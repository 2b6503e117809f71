//! What can be typed: every flag, defined once.

use crate::help;
use crate::play::PlayArgs;
use clap::{Parser, Subcommand, ValueEnum};
use percuss::Scheme;
use std::path::PathBuf;

/// Lowest and highest sample rate that can be asked for \[Hz\].
pub const RATES: (f64, f64) = (1000.0, 768_000.0);
/// Longest render that can be asked for \[s\].
pub const LONGEST: f64 = 360_000.0;

/// Physical-modelling sound: bodies that collide, with every joule accounted for.
#[derive(Debug, Parser)]
#[command(name = "percuss", version, after_help = help::EXAMPLES, max_term_width = 100)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Render a scene to a sound file
    #[command(after_help = help::RENDER_EXAMPLES)]
    Render(RenderArgs),
    /// Play a scene in real time: keyboard, MIDI and OSC in, sound out
    #[command(after_help = help::PLAY_EXAMPLES)]
    Play(Box<PlayArgs>),
    /// Check a scene without rendering it: grids, contact times, cost
    #[command(after_help = help::CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Eigenfrequencies and mode shapes of what a scene is made of
    #[command(after_help = help::MODES_EXAMPLES)]
    Modes(ModesArgs),
    /// List the presets
    #[command(after_help = "Examples:\n  percuss list")]
    List,
    /// Print the scene file of a preset
    #[command(after_help = "Examples:\n  percuss show PRESET\n  percuss show PRESET > my.toml")]
    Show(ShowArgs),
    /// Write a new scene file, as a copy of a preset
    #[command(after_help = help::NEW_EXAMPLES)]
    New(NewArgs),
    /// Repeat a published study, with percuss's own schemes beside it
    #[command(after_help = help::STUDY_EXAMPLES)]
    Study(StudyArgs),
    /// Measure how fast this machine steps plates, presets, contacts and voices
    #[command(after_help = help::BENCH_EXAMPLES)]
    Bench(BenchArgs),
}

/// What `render` needs.
#[derive(Debug, clap::Args)]
pub struct RenderArgs {
    /// Scene file, or name of a preset [default: the first of `percuss list`]
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: Option<String>,
    /// Sound file to write [default: percuss-out/NAME.wav]
    #[arg(short, long, value_name = "OUT.wav")]
    pub output: Option<PathBuf>,
    /// Sample rate of the sound file, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Length in seconds, up to 360000 [default: the scene's]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// How contacts are solved [default: the scene's]
    #[arg(long, value_enum)]
    pub scheme: Option<SchemeName>,
    /// Run the physics at N times the rate and decimate, 1 to 64
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub oversample: u32,
    /// Bits per sample: 16 and 24 are whole numbers, 32 is float
    #[arg(long, value_enum, default_value_t = Bits::B24)]
    pub bits: Bits,
    /// Write samples in the pickups' units as they are, instead of bringing the peak to -1 dBFS
    #[arg(long)]
    pub no_normalise: bool,
    /// Warn, instead of ending with exit code 1, where the energy account fails its limits
    #[arg(long)]
    pub lenient: bool,
    /// Folder for pictures: waveform, spectrogram, energy, contacts
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// MIDI file that the scene's [score] plays instead of its notes
    #[arg(long, value_name = "FILE.mid")]
    pub midi: Option<PathBuf>,
    /// File for all figures of the run, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// File for the scene's probes, as CSV: one row per physics step
    #[arg(long, value_name = "FILE.csv")]
    pub probes: Option<PathBuf>,
    /// A session to replay to the last bit, from `percuss play --session`; it knows its scene, rate and length
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scene", "rate", "seconds", "scheme", "oversample", "bits", "no_normalise", "lenient", "plots", "midi", "report", "probes", "movie"])]
    pub session: Option<PathBuf>,
    /// What is filmed.
    #[command(flatten)]
    pub film: MovieArgs,
}

/// What `render` needs for a film.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Films of strings and plates")]
pub struct MovieArgs {
    /// A file that ends in .gif or .png (animated), or a folder for numbered pictures
    #[arg(long, value_name = "FILE_OR_DIR")]
    pub movie: Option<PathBuf>,
    /// How many times slower than real it runs: at 200, a tone of 100 Hz swings once in 2 s
    #[arg(long, value_name = "X", default_value_t = 200.0, value_parser = slowness, allow_negative_numbers = true, requires = "movie")]
    pub slow: f64,
    /// Pictures per second, 1 to 50
    #[arg(long, value_name = "N", default_value_t = 25, allow_negative_numbers = true, requires = "movie", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub fps: u32,
    /// Most pictures, 1 to 10000
    #[arg(long, value_name = "N", default_value_t = 250, allow_negative_numbers = true, requires = "movie", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub frames: u32,
    /// Where in the sound it begins, in seconds
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = moment, allow_negative_numbers = true, requires = "movie")]
    pub from: f64,
}

/// What `check` needs.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Scene file, or name of a preset
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: String,
    /// Sample rate to check at, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
}

/// What `modes` needs.
#[derive(Debug, clap::Args)]
pub struct ModesArgs {
    /// Scene file, or name of a preset
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: String,
    /// Id of one element [default: all that move]
    #[arg(long, value_name = "ID")]
    pub element: Option<String>,
    /// Number of modes of each element, 1 to 200
    #[arg(long, value_name = "N", default_value_t = 12, allow_negative_numbers = true, value_parser = count)]
    pub count: usize,
    /// Sample rate, which decides on the grids, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Run the scene up to this time first: touches then press as they do there
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = moment, allow_negative_numbers = true)]
    pub time: f64,
    /// Folder for pictures [default: percuss-out/NAME-modes, or none with --json]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the figures, as JSON
    #[arg(long)]
    pub json: bool,
}

/// What `show` needs.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// Name of a preset
    #[arg(value_name = "PRESET")]
    pub preset: String,
}

/// What `new` needs.
#[derive(Debug, clap::Args)]
pub struct NewArgs {
    /// Scene file to write
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Preset to copy [default: the first of `percuss list`]
    #[arg(long, value_name = "PRESET")]
    pub from: Option<String>,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub force: bool,
}

/// What `study` needs.
#[derive(Debug, clap::Args)]
pub struct StudyArgs {
    /// Which study.
    #[command(subcommand)]
    pub study: StudyName,
}

/// Which study.
#[derive(Debug, Subcommand)]
pub enum StudyName {
    /// A mass strikes a wall: integrators against closed forms
    #[command(after_help = help::IMPACT_EXAMPLES)]
    Impact(ImpactArgs),
    /// Plates that are held, damped and dipped in water: modes, sounds, energy
    #[command(after_help = help::PLATE_EXAMPLES)]
    Plate(FiguresArgs),
    /// The notes' systems, from a mass at a wall to the tromba marina: schemes against each other
    #[command(after_help = help::COLLISIONS_EXAMPLES)]
    Collisions(FiguresArgs),
    /// The bow of the tromba marina: motions by force and place, friction step by step, the rattle's pull
    #[command(after_help = help::TROMBA_EXAMPLES)]
    Tromba(TrombaArgs),
}

/// What `study impact` needs.
#[derive(Debug, clap::Args)]
pub struct ImpactArgs {
    /// Folder for figures and data [default: percuss-out/impact-study, or none with --json]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the measured figures, as JSON
    #[arg(long)]
    pub json: bool,
    /// Shorter benchmark: rougher nanoseconds in Table IV, all else the same
    #[arg(long)]
    pub quick: bool,
    /// An impact of one's own.
    #[command(flatten)]
    pub own: OwnImpact,
}

/// An impact to measure in place of the study's.
#[derive(Debug, PartialEq, clap::Args)]
#[command(next_help_heading = "An impact of your own (any of these; the others are those of case 2)")]
pub struct OwnImpact {
    /// Mass of what strikes the wall, 1e-9 to 1e6 kg [default: 0.01]
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub mass: Option<f64>,
    /// Stiffness k of the contact, 1e-3 to 1e18 N/m^exponent [default: 1e9]
    #[arg(long, value_name = "N/M^A", allow_negative_numbers = true)]
    pub stiffness: Option<f64>,
    /// Exponent of the compression, 1 to 5: 1.5 is a sphere on a plane [default: 1.5]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub exponent: Option<f64>,
    /// Loss mu, 0 to 1000 s/m: the force is k x^a (1 + mu v) [default: 0.5]
    #[arg(long, value_name = "S/M", allow_negative_numbers = true)]
    pub loss: Option<f64>,
    /// Speed at which it strikes, 1e-6 to 1000 m/s [default: 1]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    pub velocity: Option<f64>,
    /// Sample rate, 1e3 to 1e8 Hz [default: 44100]
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    pub rate: Option<f64>,
}

impl OwnImpact {
    /// Whether any is given.
    pub fn is_asked_for(&self) -> bool {
        let Self { mass, stiffness, exponent, loss, velocity, rate } = self;
        [mass, stiffness, exponent, loss, velocity, rate].into_iter().any(Option::is_some)
    }
}

/// What studies with figures need.
#[derive(Debug, clap::Args)]
pub struct FiguresArgs {
    /// Folder for figures and data [default: percuss-out/NAME-study, or none with --json]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the measured figures, as JSON
    #[arg(long)]
    pub json: bool,
}

/// What `study tromba` needs.
#[derive(Debug, clap::Args)]
pub struct TrombaArgs {
    /// Where and how to write.
    #[command(flatten)]
    pub figures: FiguresArgs,
    /// Coarser maps: 54 cells in place of 192, all else the same
    #[arg(long)]
    pub quick: bool,
}

/// What `bench` needs.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Print only the measured figures, as JSON
    #[arg(long)]
    pub json: bool,
    /// Print the tables as Markdown, for a document
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Seconds instead of minutes: rougher figures
    #[arg(long)]
    pub quick: bool,
    /// File for the figures, as JSON, whatever is printed
    #[arg(short, long, value_name = "FILE.json")]
    pub output: Option<PathBuf>,
}

/// How contacts are solved.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemeName {
    /// One linear solve per step
    Plain,
    /// A fixed few linear solves; contacts never pull
    Tracked,
    /// The iterative reference
    Newton,
}

impl From<SchemeName> for Scheme {
    fn from(name: SchemeName) -> Self {
        match name {
            SchemeName::Plain => Self::Plain,
            SchemeName::Tracked => Self::Tracked,
            SchemeName::Newton => Self::Newton,
        }
    }
}

/// Sample format of the sound file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Bits {
    /// 16-bit whole numbers
    #[value(name = "16")]
    B16,
    /// 24-bit whole numbers
    #[value(name = "24")]
    B24,
    /// 32-bit float
    #[value(name = "32")]
    B32,
}

impl Bits {
    /// Bits per sample.
    pub fn count(self) -> u16 {
        match self {
            Self::B16 => 16,
            Self::B24 => 24,
            Self::B32 => 32,
        }
    }
}

pub fn rate(text: &str) -> Result<f64, String> {
    let allowed = "must be a whole number of Hz from 1000 to 768000";
    let rate: f64 = text.parse().map_err(|_| format!("not a number, {allowed}"))?;
    // A sound file states its rate as a whole number: any other would play out of tune.
    if (RATES.0..=RATES.1).contains(&rate) && rate.fract() == 0.0 { Ok(rate) } else { Err(allowed.into()) }
}

pub fn seconds(text: &str) -> Result<f64, String> {
    let allowed = format!("must be above 0 s and at most {LONGEST} s");
    let seconds: f64 = text.parse().map_err(|_| format!("not a number, {allowed}"))?;
    if seconds > 0.0 && seconds <= LONGEST { Ok(seconds) } else { Err(allowed) }
}

fn moment(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) { Ok(0.0) } else { seconds(text).map_err(|_| format!("must be from 0 to {LONGEST} s")) }
}

fn slowness(text: &str) -> Result<f64, String> {
    let slow = text.parse().ok().filter(|slow| (0.01..=1e6).contains(slow));
    slow.ok_or_else(|| "must be a number from 0.01 to 1e6".into())
}

fn count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=200).contains(count));
    count.ok_or_else(|| "must be a whole number from 1 to 200".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn flags_do_not_contradict_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn only_finite_numbers_in_range_are_accepted() {
        assert_eq!(rate("44100"), Ok(44_100.0));
        assert_eq!(rate("96e3"), Ok(96_000.0));
        for wrong in ["nan", "inf", "-48000", "0", "999", "768001", "44100.5", "fast"] {
            assert!(rate(wrong).is_err(), "--rate {wrong}");
        }
        assert_eq!(seconds("0.5"), Ok(0.5));
        for wrong in ["nan", "inf", "-1", "0", "360001", "long"] {
            assert!(seconds(wrong).is_err(), "--seconds {wrong}");
        }
    }
}
