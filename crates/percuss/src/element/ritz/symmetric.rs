//! Symmetric matrices: factors, inverses, eigenvalues. Samples must have the same bits on every processor, so every sum has a fixed order:
//! vectors of any width add the same numbers.
//!
//! Eigenvalues  A = QTQᵀ with T tridiagonal, by reflections H = 1 − βvvᵀ; of T by the implicit QL method with Wilkinson's shifts
//! Symbols      columns are stored one after another, n numbers each; d, e diagonal and subdiagonal of T
//! Cost         about 8n³ operations
//! Allocates    copies of the matrices
//! Reference    Golub and Van Loan (2013), Matrix Computations, sec. 8.3; Dubrulle, Martin and Wilkinson (1968)

use pulp::Arch;

/// Steps for an eigenvalue; more than two are rare.
const MAX_STEPS: usize = 60;

/// A square matrix, column by column.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    count: usize,
    values: Vec<f64>,
}

impl Columns {
    /// From its entries in row i and column j.
    pub fn from_fn(count: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let values = (0..count * count).map(|at| entry(at % count, at / count)).collect();
        Self { count, values }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[column * self.count + row]
    }

    pub fn column(&self, column: usize) -> &[f64] {
        &self.values[column * self.count..][..self.count]
    }

    fn column_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.values[column * self.count..][..self.count]
    }

    /// A column, and the next one.
    fn neighbours(&mut self, column: usize) -> (&mut [f64], &mut [f64]) {
        self.values[column * self.count..][..2 * self.count].split_at_mut(self.count)
    }

    /// Multiplies every column by its factor.
    pub fn scale_columns(&mut self, factor: impl Fn(usize) -> f64) {
        for (index, column) in self.values.chunks_exact_mut(self.count.max(1)).enumerate() {
            let factor = factor(index);
            column.iter_mut().for_each(|value| *value *= factor);
        }
    }

    pub fn transposed(&self) -> Self {
        Self::from_fn(self.count, |i, j| self.at(j, i))
    }
}

/// Sum of products, in eight sums that are added in pairs.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const SUMS: usize = 8;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    for (a, b) in a.iter().zip(b) {
        for i in 0..SUMS {
            sums[i] += a[i] * b[i];
        }
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))) + rest
}

/// y += a·x.
#[inline(always)]
fn add_scaled(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}

/// The lower triangle L of A = LLᵀ; above its diagonal are zeros. `None` unless A > 0.
pub(crate) fn cholesky(mut a: Columns) -> Option<Columns> {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let count = a.count;
            for j in 0..count {
                let (done, open) = a.values.split_at_mut((j + 1) * count);
                let column = &mut done[j * count..];
                let pivot = column[j].sqrt();
                // Neither 0 nor NaN.
                if pivot.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
                    return None;
                }
                column[..j].fill(0.0);
                column[j..].iter_mut().for_each(|value| *value /= pivot);
                for (index, other) in open.chunks_exact_mut(count).enumerate() {
                    let i = j + 1 + index;
                    add_scaled(&mut other[i..], -column[i], &column[i..]);
                }
            }
            Some(a)
        },
    )
}

/// L⁻¹X, in place.
pub(crate) fn solve_lower(lower: &Columns, x: &mut Columns) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for x in x.values.chunks_exact_mut(lower.count) {
                for j in 0..lower.count {
                    let column = lower.column(j);
                    let value = x[j] / column[j];
                    x[j] = value;
                    if value != 0.0 {
                        add_scaled(&mut x[j + 1..], -value, &column[j + 1..]);
                    }
                }
            }
        },
    );
}

/// L⁻ᵀX, in place.
pub(crate) fn solve_upper(lower: &Columns, x: &mut Columns) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for x in x.values.chunks_exact_mut(lower.count) {
                for j in (0..lower.count).rev() {
                    let column = lower.column(j);
                    x[j] = (x[j] - dot(&column[j + 1..], &x[j + 1..])) / column[j];
                }
            }
        },
    );
}

/// A⁻¹ of A = LLᵀ.
pub(crate) fn inverse(lower: &Columns) -> Columns {
    let mut half = Columns::from_fn(lower.count, |i, j| f64::from(u8::from(i == j)));
    solve_lower(lower, &mut half);
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let mut product = half.clone();
            for j in 0..half.count {
                for i in 0..=j {
                    // Above row j are zeros.
                    let sum = dot(&half.column(i)[j..], &half.column(j)[j..]);
                    product.values[j * half.count + i] = sum;
                    product.values[i * half.count + j] = sum;
                }
            }
            product
        },
    )
}

