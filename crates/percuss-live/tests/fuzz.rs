//! Random input never panics, and the output stays finite: OSC packets, bundles and images, MIDI messages, session files
//! and MIDI files.
//!
//! A longer run: `PERCUSS_FUZZ_SECONDS=600 cargo test -p percuss-live --test fuzz -- --nocapture`.

mod common;

use common::{CHANNELS, Rng, preset_engine, voices_engine};
use percuss_live::midi::MidiHandler;
use percuss_live::osc::{OscStats, handle_packet};
use percuss_live::session::{Session, replay};
use percuss_live::{EngineParts, Sinks};
use percuss_scene::{midi, presets};
use proptest::prelude::*;
use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, encoder::encode};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// A valid packet with random arguments, for a target or for none.
fn random_packet(rng: &mut Rng, names: &[String]) -> Vec<u8> {
    let name = names[rng.below(names.len())].replace('.', "/");
    let argument = |rng: &mut Rng| match rng.below(9) {
        0 => OscType::Int(rng.next() as i32),
        1 => OscType::Double(f64::from_bits(rng.next())),
        2 => OscType::Blob((0..rng.below(70)).map(|_| rng.next() as u8).collect()),
        3 => OscType::String("é".repeat(rng.below(9))),
        4 => OscType::Bool(true),
        5 => OscType::Long(rng.next() as i64),
        6 => OscType::Float(f32::from_bits(rng.next() as u32)),
        _ => OscType::Float(rng.uniform() as f32),
    };
    let args = match rng.below(4) {
        // An image: a width, and pixels that often fill its rows.
        0 => {
            let (width, rows) = (rng.below(9), rng.below(9));
            let extra = rng.below(8) / 7;
            vec![OscType::Int(width as i32), OscType::Blob(vec![rng.next() as u8; width * rows + extra])]
        }
        _ => (0..rng.below(5)).map(|_| argument(rng)).collect(),
    };
    let message = OscPacket::Message(OscMessage { addr: format!("/{name}"), args });
    let timetag = OscTime { seconds: 0, fractional: 1 };
    let depth = if rng.below(4) == 0 { rng.below(12) } else { 0 };
    let packet = (0..depth)
        .fold(message, |inner, _| OscPacket::Bundle(OscBundle { timetag, content: vec![inner.clone(), inner] }));
    encode(&packet).unwrap()
}

/// Changes random bytes, repeats or truncates.
fn corrupt(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..rng.below(6) {
        let at = rng.below(bytes.len().max(1));
        match rng.below(5) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << rng.below(8),
            1 if !bytes.is_empty() => bytes[at] = [0, 0x7F, 0xFF, b'/', b',', b'[', b'#'][rng.below(7)],
            2 => bytes.truncate(at),
            3 => bytes.extend_from_within(at.min(bytes.len())..),
            _ => bytes.insert(at.min(bytes.len()), rng.next() as u8),
        }
    }
    bytes.truncate(1 << 16);
}

/// Processes a buffer and checks the output.
fn check_output(parts: &mut EngineParts) {
    let mut buffer = [0.0; 32 * CHANNELS];
    parts.engine.process(&mut buffer);
    parts.collector.collect().unwrap();
    assert!(buffer.iter().all(|sample: &f32| sample.is_finite() && sample.abs() <= 1.0));
}

/// A MIDI message: valid, nearly valid, or random bytes.
fn midi_message(rng: &mut Rng) -> Vec<u8> {
    let status = 0x80 + (rng.next() % 0x80) as u8;
    match rng.below(3) {
        0 => (0..rng.below(5)).map(|_| rng.next() as u8).collect(),
        // Few channels and keys, so that note offs match note ons and voices are stolen.
        1 => vec![[0x80, 0x90, 0xA0, 0xB0, 0xD0, 0xE0][rng.below(6)] + rng.below(3) as u8, 60, 64],
        _ => vec![status, (rng.next() % 0x80) as u8, (rng.next() % 0x80) as u8],
    }
}

/// Sends random packets and messages to an engine; returns their number.
fn send_packets_and_messages(rng: &mut Rng, stats: &OscStats) -> u64 {
    let mut parts = match rng.below(4) {
        0 => voices_engine(),
        other => {
            preset_engine(["hammer-string", "string-mass-barrier", "mass-spring-barrier"][other - 1], Sinks::default())
        }
    };
    let names: Vec<String> = parts.handle.active_scene().instrument.targets.iter().map(|t| t.name.clone()).collect();
    let mut midi = MidiHandler::new(parts.handle.clone());
    for _ in 0..200 {
        for _ in 0..20 {
            let mut bytes = random_packet(rng, &names);
            corrupt(&mut bytes, rng);
            handle_packet(&bytes, &parts.handle, stats);
            midi.handle_message(&midi_message(rng));
        }
        check_output(&mut parts);
    }
    200 * 20
}

