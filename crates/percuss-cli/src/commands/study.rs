//! `percuss study`: published studies, repeated.

use crate::args::{ImpactArgs, StudyArgs, StudyName};
use crate::failure::Result;
use crate::output::{Folder, Target, confirm_overwriting};
use crate::study::impact::{self, figures};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Repeats a study.
pub fn run(args: &StudyArgs) -> Result<()> {
    match &args.study {
        StudyName::Impact(args) => run_impact(args),
    }
}

fn run_impact(args: &ImpactArgs) -> Result<()> {
    let outputs = Outputs::new(args)?;
    let study = impact::measure(args.quick);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", impact::json(&study))?;
    } else {
        write!(out, "{}", impact::text(&study))?;
    }
    if let Some(outputs) = &outputs {
        outputs.table.write(|file| file.write_all(impact::sheet(&study).as_bytes()))?;
        figures::write(&outputs.figures)?;
        if !args.json {
            writeln!(
                out,
                "\nwrote   {} figures as PNG, SVG and CSV, and tables.csv, into {}",
                outputs.figures.len(),
                outputs.folder.path.display()
            )?;
        }
    }
    Ok(out.flush()?)
}

/// Everything that will be written, checked beforehand. Folders come last: so they are dropped.
struct Outputs {
    table: Target,
    figures: Vec<figures::Targets>,
    folder: Folder,
    _home: Option<Folder>,
}

impl Outputs {
    /// None where only JSON is asked for.
    fn new(args: &ImpactArgs) -> Result<Option<Self>> {
        let home = Path::new("percuss-out");
        let (path, home): (PathBuf, _) = match &args.output {
            Some(path) => (path.clone(), None),
            None if args.json => return Ok(None),
            None => (home.join("impact-study"), Some(Folder::new(home, true)?)),
        };
        let folder = Folder::new(&path, false)?;
        let outputs = Self {
            table: Target::new(&path.join("tables.csv"))?,
            figures: (1..=figures::COUNT).map(|number| figures::Targets::new(&path, number)).collect::<Result<_>>()?,
            folder,
            _home: home,
        };
        let targets: Vec<&Target> =
            std::iter::once(&outputs.table).chain(outputs.figures.iter().flat_map(figures::Targets::all)).collect();
        confirm_overwriting(&targets)?;
        Ok(Some(outputs))
    }
}
