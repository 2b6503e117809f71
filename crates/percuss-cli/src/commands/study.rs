//! `percuss study`: published studies, repeated.

use crate::args::{FiguresArgs, ImpactArgs, StudyArgs, StudyName, TrombaArgs};
use crate::failure::Result;
use crate::output::{Folder, Target, confirm_overwriting};
use crate::study::chart::Targets;
use crate::study::{collisions, impact, plate, tromba};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Repeats a study.
pub fn run(args: &StudyArgs) -> Result<()> {
    match &args.study {
        StudyName::Impact(args) => run_impact(args),
        StudyName::Plate(args) => run_plate(args),
        StudyName::Collisions(args) => run_collisions(args),
        StudyName::Tromba(args) => run_tromba(args),
    }
}

fn run_impact(args: &ImpactArgs) -> Result<()> {
    if args.own.is_asked_for() {
        return run_own_impact(args);
    }
    let names: Vec<String> = (1..=impact::figures::COUNT).map(|number| format!("figure-{number:02}")).collect();
    let outputs = Outputs::new(args.output.as_deref(), args.json, "impact-study", &["tables.csv"], &names)?;
    let study = impact::measure(args.quick);
    let said = if args.json { format!("{:#}\n", impact::json(&study)) } else { impact::text(&study) };
    deliver(&said, outputs, args.json, &[impact::sheet(&study)], impact::figures::write)
}

fn run_own_impact(args: &ImpactArgs) -> Result<()> {
    let target = args.output.as_deref().map(|folder| Table::new(folder, "case.csv")).transpose()?;
    let own = impact::own::measure(&args.own)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", impact::own::json(&own))?
    } else {
        write!(out, "{}", impact::own::text(&own))?
    }
    if let Some(Table { target, .. }) = target {
        target.write(|file| file.write_all(impact::own::sheet(&own).as_bytes()))?;
        if !args.json {
            writeln!(out, "\nwrote   {}", target.shown.display())?;
        }
    }
    Ok(out.flush()?)
}

/// A single table in a folder of its own. The folder comes last: so it is dropped.
struct Table {
    target: Target,
    _folder: Folder,
}

impl Table {
    fn new(folder: &Path, name: &str) -> Result<Self> {
        let made = Folder::new(folder, false)?;
        let target = Target::new(&folder.join(name))?;
        confirm_overwriting(&[&target])?;
        Ok(Self { target, _folder: made })
    }
}

fn run_plate(args: &FiguresArgs) -> Result<()> {
    let names = plate::figures::NAMES.map(String::from);
    let tables = ["modes.csv", "energy.csv", "partials.csv"];
    let outputs = Outputs::new(args.output.as_deref(), args.json, "plate-study", &tables, &names)?;
    let study = plate::measure();
    let said = if args.json { format!("{:#}\n", plate::as_json(&study)) } else { plate::text(&study) };
    let sheets = [plate::modes_sheet(&study), plate::energy_sheet(&study), plate::partials_sheet(&study)];
    deliver(&said, outputs, args.json, &sheets, |figures| plate::figures::write(&study, figures))
}

fn run_collisions(args: &FiguresArgs) -> Result<()> {
    let names = collisions::figures::NAMES.map(String::from);
    let outputs = Outputs::new(args.output.as_deref(), args.json, "collisions-study", &["systems.csv"], &names)?;
    let study = collisions::measure();
    let said = if args.json { format!("{:#}\n", collisions::as_json(&study)) } else { collisions::text(&study) };
    let sheets = [collisions::sheet(&study)];
    deliver(&said, outputs, args.json, &sheets, |figures| collisions::figures::write(&study, figures))
}

fn run_tromba(TrombaArgs { figures: args, quick }: &TrombaArgs) -> Result<()> {
    let names = tromba::figures::NAMES.map(String::from);
    let tables = ["motions.csv", "friction.csv"];
    let outputs = Outputs::new(args.output.as_deref(), args.json, "tromba-study", &tables, &names)?;
    let study = tromba::measure(*quick);
    let said = if args.json { format!("{:#}\n", tromba::as_json(&study)) } else { tromba::text(&study) };
    let sheets = [tromba::motions_sheet(&study), tromba::friction_sheet(&study)];
    deliver(&said, outputs, args.json, &sheets, |figures| tromba::figures::write(&study, figures))
}

/// Prints what was found and, where files are wanted, writes tables and figures.
fn deliver(
    said: &str,
    outputs: Option<Outputs>,
    json: bool,
    sheets: &[String],
    draw: impl FnOnce(&[Targets]) -> Result<()>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{said}")?;
    if let Some(outputs) = &outputs {
        outputs.write_tables(sheets)?;
        draw(&outputs.figures)?;
        outputs.announce(json, &mut out)?;
    }
    Ok(out.flush()?)
}

/// Everything that will be written, checked beforehand. Folders come last: so they are dropped.
struct Outputs {
    tables: Vec<Target>,
    figures: Vec<Targets>,
    folder: Folder,
    _home: Option<Folder>,
}

impl Outputs {
    /// None where only JSON is asked for.
    fn new(
        asked: Option<&Path>,
        json: bool,
        default: &str,
        tables: &[&str],
        figures: &[String],
    ) -> Result<Option<Self>> {
        let home = Path::new("percuss-out");
        let (path, home): (PathBuf, _) = match asked {
            Some(path) => (path.into(), None),
            None if json => return Ok(None),
            None => (home.join(default), Some(Folder::new(home, true)?)),
        };
        let folder = Folder::new(&path, false)?;
        let outputs = Self {
            tables: tables.iter().map(|name| Target::new(&path.join(name))).collect::<Result<_>>()?,
            figures: figures.iter().map(|name| Targets::new(&path, name)).collect::<Result<_>>()?,
            folder,
            _home: home,
        };
        let targets: Vec<&Target> =
            outputs.tables.iter().chain(outputs.figures.iter().flat_map(Targets::all)).collect();
        confirm_overwriting(&targets)?;
        Ok(Some(outputs))
    }

    fn write_tables(&self, sheets: &[String]) -> Result<()> {
        let pairs = self.tables.iter().zip(sheets);
        pairs.into_iter().try_for_each(|(target, sheet)| target.write(|file| file.write_all(sheet.as_bytes())))
    }

    /// Says what was written where, unless only JSON is to be said.
    fn announce(&self, json: bool, out: &mut impl Write) -> Result<()> {
        if json {
            return Ok(());
        }
        let names: Vec<_> = self.tables.iter().filter_map(|table| table.shown.file_name()?.to_str()).collect();
        let (count, folder) = (self.figures.len(), self.folder.path.display());
        Ok(writeln!(out, "\nwrote   {count} figures as PNG, SVG and CSV, and {}, into {folder}", names.join(", "))?)
    }
}
