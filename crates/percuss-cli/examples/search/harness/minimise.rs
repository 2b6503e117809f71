//! Makes a scene that fails a check as small as it can while the check still fails.
//!
//! Tables are dropped one by one with everything that refers to them, the scene is shortened, fields are dropped, what changes
//! in time is held still, numbers are rounded; again and again until nothing more can go. A smaller scene is only taken if it
//! fails the same check, of the same class, by at least the square root of the factor it failed by at first: a gross failure
//! does not fade into one of rounding.

use super::check::{Figures, Finding, Outcome, run};
use super::document::{Document, Fields, Table, Value};
use std::path::Path;

/// Most runs that are spent on a scene.
const MOST_RUNS: usize = 1500;

/// A search for a smaller scene.
struct Minimiser<'a> {
    folder: &'a Path,
    finding: Finding,
    moderate: bool,
    runs: usize,
    best: Document,
}

/// A small scene that fails in the same way.
pub fn minimise(document: &Document, figures: &Figures, finding: Finding, folder: &Path) -> Document {
    let best = document.clone();
    let mut minimiser = Minimiser { folder, finding, moderate: figures.moderate, runs: 0, best };
    loop {
        let before = minimiser.best.clone();
        minimiser.drop_tables();
        minimiser.shorten();
        minimiser.drop_fields();
        minimiser.simplify();
        if minimiser.best == before || minimiser.runs >= MOST_RUNS {
            return minimiser.best;
        }
    }
}

impl Minimiser<'_> {
    /// Takes a scene if it still fails.
    fn attempt(&mut self, candidate: Document) -> bool {
        if self.runs >= MOST_RUNS || candidate == self.best {
            return false;
        }
        self.runs += 1;
        let fails = match run(&candidate, self.folder) {
            Outcome::Ran(figures) => figures.moderate == self.moderate && self.still(&figures),
            Outcome::Refused(_) => false,
        };
        if fails {
            self.best = candidate;
        }
        fails
    }

    fn still(&self, figures: &Figures) -> bool {
        let Finding { check, figure, limit } = self.finding;
        figures.finding(check).is_some_and(|now| {
            !figure.is_finite() && !now.figure.is_finite()
                || now.figure.is_finite() && now.figure >= (figure * limit).sqrt()
        })
    }

    fn drop_tables(&mut self) {
        let mut index = self.best.tables.len();
        while index > 1 {
            index = (index - 1).min(self.best.tables.len() - 1);
            if index == 0 {
                break;
            }
            self.attempt(self.best.without(index));
        }
    }

    /// Halves the scene while it can be halved, then takes off ever less.
    fn shorten(&mut self) {
        let mut share = 0.5;
        while share > 0.01 {
            let mut candidate = self.best.clone();
            for (name, value) in &mut candidate.tables[0].fields {
                if let (true, Value::Number(duration)) = (name == "duration", value) {
                    *duration = rounded((*duration * (1.0 - share)).max(1e-3), 3);
                }
            }
            if !self.attempt(candidate) {
                share *= 0.5;
            }
        }
    }

    fn drop_fields(&mut self) {
        for table in 0..self.best.tables.len() {
            for field in (0..self.best.tables[table].fields.len()).rev() {
                let own = &self.best.tables[table];
                if is_delicate(own) || KEPT.contains(&own.fields[field].0.as_str()) {
                    continue;
                }
                let mut candidate = self.best.clone();
                candidate.tables[table].fields.remove(field);
                self.attempt(candidate);
            }
        }
    }

    /// Simplifies one value after the other.
    fn simplify(&mut self) {
        for table in 0..self.best.tables.len() {
            let only_rounded = table == 0 || is_delicate(&self.best.tables[table]);
            let simplest = if only_rounded { ROUNDINGS } else { 0 };
            for value in 0..count(&self.best.tables[table].fields) {
                for way in simplest..WAYS {
                    let mut candidate = self.best.clone();
                    let mut at = value;
                    if change(&mut candidate.tables[table].fields, &mut at, way) && self.attempt(candidate) {
                        break;
                    }
                }
            }
        }
    }
}

/// Fields without which a scene would become long, its grids large, or its checks others.
const KEPT: [&str; 5] = ["id", "sample_rate", "duration", "scheme", "grid"];

/// Whether a slight change of a table may make the scene much larger: a grid that is chosen by the engine, a surface that is
/// laid. Its numbers are only rounded.
fn is_delicate(table: &Table) -> bool {
    let chooses = matches!(table.kind, "string" | "bar" | "plate" | "membrane") && table.get("grid").is_none();
    chooses || table.kind == "roll"
}

/// How many ways there are to simplify a value, and from which on it is only rounded.
const WAYS: usize = 7;
const ROUNDINGS: usize = 3;

/// A simpler value, in one of the ways; the simplest first.
fn simpler(value: &Value, way: usize) -> Option<Value> {
    let number = match value {
        Value::Number(number) => *number,
        Value::Inline(fields) if way == 0 => {
            // Breakpoints become their first value.
            let values = fields.iter().find(|(name, _)| name == "value").map(|(_, values)| values);
            return if let Some(Value::List(values)) = values { values.first().cloned() } else { None };
        }
        _ => return None,
    };
    let candidate = match way {
        0 => 0.0,
        1 => number.signum(),
        2 => 10_f64.powf(number.abs().log10().round()) * number.signum(),
        digits => rounded(number, digits - 2),
    };
    (candidate.is_finite() && length(candidate) < length(number)).then_some(Value::Number(candidate))
}

/// A number rounded to some digits.
fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1).parse().unwrap_or(number)
}

/// Length of a number as it is written, zero being the shortest.
fn length(number: f64) -> usize {
    if number == 0.0 { 0 } else { format!("{number:e}").len() }
}

/// How many values there are, in lists and tables too.
fn count(fields: &Fields) -> usize {
    fields.iter().map(|(_, value)| count_in(value)).sum()
}

fn count_in(value: &Value) -> usize {
    1 + match value {
        Value::List(values) => values.iter().map(count_in).sum(),
        Value::Inline(fields) => count(fields),
        Value::Number(_) | Value::Text(_) | Value::Flag(_) => 0,
    }
}

/// Changes the value that is so many away; false where there is nothing to change.
fn change(fields: &mut Fields, at: &mut usize, way: usize) -> bool {
    fields.iter_mut().any(|(_, value)| change_in(value, at, way))
}

fn change_in(value: &mut Value, at: &mut usize, way: usize) -> bool {
    if *at == 0 {
        // Whatever comes of it, later values are not meant.
        *at = usize::MAX;
        return simpler(value, way).map(|simple| *value = simple).is_some();
    }
    *at -= 1;
    match value {
        Value::List(values) => values.iter_mut().any(|value| change_in(value, at, way)),
        Value::Inline(fields) => change(fields, at, way),
        Value::Number(_) | Value::Text(_) | Value::Flag(_) => false,
    }
}
