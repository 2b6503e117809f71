//! Converts bow strokes to breakpoints of the controls of bow and finger.
//!
//! Bow      The force rises over the attack; the velocity starts at its end, within 10 ms. If the velocity rose together
//!          with the force, the bow would slip from the start, and the pitch would be arbitrary. The force is held, then
//!          falls over the release; the velocity is held to the end, so that the string rings. The place of the bow
//!          changes only while the force is 0
//! Finger   The pressure rises within 20 ms of the start and falls to 0 just before the end. The place changes only while
//!          the pressure is 0. The finger stays down between notes with the same place
//! Damping  If the next note is a divisor of the present harmonic, every node of the next one is a node of the present one:
//!          neither finger nor bow would damp it, and the string would sound an octave or more too high. So the finger
//!          damps it between nodes just before the next note

use percuss::Control;

/// Time in which the bow velocity rises \[s\].
const VELOCITY_RISE: f64 = 0.01;
/// Maximum fraction of the attack in which the bow velocity rises.
const VELOCITY_RISE_FRACTION: f64 = 0.4;
/// Time in which the finger pressure rises or falls \[s\].
const PRESSURE_RAMP: f64 = 0.02;
/// Minimum time between the end of a finger pressure and the next note \[s\].
const LIFTED_TIME: f64 = 0.002;

/// Time for which the finger damps a harmonic, several periods of a low string \[s\].
const DAMPING_TIME: f64 = 0.05;
/// Time in which the pressure of a damping finger rises or falls \[s\].
const DAMPING_PRESSURE_RAMP: f64 = 0.01;
/// Place of the damping finger, as a fraction of the distance from the nut to the first node. It is beyond the bow, and no
/// partial of the harmonic below the fifth has a node there.
const DAMPING_PLACE: f64 = 0.6;

/// A note with its bow and finger controls.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BowStroke {
    pub start: f64,
    pub end: f64,
    pub attack: f64,
    pub release: f64,
    pub force: f64,
    /// The sign is the direction of the bow \[m/s\].
    pub velocity: f64,
    pub bow_at: f64,
    /// Place and pressure of the finger, if it is used.
    pub finger: Option<(f64, f64)>,
    /// Number of the harmonic that sounds and place of its first node; 1 on the open string, `None` on a stopped one.
    pub harmonic: Option<(u32, f64)>,
    /// Factor on the force.
    pub expression: Control,
}

/// Controls of bow and finger.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gestures {
    pub force: Control,
    pub velocity: Control,
    pub bow_at: Control,
    pub finger_at: Control,
    pub pressure: Control,
}

impl Gestures {
    /// Controls for strokes that are in the order of time and do not overlap; without strokes the bow is at `bow_at`.
    pub fn new(strokes: &[BowStroke], default_bow_at: f64) -> Self {
        let (mut force, mut velocity) = (Breakpoints::default(), Breakpoints::default());
        let mut bow_at = StepBreakpoints::default();
        for stroke in strokes {
            let [pressed, moving, _] = stroke.ramps();
            stroke.add_force(&mut force);
            velocity.extend([
                (pressed, 0.0),
                (moving, stroke.velocity),
                (stroke.end, stroke.velocity),
                (stroke.end, 0.0),
            ]);
            bow_at.step_to(stroke.start, stroke.bow_at);
        }
        let (mut finger_at, mut pressure) = (StepBreakpoints::default(), Breakpoints::default());
        for FingerHold { start, end, at, pressure: held, ramp } in finger_holds(strokes) {
            let ramp = ramp.min(0.25 * (end - start));
            let end = end - LIFTED_TIME.min(0.1 * (end - start));
            finger_at.step_to(start, at);
            pressure.extend([(start, 0.0), (start + ramp, held), (end - ramp, held), (end, 0.0)]);
        }
        Self {
            force: force.control(0.0),
            velocity: velocity.control(0.0),
            bow_at: bow_at.control(default_bow_at),
            finger_at: finger_at.control(0.5),
            pressure: pressure.control(0.0),
        }
    }
}

impl BowStroke {
    /// Times at which the force is reached, the velocity is reached, and the release starts. Attack and release are
    /// shortened in proportion if the note is too short for them.
    fn ramps(&self) -> [f64; 3] {
        let length = self.end - self.start;
        let scale = (length / (self.attack + self.release)).min(1.0);
        let moving = self.start + scale * self.attack;
        let pressed = moving - VELOCITY_RISE.min(VELOCITY_RISE_FRACTION * (moving - self.start));
        [pressed, moving, (self.end - scale * self.release).max(moving)]
    }

