//! OSC: addresses of targets, several values per message, images as blobs, floods and invalid packets.

mod common;

use common::{CHANNELS, RATE, Rng, preset_engine, voices_engine};
use percuss_live::osc::{OscServer, OscStats, handle_packet};
use percuss_live::{EngineHandle, EngineParts, Sinks};
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

fn is_accepted(handle: &EngineHandle, packet: &OscPacket) -> bool {
    let stats = OscStats::default();
    handle_packet(&encode(packet).unwrap(), handle, &stats);
    stats.accepted_messages.load(Relaxed) > 0 && stats.rejected_packets.load(Relaxed) == 0
}

#[test]
fn every_target_of_a_scene_has_an_address() {
    let parts = voices_engine();
    let is_image = |name: &str| name.ends_with(".image");
    assert!(parts.handle.active_scene().instrument.targets.iter().any(|target| is_image(&target.name)));
    for target in &parts.handle.active_scene().instrument.targets {
        let address = format!("/{}", target.name.replace('.', "/"));
        let args = if is_image(&target.name) {
            vec![OscType::Int(2), OscType::Blob(vec![0, 128, 255, 0])]
        } else {
            floats(&[target.initial as f32])
        };
        assert!(is_accepted(&parts.handle, &message(&address, args)), "{address}");
    }
}

#[test]
fn invalid_messages_are_rejected() {
    let parts = preset_engine("water-gong", Sinks::default());
    let assert_rejected =
        |address: &str, args| assert!(!is_accepted(&parts.handle, &message(address, args)), "{address}");
    assert_rejected("/gong/nothing", floats(&[0.5]));
    assert_rejected("/gong/touch/1", floats(&[0.5; 9]));
    assert_rejected("/gong/touch/1", vec![]);
    assert_rejected("/gong/strike", floats(&[f32::NAN]));
    assert_rejected("/gong/strike", floats(&[f32::INFINITY]));
    assert_rejected("/gong/strike", vec![OscType::String("hard".into())]);
    assert_rejected("/gong/strike", vec![OscType::Int(2), OscType::Blob(vec![0; 4])]);
    assert_rejected("/", floats(&[0.5]));
    for (address, args) in [
        ("/gong/strike", floats(&[0.8, 0.3, 0.6])),
        ("/gong/strike", vec![]),
        ("/gong/touch/1", floats(&[0.2, 0.3, 0.9])),
        ("/gong/hand", vec![OscType::Double(0.2), OscType::Int(1), OscType::Bool(true)]),
        ("/restart", vec![]),
    ] {
        assert!(is_accepted(&parts.handle, &message(address, args)), "{address}");
    }
}

#[test]
fn bundles_are_executed_up_to_a_nesting_limit() {
    let parts = preset_engine("water-gong", Sinks::default());
    let timetag = OscTime { seconds: 0, fractional: 1 };
    let within = |content| OscPacket::Bundle(OscBundle { timetag, content });
    let strike = || message("/gong/strike", floats(&[0.5]));
    assert!(is_accepted(&parts.handle, &within(vec![strike(), within(vec![strike(), strike()])])));
    let deep = (0..20).fold(strike(), |inner, _| within(vec![inner]));
    assert!(!is_accepted(&parts.handle, &deep));
    // The deepest nesting that a packet can hold, of bundles and of arrays, must not overflow the stack.
    let stats = OscStats::default();
    let mut nested = Vec::new();
    for level in 0..3200_u32 {
        nested.extend_from_slice(b"#bundle\0\0\0\0\0\0\0\0\x01");
        nested.extend_from_slice(&(65_000 - 20 * level).to_be_bytes());
    }
    handle_packet(&nested, &parts.handle, &stats);
    let arrays = [b"/gong/strike\0\0\0\0,".to_vec(), vec![b'['; 30_000], vec![b']'; 30_000], vec![0; 4]].concat();
    handle_packet(&arrays, &parts.handle, &stats);
    handle_packet(&[], &parts.handle, &stats);
    assert_eq!((stats.accepted_messages.load(Relaxed), stats.rejected_packets.load(Relaxed)), (0, 3));
}

