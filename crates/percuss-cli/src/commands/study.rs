//! `percuss study`: repeats published studies.

use crate::args::{ImpactArgs, NonlinearArgs, StudyArgs, StudyCommand, StudyOutputArgs, TrombaArgs};
use crate::error::{CliError, Result};
use crate::output::{OutputFile, OutputFolder, refuse_overwrite};
use crate::study::chart::FigureFiles;
use crate::study::{collisions, impact, nonlinear, plate, tromba};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Format of the printed results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Markdown,
}

impl Format {
    fn new(json: bool, markdown: bool) -> Self {
        match (json, markdown) {
            (true, _) => Self::Json,
            (false, true) => Self::Markdown,
            (false, false) => Self::Text,
        }
    }
}

/// Repeats a study.
pub fn run(args: &StudyArgs, force: bool) -> Result<()> {
    match &args.study {
        StudyCommand::Impact(args) => run_impact(args, force),
        StudyCommand::Plate(args) => run_plate(args, force),
        StudyCommand::Collisions(args) => run_collisions(args, force),
        StudyCommand::Tromba(args) => run_tromba(args, force),
        StudyCommand::Nonlinear(args) => run_nonlinear(args),
    }
}

fn run_impact(args: &ImpactArgs, force: bool) -> Result<()> {
    if args.custom.is_given() {
        return run_custom_impact(args, force);
    }
    let names: Vec<String> = (1..=impact::figures::FIGURE_COUNT).map(|number| format!("figure-{number:02}")).collect();
    let format = Format::new(args.json, args.markdown);
    let outputs = StudyOutputs::new(args.output.as_deref(), format, "impact-study", (&["tables.csv"], &names), force)?;
    let study = impact::measure(args.quick);
    let text = match format {
        Format::Text => impact::text(&study),
        Format::Json => format!("{:#}\n", impact::json(&study)),
        Format::Markdown => impact::markdown(&study),
    };
    write_results(&text, outputs, format, &[impact::csv(&study)], impact::figures::write)
}

fn run_custom_impact(args: &ImpactArgs, force: bool) -> Result<()> {
    if args.markdown {
        return Err(CliError::Usage {
            message: "--markdown prints the tables of the study, not those of a custom impact".into(),
            hint: "leave it out, or use --json".into(),
        });
    }
    let table = args.output.as_deref().map(|folder| TableFile::new(folder, "case.csv", force)).transpose()?;
    let results = impact::custom_impact::measure(&args.custom)?;
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", impact::custom_impact::json(&results))?
    } else {
        write!(out, "{}", impact::custom_impact::text(&results))?
    }
    if let Some(TableFile { file, .. }) = table {
        file.write(|writer| writer.write_all(impact::custom_impact::csv(&results).as_bytes()))?;
        if !args.json {
            writeln!(out, "\nwrote   {}", file.given_path.display())?;
        }
    }
    Ok(out.flush()?)
}

/// A single table in a folder. The folder is dropped after the file.
struct TableFile {
    file: OutputFile,
    _folder: OutputFolder,
}

impl TableFile {
    fn new(folder: &Path, name: &str, force: bool) -> Result<Self> {
        let output_folder = OutputFolder::new(folder, false)?;
        let file = OutputFile::new(&folder.join(name))?;
        refuse_overwrite(&[&file], force)?;
        Ok(Self { file, _folder: output_folder })
    }
}

fn run_plate(args: &StudyOutputArgs, force: bool) -> Result<()> {
    let names = plate::figures::FIGURE_NAMES.map(String::from);
    let tables = ["modes.csv", "energy.csv", "partials.csv"];
    let format = Format::new(args.json, args.markdown);
    let outputs = StudyOutputs::new(args.output.as_deref(), format, "plate-study", (&tables, &names), force)?;
    let study = plate::measure();
    let text = match format {
        Format::Text => plate::text(&study),
        Format::Json => format!("{:#}\n", plate::as_json(&study)),
        Format::Markdown => plate::markdown(&study),
    };
    let tables = [plate::modes_csv(&study), plate::energy_csv(&study), plate::partials_csv(&study)];
    write_results(&text, outputs, format, &tables, |figures| plate::figures::write(&study, figures))
}

