//! Whatever comes in at the doors, nothing breaks and the sound stays a sound: OSC packets, bundles and pictures, MIDI
//! messages, session files and MIDI files.
//!
//! A longer run: `PERCUSS_FUZZ_SECONDS=600 cargo test -p percuss-live --test fuzz -- --nocapture`.

mod common;

use common::{CHANNELS, Chance, stage, voices_on_stage};
use percuss_live::midi::MidiReader;
use percuss_live::osc::{Traffic, receive};
use percuss_live::session::{Session, replay};
use percuss_live::{Outlets, Rig};
use percuss_scene::{midi, presets};
use proptest::prelude::*;
use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, encoder::encode};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Something to start from: messages of every kind of argument, for a target or for none.
fn seed(chance: &mut Chance, names: &[String]) -> Vec<u8> {
    let name = names[chance.below(names.len())].replace('.', "/");
    let argument = |chance: &mut Chance| match chance.below(9) {
        0 => OscType::Int(chance.next() as i32),
        1 => OscType::Double(f64::from_bits(chance.next())),
        2 => OscType::Blob((0..chance.below(70)).map(|_| chance.next() as u8).collect()),
        3 => OscType::String("é".repeat(chance.below(9))),
        4 => OscType::Bool(true),
        5 => OscType::Long(chance.next() as i64),
        6 => OscType::Float(f32::from_bits(chance.next() as u32)),
        _ => OscType::Float(chance.share() as f32),
    };
    let args = match chance.below(4) {
        // As pictures come: a width, and pixels that often fill its rows.
        0 => {
            let (width, rows) = (chance.below(9), chance.below(9));
            let spare = chance.below(8) / 7;
            vec![OscType::Int(width as i32), OscType::Blob(vec![chance.next() as u8; width * rows + spare])]
        }
        _ => (0..chance.below(5)).map(|_| argument(chance)).collect(),
    };
    let message = OscPacket::Message(OscMessage { addr: format!("/{name}"), args });
    let timetag = OscTime { seconds: 0, fractional: 1 };
    let depth = if chance.below(4) == 0 { chance.below(12) } else { 0 };
    let packet = (0..depth)
        .fold(message, |inner, _| OscPacket::Bundle(OscBundle { timetag, content: vec![inner.clone(), inner] }));
    encode(&packet).unwrap()
}

/// Damages a packet here and there: bytes, runs, lengths.
fn spoil(bytes: &mut Vec<u8>, chance: &mut Chance) {
    for _ in 0..chance.below(6) {
        let at = chance.below(bytes.len().max(1));
        match chance.below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << chance.below(8),
            1 if !bytes.is_empty() => bytes[at] = [0, 0x7F, 0xFF, b'/', b',', b'[', b'#'][chance.below(7)],
            2 => bytes.truncate(at),
            3 => bytes.extend_from_within(at.min(bytes.len())..),
            _ => bytes.insert(at.min(bytes.len()), chance.next() as u8),
        }
    }
    bytes.truncate(1 << 16);
}

fn sound_of(rig: &mut Rig) {
    let mut buffer = [0.0; 32 * CHANNELS];
    rig.engine.process(&mut buffer);
    rig.housekeeper.clear().unwrap();
    assert!(buffer.iter().all(|sample: &f32| sample.is_finite() && sample.abs() <= 1.0));
}

/// A message that is one, nearly one, or none.
fn message(chance: &mut Chance) -> Vec<u8> {
    let status = 0x80 + (chance.next() % 0x80) as u8;
    match chance.below(3) {
        0 => (0..chance.below(5)).map(|_| chance.next() as u8).collect(),
        // Few channels and keys, so that notes meet their releases and steal voices.
        1 => vec![[0x80, 0x90, 0xA0, 0xB0, 0xD0, 0xE0][chance.below(6)] + chance.below(3) as u8, 60, 64],
        _ => vec![status, (chance.next() % 0x80) as u8, (chance.next() % 0x80) as u8],
    }
}

