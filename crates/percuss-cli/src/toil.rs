//! Work that is the same every time: numbers in memory, multiplied and added to, as often as it takes.

use percuss_live::Stopwatch;
use percuss_live::device::Source;

/// How many numbers: 64 KiB, more than the nearest cache holds, as the state of a plate is.
const FIELD: usize = 1 << 13;
/// Runs over all of them that are timed together, and how often they are.
const SWEEPS: usize = 16;
const TRIALS: usize = 501;

/// Sweeps over a field of numbers.
pub struct Toil {
    field: Vec<f64>,
    sweeps: usize,
}

impl Toil {
    /// As much work as the machine usually does in a time \[s\].
    pub fn as_long_as(time: f64) -> Self {
        let mut trial = Self { field: vec![1.0; FIELD], sweeps: SWEEPS };
        let mut times: Vec<f64> = (0..TRIALS).map(|_| trial.time()).collect();
        times.sort_unstable_by(f64::total_cmp);
        let sweeps = (time / times[TRIALS / 2] * SWEEPS as f64).round();
        Self { sweeps: (sweeps as usize).max(1), ..trial }
    }

    fn time(&mut self) -> f64 {
        let watch = Stopwatch::start();
        self.work();
        watch.elapsed().as_secs_f64()
    }

    /// Does it once.
    pub fn work(&mut self) {
        for _ in 0..self.sweeps {
            self.field.iter_mut().for_each(|x| *x = 0.999 * *x + 1e-3);
            // Or all sweeps but the last would be left out as of no use.
            std::hint::black_box(&mut self.field);
        }
    }
}

impl Source for Toil {
    fn fill(&mut self, out: &mut [f32]) {
        self.work();
        out.fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_about_as_long_as_it_should() {
        let time = 5e-4;
        let is_about = |_| {
            let mut toil = Toil::as_long_as(time);
            let shortest = (0..50).map(|_| toil.time()).fold(f64::INFINITY, f64::min);
            (0.25 * time..2.0 * time).contains(&shortest)
        };
        // Others on the machine may slow down a try, hardly all of them.
        assert!((0..5).any(is_about));
    }
}