fn run_collisions(args: &StudyOutputArgs, force: bool) -> Result<()> {
    let names = collisions::figures::FIGURE_NAMES.map(String::from);
    let format = Format::new(args.json, args.markdown);
    let outputs =
        StudyOutputs::new(args.output.as_deref(), format, "collisions-study", (&["systems.csv"], &names), force)?;
    let study = collisions::measure();
    let text = match format {
        Format::Text => collisions::text(&study),
        Format::Json => format!("{:#}\n", collisions::as_json(&study)),
        Format::Markdown => collisions::markdown(&study),
    };
    let tables = [collisions::csv(&study)];
    write_results(&text, outputs, format, &tables, |figures| collisions::figures::write(&study, figures))
}

fn run_tromba(TrombaArgs { output: args, quick }: &TrombaArgs, force: bool) -> Result<()> {
    let names = tromba::figures::FIGURE_NAMES.map(String::from);
    let tables = ["motions.csv", "friction.csv"];
    let format = Format::new(args.json, args.markdown);
    let outputs = StudyOutputs::new(args.output.as_deref(), format, "tromba-study", (&tables, &names), force)?;
    let study = tromba::measure(*quick);
    let text = match format {
        Format::Text => tromba::text(&study),
        Format::Json => format!("{:#}\n", tromba::as_json(&study)),
        Format::Markdown => tromba::markdown(&study),
    };
    let tables = [tromba::motions_csv(&study), tromba::friction_csv(&study)];
    write_results(&text, outputs, format, &tables, |figures| tromba::figures::write(&study, figures))
}

fn run_nonlinear(args: &NonlinearArgs) -> Result<()> {
    let study = nonlinear::measure();
    let text = match Format::new(args.json, args.markdown) {
        Format::Text => nonlinear::text(&study),
        Format::Json => format!("{:#}\n", nonlinear::as_json(&study)),
        Format::Markdown => nonlinear::markdown(&study),
    };
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints the results and writes the requested tables and figures.
fn write_results(
    text: &str,
    outputs: Option<StudyOutputs>,
    format: Format,
    tables: &[String],
    draw: impl FnOnce(&[FigureFiles]) -> Result<()>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "{text}")?;
    if let Some(outputs) = &outputs {
        outputs.write_tables(tables)?;
        draw(&outputs.figures)?;
        outputs.announce(format, &mut out)?;
    }
    Ok(out.flush()?)
}

/// All output files, checked before the study runs. Folders are dropped after the files in them.
struct StudyOutputs {
    tables: Vec<OutputFile>,
    figures: Vec<FigureFiles>,
    folder: OutputFolder,
    _default_folder: Option<OutputFolder>,
}

impl StudyOutputs {
    /// `None` if only the results are requested.
    fn new(
        given_path: Option<&Path>,
        format: Format,
        default_name: &str,
        (tables, figures): (&[&str], &[String]),
        force: bool,
    ) -> Result<Option<Self>> {
        let default_folder = Path::new("percuss-out");
        let (path, default_folder): (PathBuf, _) = match given_path {
            Some(path) => (path.into(), None),
            None if format != Format::Text => return Ok(None),
            None => (default_folder.join(default_name), Some(OutputFolder::new(default_folder, true)?)),
        };
        let folder = OutputFolder::new(&path, false)?;
        let outputs = Self {
            tables: tables.iter().map(|name| OutputFile::new(&path.join(name))).collect::<Result<_>>()?,
            figures: figures.iter().map(|name| FigureFiles::new(&path, name)).collect::<Result<_>>()?,
            folder,
            _default_folder: default_folder,
        };
        let targets: Vec<&OutputFile> =
            outputs.tables.iter().chain(outputs.figures.iter().flat_map(FigureFiles::files)).collect();
        // What percuss names itself, it overwrites.
        refuse_overwrite(&targets, force || given_path.is_none())?;
        Ok(Some(outputs))
    }

    fn write_tables(&self, tables: &[String]) -> Result<()> {
        let pairs = self.tables.iter().zip(tables);
        pairs.into_iter().try_for_each(|(target, table)| target.write(|file| file.write_all(table.as_bytes())))
    }

    /// Lists the written files, unless only the results are printed.
    fn announce(&self, format: Format, out: &mut impl Write) -> Result<()> {
        if format != Format::Text {
            return Ok(());
        }
        let names: Vec<_> = self.tables.iter().filter_map(|table| table.given_path.file_name()?.to_str()).collect();
        let (count, folder) = (self.figures.len(), self.folder.path.display());
        Ok(writeln!(out, "\nwrote   {count} figures as PNG, SVG and CSV, and {}, into {folder}", names.join(", "))?)
    }
}
