//! Recording of the audio output as 32-bit float WAV, of any length.
//!
//! Layout      RIFF header · `JUNK` · `fmt ` (extensible) · `fact` · `data`. Beyond 4 GiB, whose sizes do not fit into 32 bits, the
//!             header becomes `RF64` and `JUNK`, which has the room, `ds64` with sizes of 64 bits. Nothing moves
//! Crash       `flush` writes the samples, then the sizes in one write. So the file opens at any moment and holds what was
//!             flushed
//! Allocates   only in `create`
//! Reference   EBU Tech 3306, RF64: an extended file format for audio, version 1.1 (2009), sec. 3

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// Bytes of a sample.
const SAMPLE_SIZE: u64 = 4;
/// Samples are written in pieces of this size \[bytes\].
const BUFFER_SIZE: usize = 1 << 16;
/// Audio between two flushes \[s\].
const FLUSH_INTERVAL: f64 = 0.5;
/// Size of the header, up to the first sample \[bytes\].
const HEADER_SIZE: u64 = 116;
/// Size of the content of `ds64`: three sizes of 64 bits and the length of a table, which is empty.
const DS64_SIZE: u32 = 28;
/// Sample format of 32-bit floats, as the GUID in an extensible `fmt `.
const FLOAT_GUID: [u8; 16] = [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71];
/// Tag of an extensible `fmt `.
const EXTENSIBLE: u16 = 0xFFFE;

/// A WAV file that is written during playback.
pub struct Recording {
    file: File,
    sample_rate: u32,
    channels: u16,
    /// Samples that are not in the file yet.
    buffer: Vec<u8>,
    /// Bytes of samples in the file.
    data_size: u64,
    /// Bytes of samples between flushes.
    flush_interval: u64,
    /// Value of `data_size` at the last flush.
    flushed_size: u64,
}

impl Recording {
    /// Creates a file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn create(path: &Path, rate: f64, channels: usize) -> io::Result<Self> {
        let (sample_rate, channels) = (rate as u32, channels as u16);
        let mut recording = Self {
            file: File::create(path)?,
            sample_rate,
            channels,
            buffer: Vec::with_capacity(BUFFER_SIZE),
            data_size: 0,
            flush_interval: (FLUSH_INTERVAL * rate) as u64 * u64::from(channels) * SAMPLE_SIZE,
            flushed_size: 0,
        };
        recording.write_header()?;
        Ok(recording)
    }

    /// Writes a sample. A flush follows every half second of audio.
    ///
    /// # Errors
    /// An I/O error. The file holds what was written before, and nothing more can be written.
    pub fn write(&mut self, sample: f32) -> io::Result<()> {
        self.buffer.extend(sample.to_le_bytes());
        if self.buffer.len() >= BUFFER_SIZE {
            self.write_buffer()?;
        }
        let is_due = self.data_size + self.buffer.len() as u64 - self.flushed_size >= self.flush_interval;
        if is_due { self.flush() } else { Ok(()) }
    }

    /// Writes what is buffered and updates the header.
    ///
    /// # Errors
    /// An I/O error, as in [`Self::write`].
    pub fn flush(&mut self) -> io::Result<()> {
        self.write_buffer()?;
        self.flushed_size = self.data_size;
        self.write_header()
    }

    /// Completes the file.
    ///
    /// # Errors
    /// An I/O error.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }

    fn write_buffer(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.buffer);
        self.data_size += self.buffer.len() as u64;
        self.buffer.clear();
        if written.is_err() {
            // A part of it may be in the file: the header then counts the whole frames.
            let frame_size = u64::from(self.channels) * SAMPLE_SIZE;
            self.data_size = (self.file.metadata()?.len().saturating_sub(HEADER_SIZE)) / frame_size * frame_size;
            self.write_header()?;
        }
        written
    }

    fn write_header(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&header(self.sample_rate, self.channels, self.data_size))?;
        self.file.seek(SeekFrom::Start(HEADER_SIZE + self.data_size)).map(drop)
    }
}