/// Replays a session with random changes. Returns whether it could be read.
fn replay_corrupt_session(rng: &mut Rng) -> bool {
    let scene = presets::find("hammer-string").unwrap().text.trim_end();
    let mut before = format!("percuss session 3\nrate 48000\nchannels 2\nscene {} 0.1 x\n", scene.lines().count());
    let mut after =
        "5 set 0.25 string.strike\n5 set.0 1.0 restart\n90 set 0.5 volume\n300 scene 0\nend 2000\n".to_owned();
    for (text, one_in) in [(&mut before, 8), (&mut after, 2)] {
        if rng.below(one_in) == 0 {
            let mut bytes = std::mem::take(text).into_bytes();
            corrupt(&mut bytes, rng);
            *text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    let Ok(session) = Session::parse(format!("{before}{scene}\n{after}")) else { return false };
    let mut played = 0;
    // A session that lasts very long is stopped.
    let _ = replay(&session, |frames, _| {
        assert!(frames.iter().all(|sample| sample.is_finite() && sample.abs() <= 1.0));
        played += frames.len();
        if played < 20_000 { Ok(()) } else { Err(std::io::Error::other("stopped")) }
    });
    true
}

/// Reads a MIDI file with random changes. Returns whether it could be read.
fn read_corrupt_midi_file(rng: &mut Rng) -> bool {
    let track =
        b"\0\xFF\x51\x03\x06\x1A\x80\0\x90\x3C\x64\x60\x3C\0\0\xB0\x0B\x50\0\x90\x40\x40\x83\0\x80\x40\0\0\xFF\x2F\0";
    let mut bytes = b"MThd\0\0\0\x06\0\0\0\x01\x01\xE0MTrk".to_vec();
    bytes.extend((track.len() as u32).to_be_bytes());
    bytes.extend(track);
    assert!(midi::parse(&bytes, "tune.mid").is_ok());
    corrupt(&mut bytes, rng);
    let Ok(file) = midi::parse(&bytes, "tune.mid") else { return false };
    let mut last = 0.0;
    for note in &file.notes {
        assert!(note.start >= last && note.end >= note.start && note.end.is_finite(), "{note:?}");
        last = note.start;
    }
    true
}

#[test]
fn corrupt_packets_messages_and_files_never_panic() {
    let seconds: f64 = std::env::var("PERCUSS_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let start = std::env::var("PERCUSS_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut rng = Rng(start);
    let start = Instant::now();
    let stats = OscStats::default();
    let (mut packets, mut sessions, mut files) = (0_u64, [0_u64; 2], [0_u64; 2]);
    while start.elapsed() < Duration::from_secs_f64(seconds) {
        packets += send_packets_and_messages(&mut rng, &stats);
        for _ in 0..10 {
            sessions[usize::from(replay_corrupt_session(&mut rng))] += 1;
        }
        for _ in 0..1000 {
            files[usize::from(read_corrupt_midi_file(&mut rng))] += 1;
        }
    }
    let (accepted, rejected) = (stats.accepted_messages.load(Relaxed), stats.rejected_packets.load(Relaxed));
    println!("{packets} packets and as many messages in {seconds} s: {accepted} accepted, {rejected} packets rejected");
    println!(
        "sessions: {} rejected, {} replayed; MIDI files: {} rejected, {} read",
        sessions[0], sessions[1], files[0], files[1]
    );
    assert!([accepted, rejected].into_iter().chain(sessions).chain(files).all(|count| count > 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_never_panic(packets in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 1..20)) {
        let mut parts = preset_engine("mass-barrier", Sinks::default());
        let mut midi = MidiHandler::new(parts.handle.clone());
        let stats = OscStats::default();
        for packet in packets {
            handle_packet(&packet, &parts.handle, &stats);
            handle_packet(&[b"#bundle\0", &packet[..]].concat(), &parts.handle, &stats);
            handle_packet(&[b"/mass/strike\0\0\0\0,", &packet[..]].concat(), &parts.handle, &stats);
            midi.handle_message(&packet);
        }
        check_output(&mut parts);
    }
}
