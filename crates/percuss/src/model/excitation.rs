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

/// A pluck: a force that pulls aside and lets go. It rises as a raised cosine over `duration` and falls as one over `release`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pluck {
    /// Start of the pull \[s\].
    pub time: f64,
    /// How long it pulls \[s\].
    pub duration: f64,
    /// How long it takes to let go \[s\].
    pub release: f64,
    /// Force at the end of the pull \[N\].
    pub force: f64,
}

impl Default for Pluck {
    /// A newton, pulled for 20 ms and let go within 0.2 ms: a plectrum.
    fn default() -> Self {
        Self { time: 0.0, duration: 0.02, release: 0.2e-3, force: 1.0 }
    }
}

impl Pluck {
    /// When it has let go \[s\].
    #[must_use]
    pub fn end(&self) -> f64 {
        self.time + self.duration + self.release
    }

    /// Force \[N\] at time t \[s\].
    #[must_use]
    pub fn force(&self, t: f64) -> f64 {
        let since = t - self.time;
        let share = if since <= 0.0 || since >= self.duration + self.release {
            0.0
        } else if since < self.duration {
            since / self.duration
        } else {
            1.0 - (since - self.duration) / self.release
        };
        0.5 * self.force * (1.0 - (std::f64::consts::PI * share).cos())
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
    /// See [`Pluck`].
    Pluck(Pluck),
    /// See [`Drive`].
    Drive(Drive),
    /// Strikes when triggered, with up to this pulse.
    Striker(Pulse),
    /// Plucks when triggered, with up to this force.
    Plucker(Pluck),
}
