//! Results as JSON.

use super::BenchResults;
use super::contacts::{ContactsTiming, ModalImpactTiming};
use super::nonlinear::NonlinearTiming;
use super::plates::{BaselineTiming, PlateTiming};
use super::presets::PresetTiming;
use super::realtime::{BLOCK_SAMPLES, BlockTimes, ThreadThroughput, TimeQuantiles, VoiceCount};
use serde_json::{Value, json};

/// All results.
pub fn json(bench: &BenchResults) -> Value {
    let list = |values: &mut dyn Iterator<Item = Value>| values.collect::<Value>();
    let scenes = list(&mut bench.blocks.iter().map(blocks));
    let [instrument, body] = bench.coarse_tromba;
    let mut summary = scenes[0].clone();
    summary["block_samples"] = json!(BLOCK_SAMPLES);
    summary["scenes"] = scenes;
    json!({
        "baseline": list(&mut bench.baselines.iter().map(baseline)),
        "plates": list(&mut bench.plates.iter().map(plate)),
        "nonlinear": list(&mut bench.nonlinear.iter().map(nonlinear)),
        "presets": list(&mut bench.presets.iter().map(preset)),
        "tromba_coarse": {
            "ns_per_sample": instrument,
            "baseline_body_ns": body,
            "ratio_to_baseline_body": instrument / body,
        },
        "modal": list(&mut bench.modal.iter().map(modal)),
        "contacts": list(&mut bench.contacts.iter().map(contacts)),
        "voices": list(&mut bench.voices.iter().map(voices)),
        "blocks": summary,
        "threads": list(&mut bench.threads.iter().map(threads)),
    })
}

fn baseline(baseline: &BaselineTiming) -> Value {
    let [nx, ny] = baseline.size;
    json!({
        "nx": nx, "ny": ny, "precision": "f64",
        "ns_per_node": baseline.ns_per_node,
        "limit_ns_per_node": baseline.limit_ns_per_node,
        "bandwidth_bytes_per_s": baseline.bandwidth(),
    })
}

fn plate(plate: &PlateTiming) -> Value {
    let [nx, ny] = plate.size;
    json!({
        "nx": nx, "ny": ny, "edges": plate.edges, "touch": plate.touch, "precision": plate.precision,
        "stepped_in": if plate.in_nodes { "nodes" } else { "modes" },
        "ns_per_node": plate.ns_per_node,
        "speed_over_baseline": plate.speed_over_baseline,
    })
}

fn nonlinear(timing: &NonlinearTiming) -> Value {
    let [stretched, linear] = timing.ns_per_sample;
    json!({
        "plate": timing.plate.name(), "nodes": timing.nodes,
        "ns_per_sample": stretched,
        "ns_per_sample_linear": linear,
    })
}

fn preset(preset: &PresetTiming) -> Value {
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

fn modal(modal: &ModalImpactTiming) -> Value {
    json!({
        "modes": modal.modes,
        "ns_per_sample": modal.ns_per_sample,
        "ns_per_sample_general_exponent": modal.ns_general_exponent,
        "ns_per_sample_in_flight": modal.ns_in_flight,
    })
}

fn contacts(timing: &ContactsTiming) -> Value {
    json!({
        "contacts": timing.contacts,
        "ns_per_sample_independent": timing.ns_independent,
        "ns_per_sample_along_string": timing.ns_along_string,
    })
}

fn voices(voices: &VoiceCount) -> Value {
    json!({ "preset": "tromba-marina", "sample_rate_hz": voices.rate, "voices": voices.voices })
}

fn blocks(blocks: &BlockTimes) -> Value {
    let mut value = quantiles(&blocks.fastest);
    value["preset"] = json!(blocks.name);
    value["samples"] = json!(blocks.samples);
    value["best_run"] = quantiles(&blocks.best_run);
    value["synthetic_load"] = quantiles(&blocks.synthetic_load);
    value
}

fn quantiles(quantiles: &TimeQuantiles) -> Value {
    json!({ "median_ns": quantiles.median_ns, "p999_ns": quantiles.p999_ns, "max_ns": quantiles.max_ns })
}

fn threads(threads: &ThreadThroughput) -> Value {
    json!({ "threads": threads.threads, "samples_per_s": threads.samples_per_second })
}
