//! Reads values that may change in time: a number, or `{ time = [...], value = [...] }`.

use crate::limits::ValueLimits;
use crate::table_reader::{TableReader, as_number};
use percuss::Control;
use toml::Spanned;
use toml::de::DeValue;

const CONTROL_PAIR_DESCRIPTION: &str = "two numbers or controls";

impl TableReader<'_> {
    /// A value that may change in time.
    pub fn control(&self, field: &'static str, limits: ValueLimits) -> Option<Control> {
        let value = self.get(field)?;
        if as_number(value).is_some() {
            return self.number(field, limits).map(Control::Constant);
        }
        self.subtable(field, "control")?.breakpoints(self, field, limits)
    }

    /// Two values, each of which may change in time: `[0.1, { time = [...], value = [...] }]`.
    pub fn control_pair(&self, field: &'static str, limits: ValueLimits) -> Option<[Control; 2]> {
        if !self.has(field) {
            self.mark_missing(field, "[0.5, 0.5]");
            return None;
        }
        match self.get(field)?.as_array().map(|entries| entries.iter().collect::<Vec<_>>()).as_deref() {
            Some([first, second]) => {
                let read = [first, second].map(|entry| self.control_entry(field, entry, limits));
                let [first, second] = read;
                Some([first?, second?])
            }
            _ => {
                let example = "[{ time = [0.0, 1.0], value = [0.2, 0.8] }, 0.5]";
                let message = format!("{}.{field} must be {CONTROL_PAIR_DESCRIPTION}", self.kind);
                self.report(field, message, Some(format!("one for each side, as in {field} = {example}")));
                None
            }
        }
    }

    /// One entry of a pair.
    fn control_entry(&self, field: &'static str, entry: &Spanned<DeValue<'_>>, limits: ValueLimits) -> Option<Control> {
        match entry.get_ref() {
            DeValue::Table(table) => {
                let points = TableReader::new(self.source, self.errors, table, entry.span(), "control");
                points.breakpoints(self, field, limits)
            }
            value => {
                let number = as_number(value);
                if number.is_none() {
                    self.report_wrong_type(field, value, CONTROL_PAIR_DESCRIPTION);
                }
                self.check_limits(field, number?, limits).map(Control::Constant)
            }
        }
    }

    /// Reads this table as `{ time = [...], value = [...] }`; errors about both lists are reported at a field of `owner`.
    fn breakpoints(&self, owner: &TableReader<'_>, field: &'static str, limits: ValueLimits) -> Option<Control> {
        let time = self.numbers("time", ValueLimits::new(0.0, 1e6, "s"));
        let value = self.numbers("value", limits);
        for name in ["time", "value"] {
            if !self.has(name) {
                self.mark_missing(name, "[0.0, 1.0]");
            }
        }
        self.finish();
        let (time, value) = (time?, value?);
        let (times, values, kind) = (time.len(), value.len(), owner.kind);
        if times != values || times == 0 {
            let message = format!("{kind}.{field} has {times} times and {values} values");
            owner.report(field, message, Some("give as many values as times, at least one".to_owned()));
            return None;
        }
        let control = Control::Breakpoints { time, value };
        if !control.is_well_formed() {
            owner.report(field, format!("{kind}.{field} has times that decrease"), Some("sort the times".to_owned()));
            return None;
        }
        Some(control)
    }

    /// Whether a field holds breakpoints, directly or in a list.
    pub fn has_breakpoints(&self, field: &'static str) -> bool {
        self.get(field).is_some_and(|value| match value {
            DeValue::Array(list) => list.iter().any(|entry| entry.get_ref().is_table()),
            value => value.is_table(),
        })
    }
}
