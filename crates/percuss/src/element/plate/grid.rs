//! Material constants of a plate, and its grid.
//!
//! Stability   h² ≥ b + √(b² + 16κ²k²), b = c²k² + 4σ₁k
//! Symbols     c² = T/ρH, κ² = D/ρH, D = EH³/(12(1−ν²)), h spacing \[m\], k time step \[s\]
//! Reference   Bilbao (2009), ch. 12

use crate::element::coefficients::UpdateCoefficients;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Edge, Outline, Plate};

const MAX_NODES: f64 = 16e6;
/// A grid for views: fewest intervals of its shorter side, most of its longer one, and most nodes in all.
const MIN_VIEW_INTERVALS: f64 = 8.0;
const MAX_VIEW_INTERVALS: f64 = 500.0;
const MAX_VIEW_NODES: f64 = 4000.0;

/// The grid chosen for a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlateGrid {
    /// Number of intervals between the first and the last node, along each axis.
    pub intervals: [usize; 2],
    /// How many of these lie outside, at either end: 0, or 1 around a round plate.
    pub margin: usize,
    /// Spacing h \[m\].
    pub spacing: f64,
    /// Smallest stable spacing at this rate \[m\].
    pub least_spacing: f64,
    /// Length of the sides that results, or the diameter twice \[m\].
    pub size: [f64; 2],
}

impl PlateGrid {
    /// Where on the grid a fraction of a side lies, counted in nodes.
    #[must_use]
    pub fn coordinate(&self, axis: usize, fraction: f64) -> f64 {
        fraction * (self.intervals[axis] - 2 * self.margin) as f64 + self.margin as f64
    }

    /// The grid nodes on either side of a fraction of a side, with the weights of linear interpolation.
    pub(crate) fn interpolation_nodes(&self, axis: usize, fraction: f64) -> [(usize, f64); 2] {
        let x = self.coordinate(axis, fraction);
        let node = (x as usize).min(self.intervals[axis] - 1);
        let share = x - node as f64;
        [(node, 1.0 - share), (node + 1, share)]
    }

    /// Fraction of a side at which a node lies; below 0 or above 1 for those outside a round plate.
    #[must_use]
    pub fn fraction(&self, axis: usize, node: usize) -> f64 {
        (node as f64 - self.margin as f64) / (self.intervals[axis] - 2 * self.margin) as f64
    }
}

/// Constants of a plate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlateMaterial {
    /// ρH \[kg/m²\].
    pub surface_density: f64,
    pub tension: f64,
    /// D \[N·m\].
    pub bending: f64,
    /// EH/(1−ν²), of the modulus against being stretched \[N/m\].
    pub stretching: f64,
    pub sigma0: f64,
    pub sigma1: f64,
}

impl PlateMaterial {
    pub fn of(plate: &Plate, check: Check) -> Result<Self, CompileError> {
        check.positive("size", plate.size[0])?;
        check.positive("size", plate.size[1])?;
        check.positive("thickness", plate.thickness)?;
        check.positive("density", plate.density)?;
        check.not_negative("youngs_modulus", plate.youngs_modulus)?;
        check.require((0.0..0.5).contains(&plate.poisson), "poisson", plate.poisson, "from 0 to below 0.5")?;
        check.not_negative("tension", plate.tension)?;
        if let Some(modulus) = plate.stretching_modulus {
            check.positive("stretching_modulus", modulus)?;
        }
        check.require(
            plate.tension + plate.youngs_modulus > 0.0,
            "tension",
            plate.tension,
            "above 0 for a membrane",
        )?;
        check.not_negative("sigma0", plate.sigma0)?;
        check.not_negative("sigma1", plate.sigma1)?;
        plate.patches.iter().try_for_each(|patch| patch.check(plate, check))?;
        let lateral = 1.0 - plate.poisson.powi(2);
        Ok(Self {
            surface_density: plate.density * plate.thickness,
            tension: plate.tension,
            bending: plate.youngs_modulus * plate.thickness.powi(3) / (12.0 * lateral),
            stretching: plate.stretching_modulus.unwrap_or(plate.youngs_modulus) * plate.thickness / lateral,
            sigma0: plate.sigma0,
            sigma1: plate.sigma1,
        })
    }

    /// Whether the area of a plate of it is stretched by moving, against a tension that it has at rest: all edges are held.
    pub fn is_stretched(&self, plate: &Plate) -> bool {
        let is_held = |edge: &Edge| matches!(edge, Edge::SimplySupported | Edge::Clamped);
        self.tension > 0.0 && self.stretching > 0.0 && plate.edges.iter().all(is_held)
    }

    /// Wave number at which ω is reached, where the surface density is larger by a factor \[1/m\].
    pub fn wave_number(&self, omega: f64, density_ratio: f64) -> f64 {
        let [c2, kappa2] = [self.tension, self.bending].map(|x| x / (self.surface_density * density_ratio));
        // β² with c²β² + κ²β⁴ = ω², in a form in which either c or κ may be 0.
        (2.0 * omega * omega / (c2 + (c2 * c2 + 4.0 * kappa2 * omega * omega).sqrt())).sqrt()
    }

