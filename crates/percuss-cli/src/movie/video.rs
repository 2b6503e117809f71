//! Videos with sound, by ffmpeg: the one program that percuss starts if it is there, and does without if it is not.
//!
//! Frames go to its standard input as RGB pixels. The sound is slowed like the picture, so that its pitch falls; slowed by more than
//! [`MAX_HEARD_SLOW_DOWN`] little of it could be heard, and the video is silent.

use super::encoder::MovieEncoder;
use super::schedule::FrameSchedule;
use crate::error::{CliError, Result};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// The slowest motion that has a sound.
const MAX_HEARD_SLOW_DOWN: f64 = 20.0;

/// A container, with the codecs that browsers play in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// H.264 and AAC.
    Mp4,
    /// VP9 and Opus.
    WebM,
}

impl VideoFormat {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Mp4 => &[
                "-c:v",
                "libx264",
                "-crf",
                "18",
                "-c:a",
                "aac",
                "-b:a",
                "192k",
                "-movflags",
                "+faststart",
                "-f",
                "mp4",
            ],
            Self::WebM => &["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-c:a", "libopus", "-f", "webm"],
        }
    }
}

/// Refuses a video where ffmpeg is not installed.
pub fn check_ffmpeg(path: &Path) -> Result<()> {
    let mut command = Command::new("ffmpeg");
    command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(CliError::with_hint(
            format!("{}: videos need the program ffmpeg, which cannot be run", path.display()),
            "install ffmpeg, or name a file that ends in .gif or .png",
        )),
    }
}

/// A sound file.
#[derive(Clone, Copy, Debug)]
pub struct MovieSound<'a> {
    /// The file.
    pub file: &'a Path,
    /// Sample rate \[Hz\].
    pub rate: f64,
    /// Number of channels; of more than two the first two are heard.
    pub channels: usize,
}

/// Writes all frames and the sound to a file.
pub fn write(
    encoder: &mut MovieEncoder<'_>,
    (format, file): (VideoFormat, &Path),
    schedule: &FrameSchedule,
    sound: &MovieSound<'_>,
) -> std::result::Result<(), String> {
    let (width, height) = encoder.size();
    let mut command = Command::new("ffmpeg");
    command.args(["-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]);
    command.args(["-s", &format!("{width}x{height}"), "-r", &schedule.fps.to_string(), "-i", "-"]);
    if schedule.slow_down <= MAX_HEARD_SLOW_DOWN {
        let (start, length) = (schedule.time(0), schedule.count as f64 * schedule.interval());
        // By number: files of one channel may say that it is the left one.
        let right = sound.channels.min(2) - 1;
        let rate = (sound.rate / schedule.slow_down).round();
        let slowed = format!("asetrate={rate},aresample=48000,pan=stereo|c0=c0|c1=c{right}");
        command.args(["-ss", &start.to_string(), "-t", &length.to_string(), "-i"]).arg(sound.file);
        command.args(["-af", &slowed]);
    }
    // The codecs need even sides.
    command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).args(format.arguments()).arg(file);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("ffmpeg: {error}"))?;
    let sent = child.stdin.take().map_or(Ok(()), |stdin| send_frames(encoder, schedule.count, stdin));
    let output = child.wait_with_output().map_err(|error| format!("ffmpeg: {error}"))?;
    if output.status.success() {
        return sent.map_err(|error| error.to_string());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("ffmpeg failed: {}", said.lines().next().unwrap_or("without a message")))
}

fn send_frames(encoder: &mut MovieEncoder<'_>, count: u64, mut pipe: impl Write) -> io::Result<()> {
    (0..count).try_for_each(|_| encoder.write_rgb(&mut pipe))
}
