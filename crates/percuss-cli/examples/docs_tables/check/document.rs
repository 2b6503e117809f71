//! Generated blocks of a document.

use std::ops::Range;

const START: &str = "<!-- generated: ";
const START_END: &str = " -->";
const END: &str = "<!-- end -->";
/// Default tolerance of numbers \[%\].
const TOLERANCE: f64 = 2.0;

/// A generated block.
#[derive(Debug, PartialEq)]
pub struct GeneratedBlock {
    /// Line of its first comment, from 1.
    pub line: usize,
    /// Command that prints it.
    pub command: String,
    /// Heading of the table, or `lines A to B`.
    pub selection: String,
    /// Whether it holds times, which depend on the machine.
    pub timings: bool,
    /// Tolerance of numbers \[%\], and of those of single rows.
    pub tolerance: f64,
    pub row_tolerances: Vec<(String, f64)>,
    /// Lines between the comments.
    pub body: Vec<String>,
    /// Their indices.
    range: Range<usize>,
}

impl GeneratedBlock {
    fn new(index: usize, marker: &str) -> Result<Self, String> {
        let mut options = marker.split(';').map(str::trim);
        let source = options.next().unwrap_or_default();
        let (command, selection) = source.rsplit_once(" | ").ok_or("`| TABLE` is missing after the command")?;
        let mut block = Self {
            line: index + 1,
            command: command.trim().into(),
            selection: selection.trim().into(),
            timings: false,
            tolerance: TOLERANCE,
            row_tolerances: Vec::new(),
            body: Vec::new(),
            range: 0..0,
        };
        for option in options {
            block.set(option).ok_or_else(|| format!("`{option}` is not an option"))?;
        }
        Ok(block)
    }

    fn set(&mut self, option: &str) -> Option<()> {
        if option == "timings" {
            self.timings = true;
            return Some(());
        }
        let (row, percent) = option.rsplit_once("within ")?;
        let percent = percent.strip_suffix('%')?.trim().parse().ok()?;
        match row.trim() {
            "" => self.tolerance = percent,
            row => self.row_tolerances.push((row.into(), percent)),
        }
        Some(())
    }
}

/// All generated blocks of a document. An error starts with a line number.
pub fn blocks(text: &str) -> Result<Vec<GeneratedBlock>, String> {
    let mut blocks = Vec::new();
    let mut open: Option<GeneratedBlock> = None;
    for (index, line) in text.lines().enumerate() {
        let marker = line.strip_prefix(START).and_then(|rest| rest.strip_suffix(START_END));
        let at = |message: &str| format!("{}: {message}", index + 1);
        match (marker, &mut open) {
            (Some(_), Some(_)) => return Err(at("the block before is not closed")),
            (Some(marker), None) => open = Some(GeneratedBlock::new(index, marker).map_err(|message| at(&message))?),
            (None, Some(_)) if line == END => {
                let mut block = open.take().expect("a block is open");
                block.range = block.line..index;
                blocks.push(block);
            }
            (None, None) if line == END => return Err(at("no block is open")),
            (None, None) if line.starts_with(START.trim_end()) => return Err(at("the comment must end with ` -->`")),
            (None, Some(block)) => block.body.push(line.into()),
            (None, None) => {}
        }
    }
    open.map_or(Ok(blocks), |block| Err(format!("{}: the block is not closed", block.line)))
}

/// A document whose blocks are replaced.
pub struct MarkdownDocument<'a> {
    lines: Vec<&'a str>,
    /// Line ranges and what replaces them.
    replacements: Vec<(Range<usize>, String)>,
}

impl<'a> MarkdownDocument<'a> {
    /// Splits a document into lines.
    pub fn new(text: &'a str) -> Self {
        Self { lines: text.lines().collect(), replacements: Vec::new() }
    }

    /// Replaces the body of a block; blocks come in order.
    pub fn replace(&mut self, block: &GeneratedBlock, printed: &str) {
        self.replacements.push((block.range.clone(), printed.into()));
    }

    /// The document with the replacements.
    pub fn text(&self) -> String {
        let (mut text, mut next) = (String::new(), 0);
        let copy = |text: &mut String, range: Range<usize>| {
            self.lines[range].iter().for_each(|line| {
                text.push_str(line);
                text.push('\n');
            });
        };
        for (range, printed) in &self.replacements {
            copy(&mut text, next..range.start);
            text.push_str(printed);
            next = range.end;
        }
        copy(&mut text, next..self.lines.len());
        text
    }
}
