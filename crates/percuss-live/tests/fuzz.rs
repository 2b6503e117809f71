//! Whatever comes in at the doors for OSC and MIDI, nothing breaks and the sound stays a sound.
//!
//! A longer run: `PERCUSS_FUZZ_SECONDS=600 cargo test -p percuss-live --test fuzz -- --nocapture`.

mod common;

use common::{CHANNELS, Chance, stage};
use percuss_live::midi::MidiReader;
use percuss_live::osc::{Traffic, receive};
use percuss_live::{Outlets, Rig};
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
    let args = (0..chance.below(5)).map(|_| argument(chance)).collect();
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

#[test]
fn spoilt_packets_and_messages_break_nothing() {
    let seconds: f64 = std::env::var("PERCUSS_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let start = std::env::var("PERCUSS_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut chance = Chance(start);
    let (begun, mut packets) = (Instant::now(), 0_u64);
    let traffic = Traffic::default();
    while begun.elapsed() < Duration::from_secs_f64(seconds) {
        let preset = ["hammer-string", "string-mass-barrier", "mass-spring-barrier"][chance.below(3)];
        let mut rig = stage(preset, Outlets::default());
        let names: Vec<String> = rig.controls.stage().instrument.targets.iter().map(|t| t.name.clone()).collect();
        let mut midi = MidiReader::new(rig.controls.clone());
        for _ in 0..200 {
            for _ in 0..20 {
                let mut bytes = seed(&mut chance, &names);
                spoil(&mut bytes, &mut chance);
                receive(&bytes, &rig.controls, &traffic);
                let message: Vec<u8> = (0..chance.below(5)).map(|_| chance.next() as u8).collect();
                midi.receive(&message);
                packets += 1;
            }
            sound_of(&mut rig);
        }
    }
    let (obeyed, refused) = (traffic.obeyed.load(Relaxed), traffic.refused.load(Relaxed));
    println!("{packets} packets and messages in {seconds} s: {obeyed} obeyed, {refused} packets refused");
    assert!(obeyed > 0 && refused > 0);
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
