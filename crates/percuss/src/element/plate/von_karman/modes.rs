//! The stress function of a disc in its lowest modes.
//!
//! Operator    A⁻¹ = Σ φφᵀ/λ over the lowest clamped modes φ of the disc in continuous space, ΔΔφ = λφ: the rim is round, not a staircase
//! Modes       those with wave numbers up to `MAX_WAVE_NUMBER`/h, about an eighth of the number of nodes. What F leaves out falls with
//!             λ⁻¹, and the account closes for any A
//! Symmetry    modes are even or odd in x and in y: they are kept on a quarter of the disc
//! Cost        two multiply-adds per mode and node of the quarter
//! Symbols     F in units of h⁴·b
//! Allocates   only in `new`
//! Reference   Ducceschi and Touzé (2015), J. Sound Vib. 344 (F in modes)

use crate::element::oscillator::mode_group::ModeConstants;
use crate::element::plate::GridPlate;
use crate::element::plate::exact::modes::PlateModes;
use crate::element::simd::{Field, Machine, field, mul_add, vectors, vectors_mut, whole_blocks};
use crate::model::{Edge, Plate};
use pulp::{Simd, WithSimd};

/// Largest wave number of a mode, times the spacing of the grid.
const MAX_WAVE_NUMBER: f64 = 1.25;
/// The same times the radius, at least: ten modes.
const MIN_WAVES: f64 = 8.0;
/// Modes that are summed at once.
const GROUP: usize = 4;

/// Nodes in the four quarters of a disc that mirror each other.
#[derive(Clone, Copy, Debug)]
struct Mirrored {
    /// The node, and its images in x, in y and in both.
    images: [usize; 4],
    /// 1 over the number of times that a node is among them.
    share: f64,
}

/// Modes of one symmetry.
#[derive(Clone, Debug)]
struct Symmetry {
    /// h⁻²λ^(−½)φ at the nodes of a quarter, mode by mode, each in whole vectors; whole groups of modes.
    shapes: Field,
    /// b, then F, of this symmetry.
    values: Field,
    stress: Field,
}

/// Solver for the stress function of a disc.
#[derive(Clone, Debug)]
pub(super) struct ModeSolver {
    nodes: Vec<Mirrored>,
    /// Even in x and y, odd in x, odd in y, odd in both.
    symmetries: [Symmetry; 4],
}

impl ModeSolver {
    /// For a round plate on its grid; `has_bracket` tells at which of its nodes there is a b. `None` where the modes are not found.
    pub fn new(plate: &GridPlate, has_bracket: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let [last, _] = plate.grid.intervals;
        let stride = plate.nodes.stride;
        let quarter: Vec<[usize; 2]> = (0..=last / 2)
            .flat_map(|j| (0..=last / 2).map(move |i| [i, j]))
            .filter(|&[i, j]| has_bracket(i, j))
            .collect();
        let nodes = quarter.iter().map(|&[i, j]| {
            let images = [[i, j], [last - i, j], [i, last - j], [last - i, last - j]].map(|[i, j]| j * stride + i);
            Mirrored { images, share: 1.0 / images.iter().filter(|&&image| image == images[0]).count() as f64 }
        });
        let width = whole_blocks(quarter.len());
        let mut shapes: [Vec<f64>; 4] = Default::default();
        for shape in Shapes::of(plate)?.on(&quarter, plate) {
            let own = &mut shapes[shape.symmetry];
            own.extend(&shape.values);
            own.resize(own.len().next_multiple_of(width), 0.0);
        }
        let symmetries = shapes.map(|mut shapes| {
            shapes.resize(shapes.len().next_multiple_of(GROUP * width), 0.0);
            let (values, stress) = (field(width), field(width));
            Symmetry { shapes: Field::from_slice(64, &shapes), values, stress }
        });
        Some(Self { nodes: nodes.collect(), symmetries })
    }

    /// Solves for b at the nodes of the plate, with h = 1; writes F where there is a b, and returns bᵀF.
    pub fn solve(&mut self, machine: Machine, b: &[f64], stress: &mut [f64]) -> f64 {
        machine.dispatch(Solve { solver: self, b, stress })
    }
}

/// A mode on a quarter of the disc.
struct QuarterShape {
    /// 0 to 3: whether it is odd in x, and twice whether it is odd in y.
    symmetry: usize,
    values: Vec<f64>,
}

/// The clamped modes of a disc, and the factors that make them h⁻²λ^(−½)φ with ∫φ² = 1.
struct Shapes {
    modes: PlateModes,
    scales: Vec<f64>,
}

impl Shapes {
    fn of(plate: &GridPlate) -> Option<Self> {
        let GridPlate { description, material, grid, .. } = plate;
        let clamped = Plate {
            edges: [Edge::Clamped; 4],
            tension: 0.0,
            sigma0: 0.0,
            sigma1: 0.0,
            patches: Vec::new(),
            ..description.clone()
        };
        let mut material = *material;
        (material.tension, material.sigma0, material.sigma1) = (0.0, 0.0, 0.0);
        let rate = (material.bending / material.surface_density).sqrt();
        let wave_number = (MAX_WAVE_NUMBER / grid.spacing).max(2.0 * MIN_WAVES / description.size[0]);
        let max_omega = rate * wave_number.powi(2);
        if !PlateModes::can_be_found(&clamped, &material, max_omega) {
            return None;
        }
        let modes = PlateModes::new(&clamped, &material, max_omega)?;
        // λ^(−½) = √(D/ρH)/ω, and ∫ρHφ² is the modal mass.
        let scale =
            |mode: &ModeConstants| rate / (mode.omega * grid.spacing) * (material.surface_density / mode.mass).sqrt();
        Some(Self { scales: modes.modes.iter().map(scale).collect(), modes })
    }

