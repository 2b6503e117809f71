//! Answers to OSC queries: the list of targets.
//!
//! `/targets`   answered by bundles of `/target ADDRESS UNIT MIN MAX VALUE`, one message for every target, then `/targets COUNT`

use crate::engine_handle::EngineHandle;
use rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, encoder};

/// Messages per bundle, so that a packet fits into a frame of Ethernet.
const MESSAGES_PER_BUNDLE: usize = 16;
/// The query.
const QUERY: &[u8] = b"/targets\0";

/// The packets that answer a packet; none if it asks for nothing.
pub fn answers(packet: &[u8], handle: &EngineHandle) -> Vec<Vec<u8>> {
    if !packet.starts_with(QUERY) {
        return Vec::new();
    }
    let scene = handle.active_scene();
    let targets = &scene.instrument.targets;
    let message = |addr: &str, args: Vec<OscType>| OscPacket::Message(OscMessage { addr: addr.to_owned(), args });
    let mut content: Vec<OscPacket> = targets
        .iter()
        .enumerate()
        .map(|(index, target)| {
            let numbers = [target.range[0], target.range[1], scene.value(index)];
            let texts = [format!("/{}", target.name.replace('.', "/")), target.unit.to_owned()];
            let numbers = numbers.map(|number| OscType::Float(number as f32));
            message("/target", texts.map(OscType::String).into_iter().chain(numbers).collect())
        })
        .collect();
    content.push(message("/targets", vec![OscType::Int(targets.len() as i32)]));
    let bundle = |content: &[OscPacket]| {
        let immediately = OscTime { seconds: 0, fractional: 1 };
        encoder::encode(&OscPacket::Bundle(OscBundle { timetag: immediately, content: content.to_vec() })).ok()
    };
    content.chunks(MESSAGES_PER_BUNDLE).filter_map(bundle).collect()
}
