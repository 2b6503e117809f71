//! Regions of a plate at one instant, rasterized on its nodes.
//!
//! Nodes       p̄ = ∫φ/∫φ, over the region and over the plate, φ the bilinear hat of a node, cut off at the edges of the grid:
//!             Σp̄∫φ is the area that is covered, wherever between nodes it lies, and moves smoothly with it
//! Strips      a region is swept along one axis; at each place it covers a strip along the other, of which the integrals are
//!             known exactly. The sweep goes by Gauss's rule with four points from node to node, along a circle in the
//!             angle: of arcs of a cell at most, its error is rounding, but where the rim passes a node (below 1e-3)
//! Sums        a strip only writes where it begins and where it ends; a running sum along it follows at the end
//! Work        in proportion to the rim, and one pass over the nodes
//! Allocates   no

use std::f64::consts::{FRAC_PI_2, FRAC_PI_6};

/// Nodes and weights of Gauss's rule on −1 to 1.
const GAUSS: [(f64, f64); 4] = [
    (-0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    (-0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
    (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
];

/// Longest arc of a circle by Gauss's rule \[rad\], and most arcs between two nodes: enough for radii of 500 cells.
const MAX_ARC: f64 = FRAC_PI_6;
const MAX_ARCS: f64 = 32.0;

/// Rounding error of running sums, at 0 and at 1.
const ROUNDING: f64 = 1e-9;

/// A region at one instant; places and lengths in cells, counted from the first node of the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Coverage {
    Everywhere,
    Disc {
        centre: [f64; 2],
        radius: f64,
        inside: bool,
    },
    Box {
        from: [f64; 2],
        to: [f64; 2],
    },
    /// Where direction·place is below the level.
    Below {
        direction: [f64; 2],
        level: f64,
    },
}

impl Coverage {
    /// Share of every node that is covered; rows of nodes are `stride` apart; `scratch` is as long as `nodes`.
    pub fn rasterize(&self, intervals: [usize; 2], stride: usize, nodes: &mut [f64], scratch: &mut [f64]) {
        self.sweep(CoverageGrid { nodes, intervals, stride, along: 1 });
        // Both ways, so that the result is as symmetric as the disc: what a sweep is off by where the rim passes a node depends on its
        // axis, and modes in pairs are sensitive to it.
        if matches!(self, Self::Disc { .. }) {
            self.sweep(CoverageGrid { nodes: scratch, intervals, stride, along: 0 });
            nodes.iter_mut().zip(scratch).for_each(|(node, other)| *node = 0.5 * (*node + *other));
        }
    }

    fn sweep(&self, mut grid: CoverageGrid<'_>) {
        grid.nodes.fill(0.0);
        match *self {
            Self::Everywhere => return grid.map(|_| 1.0),
            Self::Disc { centre, radius, .. } => grid.add_disc(centre, radius),
            Self::Box { from, to } => grid.add_box(from, to),
            Self::Below { direction, level } => grid.add_below(direction, level),
        }
        grid.accumulate();
        let outside = matches!(self, Self::Disc { inside: false, .. });
        grid.map(|covered| {
            let covered = match covered {
                less if less < ROUNDING => 0.0,
                more if more > 1.0 - ROUNDING => 1.0,
                part => part,
            };
            if outside { 1.0 - covered } else { covered }
        });
    }
}

/// Nodes on which strips are summed.
struct CoverageGrid<'a> {
    nodes: &'a mut [f64],
    intervals: [usize; 2],
    stride: usize,
    /// The axis along which strips lie.
    along: usize,
}

impl CoverageGrid<'_> {
    /// Steps from a node to the next, across strips and along them.
    fn steps(&self) -> [usize; 2] {
        if self.along == 1 { [1, self.stride] } else { [self.stride, 1] }
    }

    /// Places across strips between two bounds, from node to node; none beyond the grid.
    fn pieces(&self, from: f64, to: f64) -> impl Iterator<Item = [f64; 2]> + use<> {
        let last = self.intervals[1 - self.along];
        let (from, to) = (from.clamp(0.0, last as f64), to.clamp(0.0, last as f64));
        let piece = move |i: usize| [from.max(i as f64), to.min((i + 1) as f64)];
        (from as usize..=last).map(piece).take_while(move |piece| piece[0] < to).filter(|piece| piece[0] < piece[1])
    }

    /// Adds a strip of some width at a place, from one place to another along it.
    fn add_strip(&mut self, place: f64, width: f64, [from, to]: [f64; 2]) {
        let (last, top) = (self.intervals[1 - self.along], self.intervals[self.along]);
        let (from, to) = (from.clamp(0.0, top as f64), to.clamp(0.0, top as f64));
        if from >= to {
            return;
        }
        for (end, width) in [(from, -width), (to, width)] {
            self.add_end(place.min(last as f64), end, width);
        }
    }

    /// Adds what lies below an end to the hats of nodes, as differences along the strip.
    fn add_end(&mut self, place: f64, end: f64, width: f64) {
        let [step, ahead] = self.steps();
        let column = (place as usize).min(self.intervals[1 - self.along] - 1);
        let row = (end as usize).min(self.intervals[self.along] - 1);
        let (right, t) = (place - column as f64, end - row as f64);
        // It covers the node above by ½t², that below by ½ + t − ½t² and all others wholly.
        let (above, below) = (0.5 * t * t, 0.5 + t - t * t);
        for (column, width) in [(column, (1.0 - right) * width), (column + 1, right * width)] {
            let node = column * step + row * ahead;
            self.nodes[node + ahead] += above * width;
            self.nodes[node] += below * width;
            if row > 0 {
                self.nodes[node - ahead] += (1.0 - below - above) * width;
            }
        }
    }

    /// Turns what strips wrote at their ends into what they cover.
    fn accumulate(&mut self) {
        let [across, along] = [self.intervals[1 - self.along], self.intervals[self.along]];
        let [step, ahead] = self.steps();
        for row in (0..along).rev() {
            for column in 0..=across {
                let node = column * step + row * ahead;
                self.nodes[node] += self.nodes[node + ahead];
            }
        }
    }

    /// Changes all nodes, given the share of each that is covered.
    fn map(&mut self, change: impl Fn(f64) -> f64) {
        let [columns, rows] = self.intervals;
        for j in 0..=rows {
            let row = &mut self.nodes[j * self.stride..][..=columns];
            for (i, node) in row.iter_mut().enumerate() {
                *node = change(*node * (inverse_cell_share(i, columns) * inverse_cell_share(j, rows)));
            }
        }
    }

    fn add_disc(&mut self, centre: [f64; 2], radius: f64) {
        if radius <= 0.0 {
            return;
        }
        let [x, y] = [centre[1 - self.along], centre[self.along]];
        let (left, right) = (x - radius, x + radius);
        // At its ends the angle would be known to the root of rounding only.
        let angle = |place: f64| match place {
            start if start <= left => -FRAC_PI_2,
            end if end >= right => FRAC_PI_2,
            between => ((between - x) / radius).clamp(-1.0, 1.0).asin(),
        };
        for [from, to] in self.pieces(left, right) {
            let (from, to) = (angle(from), angle(to));
            // As many on either side, whatever rounding does.
            let arcs = ((to - from) / MAX_ARC.min(1.0 / radius) - ROUNDING).ceil().clamp(1.0, MAX_ARCS);
            let arc = (to - from) / arcs;
            for n in 0..arcs as usize {
                for (theta, width) in gauss(from + n as f64 * arc, arc) {
                    let (sine, cosine) = theta.sin_cos();
                    let half = radius * cosine;
                    self.add_strip(x + radius * sine, half * width, [y - half, y + half]);
                }
            }
        }
    }

    fn add_box(&mut self, from: [f64; 2], to: [f64; 2]) {
        for [left, right] in self.pieces(from[0], to[0]) {
            // Bilinear functions are straight lines between nodes.
            self.add_strip(0.5 * (left + right), right - left, [from[1], to[1]]);
        }
    }

    fn add_below(&mut self, direction: [f64; 2], level: f64) {
        // Strips that end at the line as steeply as it can be.
        self.along = usize::from(direction[1].abs() >= direction[0].abs());
        let [slope, normal] = [direction[1 - self.along], direction[self.along]];
        for [left, right] in self.pieces(0.0, f64::INFINITY) {
            for (place, width) in gauss(left, right - left) {
                let end = (level - slope * place) / normal;
                let strip = if normal > 0.0 { [0.0, end] } else { [end, f64::INFINITY] };
                self.add_strip(place, width, strip);
            }
        }
    }
}

