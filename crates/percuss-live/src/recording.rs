//! Recording of the audio output as 32-bit float WAV.

use hound::{SampleFormat, WavSpec, WavWriter};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// A WAV file that is written during playback.
pub struct Recording {
    writer: WavWriter<BufWriter<File>>,
    samples: u64,
    /// Samples between flushes. A flush updates the header, so that the file is readable after a crash.
    flush_interval: u64,
}

impl Recording {
    /// Creates a file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn create(path: &Path, rate: f64, channels: usize) -> io::Result<Self> {
        let (sample_rate, bits_per_sample) = (rate as u32, 32);
        let spec =
            WavSpec { channels: channels as u16, sample_rate, bits_per_sample, sample_format: SampleFormat::Float };
        let writer = WavWriter::create(path, spec).map_err(io_error)?;
        Ok(Self { writer, samples: 0, flush_interval: sample_rate as u64 * channels as u64 })
    }

    /// Writes a sample.
    ///
    /// # Errors
    /// An I/O error.
    pub fn write(&mut self, sample: f32) -> io::Result<()> {
        self.writer.write_sample(sample).map_err(io_error)?;
        self.samples += 1;
        if self.samples.is_multiple_of(self.flush_interval) {
            self.writer.flush().map_err(io_error)?;
        }
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn finish(self) -> io::Result<()> {
        self.writer.finalize().map_err(io_error)
    }
}

fn io_error(error: hound::Error) -> io::Error {
    match error {
        hound::Error::IoError(error) => error,
        other => io::Error::other(other),
    }
}
