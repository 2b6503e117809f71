//! Which nodes a plate has and what joins them: those of a rectangle (`rectangle`) or of a disc (`disc`).

use crate::element::plate::disc::Disc;
use crate::element::plate::grid::PlateGrid;
use crate::element::plate::rectangle::{OperatorRow, Rectangle};
use crate::error::{Check, CompileError};
use crate::model::{Edge, Outline, Plate};
use std::ops::Range;

/// The nodes of a plate and what joins them.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    Rectangle(Rectangle),
    Disc(Disc),
}

impl Layout {
    pub fn new(plate: &Plate, grid: PlateGrid, check: Check) -> Result<Self, CompileError> {
        if plate.outline == Outline::Rectangle {
            return Ok(Self::Rectangle(Rectangle::new(grid.intervals, grid.spacing, plate.edges, plate.poisson)));
        }
        let [rim, ..] = plate.edges;
        let is_membrane = plate.youngs_modulus == 0.0;
        let known = rim == Edge::Free || rim == Edge::Clamped || (rim == Edge::SimplySupported && is_membrane);
        let allowed = "free or clamped all round on a round plate";
        check.require(known && plate.edges == [rim; 4], "edges", 0.0, allowed)?;
        let [across, up] = grid.intervals;
        check.require(across == up, "size", plate.size[1], "the same both ways on a round plate")?;
        Ok(Self::Disc(Disc::new(across - 2 * grid.margin, grid.spacing, rim, plate.poisson, is_membrane)))
    }

    pub fn moves(&self, i: usize, j: usize) -> bool {
        match self {
            Self::Rectangle(rectangle) => rectangle.moves(i, j),
            Self::Disc(disc) => disc.moves(i, j),
        }
    }

    /// Whether a node belongs to the plate: it moves, or is held.
    pub fn exists(&self, i: usize, j: usize) -> bool {
        match self {
            Self::Rectangle(_) => true,
            Self::Disc(disc) => disc.moves(i, j) || disc.is_held(),
        }
    }

    /// Mass of a node, in cells.
    pub fn weight(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Rectangle(rectangle) => rectangle.weight(i, j),
            Self::Disc(disc) => disc.weight(i, j),
        }
    }

    /// Poisson's ratio as the energy needs it.
    pub fn nu(&self) -> f64 {
        match self {
            Self::Rectangle(rectangle) => rectangle.nu,
            Self::Disc(disc) => disc.nu,
        }
    }

    /// Columns of a row in which the uniform update holds.
    pub fn interior(&self, j: usize) -> Range<usize> {
        match self {
            Self::Rectangle(rectangle) => rectangle.interior(j),
            Self::Disc(disc) => disc.interior(j),
        }
    }

    /// Factors s of q in the first and the last row, where these do not move (`stencil/uniform`).
    pub fn edge_q_scales(&self) -> [f64; 2] {
        let q_scale = |edge: Edge| match edge {
            Edge::SimplySupported => 0.0,
            Edge::Clamped => 2.0,
            Edge::Free | Edge::FreeFullCell => 1.0,
        };
        match self {
            Self::Rectangle(rectangle) => [q_scale(rectangle.edges[2]), q_scale(rectangle.edges[3])],
            Self::Disc(_) => [1.0; 2],
        }
    }

    /// Rows of ΔΔ and of −Δ at a moving node.
    pub fn rows(&self, i: usize, j: usize) -> [OperatorRow; 2] {
        match self {
            Self::Rectangle(rectangle) => [rectangle.bending_row(i, j), rectangle.gradient_row(i, j)],
            Self::Disc(disc) => [disc.bending_row(i, j), disc.gradient_row(i, j)],
        }
    }
}
