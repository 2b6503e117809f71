//! OSC input: every target has an address; that of `bow.force` is `/bow/force`.
//!
//! Several numbers set the target with that name and those below it, in order: `/gong/strike 0.8 0.3 0.6` strikes at a
//! place, `/gong/touch/1 x y pressure` moves a touch. A blob is an image of pressures, `/gong/touch/1/image WIDTH blob`,
//! one byte (0 to 255) per pressure.
//!
//! `/preset NAME`, or its number from 1, loads a preset; `/targets` is answered with the list of targets.

use crate::command::PressureImage;
use crate::engine_handle::EngineHandle;
use crate::osc_query;
use percuss_scene::instrument::{Instrument, TargetAction};
use percuss_scene::presets;
use rosc::{OscMessage, OscPacket, OscType};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// Maximum nesting of bundles and arrays.
const MAX_NESTING: usize = 8;
/// Maximum number of pixels of an image.
const MAX_PIXELS: usize = 1 << 16;
/// Maximum size of a UDP packet \[bytes\].
const MAX_PACKET_SIZE: usize = 1 << 16;
/// Size of the receive buffer requested from the system \[bytes\]; the system may limit it. A packet of a few numbers takes
/// nearly 1 KiB, so that the common default of 208 KiB holds 25 ms of ten thousand packets a second.
const RECEIVE_BUFFER_SIZE: usize = 4 << 20;
/// Interval at which the server checks whether it should stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Counts of OSC packets and messages.
#[derive(Debug, Default)]
pub struct OscStats {
    /// Packets received.
    pub packets: AtomicU64,
    /// Messages that set a target.
    pub accepted_messages: AtomicU64,
    /// Packets that were malformed, named no target or came too fast.
    pub rejected_packets: AtomicU64,
}

/// Receives OSC packets over UDP until it is dropped.
pub struct OscServer {
    /// Address on which it listens.
    pub address: SocketAddr,
    /// Counts of packets and messages.
    pub stats: Arc<OscStats>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OscServer {
    /// Starts to listen on an address.
    ///
    /// # Errors
    /// An I/O error: a port that is in use, an address of another machine.
    pub fn start(address: SocketAddr, handle: EngineHandle) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(STOP_CHECK_INTERVAL))?;
        // A smaller buffer is not an error.
        let _ = rustix::net::sockopt::set_socket_recv_buffer_size(&socket, RECEIVE_BUFFER_SIZE);
        let address = socket.local_addr()?;
        let (stop, stats) = (Arc::new(AtomicBool::new(false)), Arc::new(OscStats::default()));
        let (stop_requested, thread_stats) = (stop.clone(), stats.clone());
        let thread = std::thread::Builder::new().name("osc".into()).spawn(move || {
            let mut packet = vec![0; MAX_PACKET_SIZE];
            while !stop_requested.load(Relaxed) {
                // An error concerns one packet, or is a timeout.
                if let Ok((length, sender)) = socket.recv_from(&mut packet) {
                    handle_packet(&packet[..length], &handle, &thread_stats);
                    for answer in osc_query::answers(&packet[..length], &handle) {
                        // Whoever asked may be gone.
                        let _ = socket.send_to(&answer, sender);
                    }
                }
            }
        })?;
        Ok(Self { address, stats, stop, thread: Some(thread) })
    }
}

