//! The constants of a string or bar, and the grid it is stepped on.
//!
//! Stability   h² ≥ ½[b + √(b² + 16κ²k²)], b = c²k² + 4σ₁k; checked in `Grid::choose`

use crate::error::{Check, CompileError};
use crate::model::{Bar, End, StiffString};

/// Most intervals of a grid: more indicate a mistake in the scene.
const MAX_INTERVALS: usize = 1_000_000;

/// The constants of a string or bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineMaterial {
    pub length: f64,
    /// ρA \[kg/m\].
    pub line_density: f64,
    /// T \[N\].
    pub tension: f64,
    /// EI \[N·m²\].
    pub bending: f64,
    /// EA \[N\].
    pub stretching: f64,
    pub sigma0: f64,
    pub sigma1: f64,
    pub ends: [End; 2],
}

impl LineMaterial {
    pub fn of_string(string: &StiffString, check: Check) -> Result<Self, CompileError> {
        check.positive("length", string.length)?;
        check.positive("radius", string.radius)?;
        check.positive("density", string.density)?;
        check.not_negative("youngs_modulus", string.youngs_modulus)?;
        check.not_negative("tension", string.tension)?;
        check.not_negative("sigma0", string.sigma0)?;
        check.not_negative("sigma1", string.sigma1)?;
        let restoring = string.tension + string.youngs_modulus;
        check.require(restoring > 0.0, "tension", string.tension, "above 0 where youngs_modulus is 0")?;
        let area = std::f64::consts::PI * string.radius.powi(2);
        Ok(Self {
            length: string.length,
            line_density: string.density * area,
            tension: string.tension,
            bending: string.youngs_modulus * area * string.radius.powi(2) / 4.0,
            stretching: string.youngs_modulus * area,
            sigma0: string.sigma0,
            sigma1: string.sigma1,
            ends: string.ends,
        })
    }

    pub fn of_bar(bar: &Bar, check: Check) -> Result<Self, CompileError> {
        check.positive("length", bar.length)?;
        check.positive("width", bar.width)?;
        check.positive("thickness", bar.thickness)?;
        check.positive("density", bar.density)?;
        check.positive("youngs_modulus", bar.youngs_modulus)?;
        check.not_negative("sigma0", bar.sigma0)?;
        check.not_negative("sigma1", bar.sigma1)?;
        let area = bar.width * bar.thickness;
        Ok(Self {
            length: bar.length,
            line_density: bar.density * area,
            tension: 0.0,
            bending: bar.youngs_modulus * area * bar.thickness.powi(2) / 12.0,
            stretching: bar.youngs_modulus * area,
            sigma0: bar.sigma0,
            sigma1: bar.sigma1,
            ends: bar.ends,
        })
    }

    /// Whether both ends are held, so that it is stretched by moving.
    pub fn is_held(&self) -> bool {
        !self.ends.contains(&End::Free)
    }

    /// The smallest stable spacing \[m\] for a time step k \[s\].
    ///
    /// On a string between two free ends that hardly resists bending the alternating mode has the eigenvalue 4/h² itself and
    /// would grow in proportion to time at the limit: a thousandth of margin keeps it bounded.
    pub fn least_spacing(&self, k: f64) -> f64 {
        let b = self.tension / self.line_density * k * k + 4.0 * self.sigma1 * k;
        let kappa2 = self.bending / self.line_density;
        let flexible = 16.0 * kappa2 * k * k < 1e-2 * b * b;
        let margin = if flexible && self.ends == [End::Free; 2] { 1.001 } else { 1.0 };
        margin * (0.5 * (b + (b * b + 16.0 * kappa2 * k * k).sqrt())).sqrt()
    }

    /// Intervals of the finest stable grid without losses, which is about the number of modes below half the sample rate.
    pub fn lossless_intervals(&self, k: f64) -> f64 {
        self.length / Self { sigma1: 0.0, ..*self }.least_spacing(k)
    }
}

/// The grid chosen for a string or bar.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Grid {
    /// Number of intervals.
    pub intervals: usize,
    /// Spacing h \[m\].
    pub spacing: f64,
    /// Smallest stable spacing at this rate \[m\].
    pub least_spacing: f64,
}

impl Grid {
    pub(crate) fn choose(
        material: &LineMaterial,
        wanted: Option<usize>,
        check: Check,
        k: f64,
    ) -> Result<Self, CompileError> {
        let (subject, rate) = (check.0, 1.0 / k);
        let least_spacing = material.least_spacing(k);
        let max_intervals = material.length / least_spacing;
        let intervals = wanted.map_or(max_intervals, |n| n as f64);
        if !intervals.is_finite() || intervals > MAX_INTERVALS as f64 {
            return Err(CompileError::GridTooLarge { subject, intervals, maximum: MAX_INTERVALS });
        }
        let intervals = intervals as usize;
        // A spacing that equals the limit but for rounding is stable.
        let maximum = (max_intervals * (1.0 + 1e-12)) as usize;
        if intervals > maximum {
            return Err(CompileError::GridTooFine { subject, requested: intervals, maximum, rate });
        }
        if intervals < 4 {
            return Err(CompileError::GridTooCoarse { subject, intervals, rate });
        }
        Ok(Self { intervals, spacing: material.length / intervals as f64, least_spacing })
    }
}