/// Header of a file with `data_size` bytes of samples.
fn header(sample_rate: u32, channels: u16, data_size: u64) -> Vec<u8> {
    let frame_size = u64::from(channels) * SAMPLE_SIZE;
    let (riff_size, frames) = (HEADER_SIZE - 8 + data_size, data_size / frame_size);
    let is_long = riff_size > u64::from(u32::MAX);
    // The real sizes of a long file are in ds64.
    let size = |size: u64| if is_long { u32::MAX } else { size as u32 }.to_le_bytes();
    let mut bytes = Vec::with_capacity(HEADER_SIZE as usize);
    let mut put = |part: &[u8]| bytes.extend_from_slice(part);
    put(if is_long { b"RF64" } else { b"RIFF" });
    put(&size(riff_size));
    put(b"WAVE");
    put(if is_long { b"ds64" } else { b"JUNK" });
    put(&DS64_SIZE.to_le_bytes());
    [riff_size, data_size, frames].iter().for_each(|size| put(&size.to_le_bytes()));
    put(&0_u32.to_le_bytes());
    put(b"fmt ");
    put(&40_u32.to_le_bytes());
    put(&EXTENSIBLE.to_le_bytes());
    put(&channels.to_le_bytes());
    put(&sample_rate.to_le_bytes());
    put(&(sample_rate * frame_size as u32).to_le_bytes());
    put(&(frame_size as u16).to_le_bytes());
    // Bits of a sample, size of the extension, bits in use, and no assignment of channels to loudspeakers.
    [32_u16, 22, 32].iter().for_each(|field| put(&field.to_le_bytes()));
    put(&0_u32.to_le_bytes());
    put(&FLOAT_GUID);
    put(b"fact");
    put(&4_u32.to_le_bytes());
    put(&size(frames));
    put(b"data");
    put(&size(data_size));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    const GIB: u64 = 1 << 30;

    /// Reads a file as EBU Tech 3306 says: its frames, and its last two samples.
    fn read(path: &Path) -> (u64, [f32; 2]) {
        let mut file = File::open(path).unwrap();
        let (mut long_size, mut size) = (None, [0; 8]);
        let mut id = [0; 12];
        file.read_exact(&mut id).unwrap();
        assert!(matches!(&id[..4], b"RIFF" | b"RF64") && &id[8..] == b"WAVE");
        loop {
            file.read_exact(&mut size).unwrap();
            let (id, length) = size.split_at(4);
            let length = u64::from(u32::from_le_bytes(length.try_into().unwrap()));
            match id {
                b"ds64" => {
                    let mut content = vec![0; length as usize];
                    file.read_exact(&mut content).unwrap();
                    long_size = Some(u64::from_le_bytes(content[8..16].try_into().unwrap()));
                }
                b"data" => {
                    let length = long_size.unwrap_or(length);
                    let start = file.stream_position().unwrap();
                    file.seek(SeekFrom::Start(start + length - 8)).unwrap();
                    let mut last = [0; 8];
                    file.read_exact(&mut last).unwrap();
                    let sample = |at: usize| f32::from_le_bytes(last[at..at + 4].try_into().unwrap());
                    return (length / 8, [sample(0), sample(4)]);
                }
                _ => drop(file.seek(SeekFrom::Current(length as i64)).unwrap()),
            }
        }
    }

    #[test]
    fn five_gibibytes_open_in_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long.wav");
        let mut recording = Recording::create(&path, 48_000.0, 2).unwrap();
        for gib in 1..=5 {
            // A hole in the file reads as silence and takes no room.
            recording.data_size = gib * GIB - 8;
            recording.flush().unwrap();
            [0.25, -0.5].iter().for_each(|&sample| recording.write(sample).unwrap());
            recording.flush().unwrap();
            assert_eq!(read(&path), (gib * GIB / 8, [0.25, -0.5]), "{gib} GiB");
        }
        recording.finish().unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), HEADER_SIZE + 5 * GIB);
    }

    #[test]
    fn file_opens_at_any_moment_and_holds_all_but_the_last_half_second() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.wav");
        let mut recording = Recording::create(&path, 1000.0, 2).unwrap();
        for frame in 0..5000 {
            let readable = hound::WavReader::open(&path).unwrap().duration();
            assert!(frame - readable <= 500, "{readable} of {frame} frames");
            (0..2).for_each(|_| recording.write(frame as f32).unwrap());
        }
        // A crash: nothing is completed.
        std::mem::forget(recording);
        let samples: Vec<f32> = hound::WavReader::open(&path).unwrap().into_samples().map(Result::unwrap).collect();
        assert!(samples.chunks(2).zip(0..).all(|(pair, frame)| pair == [frame as f32; 2]));
        assert_eq!(samples.len(), 2 * 5000);
    }
}
