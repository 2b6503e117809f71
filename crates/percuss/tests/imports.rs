//! The engine's modules import each other one way: there is no cycle, and none imports from a layer above its own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Layers from the lowest to the highest. A module may import from its own layer and from those below.
const LAYERS: [&[&str]; 7] = [
    &["error"],
    &["model", "energy"],
    &["control"],
    &["element", "interaction"],
    &["contact"],
    &["compile"],
    &["simulation"],
];

/// Modules outside the layers: they use the public interface.
const OUTSIDE: [&str; 4] = ["", "batch", "impact", "prelude"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let nested = entries.map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    nested.flatten().filter(|path| path.extension().is_some_and(|ending| ending == "rs")).collect()
}

/// `element::plate` for `element/plate/mod.rs`.
fn module(file: &Path) -> String {
    let relative = file.strip_prefix(source()).unwrap().with_extension("");
    let parts: Vec<_> = relative.iter().map(|part| part.to_str().unwrap()).collect();
    parts.into_iter().filter(|&part| part != "mod" && part != "lib").collect::<Vec<_>>().join("::")
}

/// The text up to the unit tests, without comments.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// Paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn leaves(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = &rest[..rest.rfind('}').unwrap()];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, character) in inner.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(leaves).map(|leaf| format!("{}{leaf}", prefix.trim())).collect()
}

/// All paths that a text names from the root of the crate.
fn paths(text: &str) -> Vec<String> {
    let tree = |start: usize| {
        let rest = &text[start..];
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let end = rest.find(|c| !plain(c)).unwrap_or(rest.len());
        let end = if rest[end..].starts_with('{') { rest.find(';').unwrap_or(end) } else { end };
        leaves(&rest[..end])
    };
    text.match_indices("crate::").flat_map(|(at, found)| tree(at + found.len())).collect()
}

/// Which modules every module imports from.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let files = files(&source());
    let modules: BTreeSet<String> = files.iter().map(|file| module(file)).collect();
    let owner = |path: &str| {
        let parts: Vec<&str> = path.split("::").collect();
        (1..=parts.len()).rev().map(|count| parts[..count].join("::")).find(|name| modules.contains(name))
    };
    let imports_of = |file: &PathBuf| {
        let own = module(file);
        let found = paths(&code(file)).into_iter().map(|path| owner(&path).unwrap_or_default());
        let found = found.filter(|other| *other != own).collect();
        (own, found)
    };
    files.iter().map(imports_of).collect()
}

fn layer(module: &str) -> Option<usize> {
    let top = module.split("::").next().unwrap();
    LAYERS.iter().position(|layer| layer.contains(&top))
}

#[test]
fn every_module_has_its_layer() {
    for module in imports().keys().filter(|module| layer(module).is_none()) {
        assert!(OUTSIDE.contains(&module.split("::").next().unwrap()), "`{module}` is in no layer");
    }
}

#[test]
fn no_module_imports_from_a_layer_above() {
    let imports = imports();
    let all = imports.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let upwards = all.filter(|(from, to)| layer(from).is_some() && layer(to).is_none_or(|to| Some(to) > layer(from)));
    let upwards: Vec<String> = upwards.map(|(from, to)| format!("`{from}` imports `{to}`")).collect();
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
}

#[test]
fn files_do_not_import_by_relative_paths() {
    for file in files(&source()) {
        assert!(!code(&file).contains("use super::"), "{} says `use super::`", file.display());
    }
}

#[test]
fn no_modules_import_each_other_in_a_cycle() {
    let mut left = imports();
    // What imports nothing that is left cannot be part of a cycle.
    loop {
        let done: Vec<String> = left.iter().filter(|(_, to)| to.is_empty()).map(|(from, _)| from.clone()).collect();
        if done.is_empty() {
            break;
        }
        left.retain(|from, _| !done.contains(from));
        left.values_mut().for_each(|to| to.retain(|module| !done.contains(module)));
    }
    // Nor can what nothing imports.
    loop {
        let used: BTreeSet<String> = left.values().flatten().cloned().collect();
        let before = left.len();
        left.retain(|from, _| used.contains(from));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "cycles among {left:#?}");
}

#[test]
fn trees_of_imports_are_read_as_rust_does() {
    let text = "use crate::a::{b::{C, d}, E};\nlet x = crate::f::g(1);\nuse crate::h::I;";
    assert_eq!(paths(text), ["a::b::C", "a::b::d", "a::E", "f::g", "h::I"]);
}
