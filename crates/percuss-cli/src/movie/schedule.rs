//! Times of the frames of a movie.

use crate::args::MovieArgs;
use crate::error::{CliError, Result};
use crate::format::{si, trimmed_decimal};
use crate::render::settings::RenderSettings;

/// Times of the frames: the steps nearest to evenly spaced times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSchedule {
    /// Number of frames.
    pub count: u64,
    /// Frames per second of the movie.
    pub fps: u32,
    /// How many times slower than real time the movie runs.
    pub slow_down: f64,
    /// Whether the sound continues after the last frame.
    pub is_truncated: bool,
    /// Time of the first frame \[s\].
    start_time: f64,
    /// Step rate of the simulation \[Hz\].
    rate: f64,
}

impl FrameSchedule {
    /// As many frames as the sound and `--frames` allow.
    pub fn new(args: &MovieArgs, settings: &RenderSettings) -> Result<Self> {
        let (start_time, rate, fps, slow_down) = (args.from, settings.physics_rate(), args.fps, args.slow);
        if start_time >= settings.seconds() {
            return Err(CliError::with_hint(
                format!("--from is {start_time} s, the sound ends after {} s", trimmed_decimal(settings.seconds())),
                "start the movie earlier, or raise --seconds",
            ));
        }
        let interval = 1.0 / (f64::from(fps) * slow_down);
        if interval * rate < 1.0 {
            return Err(CliError::with_hint(
                format!("--slow {slow_down} at {fps} frames per second needs a frame every {}", si(interval, "s")),
                format!(
                    "the simulation steps every {}: use at most --slow {}, or --oversample",
                    si(1.0 / rate, "s"),
                    (rate / f64::from(fps)).floor()
                ),
            ));
        }
        // 1e-9 keeps rounding from dropping the last frame.
        let fitting = ((settings.seconds() - start_time) / interval + 1e-9) as u64 + 1;
        let count = fitting.min(u64::from(args.frames));
        Ok(Self { count, fps, slow_down, is_truncated: count < fitting, start_time, rate })
    }

    /// Step of a frame.
    pub fn step(&self, frame: u64) -> u64 {
        let time = self.start_time + frame as f64 * self.interval();
        (time * self.rate).round() as u64
    }

    /// Time of a frame \[s\].
    pub fn time(&self, frame: u64) -> f64 {
        self.step(frame) as f64 / self.rate
    }

    /// Simulated time between frames \[s\], before rounding to steps.
    pub fn interval(&self) -> f64 {
        1.0 / (f64::from(self.fps) * self.slow_down)
    }

    /// Display time of a frame \[1/100 s\], rounded so that the errors do not accumulate.
    pub fn delay_centiseconds(&self, frame: u64) -> u16 {
        let until = |frame: u64| (frame * 100 + u64::from(self.fps) / 2) / u64::from(self.fps);
        (until(frame + 1) - until(frame)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(fps: u32, slow_down: f64) -> FrameSchedule {
        FrameSchedule { count: 100, fps, slow_down, is_truncated: false, start_time: 0.01, rate: 44_100.0 }
    }

    #[test]
    fn no_two_frames_share_a_step() {
        for slow_down in [1.0, 200.0, 1764.0] {
            let schedule = schedule(25, slow_down);
            assert!((1..100).all(|frame| schedule.step(frame) > schedule.step(frame - 1)), "{slow_down} times slower");
            assert_eq!(schedule.step(0), 441);
        }
    }

    #[test]
    fn frame_delays_sum_to_the_duration() {
        for fps in [1, 24, 25, 30, 50] {
            let whole: u64 =
                (0..u64::from(fps) * 7).map(|frame| u64::from(schedule(fps, 1.0).delay_centiseconds(frame))).sum();
            assert_eq!(whole, 700, "{fps} per second");
        }
    }
}
