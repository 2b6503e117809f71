//! The energy of a plate.
//!
//! Energy      H = ½ρH Σ m h²(du/k)² + ½D/h² Σ[…] + ½T Σ s(Δ₁u)(Δ₁u⁻) − ½ρHσ₁/k Σ s(Δ₁du)²   (Δ₁: difference of neighbours)
//!             with the curvature terms of `rectangle` and `disc` at u⁻, which the state has between steps, and
//!             u = u⁻ + du; the sums are taken in `energy/sums`
//! Loss        k·Q = ½(ρH/k)[σ₀h² Σ m(du⁺ + du)² + σ₁ Σ s(Δ₁(du⁺ + du))²], split into terms of du⁺ alone, of du alone, and
//!             twice the mixed term
//! Shapes are summed over differences, never as ⟨u, Ku⁻⟩: for slow modes that would subtract equal numbers.
//! Allocates   no

use crate::element::balance::ElementEnergy;
use crate::element::plate::energy::sums::PlateSums;
use crate::element::plate::energy::weights::NodeWeights;
use crate::element::plate::grid::{PlateGrid, PlateMaterial};
use crate::element::plate::layout::Layout;

/// The weights of the terms of the energy that begin at a node.
pub(crate) fn weight(layout: &Layout, grid: &PlateGrid, i: usize, j: usize) -> NodeWeights {
    let [last, top] = grid.intervals;
    let inside = |axis: usize| if axis == 0 { i < last } else { j < top };
    match layout {
        Layout::Rectangle(rectangle) => {
            let ([x, y], node) = rectangle.bending_weights(i, j);
            let side = |axis: usize| if inside(axis) { rectangle.share(1 - axis, [j, i][axis]) } else { 0.0 };
            let cell = if inside(0) && inside(1) { 1.0 } else { 0.0 };
            NodeWeights { mass: rectangle.weight(i, j), line: [x, y], node, cell, side: [0, 1].map(side) }
        }
        Layout::Disc(disc) => {
            let at = disc.index(i, j);
            let side = |axis: usize| if inside(axis) { disc.side[axis][at] } else { 0.0 };
            let line = [disc.line[0][at], disc.line[1][at]];
            NodeWeights { mass: disc.mass[at], line, node: disc.node[at], cell: disc.cell[at], side: [0, 1].map(side) }
        }
    }
}

impl PlateMaterial {
    /// The energy of a plate on a grid of spacing h \[m\].
    pub fn balance(&self, sums: PlateSums, h: f64, k: f64) -> ElementEnergy {
        let PlateSums { motion, slope, stretch, bend } = sums;
        let density = self.surface_density;
        let parts = [
            0.5 * density * h * h / (k * k) * motion[0],
            0.5 * self.bending / (h * h) * bend,
            0.5 * self.tension * stretch,
            -0.5 * density * self.sigma1 / k * slope[0],
        ];
        let dissipated = |of: usize| 0.5 * density / k * (self.sigma0 * h * h * motion[of] + self.sigma1 * slope[of]);
        ElementEnergy {
            stored: parts.iter().sum(),
            magnitude: parts.iter().map(|part| part.abs()).sum(),
            self_loss: dissipated(0),
            dissipated: 2.0 * dissipated(1),
            ..ElementEnergy::default()
        }
    }
}
