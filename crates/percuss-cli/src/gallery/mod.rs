//! The page of the gallery: one card for every preset, with its sound, its pictures and its scene file.
//!
//! Sounds and pictures are files beside the page: 40 presets are 30 MB, which a browser should load when they are asked for. All
//! else is in the page.

use percuss_scene::presets::Preset;

/// The page, with `{{cards}}` and `{{count}}` to be replaced.
const PAGE: &str = include_str!("page.html");

/// Name of a preset's sound file.
pub fn sound_name(preset: &Preset) -> String {
    format!("{}.wav", preset.name)
}

/// Name of the folder of a preset's pictures.
pub fn picture_folder(preset: &Preset) -> String {
    format!("{}-pictures", preset.name)
}

/// The page of some presets.
pub fn page(presets: &[&Preset]) -> String {
    let cards: String = presets.iter().map(|preset| card(preset)).collect();
    PAGE.replace("{{count}}", &presets.len().to_string()).replace("{{cards}}", &cards)
}

fn card(preset: &Preset) -> String {
    let Preset { name, summary, text, .. } = preset;
    let (sound, pictures) = (sound_name(preset), picture_folder(preset));
    format!(
        r##"    <article id="{name}">
      <h2><a href="#{name}">{name}</a></h2>
      <p class="summary">{summary}</p>
      <a class="picture" href="{pictures}/spectrogram.png"><img src="{pictures}/spectrogram.png" width="1600" height="900" loading="lazy" alt="Spectrogram of {name}"></a>
      <audio controls preload="metadata" src="{sound}" aria-label="{name}"></audio>
      <p>{about}</p>
      <p class="links"><a href="{pictures}/waveform.png">Waveform</a> <a href="{pictures}/energy.png">Energy</a> <a href="{sound}" download>Download</a></p>
      <details>
        <summary>Scene file</summary>
        <pre tabindex="0" aria-label="Scene file of {name}">{scene}</pre>
      </details>
    </article>
"##,
        summary = escape(summary),
        about = escape(&opening_comment(text)),
        scene = escape(text),
    )
}

/// The comment that opens a scene file, as one line.
fn opening_comment(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Text as it is written in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss_scene::presets;

    #[test]
    fn every_preset_opens_with_what_it_is() {
        for preset in presets::all() {
            let about = opening_comment(preset.text);
            assert!(about.len() > 80 && about.ends_with('.'), "{}: {about}", preset.name);
        }
    }

    #[test]
    fn text_is_escaped_and_all_placeholders_are_replaced() {
        let summary = "a <bold> claim & \"more\"";
        let preset = Preset { name: "made-up", summary, text: "# First <line>,\n# second.\n\n[scene]\n# Not this." };
        let page = page(&[&preset]);
        for words in
            ["a &lt;bold&gt; claim &amp; &quot;more&quot;", "<p>First &lt;line&gt;, second.</p>", "made-up.wav"]
        {
            assert!(page.contains(words), "{words} in {page}");
        }
        assert!(!page.contains("{{") && !page.contains("<bold>"));
    }
}