/// One over the share of a cell that a node stands for along an axis of some intervals.
pub(crate) fn inverse_cell_share(node: usize, intervals: usize) -> f64 {
    if node == 0 || node == intervals { 2.0 } else { 1.0 }
}

/// Places and weights of Gauss's rule on an interval.
fn gauss(start: f64, length: f64) -> [(f64, f64); 4] {
    GAUSS.map(|(at, weight)| (start + 0.5 * length * (1.0 + at), 0.5 * length * weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    const INTERVALS: [usize; 2] = [13, 9];
    const STRIDE: usize = 16;
    /// Points per cell and axis of the plain sum.
    const POINTS_PER_CELL: usize = 40;

    fn rasterized(coverage: Coverage) -> Vec<f64> {
        let mut nodes = vec![0.0; STRIDE * (INTERVALS[1] + 1)];
        let mut scratch = vec![f64::NAN; nodes.len()];
        coverage.rasterize(INTERVALS, STRIDE, &mut nodes, &mut scratch);
        nodes
    }

    fn on_grid() -> impl Iterator<Item = (usize, usize)> {
        (0..=INTERVALS[1]).flat_map(|j| (0..=INTERVALS[0]).map(move |i| (i, j)))
    }

    /// Area that is covered, in cells.
    fn area(nodes: &[f64]) -> f64 {
        on_grid()
            .map(|(i, j)| {
                nodes[j * STRIDE + i] / (inverse_cell_share(i, INTERVALS[0]) * inverse_cell_share(j, INTERVALS[1]))
            })
            .sum()
    }

    fn contains(coverage: &Coverage, [x, y]: [f64; 2]) -> bool {
        match *coverage {
            Coverage::Everywhere => true,
            Coverage::Disc { centre, radius, inside } => ((x - centre[0]).hypot(y - centre[1]) < radius) == inside,
            Coverage::Box { from, to } => (from[0]..to[0]).contains(&x) && (from[1]..to[1]).contains(&y),
            Coverage::Below { direction, level } => direction[0] * x + direction[1] * y < level,
        }
    }

    /// ∫φ over a region and over the plate, by a sum over points.
    fn plain(coverage: &Coverage, (i, j): (usize, usize)) -> f64 {
        let (mut covered, mut whole) = (0.0, 0.0);
        let place = |node: usize, n: usize| node as f64 - 1.0 + (n as f64 + 0.5) / POINTS_PER_CELL as f64;
        for (n, m) in (0..2 * POINTS_PER_CELL).flat_map(|n| (0..2 * POINTS_PER_CELL).map(move |m| (n, m))) {
            let at = [place(i, n), place(j, m)];
            if (0..2).all(|axis| (0.0..INTERVALS[axis] as f64).contains(&at[axis])) {
                let away = [(at[0] - i as f64).abs(), (at[1] - j as f64).abs()];
                let hat = (1.0 - away[0]) * (1.0 - away[1]);
                whole += hat;
                covered += if contains(coverage, at) { hat } else { 0.0 };
            }
        }
        covered / whole
    }

    fn any_coverage() -> impl Strategy<Value = Coverage> {
        let place = || [-2.0..15.0, -2.0..11.0];
        prop_oneof![
            (place(), 0.0..8.0, any::<bool>()).prop_map(|(centre, radius, inside)| Coverage::Disc {
                centre,
                radius,
                inside
            }),
            (place(), [0.0..9.0, 0.0..9.0])
                .prop_map(|(from, size)| Coverage::Box { from, to: [from[0] + size[0], from[1] + size[1]] }),
            ([-1.0..1.0, 0.01..1.0], -5.0..15.0).prop_map(|(direction, level)| Coverage::Below { direction, level }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn nodes_are_covered_by_the_share_of_their_hats(coverage in any_coverage()) {
            let nodes = rasterized(coverage);
            for (i, j) in on_grid() {
                let (found, expected) = (nodes[j * STRIDE + i], plain(&coverage, (i, j)));
                prop_assert!((0.0..=1.0).contains(&found));
                // The plain sum itself is off by a point along the rim.
                prop_assert!((found - expected).abs() < 0.03, "({i}, {j}): {found}, not {expected}");
            }
        }

        #[test]
        fn a_disc_covers_its_area_wherever_it_lies(
            centre in [3.0..10.0, 3.0..6.0],
            radius in 0.01..3.0,
        ) {
            let covered = area(&rasterized(Coverage::Disc { centre, radius, inside: true }));
            prop_assert!((covered / (PI * radius * radius) - 1.0).abs() < 1e-6, "{covered}");
            let rest = area(&rasterized(Coverage::Disc { centre, radius, inside: false }));
            prop_assert!((covered + rest - 117.0).abs() < 1e-6);
        }

        #[test]
        fn a_box_covers_its_area_wherever_it_lies(
            from in [0.0..6.0, 0.0..5.0],
            size in [0.01..7.0, 0.01..4.0],
        ) {
            let covered = area(&rasterized(Coverage::Box { from, to: [from[0] + size[0], from[1] + size[1]] }));
            let whole: f64 = size[0] * size[1];
            prop_assert!((covered / whole - 1.0).abs() < 1e-6, "{covered}");
        }

        #[test]
        fn a_line_through_the_centre_leaves_half_on_either_side(
            direction in [-1.0..1.0, 0.01..1.0],
        ) {
            let level = 6.5 * direction[0] + 4.5 * direction[1];
            let covered = area(&rasterized(Coverage::Below { direction, level }));
            prop_assert!((covered / 58.5 - 1.0).abs() < 1e-3, "{covered}");
        }
    }

    #[test]
    fn the_outside_of_a_circle_is_as_symmetric_as_the_circle() {
        let (intervals, count) = ([40; 2], 41);
        for radius in [10.0, 13.0, 17.3] {
            let [mut nodes, mut scratch] = [vec![0.0; count * count], vec![0.0; count * count]];
            let coverage = Coverage::Disc { centre: [20.0; 2], radius, inside: false };
            coverage.rasterize(intervals, count, &mut nodes, &mut scratch);
            for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                let at = |i: usize, j: usize| nodes[j * count + i];
                for other in [at(j, i), at(40 - i, j), at(i, 40 - j)] {
                    assert!((at(i, j) - other).abs() < 1e-12, "({i}, {j}): {}, {other}", at(i, j));
                }
            }
        }
    }

    #[test]
    fn nodes_far_from_the_rim_are_covered_wholly_or_not_at_all() {
        let centre = [6.3, 4.6];
        let nodes = rasterized(Coverage::Disc { centre, radius: 4.0, inside: true });
        for (i, j) in on_grid() {
            let away = (i as f64 - centre[0]).hypot(j as f64 - centre[1]);
            if away < 4.0 - 2_f64.sqrt() {
                assert_eq!(nodes[j * STRIDE + i], 1.0);
            } else if away > 4.0 + 2_f64.sqrt() {
                assert_eq!(nodes[j * STRIDE + i], 0.0);
            }
        }
        for coverage in [Coverage::Everywhere, Coverage::Disc { centre, radius: 1e6, inside: true }] {
            assert_eq!(rasterized(coverage).iter().sum::<f64>(), 140.0);
        }
    }
}
