//! OSC: targets by their addresses, several values at once, pictures as blobs; floods and rubbish do no harm.

mod common;

use common::{CHANNELS, Chance, RATE, stage, voices_on_stage};
use percuss_live::osc::{OscServer, Traffic, receive};
use percuss_live::{Controls, Outlets, Rig};
use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, encoder::encode};
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

fn message(address: &str, args: Vec<OscType>) -> OscPacket {
    OscPacket::Message(OscMessage { addr: address.into(), args })
}

fn floats(values: &[f32]) -> Vec<OscType> {
    values.iter().map(|&value| OscType::Float(value)).collect()
}

fn obeys(controls: &Controls, packet: &OscPacket) -> bool {
    let traffic = Traffic::default();
    receive(&encode(packet).unwrap(), controls, &traffic);
    traffic.obeyed.load(Relaxed) > 0 && traffic.refused.load(Relaxed) == 0
}

#[test]
fn every_target_of_a_scene_has_an_address() {
    let rig = voices_on_stage();
    let is_picture = |name: &str| name.ends_with(".image");
    assert!(rig.controls.stage().instrument.targets.iter().any(|target| is_picture(&target.name)));
    for target in &rig.controls.stage().instrument.targets {
        let address = format!("/{}", target.name.replace('.', "/"));
        let args = if is_picture(&target.name) {
            vec![OscType::Int(2), OscType::Blob(vec![0, 128, 255, 0])]
        } else {
            floats(&[target.initial as f32])
        };
        assert!(obeys(&rig.controls, &message(&address, args)), "{address}");
    }
}

#[test]
fn what_says_nothing_is_refused() {
    let rig = stage("water-gong", Outlets::default());
    let refused = |address: &str, args| assert!(!obeys(&rig.controls, &message(address, args)), "{address}");
    refused("/gong/nothing", floats(&[0.5]));
    refused("/gong/touch/1", floats(&[0.5; 9]));
    refused("/gong/touch/1", vec![]);
    refused("/gong/strike", floats(&[f32::NAN]));
    refused("/gong/strike", floats(&[f32::INFINITY]));
    refused("/gong/strike", vec![OscType::String("hard".into())]);
    refused("/gong/strike", vec![OscType::Int(2), OscType::Blob(vec![0; 4])]);
    refused("/", floats(&[0.5]));
    for (address, args) in [
        ("/gong/strike", floats(&[0.8, 0.3, 0.6])),
        ("/gong/strike", vec![]),
        ("/gong/touch/1", floats(&[0.2, 0.3, 0.9])),
        ("/gong/hand", vec![OscType::Double(0.2), OscType::Int(1), OscType::Bool(true)]),
        ("/restart", vec![]),
    ] {
        assert!(obeys(&rig.controls, &message(address, args)), "{address}");
    }
}

#[test]
fn bundles_are_opened_and_bottomless_ones_are_not() {
    let rig = stage("water-gong", Outlets::default());
    let timetag = OscTime { seconds: 0, fractional: 1 };
    let within = |content| OscPacket::Bundle(OscBundle { timetag, content });
    let strike = || message("/gong/strike", floats(&[0.5]));
    assert!(obeys(&rig.controls, &within(vec![strike(), within(vec![strike(), strike()])])));
    let deep = (0..20).fold(strike(), |inner, _| within(vec![inner]));
    assert!(!obeys(&rig.controls, &deep));
    // As deep as a packet can be, in bundles and in arrays: neither may cost the stack.
    let traffic = Traffic::default();
    let mut bottomless = Vec::new();
    for level in 0..3200_u32 {
        bottomless.extend_from_slice(b"#bundle\0\0\0\0\0\0\0\0\x01");
        bottomless.extend_from_slice(&(65_000 - 20 * level).to_be_bytes());
    }
    receive(&bottomless, &rig.controls, &traffic);
    let arrays = [b"/gong/strike\0\0\0\0,".to_vec(), vec![b'['; 30_000], vec![b']'; 30_000], vec![0; 4]].concat();
    receive(&arrays, &rig.controls, &traffic);
    receive(&[], &rig.controls, &traffic);
    assert_eq!((traffic.obeyed.load(Relaxed), traffic.refused.load(Relaxed)), (0, 3));
}

/// A packet that means something, one that nearly does, or one that does not.
fn anything(chance: &mut Chance, names: &[String]) -> Vec<u8> {
    let name = &names[chance.below(names.len())];
    let values: Vec<f32> = (0..1 + chance.below(3)).map(|_| chance.share() as f32).collect();
    let mut bytes = encode(&message(&format!("/{}", name.replace('.', "/")), floats(&values))).unwrap();
    match chance.below(4) {
        0 => {
            let at = chance.below(bytes.len());
            bytes[at] = chance.next() as u8;
        }
        1 => bytes.truncate(chance.below(bytes.len())),
        2 => bytes = (0..chance.below(200)).map(|_| chance.next() as u8).collect(),
        _ => {}
    }
    bytes
}

