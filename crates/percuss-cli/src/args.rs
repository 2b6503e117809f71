//! Command-line arguments.

use crate::arg_values::{
    parse_duration, parse_fade, parse_level_range, parse_loudness, parse_mode_count, parse_peak, parse_sample_rate,
    parse_slow_down, parse_time,
};
use crate::commands::sweep::SweepArgs;
use crate::help;
use crate::play::PlayArgs;
use clap::{Parser, Subcommand, ValueEnum};
use percuss::Scheme;
use std::path::PathBuf;

/// Physical-modelling sound: bodies that collide, with every joule accounted for.
#[derive(Debug, Parser)]
#[command(name = "percuss", version, after_help = help::EXAMPLES, max_term_width = 100)]
pub struct Args {
    /// Overwrite files that exist; only those in percuss-out/ that percuss names itself need no --force
    #[arg(long, global = true)]
    pub force: bool,
    /// Subcommand.
    #[command(subcommand)]
    pub command: Command,
}

/// Subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Render a scene to a sound file
    #[command(after_help = help::RENDER_EXAMPLES)]
    Render(Box<RenderArgs>),
    /// Play a scene in real time: keyboard, MIDI and OSC in, sound out
    #[command(after_help = help::PLAY_EXAMPLES)]
    Play(Box<PlayArgs>),
    /// Check a scene without rendering it: grids, contact times, cost
    #[command(after_help = help::CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Compute eigenfrequencies and mode shapes of the elements of a scene
    #[command(after_help = help::MODES_EXAMPLES)]
    Modes(ModesArgs),
    /// Render the presets, with a page to listen and look
    #[command(after_help = help::GALLERY_EXAMPLES)]
    Gallery(GalleryArgs),
    /// Serve the page on which scenes are played in a browser
    #[command(after_help = help::SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// List the presets
    #[command(after_help = "Examples:\n  percuss list")]
    List,
    /// List the materials that a scene can name
    #[command(after_help = "Examples:\n  percuss materials")]
    Materials,
    /// Print the scene file of a preset
    #[command(after_help = "Examples:\n  percuss show PRESET\n  percuss show PRESET > my.toml")]
    Show(ShowArgs),
    /// Write a new scene file, as a copy of a preset
    #[command(after_help = help::NEW_EXAMPLES)]
    New(NewArgs),
    /// Change the undercut of a bar, or the patches of a plate or membrane, until its partials have given ratios
    #[command(after_help = help::TUNE_EXAMPLES)]
    Tune(TuneArgs),
    /// Make a data set by a recipe: labelled clips of a scene that varies
    #[command(after_help = help::SWEEP_EXAMPLES)]
    Sweep(SweepArgs),
    /// Repeat a published study, with percuss's own schemes beside it
    #[command(after_help = help::STUDY_EXAMPLES)]
    Study(StudyArgs),
    /// Measure how fast this machine steps plates, presets, contacts and voices
    #[command(after_help = help::BENCH_EXAMPLES)]
    Bench(BenchArgs),
}

