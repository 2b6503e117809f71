//! Shifts of the partials of a plate by a hand and by water, measured in the sound.

use super::partials::{self, RATE, decay_rate, hann_windowed, peak_frequency};
use super::presets;

/// Shift of one partial.
pub struct PartialShift {
    /// Frequency without the hand, or in deep water \[Hz\].
    pub before: f64,
    /// Frequency with the hand, or in shallow water \[Hz\].
    pub after: f64,
    /// Decay rates before and after \[1/s\], if measured.
    pub decay: Option<[f64; 2]>,
}

/// Number of strongest partials that are analysed.
const PARTIALS: usize = 8;

/// The strongest partials before and under the hand, which touches at 1.6 s.
pub fn hand_shifts(signal: &[f64]) -> Vec<PartialShift> {
    let signal = partials::second_difference(signal);
    let mut partials = partials::peaks(&hann_windowed(&signal, 0.9, 1.5), 50.0, 3000.0);
    partials.sort_by(|a, b| b.1.total_cmp(&a.1));
    partials.truncate(PARTIALS);
    partials.sort_by(|a, b| a.0.total_cmp(&b.0));
    let under = hann_windowed(&signal, 1.7, 1.8);
    let shift = |&(before, _): &partials::Partial| {
        // A partial that has decayed is not found.
        let after = peak_frequency(&under, 0.92 * before, 1.01 * before)?;
        // Added mass only lowers a partial: a peak above is that of the next partial.
        if after > before {
            return None;
        }
        let rates = [decay_rate(&signal, before, [0.9, 1.3], 0.2), decay_rate(&signal, after, [1.7, 1.74], 0.08)];
        Some(PartialShift { before, after, decay: Some(rates) })
    };
    partials.iter().filter_map(shift).collect()
}

/// Lines of the preset for water level and strike.
const WATER: &str = "{ time = [0.0, 1.0, 2.4, 2.8, 4.2], value = [0.3, 0.3, 0.02, 0.02, 0.3] }";
const STRIKE: &str = "at = [0.88, 0.87]";

/// The first partials of the gong in deep and in shallow water at rest. It is struck on its axis of symmetry, the diagonal,
/// and vibrates only in symmetric modes, whose order does not change with the level.
pub fn water_shifts(edges: &str) -> Vec<PartialShift> {
    let partials_at_level = |level: &str| {
        let changes = [(WATER, level), (STRIKE, "at = [0.88, 0.88]"), (presets::FREE_EDGES, edges)];
        let scene = presets::modified_preset("water-gong", &changes);
        let signal = presets::pickup_signal(&scene, (1.5 * RATE) as usize);
        partials::peaks(&hann_windowed(&signal, 0.5, 1.5), 20.0, 300.0)
    };
    let pairs = partials_at_level("0.3").into_iter().zip(partials_at_level("0.02"));
    pairs.take(4).map(|(deep, shallow)| PartialShift { before: deep.0, after: shallow.0, decay: None }).collect()
}
