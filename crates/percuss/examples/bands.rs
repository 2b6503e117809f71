//! Whether a large plate should be split over threads: `cargo run --release -p percuss --example bands`.
//!
//! A plate is cut into as many bands as there are threads, which wait for each other in a spinning barrier after every
//! sample. Neighbours would also have to pass on two rows each; they do not here, so a real plate would be slower.

use percuss::{Edge, Model, Plate, Pulse, Simulation};
use std::hint::spin_loop;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

const RATE: f64 = 44_100.0;
/// Samples that are timed, after some to warm up.
const SAMPLES: usize = 4000;
const WARM_UP: usize = 500;
const SPACING: f64 = 0.03;

/// A supported plate of so many moving nodes along x and along y.
fn band(columns: usize, rows: usize) -> Simulation {
    let size = [columns, rows].map(|nodes| (nodes + 1) as f64 * SPACING);
    let mut model = Model::new();
    let plate = model.add(Plate {
        grid: Some([columns + 1, rows + 1]),
        edges: [Edge::SimplySupported; 4],
        ..Plate::steel(size, 1e-3)
    });
    model.pulse(plate.on([0.4, 0.4]), Pulse::default());
    model.compile(RATE).expect("the grid is coarse enough")
}

/// Times of all samples on the first thread \[s\], the shortest first.
fn sorted_times(side: usize, threads: usize) -> Vec<f64> {
    let arrived = AtomicUsize::new(0);
    let run = || {
        let mut sim = band(side, side.div_ceil(threads));
        let mut times = Vec::with_capacity(WARM_UP + SAMPLES);
        for sample in 1..=WARM_UP + SAMPLES {
            let start = Instant::now();
            sim.step();
            arrived.fetch_add(1, Ordering::AcqRel);
            while arrived.load(Ordering::Acquire) < sample * threads {
                spin_loop();
            }
            times.push(start.elapsed().as_secs_f64());
        }
        times
    };
    let mut times = thread::scope(|scope| {
        (1..threads).for_each(|_| drop(scope.spawn(run)));
        run().split_off(WARM_UP)
    });
    times.sort_unstable_by(f64::total_cmp);
    times
}

fn main() {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    println!("Time of a sample over bands; {:.1} µs are there at {RATE} Hz.", 1e6 / RATE);
    for side in [200, 500, 1000] {
        for threads in [1, 2, 4, 8, 12, 16].into_iter().filter(|&threads| threads <= cores) {
            let times = sorted_times(side, threads);
            let [median, most, nearly_all] =
                [0.5, 0.99, 0.999].map(|part| 1e6 * times[(part * (times.len() - 1) as f64) as usize]);
            println!(
                "{side:>5}², {threads:>2} threads: median {median:>6.1} µs, 99 % {most:>6.1} µs, 99.9 % {nearly_all:>6.1} µs"
            );
        }
    }
}
