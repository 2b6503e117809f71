//! Ranges of numbers, and messages about values outside them.

/// Range of a number, with its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueLimits {
    pub unit: &'static str,
    pub min: f64,
    pub max: f64,
}

/// Limits of a fraction.
pub(crate) const FRACTION_LIMITS: ValueLimits = ValueLimits::new(0.0, 1.0, "");

impl ValueLimits {
    pub const fn new(min: f64, max: f64, unit: &'static str) -> Self {
        Self { unit, min, max }
    }

    pub fn contains(&self, value: f64) -> bool {
        (self.min..=self.max).contains(&value)
    }

    /// The requirement that a value violates.
    pub fn requirement(&self, value: f64) -> String {
        let unit = unit_suffix(self.unit);
        if !value.is_finite() {
            "must be a finite number".to_owned()
        } else if value > self.max {
            format!("must be at most {}{unit}", format_number(self.max))
        } else {
            format!("must be at least {}{unit}", format_number(self.min))
        }
    }

    /// Hint for a value outside the limits. Guesses a missing SI prefix (milli, kilo, giga) or a wrong sign.
    pub fn hint(&self, value: f64) -> Option<String> {
        let explanation = match self.unit {
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
        let scaled = [1e-3, 1e3, -1.0, 1e-6, 1e6, 1e-9, 1e9].map(|factor| value * factor);
        let is_allowed = |value: &f64| value.is_finite() && *value != 0.0 && self.contains(*value);
        let guess = scaled.into_iter().find(is_allowed).filter(|_| !self.unit.is_empty());
        match (explanation.is_empty(), guess) {
            (true, None) => Some(format!(
                "between {} and {}{}",
                format_number(self.min),
                format_number(self.max),
                unit_suffix(self.unit)
            )),
            (false, None) => Some(explanation.to_owned()),
            (true, Some(guess)) => Some(format!("did you mean {}?", format_number(guess))),
            (false, Some(guess)) => Some(format!("{explanation}; did you mean {}?", format_number(guess))),
        }
    }
}

/// The unit preceded by a space; empty if there is none.
pub(crate) fn unit_suffix(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" {unit}") }
}

/// Formats a number without trailing zeros, with an exponent if it is very large or small.
pub(crate) fn format_number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-3..1e6).contains(&size) {
        // Twelve decimals hide the rounding error of a factor of a thousand.
        format!("{}", format!("{value:.12}").parse::<f64>().unwrap_or(value))
    } else {
        let text = format!("{value:.6e}");
        match text.split_once('e') {
            Some((digits, power)) => format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')),
            None => text,
        }
    }
}

/// A number with four digits that is not larger.
pub(crate) fn round_down(value: f64) -> String {
    round(value, f64::floor)
}

/// A number with four digits that is not smaller.
pub(crate) fn round_up(value: f64) -> String {
    round(value, f64::ceil)
}

fn round(value: f64, to_whole: fn(f64) -> f64) -> String {
    let digit = 10_f64.powf(value.abs().log10().floor() - 3.0);
    // Rounding of the division must not cost a digit.
    let whole = (value / digit).round();
    let whole = if (whole * digit / value - 1.0).abs() < 1e-12 { whole } else { to_whole(value / digit) };
    format_number(whole * digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_trailing_digits() {
        for (value, text) in [(0.8e-3, "8e-4"), (2e11, "2e11"), (100.0, "100"), (-0.5, "-0.5"), (0.05, "0.05")] {
            assert_eq!(format_number(value), text);
        }
    }

    #[test]
    fn hint_guesses_a_missing_prefix_or_a_wrong_sign() {
        let radius = ValueLimits::new(1e-6, 0.05, "m");
        assert_eq!(radius.hint(0.5).as_deref(), Some("lengths are in metres; did you mean 5e-4?"));
        assert_eq!(
            ValueLimits::new(0.0, 1e5, "N").hint(-3.0).as_deref(),
            Some("forces are in newtons; did you mean 3?")
        );
    }

    #[test]
    fn limits_are_rounded_to_four_digits_inwards() {
        for (value, down, up) in
            [(0.291_67, "0.2916", "0.2917"), (2.0, "2", "2"), (0.15, "0.15", "0.15"), (1234.56, "1234", "1235")]
        {
            assert_eq!((round_down(value).as_str(), round_up(value).as_str()), (down, up));
        }
    }
}
