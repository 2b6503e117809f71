//! An image of pressures, resampled at the nodes of a plate.
//!
//! Image       P(x, y): pixels at equal distances from side to side, the outermost on the edges, straight lines between
//! Nodes       p̄ = ∫φP/∫φ, φ the bilinear hat of a node, cut off at the edges of the grid: every pixel presses on the nodes
//!             around it, Σp̄∫φ = ∫P exactly, and an image of one pressure presses all nodes with it
//! Order       along x row of pixels by row of pixels, then along y; between breakpoints, which are nodes and pixels, both
//!             φ and P are straight lines, and ∫φP = ⅙L(2f₀p₀ + f₀p₁ + f₁p₀ + 2f₁p₁)
//! Allocates   no
//! Reference   van Walstijn, Bhanuprakash and Stapleton (2021), sec. 5.2

use crate::element::plate::grid::PlateGrid;
use crate::element::plate::layer::coverage::inverse_cell_share;
use std::ops::Range;

/// An image of pressures from 0 to 1, row by row from y = 0. A value that is not finite counts as 0.
#[derive(Clone, Copy)]
pub(crate) struct PressureImage<'a> {
    width: usize,
    values: &'a [f64],
}

/// A part of an interval between two nodes that lies between two pixels.
#[derive(Clone, Copy, Debug)]
struct PixelOverlap {
    /// The pixels to the left and right.
    pixels: [usize; 2],
    /// Where it starts and ends between the nodes, from 0 to 1.
    node_positions: [f64; 2],
    /// Where it starts and ends between the pixels, from 0 to 1.
    pixel_positions: [f64; 2],
}

impl PixelOverlap {
    /// ∫φP for the nodes to the left and right, of what each of the two pixels presses with.
    fn weights(&self) -> [[f64; 2]; 2] {
        let ([from, to], [start, end]) = (self.node_positions, self.pixel_positions);
        let sixth = (to - from) / 6.0;
        let product =
            |f: [f64; 2], p: [f64; 2]| sixth * (2.0 * (f[0] * p[0] + f[1] * p[1]) + f[0] * p[1] + f[1] * p[0]);
        let (left, right) = ([1.0 - from, 1.0 - to], [from, to]);
        let (first, second) = ([1.0 - start, 1.0 - end], [start, end]);
        [[product(left, first), product(left, second)], [product(right, first), product(right, second)]]
    }
}

/// The overlaps of the interval after a node with so many pixels along an axis.
fn pixel_overlaps(grid: &PlateGrid, axis: usize, node: usize, pixels: usize) -> impl Iterator<Item = PixelOverlap> {
    let last = pixels - 1;
    // Beyond the rim of a round plate the outermost pixels go on.
    let place = |node: usize| grid.fraction(axis, node).clamp(0.0, 1.0) * last as f64;
    let (start, end) = (place(node), place(node + 1));
    let first = (start as usize).min(last.saturating_sub(1));
    let beyond = (end.ceil() as usize).clamp(first + 1, last.max(first + 1));
    (first..beyond).map(move |pixel| {
        let (from, to) = (start.max(pixel as f64), end.min((pixel + 1) as f64));
        let between = |x: f64| if end > start { (x - start) / (end - start) } else { 0.0 };
        let node_positions = if end > start { [between(from), between(to)] } else { [0.0, 1.0] };
        PixelOverlap {
            pixels: [pixel, (pixel + 1).min(last)],
            node_positions,
            pixel_positions: [from - pixel as f64, to - pixel as f64],
        }
    })
}

impl<'a> PressureImage<'a> {
    /// `None` without a full row.
    pub fn new(width: usize, values: &'a [f64]) -> Option<Self> {
        (width > 0 && values.len() >= width).then_some(Self { width, values })
    }

