//! Writes the samples of a scene's pickups as they are: float64, little-endian, one frame after the other.
//!
//! `cargo run --release -p percuss-scene --example samples -- PRESET SAMPLES FILE [portable]`. Other languages, and with
//! `portable` other processors, compare theirs with these.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, count, path, portable) = match arguments.as_slice() {
        [name, count, path] => (name, count, path, false),
        [name, count, path, last] if last == "portable" => (name, count, path, true),
        _ => return Err("usage: samples PRESET SAMPLES FILE [portable]".into()),
    };
    let preset = percuss_scene::presets::find(name).ok_or("no such preset")?;
    let mut scene = percuss_scene::parse(preset.text, name).map_err(|diagnostics| diagnostics[0].to_string())?;
    scene.model.portable |= portable;
    let mut simulation = scene.compile(scene.sample_rate)?;
    let mut file = BufWriter::new(File::create_new(path)?);
    for _ in 0..count.parse::<usize>()? {
        simulation.step();
        for output in &scene.outputs {
            file.write_all(&simulation.read(output.pickup).to_le_bytes())?;
        }
    }
    file.flush()?;
    println!("wrote {count} samples of {} pickups to {path}", scene.outputs.len());
    Ok(())
}
