//! Baseline of the plate benchmark: a direct implementation of the update of a clamped plate, vectorised.
//!
//! Update      u⁺ = a₁u + a₂Σ₄u + a₃Σₓu + a₄Σ₂u + a₅u⁻ + a₆Σ₄u⁻
//!             Σ₄ the four neighbours, Σₓ the diagonal ones, Σ₂ those two nodes away: 13 points, and 5 for σ₁
//! Grid        row by row with a border of two zeros; three arrays that rotate (out of place)
//! Vectors     four lanes with AVX2, also on machines with wider vectors, which were slower on those tested. One sweep over
//!             all rows; it also writes the zeros between them, which are then reset.

use pulp::{Arch, Simd, WithSimd};

/// Zeros between the last node of a row and the first of the next.
const ROW_GAP: usize = 4;
/// Padding for vectors that extend beyond the last node.
const TAIL_PADDING: usize = 8;

/// A clamped plate with the standard update.
pub struct Baseline {
    nx: usize,
    ny: usize,
    coefficients: [f64; 6],
    /// u⁺, u and u⁻.
    fields: [Vec<f64>; 3],
}

impl Baseline {
    /// A plate of nx × ny moving nodes, at rest.
    pub fn new(nx: usize, ny: usize) -> Self {
        let (k, sigma0, sigma1, kappa) = (1.0 / 44_100.0, 2.0, 0.005, 0.2_f64);
        // Slightly coarser than the finest stable grid.
        let h2 = 4.01 * k * (sigma1 + kappa.hypot(sigma1));
        let (stiffness, damping, denominator) = ((kappa * k / h2).powi(2), 2.0 * sigma1 * k / h2, 1.0 + sigma0 * k);
        let on_current =
            [2.0 - 20.0 * stiffness - 4.0 * damping, 8.0 * stiffness + damping, -2.0 * stiffness, -stiffness];
        let on_previous = [sigma0 * k - 1.0 + 4.0 * damping, -damping];
        let mut all = on_current.into_iter().chain(on_previous).map(|coefficient| coefficient / denominator);
        let coefficients = std::array::from_fn(|_| all.next().unwrap_or(0.0));
        let field = vec![0.0; (nx + ROW_GAP) * (ny + 4) + TAIL_PADDING];
        Self { nx, ny, coefficients, fields: [field.clone(), field.clone(), field] }
    }

    /// Number of moving nodes.
    pub fn nodes(&self) -> usize {
        self.nx * self.ny
    }

    /// Strikes the plate and steps it; the strike keeps values from becoming subnormal, which would slow the update down.
    pub fn run(&mut self, steps: usize) {
        self.strike();
        (0..steps).for_each(|_| self.step());
    }

    /// Displaces the centre node by a millimetre.
    fn strike(&mut self) {
        let middle = (self.ny / 2 + 2) * (self.nx + ROW_GAP) + self.nx / 2 + 2;
        self.fields[1][middle] += 1e-3;
    }

    /// Advances by one sample.
    fn step(&mut self) {
        let [next, current, previous] = &mut self.fields;
        let (stride, rows) = (self.nx + ROW_GAP, self.ny);
        let sweep = UpdateSweep { stride, rows, coefficients: self.coefficients, next, current, previous };
        #[cfg(target_arch = "x86_64")]
        match pulp::x86::V3::try_new() {
            Some(four_wide) => Simd::vectorize(four_wide, sweep),
            None => Arch::new().dispatch(sweep),
        }
        #[cfg(not(target_arch = "x86_64"))]
        Arch::new().dispatch(sweep);
        self.fields.rotate_right(1);
    }
}

struct UpdateSweep<'a> {
    stride: usize,
    rows: usize,
    coefficients: [f64; 6],
    next: &'a mut [f64],
    current: &'a [f64],
    previous: &'a [f64],
}

/// `count` vectors of a field from each of four start nodes.
#[inline(always)]
fn shifted_vectors<S: Simd>(field: &[f64], starts: [usize; 4], count: usize) -> [&[S::f64s]; 4] {
    let [a, b, c, d] = starts;
    let at = |start: usize| &field[start..];
    [
        take_vectors::<S>(at(a), count),
        take_vectors::<S>(at(b), count),
        take_vectors::<S>(at(c), count),
        take_vectors::<S>(at(d), count),
    ]
}

