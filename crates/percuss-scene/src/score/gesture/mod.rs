//! From notes to breakpoints: what the bow and the finger do in the course of time.
//!
//! Bow      force rises over the attack, is held, and falls over the release; velocity rises with it and stays, so that
//!          the bow leaves the string in motion and lets it ring. It jumps to another place only while it is lifted
//! Finger   comes down within a moment of the start and is lifted a moment before the end; it jumps to another place only
//!          while it is lifted, and stays down from note to note at the same place

use percuss::Control;

/// Time for the finger to come down or be lifted \[s\].
const PRESSING: f64 = 0.02;
/// Time for which the finger is off the string before the next note, at least \[s\].
const LIFTED: f64 = 0.002;

/// A note as it is played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stroke {
    pub start: f64,
    pub end: f64,
    pub attack: f64,
    pub release: f64,
    pub force: f64,
    /// Positive or negative, as the bow is drawn.
    pub velocity: f64,
    pub bow_at: f64,
    /// Place and pressure of the finger, where it is used.
    pub finger: Option<(f64, f64)>,
    /// Factor on the force.
    pub expression: Control,
}

/// What the hands do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gestures {
    pub force: Control,
    pub velocity: Control,
    pub bow_at: Control,
    pub finger_at: Control,
    pub pressure: Control,
}

impl Gestures {
    /// The gestures of strokes that are in order and do not overlap; a bow without any stands at `home`.
    pub fn new(strokes: &[Stroke], home: f64) -> Self {
        let (mut force, mut velocity) = (Points::default(), Points::default());
        let mut bow_at = Steps::default();
        for stroke in strokes {
            let [rise, _] = stroke.ramps();
            stroke.press(&mut force);
            velocity.extend([
                (stroke.start, 0.0),
                (rise, stroke.velocity),
                (stroke.end, stroke.velocity),
                (stroke.end, 0.0),
            ]);
            bow_at.go(stroke.start, stroke.bow_at);
        }
        let (mut finger_at, mut pressure) = (Steps::default(), Points::default());
        for (start, end, at, pressed) in holds(strokes) {
            let moment = PRESSING.min(0.25 * (end - start));
            let end = end - LIFTED.min(0.1 * (end - start));
            finger_at.go(start, at);
            pressure.extend([(start, 0.0), (start + moment, pressed), (end - moment, pressed), (end, 0.0)]);
        }
        Self {
            force: force.control(0.0),
            velocity: velocity.control(0.0),
            bow_at: bow_at.control(home),
            finger_at: finger_at.control(0.5),
            pressure: pressure.control(0.0),
        }
    }
}

impl Stroke {
    /// Ends of the attack and of what is held; a note too short for both has its share of each.
    fn ramps(&self) -> [f64; 2] {
        let length = self.end - self.start;
        let share = (length / (self.attack + self.release)).min(1.0);
        let rise = self.start + share * self.attack;
        [rise, (self.end - share * self.release).max(rise)]
    }

    /// Adds the force of the stroke.
    fn press(&self, force: &mut Points) {
        let [rise, fall] = self.ramps();
        let corners = [(self.start, 0.0), (rise, 1.0), (fall, 1.0), (self.end, 0.0)];
        let envelope = |t: f64| match t {
            t if t < rise => (t - self.start) / (rise - self.start),
            t if t > fall => (self.end - t) / (self.end - fall),
            _ => 1.0,
        };
        let swells = self.expression.times().iter().zip(self.expression.values());
        let swells =
            swells.filter(|&(&t, _)| t > self.start && t < self.end).map(|(&t, factor)| (t, envelope(t) * factor));
        let corners = corners.into_iter().map(|(t, share)| (t, share * self.expression.at(t)));
        // Stable, and swells first: where the expression jumps, a corner has the value after it.
        let mut points: Vec<(f64, f64)> = swells.chain(corners).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        force.extend(points.into_iter().map(|(t, share)| (t, self.force * share.max(0.0))));
    }
}

/// Stretches for which the finger stays down: start, end, place, pressure.
fn holds(strokes: &[Stroke]) -> Vec<(f64, f64, f64, f64)> {
    let mut holds: Vec<(f64, f64, f64, f64)> = Vec::new();
    for stroke in strokes {
        let Some((at, pressed)) = stroke.finger else { continue };
        match holds.last_mut() {
            Some(last) if (last.2, last.3) == (at, pressed) && stroke.start <= last.1 => last.1 = stroke.end,
            _ => holds.push((stroke.start, stroke.end, at, pressed)),
        }
    }
    holds
}

/// Breakpoints that are joined by lines.
#[derive(Default)]
struct Points {
    time: Vec<f64>,
    value: Vec<f64>,
}

impl Points {
    fn extend(&mut self, points: impl IntoIterator<Item = (f64, f64)>) {
        for (time, value) in points {
            // Rounding must not turn time back.
            self.time.push(self.time.last().map_or(time, |&last| time.max(last)));
            self.value.push(value);
        }
    }

    fn control(self, otherwise: f64) -> Control {
        if self.time.is_empty() {
            Control::Constant(otherwise)
        } else {
            Control::Breakpoints { time: self.time, value: self.value }
        }
    }
}

/// Values held until the next.
#[derive(Default)]
struct Steps {
    points: Points,
    now: Option<f64>,
}

impl Steps {
    fn go(&mut self, time: f64, value: f64) {
        if self.now != Some(value) {
            let before = self.now.map(|now| (time, now));
            self.points.extend(before.into_iter().chain([(time, value)]));
            self.now = Some(value);
        }
    }

    /// A value that never changes needs no breakpoints.
    fn control(self, otherwise: f64) -> Control {
        match (self.points.time.len(), self.now) {
            (1, Some(value)) => Control::Constant(value),
            _ => self.points.control(otherwise),
        }
    }
}

#[cfg(test)]
mod tests;
