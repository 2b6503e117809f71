//! When pictures are taken.

use crate::args::MovieArgs;
use crate::failure::{Failure, Result};
use crate::format::{si, trimmed};
use crate::render::plan::Plan;

/// When pictures are taken: at the steps nearest to evenly spaced times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shots {
    /// Number of pictures.
    pub count: u64,
    /// Pictures per second of the film.
    pub fps: u32,
    /// How many times slower than real.
    pub slow: f64,
    /// Whether the sound goes on after the last picture.
    pub is_cut: bool,
    /// Time of the first \[s\].
    first: f64,
    /// Rate of the physics \[Hz\].
    rate: f64,
}

impl Shots {
    /// Takes the flags, and as many pictures as fit the sound and the flags.
    pub fn new(args: &MovieArgs, plan: &Plan) -> Result<Self> {
        let (first, rate, fps, slow) = (args.from, plan.physics_rate(), args.fps, args.slow);
        if first >= plan.seconds() {
            return Err(Failure::hinted(
                format!("--from is {first} s, the sound ends after {} s", trimmed(plan.seconds())),
                "begin the film earlier, or raise --seconds",
            ));
        }
        let interval = 1.0 / (f64::from(fps) * slow);
        if interval * rate < 1.0 {
            return Err(Failure::hinted(
                format!("--slow {slow} at {fps} pictures per second needs one every {}", si(interval, "s")),
                format!(
                    "the physics takes a step every {}: use at most --slow {}, or --oversample",
                    si(1.0 / rate, "s"),
                    (rate / f64::from(fps)).floor()
                ),
            ));
        }
        // A hair more, so that rounding does not cost the last picture.
        let fitting = ((plan.seconds() - first) / interval + 1e-9) as u64 + 1;
        let count = fitting.min(u64::from(args.frames));
        Ok(Self { count, fps, slow, is_cut: count < fitting, first, rate })
    }

    /// The step at which a picture is taken.
    pub fn step(&self, shot: u64) -> u64 {
        let time = self.first + shot as f64 * self.interval();
        (time * self.rate).round() as u64
    }

    /// The time at which a picture is taken \[s\].
    pub fn time(&self, shot: u64) -> f64 {
        self.step(shot) as f64 / self.rate
    }

    /// Time from one picture to the next \[s\], but for rounding to steps.
    pub fn interval(&self) -> f64 {
        1.0 / (f64::from(self.fps) * self.slow)
    }

    /// How long a picture is shown, in hundredths of a second, so that rounding does not add up.
    pub fn hundredths(&self, shot: u64) -> u16 {
        let until = |shot: u64| (shot * 100 + u64::from(self.fps) / 2) / u64::from(self.fps);
        (until(shot + 1) - until(shot)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shots(fps: u32, slow: f64) -> Shots {
        Shots { count: 100, fps, slow, is_cut: false, first: 0.01, rate: 44_100.0 }
    }

    #[test]
    fn every_picture_has_a_step_of_its_own() {
        for slow in [1.0, 200.0, 1764.0] {
            let shots = shots(25, slow);
            assert!((1..100).all(|shot| shots.step(shot) > shots.step(shot - 1)), "{slow} times slower");
            assert_eq!(shots.step(0), 441);
        }
    }

    #[test]
    fn pictures_last_as_long_as_they_should_in_all() {
        for fps in [1, 24, 25, 30, 50] {
            let whole: u64 = (0..u64::from(fps) * 7).map(|shot| u64::from(shots(fps, 1.0).hundredths(shot))).sum();
            assert_eq!(whole, 700, "{fps} per second");
        }
    }
}
