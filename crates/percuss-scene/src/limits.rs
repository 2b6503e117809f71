//! The range of a number, and what to say about one outside it.

/// The range of a number, with its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub unit: &'static str,
    pub least: f64,
    pub most: f64,
}

/// Shorthand for [`Limits`].
pub(crate) const fn within(least: f64, most: f64, unit: &'static str) -> Limits {
    Limits { unit, least, most }
}

impl Limits {
    pub fn contains(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// What is allowed, given what was found.
    pub fn requirement(&self, value: f64) -> String {
        let unit = spaced(self.unit);
        if !value.is_finite() {
            "must be a finite number".to_owned()
        } else if value > self.most {
            format!("must be at most {}{unit}", plain(self.most))
        } else {
            format!("must be at least {}{unit}", plain(self.least))
        }
    }

    /// Most mistakes are a lost prefix (milli, kilo, giga) or a sign.
    pub fn hint(&self, value: f64) -> Option<String> {
        let words = match self.unit {
            "m" => "lengths are in metres",
            "kg" => "masses are in kilograms",
            "kg/m³" => "densities are in kilograms per cubic metre, steel has 7850",
            "Pa" => "moduli are in pascals, steel has 2e11",
            "N" => "forces are in newtons",
            "s" => "times are in seconds",
            "Hz" => "frequencies are in hertz",
            "m/s" => "velocities are in metres per second",
            _ => "",
        };
        let nearby = [1e-3, 1e3, -1.0, 1e-6, 1e6, 1e-9, 1e9].map(|factor| value * factor);
        let likely = |guess: &f64| guess.is_finite() && *guess != 0.0 && self.contains(*guess);
        let meant = nearby.into_iter().find(likely).filter(|_| !self.unit.is_empty());
        match (words.is_empty(), meant) {
            (true, None) => {
                Some(format!("between {} and {}{}", plain(self.least), plain(self.most), spaced(self.unit)))
            }
            (false, None) => Some(words.to_owned()),
            (true, Some(guess)) => Some(format!("did you mean {}?", plain(guess))),
            (false, Some(guess)) => Some(format!("{words}; did you mean {}?", plain(guess))),
        }
    }
}

/// A unit with a space before it, or nothing.
pub(crate) fn spaced(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// A number as a person would write it.
pub(crate) fn plain(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&size) {
        // Fifteen digits hide the noise of a factor of a thousand.
        format!("{}", format!("{value:.12}").parse::<f64>().unwrap_or(value))
    } else {
        let text = format!("{value:.6e}");
        match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_written() {
        for (value, text) in [(0.8e-3, "8e-4"), (2e11, "2e11"), (100.0, "100"), (-0.5, "-0.5"), (0.05, "0.05")] {
            assert_eq!(plain(value), text);
        }
    }

    #[test]
    fn a_lost_prefix_is_guessed() {
        let radius = within(1e-6, 0.05, "m");
        assert_eq!(radius.hint(0.5).as_deref(), Some("lengths are in metres; did you mean 5e-4?"));
        assert_eq!(within(0.0, 1e5, "N").hint(-3.0).as_deref(), Some("forces are in newtons; did you mean 3?"));
    }
}
