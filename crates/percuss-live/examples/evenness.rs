//! How evenly a scene takes its time: `cargo run --release -p percuss-live --example evenness -- [PRESET] [SECONDS] [RUNS]`.
//!
//! The same performance is played over and over, and of every buffer the shortest time is kept. What others on the machine
//! did to one run they hardly did to all; what is left is the scene's own.

use percuss_live::{Account, Outlets, Player, Stopwatch, rig};
use percuss_scene::instrument::Instrument;
use percuss_scene::{Scene, parse, presets};

const RATE: f64 = 48_000.0;
const FRAMES: usize = 128;
const CHANNELS: usize = 2;
/// Buffers from one blow to the next, and blows from one restart to the next.
const BLOW: usize = 375;
const RESTART: usize = 3;

/// Plays once; keeps the shortest times \[s\].
fn play(scene: &Scene, shortest: &mut [f64]) {
    let instrument = Instrument::new(scene);
    let player = Player::new(&instrument, RATE, CHANNELS, Some(0.1), Account::Off).expect("presets compile");
    let strikes = instrument.strike_targets();
    let mut rig = rig(instrument, player, RATE, CHANNELS, Outlets::default());
    let mut buffer = [0.0; FRAMES * CHANNELS];
    for (index, time) in shortest.iter_mut().enumerate() {
        if index % BLOW == 0 {
            strikes.iter().for_each(|&strike| _ = rig.controls.set(strike, 0.5));
            if index / BLOW % RESTART == RESTART - 1 {
                rig.controls.set_named("restart", 1.0);
            }
        }
        let watch = Stopwatch::start();
        rig.engine.process(&mut buffer);
        *time = time.min(watch.elapsed().as_secs_f64());
        rig.housekeeper.clear().expect("there is nothing to write");
    }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| presets::all()[0].name.to_owned());
    let Some(preset) = presets::find(&name) else {
        eprintln!("error: there is no preset {name}\n  hint: `percuss list` names them");
        std::process::exit(2)
    };
    let mut number = |usual: f64| words.next().and_then(|word| word.parse().ok()).unwrap_or(usual);
    let (seconds, runs): (f64, f64) = (number(2.4), number(30.0));
    let scene = parse(preset.text, preset.name).expect("presets are right");
    let mut times = vec![f64::INFINITY; ((seconds * RATE) as usize / FRAMES).max(1)];
    for _ in 0..runs.max(1.0) as u32 {
        play(&scene, &mut times);
    }
    times.sort_unstable_by(f64::total_cmp);
    let period = FRAMES as f64 / RATE;
    let share = |part: f64| 100.0 * times[(part * (times.len() - 1) as f64) as usize] / period;
    println!("{name}: {} buffers of {FRAMES} frames at {RATE} Hz, the shortest of {runs} runs each", times.len());
    println!(
        "load    {:.1} % least, {:.1} % median, {:.1} % in 99 of 100, {:.1} % worst",
        share(0.0),
        share(0.5),
        share(0.99),
        share(1.0)
    );
}
