//! Output of a movie: numbered frames in a folder, or one animated file.

use super::encoder::MovieEncoder;
use super::frame_data::RecordedFrames;
use super::frame_renderer::FrameRenderer;
use super::video::{self, MovieSound, VideoFormat};
use crate::error::{CliError, Result};
use crate::output::{OutputFile, OutputFolder};
use std::io;
use std::path::Path;

/// Output of a movie, checked to be writable before the run.
pub enum MovieOutput {
    /// Numbered PNG files.
    NumberedFrames {
        /// One per frame.
        files: Vec<OutputFile>,
        /// Folder of the files.
        folder: OutputFolder,
    },
    /// One animated GIF.
    Gif(OutputFile),
    /// One animated PNG.
    Apng(OutputFile),
    /// One video with sound.
    Video(VideoFormat, OutputFile),
}

impl MovieOutput {
    /// A file whose name ends in .gif, .png, .mp4 or .webm, or else a folder.
    pub fn new(path: &Path, count: u64) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("gif") => OutputFile::new(path).map(Self::Gif),
            Some("png") => OutputFile::new(path).map(Self::Apng),
            Some("mp4") => Self::video(VideoFormat::Mp4, path),
            Some("webm") => Self::video(VideoFormat::WebM, path),
            Some(other @ ("mov" | "avi" | "mkv" | "apng")) => Err(CliError::with_hint(
                format!("{}: movies are not written as {other}", path.display()),
                "name a file that ends in .gif, .png, .mp4 or .webm, or a folder for numbered frames",
            )),
            _ => Self::in_folder(path, count),
        }
    }

    fn video(format: VideoFormat, path: &Path) -> Result<Self> {
        video::check_ffmpeg(path)?;
        OutputFile::new(path).map(|file| Self::Video(format, file))
    }

    fn in_folder(path: &Path, count: u64) -> Result<Self> {
        let folder = OutputFolder::new(path, false)?;
        let name = |number: u64| path.join(format!("frame-{number:05}.png"));
        // Frames of an earlier, longer movie would look like the end of this one.
        if name(count + 1).exists() {
            return Err(CliError::with_hint(
                format!("{}: is left over from a longer movie", name(count + 1).display()),
                format!("remove the frames in {}, or name another folder", path.display()),
            ));
        }
        let files = (1..=count).map(|number| OutputFile::new(&name(number))).collect::<Result<_>>()?;
        Ok(Self::NumberedFrames { files, folder })
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &OutputFile> {
        match self {
            Self::NumberedFrames { files, .. } => files.iter(),
            Self::Gif(file) | Self::Apng(file) | Self::Video(_, file) => std::slice::from_ref(file).iter(),
        }
    }

    /// File or folder, as the user typed it.
    pub fn given_path(&self) -> &Path {
        match self {
            Self::NumberedFrames { folder, .. } => &folder.path,
            Self::Gif(file) | Self::Apng(file) | Self::Video(_, file) => &file.given_path,
        }
    }

    /// Folder for temporary data.
    pub fn folder(&self) -> &Path {
        match self {
            Self::NumberedFrames { folder, .. } => &folder.path,
            Self::Gif(file) | Self::Apng(file) | Self::Video(_, file) => file.folder(),
        }
    }

    /// Draws and writes all frames.
    pub fn write(&self, renderer: &FrameRenderer, frames: &RecordedFrames, sound: &MovieSound<'_>) -> Result<()> {
        let failed = |error: io::Error| CliError::io("cannot be written", self.given_path(), &error);
        let mut encoder = MovieEncoder::new(renderer, frames).map_err(failed)?;
        match self {
            Self::NumberedFrames { files, .. } => {
                files.iter().try_for_each(|file| file.write(|file| encoder.write_png(file)))
            }
            Self::Gif(file) => file.write(|file| encoder.write_gif(file)),
            Self::Apng(file) => file.write(|file| encoder.write_apng(file)),
            Self::Video(format, file) => {
                file.write_by_path(|path| video::write(&mut encoder, (*format, path), &frames.schedule, sound))
            }
        }
    }
}
