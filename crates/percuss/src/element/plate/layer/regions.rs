//! Where touches press: circles, rectangles, half-planes and images that move over a plate (`coverage`, `image`).
//!
//! Allocates   no

use crate::control::signal::check_control;
use crate::element::plate::grid::PlateGrid;
use crate::element::plate::layer::coverage::Coverage;
use crate::error::{Check, CompileError};
use crate::model::{Control, Region};

pub(crate) fn check_region(region: &Region, check: Check) -> Result<(), CompileError> {
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
            check.require(length > 0.0, "direction", length, "other than [0, 0]")?;
            controls(&[level], "level")
        }
        Region::Image { width, values } => {
            let whole = *width > 0 && !values.is_empty() && values.len() % width == 0;
            check.require(whole, "values", values.len() as f64, "full rows of the picture")?;
            values.iter().try_for_each(|&value| check.fraction("values", value))
        }
    }
}

/// What a region covers at a time \[s\]; images cover everything.
pub(crate) fn coverage(region: &Region, time: f64, grid: &PlateGrid) -> Coverage {
    let cells = |length: f64| length / grid.spacing;
    let place = |centre: &[Control; 2]| [0, 1].map(|axis| grid.coordinate(axis, centre[axis].at(time)));
    let disc = |centre: &[Control; 2], radius: &Control, inside: bool| Coverage::Disc {
        centre: place(centre),
        radius: cells(radius.at(time)),
        inside,
    };
    match region {
        Region::Everywhere | Region::Image { .. } => Coverage::Everywhere,
        Region::Circle { centre, radius } => disc(centre, radius, true),
        Region::OutsideCircle { centre, radius } => disc(centre, radius, false),
        Region::Rectangle { centre, size } => {
            let (centre, half) = (place(centre), size.each_ref().map(|side| 0.5 * cells(side.at(time))));
            let end = |sign: f64| [0, 1].map(|axis| centre[axis] + sign * half[axis]);
            Coverage::Box { from: end(-1.0), to: end(1.0) }
        }
        Region::HalfPlane { direction, level } => below(*direction, level.at(time), grid),
    }
}

/// What lies below a level, which is 0 at the lowest corner and 1 at the highest.
fn below(direction: [f64; 2], level: f64, grid: &PlateGrid) -> Coverage {
    let length = direction[0].hypot(direction[1]);
    let direction = direction.map(|part| part / length);
    let corner = |pick: fn(f64, f64) -> f64| -> f64 {
        let ends = |axis: usize| [0.0, 1.0].map(|end| direction[axis] * grid.coordinate(axis, end));
        [0, 1].map(ends).iter().map(|[start, end]| pick(*start, *end)).sum()
    };
    let (low, high) = (corner(f64::min), corner(f64::max));
    Coverage::Below { direction, level: low + level * (high - low) }
}
