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
const MAX_POINTS: usize = 20_000_000;

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
    let Some((heights, angles)) = parameters.ball_motion(rate, duration) else {
        let hint = "use a lower speed, a shorter duration or a larger correlation_length".to_owned();
        table.report("speed", format!("the surface would have more than {MAX_POINTS} points"), Some(hint));
        return None;
    };
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
    /// Height of the ball over the mean surface and its rotation angle, at every sample.
    fn ball_motion(&self, rate: f64, duration: f64) -> Option<(Control, Control)> {
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
        let spacing = self.correlation_length / POINTS_PER_CORRELATION_LENGTH;
        let points = (position / spacing) as usize + 2;
        if points > MAX_POINTS {
            return None;
        }
        let envelope = self.envelope(&self.rough_profile(points), spacing);
        let height = |x: &f64| {
            let i = ((x / spacing) as usize).min(points - 2);
            let fraction = x / spacing - i as f64;
            envelope[i] + fraction * (envelope[i + 1] - envelope[i])
        };
        let heights = positions.iter().map(height).collect();
        let angles = positions.iter().map(|x| x / self.radius).collect();
        Some((
            Control::Breakpoints { time: time.clone(), value: heights },
            Control::Breakpoints { time, value: angles },
        ))
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
    fn envelope(&self, heights: &[f64], spacing: f64) -> Vec<f64> {
        let peak_to_peak = heights.iter().fold(0.0_f64, |top, z| top.max(z.abs())) * 2.0;
        // Beyond this distance the ball's surface is above the highest peak.
        let reach = ((2.0 * self.radius * peak_to_peak).sqrt().min(self.radius) / spacing) as usize;
        let clearance: Vec<f64> = (0..=reach)
            .map(|s| self.radius - (self.radius.powi(2) - (s as f64 * spacing).powi(2)).max(0.0).sqrt())
            .collect();
        let height_at = |i: usize| {
            let from = i.saturating_sub(reach);
            let to = (i + reach).min(heights.len() - 1);
            (from..=to).map(|j| heights[j] - clearance[i.abs_diff(j)]).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..heights.len()).map(height_at).collect()
    }
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
    fn ball_stays_above_the_surface_and_a_larger_one_higher() {
        let heights = parameters(0.01).rough_profile(5_000);
        let spacing = 1e-3 / POINTS_PER_CORRELATION_LENGTH;
        let small = parameters(0.002).envelope(&heights, spacing);
        let large = parameters(0.05).envelope(&heights, spacing);
        assert!(heights.iter().zip(&small).all(|(z, e)| e >= z));
        assert!(small.iter().zip(&large).all(|(small, large)| large >= small));
    }
}
