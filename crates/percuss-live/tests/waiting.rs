//! The audio callback never waits: not for a lock that others hold, a file, a clock or memory from the system.
//!
//! All of these are calls of the system. So the thread that runs the callback is forbidden all of them but one, the clock
//! that measures its load; the first other one ends the process, which therefore is a child of the test. What a call of
//! the system cannot show, a lock that happens to be free, is what `clippy.toml` forbids on the way of a sample.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
#![expect(clippy::disallowed_types, reason = "a lock is what shall be caught")]

mod common;

use common::{CHANNELS, Chance, instrument, meddle, player, stage, voices_on_stage};
use percuss_live::{Engine, Outlets, Rig};
use percuss_scene::presets;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Buffers per preset.
const BUFFERS: usize = 40;
/// Says to the child what it shall do.
const DEED: &str = "PERCUSS_DEED";

/// Forbids this thread every call of the system but the clock, for good.
fn forbid() {
    let allowed = [(libc::SYS_clock_gettime, vec![])].into_iter().collect();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(allowed, SeccompAction::KillProcess, SeccompAction::Allow, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    apply_filter(&program).unwrap();
}

/// Does something on a thread that may not call the system; `meanwhile` goes on beside it until it is done. The thread
/// never ends, since that would be a call: the end of the process takes it along.
fn watched(deed: impl FnOnce() + Send + 'static, mut meanwhile: impl FnMut()) {
    let is_done = Arc::new(AtomicBool::new(false));
    let done = is_done.clone();
    std::thread::spawn(move || {
        forbid();
        deed();
        done.store(true, Relaxed);
        loop {
            std::hint::spin_loop();
        }
    });
    while !is_done.load(Relaxed) {
        meanwhile();
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// All presets and a scene with voices, one after the other, while others play on them, change scenes and clear away.
fn play_everything() {
    let mut chance = Chance(1);
    let (mut engines, mut around) = (Vec::new(), Vec::new());
    let staged = presets::all().iter().map(|preset| stage(preset.name, Outlets::default()));
    for Rig { engine, controls, housekeeper, meter, .. } in staged.chain([voices_on_stage()]) {
        (0..20).for_each(|time| meddle(&controls, &mut chance, 200 * time));
        engines.push(engine);
        around.push((controls, housekeeper, meter, 0));
    }
    let next = instrument("hammer-string");
    let coming = player(&next);
    assert!(around[0].0.swap_at(300, next, coming));
    let play = move || {
        let mut buffer = [0.0; 128 * CHANNELS];
        let mut play = |engine: &mut Engine| (0..BUFFERS).for_each(|_| engine.process(&mut buffer));
        engines.iter_mut().for_each(&mut play);
        // To free them would be a call.
        std::mem::forget(engines);
    };
    watched(play, || {
        for (controls, housekeeper, meter, seen) in &mut around {
            if *seen < meter.samples() {
                *seen = meter.samples();
                meddle(controls, &mut chance, 0);
                housekeeper.clear().unwrap();
            }
        }
    });
    for (controls, _, meter, _) in &around {
        let reading = meter.read();
        assert_eq!((reading.blocks, reading.rescues, controls.lost()), (BUFFERS as u64, 0, 0));
    }
}

/// What the child does, when it is one. On its own it plays.
#[test]
#[ignore = "is run by the tests below, in a process of its own"]
fn deed() {
    match std::env::var(DEED).as_deref() {
        Ok("lock that is held") => {
            let lock = Arc::new(Mutex::new(0.0));
            let _held = lock.lock().unwrap();
            let wanted = lock.clone();
            watched(move || *wanted.lock().unwrap() += 1.0, || {});
        }
        Ok("sleep") => watched(|| std::thread::sleep(Duration::from_micros(1)), || {}),
        Ok("file") => watched(|| drop(std::fs::read("/proc/self/stat")), || {}),
        Ok("memory") => watched(|| drop(std::hint::black_box(vec![1_u8; 1 << 24])), || {}),
        Ok("sums") => watched(|| assert!(std::hint::black_box(1.0) + 1.0 > 1.0), || {}),
        _ => play_everything(),
    }
}

fn child(deed: &str) -> ExitStatus {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "deed", "--ignored", "--nocapture", "--test-threads", "1"]).env(DEED, deed);
    child.status().unwrap()
}

#[test]
fn the_callback_never_calls_the_system_whatever_is_played_on_whatever_scene() {
    let status = child("play");
    assert!(status.success(), "{status}: something on the way of a sample called the system, or see above");
}

#[test]
fn whatever_waits_is_caught() {
    assert!(child("sums").success());
    for deed in ["lock that is held", "sleep", "file", "memory"] {
        assert_eq!(child(deed).signal(), Some(libc::SIGSYS), "{deed}");
    }
}
