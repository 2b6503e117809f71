//! What a hand and water do to the partials of a plate, found in the sound.

use super::partials::{self, RATE, decay_rate, hann_windowed, peak_frequency};
use super::presets;

/// One partial.
pub struct PartialShift {
    /// Without the hand, or in deep water \[Hz\].
    pub before: f64,
    /// Under the hand, or in shallow water \[Hz\].
    pub after: f64,
    /// Rates of decay before and after \[1/s\], where they were measured.
    pub decay: Option<[f64; 2]>,
}

/// Strongest partials looked at.
const PARTIALS: usize = 8;

/// The strongest partials before and under the hand that comes down at 1.6 s.
pub fn hand_shifts(signal: &[f64]) -> Vec<PartialShift> {
    let signal = partials::second_difference(signal);
    let mut partials = partials::peaks(&hann_windowed(&signal, 0.9, 1.5), 50.0, 3000.0);
    partials.sort_by(|a, b| b.1.total_cmp(&a.1));
    partials.truncate(PARTIALS);
    partials.sort_by(|a, b| a.0.total_cmp(&b.0));
    let under = hann_windowed(&signal, 1.7, 1.8);
    let shift = |&(before, _): &partials::Partial| {
        // What has died by then is not found.
        let after = peak_frequency(&under, 0.92 * before, 1.01 * before)?;
        // Mass only lowers: what is found above is the next partial, come down beside one that died.
        if after > before {
            return None;
        }
        let rates = [decay_rate(&signal, before, [0.9, 1.3], 0.2), decay_rate(&signal, after, [1.7, 1.74], 0.08)];
        Some(PartialShift { before, after, decay: Some(rates) })
    };
    partials.iter().filter_map(shift).collect()
}

/// The water's level, and the strike, as they stand in the preset.
const WATER: &str = "{ time = [0.0, 1.0, 2.4, 2.8, 4.2], value = [0.3, 0.3, 0.02, 0.02, 0.3] }";
const STRIKE: &str = "at = [0.88, 0.87]";

/// The first partials of the gong with its water at rest, deep and shallow. Struck on the diagonal, about which all else
/// is symmetric, it rings only in shapes that are so too: among these the order does not change with the level.
pub fn water_shifts(edges: &str) -> Vec<PartialShift> {
    let still = |level: &str| {
        let changes = [(WATER, level), (STRIKE, "at = [0.88, 0.88]"), (presets::FREE_EDGES, edges)];
        let scene = presets::modified_preset("water-gong", &changes);
        let signal = presets::pickup_signal(&scene, (1.5 * RATE) as usize);
        partials::peaks(&hann_windowed(&signal, 0.5, 1.5), 20.0, 300.0)
    };
    let pairs = still("0.3").into_iter().zip(still("0.02"));
    pairs.take(4).map(|(deep, shallow)| PartialShift { before: deep.0, after: shallow.0, decay: None }).collect()
}
