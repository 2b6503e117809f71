//! The gallery: every link of its page leads to a file, and its document shows every preset.

mod program;

use percuss_scene::presets;
use program::percuss;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Values of an attribute in a page.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    page.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn page_shows_the_presets_and_its_links_lead_to_files() {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), "gallery hammer-bar mass-barrier -o page");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert_eq!(values(&page, "id"), ["hammer-bar", "mass-barrier"]);
    let links = [values(&page, "src"), values(&page, "href")].concat();
    let files = links.iter().filter(|link| !link.starts_with('#'));
    let mut kinds = [0, 0];
    for link in files {
        let bytes = fs::read(folder.path().join("page").join(link)).unwrap_or_else(|error| panic!("{link}: {error}"));
        kinds[0] += usize::from(bytes.starts_with(b"RIFF"));
        kinds[1] += usize::from(bytes.starts_with(b"\x89PNG"));
    }
    // Of each preset the sound to play and to download, and three pictures, one of them shown.
    assert_eq!(kinds, [4, 8]);
}

#[test]
fn folder_with_files_and_unknown_preset_are_refused() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("mine.txt"), "").unwrap();
    for (line, message) in [("gallery -o .", "must be empty or new"), ("gallery gonk -o page", "there is no preset")] {
        let output = percuss(folder.path(), line);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{line}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn document_shows_every_preset() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let text = fs::read_to_string(docs.join("gallery.md")).unwrap();
    for preset in presets::all() {
        let picture = format!("images/gallery/{}.png", preset.name);
        assert!(text.contains(&format!("## {}\n", preset.name)), "{}", preset.name);
        assert!(text.contains(&picture) && docs.join(&picture).is_file(), "{picture}");
    }
}
