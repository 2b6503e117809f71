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
        Self { sweeps: sweeps_for(time, times[TRIALS / 2]), ..trial }
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

/// Number of sweeps that take `time`, if a trial takes `trial_time` \[s\]; at least 1.
fn sweeps_for(time: f64, trial_time: f64) -> usize {
    ((time / trial_time * SWEEPS_PER_TRIAL as f64).round() as usize).max(1)
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
    fn number_of_sweeps_is_proportional_to_the_time_and_at_least_one() {
        let trial_time = 2e-5;
        assert_eq!(sweeps_for(trial_time, trial_time), SWEEPS_PER_TRIAL);
        assert_eq!(sweeps_for(100.0 * trial_time, trial_time), 100 * SWEEPS_PER_TRIAL);
        assert_eq!(sweeps_for(0.0, trial_time), 1);
    }

    #[test]
    fn a_load_sweeps_the_whole_array_as_often_as_it_should() {
        let mut load = SyntheticLoad { array: vec![0.0; ARRAY_LENGTH], sweeps: 3 };
        load.run();
        let expected = (0..3).fold(0.0, |x, _| 0.999 * x + 1e-3);
        assert!(load.array.iter().all(|&x| x == expected));
    }
}
