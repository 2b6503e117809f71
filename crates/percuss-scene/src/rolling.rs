//! Reads `[[roll]]`: a ball that rolls over a rough surface, as a dense sequence of small impacts.
//!
//! Surface     Gaussian heights of given rms and correlation length, the same for the same seed
//! Envelope    height of the ball's lowest point, e(x) = max over s of z(x+s) − (R − √(R² − s²)): a large ball does not
//!             touch the bottom of narrow valleys
//! Motion      x(t) = ∫ speed dt; e(x(t)) is added to the lower side of a collision
//! Asymmetry   the ball's weight varies once per revolution: an extra force −a·m·g·cos(x/R)
//! Reference   Rath and Rocchesso (2005), IEEE MultiMedia 12(2)

use crate::elements::LENGTH_LIMITS;
use crate::interactions::read_collision_law;
use crate::limits::ValueLimits;
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Barrier, Control, Drive, Element, InteractionId};

/// Maximum duration for which a surface is generated \[s\].
const MAX_DURATION: f64 = 600.0;
/// Grid points per correlation length of the surface.
const POINTS_PER_CORRELATION_LENGTH: f64 = 32.0;
/// Maximum number of grid points of a surface.
const MAX_POINTS: f64 = 2e7;
/// Work for all surfaces of a scene that is read for a short run, about 0.1 s; a sample is 1 and a grid point [`POINT_WORK`].
const SHORT_RUN_WORK: f64 = 2e6;
const POINT_WORK: f64 = 8.0;

/// Parameters of the surface and of the ball's motion.
struct RollParameters {
    radius: f64,
    roughness: f64,
    correlation_length: f64,
    seed: u64,
    speed: Control,
}

pub(crate) fn read_roll(table: &TableReader<'_>, builder: &mut SceneBuilder<'_>) -> Option<InteractionId> {
    let law = read_collision_law(table);
    let parameters = RollParameters {
        radius: table.required_number("radius", ValueLimits::new(1e-4, 10.0, "m"), "0.01"),
        roughness: table.required_number("roughness", ValueLimits::new(0.0, 0.01, "m"), "20e-6"),
        correlation_length: table.number_or("correlation_length", CORRELATION_LENGTH, 1e-3),
        seed: table.number_or("seed", ValueLimits::new(0.0, 1e9, ""), 1.0) as u64,
        speed: table.control("speed", ValueLimits::new(0.0, 100.0, "m/s")).unwrap_or(Control::Constant(0.3)),
    };
    let asymmetry = table.number_or("asymmetry", ValueLimits::new(0.0, 1.0, ""), 0.0);
    let ball =
        table.required_string("ball", "\"id of a mass\"").and_then(|id| builder.element_by_id(table, "ball", id));
    if !table.has("on") {
        table.mark_missing("on", "{ of = \"id\", at = 0.5 }");
    }
    let inner = table.subtable("on", "on")?;
    let on = builder.point(&inner);
    inner.finish();
    let (ball, on) = (ball?, on?);
    let Element::Mass(mass) = &builder.model.elements()[ball.index()] else {
        table.report("ball", "roll.ball is not a mass".to_owned(), Some("name a [[mass]] with gravity".to_owned()));
        return None;
    };
    let weight = mass.mass * mass.gravity;
    let (rate, duration) = (builder.sample_rate, builder.duration.min(MAX_DURATION));
    if parameters.points(duration) > MAX_POINTS {
        let hint = "use a lower speed, a shorter duration or a larger correlation_length".to_owned();
        table.report("speed", format!("the surface would have more than {MAX_POINTS} points"), Some(hint));
        return None;
    }
    let surface_end = match builder.deadline.is_some() {
        true => parameters.time_of_work(SHORT_RUN_WORK / builder.roll_count as f64, rate, duration),
        false => duration,
    };
    if surface_end < duration {
        builder.surfaces_until = builder.surfaces_until.min(surface_end);
    }
    let (heights, angles) = parameters.ball_motion(rate, surface_end);
    let surface =
        builder.add_generated_element(table, "surface", Barrier { position: heights, ..Barrier::default() }.into());
    if asymmetry > 0.0 {
        let Control::Breakpoints { time, value } = angles else { return None };
        let value = value.iter().map(|angle| -asymmetry * weight * angle.cos()).collect();
        builder.add_generated_drive(table, ball.point(), Drive::Control(Control::Breakpoints { time, value }));
    }
    Some(builder.model.collide_over(surface, on, ball.point(), law))
}

