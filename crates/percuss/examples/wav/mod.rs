//! Writes the WAV files of the examples.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;

/// The path given as the first argument, or a new one in the folder for temporary files.
pub fn path_or_temporary(name: &str) -> PathBuf {
    let temporary = || std::env::temp_dir().join(format!("percuss-{name}-{}.wav", std::process::id()));
    std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from)
}

/// Writes one channel of 32-bit floats, scaled to a peak of 0.9. An existing file is an error: nothing is overwritten.
pub fn write(path: &PathBuf, rate: f64, samples: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: rate as u32,
        bits_per_sample: 32,
        sample_format: hound::SampleFormat::Float,
    };
    let file = File::create_new(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut wav = hound::WavWriter::new(BufWriter::new(file), spec)?;
    let peak = samples.iter().fold(f64::MIN_POSITIVE, |peak, sample| peak.max(sample.abs()));
    for sample in samples {
        wav.write_sample((0.9 / peak * sample) as f32)?;
    }
    Ok(wav.finalize()?)
}
