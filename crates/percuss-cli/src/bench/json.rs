//! The measured figures as JSON.

use super::Bench;
use super::contacts::{ContactsFigure, ModalFigure};
use super::plates::{PlateFigure, Reference};
use super::presets::PresetFigure;
use super::realtime::{BLOCK, Blocks, Spread, Threads, Voices};
use serde_json::{Value, json};

/// All that was measured.
pub fn json(bench: &Bench) -> Value {
    let list = |values: &mut dyn Iterator<Item = Value>| values.collect::<Value>();
    let scenes = list(&mut bench.blocks.iter().map(blocks));
    let [whole, body] = bench.coarse_tromba;
    let mut summary = scenes[0].clone();
    summary["block_samples"] = json!(BLOCK);
    summary["scenes"] = scenes;
    json!({
        "yardstick": list(&mut bench.references.iter().map(reference)),
        "plates": list(&mut bench.plates.iter().map(plate)),
        "presets": list(&mut bench.presets.iter().map(preset)),
        "tromba_coarse": {
            "ns_per_sample": whole,
            "yardstick_body_ns": body,
            "over_yardstick_body": whole / body,
        },
        "modal": list(&mut bench.modal.iter().map(modal)),
        "contacts": list(&mut bench.contacts.iter().map(contacts)),
        "voices": list(&mut bench.voices.iter().map(voices)),
        "blocks": summary,
        "threads": list(&mut bench.threads.iter().map(threads)),
    })
}

fn reference(reference: &Reference) -> Value {
    let [nx, ny] = reference.size;
    json!({
        "nx": nx, "ny": ny, "precision": "f64",
        "ns_per_node": reference.ns_per_node,
        "limit_ns_per_node": reference.limit_ns_per_node,
        "bandwidth_bytes_per_s": reference.bandwidth(),
    })
}

fn plate(plate: &PlateFigure) -> Value {
    let [nx, ny] = plate.size;
    json!({
        "nx": nx, "ny": ny, "edges": plate.edges, "touch": plate.touch, "precision": plate.precision,
        "stepped_in": if plate.in_nodes { "nodes" } else { "modes" },
        "ns_per_node": plate.ns_per_node,
        "speed_over_yardstick": plate.speed,
    })
}

fn preset(preset: &PresetFigure) -> Value {
    json!({
        "name": preset.name,
        "sample_rate_hz": preset.rate,
        "nodes": preset.nodes,
        "ns_per_sample": preset.ns_per_sample,
        "ns_per_sample_with_ledger": preset.ns_with_ledger,
        "realtime_factor": preset.realtime_factor(),
        "compile_ms": preset.compile_ns * 1e-6,
        "memory_bytes": preset.bytes.map(f64::round),
    })
}

fn modal(modal: &ModalFigure) -> Value {
    json!({
        "modes": modal.modes,
        "ns_per_sample": modal.ns_per_sample,
        "ns_per_sample_any_exponent": modal.ns_any_exponent,
        "ns_per_sample_in_flight": modal.ns_in_flight,
    })
}

fn contacts(figure: &ContactsFigure) -> Value {
    json!({
        "contacts": figure.contacts,
        "ns_per_sample_apart": figure.ns_apart,
        "ns_per_sample_along_string": figure.ns_along,
    })
}

fn voices(voices: &Voices) -> Value {
    json!({ "preset": "tromba-marina", "sample_rate_hz": voices.rate, "voices": voices.voices })
}

fn blocks(blocks: &Blocks) -> Value {
    let mut figures = spread(&blocks.own);
    figures["preset"] = json!(blocks.name);
    figures["samples"] = json!(blocks.samples);
    figures["one_run"] = spread(&blocks.one_run);
    figures["plain_work"] = spread(&blocks.plain_work);
    figures
}

fn spread(spread: &Spread) -> Value {
    json!({ "median_ns": spread.median_ns, "p999_ns": spread.p999_ns, "max_ns": spread.max_ns })
}

fn threads(threads: &Threads) -> Value {
    json!({ "threads": threads.threads, "samples_per_s": threads.samples_per_second })
}