/// A packet that is valid, corrupt, truncated or random.
fn random_packet(rng: &mut Rng, names: &[String]) -> Vec<u8> {
    let name = &names[rng.below(names.len())];
    let values: Vec<f32> = (0..1 + rng.below(3)).map(|_| rng.uniform() as f32).collect();
    let mut bytes = encode(&message(&format!("/{}", name.replace('.', "/")), floats(&values))).unwrap();
    match rng.below(4) {
        0 => {
            let at = rng.below(bytes.len());
            bytes[at] = rng.next() as u8;
        }
        1 => bytes.truncate(rng.below(bytes.len())),
        2 => bytes = (0..rng.below(200)).map(|_| rng.next() as u8).collect(),
        _ => {}
    }
    bytes
}

/// Runs an engine in real time until stopped; returns its peak and meter.
fn run_engine(parts: EngineParts, stop: Arc<AtomicBool>) -> std::thread::JoinHandle<(f32, percuss_live::MeterReading)> {
    let EngineParts { mut engine, mut collector, meter, .. } = parts;
    std::thread::spawn(move || {
        let mut buffer = [0.0; 128 * CHANNELS];
        let (start, mut frames, mut peak) = (Instant::now(), 0_u32, 0.0_f32);
        while !stop.load(Relaxed) {
            engine.process(&mut buffer);
            collector.collect().unwrap();
            assert!(buffer.iter().all(|sample| sample.is_finite()));
            peak = buffer.iter().fold(peak, |peak, sample| peak.max(sample.abs()));
            frames += 128;
            let due = Duration::from_secs_f64(f64::from(frames) / RATE);
            std::thread::sleep(due.saturating_sub(start.elapsed()));
        }
        (peak, meter.read())
    })
}

/// Packets for a port that the system dropped because its receive buffer was full.
#[cfg(target_os = "linux")]
fn dropped_by_system(port: u16) -> u64 {
    let table = std::fs::read_to_string("/proc/net/udp").unwrap();
    let own = table.lines().find(|line| line.contains(&format!(":{port:04X} ")));
    own.and_then(|line| line.split_whitespace().last()?.parse().ok()).expect("the port is open")
}

