//! The functions that the module exports. A page calls them with numbers; `host` is what [`percuss_new`] returned.
//!
//! Texts     to the module: [`percuss_input`] makes room, the page writes UTF-8 there. From the module: functions with an answer
//!           return its length, and [`percuss_answer`] says where it is until the next call
//! Safety    `host` must come from [`percuss_new`], not have been given to [`percuss_delete`], and be used by one thread

#![allow(unsafe_code, reason = "numbers are all that WebAssembly passes: addresses of what the page was given before")]
#![allow(clippy::missing_safety_doc, reason = "the same for all functions; said once, above")]

use crate::host::{Host, Wishes};

/// A host that plays at a sample rate \[Hz\] with a number of channels.
#[unsafe(no_mangle)]
pub extern "C" fn percuss_new(sample_rate: f64, channels: usize) -> *mut Host {
    Box::into_raw(Box::new(Host::new(sample_rate, channels)))
}

/// Frees a host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_delete(host: *mut Host) {
    drop(unsafe { Box::from_raw(host) });
}

/// Room for a text of a length, which is overwritten.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_input(host: *mut Host, length: usize) -> *mut u8 {
    let host = unsafe { &mut *host };
    host.input.clear();
    host.input.resize(length, 0);
    host.input.as_mut_ptr()
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_answer(host: *const Host) -> *const u8 {
    unsafe { &*host }.answer.as_ptr()
}

/// Length of the last answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_answer_length(host: *const Host) -> usize {
    unsafe { &*host }.answer.len()
}

/// Answers with the presets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_presets(host: *mut Host) {
    unsafe { &mut *host }.presets();
}

/// Answers with the description of the scene in the input, of which the first `name_length` bytes are the name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_describe(host: *mut Host, name_length: usize, max_rate: f64) {
    unsafe { &mut *host }.describe(name_length, Wishes { max_rate, gain: None, has_ledger: false });
}

/// Plays the scene in the input and answers with its description. Returns whether it plays. A `gain` of 0 is found by a trial.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_load(
    host: *mut Host,
    name_length: usize,
    max_rate: f64,
    gain: f64,
    ledger: u32,
) -> u32 {
    let wishes = Wishes { max_rate, gain: Some(gain), has_ledger: ledger != 0 };
    unsafe { &mut *host }.load(name_length, wishes).into()
}

/// Plays a number of frames, at most 4096; returns where they are, interleaved, or 0 before a scene is loaded. Does not allocate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_process(host: *mut Host, frames: usize) -> *const f32 {
    let engine = &mut unsafe { &mut *host }.engine;
    engine.as_mut().map_or(std::ptr::null(), |engine| engine.process(frames).as_ptr())
}

/// Sets a target of all voices. Returns whether the command was sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_set(host: *mut Host, target: usize, value: f64) -> u32 {
    let engine = &unsafe { &*host }.engine;
    engine.as_ref().is_some_and(|engine| engine.handle().set(target, value)).into()
}

/// Handles a MIDI message of up to three bytes. Returns whether a command was sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_midi(host: *mut Host, status: u32, first: u32, second: u32, length: usize) -> u32 {
    let message = [status as u8, first as u8, second as u8];
    let engine = &mut unsafe { &mut *host }.engine;
    engine.as_mut().is_some_and(|engine| engine.midi(&message[..length.min(3)])).into()
}

/// Where the status is, [`STATUS_LENGTH`](crate::STATUS_LENGTH) numbers; 0 before a scene is loaded. Writes the session.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_poll(host: *mut Host) -> *const f64 {
    let engine = &mut unsafe { &mut *host }.engine;
    engine.as_mut().map_or(std::ptr::null(), |engine| {
        engine.collect();
        engine.poll().as_ptr()
    })
}

/// Where the displacements are that [`percuss_view_length`] counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_view(host: *mut Host) -> *const f32 {
    let engine = &mut unsafe { &mut *host }.engine;
    engine.as_mut().map_or(std::ptr::null(), |engine| engine.view().as_ptr())
}

/// Number of displacements: 64 for every row.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_view_length(host: *mut Host) -> usize {
    unsafe { &mut *host }.engine.as_mut().map_or(0, |engine| engine.view().len())
}

/// Answers with the session so far.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_session(host: *mut Host) {
    let host = unsafe { &mut *host };
    host.answer = host.engine.as_mut().map_or_else(Vec::new, |engine| engine.session());
}

/// Answers with the last minute of the output: 32-bit floats, interleaved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_recording(host: *mut Host) {
    let host = unsafe { &mut *host };
    host.answer = host.engine.as_ref().map_or_else(Vec::new, |engine| engine.recording());
}

/// Answers with what the pickups of the scene in the input read at its own rate, frame by frame as 64-bit floats, or with a message.
/// Returns whether there are samples.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_samples(host: *mut Host, name_length: usize, seconds: f64) -> u32 {
    unsafe { &mut *host }.samples(name_length, seconds).into()
}

/// Answers with an impact by every scheme and exactly, or with a message. Returns whether the parameters are in range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn percuss_impact(
    host: *mut Host,
    mass: f64,
    stiffness: f64,
    exponent: f64,
    loss: f64,
    speed: f64,
    rate: f64,
) -> u32 {
    unsafe { &mut *host }.impact([mass, stiffness, exponent, loss, speed], rate).into()
}