/// Arguments of `render`.
#[derive(Debug, clap::Args)]
pub struct RenderArgs {
    /// Scene file, or name of a preset [default: the first of `percuss list`]
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: Option<String>,
    /// Sound file to write, .wav or .flac [default: percuss-out/NAME.wav]
    #[arg(short, long, value_name = "OUT.wav")]
    pub output: Option<PathBuf>,
    /// Sample rate of the sound file, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = parse_sample_rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Length in seconds, up to 360000 [default: the scene's, which may be "until silent"]
    #[arg(long, value_name = "S", value_parser = parse_duration, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Contact scheme [default: the scene's]
    #[arg(long, value_enum)]
    pub scheme: Option<SchemeName>,
    /// Run the physics at N times the rate and decimate, 1 to 64 [default: the scene's, or 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub oversample: Option<u32>,
    /// Bits per sample: 16 and 24 are integers, 32 is floating point (WAV only)
    #[arg(long, value_enum, default_value_t = BitDepth::Int24)]
    pub bits: BitDepth,
    /// Integrated loudness, -70 to 0 LUFS, up to a true peak of -1 dBTP [default: -18]
    #[arg(long, value_name = "LUFS", allow_negative_numbers = true, value_parser = parse_loudness, conflicts_with_all = ["peak", "no_normalise"])]
    pub lufs: Option<f64>,
    /// Largest sample, -60 to 0 dBFS, instead of a loudness
    #[arg(long, value_name = "DBFS", allow_negative_numbers = true, value_parser = parse_peak, conflicts_with = "no_normalise")]
    pub peak: Option<f64>,
    /// Write samples in the pickups' units, instead of normalising their level
    #[arg(long)]
    pub no_normalise: bool,
    /// Leave frequencies below 20 Hz in, for measurements
    #[arg(long)]
    pub no_dc_block: bool,
    /// Fade-out of a sound that is still loud at its end, 0 to 10 s; 0 cuts it [default: the scene's, or 0.05]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_fade)]
    pub fade: Option<f64>,
    /// Warn, instead of ending with exit code 1, where the energy ledger exceeds its limits
    #[arg(long)]
    pub lenient: bool,
    /// MIDI file that the scene's [score] plays instead of its notes
    #[arg(long, value_name = "FILE.mid")]
    pub midi: Option<PathBuf>,
    /// File for all results of the run, as JSON
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,
    /// File for the scene's probes, as CSV: one row per physics step
    #[arg(long, value_name = "FILE.csv")]
    pub probes: Option<PathBuf>,
    /// A session recorded by `percuss play --session`, to replay bit-identically; it contains scene, rate and length
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scene", "rate", "seconds", "scheme", "oversample", "bits", "lufs", "peak", "no_normalise", "no_dc_block", "fade", "lenient", "plots", "svg", "spectrogram_axis", "spectrogram_range", "energy_axis", "midi", "report", "probes", "movie"])]
    pub session: Option<PathBuf>,
    /// Plots.
    #[command(flatten)]
    pub plot: PlotArgs,
    /// Movie.
    #[command(flatten)]
    pub movie: MovieArgs,
}

/// Arguments of `render` for plots.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Plots")]
pub struct PlotArgs {
    /// Folder for plots: waveform, spectrogram, energy, contacts, touches
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// Plots as SVG instead of PNG
    #[arg(long)]
    pub svg: bool,
    /// Frequency axis of the spectrogram
    #[arg(long, value_enum, value_name = "SCALE", default_value_t = AxisScale::Logarithmic)]
    pub spectrogram_axis: AxisScale,
    /// Range of levels of the spectrogram, 10 to 200 dB [default: down to the level that nine tenths of it exceed]
    #[arg(long, value_name = "DB", allow_negative_numbers = true, value_parser = parse_level_range)]
    pub spectrogram_range: Option<f64>,
    /// Axis of the energies; a logarithmic one shows small parts
    #[arg(long, value_enum, value_name = "SCALE", default_value_t = AxisScale::Linear)]
    pub energy_axis: AxisScale,
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AxisScale {
    /// Equal differences have equal lengths
    Linear,
    /// Equal ratios have equal lengths
    #[value(name = "log")]
    Logarithmic,
}

/// Arguments of `render` for a movie.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Movies of strings, plates and modal bodies")]
pub struct MovieArgs {
    /// File that ends in .gif or .png (animated), .mp4 or .webm (with ffmpeg; with sound up to --slow 20), or folder for numbered frames
    #[arg(long, value_name = "FILE_OR_DIR")]
    pub movie: Option<PathBuf>,
    /// Slow-motion factor: at 200, one period of 100 Hz takes 2 s
    #[arg(long, value_name = "X", default_value_t = 200.0, value_parser = parse_slow_down, allow_negative_numbers = true, requires = "movie")]
    pub slow: f64,
    /// Frames per second, 1 to 50
    #[arg(long, value_name = "N", default_value_t = 25, allow_negative_numbers = true, requires = "movie", value_parser = clap::value_parser!(u32).range(1..=50))]
    pub fps: u32,
    /// Largest number of frames, 1 to 10000
    #[arg(long, value_name = "N", default_value_t = 250, allow_negative_numbers = true, requires = "movie", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub frames: u32,
    /// Start of the movie within the sound, in seconds
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = parse_time, allow_negative_numbers = true, requires = "movie")]
    pub from: f64,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Scene file, or name of a preset
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: String,
    /// Sample rate to check at, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = parse_sample_rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
}

