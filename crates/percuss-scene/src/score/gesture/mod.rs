//! From notes to breakpoints: what the bow and the finger do in the course of time.
//!
//! Bow      is laid on the string over the attack and starts at its end, within a moment: at the same time as the force, the
//!          velocity would tear the string off at once, and whatever grows first under a bow that slides would sound. Force
//!          is held, and falls over the release; velocity stays, so that the bow leaves the string in motion and lets it
//!          ring. It jumps to another place only while it is lifted
//! Finger   comes down within a moment of the start and is lifted a moment before the end; it jumps to another place only
//!          while it is lifted, and stays down from note to note at the same place
//! Damping  a harmonic of which the next note is a lower one has nodes wherever that has: neither finger nor bow would end it,
//!          and the string would go on an octave or more too high. Just before the next note the finger damps it between nodes

use percuss::Control;

/// Time in which the bow starts to move, and the most of the attack that takes \[s\].
const STARTING: f64 = 0.01;
const STARTING_SHARE: f64 = 0.4;
/// Time for the finger to come down or be lifted \[s\].
const PRESSING: f64 = 0.02;
/// Time for which the finger is off the string before the next note, at least \[s\].
const LIFTED: f64 = 0.002;

/// Time for which the finger damps a harmonic, some periods of a low string, and for it to come down \[s\].
const DAMPING: f64 = 0.05;
const DAMPING_PRESSING: f64 = 0.01;
/// Where the finger damps, as a share of the way to the first node: with the bow before it, and no partial of the harmonic
/// below the fifth has a node there.
const BETWEEN_NODES: f64 = 0.6;

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
    /// The harmonic that sounds, and how far its first node is from the nut, where it is one; 1 on the open string.
    pub harmonic: Option<(u32, f64)>,
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
            let [set, rise, _] = stroke.ramps();
            stroke.press(&mut force);
            velocity.extend([(set, 0.0), (rise, stroke.velocity), (stroke.end, stroke.velocity), (stroke.end, 0.0)]);
            bow_at.go(stroke.start, stroke.bow_at);
        }
        let (mut finger_at, mut pressure) = (Steps::default(), Points::default());
        for Hold { start, end, at, pressed, pressing } in holds(strokes) {
            let moment = pressing.min(0.25 * (end - start));
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
    /// When the bow lies on the string, when it moves, and when it is lifted; a note too short for attack and release has
    /// its share of each.
    fn ramps(&self) -> [f64; 3] {
        let length = self.end - self.start;
        let share = (length / (self.attack + self.release)).min(1.0);
        let rise = self.start + share * self.attack;
        let set = rise - STARTING.min(STARTING_SHARE * (rise - self.start));
        [set, rise, (self.end - share * self.release).max(rise)]
    }

    /// How the finger ends what sounds before the next note, where nothing else would.
    fn damping(&self, next: &Self) -> Option<Hold> {
        let ((high, node), (low, _)) = self.harmonic.zip(next.harmonic)?;
        let goes_on = low < high && high.is_multiple_of(low);
        let (_, pressed) = self.finger.filter(|_| goes_on)?;
        let start = next.start - DAMPING.min(0.5 * (next.start - self.start));
        Some(Hold { start, end: next.start, at: BETWEEN_NODES * node, pressed, pressing: DAMPING_PRESSING })
    }

    /// Adds the force of the stroke.
    fn press(&self, force: &mut Points) {
        let [set, _, fall] = self.ramps();
        let corners = [(self.start, 0.0), (set, 1.0), (fall, 1.0), (self.end, 0.0)];
        let envelope = |t: f64| match t {
            t if t < set => (t - self.start) / (set - self.start),
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

/// A stretch for which the finger stays down.
struct Hold {
    start: f64,
    end: f64,
    at: f64,
    pressed: f64,
    /// Time to come down, and to be lifted \[s\].
    pressing: f64,
}

/// All of them, in order.
fn holds(strokes: &[Stroke]) -> Vec<Hold> {
    let mut holds: Vec<Hold> = Vec::new();
    for (index, stroke) in strokes.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &strokes[before]);
        if let Some(damping) = before.and_then(|before| before.damping(stroke)) {
            // The finger of the note before makes room.
            holds.iter_mut().rev().take(1).for_each(|last| last.end = last.end.min(damping.start));
            holds.push(damping);
        }
        let Some((at, pressed)) = stroke.finger else { continue };
        match holds.last_mut() {
            Some(last) if (last.at, last.pressed) == (at, pressed) && stroke.start <= last.end => last.end = stroke.end,
            _ => holds.push(Hold { start: stroke.start, end: stroke.end, at, pressed, pressing: PRESSING }),
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
