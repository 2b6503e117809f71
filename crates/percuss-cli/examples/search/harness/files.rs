//! The files that scenes name: pictures of pressures and a sound, the same in every run.

use super::random::Random;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

/// A few pixels in the dark, a grey ramp, noise.
pub const PICTURES: [&str; 3] = ["spot.png", "ramp.png", "noise.png"];
/// A second of noise.
pub const SOUND: &str = "noise.wav";

const SIDE: u32 = 24;

/// Writes all files into a folder, which is made where there is none.
///
/// # Errors
/// Whatever keeps a file from being written.
pub fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut random = Random::new(0, 0);
    let spot = |x: u32, y: u32| if x.abs_diff(9) + y.abs_diff(15) < 4 { 255 } else { 0 };
    picture(&folder.join(PICTURES[0]), spot)?;
    picture(&folder.join(PICTURES[1]), |x, y| (x * 255 / (SIDE - 1)) as u8 / (1 + (y / 8) as u8))?;
    picture(&folder.join(PICTURES[2]), |_, _| random.below(256) as u8)?;
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut sound = hound::WavWriter::create(folder.join(SOUND), spec).map_err(io::Error::other)?;
    for _ in 0..16_000 {
        sound.write_sample((random.uniform(-1.0, 1.0) * 32_000.0) as i16).map_err(io::Error::other)?;
    }
    sound.finalize().map_err(io::Error::other)
}

fn picture(path: &Path, mut shade: impl FnMut(u32, u32) -> u8) -> io::Result<()> {
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(|pixel| shade(pixel % SIDE, pixel / SIDE)).collect();
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&pixels).map_err(io::Error::other)
}
