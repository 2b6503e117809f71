//! From ticks to seconds, through every change of tempo.

use midly::{MetaMessage, Timing, TrackEventKind};

/// Tempo where a file states none: 120 beats a minute \[µs per beat\].
const USUAL: u32 = 500_000;

/// Stretches of one tempo: from tick, from second, seconds per tick.
pub(super) struct Clock {
    stretches: Vec<(u64, f64, f64)>,
}

impl Clock {
    /// The clock of a file; `None` where a beat has no ticks.
    pub fn new(timing: Timing, events: &[(u64, TrackEventKind<'_>)]) -> Option<Self> {
        let per_beat = match timing {
            Timing::Metrical(ticks) => f64::from(ticks.as_int()),
            Timing::Timecode(frames, ticks) => {
                // Film time knows no tempo.
                let second = f64::from(frames.as_f32()) * f64::from(ticks);
                return (second > 0.0).then(|| Self { stretches: vec![(0, 0.0, 1.0 / second)] });
            }
        };
        if per_beat == 0.0 {
            return None;
        }
        let length = |tempo: u32| 1e-6 * f64::from(tempo) / per_beat;
        let mut clock = Self { stretches: vec![(0, 0.0, length(USUAL))] };
        for (tick, kind) in events {
            if let TrackEventKind::Meta(MetaMessage::Tempo(tempo)) = kind {
                clock.stretches.push((*tick, clock.seconds(*tick), length(tempo.as_int())));
            }
        }
        Some(clock)
    }

    /// The time of a tick \[s\].
    pub fn seconds(&self, tick: u64) -> f64 {
        let next = self.stretches.partition_point(|stretch| stretch.0 <= tick);
        let (from, seconds, length) = self.stretches[next.max(1) - 1];
        seconds + (tick - from) as f64 * length
    }
}