    /// Damping of this harmonic before the next note, if the next note would let it ring.
    fn damping(&self, next: &Self) -> Option<FingerHold> {
        let ((high, node), (low, _)) = self.harmonic.zip(next.harmonic)?;
        let keeps_ringing = low < high && high.is_multiple_of(low);
        let (_, pressure) = self.finger.filter(|_| keeps_ringing)?;
        let start = next.start - DAMPING_TIME.min(0.5 * (next.start - self.start));
        Some(FingerHold { start, end: next.start, at: DAMPING_PLACE * node, pressure, ramp: DAMPING_PRESSURE_RAMP })
    }

    /// Adds the breakpoints of the force.
    fn add_force(&self, force: &mut Breakpoints) {
        let [pressed, _, release] = self.ramps();
        let corners = [(self.start, 0.0), (pressed, 1.0), (release, 1.0), (self.end, 0.0)];
        let envelope = |t: f64| match t {
            t if t < pressed => (t - self.start) / (pressed - self.start),
            t if t > release => (self.end - t) / (self.end - release),
            _ => 1.0,
        };
        let expression = self.expression.times().iter().zip(self.expression.values());
        let expression =
            expression.filter(|&(&t, _)| t > self.start && t < self.end).map(|(&t, factor)| (t, envelope(t) * factor));
        let corners = corners.into_iter().map(|(t, level)| (t, level * self.expression.at(t)));
        // A stable sort with the expression first: where the expression jumps, a corner has the value after the jump.
        let mut points: Vec<(f64, f64)> = expression.chain(corners).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        force.extend(points.into_iter().map(|(t, level)| (t, self.force * level.max(0.0))));
    }
}

/// An interval during which the finger presses at one place.
struct FingerHold {
    start: f64,
    end: f64,
    at: f64,
    pressure: f64,
    /// Time in which the pressure rises and falls \[s\].
    ramp: f64,
}

/// All intervals of finger pressure, in the order of time.
fn finger_holds(strokes: &[BowStroke]) -> Vec<FingerHold> {
    let mut holds: Vec<FingerHold> = Vec::new();
    for (index, stroke) in strokes.iter().enumerate() {
        let previous = index.checked_sub(1).map(|previous| &strokes[previous]);
        if let Some(damping) = previous.and_then(|previous| previous.damping(stroke)) {
            // The previous hold ends where the damping starts.
            holds.iter_mut().rev().take(1).for_each(|last| last.end = last.end.min(damping.start));
            holds.push(damping);
        }
        let Some((at, pressure)) = stroke.finger else { continue };
        match holds.last_mut() {
            Some(last) if (last.at, last.pressure) == (at, pressure) && stroke.start <= last.end => {
                last.end = stroke.end
            }
            _ => holds.push(FingerHold { start: stroke.start, end: stroke.end, at, pressure, ramp: PRESSURE_RAMP }),
        }
    }
    holds
}

/// Breakpoints joined by straight lines.
#[derive(Default)]
struct Breakpoints {
    time: Vec<f64>,
    value: Vec<f64>,
}

impl Breakpoints {
    fn extend(&mut self, points: impl IntoIterator<Item = (f64, f64)>) {
        for (time, value) in points {
            // Rounding must not make times decrease.
            self.time.push(self.time.last().map_or(time, |&last| time.max(last)));
            self.value.push(value);
        }
    }

    fn control(self, default: f64) -> Control {
        if self.time.is_empty() {
            Control::Constant(default)
        } else {
            Control::Breakpoints { time: self.time, value: self.value }
        }
    }
}

/// Values held until the next one.
#[derive(Default)]
struct StepBreakpoints {
    breakpoints: Breakpoints,
    current: Option<f64>,
}

impl StepBreakpoints {
    fn step_to(&mut self, time: f64, value: f64) {
        if self.current != Some(value) {
            let previous = self.current.map(|current| (time, current));
            self.breakpoints.extend(previous.into_iter().chain([(time, value)]));
            self.current = Some(value);
        }
    }

    /// A single value is a constant.
    fn control(self, default: f64) -> Control {
        match (self.breakpoints.time.len(), self.current) {
            (1, Some(value)) => Control::Constant(value),
            _ => self.breakpoints.control(default),
        }
    }
}

#[cfg(test)]
mod tests;
