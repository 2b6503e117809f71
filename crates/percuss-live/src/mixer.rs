//! From pickups to loudspeakers: gains that glide, a level, and a limit that nothing exceeds.

use percuss::{PickupId, Simulation};
use percuss_scene::Scene;

/// Samples in which a gain gets to where it is set, at any rate, per second of it \[s\].
const GLIDE: f64 = 0.01;
/// Where the limiter begins, full scale being 1.
const KNEE: f64 = 0.7;

/// A number that gets to where it is set in a straight line, sample by sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Glide {
    now: f64,
    step: f64,
    to: f64,
    left: u32,
}

impl Glide {
    pub fn at(value: f64) -> Self {
        Self { now: value, step: 0.0, to: value, left: 0 }
    }

    pub fn set(&mut self, value: f64, samples: u32) {
        let left = samples.max(1);
        *self = Self { step: (value - self.now) / f64::from(left), to: value, left, ..*self };
    }

    pub fn next(&mut self) -> f64 {
        if self.left > 0 {
            self.left -= 1;
            self.now = if self.left == 0 { self.to } else { self.now + self.step };
        }
        self.now
    }

    pub fn is_still(&self) -> bool {
        self.left == 0
    }
}

/// An output and what of it goes where.
#[derive(Clone, Debug)]
struct Strip {
    pickup: PickupId,
    gain: Glide,
    /// Share for each channel of the device.
    shares: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Mixer {
    strips: Vec<Strip>,
    volume: Glide,
    /// Brings the scene's own units to full scale.
    pub level: f64,
    glide: u32,
}

impl Mixer {
    pub fn new(scene: &Scene, channels: usize, rate: f64, level: f64) -> Self {
        let own = scene.channels();
        let share = |output, channel: usize| match own {
            // One channel is heard everywhere.
            1 => scene.channel_gain(output, 0),
            // What the device has no channel for is heard on the others.
            _ => (channel..own).step_by(channels).map(|from| scene.channel_gain(output, from)).sum(),
        };
        let strips = scene.outputs.iter().map(|output| Strip {
            pickup: output.pickup,
            gain: Glide::at(1.0),
            shares: (0..channels).map(|channel| share(output, channel)).collect(),
        });
        Self { strips: strips.collect(), volume: Glide::at(1.0), level, glide: (GLIDE * rate) as u32 }
    }

    pub fn set_gain(&mut self, output: usize, gain: f64) {
        if let Some(strip) = self.strips.get_mut(output) {
            strip.gain.set(gain, self.glide);
        }
    }

    pub fn set_volume(&mut self, volume: f64) {
        self.volume.set(volume, self.glide);
    }

    /// Adds what is heard of all voices to a frame, before the limit.
    pub fn add(&mut self, voices: &[Simulation], fade: f64, frame: &mut [f64]) {
        let volume = self.volume.next() * self.level * fade;
        for strip in &mut self.strips {
            let heard: f64 = voices.iter().map(|sim| sim.read(strip.pickup)).sum();
            let sample = heard * strip.gain.next() * volume;
            for (out, share) in frame.iter_mut().zip(&strip.shares) {
                *out += sample * share;
            }
        }
    }
}

/// Bends what is louder than the knee so that it never exceeds full scale.
pub(crate) fn limited(sample: f64) -> f64 {
    let size = sample.abs();
    if size <= KNEE { sample } else { sample.signum() * (KNEE + (1.0 - KNEE) * ((size - KNEE) / (1.0 - KNEE)).tanh()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glide_arrives_exactly_and_in_time() {
        let mut glide = Glide::at(1.0);
        glide.set(3.0, 4);
        let way: Vec<f64> = (0..6).map(|_| glide.next()).collect();
        assert_eq!(way, [1.5, 2.0, 2.5, 3.0, 3.0, 3.0]);
        assert!(glide.is_still());
    }

    #[test]
    fn nothing_exceeds_full_scale_and_quiet_things_pass_untouched() {
        for quiet in [0.0, 0.3, -0.7] {
            assert_eq!(limited(quiet), quiet);
        }
        for loud in [0.9, -2.0, 1e300, f64::INFINITY] {
            assert!(limited(loud).abs() <= 1.0 && limited(loud).abs() > KNEE, "{loud}");
        }
    }
}
