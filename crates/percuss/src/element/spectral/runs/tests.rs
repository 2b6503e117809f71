//! Runs in vectors against single nodes.

use crate::element::simd::{ByLane, Kernel, LANES, Machine, whole_blocks};
use crate::element::spectral::fold::Fold;
use crate::element::spectral::operator::{GridOperator, Mirrors};
use crate::element::spectral::runs::{Gather, Scatter};
use proptest::prelude::*;

const SIGMA: f64 = 40.0;
const K: f64 = 1e-3;

/// Nodes (column, row) of a grid that is symmetric about both axes: a rectangle, or a disc in it.
fn grid([columns, rows]: [usize; 2], is_round: bool) -> Vec<(usize, usize)> {
    let distance = |i: usize, count: usize| (2.0 * i as f64 + 1.0) / count as f64 - 1.0;
    let all = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
    all.filter(|&(i, j)| !is_round || distance(i, columns).hypot(distance(j, rows)) < 1.0).collect()
}

fn mirrors(nodes: &[(usize, usize)], [columns, rows]: [usize; 2], is_mirrored: [bool; 2]) -> Mirrors {
    [0, 1].map(|axis| {
        let image = |&(i, j): &(usize, usize)| if axis == 0 { (columns - 1 - i, j) } else { (i, rows - 1 - j) };
        let images = nodes.iter().map(|node| nodes.iter().position(|other| *other == image(node)).unwrap());
        is_mirrored[axis].then(|| images.collect())
    })
}

proptest! {
    #[test]
    fn vectors_of_every_width_fold_and_unfold_as_single_nodes_do(
        size in [3..40_usize, 3..12_usize],
        is_round in any::<bool>(),
        is_mirrored in any::<[bool; 2]>(),
        offset in 0..8_usize,
        random in prop::collection::vec(-1.0..1.0, 997),
    ) {
        let nodes = grid(size, is_round);
        let stride = whole_blocks(size[0] + offset);
        let indices: Vec<usize> = nodes.iter().map(|&(i, j)| (2 + j) * stride + offset + i).collect();
        let count = (size[1] + 4) * stride + LANES;
        let any = |index: usize, part: usize| random[(7 * index + 131 * part) % random.len()];
        // Mirror images have the same mass.
        let mirrors = mirrors(&nodes, size, is_mirrored);
        let image = |node: usize, axis: usize| mirrors[axis].as_ref().map_or(node, |images| images[node]);
        let orbit = |node: usize| [node, image(node, 0), image(node, 1), image(image(node, 0), 1)];
        let mass: Vec<f64> = (0..nodes.len()).map(|n| 1.5 + any(orbit(n).into_iter().min().unwrap(), 0)).collect();
        let grid =
            GridOperator { nodes: &indices, mass: &mass, stiffness: &[], mirrors: mirrors.clone(), sigma0: SIGMA, max_damping: 0.0, k: K };
        let fold = Fold::new(&grid);
        let values: Vec<f64> = (0..count).map(|index| any(index, 1)).collect();
        let runs = fold.runs();
        let [mut widest, mut narrowest] = [runs.fields(), runs.fields()];
        runs.fold(Machine::new(false), &values, &mut widest);
        Gather { runs, values: &values, folded: &mut narrowest }.run(pulp::Scalar, ByLane);
        for parity in 0..fold.parities() {
            let expected = fold.coordinates(parity, |node| values[indices[node]]);
            for folded in [&widest, &narrowest].map(|fields| &fields[parity][runs.coordinates()]) {
                for (orbit, found) in folded.iter().enumerate() {
                    let expected = expected.get(orbit).copied().unwrap_or(0.0);
                    prop_assert!((found - expected).abs() <= 1e-14 * 10.0, "{parity} {orbit}: {expected} {found}");
                }
            }
        }

        let coordinates: Vec<Vec<f64>> = (0..fold.parities())
            .map(|parity| (0..fold.orbits()).map(|orbit| any(orbit, 2 + parity)).collect())
            .collect();
        let mut expected = values.clone();
        for (parity, coordinates) in coordinates.iter().enumerate() {
            for (node, change) in fold.unfold(parity, coordinates).into_iter().enumerate() {
                expected[indices[node]] -= change / (1.0 + SIGMA * K);
            }
        }
        let filled = || {
            let mut fields = runs.fields();
            for (field, coordinates) in fields.iter_mut().zip(&coordinates) {
                field[runs.coordinates()][..coordinates.len()].copy_from_slice(coordinates);
            }
            fields
        };
        let [mut widest, mut narrowest] = [values.clone(), values.clone()];
        runs.subtract_unfolded(Machine::new(false), &mut filled(), &mut widest);
        Scatter { runs, folded: &mut filled(), values: &mut narrowest }.run(pulp::Scalar, ByLane);
        for (index, expected) in expected.iter().enumerate() {
            for found in [widest[index], narrowest[index]] {
                prop_assert!((found - expected).abs() <= 1e-14 * 10.0, "{index}: {expected} {found}");
            }
        }
    }
}
