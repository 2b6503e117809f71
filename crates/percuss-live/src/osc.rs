//! OSC: every target has an address, `bow.force` that of `/bow/force`.
//!
//! Several numbers go to the target of that name and those below it, in order: `/gong/strike 0.8 0.3 0.6` strikes at a
//! place, `/gong/touch/1 x y pressure` moves a hand. A blob is a picture of pressures, `/gong/touch/1/image WIDTH blob`,
//! one byte (0 to 255) per pressure.

use crate::command::Picture;
use crate::controls::Controls;
use percuss_scene::instrument::{Action, Instrument};
use rosc::{OscMessage, OscPacket, OscType};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bundles within bundles, and arrays within arrays, beyond which no one means well.
const DEEPEST: usize = 8;
/// Largest picture that is taken.
const MOST_PIXELS: usize = 1 << 16;
/// Largest packet that UDP carries.
const PACKET: usize = 1 << 16;
/// Room for packets that the system is asked for \[bytes\]; it gives what it will. A packet of a few numbers takes nearly
/// 1 KiB of it, so that the usual 208 KiB last for 25 ms of ten thousand packets a second.
const ROOM: usize = 4 << 20;
/// How often the server looks whether it shall end.
const PATIENCE: Duration = Duration::from_millis(100);

/// What came in.
#[derive(Debug, Default)]
pub struct Traffic {
    /// Packets that arrived.
    pub packets: AtomicU64,
    /// Messages that were obeyed.
    pub obeyed: AtomicU64,
    /// Packets that were not understood, named nothing or came too fast.
    pub refused: AtomicU64,
}

/// Listens for packets until it is dropped.
pub struct OscServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// What came in.
    pub traffic: Arc<Traffic>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl OscServer {
    /// Listens at an address.
    ///
    /// # Errors
    /// Whatever the system says: a port that is taken, an address that is not ours.
    pub fn start(address: SocketAddr, controls: Controls) -> io::Result<Self> {
        let socket = UdpSocket::bind(address)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        // Less room is no reason not to listen.
        let _ = rustix::net::sockopt::set_socket_recv_buffer_size(&socket, ROOM);
        let address = socket.local_addr()?;
        let (stop, traffic) = (Arc::new(AtomicBool::new(false)), Arc::new(Traffic::default()));
        let (stopped, counted) = (stop.clone(), traffic.clone());
        let thread = std::thread::Builder::new().name("osc".into()).spawn(move || {
            let mut packet = vec![0; PACKET];
            while !stopped.load(Relaxed) {
                // Errors are those of a single packet, or that nothing came.
                if let Ok(length) = socket.recv(&mut packet) {
                    receive(&packet[..length], &controls, &counted);
                }
            }
        })?;
        Ok(Self { address, traffic, stop, thread: Some(thread) })
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

/// Does what a packet says, whatever it is made of.
pub fn receive(packet: &[u8], controls: &Controls, traffic: &Traffic) {
    traffic.packets.fetch_add(1, Relaxed);
    let mut understood = true;
    open(packet, DEEPEST, &mut |message| understood &= obey(message, controls, traffic));
    if !understood || packet.is_empty() {
        traffic.refused.fetch_add(1, Relaxed);
    }
}

/// Hands over every message of a packet. Bundles are opened here, and not deeper than a stack bears.
fn open(packet: &[u8], depth: usize, take: &mut impl FnMut(&[u8])) {
    let Some(mut rest) = packet.strip_prefix(b"#bundle\0") else { return take(packet) };
    // The time at which it is due is not looked at: what comes is due.
    rest = rest.get(8..).unwrap_or_default();
    while let Some((size, after)) = rest.split_first_chunk::<4>() {
        let size = u32::from_be_bytes(*size) as usize;
        match after.get(..size) {
            Some(element) if depth > 0 => open(element, depth - 1, take),
            _ => return take(&[]),
        }
        rest = &after[size..];
    }
}

fn obey(message: &[u8], controls: &Controls, traffic: &Traffic) -> bool {
    if message.first() != Some(&b'/') || is_nested(message) {
        return false;
    }
    let Ok((_, OscPacket::Message(message))) = rosc::decoder::decode_udp(message) else { return false };
    let stage = controls.stage();
    let obeyed = act(&message, &stage.instrument, controls);
    traffic.obeyed.fetch_add(u64::from(obeyed), Relaxed);
    obeyed
}

/// Whether arrays lie deeper within each other than anyone needs: taking them apart would cost the stack.
fn is_nested(message: &[u8]) -> bool {
    let address = message.iter().position(|&byte| byte == 0).unwrap_or(message.len());
    let tags = message.get((address / 4 + 1) * 4..).unwrap_or_default();
    tags.iter().take_while(|&&byte| byte != 0).filter(|&&byte| byte == b'[').count() > DEEPEST
}

fn act(message: &OscMessage, instrument: &Instrument, controls: &Controls) -> bool {
    let name = message.addr.trim_start_matches('/').replace('/', ".");
    if let [width, OscType::Blob(pixels)] = &message.args[..] {
        return press(&name, number(width), pixels, instrument, controls);
    }
    let values: Option<Vec<f64>> = message.args.iter().map(number).collect();
    let targets: Vec<usize> = instrument.target_group(&name).collect();
    let Some(values) = values.filter(|values| values.len() <= targets.len() && !targets.is_empty()) else {
        return false;
    };
    if values.is_empty() {
        // An address alone is a button.
        let is_button =
            |target: usize| matches!(instrument.targets[target].action, Action::Restart | Action::Strike(_));
        return is_button(targets[0]) && controls.set(targets[0], 1.0);
    }
    // Places first: a blow falls where the same message says.
    targets.iter().zip(values).rev().fold(true, |all, (&target, value)| controls.set(target, value) && all)
}

fn press(name: &str, width: Option<f64>, pixels: &[u8], instrument: &Instrument, controls: &Controls) -> bool {
    let width = width.filter(|width| *width >= 1.0).map_or(0, |width| width as usize);
    let Some(target) = instrument.find_target(name) else { return false };
    let is_whole = width > 0 && !pixels.is_empty() && pixels.len() <= MOST_PIXELS && pixels.len().is_multiple_of(width);
    let takes = matches!(instrument.targets[target].action, Action::TouchImage(..));
    let values = || pixels.iter().map(|&pixel| f64::from(pixel) / 255.0).collect();
    is_whole && takes && controls.press_at(0, target, Picture { width, values: values() })
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
