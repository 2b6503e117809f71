//! Values printed in the study: Papetti, Avanzini and Rocchesso (2010), Tables I to IV.

/// Quantity, and its values for AM1, Verlet, Heun, RK4 and, where printed, the corrected method.
pub type PublishedRow = (&'static str, &'static [f64]);

/// Methods of the columns of a row.
pub const METHOD_COLUMNS: [&str; 5] = ["am1", "verlet", "heun", "rk4", "corrected"];

/// Largest deviation of the compression \[% of x_max\].
pub const COMPRESSION_DEVIATION: &str = "dev_x_pct";
/// Error of the velocity after the contact \[%\].
pub const EXIT_VELOCITY_ERROR: &str = "err_v_out_pct";
/// Largest deviation of the energy \[% of ΔH_τ\].
pub const ENERGY_DEVIATION: &str = "dev_h_pct";
/// Error of the energy after all rebounds \[%\].
pub const ACCUMULATED: &str = "accum_err_h_pct";
/// Largest deviation of the energy in all rebounds \[% of ΔH_τ\].
pub const MAX_ENERGY_DEVIATION: &str = "max_dev_h_pct";

/// Table I.
pub const TABLE_1: [PublishedRow; 3] = [
    (COMPRESSION_DEVIATION, &[0.255, 0.018, 0.319, 0.005]),
    (EXIT_VELOCITY_ERROR, &[2e-5, 2e-6, -3e-5, 2e-6]),
    (ENERGY_DEVIATION, &[3e-4, 0.052, 4e-4, 1e-5]),
];
/// Table II(a): case 1.
pub const TABLE_2A: [PublishedRow; 3] = [
    (COMPRESSION_DEVIATION, &[1.011, 1.083, 1.136, 0.052]),
    (EXIT_VELOCITY_ERROR, &[0.039, 0.073, 0.067, 0.006]),
    (ENERGY_DEVIATION, &[61.302, 59.542, 63.042, 1.427]),
];
/// Table II(b): case 2.
pub const TABLE_2B: [PublishedRow; 3] = [
    (COMPRESSION_DEVIATION, &[4.381, 4.418, 19.506, 0.412]),
    (EXIT_VELOCITY_ERROR, &[2.551, 0.839, -4.692, -0.105]),
    (ENERGY_DEVIATION, &[7.885, 9.475, 23.387, 0.410]),
];
/// Table III(a): case 1. "< 1e-7" is printed for the last of the accumulated errors.
pub const TABLE_3A: [PublishedRow; 2] = [
    (ACCUMULATED, &[12.022, 10.059, 147.036, 0.907, 1e-7]),
    (MAX_ENERGY_DEVIATION, &[72.962, 72.107, 63.043, 14.466, 0.0]),
];
/// Table III(b): case 2.
pub const TABLE_3B: [PublishedRow; 2] = [
    (ACCUMULATED, &[24.285, 15.780, 946.600, 2.153, 0.001]),
    (MAX_ENERGY_DEVIATION, &[69.156, 43.966, 27.418, 6.255, 0.0]),
];
/// Error of ṽ_out in cases 1 and 2 \[%\].
pub const APPROXIMATE_VELOCITY: [f64; 2] = [-1e-5, -0.013];

/// Accumulated error and max dev(H) of RK4 at 16 times the rate in cases 1 and 2, sec. IV-B \[%\].
pub const OVERSAMPLED_RK4: [[f64; 2]; 2] = [[0.001, 0.024], [0.002, 0.006]];

/// Table IV: arithmetic operations.
pub const OPERATIONS: [(&str, u32); 8] = [
    ("am1_per_sample", 11),
    ("am1_per_newton_iteration", 25),
    ("verlet", 19),
    ("heun", 21),
    ("rk4", 62),
    ("hybrid_correction", 18),
    ("v_out_constraint", 18),
    ("v_out_zero_per_iteration", 9),
];

/// Printed value of a quantity for a method, if there is one.
pub fn find(table: &[PublishedRow], quantity: &str, method: &str) -> Option<f64> {
    let column = METHOD_COLUMNS.iter().position(|name| *name == method)?;
    table.iter().find(|row| row.0 == quantity)?.1.get(column).copied()
}
