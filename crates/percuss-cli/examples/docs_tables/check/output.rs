//! Selects a part of the output of a command.

/// The table below a heading, or the lines of `lines A to B` as a code block.
pub fn select(printed: &str, selection: &str) -> Option<String> {
    match selection.strip_prefix("lines ").and_then(|range| range.split_once(" to ")) {
        Some((first, last)) => lines(printed, first, last),
        None => table(printed, selection),
    }
}

fn table(printed: &str, title: &str) -> Option<String> {
    let mut lines = printed.lines().skip_while(|line| line.strip_prefix("### ") != Some(title));
    lines.next()?;
    let section = lines.take_while(|line| !line.starts_with("### "));
    let rows = section.skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    Some(rows.map(|line| format!("{}\n", line.trim_end())).collect()).filter(|table: &String| !table.is_empty())
}

fn lines(printed: &str, first: &str, last: &str) -> Option<String> {
    let starts = |line: &&str, with: &str| line.trim_start().starts_with(with);
    let from: Vec<&str> = printed.lines().skip_while(|line| !starts(line, first)).collect();
    let count = 1 + from.iter().rposition(|line| starts(line, last))?;
    let body: String = from[..count].iter().map(|line| format!("{}\n", line.trim_end())).collect();
    Some(format!("```text\n{body}```\n"))
}
