//! Values that change in time: breakpoints, sines, sweeps and noise.

use super::SceneGenerator;
use crate::harness::document::TomlValue;

impl SceneGenerator {
    /// A constant, or breakpoints or a wave within the scene, with values between two numbers.
    pub(super) fn control(&mut self, constant_probability: f64, low: f64, high: f64) -> TomlValue {
        if self.random.chance(constant_probability) {
            return self.random.uniform(low, high).into();
        }
        if self.random.chance(0.3) {
            return self.wave(low.min(high), low.max(high));
        }
        let mut time: Vec<f64> = (0..self.random.whole(2, 4)).map(|_| self.random.unit() * self.duration()).collect();
        time.sort_by(f64::total_cmp);
        let value = time.iter().map(|_| self.random.uniform(low, high)).collect();
        TomlValue::control(time, value)
    }

    fn wave(&mut self, low: f64, high: f64) -> TomlValue {
        let kind = self.random.pick(&["sine", "sweep", "noise"]);
        let frequency = match kind {
            "sweep" => [self.wave_frequency(), self.wave_frequency()].into(),
            _ => self.wave_frequency().into(),
        };
        let offset = self.random.uniform(low, high);
        let reach = (offset - low).min(high - offset);
        let mut fields = vec![(kind, frequency), ("offset", offset.into())];
        // Of numbers that add up to a limit but for rounding.
        fields.push(("amplitude", (reach * self.random.unit()).into()));
        if self.random.chance(0.5) {
            fields.push(("start", (self.random.unit() * self.duration()).into()));
        }
        if kind == "sweep" || self.random.chance(0.4) {
            fields.push(("duration", (self.random.log(1e-2, 2.0) * self.duration()).max(1e-6).into()));
        }
        if self.random.chance(0.4) {
            fields.push(("fade", (self.random.log(1e-3, 1.0) * self.duration()).into()));
        }
        match kind {
            "sine" if self.random.chance(0.5) => fields.push(("phase", self.random.uniform(-10.0, 10.0).into())),
            "sweep" if self.random.chance(0.5) => fields.push(("kind", "linear".into())),
            "noise" => fields.push(("seed", (self.random.below(1000) as f64).into())),
            _ => {}
        }
        TomlValue::inline(fields)
    }

    /// Mostly below half the sample rate.
    fn wave_frequency(&mut self) -> f64 {
        if self.extreme { self.random.log(1e-4, 1e5) } else { self.random.log(1.0, 0.49 * self.rate) }
    }
}
