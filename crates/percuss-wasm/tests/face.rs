//! The functions of the module, compiled for this machine: they play, answer, refuse, and do not allocate while they play.

#![allow(unsafe_code, reason = "calls the functions as a page does")]

use assert_no_alloc::{AllocDisabler, assert_no_alloc};
use percuss_wasm::{Host, STATUS_LENGTH, face::*};

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

const RATE: f64 = 48_000.0;

/// A host as a page has it, which is freed with the test.
struct Page(*mut Host);

impl Drop for Page {
    fn drop(&mut self) {
        unsafe { percuss_delete(self.0) }
    }
}

impl Page {
    fn new() -> Self {
        Self(percuss_new(RATE, 2))
    }

    /// Writes a scene to the input; returns the length of its name.
    fn write(&self, name: &str, text: &str) -> usize {
        let bytes = [name.as_bytes(), text.as_bytes()].concat();
        let place = unsafe { percuss_input(self.0, bytes.len()) };
        unsafe { std::slice::from_raw_parts_mut(place, bytes.len()) }.copy_from_slice(&bytes);
        name.len()
    }

    fn answer(&self) -> String {
        let (place, length) = unsafe { (percuss_answer(self.0), percuss_answer_length(self.0)) };
        String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(place, length) }).into_owned()
    }

    fn load(&self, preset: &str) {
        let preset = percuss_scene::presets::find(preset).unwrap();
        let length = self.write(preset.name, preset.text);
        assert_eq!(unsafe { percuss_load(self.0, length, f64::MAX, 0.1, 1) }, 1, "{}", self.answer());
    }

    fn process(&self, frames: usize) -> &[f32] {
        unsafe { std::slice::from_raw_parts(percuss_process(self.0, frames), 2 * frames) }
    }

    fn target(&self, name: &str) -> usize {
        let description: serde_json::Value = serde_json::from_str(&self.answer()).unwrap();
        let targets = description["targets"].as_array().unwrap();
        targets.iter().position(|target| target["name"] == name).unwrap()
    }
}

#[test]
fn playing_does_not_allocate_and_commands_are_heard() {
    let page = Page::new();
    page.load("hammer-bar");
    let strike = page.target("rubber.blow");
    let silent = page.process(4096).iter().fold(0.0_f32, |most, sample| most.max(sample.abs()));
    let struck = assert_no_alloc(|| {
        unsafe { percuss_set(page.0, strike, 3.0) };
        let mut most = 0.0_f32;
        for _ in 0..100 {
            most = page.process(128).iter().fold(most, |most, sample| most.max(sample.abs()));
        }
        most
    });
    assert!(struck > 0.01 && silent == 0.0 && struck.is_finite(), "{silent} {struck}");
    let status = unsafe { std::slice::from_raw_parts(percuss_poll(page.0), STATUS_LENGTH) };
    assert!(status[0] > 12_800.0 && status[4] == 1.0 && status.iter().all(|value| value.is_finite()), "{status:?}");
}

#[test]
fn sessions_of_the_page_play_again_bit_by_bit() {
    let page = Page::new();
    page.load("hammer-string");
    let mut heard: Vec<f32> = page.process(1000).to_vec();
    let strike = page.target("hammer.blow");
    assert_eq!(unsafe { percuss_set(page.0, strike, 2.0) }, 1);
    heard.extend(page.process(3000));
    page.load("glockenspiel");
    assert_eq!(unsafe { percuss_midi(page.0, 0x90, 84, 100, 3) }, 1);
    heard.extend(page.process(4000));
    unsafe { percuss_recording(page.0) };
    let (place, length) = unsafe { (percuss_answer(page.0), percuss_answer_length(page.0)) };
    let recorded = unsafe { std::slice::from_raw_parts(place, length) };
    let recorded: Vec<f32> = recorded.chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert!(recorded == heard, "the recording differs from what was played");
    unsafe { percuss_session(page.0) };
    let session = percuss_live::session::Session::parse(page.answer()).unwrap();
    assert!(session.is_complete && session.scenes.len() == 2 && session.events.len() >= 3, "{:?}", session.events);
    let mut again = Vec::new();
    percuss_live::session::replay(&session, |frames, _| {
        again.extend_from_slice(frames);
        Ok(())
    })
    .unwrap();
    assert!(again == heard, "the session plays otherwise");
}

#[test]
fn scenes_that_cannot_be_played_are_refused_with_their_messages() {
    let page = Page::new();
    page.load("hammer-string");
    unsafe { percuss_set(page.0, page.target("hammer.blow"), 3.0) };
    let before = page.process(4096).to_vec();
    let huge = "x".repeat(2 << 20);
    for (text, expected) in [
        ("[[mass]]\nid = \"m\"\nmass = -1\n", "s.toml:3:8"),
        ("[scene", "s.toml:1"),
        ("", "error"),
        (huge.as_str(), "must have at most"),
        ("[[wave]]\nfile = \"none.wav\"\n", "error"),
        ("\0\u{fffd}", "error"),
    ] {
        let length = page.write("s.toml", text);
        assert_eq!(unsafe { percuss_load(page.0, length, f64::MAX, f64::NAN, 1) }, 0);
        assert!(
            page.answer().contains(expected) && page.answer().contains("\"is_playable\":false"),
            "{}",
            page.answer()
        );
    }
    // The scene before goes on.
    let sum = |samples: &[f32]| samples.iter().map(|sample| sample.abs()).sum::<f32>();
    assert!(sum(page.process(4096)) > 0.1 * sum(&before) && sum(&before) > 0.0, "the sound ended");
    assert_eq!(unsafe { percuss_impact(page.0, -1.0, 1e8, 1.5, 0.1, 1.0, RATE) }, 0);
    assert!(page.answer().contains("mass is -1, must be above 0 kg"), "{}", page.answer());
}

#[test]
fn controls_from_outside_do_not_break_the_sound() {
    let page = Page::new();
    assert!(unsafe { percuss_process(page.0, 128) }.is_null(), "nothing plays before a scene is loaded");
    page.load("tromba-marina");
    for value in [f64::NAN, f64::INFINITY, f64::MIN, 1e300, -0.0] {
        for target in (0..40).chain([usize::MAX]) {
            unsafe { percuss_set(page.0, target, value) };
        }
        assert!(page.process(4096).iter().all(|sample| sample.is_finite() && sample.abs() <= 1.0));
    }
    for bytes in 0..=255 {
        unsafe { percuss_midi(page.0, bytes, bytes, 255 - bytes, (bytes % 5) as usize) };
    }
    assert!(page.process(4096).iter().all(|sample| sample.is_finite()));
}
