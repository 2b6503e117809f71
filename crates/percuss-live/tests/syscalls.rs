//! The audio callback makes no system calls, so it never waits for a lock that is held, a file, or memory.
//!
//! A seccomp filter forbids the audio thread all system calls except the clock that measures its load. A violation kills
//! the process, so it runs as a child of the test. A lock that is free makes no system call; `clippy.toml` forbids lock
//! types in the crates that the audio thread runs.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
#![expect(clippy::disallowed_types, reason = "the test checks that a lock is detected")]

mod common;

use common::{CHANNELS, Rng, instrument, player, preset_engine, send_random_command, voices_engine};
use percuss_live::{AudioEngine, EngineParts, Sinks};
use percuss_scene::presets;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Buffers per preset.
const BUFFERS: usize = 40;
/// Environment variable that selects the action of the child process.
const ACTION: &str = "PERCUSS_CHILD_ACTION";

/// Forbids this thread all system calls except reading the clock. Cannot be undone.
fn forbid_system_calls() {
    let allowed = [(libc::SYS_clock_gettime, vec![])].into_iter().collect();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(allowed, SeccompAction::KillProcess, SeccompAction::Allow, arch).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    apply_filter(&program).unwrap();
}

/// Runs an action on a thread that may not make system calls, and `meanwhile` on this thread until it is done. The thread
/// never returns, since that would be a system call; it ends with the process.
fn run_without_system_calls(action: impl FnOnce() + Send + 'static, mut meanwhile: impl FnMut()) {
    let is_done = Arc::new(AtomicBool::new(false));
    let done = is_done.clone();
    std::thread::spawn(move || {
        forbid_system_calls();
        action();
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

/// Plays all presets and a scene with voices, while this thread sends commands, swaps a scene and collects.
fn play_all_scenes() {
    let mut rng = Rng(1);
    let (mut engines, mut others) = (Vec::new(), Vec::new());
    let preset_engines = presets::all().iter().map(|preset| preset_engine(preset.name, Sinks::default()));
    for EngineParts { engine, handle, collector, meter, .. } in preset_engines.chain([voices_engine()]) {
        (0..20).for_each(|time| send_random_command(&handle, &mut rng, 200 * time));
        engines.push(engine);
        others.push((handle, collector, meter, 0));
    }
    let next = instrument("hammer-string");
    let next_player = player(&next);
    assert!(others[0].0.swap_scene_at(300, next, next_player));
    let play = move || {
        let mut buffer = [0.0; 128 * CHANNELS];
        let mut play = |engine: &mut AudioEngine| (0..BUFFERS).for_each(|_| engine.process(&mut buffer));
        engines.iter_mut().for_each(&mut play);
        // Freeing them would make system calls.
        std::mem::forget(engines);
    };
    run_without_system_calls(play, || {
        for (handle, collector, meter, seen) in &mut others {
            if *seen < meter.samples() {
                *seen = meter.samples();
                send_random_command(handle, &mut rng, 0);
                collector.collect().unwrap();
            }
        }
    });
    for (handle, _, meter, _) in &others {
        let reading = meter.read();
        assert_eq!((reading.blocks, reading.nan_resets, handle.dropped_commands()), (BUFFERS as u64, 0, 0));
    }
}

/// The action of the child process; plays all scenes by default.
#[test]
#[ignore = "the tests below run it in a child process"]
fn child_action() {
    match std::env::var(ACTION).as_deref() {
        Ok("held lock") => {
            let lock = Arc::new(Mutex::new(0.0));
            let _held = lock.lock().unwrap();
            let wanted = lock.clone();
            run_without_system_calls(move || *wanted.lock().unwrap() += 1.0, || {});
        }
        Ok("sleep") => run_without_system_calls(|| std::thread::sleep(Duration::from_micros(1)), || {}),
        Ok("file") => run_without_system_calls(|| drop(std::fs::read("/proc/self/stat")), || {}),
        Ok("memory") => run_without_system_calls(|| drop(std::hint::black_box(vec![1_u8; 1 << 24])), || {}),
        Ok("arithmetic") => run_without_system_calls(|| assert!(std::hint::black_box(1.0) + 1.0 > 1.0), || {}),
        _ => play_all_scenes(),
    }
}

fn run_child(action: &str) -> ExitStatus {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "child_action", "--ignored", "--nocapture", "--test-threads", "1"]).env(ACTION, action);
    child.status().unwrap()
}

#[test]
fn the_callback_makes_no_system_calls_with_any_scene_and_command() {
    let status = run_child("play");
    assert!(status.success(), "{status}: the callback made a system call, or an assertion failed");
}

#[test]
fn actions_that_wait_are_detected() {
    assert!(run_child("arithmetic").success());
    for action in ["held lock", "sleep", "file", "memory"] {
        assert_eq!(run_child(action).signal(), Some(libc::SIGSYS), "{action}");
    }
}
