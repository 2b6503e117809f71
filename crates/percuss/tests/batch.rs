//! Many at once: one thread or several, the samples are the same.

#[path = "models/busy.rs"]
#[allow(dead_code, reason = "only the model and its pickup are needed here")]
mod scene;

use percuss::*;
use scene::{BusyScene, busy};

const SAMPLES: usize = 500;

/// One scene under five dampings, at rates of their own.
fn sweep() -> (Vec<Simulation>, Vec<PickupId>) {
    let compiled = |i: u32| {
        let BusyScene { model, pickup, .. } = busy(Scheme::Tracked, 1.0 + f64::from(i));
        (model.compile(44_100.0 + 100.0 * f64::from(i)).unwrap(), pickup)
    };
    (0..5).map(compiled).unzip()
}

fn render(simulation: &mut Simulation, pickup: PickupId) -> Vec<f64> {
    let mut samples = vec![0.0; SAMPLES];
    simulation.process(&[pickup], &mut [&mut samples]);
    samples
}

fn one_by_one() -> Vec<Vec<f64>> {
    let (mut simulations, pickups) = sweep();
    simulations.iter_mut().zip(pickups).map(|(simulation, pickup)| render(simulation, pickup)).collect()
}

fn on(threads: usize, work: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work);
}

#[test]
fn any_number_of_threads_gives_the_same_samples_to_the_last_bit() {
    let expected = one_by_one();
    assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "the simulations differ");
    for threads in [1, 2, 3] {
        on(threads, || {
            let (mut simulations, pickups) = sweep();
            let samples = batch::map(&mut simulations, |index, simulation| render(simulation, pickups[index]));
            assert_eq!(samples, expected, "{threads} threads");
        });
    }
}

#[test]
fn results_come_in_order_and_all_simulations_advance() {
    on(3, || {
        let (mut simulations, _) = sweep();
        batch::step_all(&mut simulations, 10);
        let seen = batch::map(&mut simulations, |index, simulation| (index, simulation.steps()));
        assert_eq!(seen, (0..5).map(|index| (index, 10)).collect::<Vec<_>>());
    });
}
