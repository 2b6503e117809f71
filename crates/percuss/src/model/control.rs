//! A value that may change in time, on its own or set from outside.
//!
//! Parameter   its script s(t) until it is first set; set to b at time t₀, it goes on a straight line from what it is
//!             there to b within the glide g: a + (b − a)·min((t − t₀)/g, 1)
//! Allocates   only when it is made

use crate::model::id::ParamId;
use crate::model::wave::Wave;

/// A constant, or breakpoints joined by straight lines and held before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub enum Control {
    /// The same at all times.
    Constant(f64),
    /// Breakpoints: times \[s\], not decreasing, and as many values.
    Breakpoints {
        /// Times \[s\].
        time: Vec<f64>,
        /// Values.
        value: Vec<f64>,
    },
    /// Oscillates: a sine, a sweep or noise.
    Wave(Box<Wave>),
    /// Set from outside while it sounds.
    Param(Box<Param>),
}

/// A straight piece of a control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    /// First time that it covers, and the first that it does not \[s\].
    span: [f64; 2],
    /// When it has the value `from` \[s\].
    start_time: f64,
    /// Fraction of the segment per second \[1/s\].
    rate: f64,
    from: f64,
    /// Change of the value over the segment.
    change: f64,
}

impl Segment {
    pub fn constant(value: f64, span: [f64; 2]) -> Self {
        Self { span, start_time: 0.0, rate: 0.0, from: value, change: 0.0 }
    }

    pub fn linear(span: [f64; 2], [from, to]: [f64; 2]) -> Self {
        Self { span, start_time: span[0], rate: 1.0 / (span[1] - span[0]), from, change: to - from }
    }

    /// A segment that covers no time.
    pub fn empty() -> Self {
        Self::constant(0.0, [f64::INFINITY; 2])
    }

    /// Whether it covers time t \[s\].
    #[inline]
    pub fn contains(&self, t: f64) -> bool {
        self.span[0] <= t && t < self.span[1]
    }

    /// Value at time t \[s\].
    #[inline]
    pub fn at(&self, t: f64) -> f64 {
        // Limited to the end in spite of rounding: a force must not fall below zero.
        self.from + ((t - self.start_time) * self.rate).min(1.0) * self.change
    }
}

impl From<Wave> for Control {
    fn from(wave: Wave) -> Self {
        Self::Wave(Box::new(wave))
    }
}

impl From<f64> for Control {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl Control {
    /// Value at time t \[s\]. Does not allocate; logarithmic in the number of breakpoints.
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        self.segment(t, &mut 0).at(t)
    }

    /// The segment at time t \[s\]. That of a control which can be set holds at no other time. `next` is the index of the breakpoint
    /// after the segment: it is updated, and tried first, with the one behind it, which is the right one where time goes on evenly.
    pub(crate) fn segment(&self, t: f64, next: &mut usize) -> Segment {
        match self {
            Self::Constant(value) => Segment::constant(*value, [f64::NEG_INFINITY, f64::INFINITY]),
            // Not straight: holds at this time only.
            Self::Wave(wave) => Segment::constant(wave.at(t), Segment::empty().span),
            // It may be set at any time, so its value holds at this time only.
            Self::Param(param) => Segment::constant(param.at(t), Segment::empty().span),
            Self::Breakpoints { time, value } => {
                let follows = |next: usize| next > 0 && next < time.len() && time[next - 1] <= t && t < time[next];
                let guess = [*next, *next + 1].into_iter().find(|&next| follows(next));
                *next = guess.unwrap_or_else(|| time.partition_point(|&point| point <= t));
                match *next {
                    0 => Segment::constant(value[0], [f64::NEG_INFINITY, time[0]]),
                    end if end == time.len() => Segment::constant(value[end - 1], [time[end - 1], f64::INFINITY]),
                    next => Segment::linear([time[next - 1], time[next]], [value[next - 1], value[next]]),
                }
            }
        }
    }

