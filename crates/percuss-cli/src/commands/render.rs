//! `percuss render`: renders a scene to a sound file, plots, reports, probes and movies.

use crate::args::{PlotArgs, RenderArgs};
use crate::commands::replay;
use crate::error::{CliError, Result};
use crate::format;
use crate::loaded_scene::LoadedScene;
use crate::movie::{Movie, MovieSound};
use crate::output::{OutputFile, OutputFolder, refuse_overwrite};
use crate::plot::{self, PlotFiles};
use crate::render::probes::ProbeTable;
use crate::render::render_loop::{self, Recorders, RenderedScene};
use crate::render::report::{self, Report, SoundStats};
use crate::render::settings::RenderSettings;
use crate::render::short_contacts::warn_about_short_contacts;
use crate::render::{energy_limits, level, near_nyquist, sound_file, summary};
use percuss_scene::Scene;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Duration above which the file size is announced before the run \[s\].
const ANNOUNCED_DURATION: f64 = 600.0;

/// Folder of outputs that the user does not name.
const DEFAULT_FOLDER: &str = "percuss-out";

/// Renders a scene.
pub fn run(args: &RenderArgs, force: bool) -> Result<()> {
    if let Some(session) = &args.session {
        return replay::run(session, args.output.as_deref(), force);
    }
    let mut loaded = LoadedScene::open_with_midi(args.scene.as_deref(), args.midi.as_deref())?;
    if let Some(scheme) = args.scheme {
        loaded.scene.model.scheme = scheme.into();
    }
    let scene = &loaded.scene;
    let settings = RenderSettings::new(args, scene, &sound_path(args, &loaded.name))?;
    let sim = scene.compile(settings.physics_rate())?;
    let grids = report::grids(scene, &sim);
    let mut outputs = RenderOutputs::new(args, &loaded, &settings)?;
    announce_file_size(&settings)?;
    let frame_recorder = outputs.movie.as_ref().map(|movie| movie.frame_recorder(scene, &sim)).transpose()?;
    let recorders = Recorders { plots: outputs.plots.is_some(), probes: outputs.open_probes(scene)?, frame_recorder };
    refuse_overwrite(&outputs.named_files(args), force)?;
    let mut rendered = render_loop::run(scene, sim, &settings, recorders, outputs.sound.folder())?;
    let temporary = |error: io::Error| CliError::io("cannot read temporary audio", outputs.sound.folder(), &error);
    let level = level::measure(&rendered.audio, &settings).map_err(temporary)?;
    let near_nyquist = near_nyquist::share(&rendered.audio).map_err(temporary)?;
    let clipped = sound_file::write(&rendered.audio, &settings, level.gain, &outputs.sound)?;
    let sound = SoundStats { level, near_nyquist, clipped };
    outputs.write_other_files(scene, (&settings, &args.plot), &mut rendered)?;
    if let Some(file) = &outputs.report {
        Report::new(scene, &grids, &settings, &rendered, &sound, &outputs.sound).write(file)?;
    }
    warn_about_clipping(&settings, clipped)?;
    let accounts = &rendered.ledger.interactions;
    warn_about_short_contacts(scene, accounts, settings.physics_rate(), settings.oversample)?;
    near_nyquist::warn(near_nyquist, scene, accounts, settings.rate, settings.oversample)?;
    summary::print(scene, &settings, &rendered, &sound, &outputs.sound)?;
    outputs.list_other_files(&rendered)?;
    // Last, so that all files are written even where the energy ledger exceeds its limits.
    energy_limits::report(energy_limits::check(scene, &rendered.ledger, rendered.open_energy_peak), args.lenient)
}

/// Path of the sound file.
fn sound_path(args: &RenderArgs, name: &str) -> PathBuf {
    args.output.clone().unwrap_or_else(|| Path::new(DEFAULT_FOLDER).join(format!("{name}.wav")))
}

fn announce_file_size(settings: &RenderSettings) -> Result<()> {
    if settings.seconds() > ANNOUNCED_DURATION {
        let (seconds, size) = (settings.seconds(), format::byte_count(settings.file_bytes()));
        writeln!(io::stderr(), "note: {seconds} s of sound give a file of {size}")?;
    }
    Ok(())
}

fn warn_about_clipping(settings: &RenderSettings, clipped: u64) -> Result<()> {
    if clipped > 0 {
        let samples = format::plural(clipped, "sample");
        writeln!(io::stderr(), "warning: {samples} beyond full scale, clipped at {} bits", settings.bit_depth.bits())?;
        writeln!(io::stderr(), "  hint: --bits 32 keeps them; or leave out --no-normalise")?;
    }
    Ok(())
}