/// Eigenvalues of a symmetric matrix in rising order, and the eigenvectors in columns; `None` where they are not found.
pub(crate) fn eigenpairs(mut a: Columns) -> Option<(Vec<f64>, Columns)> {
    let count = a.count;
    if !a.values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let scale = a.values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if scale == 0.0 {
        return Some((vec![0.0; count], Columns::from_fn(count, |i, j| f64::from(u8::from(i == j)))));
    }
    a.values.iter_mut().for_each(|value| *value /= scale);
    let (mut d, mut e, mut vectors) = Arch::new().dispatch(
        #[inline(always)]
        || tridiagonal(a),
    );
    Arch::new().dispatch(
        #[inline(always)]
        || diagonalise(&mut d, &mut e, &mut vectors),
    )?;
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&one, &other| d[one].total_cmp(&d[other]));
    let sorted = Columns::from_fn(count, |i, j| vectors.at(i, order[j]));
    Some((order.into_iter().map(|index| d[index] * scale).collect(), sorted))
}

/// d, e and Q of A = QTQᵀ.
#[inline(always)]
fn tridiagonal(mut a: Columns) -> (Vec<f64>, Vec<f64>, Columns) {
    let count = a.count;
    let (mut e, mut betas, mut p) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    for k in 0..count.saturating_sub(1) {
        let (done, open) = a.values.split_at_mut((k + 1) * count);
        let v = &mut done[k * count + k + 1..];
        let norm = dot(v, v).sqrt();
        if v.len() == 1 || norm == 0.0 {
            e[k] = v[0];
            continue;
        }
        e[k] = if v[0] > 0.0 { -norm } else { norm };
        v[0] -= e[k];
        let beta = 2.0 / dot(v, v);
        let p = &mut p[k + 1..];
        p.fill(0.0);
        for (column, &weight) in open.chunks_exact(count).zip(&*v) {
            add_scaled(p, beta * weight, &column[k + 1..]);
        }
        let share = 0.5 * beta * dot(p, v);
        add_scaled(p, -share, v);
        for ((column, &v_j), &p_j) in open.chunks_exact_mut(count).zip(&*v).zip(&*p) {
            let entries = column[k + 1..].iter_mut().zip(&*v).zip(&*p);
            entries.for_each(|((entry, v), p)| *entry -= v * p_j + p * v_j);
        }
        betas[k] = beta;
    }
    let d = (0..count).map(|i| a.at(i, i)).collect();
    let mut q = Columns::from_fn(count, |i, j| f64::from(u8::from(i == j)));
    for k in (0..count).rev().filter(|&k| betas[k] != 0.0) {
        let v = &a.column(k)[k + 1..];
        for j in k + 1..count {
            let column = &mut q.column_mut(j)[k + 1..];
            let weight = betas[k] * dot(v, column);
            add_scaled(column, -weight, v);
        }
    }
    (d, e, q)
}

/// Turns d into the eigenvalues of T and Q into the eigenvectors of A.
#[inline(always)]
fn diagonalise(d: &mut [f64], e: &mut [f64], q: &mut Columns) -> Option<()> {
    let count = d.len();
    for l in 0..count {
        let mut steps = 0;
        loop {
            let is_split = |m: usize| e[m].abs() <= f64::EPSILON * (d[m].abs() + d[m + 1].abs());
            let m = (l..count - 1).find(|&m| is_split(m)).unwrap_or(count - 1);
            if m == l {
                break;
            }
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            ql_step(d, e, q, l..m);
        }
    }
    Some(())
}

