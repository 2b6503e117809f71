//! Tables in Markdown, as the documents contain them. `examples/docs_tables` finds a table by its heading.

/// A heading and a table.
pub fn section(title: &str, rows: &[Vec<String>]) -> String {
    format!("### {title}\n\n{}", table(rows))
}

/// A table; the first row is the header.
pub fn table(rows: &[Vec<String>]) -> String {
    let cell = |text: &String| if text.is_empty() { " |".into() } else { format!(" {text} |") };
    let line = |cells: &[String]| format!("|{}\n", cells.iter().map(cell).collect::<String>());
    let Some((header, body)) = rows.split_first() else { return String::new() };
    let rule = "|---".repeat(header.len()) + "|\n";
    line(header) + &rule + &body.iter().map(|row| line(row)).collect::<String>()
}

/// A row of cells.
pub fn row(lead: &[&str], cells: impl IntoIterator<Item = String>) -> Vec<String> {
    lead.iter().map(ToString::to_string).chain(cells).collect()
}

/// A number with a typographic minus sign. The hyphen of an exponent remains.
pub fn minus(number: &str) -> String {
    number.strip_prefix('-').map_or_else(|| number.into(), |rest| format!("−{rest}"))
}

/// A cell in bold.
pub fn bold(cell: &str) -> String {
    format!("**{cell}**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_a_rule_below_its_header() {
        let rows = [row(&["a", "", ""], []), row(&["b"], ["1".into(), String::new()])];
        assert_eq!(section("Title", &rows), "### Title\n\n| a | | |\n|---|---|---|\n| b | 1 | |\n");
    }

    #[test]
    fn minus_of_an_exponent_is_a_hyphen() {
        assert_eq!(minus("-1e-5"), "−1e-5");
        assert_eq!(minus("2e-5"), "2e-5");
    }
}
