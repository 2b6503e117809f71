//! Reads values that may change in time: a number, `{ time = [...], value = [...] }`, or a wave.

use crate::limits::{ValueLimits, format_number, unit_suffix};
use crate::table_reader::{TableReader, as_number};
use percuss::{Control, Wave, Waveform};
use toml::Spanned;
use toml::de::DeValue;

const FREQUENCY_LIMITS: ValueLimits = ValueLimits::new(1e-4, 1e5, "Hz");
const TIME_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e6, "s");
/// Fields that make a control a wave.
const WAVEFORMS: [&str; 3] = ["sine", "sweep", "noise"];
const CONTROL_PAIR_DESCRIPTION: &str = "two numbers or controls";

impl TableReader<'_> {
    /// A value that may change in time.
    pub fn control(&self, field: &'static str, limits: ValueLimits) -> Option<Control> {
        let value = self.get(field)?;
        if as_number(value).is_some() {
            return self.number(field, limits).map(Control::Constant);
        }
        self.subtable(field, "control")?.curve(self, field, limits)
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
                points.curve(self, field, limits)
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

    /// Reads this table as breakpoints or as a wave.
    fn curve(&self, owner: &TableReader<'_>, field: &'static str, limits: ValueLimits) -> Option<Control> {
        let waveforms: Vec<&str> = WAVEFORMS.into_iter().filter(|name| self.has(name)).collect();
        match waveforms[..] {
            [] => self.breakpoints(owner, field, limits),
            [_] => self.wave(owner, field, limits),
            [first, second, ..] => {
                self.request_all();
                let hint = Some("keep one of them".to_owned());
                owner.report(field, format!("{}.{field} has both {first} and {second}", owner.kind), hint);
                None
            }
        }
    }

    /// Reads this table as `{ sine = 440.0, amplitude = 1.0 }`, `{ sweep = [20.0, 2000.0], … }` or `{ noise = 1000.0, … }`.
    fn wave(&self, owner: &TableReader<'_>, field: &'static str, limits: ValueLimits) -> Option<Control> {
        let unlimited = ValueLimits::new(f64::MIN, f64::MAX, limits.unit);
        let amplitude = self.required_number("amplitude", unlimited, "1.0");
        let offset = self.number_or("offset", unlimited, 0.0);
        let start = self.number_or("start", TIME_LIMITS, 0.0);
        let fade = self.number_or("fade", TIME_LIMITS, 0.0);
        let duration = self.number("duration", ValueLimits::new(1e-6, 1e6, "s"));
        let waveform = self.waveform(duration);
        let is_valid = self.is_valid();
        self.finish();
        let waveform = waveform.filter(|_| is_valid)?;
        let wave = Wave::new(waveform, amplitude, offset).during(start, duration.unwrap_or(f64::INFINITY), fade);
        let [least, most] = *wave.range();
        if !(limits.contains(least) && limits.contains(most)) {
            let unit = unit_suffix(limits.unit);
            let [least, most, min, max] = [least, most, limits.min, limits.max].map(format_number);
            let message = format!("{}.{field} goes from {least} to {most}{unit}", owner.kind);
            let hint = "it goes from offset − amplitude to offset + amplitude".to_owned();
            owner.report(field, format!("{message}, must stay within {min} and {max}{unit}"), Some(hint));
            return None;
        }
        Some(wave.into())
    }

    fn waveform(&self, duration: Option<f64>) -> Option<Waveform> {
        if self.has("sine") {
            let phase = self.number_or("phase", ValueLimits::new(-1e3, 1e3, "rad"), 0.0);
            return Some(Waveform::Sine { frequency: self.number("sine", FREQUENCY_LIMITS)?, phase });
        }
        if self.has("noise") {
            let seed = self.number_or("seed", ValueLimits::new(0.0, 1e9, ""), 1.0) as u64;
            return Some(Waveform::Noise { bandwidth: self.number("noise", FREQUENCY_LIMITS)?, seed });
        }
        let exponential = self.choice("kind", &[("exponential", true), ("linear", false)], true);
        let frequencies = self.numbers("sweep", FREQUENCY_LIMITS)?;
        let &[from, to] = &frequencies[..] else {
            let message = format!("sweep has {} frequencies, must have 2", frequencies.len());
            self.report("sweep", message, Some("at the start and at the end, as in sweep = [20.0, 2000.0]".to_owned()));
            return None;
        };
        if duration.is_none() && !self.has("duration") {
            self.mark_missing("duration", "5.0");
        }
        Some(Waveform::Sweep { frequencies: [from, to], exponential })
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