/// One step on the block of T from row `l` to row `m` inclusive.
#[inline(always)]
fn ql_step(
    d: &mut [f64],
    e: &mut [f64],
    q: &mut Columns,
    std::ops::Range { start: l, end: m }: std::ops::Range<usize>,
) {
    let half = 0.5 * (d[l + 1] - d[l]) / e[l];
    let root = (half * half + 1.0).sqrt();
    let mut g = d[m] - d[l] + e[l] / (half + root.copysign(half));
    let [mut sine, mut cosine, mut p] = [1.0, 1.0, 0.0];
    for i in (l..m).rev() {
        let (f, b) = (sine * e[i], cosine * e[i]);
        let r = (f * f + g * g).sqrt();
        e[i + 1] = r;
        if r == 0.0 {
            // The block falls apart here.
            d[i + 1] -= p;
            e[m] = 0.0;
            return;
        }
        (sine, cosine) = (f / r, g / r);
        g = d[i + 1] - p;
        let r = (d[i] - g) * sine + 2.0 * cosine * b;
        p = sine * r;
        d[i + 1] = g + p;
        g = cosine * r - b;
        let (one, next) = q.neighbours(i);
        for (one, next) in one.iter_mut().zip(next) {
            (*one, *next) = (cosine * *one - sine * *next, sine * *one + cosine * *next);
        }
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn random(count: usize, seed: u64) -> Columns {
        let mut state = seed | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let values: Vec<f64> = (0..count * count).map(|_| next()).collect();
        Columns { count, values }
    }

    fn product(a: &Columns, b: &Columns) -> Columns {
        Columns::from_fn(a.count, |i, j| (0..a.count).map(|k| a.at(i, k) * b.at(k, j)).sum())
    }

    fn distance(a: &Columns, b: &Columns) -> f64 {
        a.values.iter().zip(&b.values).fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
    }

    fn identity(count: usize) -> Columns {
        Columns::from_fn(count, |i, j| f64::from(u8::from(i == j)))
    }

    proptest! {
        /// Also with eigenvalues that coincide, and zeros.
        #[test]
        fn eigenvectors_are_orthonormal_and_diagonalise(count in 1_usize..40, seed in any::<u64>(), digits in 0_usize..4) {
            let a = random(count, seed);
            let rounded = |x: f64| if digits == 0 { x } else { (x * digits as f64).round() };
            let a = Columns::from_fn(count, |i, j| rounded(a.at(i.min(j), i.max(j))));
            let (values, vectors) = eigenpairs(a.clone()).unwrap();
            prop_assert!(values.windows(2).all(|pair| pair[0] <= pair[1]));
            let bound = 1e-14 * (1 + count) as f64 * (1.0 + values.iter().fold(0.0_f64, |x, y| x.max(y.abs())));
            prop_assert!(distance(&product(&vectors.transposed(), &vectors), &identity(count)) < bound);
            let scaled = Columns::from_fn(count, |i, j| vectors.at(i, j) * values[j]);
            prop_assert!(distance(&product(&a, &vectors), &scaled) < bound);
        }

        #[test]
        fn factors_give_back_the_matrix_and_its_inverse(count in 1_usize..30, seed in any::<u64>()) {
            let root = random(count, seed);
            let a = product(&root, &root.transposed());
            let a = Columns::from_fn(count, |i, j| a.at(i, j) + if i == j { 0.5 } else { 0.0 });
            let lower = cholesky(a.clone()).unwrap();
            prop_assert!(distance(&product(&lower, &lower.transposed()), &a) < 1e-12);
            prop_assert!(distance(&product(&a, &inverse(&lower)), &identity(count)) < 1e-10);
            let mut x = a.clone();
            solve_lower(&lower, &mut x);
            solve_upper(&lower, &mut x);
            prop_assert!(distance(&x, &identity(count)) < 1e-10);
        }
    }

    /// The second difference on n points has eigenvalues 2 − 2cos(πj/(n + 1)).
    #[test]
    fn eigenvalues_of_the_second_difference_are_known() {
        for count in [1, 2, 3, 50, 201] {
            let entry = |i: usize, j: usize| if i == j { 2.0 } else { -f64::from(u8::from(i.abs_diff(j) == 1)) };
            let (values, _) = eigenpairs(Columns::from_fn(count, entry)).unwrap();
            for (index, value) in values.iter().enumerate() {
                let angle = std::f64::consts::PI * (index + 1) as f64 / (count + 1) as f64;
                assert!(
                    (value - (2.0 - 2.0 * angle.cos())).abs() < 1e-14 * count as f64,
                    "{index} of {count}: {value}"
                );
            }
        }
    }

    #[test]
    fn matrices_without_factors_are_refused() {
        assert!(cholesky(Columns::from_fn(3, |_, _| 1.0)).is_none());
        assert!(cholesky(Columns::from_fn(2, |_, _| f64::NAN)).is_none());
        assert!(eigenpairs(Columns::from_fn(3, |_, _| f64::NAN)).is_none());
        assert!(eigenpairs(Columns::from_fn(2, |_, _| 0.0)).is_some());
    }
}
