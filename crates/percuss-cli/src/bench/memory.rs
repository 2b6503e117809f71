//! How much memory a simulation takes, by what the system counts as resident.

use percuss::Simulation;

/// Growth that is surely more than what the allocator had lying about \[B\].
const ENOUGH: f64 = 4e6;
const MOST_COPIES: usize = 1 << 14;

/// Memory of this process \[B\], where the system tells.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

/// What one more copy of a simulation costs \[B\]: so many are made that the process grows by several megabytes.
pub fn bytes_per_copy(simulation: &Simulation) -> Option<f64> {
    let before = resident()?;
    let mut copies = Vec::new();
    let mut growth = 0.0;
    while growth < ENOUGH && copies.len() < MOST_COPIES {
        copies.extend(vec![simulation.clone(); copies.len().max(4)]);
        growth = resident()? - before;
    }
    (growth > 0.0).then_some(growth / copies.len() as f64)
}