/// Packets and messages on a scene of one's own; returns how many.
fn packets_and_messages(chance: &mut Chance, traffic: &Traffic) -> u64 {
    let mut rig = match chance.below(4) {
        0 => voices_on_stage(),
        other => stage(["hammer-string", "string-mass-barrier", "mass-spring-barrier"][other - 1], Outlets::default()),
    };
    let names: Vec<String> = rig.controls.stage().instrument.targets.iter().map(|t| t.name.clone()).collect();
    let mut reader = MidiReader::new(rig.controls.clone());
    for _ in 0..200 {
        for _ in 0..20 {
            let mut bytes = seed(chance, &names);
            spoil(&mut bytes, chance);
            receive(&bytes, &rig.controls, traffic);
            reader.receive(&message(chance));
        }
        sound_of(&mut rig);
    }
    200 * 20
}

/// A session with something wrong before or after its scene. Returns whether it was read.
fn session(chance: &mut Chance) -> bool {
    let scene = presets::find("hammer-string").unwrap().text.trim_end();
    let mut before = format!("percuss session 1\nrate 48000\nchannels 2\nscene {} 0.1 x\n", scene.lines().count());
    let mut after =
        "5 set 0.25 string.strike\n5 set.0 1.0 restart\n90 set 0.5 volume\n300 scene 0\nend 2000\n".to_owned();
    for (text, often) in [(&mut before, 8), (&mut after, 2)] {
        if chance.below(often) == 0 {
            let mut bytes = std::mem::take(text).into_bytes();
            spoil(&mut bytes, chance);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    let Ok(session) = Session::parse(&format!("{before}{scene}\n{after}")) else { return false };
    let mut heard = 0;
    // One that promises years is broken off, as a person would.
    let _ = replay(&session, |frames, _| {
        assert!(frames.iter().all(|sample| sample.is_finite() && sample.abs() <= 1.0));
        heard += frames.len();
        if heard < 20_000 { Ok(()) } else { Err(std::io::Error::other("enough")) }
    });
    true
}

/// A MIDI file with something wrong. Returns whether it was read.
fn midi_file(chance: &mut Chance) -> bool {
    let track =
        b"\0\xFF\x51\x03\x06\x1A\x80\0\x90\x3C\x64\x60\x3C\0\0\xB0\x0B\x50\0\x90\x40\x40\x83\0\x80\x40\0\0\xFF\x2F\0";
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\x01\xE0MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    assert!(midi::parse(&bytes, "tune.mid").is_ok());
    spoil(&mut bytes, chance);
    let Ok(played) = midi::parse(&bytes, "tune.mid") else { return false };
    let mut last = 0.0;
    for note in &played.notes {
        assert!(note.start >= last && note.end >= note.start && note.end.is_finite(), "{note:?}");
        last = note.start;
    }
    true
}

#[test]
fn spoilt_packets_messages_and_files_break_nothing() {
    let seconds: f64 = std::env::var("PERCUSS_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let start = std::env::var("PERCUSS_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut chance = Chance(start);
    let begun = Instant::now();
    let traffic = Traffic::default();
    let (mut packets, mut sessions, mut files) = (0_u64, [0_u64; 2], [0_u64; 2]);
    while begun.elapsed() < Duration::from_secs_f64(seconds) {
        packets += packets_and_messages(&mut chance, &traffic);
        for _ in 0..10 {
            sessions[usize::from(session(&mut chance))] += 1;
        }
        for _ in 0..1000 {
            files[usize::from(midi_file(&mut chance))] += 1;
        }
    }
    let (obeyed, refused) = (traffic.obeyed.load(Relaxed), traffic.refused.load(Relaxed));
    println!("{packets} packets and as many messages in {seconds} s: {obeyed} obeyed, {refused} packets refused");
    println!(
        "sessions: {} refused, {} replayed; MIDI files: {} refused, {} read",
        sessions[0], sessions[1], files[0], files[1]
    );
    assert!([obeyed, refused].into_iter().chain(sessions).chain(files).all(|count| count > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_break_the_doors(packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..20)) {
        let mut rig = stage("mass-barrier", Outlets::default());
        let mut midi = MidiReader::new(rig.controls.clone());
        let traffic = Traffic::default();
        for packet in packets {
            receive(&packet, &rig.controls, &traffic);
            receive(&[b"#bundle\0", &packet[..]].concat(), &rig.controls, &traffic);
            receive(&[b"/mass/strike\0\0\0\0,", &packet[..]].concat(), &rig.controls, &traffic);
            midi.receive(&packet);
        }
        sound_of(&mut rig);
    }
}
