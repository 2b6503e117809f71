//! How the thickness of a bar changes along its length.

use crate::error::{Check, CompileError};

/// Thinnest part of a bar and thickest, over `thickness`.
const MIN_RATIO: f64 = 0.01;
const MAX_RATIO: f64 = 10.0;
/// Shortest part of a bar, as a fraction of its length.
const MIN_PART: f64 = 5e-3;
/// Straight parts whose thickness changes by more than this factor are split, as long as both pieces are this long: close to where the
/// line would reach 0, polynomials converge slowly.
const MAX_TAPER: f64 = 2.5;
const MIN_SPLIT: f64 = 0.5 * MIN_PART;
/// Most points of a profile, and most undercuts.
const MAX_POINTS: usize = 64;
const MAX_UNDERCUTS: usize = 16;
/// Points at which the thickness of every part of a bar is checked.
const CHECKED_POINTS: usize = 32;

/// Material removed from a bar: a raised cosine, deepest in its middle, where `depth` of the thickness is gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Undercut {
    /// Place of its middle, as a fraction of the length.
    pub at: f64,
    /// Full width, as a fraction of the length. It may reach beyond the ends.
    pub width: f64,
    /// Depth, as a fraction of the thickness.
    pub depth: f64,
}

/// The thickness along a bar, over [`Bar::thickness`](crate::Bar::thickness).
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Profile {
    /// The same everywhere.
    #[default]
    Uniform,
    /// 1, less the sum of undercuts.
    Undercuts(Vec<Undercut>),
    /// Straight between points; two points at one place are a step.
    Lines {
        /// Places as fractions of the length, in rising order from 0 to 1.
        at: Vec<f64>,
        /// Thickness there, over that of the bar.
        ratio: Vec<f64>,
    },
}

impl Undercut {
    /// What it removes at a fraction of the length, of the thickness, and the derivative.
    fn removed(&self, x: f64) -> [f64; 2] {
        let (turn, amplitude) = (std::f64::consts::TAU / self.width, 0.5 * self.depth);
        if (x - self.at).abs() >= 0.5 * self.width {
            return [0.0; 2];
        }
        let (sin, cos) = (turn * (x - self.at)).sin_cos();
        [amplitude * (1.0 + cos), -amplitude * turn * sin]
    }
}