impl Drop for OscServer {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Handles a packet of any bytes.
pub fn handle_packet(packet: &[u8], handle: &EngineHandle, stats: &OscStats) {
    stats.packets.fetch_add(1, Relaxed);
    let mut all_accepted = true;
    for_each_message(packet, MAX_NESTING, &mut |message| all_accepted &= handle_message(message, handle, stats));
    if !all_accepted || packet.is_empty() {
        stats.rejected_packets.fetch_add(1, Relaxed);
    }
}

/// Calls a function for every message of a packet. Limits the nesting of bundles, so that the stack cannot overflow.
fn for_each_message(packet: &[u8], depth: usize, handle: &mut impl FnMut(&[u8])) {
    let Some(mut rest) = packet.strip_prefix(b"#bundle\0") else { return handle(packet) };
    // The time tag is ignored: messages are executed at once.
    rest = rest.get(8..).unwrap_or_default();
    while let Some((size, after)) = rest.split_first_chunk::<4>() {
        let size = u32::from_be_bytes(*size) as usize;
        match after.get(..size) {
            Some(element) if depth > 0 => for_each_message(element, depth - 1, handle),
            _ => return handle(&[]),
        }
        rest = &after[size..];
    }
}

fn handle_message(message: &[u8], handle: &EngineHandle, stats: &OscStats) -> bool {
    if message.first() != Some(&b'/') || is_deeply_nested(message) {
        return false;
    }
    let Ok((_, OscPacket::Message(message))) = rosc::decoder::decode_udp(message) else { return false };
    let scene = handle.active_scene();
    let accepted = match message.addr.as_str() {
        "/targets" => message.args.is_empty(),
        "/preset" => request_preset(&message.args, handle),
        _ => set_targets(&message, &scene.instrument, handle),
    };
    stats.accepted_messages.fetch_add(u64::from(accepted), Relaxed);
    accepted
}

/// Whether arrays are nested so deeply that decoding could overflow the stack.
fn is_deeply_nested(message: &[u8]) -> bool {
    let address_length = message.iter().position(|&byte| byte == 0).unwrap_or(message.len());
    let type_tags = message.get((address_length / 4 + 1) * 4..).unwrap_or_default();
    type_tags.iter().take_while(|&&byte| byte != 0).filter(|&&byte| byte == b'[').count() > MAX_NESTING
}

/// Requests a preset by its name, or its number from 1. Returns whether there is one.
fn request_preset(args: &[OscType], handle: &EngineHandle) -> bool {
    let index = match args {
        [OscType::String(name)] => presets::all().iter().position(|preset| preset.name == name),
        [OscType::Int(number)] => {
            usize::try_from(number.wrapping_sub(1)).ok().filter(|&index| index < presets::all().len())
        }
        _ => None,
    };
    index.and_then(|index| u8::try_from(index).ok()).is_some_and(|program| handle.request_program(program))
}

/// Sets the targets of a message. Returns whether all commands were sent.
fn set_targets(message: &OscMessage, instrument: &Instrument, handle: &EngineHandle) -> bool {
    let name = message.addr.trim_start_matches('/').replace('/', ".");
    if let [width, OscType::Blob(pixels)] = &message.args[..] {
        return set_image(&name, number(width), pixels, instrument, handle);
    }
    let values: Option<Vec<f64>> = message.args.iter().map(number).collect();
    let targets: Vec<usize> = instrument.target_group(&name).collect();
    let Some(values) = values.filter(|values| values.len() <= targets.len() && !targets.is_empty()) else {
        return false;
    };
    if values.is_empty() {
        // A message without arguments triggers a strike or a restart.
        let is_trigger = |target: usize| {
            matches!(
                instrument.targets[target].action,
                TargetAction::Restart | TargetAction::Strike(_) | TargetAction::Blow(_)
            )
        };
        return is_trigger(targets[0]) && handle.set(targets[0], instrument.targets[targets[0]].range[1]);
    }
    // In reverse order: the place of a strike is set before the strike.
    targets.iter().zip(values).rev().fold(true, |all, (&target, value)| handle.set(target, value) && all)
}

fn set_image(name: &str, width: Option<f64>, pixels: &[u8], instrument: &Instrument, handle: &EngineHandle) -> bool {
    let width = width.filter(|width| *width >= 1.0).map_or(0, |width| width as usize);
    let Some(target) = instrument.find_target(name) else { return false };
    let is_rectangular =
        width > 0 && !pixels.is_empty() && pixels.len() <= MAX_PIXELS && pixels.len().is_multiple_of(width);
    let takes_images = matches!(instrument.targets[target].action, TargetAction::TouchImage(..));
    let values = || pixels.iter().map(|&pixel| f64::from(pixel) / 255.0).collect();
    is_rectangular && takes_images && handle.set_image_at(0, target, PressureImage { width, values: values() })
}

fn number(argument: &OscType) -> Option<f64> {
    match argument {
        OscType::Float(value) => Some(f64::from(*value)),
        OscType::Double(value) => Some(*value),
        OscType::Int(value) => Some(f64::from(*value)),
        OscType::Long(value) => Some(*value as f64),
        OscType::Bool(value) => Some(f64::from(u8::from(*value))),
        _ => None,
    }
    .filter(|value| value.is_finite())
}
