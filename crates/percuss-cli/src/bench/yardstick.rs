//! What our plates are measured against: the update of a clamped plate that a good programmer would write, and no more.
//!
//! Update      u⁺ = a₁u + a₂Σ₄u + a₃Σₓu + a₄Σ₂u + a₅u⁻ + a₆Σ₄u⁻
//!             Σ₄ the four neighbours, Σₓ those on the diagonals, Σ₂ those two nodes away: 13 points, and 5 for σ₁
//! Grid        row by row, two nodes of zeros around; three fields that take turns (out of place)
//! Vectors     of four where the machine has AVX2, even where it has wider ones, which were slower where we tried. One sweep over
//!             all rows; it runs over the zeros between them, which are set again.

use pulp::{Arch, Simd, WithSimd};

/// Zeros between the last node of a row and the first of the next.
const HALO: usize = 4;
/// Whole vectors may run this far beyond the last node.
const SPARE: usize = 8;

/// The plate, its nodes and coefficients.
pub struct Yardstick {
    nx: usize,
    ny: usize,
    coefficients: [f64; 6],
    /// u⁺, u and u⁻.
    fields: [Vec<f64>; 3],
}

impl Yardstick {
    /// A plate of so many moving nodes, at rest.
    pub fn new(nx: usize, ny: usize) -> Self {
        let (k, sigma0, sigma1, kappa) = (1.0 / 44_100.0, 2.0, 0.005, 0.2_f64);
        // A little coarser than the finest stable grid.
        let h2 = 4.01 * k * (sigma1 + kappa.hypot(sigma1));
        let (stiff, drag, whole) = ((kappa * k / h2).powi(2), 2.0 * sigma1 * k / h2, 1.0 + sigma0 * k);
        let on_now = [2.0 - 20.0 * stiff - 4.0 * drag, 8.0 * stiff + drag, -2.0 * stiff, -stiff];
        let on_before = [sigma0 * k - 1.0 + 4.0 * drag, -drag];
        let mut all = on_now.into_iter().chain(on_before).map(|coefficient| coefficient / whole);
        let coefficients = std::array::from_fn(|_| all.next().unwrap_or(0.0));
        let field = vec![0.0; (nx + HALO) * (ny + 4) + SPARE];
        Self { nx, ny, coefficients, fields: [field.clone(), field.clone(), field] }
    }

    /// Number of nodes that move.
    pub fn nodes(&self) -> usize {
        self.nx * self.ny
    }

    /// Strikes and steps: struck again and again, it never fades to numbers that slow it down.
    pub fn play(&mut self, steps: usize) {
        self.strike();
        (0..steps).for_each(|_| self.step());
    }

    /// Lifts the node in the middle by a millimetre.
    fn strike(&mut self) {
        let middle = (self.ny / 2 + 2) * (self.nx + HALO) + self.nx / 2 + 2;
        self.fields[1][middle] += 1e-3;
    }

    /// Advances by one sample.
    fn step(&mut self) {
        let [next, now, before] = &mut self.fields;
        let (stride, rows) = (self.nx + HALO, self.ny);
        let sweep = Sweep { stride, rows, coefficients: self.coefficients, next, now, before };
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

struct Sweep<'a> {
    stride: usize,
    rows: usize,
    coefficients: [f64; 6],
    next: &'a mut [f64],
    now: &'a [f64],
    before: &'a [f64],
}

/// As many vectors of a field, from four nodes on.
#[inline(always)]
fn vectors<S: Simd>(field: &[f64], starts: [usize; 4], count: usize) -> [&[S::f64s]; 4] {
    let [a, b, c, d] = starts;
    let at = |start: usize| &field[start..];
    [cut::<S>(at(a), count), cut::<S>(at(b), count), cut::<S>(at(c), count), cut::<S>(at(d), count)]
}

#[inline(always)]
fn cut<S: Simd>(field: &[f64], count: usize) -> &[S::f64s] {
    &S::as_simd_f64s(field).0[..count]
}

#[inline(always)]
fn four<S: Simd>(simd: S, fields: [&[S::f64s]; 4], i: usize) -> S::f64s {
    simd.add_f64s(simd.add_f64s(fields[0][i], fields[1][i]), simd.add_f64s(fields[2][i], fields[3][i]))
}

impl WithSimd for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { stride: row, rows, coefficients, next, now, before } = self;
        let first = 2 * row + 2;
        let count = (rows * row - HALO).div_ceil(S::F64_LANES);
        let (next_vectors, _) = S::as_mut_simd_f64s(&mut next[first..]);
        let next_vectors = &mut next_vectors[..count];
        let cross = |reach| [first - reach, first + reach, first - reach * row, first + reach * row];
        let corners = [first - row - 1, first - row + 1, first + row - 1, first + row + 1];
        let (near, far) = (vectors::<S>(now, cross(1), count), vectors::<S>(now, cross(2), count));
        let (diagonal, old_near) = (vectors::<S>(now, corners, count), vectors::<S>(before, cross(1), count));
        let (centre, old) = (cut::<S>(&now[first..], count), cut::<S>(&before[first..], count));
        let [a1, a2, a3, a4, a5, a6] = coefficients.map(|coefficient| simd.splat_f64s(coefficient));
        for (i, next) in next_vectors.iter_mut().enumerate() {
            let sum = simd.mul_add_f64s(a2, four(simd, near, i), simd.mul_f64s(a1, centre[i]));
            let sum = simd.mul_add_f64s(a4, four(simd, far, i), simd.mul_add_f64s(a3, four(simd, diagonal, i), sum));
            *next = simd.mul_add_f64s(a6, four(simd, old_near, i), simd.mul_add_f64s(a5, old[i], sum));
        }
        for halo in next[row - 2..].chunks_exact_mut(row).take(rows + 2) {
            let zeros: Option<&mut [f64; HALO]> = halo.first_chunk_mut();
            zeros.into_iter().for_each(|zeros| *zeros = [0.0; HALO]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The update node by node, from the equation.
    fn plainly(yardstick: &Yardstick) -> Vec<f64> {
        let (row, [_, u, old]) = (yardstick.nx + HALO, &yardstick.fields);
        let mut next = vec![0.0; u.len()];
        for j in 2..yardstick.ny + 2 {
            for n in j * row + 2..j * row + 2 + yardstick.nx {
                let cross = |u: &[f64], by: usize| u[n - by] + u[n + by] + u[n - by * row] + u[n + by * row];
                let diagonal = u[n - row - 1] + u[n - row + 1] + u[n + row - 1] + u[n + row + 1];
                let terms = [u[n], cross(u, 1), diagonal, cross(u, 2), old[n], cross(old, 1)];
                next[n] = terms.iter().zip(yardstick.coefficients).map(|(term, a)| a * term).sum();
            }
        }
        next
    }

    #[test]
    fn sweep_is_the_update_it_claims_to_be() {
        for (nx, ny) in [(20, 20), (13, 7), (5, 4), (33, 9)] {
            let mut yardstick = Yardstick::new(nx, ny);
            yardstick.strike();
            for _ in 0..50 {
                let expected = plainly(&yardstick);
                yardstick.step();
                for (found, expected) in yardstick.fields[1].iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-17, "{nx} × {ny}: {found} against {expected}");
                }
            }
            assert!(yardstick.fields[1].iter().any(|u| u.abs() > 1e-6), "{nx} × {ny} moves");
        }
    }
}
