//! Shared by tests: audio engines for presets, a random generator, and random commands.

#![expect(clippy::disallowed_types, reason = "a test reads what the collector writes")]
#![allow(dead_code, reason = "no test file uses all of it")]

use percuss_live::{AudioEngine, EngineHandle, EngineParts, LedgerMode, Player, PressureImage, Sinks};
use percuss_scene::instrument::{Instrument, TargetAction};
use percuss_scene::presets::{self, Keys};
use std::io::Write;
use std::sync::{Arc, Mutex};

pub const RATE: f64 = 48_000.0;
pub const CHANNELS: usize = 2;

/// A scene with three voices, mappings and a touch with a pressure image.
pub const VOICES: &str = include_str!("voices.toml");

/// A file in memory that can be read while it is written.
#[derive(Clone, Default)]
pub struct SharedBuffer(pub Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Random generator with a fixed seed (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Uniform in 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// A preset; of its keys, if it has any, only the lowest few, of which one may sound.
pub fn instrument(preset: &str) -> Instrument {
    let preset = presets::find(preset).expect("a preset");
    let mut text = preset.text.to_owned();
    if let Some(Keys::Pitched(lowest, highest)) = preset.keys() {
        let letters = "CDEFGAB";
        let next = letters.find(&lowest[..1]).map_or("D", |at| &letters[at + 1..at + 2]);
        let few = format!("keys = [\"{lowest}\", \"{next}{}\"]", &lowest[1..]);
        text = text.replace(&format!("keys = [\"{lowest}\", \"{highest}\"]"), &few);
        let counts: Vec<String> = (2..=16).map(|count| format!("\ncount = {count}\n")).collect();
        counts.iter().for_each(|count| text = text.replace(count, "\ncount = 1\n"));
    }
    Instrument::new(&percuss_scene::parse(&text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0])))
}

pub fn player(instrument: &Instrument) -> Player {
    Player::new(instrument, RATE, CHANNELS, Some(0.1), LedgerMode::On).expect("a player")
}

/// An audio engine that plays a preset.
pub fn preset_engine(preset: &str, sinks: Sinks) -> EngineParts {
    let instrument = instrument(preset);
    let player = player(&instrument);
    AudioEngine::build(instrument, player, RATE, CHANNELS, sinks)
}

/// An audio engine that plays [`VOICES`].
pub fn voices_engine() -> EngineParts {
    let scene = percuss_scene::parse(VOICES, "voices.toml").unwrap_or_else(|errors| panic!("{}", errors[0]));
    let instrument = Instrument::new(&scene);
    let player = player(&instrument);
    AudioEngine::build(instrument, player, RATE, CHANNELS, Sinks::default())
}

/// Sends a random command for a random target at a sample, 0 for as soon as possible; a value that is not finite is refused.
pub fn send_random_command(handle: &EngineHandle, rng: &mut Rng, time: u64) {
    let scene = handle.active_scene();
    let index = rng.below(scene.instrument.targets.len());
    let target = &scene.instrument.targets[index];
    match target.action {
        TargetAction::TouchImage(..) => {
            let values = (0..12).map(|_| rng.uniform()).collect();
            assert!(handle.set_image_at(time, index, PressureImage { width: 4, values }));
        }
        // Frequent restarts would leave no sound.
        TargetAction::Restart if rng.below(8) > 0 => {}
        _ => {
            let [min, max] = target.range;
            assert!(handle.set_at(time, index, min + rng.uniform() * (max - min)));
        }
    }
    assert!(!handle.set_at(time, index, [f64::NAN, f64::INFINITY][rng.below(2)]));
}

pub fn bits(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|sample| sample.to_bits()).collect()
}
