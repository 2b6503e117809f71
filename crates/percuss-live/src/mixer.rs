//! Mixes pickups to output channels, with smoothed gains.

use percuss_scene::Scene;

/// Time in which a gain reaches a new value \[s\].
const SMOOTHING_TIME: f64 = 0.01;

/// A value that reaches its target along a straight line, sample by sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothedValue {
    current: f64,
    step: f64,
    target: f64,
    /// Samples until the target is reached.
    remaining: u32,
}

impl SmoothedValue {
    pub fn new(value: f64) -> Self {
        Self { current: value, step: 0.0, target: value, remaining: 0 }
    }

    pub fn set_target(&mut self, target: f64, samples: u32) {
        let remaining = samples.max(1);
        *self = Self { step: (target - self.current) / f64::from(remaining), target, remaining, ..*self };
    }

    pub fn next_value(&mut self) -> f64 {
        if self.remaining > 0 {
            self.remaining -= 1;
            self.current = if self.remaining == 0 { self.target } else { self.current + self.step };
        }
        self.current
    }

    pub fn is_smoothing(&self) -> bool {
        self.remaining > 0
    }
}

/// An output of the scene with its gains.
#[derive(Clone, Debug)]
struct ChannelStrip {
    gain: SmoothedValue,
    /// Gain for each channel of the device.
    channel_gains: Vec<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Mixer {
    strips: Vec<ChannelStrip>,
    volume: SmoothedValue,
    /// Gain from the units of the pickups to full scale.
    pub calibration_gain: f64,
    smoothing_samples: u32,
}

impl Mixer {
    pub fn new(scene: &Scene, channels: usize, rate: f64, calibration_gain: f64) -> Self {
        let scene_channels = scene.channels();
        let channel_gain = |output, channel: usize| match scene_channels {
            // A mono scene is heard on all channels.
            1 => scene.channel_gain(output, 0),
            // Channels that the device lacks are added to the others.
            _ => (channel..scene_channels).step_by(channels).map(|from| scene.channel_gain(output, from)).sum(),
        };
        let strips = scene.outputs.iter().map(|output| ChannelStrip {
            gain: SmoothedValue::new(1.0),
            channel_gains: (0..channels).map(|channel| channel_gain(output, channel)).collect(),
        });
        let smoothing_samples = (SMOOTHING_TIME * rate) as u32;
        Self { strips: strips.collect(), volume: SmoothedValue::new(1.0), calibration_gain, smoothing_samples }
    }

    pub fn set_gain(&mut self, output: usize, gain: f64) {
        if let Some(strip) = self.strips.get_mut(output) {
            strip.gain.set_target(gain, self.smoothing_samples);
        }
    }

    pub fn set_volume(&mut self, volume: f64) {
        self.volume.set_target(volume, self.smoothing_samples);
    }

    /// Adds outputs, in the order of the scene, to a frame.
    pub fn add_frame(&mut self, outputs: &[f64], frame: &mut [f64]) {
        let volume = self.volume.next_value() * self.calibration_gain;
        for (strip, output) in self.strips.iter_mut().zip(outputs) {
            let sample = output * strip.gain.next_value() * volume;
            for (out, channel_gain) in frame.iter_mut().zip(&strip.channel_gains) {
                *out += sample * channel_gain;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smoothed_value_reaches_its_target_exactly_in_time() {
        let mut value = SmoothedValue::new(1.0);
        value.set_target(3.0, 4);
        let values: Vec<f64> = (0..6).map(|_| value.next_value()).collect();
        assert_eq!(values, [1.5, 2.0, 2.5, 3.0, 3.0, 3.0]);
        assert!(!value.is_smoothing());
    }
}
