//! Reading a session.

use super::{HEADING, SceneText};
use crate::command::{ALL, Picture};

/// Most channels and lines of a scene: what is beyond is a damaged file.
const MOST_CHANNELS: usize = 64;
const MOST_LINES: usize = 1 << 20;

/// What is wrong with a session file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SessionError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A target was set.
    Set {
        /// Of which voice, or of [`ALL`].
        voice: u8,
        /// Its name.
        target: String,
        /// To what.
        value: f64,
    },
    /// A picture was laid on a touch.
    Press {
        /// Name of the target.
        target: String,
        /// The picture.
        picture: Picture,
    },
    /// A scene began, by its number in the session.
    Scene(usize),
}

/// What happened, and at which sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The sample.
    pub time: u64,
    /// What happened.
    pub what: What,
}

/// A session.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Number of channels.
    pub channels: usize,
    /// The scenes and their levels, in the order in which they came on stage.
    pub scenes: Vec<(SceneText, f64)>,
    /// What happened, in the order of time.
    pub events: Vec<Event>,
    /// Samples played.
    pub samples: u64,
}

impl Session {
    /// Reads a session file. One without an end, as a crash leaves it, ends with its last event.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(text: &str) -> Result<Self, SessionError> {
        let mut lines = Lines { lines: text.lines().enumerate(), number: 0 };
        if lines.next() != Some(HEADING) {
            return lines.wrong(format!("this is no session: the first line of one is \"{HEADING}\""));
        }
        let rate = lines.field("rate", |rate: &f64| (1e3..=768e3).contains(rate))?;
        let channels = lines.field("channels", |channels: &usize| (1..=MOST_CHANNELS).contains(channels))?;
        let mut session = Self { rate, channels, scenes: Vec::new(), events: Vec::new(), samples: 0 };
        let mut ended = false;
        while let Some(line) = lines.next() {
            if ended {
                return lines.wrong("something comes after the end");
            }
            ended = session.line(line, &mut lines)?;
        }
        if session.scenes.is_empty() {
            return lines.wrong("the session has no scene");
        }
        Ok(session)
    }

    /// Reads a line; returns whether it was the last.
    fn line(&mut self, line: &str, lines: &mut Lines<'_>) -> Result<bool, SessionError> {
        let mut words = line.splitn(3, ' ');
        let (first, second, rest) = (words.next().unwrap_or(""), words.next(), words.next().unwrap_or(""));
        match (first, second) {
            ("end", Some(samples)) => {
                self.samples = lines.number_in(samples, |samples: &u64| *samples >= self.last())?;
                return Ok(true);
            }
            ("scene", Some(count)) => {
                let count = lines.number_in(count, |count| *count <= MOST_LINES)?;
                let scene = lines.scene(count, rest)?;
                self.scenes.push(scene);
            }
            (time, Some(kind)) => {
                let time = lines.number_in(time, |time: &u64| *time >= self.last())?;
                let what = self.what(kind, rest, lines)?;
                self.events.push(Event { time, what });
                self.samples = time + 1;
            }
            _ => return lines.wrong(format!("\"{line}\" says nothing")),
        }
        Ok(false)
    }

    fn last(&self) -> u64 {
        self.events.last().map_or(0, |event| event.time)
    }

    fn what(&self, kind: &str, rest: &str, lines: &Lines<'_>) -> Result<What, SessionError> {
        let (first, name) = rest.split_once(' ').unwrap_or((rest, ""));
        match kind {
            set if set == "set" || set.starts_with("set.") => {
                let value = lines.number_in(first, |v: &f64| v.is_finite())?;
                let voice = match set.strip_prefix("set.") {
                    Some(voice) => lines.number_in(voice, |voice: &u8| *voice < ALL)?,
                    None => ALL,
                };
                Ok(What::Set { voice, target: name.to_owned(), value })
            }
            "press" => {
                let (list, target) = name.split_once(' ').unwrap_or((name, ""));
                let width = lines.number_in(first, |width: &usize| *width > 0)?;
                let values: Vec<f64> = list
                    .split(',')
                    .map(|value| lines.number_in(value, |v: &f64| v.is_finite()))
                    .collect::<Result<_, _>>()?;
                if !values.len().is_multiple_of(width) {
                    return lines.wrong(format!("{} pressures do not fill rows of {width}", values.len()));
                }
                Ok(What::Press { target: target.to_owned(), picture: Picture { width, values } })
            }
            "scene" => Ok(What::Scene(lines.number_in(rest, |scene: &usize| *scene < self.scenes.len())?)),
            other => lines.wrong(format!("\"{other}\" is nothing that can happen: set, press or scene")),
        }
    }
}

/// The lines of a file, and where we are.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (index, line) = self.lines.next()?;
        self.number = index + 1;
        Some(line)
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, SessionError> {
        Err(SessionError { line: self.number, message: message.into() })
    }

    /// A line that is a word and a number.
    fn field<T: std::str::FromStr>(&mut self, word: &str, allowed: impl Fn(&T) -> bool) -> Result<T, SessionError> {
        let line = self.next().unwrap_or("");
        match line.strip_prefix(word) {
            Some(number) => self.number_in(number.trim(), allowed),
            None => self.wrong(format!("the {word} is missing")),
        }
    }

    fn number_in<T: std::str::FromStr>(&self, text: &str, allowed: impl Fn(&T) -> bool) -> Result<T, SessionError> {
        match text.parse().ok().filter(allowed) {
            Some(number) => Ok(number),
            None => self.wrong(format!("{text} is not a number that can stand here")),
        }
    }

    /// A scene of so many lines, and its level.
    fn scene(&mut self, count: usize, rest: &str) -> Result<(SceneText, f64), SessionError> {
        let (level, path) = rest.split_once(' ').unwrap_or((rest, ""));
        let level = self.number_in(level, |level: &f64| level.is_finite() && *level > 0.0)?;
        let mut text = String::new();
        for _ in 0..count {
            let Some(line) = self.next() else { return self.wrong("the scene breaks off") };
            text.push_str(line);
            text.push('\n');
        }
        Ok((SceneText { path: path.to_owned(), text }, level))
    }
}
