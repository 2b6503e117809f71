//! Displacements of all frames, recorded during the run in an unnamed temporary file.

use super::schedule::FrameSchedule;
use super::subjects::MovieSubject;
use percuss::Simulation;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Records the displacements of the subjects during a run.
pub struct FrameRecorder {
    subjects: Vec<MovieSubject>,
    schedule: FrameSchedule,
    writer: BufWriter<File>,
    /// Frames recorded so far.
    recorded: u64,
    /// Largest displacement of each subject so far \[m\].
    peaks: Vec<f32>,
    /// Scratch for the values of one subject.
    values: Vec<f32>,
}

impl FrameRecorder {
    /// Opens an unnamed temporary file in `folder`, the folder of the output.
    pub fn new(subjects: Vec<MovieSubject>, schedule: FrameSchedule, folder: &Path) -> io::Result<Self> {
        let writer = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { peaks: vec![0.0; subjects.len()], subjects, schedule, writer, recorded: 0, values: Vec::new() })
    }

    /// Records a frame if the simulation has reached the step of the next one.
    pub fn record_if_due(&mut self, sim: &Simulation) -> io::Result<()> {
        if self.recorded == self.schedule.count || sim.steps() < self.schedule.step(self.recorded) {
            return Ok(());
        }
        self.recorded += 1;
        for (subject, peak) in self.subjects.iter_mut().zip(&mut self.peaks) {
            self.values.clear();
            subject.append_displacements(sim, &mut self.values);
            *peak = subject.kind.node_values(&self.values).iter().fold(*peak, |peak, u| peak.max(u.abs()));
            for value in &self.values {
                self.writer.write_all(&value.to_le_bytes())?;
            }
        }
        Ok(())
    }

    /// Ends recording.
    pub fn finish(self) -> io::Result<RecordedFrames> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(RecordedFrames { file, subjects: self.subjects, schedule: self.schedule, peaks: self.peaks })
    }
}

/// Displacements of all frames, on disk.
pub struct RecordedFrames {
    file: File,
    /// Elements that are drawn.
    pub subjects: Vec<MovieSubject>,
    /// Times of the frames.
    pub schedule: FrameSchedule,
    /// Largest displacement of each subject \[m\].
    pub peaks: Vec<f32>,
}

impl RecordedFrames {
    /// Whether no subject moves in any frame.
    pub fn is_motionless(&self) -> bool {
        self.peaks.iter().all(|&peak| peak == 0.0)
    }

    /// A reader positioned before the first frame.
    pub fn reader(&self) -> io::Result<FrameReader<'_>> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        reader.seek(SeekFrom::Start(0))?;
        Ok(FrameReader {
            reader,
            values: self.subjects.iter().map(|subject| vec![0.0; subject.value_count()]).collect(),
        })
    }
}

/// Reads recorded frames in order.
pub struct FrameReader<'a> {
    reader: BufReader<&'a File>,
    values: Vec<Vec<f32>>,
}

impl FrameReader<'_> {
    /// Values of the next frame, one list per subject \[m\].
    pub fn next_frame(&mut self) -> io::Result<&[Vec<f32>]> {
        for value in self.values.iter_mut().flatten() {
            let mut bytes = [0; 4];
            self.reader.read_exact(&mut bytes)?;
            *value = f32::from_le_bytes(bytes);
        }
        Ok(&self.values)
    }
}
