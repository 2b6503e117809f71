//! Conversion of ticks to seconds through all tempo changes.

use midly::{MetaMessage, Timing, TrackEventKind};

/// Default tempo, 120 beats per minute \[µs per beat\].
const DEFAULT_TEMPO: u32 = 500_000;

/// Segments of constant tempo.
pub(super) struct TempoMap {
    segments: Vec<TempoSegment>,
}

#[derive(Clone, Copy)]
struct TempoSegment {
    start_tick: u64,
    /// Time of the first tick \[s\].
    start_time: f64,
    /// \[s\].
    tick_length: f64,
}

impl TempoMap {
    /// The tempo map of a file; `None` if a beat has no ticks.
    pub fn new(timing: Timing, events: &[(u64, TrackEventKind<'_>)]) -> Option<Self> {
        let ticks_per_beat = match timing {
            Timing::Metrical(ticks) => f64::from(ticks.as_int()),
            Timing::Timecode(frames, ticks) => {
                // Timecode has no tempo.
                let ticks_per_second = f64::from(frames.as_f32()) * f64::from(ticks);
                let segment = TempoSegment { start_tick: 0, start_time: 0.0, tick_length: 1.0 / ticks_per_second };
                return (ticks_per_second > 0.0).then(|| Self { segments: vec![segment] });
            }
        };
        if ticks_per_beat == 0.0 {
            return None;
        }
        let tick_length = |tempo: u32| 1e-6 * f64::from(tempo) / ticks_per_beat;
        let first = TempoSegment { start_tick: 0, start_time: 0.0, tick_length: tick_length(DEFAULT_TEMPO) };
        let mut tempo_map = Self { segments: vec![first] };
        for &(start_tick, ref kind) in events {
            if let TrackEventKind::Meta(MetaMessage::Tempo(tempo)) = kind {
                let start_time = tempo_map.seconds(start_tick);
                tempo_map.segments.push(TempoSegment {
                    start_tick,
                    start_time,
                    tick_length: tick_length(tempo.as_int()),
                });
            }
        }
        Some(tempo_map)
    }

    /// Time of a tick \[s\].
    pub fn seconds(&self, tick: u64) -> f64 {
        let next = self.segments.partition_point(|segment| segment.start_tick <= tick);
        let segment = self.segments[next.max(1) - 1];
        segment.start_time + (tick - segment.start_tick) as f64 * segment.tick_length
    }
}
