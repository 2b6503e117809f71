//! The text of a scene with places for values.

use crate::distribution::Value;
use std::ops::Range;

/// A scene in pieces: between two of them is the value of a variation.
#[derive(Clone, Debug)]
pub struct Template {
    /// Name of the scene in messages; files that it names are relative to its folder.
    pub file: String,
    pieces: Vec<String>,
    /// For each place, the number of the variation.
    places: Vec<usize>,
}

impl Template {
    /// Of a text whose values at these places vary. The places do not overlap.
    pub fn new(file: String, text: &str, spans: &[Range<usize>]) -> Self {
        let mut places: Vec<usize> = (0..spans.len()).collect();
        places.sort_by_key(|&variation| spans[variation].start);
        let starts = places.iter().map(|&variation| spans[variation].start).chain([text.len()]);
        let ends = [0].into_iter().chain(places.iter().map(|&variation| spans[variation].end));
        let pieces = ends.zip(starts).map(|(from, to)| text[from..to].to_owned()).collect();
        Self { file, pieces, places }
    }

    /// The text with values, in the order of the variations.
    pub fn fill(&self, values: &[Value]) -> String {
        let mut text = self.pieces[0].clone();
        for (piece, &variation) in self.pieces[1..].iter().zip(&self.places) {
            text += &values[variation].to_toml();
            text += piece;
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_replace_the_places_in_any_order() {
        let template = Template::new("f".into(), "a = 1\nb = [2, 3]\n", &[11..12, 4..5]);
        assert_eq!(template.fill(&[Value::Number(0.5), Value::Text("x".into())]), "a = \"x\"\nb = [0.5, 3]\n");
        assert_eq!(Template::new("f".into(), "a = 1", &[]).fill(&[]), "a = 1");
    }
}