impl Profile {
    /// Whether the thickness is the same everywhere.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        match self {
            Self::Uniform => true,
            Self::Undercuts(undercuts) => undercuts.is_empty(),
            Self::Lines { .. } => false,
        }
    }

    /// Ends of the parts on which the thickness is smooth, as fractions of the length.
    pub(crate) fn parts(&self) -> Vec<[f64; 2]> {
        let mut places = match self {
            Self::Uniform => vec![0.0, 1.0],
            Self::Lines { at, ratio } => split_tapers(at, ratio),
            Self::Undercuts(undercuts) => {
                // Thin middles are singular in the complex plane close by: parts that are small there converge fast.
                let of_one = |undercut: &Undercut| {
                    [-0.5, -0.125, 0.0, 0.125, 0.5].map(|share| undercut.at + share * undercut.width)
                };
                let inner = undercuts.iter().flat_map(of_one).filter(|&x| x > MIN_PART && x < 1.0 - MIN_PART);
                [0.0, 1.0].into_iter().chain(inner).collect()
            }
        };
        places.sort_by(f64::total_cmp);
        // Edges of undercuts are smooth enough to be left within a part.
        let least = if matches!(self, Self::Lines { .. }) { MIN_SPLIT } else { MIN_PART };
        places.dedup_by(|next, previous| *next - *previous < 0.99 * least);
        if let Some(last) = places.last_mut() {
            *last = 1.0;
        }
        places.windows(2).map(|pair| [pair[0], pair[1]]).collect()
    }

    /// Thickness over that of the bar at a fraction of the length within a part, and its derivative.
    pub(crate) fn ratio(&self, x: f64, part: [f64; 2]) -> [f64; 2] {
        match self {
            Self::Uniform => [1.0, 0.0],
            Self::Undercuts(undercuts) => undercuts.iter().fold([1.0, 0.0], |[ratio, slope], undercut| {
                let [removed, steepness] = undercut.removed(x);
                [ratio - removed, slope - steepness]
            }),
            Self::Lines { at, ratio } => {
                let middle = 0.5 * (part[0] + part[1]);
                let next = at.partition_point(|&place| place < middle).clamp(1, at.len() - 1);
                let slope = (ratio[next] - ratio[next - 1]) / (at[next] - at[next - 1]);
                [ratio[next - 1] + slope * (x - at[next - 1]), slope]
            }
        }
    }

    /// Mean of a function of the thickness ratio along the length.
    pub(crate) fn mean(&self, function: impl Fn(f64) -> f64) -> f64 {
        let of_part = |part: [f64; 2]| {
            let step = (part[1] - part[0]) / CHECKED_POINTS as f64;
            let at = |n: usize| part[0] + (n as f64 + 0.5) * step;
            (0..CHECKED_POINTS).map(|n| step * function(self.ratio(at(n), part)[0])).sum::<f64>()
        };
        self.parts().into_iter().map(of_part).sum()
    }

    /// Thickness where the bar is thinnest, over that of the bar.
    #[must_use]
    pub fn thinnest(&self) -> f64 {
        self.samples().fold(f64::INFINITY, f64::min)
    }

    /// Thickness where the bar is thickest, over that of the bar.
    #[must_use]
    pub fn thickest(&self) -> f64 {
        self.samples().fold(0.0, f64::max)
    }

    fn samples(&self) -> impl Iterator<Item = f64> {
        let of_part = move |part: [f64; 2]| {
            let at = move |n: usize| part[0] + (part[1] - part[0]) * n as f64 / CHECKED_POINTS as f64;
            (0..=CHECKED_POINTS).map(move |n| self.ratio(at(n), part)[0])
        };
        self.parts().into_iter().flat_map(of_part)
    }

    /// Checks the parameters.
    pub(crate) fn check(&self, check: Check) -> Result<(), CompileError> {
        match self {
            Self::Uniform => return Ok(()),
            Self::Undercuts(undercuts) => {
                let count = undercuts.len();
                check.require(count <= MAX_UNDERCUTS, "undercut", count as f64, "at most 16 undercuts")?;
                for undercut in undercuts {
                    check.fraction("at", undercut.at)?;
                    let (width, depth) = (undercut.width, undercut.depth);
                    check.require((0.02..=4.0).contains(&width), "width", width, "between 0.02 and 4")?;
                    check.require((0.0..1.0).contains(&depth), "depth", depth, "from 0 to below 1")?;
                }
            }
            Self::Lines { at, ratio } => check_lines(at, ratio, check)?,
        }
        let thinnest = self.thinnest();
        check.require(thinnest >= MIN_RATIO, "profile", thinnest, "0.01 of the thickness or more everywhere")
    }
}

/// The places of a profile, with more where its thickness changes much.
fn split_tapers(at: &[f64], ratio: &[f64]) -> Vec<f64> {
    let mut places = vec![at[0]];
    let mut open: Vec<[[f64; 2]; 2]> =
        (1..at.len()).rev().map(|n| [[at[n - 1], ratio[n - 1]], [at[n], ratio[n]]]).collect();
    while let Some([from, to]) = open.pop() {
        let middle = (from[1] * to[1]).sqrt();
        let place = from[0] + (to[0] - from[0]) * (middle - from[1]) / (to[1] - from[1]);
        let taper = (to[1] / from[1]).max(from[1] / to[1]);
        if taper > MAX_TAPER && place - from[0] > MIN_SPLIT && to[0] - place > MIN_SPLIT {
            open.extend([[[place, middle], to], [from, [place, middle]]]);
        } else {
            places.push(to[0]);
        }
    }
    places
}

fn check_lines(at: &[f64], ratio: &[f64], check: Check) -> Result<(), CompileError> {
    let count = at.len();
    check.require((2..=MAX_POINTS).contains(&count), "at", count as f64, "2 to 64 places")?;
    check.require(ratio.len() == count, "ratio", ratio.len() as f64, "as many as places")?;
    check.require(at[0] == 0.0, "at", at[0], "0 at first")?;
    check.require(at[count - 1] == 1.0, "at", at[count - 1], "1 at last")?;
    for pair in at.windows(2) {
        let step = pair[1] - pair[0];
        let is_apart = step == 0.0 || step >= MIN_PART * (1.0 - 1e-9);
        check.require(is_apart, "at", pair[1], "the same as the place before it, or 0.005 more")?;
    }
    let is_step_only = |triple: &[f64]| triple[0] == triple[2];
    check.require(!at.windows(3).any(is_step_only), "at", 3.0, "at most 2 points at one place")?;
    check.require(at[0] != at[1] && at[count - 2] != at[count - 1], "at", 2.0, "no step at an end")?;
    ratio.iter().try_for_each(|&ratio| {
        check.require((MIN_RATIO..=MAX_RATIO).contains(&ratio), "ratio", ratio, "between 0.01 and 10")
    })
}
