//! Synthetic load: a constant amount of arithmetic on an array, for comparison with a scene of the same duration.

use percuss_live::CpuTimer;
use percuss_live::device::AudioSource;

/// Length of the array: 64 KiB, larger than the L1 cache, as the state of a plate is.
const ARRAY_LENGTH: usize = 1 << 13;
/// Sweeps per trial, and trials, of the calibration.
const SWEEPS_PER_TRIAL: usize = 16;
const TRIALS: usize = 501;

/// A fixed number of sweeps over an array.
pub struct SyntheticLoad {
    array: Vec<f64>,
    sweeps: usize,
}

impl SyntheticLoad {
    /// A load whose median CPU time is about `time` \[s\].
    pub fn with_duration(time: f64) -> Self {
        let mut trial = Self { array: vec![1.0; ARRAY_LENGTH], sweeps: SWEEPS_PER_TRIAL };
        let mut times: Vec<f64> = (0..TRIALS).map(|_| trial.cpu_time()).collect();
        times.sort_unstable_by(f64::total_cmp);
        let sweeps = (time / times[TRIALS / 2] * SWEEPS_PER_TRIAL as f64).round();
        Self { sweeps: (sweeps as usize).max(1), ..trial }
    }

    fn cpu_time(&mut self) -> f64 {
        let watch = CpuTimer::start();
        self.run();
        watch.elapsed().as_secs_f64()
    }

    /// Runs all sweeps once.
    pub fn run(&mut self) {
        for _ in 0..self.sweeps {
            self.array.iter_mut().for_each(|x| *x = 0.999 * *x + 1e-3);
            // Keeps the compiler from removing all sweeps but the last.
            std::hint::black_box(&mut self.array);
        }
    }
}

impl AudioSource for SyntheticLoad {
    fn fill(&mut self, out: &mut [f32]) {
        self.run();
        out.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_takes_about_the_requested_time() {
        let time = 5e-4;
        let is_about = |_| {
            let mut load = SyntheticLoad::with_duration(time);
            let shortest = (0..50).map(|_| load.cpu_time()).fold(f64::INFINITY, f64::min);
            (0.25 * time..2.0 * time).contains(&shortest)
        };
        // Other processes may slow down one attempt, hardly all five.
        assert!((0..5).any(is_about));
    }
}
