//! Silence costs no more than sound: a step of a busy scene, and of the same scene after it has died away.
//!
//! Values too small for normal numbers would make a silent step many times slower than a loud one.

use criterion::{Criterion, criterion_group, criterion_main};
use percuss::*;

const RATE: f64 = 44_100.0;

/// String – mass – barrier, plucked.
fn scene(sigma: f64) -> Simulation {
    let mut model = Model::new();
    let (at, height) = (0.3, 3e-3);
    let string = StiffString { sigma0: sigma, displacement: Shape::Triangle { at, height }, ..StiffString::default() };
    let string = model.add(string);
    let mass = model.add(Mass { frequency: 80.0, damping: 2.0 * sigma, ..Mass::default() });
    let barrier = model.add(Barrier::at(-1e-4));
    model.collide(mass.point(), string.at(0.37), Collision::default());
    model.collide(barrier.point(), mass.point(), Collision::default());
    model.compile(RATE).unwrap()
}

fn silence(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    let mut busy = scene(0.1);
    group.bench_function("busy", |bencher| bencher.iter(|| busy.step()));
    // 1 s at σ = 600/s falls as far as 600 s at σ = 1/s: by 5200 dB.
    let mut silent = scene(600.0);
    (0..44_100).for_each(|_| silent.step());
    group.bench_function("silent", |bencher| bencher.iter(|| silent.step()));
    group.finish();
}

criterion_group!(benches, silence);
criterion_main!(benches);
