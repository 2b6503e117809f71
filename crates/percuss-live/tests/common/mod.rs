//! What tests of playing share: presets on stage, and hands that do anything at any time.

#![expect(clippy::disallowed_types, reason = "what is written is read by a test, not by the engine")]
#![allow(dead_code, reason = "every test file uses a part of it")]

use percuss_live::{Account, Controls, Outlets, Picture, Player, Rig, rig};
use percuss_scene::instrument::{Action, Instrument};
use percuss_scene::presets;
use std::io::Write;
use std::sync::{Arc, Mutex};

pub const RATE: f64 = 48_000.0;
pub const CHANNELS: usize = 2;

/// A scene with voices, controllers and a touch that takes pictures.
pub const VOICES: &str = include_str!("voices.toml");

/// A file in memory that can be looked at while it is written.
#[derive(Clone, Default)]
pub struct Paper(pub Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Small numbers by chance, the same every time (splitmix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

pub fn instrument(preset: &str) -> Instrument {
    let preset = presets::find(preset).expect("a preset");
    Instrument::new(&percuss_scene::parse(preset.text, preset.name).expect("a scene"))
}

pub fn player(instrument: &Instrument) -> Player {
    Player::new(instrument, RATE, CHANNELS, Some(0.1), Account::On).expect("a player")
}

pub fn stage(preset: &str, outlets: Outlets) -> Rig {
    let instrument = instrument(preset);
    let player = player(&instrument);
    rig(instrument, player, RATE, CHANNELS, outlets)
}

pub fn voices_on_stage() -> Rig {
    let scene = percuss_scene::parse(VOICES, "voices.toml").unwrap_or_else(|problems| panic!("{}", problems[0]));
    let instrument = Instrument::new(&scene);
    let player = player(&instrument);
    rig(instrument, player, RATE, CHANNELS, Outlets::default())
}

/// Does something to anything, at a sample or at once; sometimes something that is no number.
pub fn meddle(controls: &Controls, chance: &mut Chance, time: u64) {
    let stage = controls.stage();
    let target = chance.below(stage.instrument.targets.len());
    let described = &stage.instrument.targets[target];
    match described.action {
        Action::TouchImage(..) => {
            let values = (0..12).map(|_| chance.share()).collect();
            assert!(controls.press_at(time, target, Picture { width: 4, values }));
        }
        // All the time would leave nothing to hear.
        Action::Restart if chance.below(8) > 0 => {}
        _ => {
            let [least, most] = described.range;
            assert!(controls.set_at(time, target, least + chance.share() * (most - least)));
        }
    }
    assert!(!controls.set_at(time, target, [f64::NAN, f64::INFINITY][chance.below(2)]));
}

pub fn bits(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|sample| sample.to_bits()).collect()
}
