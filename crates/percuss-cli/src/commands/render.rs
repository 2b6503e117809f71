//! `percuss render`: a scene to a sound file, and whatever else is asked for.

use crate::args::RenderArgs;
use crate::commands::replay;
use crate::failure::{Failure, Result};
use crate::film::Film;
use crate::format;
use crate::output::{Folder, Target, confirm_overwriting};
use crate::plot::{self, Pictures};
use crate::render::engine::{self, Notes, Outcome};
use crate::render::plan::Plan;
use crate::render::probes::ProbeTable;
use crate::render::report::{self, Report};
use crate::render::warnings::warn_of_short_contacts;
use crate::render::wav::Written;
use crate::render::{summary, verdict, wav};
use crate::source::Source;
use percuss_scene::Scene;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file this long deserves a word beforehand \[s\].
const LONG: f64 = 600.0;

/// Renders a scene.
pub fn run(args: &RenderArgs) -> Result<()> {
    if let Some(session) = &args.session {
        return replay::run(session, args.output.as_deref());
    }
    let mut source = Source::open_playing(args.scene.as_deref(), args.midi.as_deref())?;
    if let Some(scheme) = args.scheme {
        source.scene.model.scheme = scheme.into();
    }
    let scene = &source.scene;
    let plan = Plan::new(args, scene)?;
    let sim = scene.compile(plan.physics_rate())?;
    let grids = report::grids(scene, &sim);
    let mut outputs = Outputs::new(args, &source, &plan)?;
    announce(&plan)?;
    let camera = outputs.film.as_ref().map(|film| film.camera(scene, &sim)).transpose()?;
    let notes = Notes { pictures: outputs.pictures.is_some(), probes: outputs.open_probes(scene)?, camera };
    confirm_overwriting(&outputs.targets())?;
    let mut outcome = engine::run(scene, sim, &plan, notes, outputs.wav.folder())?;
    let written = wav::write(&outcome.audio, &plan, &outputs.wav)?;
    outputs.write_others(scene, &plan, &mut outcome)?;
    if let Some(target) = &outputs.report {
        Report::new(scene, &grids, &plan, &outcome, &written, &outputs.wav).write(target)?;
    }
    warn_of_clipping(&plan, &written)?;
    warn_of_short_contacts(scene, &outcome.ledger.interactions, plan.physics_rate(), plan.oversample)?;
    summary::print(scene, &plan, &outcome, &written, &outputs.wav)?;
    outputs.list_others(&outcome)?;
    // Last, so that there is something to look into: whatever the account is worth, the files are whole.
    verdict::enforce(verdict::judge(scene, &outcome.ledger, outcome.open_peak), args.lenient)
}

fn announce(plan: &Plan) -> Result<()> {
    if plan.seconds() > LONG {
        let (seconds, size) = (plan.seconds(), format::bytes(plan.file_size()));
        writeln!(io::stderr(), "note: {seconds} s of sound will make a file of {size}")?;
    }
    Ok(())
}

fn warn_of_clipping(plan: &Plan, written: &Written) -> Result<()> {
    if written.clipped > 0 {
        let samples = format::plural(written.clipped, "sample");
        writeln!(io::stderr(), "warning: {samples} beyond full scale, cut off at {} bits", plan.bits.count())?;
        writeln!(io::stderr(), "  hint: --bits 32 keeps them; or leave out --no-normalise")?;
    }
    Ok(())
}

/// Everything that will be written, checked beforehand. Folders come after what is in them: so they are dropped.
struct Outputs {
    pictures: Option<Pictures>,
    wav: Target,
    report: Option<Target>,
    probes: Option<Target>,
    film: Option<Film>,
    _folders: Vec<Folder>,
}

impl Outputs {
    fn new(args: &RenderArgs, source: &Source, plan: &Plan) -> Result<Self> {
        let home = Path::new("percuss-out");
        let mut folders = Vec::new();
        let (wav, plots) = match &args.output {
            Some(path) => (path.clone(), args.plots.clone()),
            None => {
                folders.push(Folder::new(home, true)?);
                let beside = args.plots.clone().unwrap_or_else(|| home.join(&source.name));
                (home.join(format!("{}.wav", source.name)), Some(beside))
            }
        };
        let target = |path: &Option<PathBuf>| path.as_deref().map(Target::new).transpose();
        let outputs = Self {
            wav: Target::new(&wav)?,
            report: target(&args.report)?,
            probes: target(&args.probes)?,
            pictures: plots.map(|folder| Pictures::new(&folder, &source.scene)).transpose()?,
            film: args.film.movie.as_deref().map(|path| Film::new(&args.film, path, plan)).transpose()?,
            _folders: folders,
        };
        let inputs = [(source.path.as_deref(), "the scene itself"), (args.midi.as_deref(), "the MIDI file itself")];
        outputs.check_for_clashes(&inputs)?;
        Ok(outputs)
    }

    fn targets(&self) -> Vec<&Target> {
        let single = [Some(&self.wav), self.report.as_ref(), self.probes.as_ref()].into_iter().flatten();
        let pictures = self.pictures.iter().flat_map(Pictures::targets);
        single.chain(pictures).chain(self.film.iter().flat_map(Film::targets)).collect()
    }

    /// No file may be written twice, least of all one that is read.
    fn check_for_clashes(&self, inputs: &[(Option<&Path>, &str)]) -> Result<()> {
        let targets = self.targets();
        for (index, target) in targets.iter().enumerate() {
            let shown = target.shown.display();
            if let Some((_, what)) = inputs.iter().find(|(input, _)| input.is_some_and(|input| target.is(input))) {
                let message = format!("{shown}: is {what}, must be another file");
                return Err(Failure::Usage { message, hint: "name another output".into() });
            }
            if targets[..index].iter().any(|other| target.is(&other.shown)) {
                let message = format!("{shown}: named twice, every output must be a file of its own");
                return Err(Failure::Usage { message, hint: "name another output".into() });
            }
        }
        Ok(())
    }

    fn open_probes(&self, scene: &Scene) -> Result<Option<ProbeTable>> {
        self.probes.as_ref().map(|target| ProbeTable::new(scene, target)).transpose()
    }

    /// Writes the probe table, the pictures and the film.
    fn write_others(&mut self, scene: &Scene, plan: &Plan, outcome: &mut Outcome) -> Result<()> {
        if let (Some(target), Some(table)) = (&self.probes, outcome.probes.take()) {
            table.finish(target)?;
        }
        if let (Some(pictures), Some(record)) = (&self.pictures, &outcome.record) {
            plot::draw(pictures, scene, plan, &outcome.audio, record)?;
        }
        if let (Some(film), Some(reel)) = (&self.film, &outcome.reel) {
            film.write(scene, reel)?;
        }
        Ok(())
    }

    /// Names what was written besides the sound.
    fn list_others(&self, outcome: &Outcome) -> Result<()> {
        let mut out = io::stdout().lock();
        let pictures = self.pictures.iter().flat_map(Pictures::targets);
        for target in self.report.iter().chain(&self.probes).chain(pictures) {
            writeln!(out, "wrote   {}", target.shown.display())?;
        }
        if let (Some(film), Some(reel)) = (&self.film, &outcome.reel) {
            write!(out, "{}", film.summary(reel))?;
        }
        Ok(out.flush()?)
    }
}
