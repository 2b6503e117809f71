//! Errors and warnings about a scene file: location, finding, what is allowed, hint.

use std::fmt;
use std::ops::Range;

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot be used.
    Error,
    /// The scene can be used, but may not be what was intended.
    Warning,
}

/// An error or warning about a scene file. Displays as `error: file:line:col: message` and a hint line.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// File name as given.
    pub file: String,
    /// Line and column, from 1, where known.
    pub location: Option<(usize, usize)>,
    /// What was found and what is allowed.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}", self.file)?;
        if let Some((line, column)) = self.location {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Text of a scene file; converts byte offsets to lines and columns.
#[derive(Clone, Debug)]
pub(crate) struct SourceText {
    pub file: String,
    line_starts: Vec<usize>,
    text: String,
}

impl SourceText {
    pub fn new(file: &str, text: &str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { file: file.to_owned(), line_starts, text: text.to_owned() }
    }

    /// Line and column, from 1, of a byte offset; columns count characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= offset).max(1);
        let start = self.line_starts[line - 1];
        let end = offset.min(self.text.len());
        let column = self.text.get(start..end).map_or(end - start, |text| text.chars().count());
        (line, column + 1)
    }

    pub fn error(&self, span: Option<Range<usize>>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            file: self.file.clone(),
            location: span.map(|span| self.line_column(span.start)),
            message: message.into(),
            hint: None,
        }
    }
}

impl Diagnostic {
    /// An error in the text of a file, at a byte offset where it is known: for readers of other files with scenes.
    pub fn error_at(file: &str, text: &str, offset: Option<usize>, message: String, hint: String) -> Self {
        SourceText::new(file, text).error(offset.map(|offset| offset..offset), message).hint(hint)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The candidate most similar to a misspelt word, if any is similar enough.
pub fn closest_match<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&word, &candidate.to_lowercase()), candidate))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_column_counts_lines_and_characters_from_one() {
        let source = SourceText::new("f", "a\nµb = 1\n");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(2), (2, 1));
        assert_eq!(source.line_column(4), (2, 2), "µ is two bytes but one character");
        assert_eq!(source.line_column(999), (3, 1));
    }

    #[test]
    fn closest_match_finds_similar_words_only() {
        assert_eq!(closest_match("tention", ["length", "tension", "radius"]), Some("tension"));
        assert_eq!(closest_match("xyzzy", ["length", "tension"]), None);
    }
}
