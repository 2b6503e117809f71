//! Fields on a rectangle as sums and differences of what mirrors each other, and the sines of either parity.
//!
//! Allocates   only in `HalfSines::new`

use crate::element::simd::{Field, field, whole_blocks};
use std::f64::consts::PI;

/// The sines of one parity along an axis, on half of it.
#[derive(Clone, Debug)]
pub(super) struct HalfSines {
    /// Number of nodes, and of sines.
    pub count: usize,
    /// Values from one row of a matrix to the next.
    pub stride: usize,
    /// Values of the sines, orthonormal on the whole axis: node by node, and sine by sine.
    pub by_node: Field,
    pub by_sine: Field,
    /// The same, orthonormal on the half, node by node, without padding.
    pub orthonormal: Vec<f64>,
    /// 2(1 − cos θ) of every sine.
    pub eigenvalues: Vec<f64>,
}

impl HalfSines {
    pub fn new(nodes: usize, is_odd: bool) -> Self {
        let count = (nodes + usize::from(!is_odd)) / 2;
        let stride = whole_blocks(count);
        let angle = |sine: usize| PI * (2 * sine + 1 + usize::from(is_odd)) as f64 / (nodes + 1) as f64;
        let value =
            |node: usize, sine: usize| (2.0 / (nodes + 1) as f64).sqrt() * ((node + 1) as f64 * angle(sine)).sin();
        let (mut by_node, mut by_sine) = (field(stride * count), field(stride * count));
        let mut orthonormal = vec![0.0; count * count];
        for (node, sine) in (0..count).flat_map(|node| (0..count).map(move |sine| (node, sine))) {
            let is_middle = 2 * node + 1 == nodes;
            by_node[node * stride + sine] = value(node, sine);
            by_sine[sine * stride + node] = value(node, sine);
            orthonormal[node * count + sine] = value(node, sine) * if is_middle { 1.0 } else { 2.0_f64.sqrt() };
        }
        let eigenvalues = (0..count).map(|sine| 4.0 * (0.5 * angle(sine)).sin().powi(2)).collect();
        Self { count, stride, by_node, by_sine, orthonormal, eigenvalues }
    }

    /// Values at the node next to the edge.
    pub fn at_edge(&self) -> &[f64] {
        &self.orthonormal[..self.count]
    }
}

/// Splits a row into what is even and odd in x.
#[inline(always)]
pub(super) fn fold_line(line: &[f64], folded: &mut [f64], x: &[HalfSines; 2]) {
    let count = line.len();
    let (even, odd) = folded.split_at_mut(x[0].stride);
    for i in 0..x[1].count {
        let [left, right] = [line[i], line[count - 1 - i]];
        (even[i], odd[i]) = (left + right, left - right);
    }
    if x[0].count > x[1].count {
        even[x[1].count] = line[x[1].count];
    }
}

/// Splits two opposite rows into what is even and odd in x and y.
#[inline(always)]
pub(super) fn fold_rows(lines: [&[f64]; 2], folded: [&mut [f64]; 2], x: &[HalfSines; 2]) {
    let [low, high] = lines;
    let count = low.len();
    let [sums, differences] = folded;
    let ((sum_even, sum_odd), (difference_even, difference_odd)) =
        (sums.split_at_mut(x[0].stride), differences.split_at_mut(x[0].stride));
    let half = x[1].count;
    let [low_left, high_left] = [&low[..half], &high[..half]];
    let [low_right, high_right] = [&low[count - half..], &high[count - half..]];
    let (sum_even_half, sum_odd_half) = (&mut sum_even[..half], &mut sum_odd[..half]);
    let (difference_even_half, difference_odd_half) = (&mut difference_even[..half], &mut difference_odd[..half]);
    for i in 0..half {
        let (left, right) = (low_left[i] + high_left[i], low_right[half - 1 - i] + high_right[half - 1 - i]);
        sum_even_half[i] = left + right;
        sum_odd_half[i] = left - right;
        let (left, right) = (low_left[i] - high_left[i], low_right[half - 1 - i] - high_right[half - 1 - i]);
        difference_even_half[i] = left + right;
        difference_odd_half[i] = left - right;
    }
    if x[0].count > half {
        (sum_even[half], difference_even[half]) = (low[half] + high[half], low[half] - high[half]);
    }
}

/// A row, and the opposite one where there is one.
#[inline(always)]
pub(super) fn unfold_rows(sums: &[f64], differences: Option<&[f64]>, lines: [&mut [f64]; 2], odd_start: usize) {
    let [low, high] = lines;
    let count = low.len();
    let half = count / 2;
    let (even, odd) = sums.split_at(odd_start);
    let Some(differences) = differences else {
        for i in 0..half {
            (low[i], low[count - 1 - i]) = (even[i] + odd[i], even[i] - odd[i]);
        }
        if count % 2 == 1 {
            low[half] = even[half];
        }
        return;
    };
    let (even_difference, odd_difference) = differences.split_at(odd_start);
    if count % 2 == 1 {
        (low[half], high[half]) = (even[half] + even_difference[half], even[half] - even_difference[half]);
    }
    let ((low_left, low_right), (high_left, high_right)) =
        (low.split_at_mut(count - half), high.split_at_mut(count - half));
    let (low_left, high_left) = (&mut low_left[..half], &mut high_left[..half]);
    let (low_right, high_right) = (&mut low_right[..half], &mut high_right[..half]);
    let (even, odd) = (&even[..half], &odd[..half]);
    let (even_difference, odd_difference) = (&even_difference[..half], &odd_difference[..half]);
    for i in 0..half {
        let (left, right) = (even[i] + odd[i], even[i] - odd[i]);
        let left_difference = even_difference[i] + odd_difference[i];
        let right_difference = even_difference[i] - odd_difference[i];
        low_left[i] = left + left_difference;
        high_left[i] = left - left_difference;
        low_right[half - 1 - i] = right + right_difference;
        high_right[half - 1 - i] = right - right_difference;
    }
}
