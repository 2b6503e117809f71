//! Turns a performance down that stays above the threshold of the limiter, so that the limiter has to act on peaks only.
//!
//! Envelope    e ← max(|x|, e·exp(−1/τr)), τ = 50 ms, over all channels, at rate r
//! Gain        a sample with g·|x| above the threshold T, 15 ms or more after the first of a row of such samples that are at most 30 ms
//!             apart, lets g fall towards 0.9·T/e for 15 ms, with a time constant of 3 ms. Else g returns to 1 with one of 2 s, but not
//!             above 0.9·T/e. Until it first falls it is 1, and samples pass as they are
//! Allocates   never

use crate::limiter::CEILING;

/// Decay of the envelope \[s\].
const ENVELOPE_TIME: f64 = 0.05;
/// How long it has to be loud, with pauses of what length, and for how long it falls then \[s\].
const LOUD_TIME: f64 = 0.015;
const LOUD_PAUSE: f64 = 0.03;
const FALLING_TIME: f64 = 0.015;
/// Time constants of the gain \[s\].
const FALL_TIME: f64 = 0.003;
const RETURN_TIME: f64 = 2.0;
/// Level to which it turns down, relative to the threshold.
const LEVEL: f64 = 0.9;
/// Distance from 1 at which the gain has returned.
const RETURNED: f64 = 1e-4;

/// Turns sustained loud sounds down.
#[derive(Clone, Debug)]
pub(crate) struct Leveler {
    envelope: f64,
    gain: f64,
    /// Frames since the first and since the last loud sample of a row.
    row_frames: u32,
    pause_frames: u32,
    /// Frames for which the gain still falls.
    falling_frames: u32,
    /// The times in frames.
    loud_time: u32,
    loud_pause: u32,
    falling_time: u32,
    /// Factors per sample.
    decay: f64,
    fall: f64,
    rise: f64,
}

impl Leveler {
    pub fn new(rate: f64) -> Self {
        let step = |time: f64| -(-1.0 / (time * rate)).exp_m1();
        let frames = |time: f64| (time * rate) as u32;
        Self {
            envelope: 0.0,
            gain: 1.0,
            row_frames: 0,
            pause_frames: frames(LOUD_PAUSE),
            falling_frames: 0,
            loud_time: frames(LOUD_TIME),
            loud_pause: frames(LOUD_PAUSE),
            falling_time: frames(FALLING_TIME),
            decay: 1.0 - step(ENVELOPE_TIME),
            fall: step(FALL_TIME),
            rise: step(RETURN_TIME),
        }
    }

    /// Follows rows of loud samples.
    fn observe(&mut self, is_loud: bool) {
        let is_in_row = self.pause_frames < self.loud_pause;
        self.row_frames = if is_in_row { self.row_frames.saturating_add(1) } else { 0 };
        if is_loud {
            self.pause_frames = 0;
            if self.row_frames >= self.loud_time {
                self.falling_frames = self.falling_time;
            }
        } else if is_in_row {
            self.pause_frames += 1;
        }
    }

    /// Scales a frame of finite samples.
    pub fn process(&mut self, frame: &mut [f64]) {
        let peak = frame.iter().fold(0.0_f64, |most, sample| most.max(sample.abs()));
        self.envelope = peak.max(self.envelope * self.decay);
        self.observe(self.gain * peak > CEILING);
        let most = LEVEL * CEILING / self.envelope.max(LEVEL * CEILING);
        if self.falling_frames > 0 {
            self.falling_frames -= 1;
            self.gain += self.fall * (most - self.gain).min(0.0);
        } else if self.gain < 1.0 && self.gain < most {
            self.gain += self.rise * (most - self.gain);
            if self.gain > 1.0 - RETURNED {
                self.gain = 1.0;
            }
        }
        if self.gain < 1.0 {
            frame.iter_mut().for_each(|sample| *sample *= self.gain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    /// Milliseconds of a tone of an amplitude that come out above the ceiling, and the last amplitude.
    fn play(leveler: &mut Leveler, amplitude: f64, frequency: f64, seconds: f64) -> (usize, f64) {
        let (mut loud, mut last) = (0, 0.0);
        for millisecond in 0..(1e3 * seconds) as usize {
            let mut peak = 0.0_f64;
            for n in 0..48 {
                let time = (48 * millisecond + n) as f64 / RATE;
                let mut frame = [amplitude * (std::f64::consts::TAU * frequency * time).cos()];
                leveler.process(&mut frame);
                peak = peak.max(frame[0].abs());
            }
            loud += usize::from(peak > CEILING);
            last = if frequency * 1e-3 > 0.5 { peak } else { last.max(peak) };
        }
        (loud, last)
    }

    #[test]
    fn loud_tones_are_turned_down_within_fifty_milliseconds() {
        for amplitude in [1.0, 2.0, 10.0, 100.0] {
            for frequency in [40.0, 440.0, 5000.0] {
                let mut leveler = Leveler::new(RATE);
                let (loud, _) = play(&mut leveler, amplitude, frequency, 2.0);
                assert!(loud <= 50, "{amplitude}, {frequency} Hz: {loud} ms");
            }
        }
    }

    #[test]
    fn short_peaks_and_quiet_sounds_pass_bit_for_bit_and_the_gain_returns() {
        let mut leveler = Leveler::new(RATE);
        for n in 0..48_000 {
            // Peaks of a millisecond, five times a second, on a tone.
            let sample = if n % 9600 < 48 { 1.8 } else { 0.9 * (0.05 * f64::from(n)).sin() };
            let mut frame = [sample, -sample];
            leveler.process(&mut frame);
            assert_eq!(frame, [sample, -sample], "sample {n}");
        }
        play(&mut leveler, 5.0, 440.0, 0.5);
        assert!(leveler.gain < 0.2);
        play(&mut leveler, 0.1, 440.0, 25.0);
        assert_eq!(leveler.gain, 1.0);
    }
}
