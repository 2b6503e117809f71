//! Compares a block with the output of its command.
//!
//! Text        equal, apart from emphasis and the number of spaces
//! Numbers     equal within one unit of the last digit in the document, plus a relative tolerance
//! Rounding    numbers below 1e-9 are errors of rounding: the new one is at most ten times as large. `0` is equal to any below
//!             1e-15

use super::document::GeneratedBlock;

/// Numbers below this are errors of rounding.
const ROUNDING: f64 = 1e-9;
/// Factor by which errors of rounding may grow.
const ROUNDING_GROWTH: f64 = 10.0;
/// Numbers below this are equal to 0.
const ZERO: f64 = 1e-15;

/// Part of a line.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    /// Value and unit of its last digit.
    Number(f64, f64),
}

/// Compares line by line; an error lists the lines that differ.
pub fn compare(block: &GeneratedBlock, printed: &str) -> Result<(), String> {
    let printed: Vec<&str> = printed.lines().collect();
    let mut differences = String::new();
    for index in 0..block.body.len().max(printed.len()) {
        let [old, new] = [block.body.get(index).map(String::as_str), printed.get(index).copied()];
        if !matches!((old, new), (Some(old), Some(new)) if equal(old, new, tolerance(block, old))) {
            let [old, new] = [old, new].map(|line| line.unwrap_or("(no line)"));
            differences += &format!("  document  {old}\n  command   {new}\n");
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(differences) }
}

/// Tolerance of a line, as a fraction.
fn tolerance(block: &GeneratedBlock, line: &str) -> f64 {
    // The first cell of a table, or the first word of other text.
    let first = match line.strip_prefix('|') {
        Some(cells) => cells.split('|').next().unwrap_or_default().trim(),
        None => line.split_whitespace().next().unwrap_or_default(),
    };
    let row = block.row_tolerances.iter().find(|(row, _)| row == first);
    row.map_or(block.tolerance, |(_, percent)| *percent) / 100.0
}

fn equal(old: &str, new: &str, tolerance: f64) -> bool {
    let [old, new] = [tokens(old), tokens(new)];
    let pair = |(old, new): (&Token, &Token)| match (old, new) {
        (Token::Text(old), Token::Text(new)) => old == new,
        (&Token::Number(old, unit), &Token::Number(new, _)) => close(old, new, unit, tolerance),
        _ => false,
    };
    old.len() == new.len() && old.iter().zip(&new).all(pair)
}

fn close(old: f64, new: f64, unit: f64, tolerance: f64) -> bool {
    // Half a per cent of the unit allows for the rounding of this difference.
    let within_unit = (new - old).abs() <= 1.005 * unit + tolerance * old.abs();
    if old.abs() < ROUNDING {
        // `0.0` has decimals, `0` is exact.
        return new.abs() <= (ROUNDING_GROWTH * old.abs()).max(ZERO) || (unit < 1.0 && within_unit);
    }
    within_unit
}

/// Splits a line into numbers and the text between them, with single spaces and without emphasis.
fn tokens(line: &str) -> Vec<Token> {
    let line = line.replace('−', "-").replace('*', "").split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut tokens, mut text, mut rest) = (Vec::new(), String::new(), line.as_str());
    while let Some(first) = rest.chars().next() {
        let length = number_length(rest);
        if length == 0 || text.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            // A digit within a word, as in RK4, is text.
            let length = length.max(first.len_utf8());
            text.push_str(&rest[..length]);
            rest = &rest[length..];
            continue;
        }
        tokens.extend((!text.is_empty()).then(|| Token::Text(std::mem::take(&mut text))));
        tokens.push(number(&rest[..length]));
        rest = &rest[length..];
    }
    tokens.extend((!text.is_empty()).then_some(Token::Text(text)));
    tokens
}

/// Length of the number at the start of a text: sign, digits, decimals, exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with(['-', '+']));
    let whole = digits(sign);
    if whole == 0 {
        return 0;
    }
    let mut end = sign + whole;
    if text[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if text[end..].starts_with('e') {
        let sign = usize::from(text[end + 1..].starts_with(['-', '+']));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    end
}

fn number(text: &str) -> Token {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let exponent: i32 = exponent.parse().expect("an exponent");
    Token::Number(text.parse().expect("a number"), 10_f64.powi(exponent - decimals as i32))
}