    /// Times of the breakpoints, or of a param's script \[s\]; none for a constant or a wave.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        match self {
            Self::Constant(_) | Self::Wave(_) => &[],
            Self::Param(param) => param.script().times(),
            Self::Breakpoints { time, .. } => time,
        }
    }

    /// Values of the breakpoints, or the constant, or what a wave or a param lies between.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        match self {
            Self::Constant(value) => std::slice::from_ref(value),
            Self::Wave(wave) => wave.range(),
            Self::Param(param) => param.values(),
            Self::Breakpoints { value, .. } => value,
        }
    }

    /// The wave that it is, or follows until it is first set.
    #[must_use]
    pub fn wave(&self) -> Option<&Wave> {
        match self {
            Self::Wave(wave) => Some(wave),
            Self::Param(param) => param.script().wave(),
            Self::Constant(_) | Self::Breakpoints { .. } => None,
        }
    }

    /// Whether times and values match in number, are finite and in order.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        match self {
            Self::Constant(value) => value.is_finite(),
            Self::Wave(wave) => wave.is_well_formed(),
            Self::Param(param) => param.is_well_formed(),
            Self::Breakpoints { time, value } => {
                !time.is_empty()
                    && time.len() == value.len()
                    && time.iter().chain(value).all(|x| x.is_finite())
                    && time.windows(2).all(|pair| pair[0] <= pair[1])
            }
        }
    }
}

/// Set to a value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ramp {
    from: f64,
    to: f64,
    /// When it was set \[s\].
    start_time: f64,
}

/// A control that is set from outside. See [`Model::expose`](crate::Model::expose). A copy of it in another model cannot be set
/// there: it follows its script.
#[derive(Clone, Debug)]
pub struct Param {
    id: ParamId,
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

/// Equal if they are the same number of their models and do the same.
impl PartialEq for Param {
    fn eq(&self, other: &Self) -> bool {
        let own = (&self.script, self.range, self.glide, self.ramp);
        self.id.index() == other.id.index() && own == (&other.script, other.range, other.glide, other.ramp)
    }
}

impl Param {
    pub(crate) fn new(id: ParamId, script: Control, range: [f64; 2], glide: f64) -> Self {
        let values = script.values().iter().chain(&range).copied().collect();
        Self { id, script, range, glide, ramp: None, values }
    }

    /// Which one it is.
    #[must_use]
    pub fn id(&self) -> ParamId {
        self.id
    }

    /// Value at time t \[s\].
    #[must_use]
    pub fn at(&self, t: f64) -> f64 {
        match self.ramp {
            None => self.script.at(t),
            Some(Ramp { from, start_time, .. }) if t <= start_time => from,
            Some(Ramp { from, to, start_time }) if t < start_time + self.glide => {
                from + (t - start_time) / self.glide * (to - from)
            }
            Some(Ramp { to, .. }) => to,
        }
    }

    /// Sets it at time t \[s\] to a value, which is brought into its range; one that is not finite is refused.
    pub(crate) fn set(&mut self, t: f64, value: f64) -> bool {
        if value.is_finite() {
            let [least, most] = self.range;
            self.ramp = Some(Ramp { from: self.at(t), to: value.max(least).min(most), start_time: t });
        }
        value.is_finite()
    }

    /// Back to the script.
    pub(crate) fn reset(&mut self) {
        self.ramp = None;
    }

    /// What it does until it is first set.
    #[must_use]
    pub fn script(&self) -> &Control {
        &self.script
    }

    /// All it may become lies between these values.
    #[must_use]
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
    use crate::model::id::IdList;

    #[test]
    fn breakpoints_are_joined_by_lines_and_held_outside() {
        let control = Control::Breakpoints { time: vec![1.0, 2.0, 2.0, 3.0], value: vec![0.0, 4.0, 8.0, 0.0] };
        assert!(control.is_well_formed());
        for (t, expected) in [(0.0, 0.0), (1.25, 1.0), (2.0, 8.0), (2.5, 4.0), (9.0, 0.0)] {
            assert_eq!(control.at(t), expected, "at {t} s");
        }
    }

    #[test]
    fn a_param_follows_its_script_until_it_is_set_and_then_glides_without_a_jump() {
        let script = Control::Breakpoints { time: vec![0.0, 1.0], value: vec![0.0, 2.0] };
        let mut param = Param::new(IdList::default().add(), script, [0.0, 3.0], 0.5);
        assert_eq!(param.at(0.25), 0.5);
        assert!(param.set(0.5, 9.0));
        for (t, expected) in [(0.4, 1.0), (0.5, 1.0), (0.75, 2.0), (1.0, 3.0), (7.0, 3.0)] {
            assert_eq!(param.at(t), expected, "at {t} s");
        }
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!param.set(2.0, wrong));
        }
        assert_eq!(param.at(3.0), 3.0);
        param.reset();
        assert_eq!(param.at(0.25), 0.5);
    }
}
