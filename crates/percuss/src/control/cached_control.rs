//! A control with its current segment cached, for reading step after step.
//!
//! Allocates   no

use crate::model::{Control, Segment};

/// A control and its current segment.
#[derive(Clone, Debug)]
pub(crate) struct CachedControl {
    control: Control,
    segment: Segment,
    /// Index of the breakpoint after the segment.
    next: usize,
}

impl From<Control> for CachedControl {
    fn from(control: Control) -> Self {
        Self { control, segment: Segment::empty(), next: 0 }
    }
}

impl CachedControl {
    /// Value at time t \[s\].
    #[inline]
    pub fn at(&mut self, t: f64) -> f64 {
        if !self.segment.contains(t) {
            self.segment = self.control.segment(t, &mut self.next);
        }
        self.segment.at(t)
    }

    /// All values between which it lies.
    pub fn values(&self) -> &[f64] {
        self.control.values()
    }

    /// The control. If it is a parameter it may be set; the next reading uses the new value.
    pub fn control(&mut self) -> &mut Control {
        &mut self.control
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_control_equals_its_control_forwards_backwards_and_at_jumps() {
        let control = Control::Breakpoints { time: vec![1.0, 2.0, 2.0, 3.0], value: vec![0.5, 4.0, 8.0, 0.0] };
        let mut reader = CachedControl::from(control.clone());
        let times = (0..400).map(|i| 0.01 * f64::from(i)).chain([2.0, 0.3, 1.0, 2.5, 1.5, 9.0]);
        for t in times {
            assert_eq!(reader.at(t), control.at(t), "at {t} s");
            assert!(reader.at(t) >= 0.0);
        }
    }
}