    fn pixel(&self, row: usize, column: usize) -> f64 {
        let value = self.values[row * self.width + column];
        if value.is_finite() { value.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Resamples rows of pixels along x, as many as `nodes` has rows; returns which.
    fn resample_rows(&self, first: usize, grid: &PlateGrid, stride: usize, nodes: &mut [f64]) -> Range<usize> {
        let rows = first..(first + nodes.len() / stride).min(self.values.len() / self.width);
        nodes.fill(0.0);
        for node in 0..grid.intervals[0] {
            for overlap in pixel_overlaps(grid, 0, node, self.width) {
                let [[a, b], [c, d]] = overlap.weights();
                for (row, onto) in rows.clone().zip(nodes.chunks_exact_mut(stride)) {
                    let [left, right] = overlap.pixels.map(|column| self.pixel(row, column));
                    onto[node] += a * left + b * right;
                    onto[node + 1] += c * left + d * right;
                }
            }
        }
        rows
    }

    /// Sets the pressures of the nodes of a grid, whose rows are `stride` apart; `scratch` is as long as `nodes`.
    pub fn resample(&self, grid: &PlateGrid, stride: usize, nodes: &mut [f64], scratch: &mut [f64]) {
        let ([columns, rows], height) = (grid.intervals, self.values.len() / self.width);
        nodes.fill(0.0);
        let mut resampled = 0..0;
        for j in 0..rows {
            for overlap in pixel_overlaps(grid, 1, j, height) {
                if overlap.pixels.iter().any(|row| !resampled.contains(row)) {
                    resampled = self.resample_rows(overlap.pixels[0], grid, stride, scratch);
                }
                let [below, above] = overlap.weights();
                for (side, row) in overlap.pixels.into_iter().enumerate() {
                    let from = &scratch[(row - resampled.start) * stride..][..=columns];
                    for (j, weight) in [(j, below[side]), (j + 1, above[side])] {
                        let onto = &mut nodes[j * stride..][..=columns];
                        onto.iter_mut().zip(from).for_each(|(node, pressed)| *node += weight * pressed);
                    }
                }
            }
        }
        for (j, row) in nodes.chunks_exact_mut(stride).enumerate() {
            for (i, node) in row[..=columns].iter_mut().enumerate() {
                *node = (*node * (inverse_cell_share(i, columns) * inverse_cell_share(j, rows))).min(1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(intervals: [usize; 2], margin: usize) -> PlateGrid {
        let [spacing, least_spacing] = [0.1; 2];
        PlateGrid { intervals, margin, spacing, least_spacing, size: [1.0; 2] }
    }

    /// Pressures on the nodes of a grid, row by row.
    fn resampled(grid: &PlateGrid, width: usize, values: &[f64]) -> Vec<f64> {
        let [columns, rows] = grid.intervals.map(|n| n + 1);
        let mut nodes = vec![f64::NAN; columns * rows];
        PressureImage::new(width, values).unwrap().resample(
            grid,
            columns,
            &mut nodes,
            &mut vec![f64::NAN; columns * rows],
        );
        nodes
    }

    /// Σ of values times what each stands for, the outermost half as much.
    fn total(width: usize, values: &[f64]) -> f64 {
        let share = |at: usize, last: usize| 1.0 / (inverse_cell_share(at, last) * last as f64);
        let share = |at: usize, count: usize| if count == 1 { 1.0 } else { share(at, count - 1) };
        let height = values.len() / width;
        values.iter().enumerate().map(|(n, value)| value * share(n % width, width) * share(n / width, height)).sum()
    }

    proptest! {
        #[test]
        fn images_of_any_resolution_keep_their_force(
            intervals in [4..20_usize, 4..20_usize],
            width in 1..40_usize,
            pixels in prop::collection::vec(0.0..1.0, 40 * 30),
        ) {
            let values = &pixels[..pixels.len() / width * width];
            let grid = grid(intervals, 0);
            let (found, expected) = (total(intervals[0] + 1, &resampled(&grid, width, values)), total(width, values));
            prop_assert!((found / expected - 1.0).abs() < 1e-12, "{found}, not {expected}");
        }

        #[test]
        fn an_image_of_one_pressure_presses_all_nodes_with_it(
            intervals in [4..20_usize, 4..20_usize],
            [width, height] in [1..60_usize, 1..60_usize],
            pressure in 0.0..1.0,
            margin in 0..2_usize,
        ) {
            let nodes = resampled(&grid(intervals, margin), width, &vec![pressure; width * height]);
            prop_assert!(nodes.iter().all(|node| (node - pressure).abs() < 1e-14), "{nodes:?}");
        }
    }

    #[test]
    fn a_pixel_between_nodes_presses_all_four_and_no_others() {
        let mut values = [0.0; 81 * 81];
        values[45 * 81 + 35] = 1.0;
        let nodes = resampled(&grid([8, 8], 0), 81, &values);
        let pressed: Vec<_> = (0..81).filter(|&node| nodes[node] > 0.0).collect();
        assert_eq!(pressed, [4 * 9 + 3, 4 * 9 + 4, 5 * 9 + 3, 5 * 9 + 4]);
        assert!(pressed.iter().all(|&node| (nodes[node] / 0.0025 - 1.0).abs() < 1e-12));
    }

    #[test]
    fn what_is_not_a_pressure_presses_no_more_than_it_may() {
        let values = [f64::NAN, f64::INFINITY, -3.0, 7.0];
        assert!(resampled(&grid([6, 5], 0), 2, &values).iter().all(|node| (0.0..=1.0).contains(node)));
        assert!(PressureImage::new(0, &values).is_none() && PressureImage::new(5, &values).is_none());
    }
}
