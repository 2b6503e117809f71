//! Detects scenes that run away, to be cut out before they are heard for long.
//!
//! Energy      without work of touches a scene cannot hold more than it had at the start and was supplied with. Holding more
//!             than twice the largest of that sum means that something pumps. Needs an open ledger
//! Level       an output 30 dB above full scale for 20 ms is none that anybody plays. Needs no ledger
//! Allocates   never

/// Energy that a scene may hold, relative to what it was given.
const MAX_ENERGY_RATIO: f64 = 2.0;
/// Energy that is too small to be heard, of scenes that were given none \[J\].
const NEGLIGIBLE_ENERGY: f64 = 1e-12;
/// Output that is too loud; full scale is 1.
const MAX_LEVEL: f64 = 31.6;
/// Time for which it has to be \[s\].
const LOUD_TIME: f64 = 0.02;
/// Longest pause between two loud samples of the same sound \[s\].
const LOUD_PAUSE: f64 = 0.01;

/// Watches a scene.
#[derive(Clone, Debug)]
pub(crate) struct RunawayGuard {
    /// Largest energy that the scene was given so far \[J\].
    given: f64,
    /// Frames since the output became too loud.
    loud_frames: u32,
    /// Frames since the last sample that was too loud.
    quiet_frames: u32,
    max_loud_frames: u32,
    max_quiet_frames: u32,
}

impl RunawayGuard {
    pub fn new(rate: f64) -> Self {
        let [max_loud_frames, max_quiet_frames] = [LOUD_TIME, LOUD_PAUSE].map(|time| (time * rate) as u32);
        Self { given: 0.0, loud_frames: 0, quiet_frames: 0, max_loud_frames, max_quiet_frames }
    }

    /// The scene starts again.
    pub fn restart(&mut self) {
        (self.given, self.loud_frames, self.quiet_frames) = (0.0, 0, 0);
    }

    /// Takes in a frame of the output.
    pub fn observe(&mut self, frame: &[f64]) {
        if frame.iter().any(|sample| sample.abs() > MAX_LEVEL) {
            self.quiet_frames = 0;
            self.loud_frames = self.loud_frames.saturating_add(1);
        } else if self.quiet_frames < self.max_quiet_frames {
            self.quiet_frames += 1;
            self.loud_frames = self.loud_frames.saturating_add(u32::from(self.loud_frames > 0));
        } else {
            self.loud_frames = 0;
        }
    }

    /// Whether the output has been too loud for too long.
    pub fn is_too_loud(&self) -> bool {
        self.loud_frames > self.max_loud_frames
    }

    /// Whether the scene stores more than it can have, given the energy from the start and from players \[J\].
    pub fn exceeds_energy(&mut self, stored: f64, given: f64) -> bool {
        // Players can also take energy out, which says nothing about what is left.
        self.given = self.given.max(given);
        stored > MAX_ENERGY_RATIO * self.given + NEGLIGIBLE_ENERGY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn energy_from_nowhere_is_noticed_and_energy_taken_out_is_not() {
        let mut guard = RunawayGuard::new(48_000.0);
        assert!(!guard.exceeds_energy(1.0, 1.0));
        // Half of it was taken out again, by a hand that moves.
        assert!(!guard.exceeds_energy(0.5, 0.4));
        assert!(!guard.exceeds_energy(1.9, 1.0));
        assert!(guard.exceeds_energy(2.1, 1.0));
        guard.restart();
        assert!(guard.exceeds_energy(1.0, 0.0));
    }

    #[test]
    fn a_loud_tone_is_noticed_and_a_loud_stroke_is_not() {
        let is_noticed = |seconds: f64, level: f64| {
            let mut guard = RunawayGuard::new(48_000.0);
            (0..(48_000.0 * seconds) as u32).any(|n| {
                guard.observe(&[level * (0.02 * f64::from(n)).sin()]);
                guard.is_too_loud()
            })
        };
        assert!(is_noticed(0.05, 100.0) && !is_noticed(0.015, 100.0) && !is_noticed(1.0, 30.0));
    }
}
