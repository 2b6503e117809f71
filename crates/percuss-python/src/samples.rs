//! Runs a simulation into a block of samples, without the interpreter's lock.

use crate::errors::no_memory;
use percuss::{PickupId, Simulation};
use pyo3::prelude::*;

/// Samples between two looks for signals such as Ctrl-C.
pub const SIGNAL_INTERVAL: usize = 4096;

/// Fills `block`, which has `count` samples of every pickup, one pickup after the other.
///
/// # Errors
/// A signal that Python turns into an exception, as Ctrl-C. The simulation then stands where it was interrupted.
pub fn fill(
    py: Python<'_>,
    simulation: &mut Simulation,
    pickups: &[PickupId],
    block: &mut [f64],
    count: usize,
) -> PyResult<()> {
    let mut start = 0;
    while start < count {
        let end = count.min(start + SIGNAL_INTERVAL);
        py.detach(|| match pickups {
            [] => (start..end).for_each(|_| simulation.step()),
            &[pickup] => run(simulation, &[pickup], &mut [&mut block[start..end]]),
            _ => {
                let mut channels: Vec<&mut [f64]> =
                    block.chunks_exact_mut(count).map(|channel| &mut channel[start..end]).collect();
                run(simulation, pickups, &mut channels);
            }
        });
        start = end;
        if start < count {
            py.check_signals()?;
        }
    }
    Ok(())
}

fn run(simulation: &mut Simulation, pickups: &[PickupId], channels: &mut [&mut [f64]]) {
    simulation.process(pickups, channels);
}

/// A block of zeros with so many samples of every pickup.
///
/// # Errors
/// `MemoryError` where there is no memory for it.
pub fn zeros(pickups: usize, samples: usize) -> PyResult<Vec<f64>> {
    let length = pickups.checked_mul(samples).ok_or_else(|| no_memory(pickups, samples))?;
    let mut block = Vec::new();
    block.try_reserve_exact(length).map_err(|_| no_memory(pickups, samples))?;
    block.resize(length, 0.0);
    Ok(block)
}
