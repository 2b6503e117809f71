//! Distribution of the load of a scene over its buffers:
//! `cargo run --release -p percuss-live --example load_distribution -- [PRESET] [SECONDS] [RUNS]`.
//!
//! Plays the same commands several times and keeps the shortest time of every buffer. Delays by other programs rarely hit the
//! same buffer in all runs, so what remains is the load of the scene itself.

use percuss_live::{AudioEngine, CpuTimer, LedgerMode, Player, Sinks};
use percuss_scene::instrument::Instrument;
use percuss_scene::{Scene, parse, presets};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 128;
const CHANNELS: usize = 2;
/// Buffers between strikes.
const STRIKE_INTERVAL: usize = 375;
/// Strikes between restarts.
const RESTART_INTERVAL: usize = 3;

/// Plays once; updates the shortest time of every buffer \[s\].
fn play(scene: &Scene, shortest: &mut [f64]) {
    let instrument = Instrument::new(scene);
    let player = Player::new(&instrument, RATE, CHANNELS, Some(0.1), LedgerMode::Off).expect("presets compile");
    let strikes = instrument.strike_targets();
    let mut parts = AudioEngine::build(instrument, player, RATE, CHANNELS, Sinks::default());
    let mut buffer = [0.0; FRAMES * CHANNELS];
    for (index, time) in shortest.iter_mut().enumerate() {
        if index % STRIKE_INTERVAL == 0 {
            strikes.iter().for_each(|&strike| _ = parts.handle.set(strike, 0.5));
            if index / STRIKE_INTERVAL % RESTART_INTERVAL == RESTART_INTERVAL - 1 {
                parts.handle.set_by_name("restart", 1.0);
            }
        }
        let timer = CpuTimer::start();
        parts.engine.process(&mut buffer);
        *time = time.min(timer.elapsed().as_secs_f64());
        parts.collector.collect().expect("no files to write");
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| presets::all()[0].name.to_owned());
    let Some(preset) = presets::find(&name) else {
        eprintln!("error: no preset is called {name}\n  hint: `percuss list` lists the presets");
        std::process::exit(2)
    };
    let mut number_or = |default: f64| args.next().and_then(|arg| arg.parse().ok()).unwrap_or(default);
    let (seconds, runs): (f64, f64) = (number_or(2.4), number_or(30.0));
    let scene = parse(preset.text, preset.name).expect("presets are valid");
    let mut times = vec![f64::INFINITY; ((seconds * RATE) as usize / FRAMES).max(1)];
    for _ in 0..runs.max(1.0) as u32 {
        play(&scene, &mut times);
    }
    times.sort_unstable_by(f64::total_cmp);
    let period = FRAMES as f64 / RATE;
    let percentile = |fraction: f64| 100.0 * times[(fraction * (times.len() - 1) as f64) as usize] / period;
    println!("{name}: {} buffers of {FRAMES} frames at {RATE} Hz, shortest of {runs} runs each", times.len());
    println!(
        "load    min {:.1} %, median {:.1} %, 99th percentile {:.1} %, max {:.1} %",
        percentile(0.0),
        percentile(0.5),
        percentile(0.99),
        percentile(1.0)
    );
}