/// Ten thousand packets a second for `PERCUSS_FLOOD_SECONDS` seconds (default 3).
#[test]
fn a_flood_of_packets_is_counted_and_does_not_disturb_the_output() {
    let seconds: f64 = std::env::var("PERCUSS_FLOOD_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3.0);
    let parts = preset_engine("hammer-string", Sinks::default());
    let handle = parts.handle.clone();
    let names: Vec<String> =
        handle.active_scene().instrument.targets.iter().map(|target| target.name.clone()).collect();
    let server = OscServer::start("127.0.0.1:0".parse().unwrap(), handle.clone()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let player = run_engine(parts, stop.clone());
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut rng = Rng(5);
    let (start, mut sent) = (Instant::now(), 0_u64);
    while start.elapsed().as_secs_f64() < seconds {
        while (sent as f64) < 1e4 * start.elapsed().as_secs_f64() {
            socket.send_to(&random_packet(&mut rng, &names), server.address).unwrap();
            sent += 1;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let count = |counter: &AtomicU64| counter.load(Relaxed);
    let last_sent = Instant::now();
    let mut arrived = 0;
    while arrived < count(&server.stats.packets) || last_sent.elapsed() < Duration::from_millis(200) {
        arrived = count(&server.stats.packets);
        std::thread::sleep(Duration::from_millis(50));
    }
    stop.store(true, Relaxed);
    let (peak, reading) = player.join().unwrap();
    let (accepted, rejected) = (count(&server.stats.accepted_messages), count(&server.stats.rejected_packets));
    println!("{sent} packets in {seconds} s, {arrived} arrived: {accepted} accepted, {rejected} rejected, {reading:?}");
    // On a busy machine the system drops packets and counts them. Every packet is accounted for, and every accepted
    // message reaches the engine.
    #[cfg(target_os = "linux")]
    assert_eq!(arrived + dropped_by_system(server.address.port()), sent);
    assert_eq!(accepted + rejected, arrived);
    assert_eq!(handle.dropped_commands(), 0, "no command is dropped");
    assert!(accepted > sent / 20 && rejected > sent / 20, "{sent} sent, {accepted} accepted, {rejected} rejected");
    assert!(peak > 0.0 && peak <= 1.0 && reading.nan_resets == 0, "{peak} {reading:?}");
    assert!(reading.worst_residual <= 1e-12, "{reading:?}");
}

#[test]
fn the_number_of_pending_images_is_limited() {
    let mut parts = voices_engine();
    let image = || message("/gong/touch/2/image", vec![OscType::Int(16), OscType::Blob(vec![255; 256])]);
    let sent = (0..1000).filter(|_| is_accepted(&parts.handle, &image())).count() as u64;
    assert!(
        (1..100).contains(&sent) && parts.handle.dropped_commands() == 1000 - sent,
        "{sent} of 1000 images are pending"
    );
    assert!(is_accepted(&parts.handle, &message("/bow/force", floats(&[0.5]))), "other commands are accepted");
    // They are executed within 20 ms; then new images are accepted.
    for _ in 0..8 {
        parts.engine.process(&mut [0.0; 128 * CHANNELS]);
        parts.collector.collect().unwrap();
    }
    assert!(is_accepted(&parts.handle, &image()));
}

#[test]
fn a_port_in_use_is_an_error_and_a_dropped_server_frees_its_port() {
    let parts = preset_engine("hammer-string", Sinks::default());
    let server = OscServer::start("127.0.0.1:0".parse().unwrap(), parts.handle.clone()).unwrap();
    let address = server.address;
    assert!(address.ip().is_loopback());
    assert!(OscServer::start(address, parts.handle.clone()).is_err());
    drop(server);
    assert!(OscServer::start(address, parts.handle).is_ok());
}

#[test]
fn a_query_is_answered_with_every_target_and_its_range() {
    let parts = voices_engine();
    let loopback = "127.0.0.1:0".parse().unwrap();
    let server = OscServer::start(loopback, parts.handle.clone()).unwrap();
    let asker = UdpSocket::bind("127.0.0.1:0").unwrap();
    asker.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    asker.send_to(&encode(&message("/targets", vec![])).unwrap(), server.address).unwrap();
    let mut listed = Vec::new();
    let count = 'bundles: loop {
        let mut packet = [0; 4096];
        let length = asker.recv(&mut packet).unwrap();
        let (_, OscPacket::Bundle(bundle)) = rosc::decoder::decode_udp(&packet[..length]).unwrap() else { panic!() };
        for content in bundle.content {
            let OscPacket::Message(OscMessage { addr, args }) = content else { panic!() };
            match (addr.as_str(), &args[..]) {
                ("/target", [OscType::String(address), OscType::String(unit), rest @ ..]) => {
                    let numbers: Vec<f32> = rest.iter().map(|number| number.clone().float().unwrap()).collect();
                    listed.push((address.clone(), unit.clone(), numbers));
                }
                ("/targets", [OscType::Int(count)]) => break 'bundles *count as usize,
                other => panic!("{other:?}"),
            }
        }
    };
    let targets = &parts.handle.active_scene().instrument.targets;
    assert_eq!((count, listed.len()), (targets.len(), targets.len()));
    for ((address, unit, numbers), target) in listed.iter().zip(targets) {
        assert_eq!(address[1..].replace('/', "."), target.name);
        assert_eq!(unit, target.unit);
        assert_eq!(numbers[..], [target.range[0], target.range[1], target.initial].map(|number| number as f32));
    }
}

#[test]
fn a_preset_is_requested_by_name_or_number() {
    let parts = voices_engine();
    let request =
        |args| is_accepted(&parts.handle, &message("/preset", args)).then(|| parts.handle.take_program_request());
    let presets = percuss_scene::presets::all();
    assert_eq!(request(vec![OscType::String(presets[5].name.into())]), Some(Some(5)));
    assert_eq!(request(vec![OscType::Int(1)]), Some(Some(0)));
    for refused in [vec![], vec![OscType::Int(0)], vec![OscType::Int(i32::MIN)], vec![OscType::String("none".into())]] {
        assert_eq!(request(refused), None);
    }
    assert_eq!(request(vec![OscType::Int(presets.len() as i32 + 1)]), None);
}
