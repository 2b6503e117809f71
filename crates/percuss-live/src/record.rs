//! Recording: 32-bit float, as it is played.

use hound::{SampleFormat, WavSpec, WavWriter};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// A sound file that grows.
pub struct Recording {
    writer: WavWriter<BufWriter<File>>,
    samples: u64,
    /// Samples after which the file is brought up to date, so that what is there can be read whatever happens.
    flush_every: u64,
}

impl Recording {
    /// Opens a file.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn create(path: &Path, rate: f64, channels: usize) -> io::Result<Self> {
        let (sample_rate, bits_per_sample) = (rate as u32, 32);
        let spec =
            WavSpec { channels: channels as u16, sample_rate, bits_per_sample, sample_format: SampleFormat::Float };
        let writer = WavWriter::create(path, spec).map_err(plain)?;
        Ok(Self { writer, samples: 0, flush_every: sample_rate as u64 * channels as u64 })
    }

    /// Writes a sample.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn write(&mut self, sample: f32) -> io::Result<()> {
        self.writer.write_sample(sample).map_err(plain)?;
        self.samples += 1;
        if self.samples.is_multiple_of(self.flush_every) {
            self.writer.flush().map_err(plain)?;
        }
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finalize().map_err(plain)
    }
}

fn plain(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
