//! Solver and gradient against plain code.

use crate::element::plate::GridPlate;
use crate::element::plate::von_karman::VonKarmanForm;
use crate::element::plate::von_karman::sines::SineSolver;
use crate::element::simd::Machine;
use crate::element::state::State;
use crate::error::{Check, Subject};
use crate::model::{Edge, Outline, Plate};
use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// The clamped biharmonic operator with h = 1 on the interior nodes, as a matrix.
fn clamped([columns, rows]: [usize; 2]) -> Mat<f64> {
    let count = columns * rows;
    let place = |node: usize| [node % columns, node / columns];
    let laplacian = Mat::from_fn(count, count, |a, b| {
        let [x, y] = [0, 1].map(|axis| place(a)[axis].abs_diff(place(b)[axis]));
        match x + y {
            0 => -4.0,
            1 => 1.0,
            _ => 0.0,
        }
    });
    let mut matrix = &laplacian * &laplacian;
    for node in 0..count {
        let [i, j] = place(node);
        let edges = [i == 0, i + 1 == columns, j == 0, j + 1 == rows];
        matrix[(node, node)] += 2.0 * edges.iter().filter(|edge| **edge).count() as f64;
    }
    matrix
}

fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

#[test]
fn sines_solve_the_clamped_plate() {
    for intervals in [[4_usize, 4], [4, 7], [5, 4], [9, 12], [16, 16], [17, 24], [33, 24]] {
        let [columns, rows] = intervals.map(|n| n - 1);
        let stride = (intervals[0] + 1).next_multiple_of(8);
        let mut random = noise((columns * 100 + rows) as u64);
        let b = Mat::from_fn(columns * rows, 1, |_, _| random());
        let exact = clamped([columns, rows]).llt(Side::Lower).unwrap().solve(&b);
        let mut field = vec![0.0; stride * (intervals[1] + 1)];
        let node = |index: usize| (index / columns + 1) * stride + index % columns + 1;
        (0..columns * rows).for_each(|index| field[node(index)] = b[(index, 0)]);
        let mut stress = vec![0.0; field.len()];
        let mut solver = SineSolver::new(intervals, stride);
        let product = solver.solve(Machine::new(false), &field, &mut stress);
        let largest = (0..columns * rows).map(|index| exact[(index, 0)].abs()).fold(0.0, f64::max);
        let mut exact_product = 0.0;
        for index in 0..columns * rows {
            let error = (stress[node(index)] - exact[(index, 0)]).abs();
            assert!(error < 1e-12 * largest, "{intervals:?}: {error} of {largest}");
            exact_product += b[(index, 0)] * exact[(index, 0)];
        }
        assert!((product / exact_product - 1.0).abs() < 1e-12, "{intervals:?}");
        let is_inside = |at: usize| (0..columns * rows).any(|index| node(index) == at);
        assert!(stress.iter().enumerate().all(|(at, f)| *f == 0.0 || is_inside(at)));
    }
}

/// A plate of 7 by 9 cells with a random displacement, and the energy of its stretching.
fn bent(edge: Edge) -> (VonKarmanForm, State, Vec<usize>) {
    bent_plate(Plate { edges: [edge; 4], grid: Some([7, 9]), ..Plate::steel([0.35, 0.45], 1e-3) })
}

/// A disc of 9 cells.
fn bent_disc(edge: Edge) -> (VonKarmanForm, State, Vec<usize>) {
    let outline = Outline::Disc;
    bent_plate(Plate { edges: [edge; 4], outline, grid: Some([9, 9]), ..Plate::steel([0.45, 0.45], 1e-3) })
}

fn bent_plate(plate: Plate) -> (VonKarmanForm, State, Vec<usize>) {
    let mut state = State::new(Machine::new(false));
    let body = GridPlate::new(&plate, Check(Subject::Element(0)), 5e-5, &mut state).unwrap();
    let form = VonKarmanForm::new(&body, 5e-5, Subject::Interaction(0)).unwrap();
    let mut random = noise(plate.edges[0] as u64 + 3);
    let moving: Vec<usize> = body.moving().map(|(i, j)| body.node(i, j)).collect();
    moving.iter().for_each(|&node| state.u[node] = 1e-3 * random());
    (form, state, moving)
}

#[test]
fn the_weights_are_the_gradient_of_the_energy() {
    let edges = [Edge::SimplySupported, Edge::Clamped, Edge::Free, Edge::FreeFullCell];
    let discs = [Edge::Clamped, Edge::Free].map(bent_disc);
    for (mut form, mut state, moving) in edges.map(bent).into_iter().chain(discs) {
        let first = form.nodes().start;
        let mut g = vec![0.0; form.nodes().len()];
        let psi = form.root(&state, 1.0);
        form.update(psi, false, &state, &mut g);
        let largest = moving.iter().map(|node| (psi * g[node - first]).abs()).fold(0.0, f64::max);
        for &node in &moving {
            let step = 1e-6;
            let mut energy = |by: f64| {
                state.u[node] += by;
                let energy = 0.5 * form.root(&state, 1.0).powi(2);
                state.u[node] -= by;
                energy
            };
            // V is of the fourth degree: the difference is off by a third derivative times the square of the step.
            let slope = (energy(step) - energy(-step)) / (2.0 * step);
            let found = psi * g[node - first];
            assert!((slope - found).abs() < 1e-5 * largest, "{slope} {found}");
        }
        let on_others =
            (0..g.len()).filter(|at| !moving.contains(&(first + at)) && state.inverse_mass[first + at] > 0.0);
        assert_eq!(on_others.count(), 0);
    }
}

/// The energy of w = xy/R, curved in one way only along its diagonals, is 0 except near edges; of a rigid motion it is 0.
#[test]
fn rigid_motions_store_nothing() {
    let (mut form, mut state, moving) = bent(Edge::Free);
    let grid = 8;
    let stride = (form.nodes().len() / 10).max(grid);
    let first = form.nodes().start;
    for &node in &moving {
        let [i, j] = [(node - first) % stride, (node - first) / stride].map(|x| x as f64);
        state.u[node] = 1e-3 * (0.3 + 0.7 * i - 0.4 * j);
    }
    let rigid = form.root(&state, 1.0);
    for &node in &moving {
        let [i, j] = [(node - first) % stride, (node - first) / stride].map(|x| x as f64);
        // A cylinder is developable.
        state.u[node] = 1e-4 * (i + 2.0 * j).powi(2);
    }
    let cylinder = form.root(&state, 1.0);
    for &node in &moving {
        let [i, j] = [(node - first) % stride, (node - first) / stride].map(|x| x as f64);
        state.u[node] = 1e-4 * (i * i + j * j);
    }
    let bowl = form.root(&state, 1.0);
    assert!(rigid < 1e-12 * bowl && cylinder < 1e-6 * bowl, "{rigid} {cylinder} {bowl}");
}