#[inline(always)]
fn take_vectors<S: Simd>(field: &[f64], count: usize) -> &[S::f64s] {
    &S::as_simd_f64s(field).0[..count]
}

#[inline(always)]
fn sum_of_four<S: Simd>(simd: S, fields: [&[S::f64s]; 4], i: usize) -> S::f64s {
    simd.add_f64s(simd.add_f64s(fields[0][i], fields[1][i]), simd.add_f64s(fields[2][i], fields[3][i]))
}

impl WithSimd for UpdateSweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { stride: row, rows, coefficients, next, current, previous } = self;
        let first = 2 * row + 2;
        let count = (rows * row - ROW_GAP).div_ceil(S::F64_LANES);
        let (next_vectors, _) = S::as_mut_simd_f64s(&mut next[first..]);
        let next_vectors = &mut next_vectors[..count];
        let cross = |reach| [first - reach, first + reach, first - reach * row, first + reach * row];
        let corners = [first - row - 1, first - row + 1, first + row - 1, first + row + 1];
        let (near, far) =
            (shifted_vectors::<S>(current, cross(1), count), shifted_vectors::<S>(current, cross(2), count));
        let (diagonal, old_near) =
            (shifted_vectors::<S>(current, corners, count), shifted_vectors::<S>(previous, cross(1), count));
        let (centre, old) = (take_vectors::<S>(&current[first..], count), take_vectors::<S>(&previous[first..], count));
        let [a1, a2, a3, a4, a5, a6] = coefficients.map(|coefficient| simd.splat_f64s(coefficient));
        for (i, next) in next_vectors.iter_mut().enumerate() {
            let sum = simd.mul_add_f64s(a2, sum_of_four(simd, near, i), simd.mul_f64s(a1, centre[i]));
            let sum = simd.mul_add_f64s(
                a4,
                sum_of_four(simd, far, i),
                simd.mul_add_f64s(a3, sum_of_four(simd, diagonal, i), sum),
            );
            *next = simd.mul_add_f64s(a6, sum_of_four(simd, old_near, i), simd.mul_add_f64s(a5, old[i], sum));
        }
        for halo in next[row - 2..].chunks_exact_mut(row).take(rows + 2) {
            let zeros: Option<&mut [f64; ROW_GAP]> = halo.first_chunk_mut();
            zeros.into_iter().for_each(|zeros| *zeros = [0.0; ROW_GAP]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One step node by node, from the equation.
    fn reference_update(baseline: &Baseline) -> Vec<f64> {
        let (row, [_, u, old]) = (baseline.nx + ROW_GAP, &baseline.fields);
        let mut next = vec![0.0; u.len()];
        for j in 2..baseline.ny + 2 {
            for n in j * row + 2..j * row + 2 + baseline.nx {
                let cross = |u: &[f64], by: usize| u[n - by] + u[n + by] + u[n - by * row] + u[n + by * row];
                let diagonal = u[n - row - 1] + u[n - row + 1] + u[n + row - 1] + u[n + row + 1];
                let terms = [u[n], cross(u, 1), diagonal, cross(u, 2), old[n], cross(old, 1)];
                next[n] = terms.iter().zip(baseline.coefficients).map(|(term, a)| a * term).sum();
            }
        }
        next
    }

    #[test]
    fn vectorised_update_equals_the_equation() {
        for (nx, ny) in [(20, 20), (13, 7), (5, 4), (33, 9)] {
            let mut baseline = Baseline::new(nx, ny);
            baseline.strike();
            for _ in 0..50 {
                let expected = reference_update(&baseline);
                baseline.step();
                for (found, expected) in baseline.fields[1].iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-17, "{nx} × {ny}: {found} against {expected}");
                }
            }
            assert!(baseline.fields[1].iter().any(|u| u.abs() > 1e-6), "{nx} × {ny} moves");
        }
    }
}