    /// Coefficients of the update on a grid of spacing h at time step k.
    pub fn coefficients(&self, h: f64, k: f64) -> UpdateCoefficients {
        UpdateCoefficients::new(
            [self.tension, self.bending].map(|x| x / self.surface_density),
            [self.sigma0, self.sigma1],
            h,
            k,
        )
    }

    /// The smallest stable spacing \[m\] for a time step k \[s\].
    ///
    /// Where nothing is held, a membrane's and a disc's chequered mode has the largest eigenvalue itself and would grow in
    /// proportion to time at the limit: a thousandth of margin keeps it bounded.
    pub fn least_spacing(&self, plate: &Plate, k: f64) -> f64 {
        let margin = plate.edges == [Edge::Free; 4] && (plate.outline == Outline::Disc || self.bending == 0.0);
        let b = self.tension / self.surface_density * k * k + 4.0 * self.sigma1 * k;
        let kappa2 = self.bending / self.surface_density;
        let least = (b + (b * b + 16.0 * kappa2 * k * k).sqrt()).sqrt();
        if margin { 1.001 * least } else { least }
    }
}

impl PlateGrid {
    pub(crate) fn choose(plate: &Plate, least_spacing: f64, check: Check, k: f64) -> Result<Self, CompileError> {
        let (subject, rate) = (check.0, 1.0 / k);
        let max_intervals = plate.size.map(|side| side / least_spacing);
        if max_intervals[0] * max_intervals[1] > MAX_NODES && plate.grid.is_none() {
            let maximum = MAX_NODES as usize;
            return Err(CompileError::GridTooLarge {
                subject,
                intervals: max_intervals[0] * max_intervals[1],
                maximum,
            });
        }
        let first = plate.grid.map_or(max_intervals[0] as usize, |grid| grid[0]);
        let spacing = plate.size[0] / first.max(1) as f64;
        // A spacing that equals the limit but for rounding is stable.
        if spacing * (1.0 + 1e-12) < least_spacing {
            let maximum = (max_intervals[0] * (1.0 + 1e-12)) as usize;
            return Err(CompileError::GridTooFine { subject, requested: first, maximum, rate });
        }
        let second = plate.grid.map_or((plate.size[1] / spacing).round() as usize, |grid| grid[1]);
        let intervals = [first, second];
        if first.min(second) < 4 {
            return Err(CompileError::GridTooCoarse { subject, intervals: first.min(second), rate });
        }
        if (first * second) as f64 > MAX_NODES {
            let maximum = MAX_NODES as usize;
            return Err(CompileError::GridTooLarge { subject, intervals: (first * second) as f64, maximum });
        }
        let size = intervals.map(|n| n as f64 * spacing);
        let margin = usize::from(plate.outline == Outline::Disc);
        Ok(Self { intervals: intervals.map(|n| n + 2 * margin), margin, spacing, least_spacing, size })
    }
}

impl PlateGrid {
    /// Nodes to look at a plate that is stepped without them: those of the finest stable grid, not too few across the shorter side, and not
    /// too many along the longer one or in all.
    pub(crate) fn for_views(plate: &Plate, least_spacing: f64) -> Self {
        let [width, height] = plate.size;
        let fine = least_spacing.min(width.min(height) / MIN_VIEW_INTERVALS);
        let coarsest = (width.max(height) / MAX_VIEW_INTERVALS).max((width * height / MAX_VIEW_NODES).sqrt());
        let first = (width / fine.max(coarsest)).max(1.0) as usize;
        let spacing = width / first as f64;
        let second = ((height / spacing).round() as usize).max(1);
        let margin = usize::from(plate.outline == Outline::Disc);
        let intervals = [first, second].map(|n| n + 2 * margin);
        Self { intervals, margin, spacing, least_spacing, size: plate.size }
    }
}

impl Plate {
    /// The grid that it has at a sample rate \[Hz\], without building it. Does not allocate.
    ///
    /// # Errors
    /// Where a model with this plate alone would not compile for its material or its grid.
    pub fn grid_at(&self, rate: f64) -> Result<PlateGrid, CompileError> {
        let check = Check(Subject::Element(0));
        check.positive("sample_rate", rate)?;
        let material = PlateMaterial::of(self, check)?;
        PlateGrid::choose(self, material.least_spacing(self, 1.0 / rate), check, 1.0 / rate)
    }
}

/// Where the grid nodes of a plate are in the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GridNodes {
    /// State index of grid node (0, 0), whether it moves or not.
    pub origin: usize,
    /// State nodes from one row to the next: whole blocks.
    pub stride: usize,
}

impl GridNodes {
    /// State index of a grid node.
    pub fn node(&self, i: usize, j: usize) -> usize {
        self.origin + j * self.stride + i
    }
}
