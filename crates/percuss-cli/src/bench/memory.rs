//! Memory of a simulation, from the resident set size of the process.

use percuss::Simulation;

/// Growth that exceeds what the allocator may have had in reserve \[B\].
const MIN_GROWTH: f64 = 4e6;
const MAX_COPIES: usize = 1 << 14;

/// Resident set size of this process \[B\], on systems with /proc.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024.0 * line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()?)
}

/// Memory of one copy of a simulation \[B\]: copies are made until the process has grown by several megabytes.
pub fn bytes_per_copy(simulation: &Simulation) -> Option<f64> {
    let before = resident_bytes()?;
    let mut copies = Vec::new();
    let mut growth = 0.0;
    while growth < MIN_GROWTH && copies.len() < MAX_COPIES {
        copies.extend(vec![simulation.clone(); copies.len().max(4)]);
        growth = resident_bytes()? - before;
    }
    (growth > 0.0).then_some(growth / copies.len() as f64)
}
