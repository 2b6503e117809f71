//! Runs copies of a preset over all cores, reads their pickups, and prints how long that takes, five times.
//!
//! `cargo run --release -p percuss-cli -p percuss-data --example batch -- PRESET COPIES SAMPLES`; `percuss-python/benches/batch.py` compares
//! the same in Python with it.

use percuss::batch;
use rayon::prelude::*;
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, copies, samples] = arguments.as_slice() else {
        return Err("usage: batch PRESET COPIES SAMPLES".into());
    };
    let (copies, samples): (usize, usize) = (copies.parse()?, samples.parse()?);
    let preset = percuss_scene::presets::find(name).ok_or("no such preset")?;
    let scene = percuss_scene::parse(preset.text, name).map_err(|diagnostics| diagnostics[0].to_string())?;
    let pickups: Vec<_> = scene.outputs.iter().map(|output| output.pickup).collect();
    for _ in 0..5 {
        let start = Instant::now();
        let compiled = (0..copies).into_par_iter().map(|_| scene.compile(scene.sample_rate));
        let mut simulations = compiled.collect::<Result<Vec<_>, _>>()?;
        let sounds = batch::map(&mut simulations, |_, simulation| {
            let mut channels = vec![vec![0.0; samples]; pickups.len()];
            simulation.process(&pickups, &mut channels);
            channels
        });
        assert_eq!(sounds.len(), copies);
        println!("{}", start.elapsed().as_secs_f64());
    }
    Ok(())
}
