//! Where a film goes: numbered pictures in a folder, or one animated file.

use super::picture::Picture;
use super::reel::Reel;
use super::studio::Studio;
use crate::failure::{Failure, Result};
use crate::output::{Folder, Target};
use std::io;
use std::path::Path;

/// Where a film goes, checked beforehand.
pub enum Output {
    /// Numbered PNG pictures.
    Pictures {
        /// One for each picture.
        targets: Vec<Target>,
        /// The folder they are in.
        folder: Folder,
    },
    /// One animated GIF.
    Gif(Target),
    /// One animated PNG.
    Apng(Target),
}

impl Output {
    /// A file that ends in .gif or .png, or else a folder.
    pub fn new(path: &Path, count: u64) -> Result<Self> {
        let end = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        match end.as_deref() {
            Some("gif") => Target::new(path).map(Self::Gif),
            Some("png") => Target::new(path).map(Self::Apng),
            Some(end @ ("mp4" | "mov" | "avi" | "webm" | "mkv" | "apng")) => Err(Failure::hinted(
                format!("{}: films are not written as {end}", path.display()),
                "name a file that ends in .gif or .png, or a folder for numbered pictures",
            )),
            _ => Self::in_folder(path, count),
        }
    }

    fn in_folder(path: &Path, count: u64) -> Result<Self> {
        let folder = Folder::new(path, false)?;
        let name = |number: u64| path.join(format!("frame-{number:05}.png"));
        // The end of a longer film would look like part of this one.
        if name(count + 1).exists() {
            return Err(Failure::hinted(
                format!("{}: is left over from a longer film", name(count + 1).display()),
                format!("remove the pictures in {}, or name another folder", path.display()),
            ));
        }
        let targets = (1..=count).map(|number| Target::new(&name(number))).collect::<Result<_>>()?;
        Ok(Self::Pictures { targets, folder })
    }

    /// The files.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        match self {
            Self::Pictures { targets, .. } => targets.iter(),
            Self::Gif(target) | Self::Apng(target) => std::slice::from_ref(target).iter(),
        }
    }

    /// The file or folder, as typed.
    pub fn shown(&self) -> &Path {
        match self {
            Self::Pictures { folder, .. } => &folder.path,
            Self::Gif(target) | Self::Apng(target) => &target.shown,
        }
    }

    /// The folder in which there should be room.
    pub fn folder(&self) -> &Path {
        match self {
            Self::Pictures { folder, .. } => &folder.path,
            Self::Gif(target) | Self::Apng(target) => target.folder(),
        }
    }

    /// Draws and writes all pictures.
    pub fn write(&self, picture: &Picture, reel: &Reel) -> Result<()> {
        let failed = |error: io::Error| Failure::file("cannot be written", self.shown(), &error);
        let mut studio = Studio::new(picture, reel).map_err(failed)?;
        match self {
            Self::Pictures { targets, .. } => {
                targets.iter().try_for_each(|target| target.write(|file| studio.png(file)))
            }
            Self::Gif(target) => target.write(|file| studio.gif(file)),
            Self::Apng(target) => target.write(|file| studio.apng(file)),
        }
    }
}
