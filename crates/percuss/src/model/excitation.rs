//! Exciters: forces from outside that do not depend on the motion.

use crate::model::control::Control;

/// A force pulse of raised-cosine shape in time and, on strings and bars, in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulse {
    /// Start \[s\].
    pub time: f64,
    /// Duration \[s\].
    pub duration: f64,
    /// Peak force \[N\].
    pub peak: f64,
    /// Width along the string as a fraction of its length; 0 acts at a point.
    pub width: f64,
}

impl Default for Pulse {
    /// A newton for a millisecond, at once, at a point.
    fn default() -> Self {
        Self { time: 0.0, duration: 1e-3, peak: 1.0, width: 0.0 }
    }
}

impl Pulse {
    /// Force \[N\] at time t \[s\].
    #[must_use]
    pub fn force(&self, t: f64) -> f64 {
        let phase = (t - self.time) / self.duration;
        if phase > 0.0 && phase < 1.0 { 0.5 * self.peak * (1.0 - (std::f64::consts::TAU * phase).cos()) } else { 0.0 }
    }
}

/// An arbitrary force at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Force \[N\], constant or from breakpoints.
    Control(Control),
    /// Sampled force \[N\]: `values` at `rate` \[Hz\] from the start, zero afterwards; cubic interpolation between.
    Samples {
        /// Rate of the samples \[Hz\].
        rate: f64,
        /// Force samples \[N\].
        values: Vec<f64>,
    },
}

/// Any exciter, as the model keeps it.
#[derive(Clone, Debug, PartialEq)]
pub enum Exciter {
    /// See [`Pulse`].
    Pulse(Pulse),
    /// See [`Drive`].
    Drive(Drive),
    /// Strikes when triggered, with up to this pulse.
    Striker(Pulse),
}
