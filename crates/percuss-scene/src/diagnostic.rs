//! What is said about a scene file: where, what was found, what is allowed, and a hint.

use std::fmt;
use std::ops::Range;

/// How grave a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot be used.
    Error,
    /// The scene can be used, but perhaps was not meant so.
    Warning,
}

/// Something to say about a place in a scene file. Displays as `error: file:line:col: message` and a hint line.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How grave.
    pub severity: Severity,
    /// File name as given.
    pub file: String,
    /// Line and column from 1, where there is a place.
    pub place: Option<(usize, usize)>,
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
        if let Some((line, column)) = self.place {
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

/// The text of a scene file, for turning byte offsets into places.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub file: String,
    line_starts: Vec<usize>,
    text: String,
}

impl Source {
    pub fn new(file: &str, text: &str) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Self { file: file.to_owned(), line_starts, text: text.to_owned() }
    }

    /// Line and column, from 1, of a byte offset; columns count characters.
    pub fn place(&self, offset: usize) -> (usize, usize) {
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
            place: span.map(|span| self.place(span.start)),
            message: message.into(),
            hint: None,
        }
    }
}

impl Diagnostic {
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The candidate closest to a misspelt word, if one is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
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
    fn places_count_lines_and_characters_from_one() {
        let source = Source::new("f", "a\nµb = 1\n");
        assert_eq!(source.place(0), (1, 1));
        assert_eq!(source.place(2), (2, 1));
        assert_eq!(source.place(4), (2, 2), "µ is two bytes but one character");
        assert_eq!(source.place(999), (3, 1));
    }

    #[test]
    fn a_misspelt_word_finds_its_neighbour() {
        assert_eq!(closest("tention", ["length", "tension", "radius"]), Some("tension"));
        assert_eq!(closest("xyzzy", ["length", "tension"]), None);
    }
}
