//! Many simulations at once: voices of an instrument, or a model under many parameters.
//!
//! Simulations share nothing, so each can be stepped by a thread of its own, and what comes out is the same to the last bit
//! as if they were stepped one after another. With the feature `parallel` (off by default) they are spread over the threads of
//! rayon's current pool; without it they take turns.
//!
//! Handing work to threads takes microseconds and locks: let a call do at least some hundred microseconds of it. Rendering
//! and sweeping do; the thread of an audio device should step its voices itself.
//!
//! ```
//! use percuss::batch;
//! use percuss::prelude::*;
//!
//! let mut model = Model::new();
//! let reed = model.add(Mass { frequency: 440.0, velocity: 1.0, ..Mass::default() });
//! let ear = model.pickup(reed.point(), Quantity::Displacement);
//! let mut voices = [44_100.0, 48_000.0, 96_000.0].map(|rate| model.compile(rate).unwrap());
//! let peaks = batch::map(&mut voices, |_, voice| {
//!     (0..1000).map(|_| { voice.step(); voice.read(ear) }).fold(0.0, f64::max)
//! });
//! assert!(peaks.iter().all(|peak| (peak - 1.0 / (std::f64::consts::TAU * 440.0)).abs() < 1e-6));
//! ```

use crate::simulation::Simulation;
#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Does something with every simulation; `work` gets its place in the slice, too. Results come in the same order.
pub fn map<T: Send>(simulations: &mut [Simulation], work: impl Fn(usize, &mut Simulation) -> T + Sync) -> Vec<T> {
    #[cfg(feature = "parallel")]
    let all = simulations.par_iter_mut();
    #[cfg(not(feature = "parallel"))]
    let all = simulations.iter_mut();
    all.enumerate().map(|(index, simulation)| work(index, simulation)).collect()
}

/// Advances every simulation by so many samples.
pub fn step_all(simulations: &mut [Simulation], steps: usize) {
    map(simulations, |_, simulation| (0..steps).for_each(|_| simulation.step()));
}