/// Arguments of `gallery`.
#[derive(Debug, clap::Args)]
pub struct GalleryArgs {
    /// Names of presets [default: all of them]
    #[arg(value_name = "PRESET")]
    pub presets: Vec<String>,
    /// Folder for the page, the sounds and the pictures, which must be new or empty
    #[arg(short, long, value_name = "DIR", default_value = "percuss-out/gallery")]
    pub output: PathBuf,
}

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// Port on this machine, 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 8080)]
    pub port: u16,
    /// Open the page in the browser, too
    #[arg(long)]
    pub open: bool,
    /// Folder of the built page
    #[arg(long, value_name = "DIR", default_value = "web/dist")]
    pub page: PathBuf,
}

/// Arguments of `modes`.
#[derive(Debug, clap::Args)]
pub struct ModesArgs {
    /// Scene file, or name of a preset
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: String,
    /// Id of one element [default: all that move]
    #[arg(long, value_name = "ID")]
    pub element: Option<String>,
    /// Number of modes per element, 1 to 200
    #[arg(long, value_name = "N", default_value_t = 12, allow_negative_numbers = true, value_parser = parse_mode_count)]
    pub count: usize,
    /// Sample rate, which determines the grids, 1000 to 768000 Hz [default: the scene's]
    #[arg(long, value_name = "HZ", value_parser = parse_sample_rate, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Run the scene up to this time first, in seconds: touches then have their pressure of that time
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = parse_time, allow_negative_numbers = true)]
    pub time: f64,
    /// Folder for plots [default: percuss-out/NAME-modes, or none with --json or --markdown]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the modes, as JSON
    #[arg(long)]
    pub json: bool,
    /// Plots as SVG instead of PNG
    #[arg(long)]
    pub svg: bool,
}

/// Arguments of `show`.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// Name of a preset
    #[arg(value_name = "PRESET")]
    pub preset: String,
}

/// Arguments of `new`.
#[derive(Debug, clap::Args)]
pub struct NewArgs {
    /// Scene file to write
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Preset to copy [default: the first of `percuss list`]
    #[arg(long, value_name = "PRESET")]
    pub from: Option<String>,
}

/// Arguments of `tune`.
#[derive(Debug, clap::Args)]
pub struct TuneArgs {
    /// Scene file, or name of a preset
    #[arg(value_name = "SCENE_OR_PRESET")]
    pub scene: String,
    /// Id of the bar, plate or membrane
    #[arg(long, value_name = "ID")]
    pub body: String,
    /// Ratios of the first partials that differ, in rising order
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', required = true)]
    pub ratios: Vec<f64>,
    /// Pitch of the first partial, as in A3 or 220: sets the length of a bar, the tension of a membrane
    #[arg(long, value_name = "PITCH")]
    pub pitch: Option<String>,
    /// Scene file to write [default: none, the result is only printed]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Largest distance from the ratios that is accepted, in cents
    #[arg(long, value_name = "CENTS", default_value_t = 10.0)]
    pub within: f64,
}

/// Arguments of `study`.
#[derive(Debug, clap::Args)]
pub struct StudyArgs {
    /// Study.
    #[command(subcommand)]
    pub study: StudyCommand,
}

/// Studies.
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// A mass strikes a wall: integrators compared with closed forms
    #[command(after_help = help::IMPACT_EXAMPLES)]
    Impact(ImpactArgs),
    /// Plates with clamps, damping hands and water: modes, sounds, energy
    #[command(after_help = help::PLATE_EXAMPLES)]
    Plate(StudyOutputArgs),
    /// The systems of Willemsen's notes, from a mass at a wall to the tromba marina: schemes compared
    #[command(after_help = help::COLLISIONS_EXAMPLES)]
    Collisions(StudyOutputArgs),
    /// The bowed tromba marina: motion by bow force and position, friction schemes, adhesion of the bridge
    #[command(after_help = help::TROMBA_EXAMPLES)]
    Tromba(TrombaArgs),
    /// Plates that are stretched by bending: stiffening, drift of the energy, spectra of strokes, cost
    #[command(after_help = help::NONLINEAR_EXAMPLES)]
    Nonlinear(NonlinearArgs),
}

