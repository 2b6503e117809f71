//! Rigid obstacles and their shapes.

use crate::error::{Check, CompileError};
use crate::model::control::Control;

/// Most points of a polyline and most frets.
const MAX_POINTS: usize = 10_000;

/// A rigid obstacle. It gives way to nothing; moving it does work, which the ledger books as supplied.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Height \[m\], constant or changing in time.
    pub position: Control,
    /// Heights above `position` \[m\], evenly spaced from one end of a string to the other, joined by straight lines.
    /// Empty for a flat barrier. Only used where a string lies along it.
    pub profile: Vec<f64>,
    /// Shape above `position`, instead of a profile.
    pub shape: BarrierShape,
    /// The part of the string along which it is there, as fractions of the length.
    pub span: [f64; 2],
}

impl Default for Barrier {
    /// A flat barrier at 0.
    fn default() -> Self {
        Self::at(0.0)
    }
}

/// How the height of a barrier changes along a string. Places are fractions of its length.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum BarrierShape {
    /// It does not.
    #[default]
    Flat,
    /// A parabola that opens downwards: h = −depth·((x − at)/width)², as the bridge of a sitar.
    Parabola {
        /// Place of the apex, whose height is 0.
        at: f64,
        /// Distance from the apex at which it is lower by `depth`.
        width: f64,
        /// How much lower \[m\].
        depth: f64,
    },
    /// Straight lines between points, level before the first and after the last.
    Polyline {
        /// Places, in rising order; the same place twice is a step.
        at: Vec<f64>,
        /// Heights there \[m\].
        height: Vec<f64>,
    },
    /// Narrow frets, each of which meets the string at one place; nothing between them.
    Frets {
        /// Places, in rising order.
        at: Vec<f64>,
        /// Heights \[m\].
        height: Vec<f64>,
        /// Width along the string by which the stiffness of the contact is multiplied \[m\].
        width: f64,
    },
}

impl Barrier {
    /// A flat barrier at a fixed height \[m\].
    #[must_use]
    pub fn at(position: f64) -> Self {
        Self { position: position.into(), profile: Vec::new(), shape: BarrierShape::Flat, span: [0.0, 1.0] }
    }

    /// Height above `position` at a fraction of the length \[m\]; `None` where it is not, and between frets.
    #[must_use]
    pub fn height(&self, at: f64) -> Option<f64> {
        let [from, to] = self.span;
        if !(from..=to).contains(&at) {
            return None;
        }
        match &self.shape {
            BarrierShape::Flat => Some(height_of_profile(&self.profile, at)),
            BarrierShape::Parabola { at: apex, width, depth } => Some(-depth * ((at - apex) / width).powi(2)),
            BarrierShape::Polyline { at: places, height } => Some(height_between(places, height, at)),
            BarrierShape::Frets { at: places, height, .. } => {
                places.iter().position(|&place| place == at).map(|fret| height[fret])
            }
        }
    }

    /// Points at which to draw it: places as fractions of the length and heights above `position` \[m\]. All frets, or up to `count`
    /// evenly spaced points.
    #[must_use]
    pub fn outline(&self, count: usize) -> Vec<[f64; 2]> {
        let [from, to] = self.span;
        let places: Vec<f64> = match &self.shape {
            BarrierShape::Frets { at, .. } => at.clone(),
            BarrierShape::Flat | BarrierShape::Parabola { .. } | BarrierShape::Polyline { .. } => {
                let last = count.max(2) - 1;
                (0..=last).map(|n| from + (to - from) * n as f64 / last as f64).map(|at| at.min(to)).collect()
            }
        };
        places.into_iter().filter_map(|at| Some([at, self.height(at)?])).collect()
    }

    /// Checks the parameters, without the position.
    pub(crate) fn check(&self, check: Check) -> Result<(), CompileError> {
        self.profile.iter().try_for_each(|&height| check.finite("profile", height))?;
        let is_one = self.profile.is_empty() || self.shape == BarrierShape::Flat;
        check.require(is_one, "profile", self.profile.len() as f64, "empty where there is a shape")?;
        let [from, to] = self.span;
        check.fraction("from", from)?;
        check.fraction("to", to)?;
        check.require(from < to, "to", to, "beyond from")?;
        match &self.shape {
            BarrierShape::Flat => Ok(()),
            BarrierShape::Parabola { at, width, depth } => {
                check.fraction("at", *at)?;
                check.positive("width", *width)?;
                check.finite("depth", *depth)
            }
            BarrierShape::Polyline { at, height } => check_points(at, height, f64::le, check),
            BarrierShape::Frets { at, height, width } => {
                check.positive("width", *width)?;
                check_points(at, height, f64::lt, check)
            }
        }
    }
}

fn check_points(at: &[f64], height: &[f64], follows: fn(&f64, &f64) -> bool, check: Check) -> Result<(), CompileError> {
    let count = at.len();
    check.require((1..=MAX_POINTS).contains(&count), "at", count as f64, "1 to 10000 places")?;
    check.require(height.len() == count, "height", height.len() as f64, "as many as places")?;
    at.iter().try_for_each(|&at| check.fraction("at", at))?;
    height.iter().try_for_each(|&height| check.finite("height", height))?;
    let is_rising = |pair: &[f64]| follows(&pair[0], &pair[1]);
    match at.windows(2).find(|pair| !is_rising(pair)) {
        Some(pair) => check.require(false, "at", pair[1], "beyond the place before it"),
        None => Ok(()),
    }
}

/// Evenly spaced heights.
fn height_of_profile(profile: &[f64], at: f64) -> f64 {
    let Some(last) = profile.len().checked_sub(1) else { return 0.0 };
    let place = at * last as f64;
    let index = (place as usize).min(last.saturating_sub(1));
    let next = profile.get(index + 1).copied().unwrap_or(profile[index]);
    profile[index] + (place - index as f64) * (next - profile[index])
}

fn height_between(at: &[f64], height: &[f64], x: f64) -> f64 {
    let next = at.partition_point(|&place| place <= x);
    if next == 0 || next == at.len() {
        return height[next.min(at.len() - 1)];
    }
    let share = (x - at[next - 1]) / (at[next] - at[next - 1]);
    height[next - 1] + share * (height[next] - height[next - 1])
}