/// All output files, checked before the run. Folders are dropped after the files in them.
struct RenderOutputs {
    plots: Option<PlotFiles>,
    sound: OutputFile,
    report: Option<OutputFile>,
    probes: Option<OutputFile>,
    movie: Option<Movie>,
    _folders: Vec<OutputFolder>,
}

impl RenderOutputs {
    fn new(args: &RenderArgs, loaded: &LoadedScene, settings: &RenderSettings) -> Result<Self> {
        let default_folder = Path::new(DEFAULT_FOLDER);
        let mut folders = Vec::new();
        let plots = match &args.output {
            Some(_) => args.plot.plots.clone(),
            None => {
                folders.push(OutputFolder::new(default_folder, true)?);
                Some(args.plot.plots.clone().unwrap_or_else(|| default_folder.join(&loaded.name)))
            }
        };
        let file = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::new).transpose();
        let outputs = Self {
            sound: OutputFile::new(&sound_path(args, &loaded.name))?,
            report: file(&args.report)?,
            probes: file(&args.probes)?,
            plots: plots.map(|folder| PlotFiles::new(&folder, &loaded.scene, &args.plot)).transpose()?,
            movie: args.movie.movie.as_deref().map(|path| Movie::new(&args.movie, path, settings)).transpose()?,
            _folders: folders,
        };
        let inputs = [(loaded.path.as_deref(), "the scene itself"), (args.midi.as_deref(), "the MIDI file itself")];
        outputs.check_for_clashes(&inputs)?;
        Ok(outputs)
    }

    fn files(&self) -> Vec<&OutputFile> {
        let single = [Some(&self.sound), self.report.as_ref(), self.probes.as_ref()].into_iter().flatten();
        let plots = self.plots.iter().flat_map(PlotFiles::files);
        single.chain(plots).chain(self.movie.iter().flat_map(Movie::files)).collect()
    }

    /// Files whose names the user gave. The others are in the default folder, and are overwritten: to repeat a command is common.
    fn named_files(&self, args: &RenderArgs) -> Vec<&OutputFile> {
        let sound = args.output.is_some().then_some(&self.sound);
        let plots = self.plots.iter().filter(|_| args.plot.plots.is_some()).flat_map(PlotFiles::files);
        let movie = self.movie.iter().flat_map(Movie::files);
        sound.into_iter().chain(&self.report).chain(&self.probes).chain(plots).chain(movie).collect()
    }

    /// No two outputs may be the same file, and no output an input.
    fn check_for_clashes(&self, inputs: &[(Option<&Path>, &str)]) -> Result<()> {
        let files = self.files();
        for (index, file) in files.iter().enumerate() {
            let shown = file.given_path.display();
            if let Some((_, what)) =
                inputs.iter().find(|(input, _)| input.is_some_and(|input| file.is_same_file(input)))
            {
                let message = format!("{shown}: is {what}, must be another file");
                return Err(CliError::Usage { message, hint: "name another output".into() });
            }
            if files[..index].iter().any(|other| file.is_same_file(&other.given_path)) {
                let message = format!("{shown}: named twice, every output must be a different file");
                return Err(CliError::Usage { message, hint: "name another output".into() });
            }
        }
        Ok(())
    }

    fn open_probes(&self, scene: &Scene) -> Result<Option<ProbeTable>> {
        self.probes.as_ref().map(|file| ProbeTable::new(scene, file)).transpose()
    }

    /// Writes the probe table, the plots and the movie.
    fn write_other_files(
        &mut self,
        scene: &Scene,
        settings: (&RenderSettings, &PlotArgs),
        rendered: &mut RenderedScene,
    ) -> Result<()> {
        if let (Some(file), Some(table)) = (&self.probes, rendered.probes.take()) {
            table.finish(file)?;
        }
        if let (Some(plots), Some(record)) = (&self.plots, &rendered.plot_recorder) {
            plot::draw(plots, scene, settings, &rendered.audio, record)?;
        }
        if let (Some(movie), Some(movie_frames)) = (&self.movie, &rendered.movie_frames) {
            let sound =
                MovieSound { file: &self.sound.given_path, rate: settings.0.rate, channels: settings.0.channels };
            movie.write(scene, movie_frames, &sound)?;
        }
        Ok(())
    }

    /// Lists the files that were written besides the sound.
    fn list_other_files(&self, rendered: &RenderedScene) -> Result<()> {
        let mut out = io::stdout().lock();
        let plots = self.plots.iter().flat_map(PlotFiles::files);
        for file in self.report.iter().chain(&self.probes).chain(plots) {
            writeln!(out, "wrote   {}", file.given_path.display())?;
        }
        if let (Some(movie), Some(movie_frames)) = (&self.movie, &rendered.movie_frames) {
            write!(out, "{}", movie.summary(movie_frames))?;
        }
        Ok(out.flush()?)
    }
}
