//! Numbers for people.

/// A value with its unit and a prefix that leaves one to three digits before the point: `12.34 µJ`.
pub fn si(value: f64, unit: &str) -> String {
    let (factor, prefix) = prefix(value.abs());
    if value == 0.0 || !value.is_finite() || factor == 0.0 {
        return if value == 0.0 { format!("0 {unit}") } else { format!("{value:.3e} {unit}") };
    }
    format!("{} {prefix}{unit}", digits(value / factor))
}

/// The factor and sign of the prefix that suits a magnitude; the factor is 0 where none does.
pub fn prefix(magnitude: f64) -> (f64, &'static str) {
    const PREFIXES: [(f64, &str); 8] =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];
    if magnitude >= 1e12 {
        return (0.0, "");
    }
    PREFIXES.into_iter().find(|&(factor, _)| magnitude >= factor).unwrap_or((0.0, ""))
}

/// Four significant digits, without an exponent.
pub fn digits(value: f64) -> String {
    let before = if value == 0.0 { 1.0 } else { value.abs().log10().floor() + 1.0 };
    format!("{value:.*}", (4.0 - before).clamp(0.0, 12.0) as usize)
}

/// Up to six decimals, without the dust of binary fractions.
pub fn trimmed(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A number of bytes.
pub fn bytes(count: u64) -> String {
    si(count as f64, "B")
}

/// The unit in a label such as `string@0.9 velocity [m/s]`.
pub fn unit_of(label: &str) -> Option<&str> {
    let start = label.rfind('[')? + 1;
    label[start..].strip_suffix(']')
}

/// `1 hit`, `2 hits`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Lines up the columns of a table; the first row is its head.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        format!("  {}", cells.join("  ")).trim_end().to_string() + "\n"
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_get_a_prefix_and_four_digits() {
        for (value, expected) in [
            (0.0, "0 J"),
            (1.0, "1.000 J"),
            (-0.01234, "-12.34 mJ"),
            (999.9, "999.9 J"),
            (1234.5, "1.234 kJ"),
            (3e-20, "3.000e-20 J"),
            (f64::NAN, "NaN J"),
        ] {
            assert_eq!(si(value, "J"), expected);
        }
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        for (value, expected) in [(0.0, "0.000"), (0.012_344, "0.01234"), (12_345.6, "12346"), (9.999_9, "10.000")] {
            assert_eq!(digits(value), expected);
        }
    }

    #[test]
    fn units_are_found_in_labels() {
        assert_eq!(unit_of("string@0.9 velocity [m/s]"), Some("m/s"));
        assert_eq!(unit_of("no unit"), None);
    }
}
