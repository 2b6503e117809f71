//! Numbers and tables as text.

/// A value with an SI prefix that leaves one to three digits before the point, and its unit: `12.34 µJ`.
pub fn si(value: f64, unit: &str) -> String {
    let (factor, prefix) = si_prefix(value.abs());
    if value == 0.0 || !value.is_finite() || factor == 0.0 {
        return if value == 0.0 { format!("0 {unit}") } else { format!("{value:.3e} {unit}") };
    }
    format!("{} {prefix}{unit}", four_digits(value / factor))
}

/// Factor and symbol of the SI prefix for a magnitude; the factor is 0 below pico and above giga.
pub fn si_prefix(magnitude: f64) -> (f64, &'static str) {
    const PREFIXES: [(f64, &str); 8] =
        [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"), (1e-12, "p")];
    if magnitude >= 1e12 {
        return (0.0, "");
    }
    PREFIXES.into_iter().find(|&(factor, _)| magnitude >= factor).unwrap_or((0.0, ""))
}

/// Four significant digits, without an exponent.
pub fn four_digits(value: f64) -> String {
    let before = if value == 0.0 { 1.0 } else { value.abs().log10().floor() + 1.0 };
    format!("{value:.*}", (4.0 - before).clamp(0.0, 12.0) as usize)
}

/// Up to six decimals, without trailing zeros.
pub fn trimmed_decimal(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A number of bytes with an SI prefix.
pub fn byte_count(count: u64) -> String {
    si(count as f64, "B")
}

/// Unit in a label such as `string@0.9 velocity [m/s]`.
pub fn unit_in_label(label: &str) -> Option<&str> {
    let start = label.rfind('[')? + 1;
    label[start..].strip_suffix(']')
}

/// Count and noun, as in `1 hit`, `2 hits`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A table with aligned columns; the first row is the header.
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
    fn si_chooses_a_prefix_and_prints_four_digits() {
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
    fn four_digits_are_significant_at_any_magnitude() {
        for (value, expected) in [(0.0, "0.000"), (0.012_344, "0.01234"), (12_345.6, "12346"), (9.999_9, "10.000")] {
            assert_eq!(four_digits(value), expected);
        }
    }

    #[test]
    fn unit_is_found_in_brackets() {
        assert_eq!(unit_in_label("string@0.9 velocity [m/s]"), Some("m/s"));
        assert_eq!(unit_in_label("no unit"), None);
    }
}
