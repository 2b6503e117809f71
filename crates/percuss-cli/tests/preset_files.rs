//! The sound files of the presets, as `percuss render NAME` writes them: loudness, true peak, bandwidth and end.
//!
//! `cargo test --workspace --test preset_files -- --nocapture` prints the numbers of every preset.

#![allow(clippy::disallowed_types, reason = "the test shares a list between its threads")]

mod program;

use ebur128::{EbuR128, Mode};
use percuss_scene::presets;
use program::percuss;
use realfft::RealFftPlanner;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;
use tempfile::TempDir;

/// A system of the plate paper, as it is there: its bar sways below the range of hearing.
const OF_PAPERS: [&str; 1] = ["paper-pinched-bar"];

/// What is measured of a sound file.
struct Measures {
    name: &'static str,
    /// Integrated loudness \[LUFS\] and true peak \[dBTP\].
    loudness: f64,
    true_peak: f64,
    /// Shares of the energy below 20 Hz and above 18 kHz.
    low: f64,
    high: f64,
    /// Largest sample of the last 50 ms relative to that of the sound \[dB\].
    end: f64,
    /// How it ends, by the report.
    ending: String,
}

/// A sound file, one list per channel.
struct Sound {
    sample_rate: u32,
    channels: Vec<Vec<f32>>,
}

impl Sound {
    fn read(file: &Path) -> Self {
        let mut reader = hound::WavReader::open(file).unwrap();
        let spec = reader.spec();
        let mut channels = vec![Vec::new(); usize::from(spec.channels)];
        for (index, sample) in reader.samples::<f32>().enumerate() {
            channels[index % usize::from(spec.channels)].push(sample.unwrap());
        }
        Self { sample_rate: spec.sample_rate, channels }
    }

    fn loudness_and_true_peak(&self) -> (f64, f64) {
        let count = self.channels.len() as u32;
        let mut meter = EbuR128::new(count, self.sample_rate, Mode::I | Mode::TRUE_PEAK).unwrap();
        let planes: Vec<&[f32]> = self.channels.iter().map(Vec::as_slice).collect();
        meter.add_frames_planar_f32(&planes).unwrap();
        let peak = (0..count).map(|channel| meter.true_peak(channel).unwrap()).fold(0.0, f64::max);
        (meter.loudness_global().unwrap(), 20.0 * peak.log10())
    }

    /// Share of the energy between two frequencies \[Hz\].
    fn share(&self, from: f64, to: f64) -> f64 {
        let (mut within, mut all) = (0.0, 0.0);
        for samples in &self.channels {
            let mut padded: Vec<f32> = samples.clone();
            padded.resize(samples.len().next_power_of_two(), 0.0);
            let bin_width = f64::from(self.sample_rate) / padded.len() as f64;
            let transform = RealFftPlanner::new().plan_fft_forward(padded.len());
            let mut spectrum = transform.make_output_vec();
            transform.process(&mut padded, &mut spectrum).unwrap();
            for (bin, value) in spectrum.iter().enumerate() {
                let energy = f64::from(value.norm_sqr());
                all += energy;
                within += if (from..to).contains(&(bin as f64 * bin_width)) { energy } else { 0.0 };
            }
        }
        within / all
    }

    fn end(&self) -> f64 {
        let peak = |samples: &[f32]| samples.iter().fold(0.0_f32, |peak, sample| peak.max(sample.abs()));
        let last = (0.05 * f64::from(self.sample_rate)) as usize;
        let of_end = self.channels.iter().map(|samples| peak(&samples[samples.len() - last..])).fold(0.0, f32::max);
        let of_all = self.channels.iter().map(|samples| peak(samples)).fold(0.0, f32::max);
        20.0 * f64::from(of_end / of_all).log10()
    }
}

fn measure(name: &'static str, folder: &Path) -> Measures {
    let output = percuss(folder, &format!("render {name} --bits 32 -o {name}.wav --report {name}.json"));
    assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&fs::read(folder.join(format!("{name}.json"))).unwrap()).unwrap();
    let sound = Sound::read(&folder.join(format!("{name}.wav")));
    let (loudness, true_peak) = sound.loudness_and_true_peak();
    let nyquist = f64::from(sound.sample_rate) / 2.0;
    let [low, high] = [(0.0, 20.0), (18_000.0, nyquist)].map(|(from, to)| sound.share(from, to));
    let ending = report["output"]["ending"].as_str().unwrap().to_owned();
    Measures { name, loudness, true_peak, low, high, end: sound.end(), ending }
}

/// Measures of all presets, by name.
fn all_measures() -> Vec<Measures> {
    let folder = TempDir::new().unwrap();
    let waiting = Mutex::new(presets::all().iter());
    let measured = Mutex::new(Vec::new());
    let work = || {
        while let Some(preset) = { waiting.lock().unwrap().next() } {
            let measures = measure(preset.name, folder.path());
            measured.lock().unwrap().push(measures);
        }
    };
    thread::scope(|scope| {
        (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| drop(scope.spawn(work)))
    });
    let mut measured = measured.into_inner().unwrap();
    measured.sort_by_key(|measures| measures.name);
    measured
}

#[test]
fn files_are_loud_audible_and_end_in_silence() {
    println!("\n| preset | loudness | true peak | below 20 Hz | above 18 kHz | end |\n|---|---|---|---|---|---|");
    let measured = all_measures();
    for Measures { name, loudness, true_peak, low, high, end, ending } in &measured {
        let (low, high) = (100.0 * low, 100.0 * high);
        println!(
            "| {name} | {loudness:.1} LUFS | {true_peak:.1} dBTP | {low:.1} % | {high:.1} % | {end:.0} dB, {ending} |"
        );
    }
    assert_eq!(measured.len(), presets::all().len());
    for Measures { name, loudness, true_peak, low, high, end, ending } in &measured {
        assert!((-24.0..=-14.0).contains(loudness), "{name} has {loudness} LUFS");
        assert!(*true_peak < -0.99, "{name} has a true peak of {true_peak} dBTP");
        assert!(*end < -60.0 || ending == "faded", "{name} ends at {end} dB, {ending}");
        if !OF_PAPERS.contains(name) {
            assert!(*low <= 0.05, "{name} is too slow to be heard: {low}");
        }
        assert!(*high <= 0.05, "{name} is too fast to be heard: {high}");
    }
}
