//! Where touches press: circles, rectangles, half-planes and pictures that move over a plate.
//!
//! Allocates   no

use super::plate_grid::PlateGrid;
use crate::error::{Check, CompileError};
use crate::model::{Control, Region};
use crate::solver::check_control;

/// Samples a picture of any resolution at the nodes of a grid, between pixels by straight lines.
pub(super) fn lay_picture(nodes: &mut [f64], stride: usize, grid: PlateGrid, width: usize, values: &[f64]) {
    let [columns, rows] = grid.intervals.map(|n| n + 1);
    let height = values.len().checked_div(width).unwrap_or(0);
    if height == 0 {
        return;
    }
    let along = |axis: usize, node: usize, pixels: usize| {
        let x = grid.fraction(axis, node).clamp(0.0, 1.0) * (pixels - 1) as f64;
        let pixel = (x as usize).min(pixels.saturating_sub(2));
        (pixel, (pixel + 1).min(pixels - 1), x - pixel as f64)
    };
    for j in 0..rows {
        let (low, high, up) = along(1, j, height);
        for i in 0..columns {
            let (left, right, across) = along(0, i, width);
            let mix = |row: usize| {
                let (a, b) = (values[row * width + left], values[row * width + right]);
                a + across * (b - a)
            };
            let pressure = mix(low) + up * (mix(high) - mix(low));
            nodes[j * stride + i] = if pressure.is_finite() { pressure.clamp(0.0, 1.0) } else { 0.0 };
        }
    }
}

pub(super) fn check_region(region: &Region, check: Check) -> Result<(), CompileError> {
    let controls = |controls: &[&Control], field| controls.iter().try_for_each(|c| check_control(c, field, check));
    match region {
        Region::Everywhere => Ok(()),
        Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
            controls(&[&centre[0], &centre[1]], "centre")?;
            controls(&[radius], "radius")
        }
        Region::Rectangle { centre, size } => {
            controls(&[&centre[0], &centre[1]], "centre")?;
            controls(&[&size[0], &size[1]], "size")
        }
        Region::HalfPlane { direction, level } => {
            let length = direction[0].hypot(direction[1]);
            check.that(length > 0.0, "direction", length, "other than [0, 0]")?;
            controls(&[level], "level")
        }
        Region::Image { width, values } => {
            let whole = *width > 0 && !values.is_empty() && values.len() % width == 0;
            check.that(whole, "values", values.len() as f64, "full rows of the picture")?;
            values.iter().try_for_each(|&value| check.fraction("values", value))
        }
    }
}

/// A region at one instant. Its rim is a ramp one cell wide, so that a region that moves does so smoothly.
pub(super) enum Cover {
    Everywhere,
    Disc { centre: [f64; 2], radius: f64, inside: bool, cell: f64 },
    Box { centre: [f64; 2], half: [f64; 2], cell: f64 },
    Below { direction: [f64; 2], level: f64, cell: f64 },
}

impl Cover {
    pub fn of(region: &Region, time: f64, cell: f64, size: [f64; 2]) -> Self {
        let place = |centre: &[Control; 2]| [0, 1].map(|axis| centre[axis].at(time) * size[axis]);
        match region {
            Region::Everywhere | Region::Image { .. } => Self::Everywhere,
            Region::Circle { centre, radius } => {
                Self::Disc { centre: place(centre), radius: radius.at(time), inside: true, cell }
            }
            Region::OutsideCircle { centre, radius } => {
                Self::Disc { centre: place(centre), radius: radius.at(time), inside: false, cell }
            }
            Region::Rectangle { centre, size: sides } => {
                Self::Box { centre: place(centre), half: [0, 1].map(|axis| 0.5 * sides[axis].at(time)), cell }
            }
            Region::HalfPlane { direction, level } => {
                let length = direction[0].hypot(direction[1]);
                let direction = direction.map(|part| part / length);
                // From the lowest corner to the highest.
                let reach = [0, 1].map(|axis| direction[axis] * size[axis]);
                let low: f64 = reach.iter().map(|part| part.min(0.0)).sum();
                let high: f64 = reach.iter().map(|part| part.max(0.0)).sum();
                Self::Below { direction, level: low + level.at(time) * (high - low), cell }
            }
        }
    }

    /// Share of the region at a place \[m\].
    pub fn at(&self, [x, y]: [f64; 2]) -> f64 {
        let ramp = |outside: f64, cell: f64| (0.5 - outside / cell).clamp(0.0, 1.0);
        match *self {
            Self::Everywhere => 1.0,
            Self::Disc { centre, radius, inside, cell } => {
                let outside = (x - centre[0]).hypot(y - centre[1]) - radius;
                ramp(if inside { outside } else { -outside }, cell)
            }
            Self::Box { centre, half, cell } => {
                ramp((x - centre[0]).abs() - half[0], cell) * ramp((y - centre[1]).abs() - half[1], cell)
            }
            Self::Below { direction, level, cell } => ramp(direction[0] * x + direction[1] * y - level, cell),
        }
    }
}