const CORRELATION_LENGTH: crate::limits::ValueLimits = ValueLimits::new(1e-6, LENGTH_LIMITS.max, "m");

impl RollParameters {
    fn spacing(&self) -> f64 {
        self.correlation_length / POINTS_PER_CORRELATION_LENGTH
    }

    /// Grid points over which the ball rolls up to a time.
    fn points(&self, time: f64) -> f64 {
        distance(&self.speed, time) / self.spacing() + 2.0
    }

    /// Time up to which samples and points are within a limit of work, at most `duration` \[s\].
    fn time_of_work(&self, limit: f64, rate: f64, duration: f64) -> f64 {
        let work = |time: f64| time * rate + POINT_WORK * self.points(time);
        if work(duration) <= limit {
            return duration;
        }
        let halve = |[low, high]: [f64; 2], _| {
            let middle = 0.5 * (low + high);
            if work(middle) <= limit { [middle, high] } else { [low, middle] }
        };
        (0..50).fold([0.0, duration], halve)[0]
    }

    /// Height of the ball over the mean surface and its rotation angle, at every sample.
    fn ball_motion(&self, rate: f64, duration: f64) -> (Control, Control) {
        let count = (duration * rate) as usize + 2;
        let time: Vec<f64> = (0..count).map(|n| n as f64 / rate).collect();
        let mut position = 0.0;
        let positions: Vec<f64> = time
            .iter()
            .map(|&t| {
                let current = position;
                position += self.speed.at(t) / rate;
                current
            })
            .collect();
        let spacing = self.spacing();
        let points = (position / spacing) as usize + 2;
        let envelope = self.envelope(&self.rough_profile(points), spacing);
        let height = |x: &f64| {
            let i = ((x / spacing) as usize).min(points - 2);
            let fraction = x / spacing - i as f64;
            envelope[i] + fraction * (envelope[i + 1] - envelope[i])
        };
        let heights = positions.iter().map(height).collect();
        let angles = positions.iter().map(|x| x / self.radius).collect();
        (Control::Breakpoints { time: time.clone(), value: heights }, Control::Breakpoints { time, value: angles })
    }

    /// White noise, smoothed by three passes of a moving mean over the correlation length, scaled to the roughness.
    fn rough_profile(&self, points: usize) -> Vec<f64> {
        let mut state = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut noise = || {
            // splitmix64: short, and the same on every platform.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) as f64 / u64::MAX as f64 - 0.5
        };
        let mut heights: Vec<f64> = (0..points).map(|_| noise()).collect();
        for _ in 0..3 {
            heights = moving_mean(&heights, (POINTS_PER_CORRELATION_LENGTH / 2.0) as usize);
        }
        let mean = heights.iter().sum::<f64>() / points as f64;
        let rms = (heights.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / points as f64).sqrt();
        let scale = if rms > 0.0 { self.roughness / rms } else { 0.0 };
        heights.iter().map(|z| (z - mean) * scale).collect()
    }

    /// Height of the ball's lowest point over every grid point.
    ///
    /// The place where the ball touches moves forward with the ball, since its lower half is convex: so the search for the middle of
    /// a range of points halves the places to look at for the points on either side.
    fn envelope(&self, heights: &[f64], spacing: f64) -> Vec<f64> {
        let peak = heights.iter().fold(0.0_f64, |top, z| top.max(z.abs()));
        let reach = (self.radius / spacing).floor();
        // Beyond its radius the ball rises so steeply, in place of not being there, that it touches nothing.
        let steep = 1e3 * (self.radius + peak);
        let clearance = |distance: f64| {
            if distance <= reach {
                self.radius - (self.radius.powi(2) - (distance * spacing).powi(2)).max(0.0).sqrt()
            } else {
                self.radius + steep * (distance - reach)
            }
        };
        let mut envelope = vec![0.0; heights.len()];
        let mut waiting = vec![(0..heights.len(), 0, heights.len() - 1)];
        while let Some((points, first, last)) = waiting.pop() {
            if points.is_empty() {
                continue;
            }
            let middle = points.start + points.len() / 2;
            let mut touched = (first, f64::NEG_INFINITY);
            for (place, height) in heights.iter().enumerate().take(last + 1).skip(first) {
                let lifted = height - clearance(middle.abs_diff(place) as f64);
                if lifted > touched.1 {
                    touched = (place, lifted);
                }
            }
            envelope[middle] = touched.1;
            waiting.push((points.start..middle, first, touched.0));
            waiting.push((middle + 1..points.end, touched.0, last));
        }
        envelope
    }
}

