//! Force signals of exciters.

use crate::error::{Check, CompileError};
use crate::model::{Control, Drive, Exciter, Pluck, Pulse};

/// Number of gestures of a striker that may overlap.
const MAX_GESTURES: usize = 4;

/// What a striker does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Gesture {
    Pulse(Pulse),
    Pluck(Pluck),
}

impl Gesture {
    /// The same at time t \[s\], with a fraction of the force.
    fn scaled(self, t: f64, strength: f64) -> Self {
        match self {
            Self::Pulse(pulse) => Self::Pulse(Pulse { time: t, peak: pulse.peak * strength, ..pulse }),
            Self::Pluck(pluck) => Self::Pluck(Pluck { time: t, force: pluck.force * strength, ..pluck }),
        }
    }

    fn force(&self, t: f64) -> f64 {
        match self {
            Self::Pulse(pulse) => pulse.force(t),
            Self::Pluck(pluck) => pluck.force(t),
        }
    }
}

/// A force over time \[N\].
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    Pulse(Pulse),
    Pluck(Pluck),
    Control(Control),
    Samples {
        rate: f64,
        values: Vec<f64>,
    },
    /// The last gestures of a striker in a ring buffer, and the strongest one.
    Striker {
        strongest: Gesture,
        gestures: [Gesture; MAX_GESTURES],
        next: usize,
    },
}

impl Signal {
    pub fn new(exciter: &Exciter, check: Check) -> Result<Self, CompileError> {
        match exciter {
            Exciter::Pulse(pulse) => {
                check_pulse(pulse, check)?;
                Ok(Self::Pulse(*pulse))
            }
            Exciter::Pluck(pluck) => {
                check_pluck(pluck, check)?;
                Ok(Self::Pluck(*pluck))
            }
            Exciter::Striker(strongest) => {
                check_pulse(strongest, check)?;
                Ok(Self::striker(Gesture::Pulse(*strongest)))
            }
            Exciter::Plucker(strongest) => {
                check_pluck(strongest, check)?;
                Ok(Self::striker(Gesture::Pluck(*strongest)))
            }
            Exciter::Drive(Drive::Control(control)) => {
                check_control(control, "force", check)?;
                Ok(Self::Control(control.clone()))
            }
            Exciter::Drive(Drive::Samples { rate, values }) => {
                check.positive("rate", *rate)?;
                for &value in values {
                    check.finite("force", value)?;
                }
                Ok(Self::Samples { rate: *rate, values: values.clone() })
            }
        }
    }

    fn striker(strongest: Gesture) -> Self {
        Self::Striker { strongest, gestures: [strongest.scaled(0.0, 0.0); MAX_GESTURES], next: 0 }
    }

    /// Value at time t \[s\].
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Pulse(pulse) => pulse.force(t),
            Self::Pluck(pluck) => pluck.force(t),
            Self::Control(control) => control.at(t),
            Self::Samples { rate, values } => catmull_rom(values, t * rate),
            Self::Striker { gestures, .. } => gestures.iter().map(|gesture| gesture.force(t)).sum(),
        }
    }

    /// Strikes or plucks at time t \[s\] with −1 to 1 of the strongest gesture.
    pub fn strike(&mut self, t: f64, strength: f64) {
        if let Self::Striker { strongest, gestures, next } = self {
            gestures[*next] = strongest.scaled(t, strength.clamp(-1.0, 1.0));
            *next = (*next + 1) % MAX_GESTURES;
        }
    }

    /// Removes all gestures.
    pub fn reset(&mut self) {
        if let Self::Striker { strongest, .. } = self {
            *self = Self::striker(*strongest);
        }
    }
}

fn check_pluck(pluck: &Pluck, check: Check) -> Result<(), CompileError> {
    check.not_negative("time", pluck.time)?;
    check.positive("duration", pluck.duration)?;
    check.positive("release", pluck.release)?;
    check.finite("force", pluck.force)
}

fn check_pulse(pulse: &Pulse, check: Check) -> Result<(), CompileError> {
    check.not_negative("time", pulse.time)?;
    check.positive("duration", pulse.duration)?;
    check.finite("peak", pulse.peak)?;
    check.fraction("width", pulse.width)
}

/// Breakpoints must match in number, be finite and in order.
pub(crate) fn check_control(control: &Control, field: &'static str, check: Check) -> Result<(), CompileError> {
    let value = match control {
        Control::Constant(value) => *value,
        Control::Breakpoints { time, .. } => time.len() as f64,
        Control::Wave(wave) => wave.highest_frequency(),
        Control::Param(param) => param.at(0.0),
    };
    check.require(
        control.is_well_formed(),
        field,
        value,
        "finite, with as many values as rising times, or a wave of a frequency above 0",
    )
}

/// Every breakpoint of a path must be on the element; the straight lines between them then are too.
pub(crate) fn check_fraction_control(at: &Control, check: Check) -> Result<(), CompileError> {
    check_control(at, "at", check)?;
    at.values().iter().try_for_each(|&value| check.fraction("at", value))
}

/// Catmull–Rom interpolation between samples; zero outside.
fn catmull_rom(values: &[f64], x: f64) -> f64 {
    let index = x as usize;
    if index >= values.len() {
        return 0.0;
    }
    let sample = |offset: isize| index.checked_add_signed(offset).and_then(|i| values.get(i)).copied().unwrap_or(0.0);
    let (a, b, c, d) = (sample(-1), sample(0), sample(1), sample(2));
    let t = x - index as f64;
    b + 0.5 * t * (c - a + t * (2.0 * a - 5.0 * b + 4.0 * c - d + t * (3.0 * (b - c) + d - a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_met_and_smooth_curves_followed_between() {
        let values: Vec<f64> = (0..100).map(|i| (0.1 * i as f64).sin()).collect();
        for x in [3.0, 17.0, 17.3, 42.9] {
            assert!((catmull_rom(&values, x) - (0.1 * x).sin()).abs() < 1e-4, "at {x}");
        }
        assert_eq!(catmull_rom(&values, 17.0), values[17]);
        assert_eq!(catmull_rom(&values, 100.0), 0.0);
    }
}
