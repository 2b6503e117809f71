//! Runs the tutorial: saves its scenes, runs its commands in an empty folder, and looks for what it shows.
//!
//! Blocks of `docs/tutorial.md`: `toml FILE` is written to the file, `toml FILE +` is added to it, `sh` is run, and `text` is what
//! the commands before it print, line by line and in this order, where … stands for anything.

mod program;

use program::percuss;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A fenced block: the words after its fence, and its lines.
struct Block<'a> {
    words: Vec<&'a str>,
    lines: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let words = words.split_whitespace().collect();
            blocks.push(Block { words, lines: lines.by_ref().take_while(|line| *line != "```").collect() });
        }
    }
    blocks
}

/// Whether a line has the parts of a pattern in their order, from its start.
fn matches(line: &str, pattern: &str) -> bool {
    let mut rest = line;
    pattern.split('…').enumerate().all(|(index, part)| {
        let part = part.trim_end();
        let found = rest.find(part).filter(|&at| index > 0 || at == 0);
        found.inspect(|at| rest = &rest[at + part.len()..]).is_some()
    })
}

/// Runs the commands of a block; returns what they print, and their number.
fn run(folder: &Path, block: &Block<'_>) -> String {
    let mut said = String::new();
    for line in &block.lines {
        let arguments = line.strip_prefix("percuss ").unwrap_or_else(|| panic!("not a command of percuss: {line}"));
        let output = percuss(folder, arguments);
        let warned = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{line}: {warned}");
        assert_eq!(warned, "", "{line}");
        said += &String::from_utf8(output.stdout).unwrap();
    }
    said
}

#[test]
fn every_command_of_the_tutorial_does_what_is_shown() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let text = fs::read_to_string(document).unwrap();
    let folder = TempDir::new().unwrap();
    let (mut said, mut commands, mut shown) = (String::new(), 0, 0);
    for block in blocks(&text) {
        let content = block.lines.join("\n") + "\n";
        match block.words[..] {
            ["toml", file] => fs::write(folder.path().join(file), content).unwrap(),
            ["toml", file, "+"] => {
                let before = fs::read_to_string(folder.path().join(file)).unwrap();
                fs::write(folder.path().join(file), before + "\n" + &content).unwrap();
            }
            ["sh"] => {
                said = run(folder.path(), &block);
                commands += block.lines.len();
            }
            ["text"] => {
                let mut printed = said.lines();
                for pattern in &block.lines {
                    assert!(
                        printed.any(|line| matches(line, pattern)),
                        "{pattern}\nis not, or not in this order, in\n{said}"
                    );
                    shown += 1;
                }
            }
            ["console"] => {}
            ref other => panic!("unknown block {other:?}"),
        }
    }
    assert!(commands >= 7 && shown >= 15, "{commands} commands, {shown} lines");
    for file in ["first.wav", "string.wav", "buzz.wav", "damped.wav", "report.json", "film.gif", "film.wav"] {
        assert!(text.contains(file) && folder.path().join(file).metadata().unwrap().len() > 1000, "{file}");
    }
}

#[test]
fn patterns_match_from_the_start_and_in_order() {
    assert!(matches("peak    3.2 m/s, normalised to -18 LUFS", "peak    …, normalised to …"));
    assert!(matches("wrote   a.wav", "wrote   a.wav") && !matches(" wrote", "wrote"));
    assert!(!matches("normalised, peak", "…peak …, normalised"));
}
