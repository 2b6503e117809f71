//! Reads a session file.

use super::{SESSION_HEADER, SceneSource};
use crate::command::{ALL_VOICES, PressureImage};

/// Maximum number of channels; more means a damaged file.
const MAX_CHANNELS: usize = 64;
/// Maximum number of lines of a scene; more means a damaged file.
const MAX_LINES: usize = 1 << 20;

/// Error in a session file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SessionError {
    /// Line, from 1.
    pub line: usize,
    /// Cause.
    pub message: String,
}

/// What an event does.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// Sets a target.
    Set {
        /// Voice, or [`ALL_VOICES`].
        voice: u8,
        /// Name of the target.
        target: String,
        /// New value.
        value: f64,
    },
    /// Sets the pressure image of a touch.
    SetImage {
        /// Name of the target.
        target: String,
        /// The image.
        image: PressureImage,
    },
    /// Cross-fades to a scene, given by its index in the session.
    SwapScene(usize),
}

/// An event and its sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionEvent {
    /// Sample.
    pub time: u64,
    /// What it does.
    pub kind: EventKind,
}

/// A recorded session.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Sample rate \[Hz\].
    pub sample_rate: f64,
    /// Number of channels.
    pub channels: usize,
    /// Scenes and their calibration gains, in the order in which they played.
    pub scenes: Vec<(SceneSource, f64)>,
    /// Events in the order of time.
    pub events: Vec<SessionEvent>,
    /// Samples played.
    pub samples: u64,
    /// Whether the file has an end line. Without one, as after a crash, the session ends with its last complete line.
    pub is_complete: bool,
}

impl Session {
    /// Parses a session file. A file that was cut off, as by a crash, ends with its last complete line.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn parse(bytes: impl AsRef<[u8]>) -> Result<Self, SessionError> {
        let bytes = bytes.as_ref();
        // What follows the last line feed may have been cut anywhere, also within a number or a character.
        let length = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let text = str::from_utf8(&bytes[..length]).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
            SessionError { line, message: "not a text".into() }
        })?;
        let mut lines = LineReader { lines: text.lines().enumerate(), line_number: 1 };
        if lines.next() != Some(SESSION_HEADER) {
            return lines.error(format!("not a session: the first line must be \"{SESSION_HEADER}\""));
        }
        let sample_rate = lines.parse_field("rate", |rate: &f64| (1e3..=768e3).contains(rate))?;
        let channels = lines.parse_field("channels", |channels: &usize| (1..=MAX_CHANNELS).contains(channels))?;
        let (scenes, events) = (Vec::new(), Vec::new());
        let mut session = Self { sample_rate, channels, scenes, events, samples: 0, is_complete: false };
        while let Some(line) = lines.next() {
            if session.is_complete {
                return lines.error("there is a line after the end");
            }
            session.parse_line(line, &mut lines)?;
        }
        if session.scenes.is_empty() {
            return lines.error("the session has no scene");
        }
        Ok(session)
    }

    /// Parses a line, and the scene that follows it.
    fn parse_line(&mut self, line: &str, lines: &mut LineReader<'_>) -> Result<(), SessionError> {
        let mut words = line.splitn(3, ' ');
        let (first, second, rest) = (words.next().unwrap_or(""), words.next(), words.next().unwrap_or(""));
        match (first, second) {
            ("end", Some(samples)) => {
                self.samples = lines.parse_number(samples, |samples: &u64| *samples >= self.last_time())?;
                self.is_complete = true;
            }
            ("scene", Some(count)) => {
                let count = lines.parse_number(count, |count| *count <= MAX_LINES)?;
                let scene = lines.parse_scene(count, rest)?;
                self.scenes.extend(scene);
            }
            (time, Some("played")) => {
                self.samples = lines.parse_number(time, |time: &u64| *time >= self.samples)?;
            }
            (time, Some(kind)) => {
                let time = lines.parse_number(time, |time: &u64| *time >= self.last_time())?;
                let kind = self.parse_event(kind, rest, lines)?;
                self.events.push(SessionEvent { time, kind });
                self.samples = self.samples.max(time + 1);
            }
            _ => return lines.error(format!("\"{line}\" is not a valid line")),
        }
        Ok(())
    }

    /// Time of the last event.
    fn last_time(&self) -> u64 {
        self.events.last().map_or(0, |event| event.time)
    }

    fn parse_event(&self, kind: &str, rest: &str, lines: &LineReader<'_>) -> Result<EventKind, SessionError> {
        let (first, name) = rest.split_once(' ').unwrap_or((rest, ""));
        match kind {
            set if set == "set" || set.starts_with("set.") => {
                let value = lines.parse_number(first, |v: &f64| v.is_finite())?;
                let voice = match set.strip_prefix("set.") {
                    Some(voice) => lines.parse_number(voice, |voice: &u8| *voice < ALL_VOICES)?,
                    None => ALL_VOICES,
                };
                Ok(EventKind::Set { voice, target: name.to_owned(), value })
            }
            "image" => {
                let (list, target) = name.split_once(' ').unwrap_or((name, ""));
                let width = lines.parse_number(first, |width: &usize| *width > 0)?;
                let values: Vec<f64> = list
                    .split(',')
                    .map(|value| lines.parse_number(value, |v: &f64| v.is_finite()))
                    .collect::<Result<_, _>>()?;
                if !values.len().is_multiple_of(width) {
                    return lines.error(format!("{} pressures do not fill rows of {width}", values.len()));
                }
                Ok(EventKind::SetImage { target: target.to_owned(), image: PressureImage { width, values } })
            }
            "scene" => Ok(EventKind::SwapScene(lines.parse_number(rest, |scene: &usize| *scene < self.scenes.len())?)),
            other => lines.error(format!("\"{other}\" is not an event: set, image, scene or played")),
        }
    }
}

/// Lines of a file, with the number of the current one.
struct LineReader<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    line_number: usize,
}

impl<'a> LineReader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (index, line) = self.lines.next()?;
        self.line_number = index + 1;
        Some(line)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, SessionError> {
        Err(SessionError { line: self.line_number, message: message.into() })
    }

    /// A line with a keyword and a number.
    fn parse_field<T: std::str::FromStr>(
        &mut self,
        keyword: &str,
        allowed: impl Fn(&T) -> bool,
    ) -> Result<T, SessionError> {
        let line = self.next().unwrap_or("");
        match line.strip_prefix(keyword) {
            Some(number) => self.parse_number(number.trim(), allowed),
            None => self.error(format!("{keyword} is missing")),
        }
    }

    fn parse_number<T: std::str::FromStr>(&self, text: &str, allowed: impl Fn(&T) -> bool) -> Result<T, SessionError> {
        match text.parse().ok().filter(allowed) {
            Some(number) => Ok(number),
            None => self.error(format!("{text} is not a valid number here")),
        }
    }

    /// A scene with a number of lines, and its calibration gain; `None` if the file was cut off in it.
    fn parse_scene(&mut self, count: usize, rest: &str) -> Result<Option<(SceneSource, f64)>, SessionError> {
        let (gain, path) = rest.split_once(' ').unwrap_or((rest, ""));
        let gain = self.parse_number(gain, |gain: &f64| gain.is_finite() && *gain > 0.0)?;
        let mut text = String::new();
        for _ in 0..count {
            let Some(line) = self.next() else { return Ok(None) };
            text.push_str(line);
            text.push('\n');
        }
        Ok(Some((SceneSource { path: path.to_owned(), text }, gain)))
    }
}
