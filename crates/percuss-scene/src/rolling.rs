//! A rolling ball: a dense train of micro-impacts, driven by the surface that passes under it.
//!
//! Surface     Gaussian heights of given rms and correlation length, the same for the same seed
//! Ball        its lowest point rides on the surface's envelope, e(x) = max over s of z(x+s) − (R − √(R² − s²)): a large
//!             ball does not reach into small valleys
//! Motion      x(t) = ∫ speed dt; the height e(x(t)) rides on the lower side of a collision
//! Asymmetry   the ball's weight grows and shrinks once a turn: an extra force −a·m·g·cos(x/R)
//! Reference   Rath and Rocchesso (2005), IEEE MultiMedia 12(2)

use crate::build::Builder;
use crate::elements::LENGTH;
use crate::fields::Fields;
use crate::interactions::contact_law;
use crate::limits::within;
use percuss::{Barrier, Control, Drive, Element, InteractionId};

/// Longest surface that is laid \[s\].
const LONGEST: f64 = 600.0;
/// Grid points per correlation length of the surface.
const POINTS_PER_CORRELATION_LENGTH: f64 = 32.0;
/// Most grid points of a surface.
const MOST_POINTS: usize = 20_000_000;

/// What rolls over what.
struct Rolling {
    radius: f64,
    roughness: f64,
    correlation_length: f64,
    seed: u64,
    speed: Control,
}

pub(crate) fn roll(fields: &Fields<'_>, builder: &mut Builder<'_>) -> Option<InteractionId> {
    let law = contact_law(fields);
    let rolling = Rolling {
        radius: fields.required("radius", within(1e-4, 10.0, "m"), "0.01"),
        roughness: fields.required("roughness", within(0.0, 0.01, "m"), "20e-6"),
        correlation_length: fields.number_or("correlation_length", CORRELATION_LENGTH, 1e-3),
        seed: fields.number_or("seed", within(0.0, 1e9, ""), 1.0) as u64,
        speed: fields.control("speed", within(0.0, 100.0, "m/s")).unwrap_or(Control::Constant(0.3)),
    };
    let asymmetry = fields.number_or("asymmetry", within(0.0, 1.0, ""), 0.0);
    let ball =
        fields.required_text("ball", "\"id of a mass\"").and_then(|id| builder.element_named(fields, "ball", id));
    if !fields.has("on") {
        fields.missing("on", "{ of = \"id\", at = 0.5 }");
    }
    let inner = fields.inner("on", "on")?;
    let on = builder.point(&inner);
    inner.finish();
    let (ball, on) = (ball?, on?);
    let Element::Mass(mass) = &builder.model.elements()[ball.index()] else {
        fields.complain("ball", "roll.ball is not a mass".to_owned(), Some("name a [[mass]] with gravity".to_owned()));
        return None;
    };
    let weight = mass.mass * mass.gravity;
    let (rate, duration) = (builder.sample_rate, builder.duration.min(LONGEST));
    let Some((heights, turns)) = rolling.lay(rate, duration) else {
        let hint = "roll slower or shorter, or use a larger correlation_length".to_owned();
        fields.complain("speed", format!("the surface would have more than {MOST_POINTS} points"), Some(hint));
        return None;
    };
    let surface = builder.add_hidden(fields, Barrier { position: heights, profile: Vec::new() }.into());
    if asymmetry > 0.0 {
        let Control::Breakpoints { time, value } = turns else { return None };
        let value = value.iter().map(|turn| -asymmetry * weight * turn.cos()).collect();
        builder.drive_hidden(fields, ball.point(), Drive::Control(Control::Breakpoints { time, value }));
    }
    Some(builder.model.collide_over(surface, on, ball.point(), law))
}

const CORRELATION_LENGTH: crate::limits::Limits = within(1e-6, LENGTH.most, "m");

impl Rolling {
    /// Height of the ball over the mean surface at every sample, and the angle it has turned by.
    fn lay(&self, rate: f64, duration: f64) -> Option<(Control, Control)> {
        let count = (duration * rate) as usize + 2;
        let time: Vec<f64> = (0..count).map(|n| n as f64 / rate).collect();
        let mut place = 0.0;
        let places: Vec<f64> = time
            .iter()
            .map(|&t| {
                let here = place;
                place += self.speed.at(t) / rate;
                here
            })
            .collect();
        let spacing = self.correlation_length / POINTS_PER_CORRELATION_LENGTH;
        let points = (place / spacing) as usize + 2;
        if points > MOST_POINTS {
            return None;
        }
        let envelope = self.envelope(&self.surface(points), spacing);
        let height = |x: &f64| {
            let i = ((x / spacing) as usize).min(points - 2);
            let share = x / spacing - i as f64;
            envelope[i] + share * (envelope[i + 1] - envelope[i])
        };
        let heights = places.iter().map(height).collect();
        let turns = places.iter().map(|x| x / self.radius).collect();
        Some((Control::Breakpoints { time: time.clone(), value: heights }, Control::Breakpoints { time, value: turns }))
    }

    /// White noise, smoothed by three passes of a moving mean over the correlation length, scaled to the roughness.
    fn surface(&self, points: usize) -> Vec<f64> {
        let mut state = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut noise = || {
            // splitmix64: small, and the same everywhere.
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

    /// The highest the ball must stand over every point.
    fn envelope(&self, heights: &[f64], spacing: f64) -> Vec<f64> {
        let range = heights.iter().fold(0.0_f64, |top, z| top.max(z.abs())) * 2.0;
        // Farther away than this the ball's side is above the highest peak.
        let reach = ((2.0 * self.radius * range).sqrt().min(self.radius) / spacing) as usize;
        let lift: Vec<f64> = (0..=reach)
            .map(|s| self.radius - (self.radius.powi(2) - (s as f64 * spacing).powi(2)).max(0.0).sqrt())
            .collect();
        let over = |i: usize| {
            let from = i.saturating_sub(reach);
            let to = (i + reach).min(heights.len() - 1);
            (from..=to).map(|j| heights[j] - lift[i.abs_diff(j)]).fold(f64::NEG_INFINITY, f64::max)
        };
        (0..heights.len()).map(over).collect()
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

    fn rolling(radius: f64) -> Rolling {
        Rolling { radius, roughness: 1e-5, correlation_length: 1e-3, seed: 7, speed: Control::Constant(0.5) }
    }

    #[test]
    fn surface_has_the_roughness_asked_for_and_repeats() {
        let heights = rolling(0.01).surface(20_000);
        let rms = (heights.iter().map(|z| z * z).sum::<f64>() / 20_000.0).sqrt();
        assert!((rms / 1e-5 - 1.0).abs() < 1e-9);
        assert_eq!(heights, rolling(0.01).surface(20_000));
    }

    #[test]
    fn ball_never_cuts_into_the_surface_and_a_large_one_rides_higher() {
        let heights = rolling(0.01).surface(5_000);
        let spacing = 1e-3 / POINTS_PER_CORRELATION_LENGTH;
        let small = rolling(0.002).envelope(&heights, spacing);
        let large = rolling(0.05).envelope(&heights, spacing);
        assert!(heights.iter().zip(&small).all(|(z, e)| e >= z));
        assert!(small.iter().zip(&large).all(|(small, large)| large >= small));
    }
}
