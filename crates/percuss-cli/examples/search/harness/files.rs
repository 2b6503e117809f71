//! Files that scenes name: images of touch regions and a sound, the same in every run.

use super::random::Random;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

/// Images: a few bright pixels, a grey ramp, noise.
pub const IMAGES: [&str; 3] = ["spot.png", "ramp.png", "noise.png"];
/// Sound file: a second of noise.
pub const SOUND_FILE: &str = "noise.wav";

const SIDE: u32 = 24;

/// Writes all files into a folder, which is created if necessary.
///
/// # Errors
/// I/O errors of the files.
pub fn write(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut random = Random::new(0, 0);
    let spot = |x: u32, y: u32| if x.abs_diff(9) + y.abs_diff(15) < 4 { 255 } else { 0 };
    write_image(&folder.join(IMAGES[0]), spot)?;
    write_image(&folder.join(IMAGES[1]), |x, y| (x * 255 / (SIDE - 1)) as u8 / (1 + (y / 8) as u8))?;
    write_image(&folder.join(IMAGES[2]), |_, _| random.below(256) as u8)?;
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 16_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut sound = hound::WavWriter::create(folder.join(SOUND_FILE), spec).map_err(io::Error::other)?;
    for _ in 0..16_000 {
        sound.write_sample((random.uniform(-1.0, 1.0) * 32_000.0) as i16).map_err(io::Error::other)?;
    }
    sound.finalize().map_err(io::Error::other)
}

fn write_image(path: &Path, mut brightness: impl FnMut(u32, u32) -> u8) -> io::Result<()> {
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(|pixel| brightness(pixel % SIDE, pixel / SIDE)).collect();
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&pixels).map_err(io::Error::other)
}
