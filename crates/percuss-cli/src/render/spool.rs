//! The sound of a run on disk, in a file without a name: it vanishes with the process.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of a sample: f32, as fine as the finest file format.
const SAMPLE: u64 = 4;

/// Interleaved samples being written.
pub struct Spool {
    writer: BufWriter<File>,
    channels: usize,
    frames: u64,
    peak: f32,
}

impl Spool {
    /// Opens a file without a name in a folder: where the result will be, there should be room.
    pub fn new(folder: &Path, channels: usize) -> io::Result<Self> {
        let writer = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { writer, channels, frames: 0, peak: 0.0 })
    }

    /// Appends interleaved frames, up to `most` frames in all.
    pub fn write(&mut self, samples: &[f64], most: u64) -> io::Result<()> {
        let wanted = (most - self.frames).min((samples.len() / self.channels) as u64);
        for &sample in &samples[..wanted as usize * self.channels] {
            let sample = sample as f32;
            // Not `max`, which would drop a NaN.
            if sample.abs() > self.peak || sample.is_nan() {
                self.peak = sample.abs();
            }
            self.writer.write_all(&sample.to_le_bytes())?;
        }
        self.frames += wanted;
        Ok(())
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whether all samples are numbers.
    pub fn is_finite(&self) -> bool {
        self.peak.is_finite()
    }

    /// Ends writing.
    pub fn finish(self) -> io::Result<Audio> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Audio { file, channels: self.channels, frames: self.frames, peak: f64::from(self.peak) })
    }
}

/// Interleaved samples on disk, to be read as often as need be.
pub struct Audio {
    file: File,
    /// Channels.
    pub channels: usize,
    /// Samples per channel.
    pub frames: u64,
    /// Largest sample, in magnitude.
    pub peak: f64,
}

impl Audio {
    /// Hands every frame to `visit`, in order.
    pub fn for_each(&self, mut visit: impl FnMut(&[f32]) -> io::Result<()>) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        reader.seek(SeekFrom::Start(0))?;
        let mut bytes = vec![0; self.channels * SAMPLE as usize];
        let mut frame = vec![0.0; self.channels];
        for _ in 0..self.frames {
            reader.read_exact(&mut bytes)?;
            decode(&bytes, &mut frame);
            visit(&frame)?;
        }
        Ok(())
    }

    /// Reads interleaved frames from frame `start` on; what lies outside is silence.
    pub fn read(&self, start: i64, samples: &mut [f32]) -> io::Result<()> {
        samples.fill(0.0);
        let count = (samples.len() / self.channels) as i64;
        let (from, to) = (start.clamp(0, self.frames as i64), (start + count).clamp(0, self.frames as i64));
        let mut bytes = vec![0; (to - from) as usize * self.channels * SAMPLE as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(from as u64 * self.channels as u64 * SAMPLE))?;
        file.read_exact(&mut bytes)?;
        let offset = (from - start).clamp(0, count) as usize * self.channels;
        decode(&bytes, &mut samples[offset..]);
        Ok(())
    }
}

fn decode(bytes: &[u8], samples: &mut [f32]) {
    for (bytes, sample) in bytes.chunks_exact(SAMPLE as usize).zip(samples) {
        *sample = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_the_outside_is_silence() {
        let mut spool = Spool::new(&std::env::temp_dir(), 2).unwrap();
        spool.write(&[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0], 3).unwrap();
        let audio = spool.finish().unwrap();
        assert_eq!((audio.frames, audio.peak), (3, 6.0));
        let mut frames = Vec::new();
        let visit = |frame: &[f32]| {
            frames.push([frame[0], frame[1]]);
            Ok(())
        };
        audio.for_each(visit).unwrap();
        assert_eq!(frames, [[1.0, -2.0], [3.0, -4.0], [5.0, -6.0]]);
        let mut samples = [9.0; 8];
        audio.read(-1, &mut samples).unwrap();
        assert_eq!(samples, [0.0, 0.0, 1.0, -2.0, 3.0, -4.0, 5.0, -6.0]);
        audio.read(2, &mut samples).unwrap();
        assert_eq!(samples, [5.0, -6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        audio.read(50, &mut samples).unwrap();
        assert_eq!(samples, [0.0; 8]);
    }

    #[test]
    fn a_number_that_is_none_is_noticed() {
        let mut spool = Spool::new(&std::env::temp_dir(), 1).unwrap();
        spool.write(&[1.0, f64::NAN, 0.5], 3).unwrap();
        assert!(!spool.is_finite());
    }
}