/// Arguments of `study nonlinear`.
#[derive(Debug, clap::Args)]
pub struct NonlinearArgs {
    /// Print only the results, as JSON
    #[arg(long)]
    pub json: bool,
    /// Print only the tables, as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// Arguments of `study impact`.
#[derive(Debug, clap::Args)]
pub struct ImpactArgs {
    /// Folder for figures and data [default: percuss-out/impact-study, or none with --json or --markdown]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the results, as JSON
    #[arg(long)]
    pub json: bool,
    /// Print only the tables, as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Shorter benchmark: less accurate nanoseconds in Table IV, all else the same
    #[arg(long)]
    pub quick: bool,
    /// Parameters of a custom impact.
    #[command(flatten)]
    pub custom: CustomImpact,
}

/// Parameters of an impact that is measured in place of those of the study.
#[derive(Debug, PartialEq, clap::Args)]
#[command(next_help_heading = "A custom impact (any of these; the others are those of case 2)")]
pub struct CustomImpact {
    /// Mass that strikes the wall, 1e-9 to 1e6 kg [default: 0.01]
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub mass: Option<f64>,
    /// Stiffness k of the contact, 1e-3 to 1e18 N/m^exponent [default: 1e9]
    #[arg(long, value_name = "N/M^A", allow_negative_numbers = true)]
    pub stiffness: Option<f64>,
    /// Exponent of the contact force, 1 to 5: 1.5 is a sphere on a plane [default: 1.5]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub exponent: Option<f64>,
    /// Loss mu, 0 to 1000 s/m: the force is k x^a (1 + mu v) [default: 0.5]
    #[arg(long, value_name = "S/M", allow_negative_numbers = true)]
    pub loss: Option<f64>,
    /// Impact speed, 1e-6 to 1000 m/s [default: 1]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    pub velocity: Option<f64>,
    /// Sample rate, 1e3 to 1e8 Hz [default: 44100]
    #[arg(long, value_name = "HZ", allow_negative_numbers = true)]
    pub rate: Option<f64>,
}

impl CustomImpact {
    /// Whether any parameter is given.
    pub fn is_given(&self) -> bool {
        let Self { mass, stiffness, exponent, loss, velocity, rate } = self;
        [mass, stiffness, exponent, loss, velocity, rate].into_iter().any(Option::is_some)
    }
}

/// Output arguments of a study.
#[derive(Debug, clap::Args)]
pub struct StudyOutputArgs {
    /// Folder for figures and data [default: percuss-out/NAME-study, or none with --json or --markdown]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print only the results, as JSON
    #[arg(long)]
    pub json: bool,
    /// Print only the tables, as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// Arguments of `study tromba`.
#[derive(Debug, clap::Args)]
pub struct TrombaArgs {
    /// Output.
    #[command(flatten)]
    pub output: StudyOutputArgs,
    /// Coarser maps: 54 cells in place of 192, all else the same
    #[arg(long)]
    pub quick: bool,
}

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Print only the results, as JSON
    #[arg(long)]
    pub json: bool,
    /// Print the tables as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// Seconds instead of minutes: less accurate timings
    #[arg(long)]
    pub quick: bool,
    /// File for the results, as JSON, in addition to what is printed
    #[arg(short, long, value_name = "FILE.json")]
    pub output: Option<PathBuf>,
}

/// Contact scheme.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SchemeName {
    /// One linear solve per step
    Plain,
    /// A bounded number of linear solves; contacts never pull
    Tracked,
    /// Newton iteration, the reference
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
pub enum BitDepth {
    /// 16-bit integers
    #[value(name = "16")]
    Int16,
    /// 24-bit integers
    #[value(name = "24")]
    Int24,
    /// 32-bit float
    #[value(name = "32")]
    Float32,
}

impl BitDepth {
    /// Bits per sample.
    pub fn bits(self) -> u16 {
        match self {
            Self::Int16 => 16,
            Self::Int24 => 24,
            Self::Float32 => 32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_accepts_the_definitions() {
        Args::command().debug_assert();
    }
}
