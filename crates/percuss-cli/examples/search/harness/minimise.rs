//! Minimises a scene that fails a check while the check still fails.
//!
//! Tables are removed one by one with all tables that refer to them, the scene is shortened, fields are removed, breakpoints are
//! replaced by constants, numbers are rounded; repeatedly until no step succeeds. A smaller scene is accepted only if it fails
//! the same check, in the same stiffness class, by at least the square root of the original factor: a gross violation does not
//! shrink to one of rounding.

use super::check::{RunResult, SceneOutcome, Violation, run};
use super::document::{Fields, SceneDocument, TomlTable, TomlValue};
use std::path::Path;

/// Largest number of runs per scene.
const MAX_RUNS: usize = 1500;

/// A search for a smaller scene.
struct Minimiser<'a> {
    folder: &'a Path,
    violation: Violation,
    moderate: bool,
    runs: usize,
    best: SceneDocument,
}

/// A small scene with the same violation.
pub fn minimise(document: &SceneDocument, result: &RunResult, violation: Violation, folder: &Path) -> SceneDocument {
    let best = document.clone();
    let mut minimiser = Minimiser { folder, violation, moderate: result.moderate, runs: 0, best };
    loop {
        let before = minimiser.best.clone();
        minimiser.drop_tables();
        minimiser.shorten();
        minimiser.drop_fields();
        minimiser.simplify();
        if minimiser.best == before || minimiser.runs >= MAX_RUNS {
            return minimiser.best;
        }
    }
}

impl Minimiser<'_> {
    /// Accepts a candidate if it still fails.
    fn attempt(&mut self, candidate: SceneDocument) -> bool {
        if self.runs >= MAX_RUNS || candidate == self.best {
            return false;
        }
        self.runs += 1;
        let fails = match run(&candidate, self.folder) {
            SceneOutcome::Completed(result) => result.moderate == self.moderate && self.still_fails(&result),
            SceneOutcome::Rejected(_) => false,
        };
        if fails {
            self.best = candidate;
        }
        fails
    }

    fn still_fails(&self, result: &RunResult) -> bool {
        let Violation { check, value, limit } = self.violation;
        result.violation(check).is_some_and(|now| {
            !value.is_finite() && !now.value.is_finite() || now.value.is_finite() && now.value >= (value * limit).sqrt()
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

    /// Shortens the scene by a half while it still fails, then by smaller fractions.
    fn shorten(&mut self) {
        let mut share = 0.5;
        while share > 0.01 {
            let mut candidate = self.best.clone();
            for (name, value) in &mut candidate.tables[0].fields {
                if let (true, TomlValue::Number(duration)) = (name == "duration", value) {
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
                if is_only_rounded(own) || KEPT_FIELDS.contains(&own.fields[field].0.as_str()) {
                    continue;
                }
                let mut candidate = self.best.clone();
                candidate.tables[table].fields.remove(field);
                self.attempt(candidate);
            }
        }
    }

    /// Simplifies every value.
    fn simplify(&mut self) {
        for table in 0..self.best.tables.len() {
            let only_rounded = table == 0 || is_only_rounded(&self.best.tables[table]);
            let simplest = if only_rounded { FIRST_ROUNDING } else { 0 };
            for value in 0..count(&self.best.tables[table].fields) {
                for simplification in simplest..SIMPLIFICATIONS {
                    let mut candidate = self.best.clone();
                    let mut at = value;
                    if simplify_nth(&mut candidate.tables[table].fields, &mut at, simplification)
                        && self.attempt(candidate)
                    {
                        break;
                    }
                }
            }
        }
    }
}

/// Fields that are not removed: without them a scene could become long, its grids large, or its checks others.
const KEPT_FIELDS: [&str; 5] = ["id", "sample_rate", "duration", "scheme", "grid"];

/// Whether the numbers of a table are only rounded, because a change may make the scene much larger: a grid that the engine
/// chooses, or the surface of a rolling ball.
fn is_only_rounded(table: &TomlTable) -> bool {
    let chooses = matches!(table.kind, "string" | "bar" | "plate" | "membrane") && table.get("grid").is_none();
    chooses || table.kind == "roll"
}

/// Number of simplifications of a value, and index of the first that only rounds.
const SIMPLIFICATIONS: usize = 7;
const FIRST_ROUNDING: usize = 3;

/// The value after a simplification; the simplest comes first.
fn simplified(value: &TomlValue, simplification: usize) -> Option<TomlValue> {
    let number = match value {
        TomlValue::Number(number) => *number,
        TomlValue::Inline(fields) if simplification == 0 => {
            // Breakpoints become their first value.
            let values = fields.iter().find(|(name, _)| name == "value").map(|(_, values)| values);
            return if let Some(TomlValue::List(values)) = values { values.first().cloned() } else { None };
        }
        _ => return None,
    };
    let candidate = match simplification {
        0 => 0.0,
        1 => number.signum(),
        2 => 10_f64.powf(number.abs().log10().round()) * number.signum(),
        digits => rounded(number, digits - 2),
    };
    (candidate.is_finite() && length(candidate) < length(number)).then_some(TomlValue::Number(candidate))
}

/// A number rounded to `digits` significant digits.
fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1).parse().unwrap_or(number)
}

/// Length of a number as text; that of zero is 0.
fn length(number: f64) -> usize {
    if number == 0.0 { 0 } else { format!("{number:e}").len() }
}

/// Number of values, including those in lists and tables.
fn count(fields: &Fields) -> usize {
    fields.iter().map(|(_, value)| count_in(value)).sum()
}

fn count_in(value: &TomlValue) -> usize {
    1 + match value {
        TomlValue::List(values) => values.iter().map(count_in).sum(),
        TomlValue::Inline(fields) => count(fields),
        TomlValue::Number(_) | TomlValue::Text(_) | TomlValue::Flag(_) => 0,
    }
}

/// Simplifies the value at an index; false if it cannot be simplified.
fn simplify_nth(fields: &mut Fields, at: &mut usize, simplification: usize) -> bool {
    fields.iter_mut().any(|(_, value)| simplify_nth_in(value, at, simplification))
}

fn simplify_nth_in(value: &mut TomlValue, at: &mut usize, simplification: usize) -> bool {
    if *at == 0 {
        // Later values are not changed.
        *at = usize::MAX;
        return simplified(value, simplification).map(|simple| *value = simple).is_some();
    }
    *at -= 1;
    match value {
        TomlValue::List(values) => values.iter_mut().any(|value| simplify_nth_in(value, at, simplification)),
        TomlValue::Inline(fields) => simplify_nth(fields, at, simplification),
        TomlValue::Number(_) | TomlValue::Text(_) | TomlValue::Flag(_) => false,
    }
}
