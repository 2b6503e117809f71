//! Samples of a run in an unnamed temporary file, which the system removes when the process ends.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes per sample: f32, the precision of the finest output format.
const SAMPLE_BYTES: u64 = 4;

/// Writes interleaved samples.
pub struct TempAudioWriter {
    writer: BufWriter<File>,
    channels: usize,
    frames: u64,
    peak: f32,
}

impl TempAudioWriter {
    /// Opens an unnamed temporary file in `folder`, the folder of the output.
    pub fn new(folder: &Path, channels: usize) -> io::Result<Self> {
        let writer = BufWriter::new(tempfile::tempfile_in(folder)?);
        Ok(Self { writer, channels, frames: 0, peak: 0.0 })
    }

    /// Appends interleaved frames, up to `max_frames` frames in total.
    pub fn write(&mut self, samples: &[f64], max_frames: u64) -> io::Result<()> {
        let count = (max_frames - self.frames).min((samples.len() / self.channels) as u64);
        for &sample in &samples[..count as usize * self.channels] {
            let sample = sample as f32;
            // Not `f64::max`, which ignores NaN.
            if sample.abs() > self.peak || sample.is_nan() {
                self.peak = sample.abs();
            }
            self.writer.write_all(&sample.to_le_bytes())?;
        }
        self.frames += count;
        Ok(())
    }

    /// Number of frames written.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whether all samples are finite.
    pub fn is_finite(&self) -> bool {
        self.peak.is_finite()
    }

    /// Ends writing.
    pub fn finish(self) -> io::Result<TempAudio> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(TempAudio { file, channels: self.channels, frames: self.frames, peak: f64::from(self.peak) })
    }
}

/// Interleaved samples on disk, which can be read repeatedly.
pub struct TempAudio {
    file: File,
    /// Number of channels.
    pub channels: usize,
    /// Samples per channel.
    pub frames: u64,
    /// Largest magnitude of a sample.
    pub peak: f64,
}

impl TempAudio {
    /// Duration at a sample rate \[s\].
    pub fn seconds(&self, rate: f64) -> f64 {
        self.frames as f64 / rate
    }

    /// Calls `visit` with every frame in order.
    pub fn for_each(&self, mut visit: impl FnMut(&[f32]) -> io::Result<()>) -> io::Result<()> {
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        reader.seek(SeekFrom::Start(0))?;
        let mut bytes = vec![0; self.channels * SAMPLE_BYTES as usize];
        let mut frame = vec![0.0; self.channels];
        for _ in 0..self.frames {
            reader.read_exact(&mut bytes)?;
            decode(&bytes, &mut frame);
            visit(&frame)?;
        }
        Ok(())
    }

    /// Reads interleaved frames from frame `start` on; samples outside the sound are 0.
    pub fn read(&self, start: i64, samples: &mut [f32]) -> io::Result<()> {
        samples.fill(0.0);
        let count = (samples.len() / self.channels) as i64;
        let (from, to) = (start.clamp(0, self.frames as i64), (start + count).clamp(0, self.frames as i64));
        let mut bytes = vec![0; (to - from) as usize * self.channels * SAMPLE_BYTES as usize];
        let mut file = &self.file;
        file.seek(SeekFrom::Start(from as u64 * self.channels as u64 * SAMPLE_BYTES))?;
        file.read_exact(&mut bytes)?;
        let offset = (from - start).clamp(0, count) as usize * self.channels;
        decode(&bytes, &mut samples[offset..]);
        Ok(())
    }

    /// Replaces the last interleaved frames.
    pub fn replace_end(&mut self, samples: &[f32]) -> io::Result<()> {
        let start = (self.frames * self.channels as u64 - samples.len() as u64) * SAMPLE_BYTES;
        self.file.seek(SeekFrom::Start(start))?;
        let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        self.file.write_all(&bytes)
    }
}

fn decode(bytes: &[u8], samples: &mut [f32]) {
    for (bytes, sample) in bytes.chunks_exact(SAMPLE_BYTES as usize).zip(samples) {
        *sample = f32::from_le_bytes(bytes.try_into().expect("four bytes"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_back_and_are_zero_outside() {
        let mut writer = TempAudioWriter::new(&std::env::temp_dir(), 2).unwrap();
        writer.write(&[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0], 3).unwrap();
        let audio = writer.finish().unwrap();
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
    fn nan_is_detected() {
        let mut writer = TempAudioWriter::new(&std::env::temp_dir(), 1).unwrap();
        writer.write(&[1.0, f64::NAN, 0.5], 3).unwrap();
        assert!(!writer.is_finite());
    }
}