    fn on(&self, quarter: &[[usize; 2]], plate: &GridPlate) -> Vec<QuarterShape> {
        let place = |&[i, j]: &[usize; 2]| [plate.grid.fraction(0, i), plate.grid.fraction(1, j)];
        let is_inside = |[x, y]: [f64; 2]| (x - 0.5).hypot(y - 0.5) < 0.5;
        let count = self.scales.len();
        let values: Vec<Vec<f64>> = quarter
            .iter()
            .map(|node| if is_inside(place(node)) { self.modes.at(place(node)) } else { vec![0.0; count] })
            .collect();
        let symmetries = self.symmetries();
        let shape = |mode: usize| QuarterShape {
            symmetry: symmetries[mode],
            values: values.iter().map(|values| self.scales[mode] * values[mode]).collect(),
        };
        (0..count).map(shape).collect()
    }

    /// Whether each mode is odd in x, and twice whether it is odd in y: from its values at places and their images.
    fn symmetries(&self) -> Vec<usize> {
        let mut products = vec![[0.0; 2]; self.scales.len()];
        for [x, y] in [[0.61, 0.77], [0.83, 0.56], [0.71, 0.67], [0.55, 0.59], [0.93, 0.62]] {
            let [here, across, up] = [[x, y], [1.0 - x, y], [x, 1.0 - y]].map(|place| self.modes.at(place));
            for (mode, products) in products.iter_mut().enumerate() {
                products[0] += here[mode] * across[mode];
                products[1] += here[mode] * up[mode];
            }
        }
        products.iter().map(|[x, y]| usize::from(*x < 0.0) + 2 * usize::from(*y < 0.0)).collect()
    }
}

struct Solve<'a> {
    solver: &'a mut ModeSolver,
    b: &'a [f64],
    stress: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let Self { solver: ModeSolver { nodes, symmetries }, b, stress } = self;
        let [even, odd_x, odd_y, odd] = symmetries;
        let count = nodes.len();
        {
            let (even, odd_x) = (&mut even.values[..count], &mut odd_x.values[..count]);
            let (odd_y, odd) = (&mut odd_y.values[..count], &mut odd.values[..count]);
            for (node, Mirrored { images: [here, across, up, both], share }) in nodes.iter().enumerate() {
                let (here, across) = (share * b[*here], share * b[*across]);
                let (up, both) = (share * b[*up], share * b[*both]);
                even[node] = (here + across) + (up + both);
                odd_x[node] = (here - across) + (up - both);
                odd_y[node] = (here + across) - (up + both);
                odd[node] = (here - across) - (up - both);
            }
        }
        let mut product = even.solve(simd) + odd_x.solve(simd);
        product += odd_y.solve(simd) + odd.solve(simd);
        let (even, odd_x) = (&even.stress[..count], &odd_x.stress[..count]);
        let (odd_y, odd) = (&odd_y.stress[..count], &odd.stress[..count]);
        for (node, Mirrored { images: [here, across, up, both], .. }) in nodes.iter().enumerate() {
            let (of_x, of_y) = (even[node] + odd_y[node], odd_x[node] + odd[node]);
            (stress[*here], stress[*across]) = (of_x + of_y, of_x - of_y);
            let (of_x, of_y) = (even[node] - odd_y[node], odd_x[node] - odd[node]);
            (stress[*up], stress[*both]) = (of_x + of_y, of_x - of_y);
        }
        product
    }
}

impl Symmetry {
    /// F = Σ φ(φ·b) on the quarter; returns b·F.
    #[inline(always)]
    fn solve<S: Simd>(&mut self, simd: S) -> f64 {
        let zero = simd.splat_f64s(0.0);
        let values = vectors::<S>(&self.values);
        let count = values.len();
        let stress = &mut vectors_mut::<S>(&mut self.stress)[..count];
        for value in &mut *stress {
            *value = zero;
        }
        let mut product = 0.0;
        let shapes = vectors::<S>(&self.shapes);
        for first in (0..shapes.len()).step_by(GROUP * count) {
            let (a, b) = (&shapes[first..][..count], &shapes[first + count..][..count]);
            let (c, d) = (&shapes[first + 2 * count..][..count], &shapes[first + 3 * count..][..count]);
            let [mut of_a, mut of_b, mut of_c, mut of_d] = [zero; GROUP];
            for node in 0..count {
                of_a = mul_add(simd, a[node], values[node], of_a);
                of_b = mul_add(simd, b[node], values[node], of_b);
                of_c = mul_add(simd, c[node], values[node], of_c);
                of_d = mul_add(simd, d[node], values[node], of_d);
            }
            let (in_a, in_b) = (simd.reduce_sum_f64s(of_a), simd.reduce_sum_f64s(of_b));
            let (in_c, in_d) = (simd.reduce_sum_f64s(of_c), simd.reduce_sum_f64s(of_d));
            product += in_a * in_a + in_b * in_b + in_c * in_c + in_d * in_d;
            let (in_a, in_b) = (simd.splat_f64s(in_a), simd.splat_f64s(in_b));
            let (in_c, in_d) = (simd.splat_f64s(in_c), simd.splat_f64s(in_d));
            for node in 0..count {
                let low = mul_add(simd, in_b, b[node], mul_add(simd, in_a, a[node], stress[node]));
                let high = mul_add(simd, in_d, d[node], simd.mul_f64s(in_c, c[node]));
                stress[node] = simd.add_f64s(low, high);
            }
        }
        product
    }
}