/// Runs an engine in real time until told to stop; returns its loudest sample.
fn play(rig: Rig, stop: Arc<AtomicBool>) -> std::thread::JoinHandle<(f32, percuss_live::Reading)> {
    let Rig { mut engine, mut housekeeper, meter, .. } = rig;
    std::thread::spawn(move || {
        let mut buffer = [0.0; 128 * CHANNELS];
        let (begun, mut frames, mut loudest) = (Instant::now(), 0_u32, 0.0_f32);
        while !stop.load(Relaxed) {
            engine.process(&mut buffer);
            housekeeper.clear().unwrap();
            assert!(buffer.iter().all(|sample| sample.is_finite()));
            loudest = buffer.iter().fold(loudest, |most, sample| most.max(sample.abs()));
            frames += 128;
            let due = Duration::from_secs_f64(f64::from(frames) / RATE);
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        (loudest, meter.read())
    })
}

/// Packets for a port that the system threw away, because no one came to fetch them in time.
#[cfg(target_os = "linux")]
fn thrown_away(port: u16) -> u64 {
    let table = std::fs::read_to_string("/proc/net/udp").unwrap();
    let own = table.lines().find(|line| line.contains(&format!(":{port:04X} ")));
    own.and_then(|line| line.split_whitespace().last()?.parse().ok()).expect("the port is open")
}

/// Ten thousand packets a second, for as many seconds as `PERCUSS_FLOOD_SECONDS` says.
#[test]
fn a_flood_of_packets_neither_crashes_nor_stops_the_sound() {
    let seconds: f64 = std::env::var("PERCUSS_FLOOD_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let rig = stage("hammer-string", Outlets::default());
    let controls = rig.controls.clone();
    let names: Vec<String> = controls.stage().instrument.targets.iter().map(|target| target.name.clone()).collect();
    let server = OscServer::start("127.0.0.1:0".parse().unwrap(), controls.clone()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let player = play(rig, stop.clone());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut chance = Chance(5);
    let (begun, mut sent) = (Instant::now(), 0_u64);
    while begun.elapsed().as_secs_f64() < seconds {
        while (sent as f64) < 1e4 * begun.elapsed().as_secs_f64() {
            socket.send_to(&anything(&mut chance, &names), server.address).unwrap();
            sent += 1;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let count = |counter: &AtomicU64| counter.load(Relaxed);
    let settled = Instant::now();
    let mut arrived = 0;
    while arrived < count(&server.traffic.packets) || settled.elapsed() < Duration::from_millis(200) {
        arrived = count(&server.traffic.packets);
        std::thread::sleep(Duration::from_millis(50));
    }
    stop.store(true, Relaxed);
    let (loudest, reading) = player.join().unwrap();
    let (obeyed, refused) = (count(&server.traffic.obeyed), count(&server.traffic.refused));
    println!("{sent} packets in {seconds} s, {arrived} arrived: {obeyed} obeyed, {refused} refused, {reading:?}");
    // A machine that is busy elsewhere lets packets lie until the system throws some away. It counts them, so that none
    // is lost in between; and none that arrived fails to reach the engine.
    #[cfg(target_os = "linux")]
    assert_eq!(arrived + thrown_away(server.address.port()), sent);
    assert_eq!(obeyed + refused, arrived);
    assert_eq!(controls.lost(), 0, "the engine keeps up");
    assert!(obeyed > sent / 20 && refused > sent / 20, "{sent} sent, {obeyed} obeyed, {refused} refused");
    assert!(loudest > 0.0 && loudest <= 1.0 && reading.rescues == 0, "{loudest} {reading:?}");
    // Of the 1200 blocks of three seconds, the worst twelve may be the machine's.
    assert!(reading.percentile_99 < 0.8 && reading.residual <= 1e-12, "{reading:?}");
}

#[test]
fn pictures_are_laid_few_at_a_time_and_do_not_pile_up() {
    let mut rig = voices_on_stage();
    let picture = || message("/gong/touch/2/image", vec![OscType::Int(16), OscType::Blob(vec![255; 256])]);
    let sent = (0..1000).filter(|_| obeys(&rig.controls, &picture())).count() as u64;
    assert!((1..100).contains(&sent) && rig.controls.lost() == 1000 - sent, "{sent} of 1000 pictures wait");
    assert!(obeys(&rig.controls, &message("/bow/force", floats(&[0.5]))), "there is room for all else");
    // They are gone within 20 ms, and then there is room again.
    for _ in 0..8 {
        rig.engine.process(&mut [0.0; 128 * CHANNELS]);
        rig.housekeeper.clear().unwrap();
    }
    assert!(obeys(&rig.controls, &picture()));
}

#[test]
fn a_port_that_is_taken_is_an_error_and_a_server_ends_when_dropped() {
    let rig = stage("hammer-string", Outlets::default());
    let server = OscServer::start("127.0.0.1:0".parse().unwrap(), rig.controls.clone()).unwrap();
    let address = server.address;
    assert!(address.ip().is_loopback());
    assert!(OscServer::start(address, rig.controls.clone()).is_err());
    drop(server);
    assert!(OscServer::start(address, rig.controls).is_ok());
}