/// ∫ speed dt from 0 to a time \[m\].
fn distance(speed: &Control, time: f64) -> f64 {
    let between = speed.times().iter().copied().filter(|&t| t > 0.0 && t < time);
    let mut corners: Vec<f64> = [0.0].into_iter().chain(between).chain([time]).collect();
    corners.dedup();
    // Values at steps are taken from within.
    let piece = |ends: &[f64]| {
        let inset = 1e-9 * (ends[1] - ends[0]);
        0.5 * (ends[1] - ends[0]) * (speed.at(ends[0] + inset) + speed.at(ends[1] - inset))
    };
    corners.windows(2).map(piece).sum()
}

/// Mean over a window of 2·half + 1 points, shorter at the ends.
fn moving_mean(values: &[f64], half: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    (0..values.len())
        .map(|i| {
            let (from, to) = (i.saturating_sub(half), (i + half + 1).min(values.len()));
            (sums[to] - sums[from]) / (to - from) as f64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(radius: f64) -> RollParameters {
        RollParameters { radius, roughness: 1e-5, correlation_length: 1e-3, seed: 7, speed: Control::Constant(0.5) }
    }

    #[test]
    fn surface_has_the_given_roughness_and_is_reproducible() {
        let heights = parameters(0.01).rough_profile(20_000);
        let rms = (heights.iter().map(|z| z * z).sum::<f64>() / 20_000.0).sqrt();
        assert!((rms / 1e-5 - 1.0).abs() < 1e-9);
        assert_eq!(heights, parameters(0.01).rough_profile(20_000));
    }

    #[test]
    fn envelope_is_the_largest_height_less_the_clearance() {
        for (radius, correlation_length, roughness) in [(0.01, 1e-3, 1e-5), (0.1, 1e-4, 1e-3), (1e-3, 1e-3, 5e-3)] {
            let roll = RollParameters { correlation_length, roughness, ..parameters(radius) };
            let heights = roll.rough_profile(700);
            let spacing = roll.spacing();
            let height_at = |i: usize| {
                let lifted = |j: usize| {
                    let s = i.abs_diff(j) as f64 * spacing;
                    (s <= radius).then(|| heights[j] - (radius - (radius * radius - s * s).sqrt()))
                };
                (0..heights.len()).filter_map(lifted).fold(f64::NEG_INFINITY, f64::max)
            };
            for (i, height) in roll.envelope(&heights, spacing).iter().enumerate() {
                assert!((height - height_at(i)).abs() < 1e-12, "{radius}, {i}: {height}, not {}", height_at(i));
            }
        }
    }

    #[test]
    fn distance_is_the_integral_of_the_speed() {
        let speed = Control::Breakpoints { time: vec![1.0, 2.0, 2.0, 3.0], value: vec![1.0, 2.0, 5.0, 5.0] };
        for (time, expected) in [(0.5, 0.5), (1.0, 1.0), (2.0, 2.5), (2.5, 5.0), (4.0, 12.5)] {
            assert!((distance(&speed, time) - expected).abs() < 1e-6, "{time}");
        }
    }

    #[test]
    fn work_for_a_short_run_is_bounded() {
        let roll = RollParameters { speed: Control::Constant(100.0), ..parameters(0.01) };
        let time = roll.time_of_work(1e6, 44_100.0, 100.0);
        assert!((time * 44_100.0 + POINT_WORK * roll.points(time) - 1e6).abs() < 1.0);
        assert_eq!(roll.time_of_work(1e12, 44_100.0, 100.0), 100.0);
    }

    #[test]
    fn ball_stays_above_the_surface_and_a_larger_one_higher() {
        let heights = parameters(0.01).rough_profile(5_000);
        let spacing = 1e-3 / POINTS_PER_CORRELATION_LENGTH;
        let small = parameters(0.002).envelope(&heights, spacing);
        let large = parameters(0.05).envelope(&heights, spacing);
        assert!(heights.iter().zip(&small).all(|(z, e)| e >= z));
        assert!(small.iter().zip(&large).all(|(small, large)| large >= small));
    }
}
