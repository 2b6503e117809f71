//! A value that is set from outside while a scene sounds.
//!
//! Value       its script s(t) until it is first set; set to b at time t₀, it goes on a straight line from what it is
//!             there to b within the glide g: a + (b − a)·min((t − t₀)/g, 1)
//! Allocates   only when it is made

use super::Control;

/// Which dial of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DialId(pub(crate) usize);

impl DialId {
    /// Position in the order of adding.
    pub fn index(self) -> usize {
        self.0
    }
}

/// Set to a value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ramp {
    from: f64,
    to: f64,
    /// When it was set \[s\].
    since: f64,
}

/// A value that is played. See [`Model::play`](super::Model::play).
#[derive(Clone, Debug, PartialEq)]
pub struct Dial {
    id: DialId,
    /// What it does until it is first set.
    script: Control,
    /// Least and largest value it can be set to.
    range: [f64; 2],
    /// Time it takes to get to a new value \[s\].
    glide: f64,
    ramp: Option<Ramp>,
    /// Values of the script and of the range: everything it may become lies between them.
    values: Vec<f64>,
}

impl Dial {
    pub(crate) fn new(id: DialId, script: Control, range: [f64; 2], glide: f64) -> Self {
        let values = script.values().iter().chain(&range).copied().collect();
        Self { id, script, range, glide, ramp: None, values }
    }

    /// Which one it is.
    pub fn id(&self) -> DialId {
        self.id
    }

    /// Value at time t \[s\].
    pub fn at(&self, t: f64) -> f64 {
        match self.ramp {
            None => self.script.at(t),
            Some(Ramp { from, since, .. }) if t <= since => from,
            Some(Ramp { from, to, since }) if t < since + self.glide => from + (t - since) / self.glide * (to - from),
            Some(Ramp { to, .. }) => to,
        }
    }

    /// Sets it at time t \[s\] to a value, which is brought into its range; one that is not finite is refused.
    pub(crate) fn set(&mut self, t: f64, value: f64) -> bool {
        if value.is_finite() {
            let [least, most] = self.range;
            self.ramp = Some(Ramp { from: self.at(t), to: value.max(least).min(most), since: t });
        }
        value.is_finite()
    }

    /// Back to the script.
    pub(crate) fn reset(&mut self) {
        self.ramp = None;
    }

    /// What it does until it is first set.
    pub fn script(&self) -> &Control {
        &self.script
    }

    /// All it may become lies between these values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn is_well_formed(&self) -> bool {
        let [least, most] = self.range;
        let ordered = least.is_finite() && most.is_finite() && least <= most;
        self.script.is_well_formed() && ordered && self.glide.is_finite() && self.glide >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dial_follows_its_script_until_it_is_set_and_then_glides_without_a_jump() {
        let script = Control::Breakpoints { time: vec![0.0, 1.0], value: vec![0.0, 2.0] };
        let mut dial = Dial::new(DialId(0), script, [0.0, 3.0], 0.5);
        assert_eq!(dial.at(0.25), 0.5);
        assert!(dial.set(0.5, 9.0));
        for (t, expected) in [(0.4, 1.0), (0.5, 1.0), (0.75, 2.0), (1.0, 3.0), (7.0, 3.0)] {
            assert_eq!(dial.at(t), expected, "at {t} s");
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!dial.set(2.0, wrong));
        }
        assert_eq!(dial.at(3.0), 3.0);
        dial.reset();
        assert_eq!(dial.at(0.25), 0.5);
    }
}
