//! Sums the pickups of a scene into its channels.

use crate::Scene;
use percuss::{PickupId, Simulation};

/// The pickups of every channel and their gains.
#[derive(Clone, Debug)]
pub struct ChannelMixer {
    channels: Vec<Vec<(PickupId, f64)>>,
}

impl ChannelMixer {
    /// A mixer of a scene to so many channels.
    pub fn new(scene: &Scene, channels: usize) -> Self {
        let pickups = |channel: usize| {
            let gains = scene.outputs.iter().map(|output| (output.pickup, scene.channel_gain(output, channel)));
            gains.filter(|&(_, gain)| gain != 0.0).collect()
        };
        Self { channels: (0..channels).map(pickups).collect() }
    }

    /// Number of channels.
    pub fn channels(&self) -> usize {
        self.channels.len()
    }

    /// The present sample of every channel.
    pub fn frame(&self, simulation: &Simulation) -> impl Iterator<Item = f64> {
        self.channels.iter().map(|pickups| pickups.iter().map(|&(pickup, gain)| gain * simulation.read(pickup)).sum())
    }
}
