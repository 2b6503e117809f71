//! Displacements of a run on disk, in a file without a name: it vanishes with the process.

use super::cast::Actor;
use super::shots::Shots;
use percuss::Simulation;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Watches a run.
pub struct Camera {
    cast: Vec<Actor>,
    shots: Shots,
    writer: BufWriter<File>,
    /// Pictures taken so far.
    taken: u64,
    /// Largest displacement of each actor so far \[m\].
    peaks: Vec<f32>,
    values: Vec<f32>,
}

impl Camera {
    /// Opens a file without a name in a folder: where the result will be, there should be room.
    pub fn new(cast: Vec<Actor>, shots: Shots, folder: &Path) -> io::Result<Self> {
        let writer = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { peaks: vec![0.0; cast.len()], cast, shots, writer, taken: 0, values: Vec::new() })
    }

    /// Takes a picture if it is time for one.
    pub fn watch(&mut self, sim: &Simulation) -> io::Result<()> {
        if self.taken == self.shots.count || sim.steps() < self.shots.step(self.taken) {
            return Ok(());
        }
        self.taken += 1;
        for (actor, peak) in self.cast.iter_mut().zip(&mut self.peaks) {
            self.values.clear();
            actor.look(sim, &mut self.values);
            *peak = actor.form.own(&self.values).iter().fold(*peak, |peak, u| peak.max(u.abs()));
            for value in &self.values {
                self.writer.write_all(&value.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Ends the run.
    pub fn finish(self) -> io::Result<Reel> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Reel { file, cast: self.cast, shots: self.shots, peaks: self.peaks })
    }
}

/// What was seen.
pub struct Reel {
    file: File,
    /// What is to be seen.
    pub cast: Vec<Actor>,
    /// When.
    pub shots: Shots,
    /// Largest displacement of each actor \[m\].
    pub peaks: Vec<f32>,
}

impl Reel {
    /// Whether nothing moves.
    pub fn is_still(&self) -> bool {
        self.peaks.iter().all(|&peak| peak == 0.0)
    }

    /// Reads it from the start.
    pub fn projector(&self) -> io::Result<Projector<'_>> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        reader.seek(SeekFrom::Start(0))?;
        Ok(Projector { reader, values: self.cast.iter().map(|actor| vec![0.0; actor.values()]).collect() })
    }
}

/// Reads a reel.
pub struct Projector<'a> {
    reader: BufReader<&'a File>,
    values: Vec<Vec<f32>>,
}

impl Projector<'_> {
    /// The displacements of the next picture: for each actor its values.
    pub fn advance(&mut self) -> io::Result<&[Vec<f32>]> {
        for value in self.values.iter_mut().flatten() {
            let mut bytes = [0; 4];
            self.reader.read_exact(&mut bytes)?;
            *value = f32::from_le_bytes(bytes);
        }
        Ok(&self.values)
    }
}
