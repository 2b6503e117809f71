//! The text of a scene as the page plays it.

use percuss_scene::edit;

/// Sample rate of scenes that do not name one \[Hz\].
const DEFAULT_RATE: f64 = 44_100.0;

/// The text with a sample rate \[Hz\] that is at most `max_rate`. A lower rate makes grids coarser and leaves steps between samples
/// out. The rate is written into the text, so that a session that is played again has it, too.
pub(crate) fn with_max_rate(text: &str, max_rate: f64) -> String {
    let values = edit::values(text);
    let named = values.iter().find(|(path, _)| path == "scene.sample_rate").map(|(_, span)| span.clone());
    let rate = named.as_ref().map_or(Some(DEFAULT_RATE), |span| text[span.clone()].replace('_', "").parse().ok());
    let table = values.iter().find(|(path, _)| path.starts_with("scene.")).map(|(_, span)| span.start);
    match (rate, named, table) {
        (Some(rate), Some(span), _) if rate > max_rate => {
            format!("{}{max_rate:?}{}", &text[..span.start], &text[span.end..])
        }
        (Some(rate), None, Some(first)) if rate > max_rate => {
            let line = text[..first].rfind('\n').map_or(0, |end| end + 1);
            format!("{}sample_rate = {max_rate:?}\n{}", &text[..line], &text[line..])
        }
        (Some(rate), None, None) if rate > max_rate => format!("scene.sample_rate = {max_rate:?}\n{text}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss_scene::{parse, presets};

    #[test]
    fn every_preset_runs_at_the_largest_rate_that_is_allowed() {
        for preset in presets::all() {
            let own = parse(preset.text, "own").unwrap().sample_rate;
            for max_rate in [24_000.0, 48_000.0, 96_000.0] {
                let limited = parse(&with_max_rate(preset.text, max_rate), "limited");
                // A scene that needs a higher rate says so.
                let Ok(scene) = limited else { continue };
                assert_eq!(scene.sample_rate, own.min(max_rate), "{}", preset.name);
            }
        }
    }

    #[test]
    fn the_rate_is_added_where_there_is_none() {
        for text in ["[scene]\nname = \"a\"\n", "[[mass]]\nid = \"m\"\n", ""] {
            let limited = edit::values(&with_max_rate(text, 8000.0));
            assert!(limited.iter().any(|(path, _)| path == "scene.sample_rate"), "{text}");
        }
        assert_eq!(with_max_rate("[scene", 8000.0), "scene.sample_rate = 8000.0\n[scene");
    }
}
