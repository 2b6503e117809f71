//! SIMD support: aligned fields, neighbour shuffles, division, dispatch.
//!
//! A field starts on a cache line, and so does every row of a plate in it; whole rows are stepped, block by block of
//! [`LANES`] nodes, so that no width leaves a remainder. The nodes left and right of a vector are shuffled together from
//! it and its neighbours: read from memory they would straddle two cache lines each.

use aligned_vec::{AVec, ConstAlign};
use pulp::bytemuck::cast;
#[cfg(target_arch = "x86_64")]
use pulp::x86::V4;
use pulp::{Arch, Simd, WithSimd};

/// Nodes in a block: as many as the widest vector holds, and a cache line.
pub(crate) const LANES: usize = 8;

/// A value per node, starting on a cache line.
pub(crate) type Field = AVec<f64, ConstAlign<64>>;

/// A value per node in single precision, starting on a cache line.
pub(crate) type SingleField = AVec<f32, ConstAlign<64>>;

/// A field of zeros.
pub(crate) fn field(length: usize) -> Field {
    let mut field = Field::new(64);
    field.resize(length, 0.0);
    field
}

/// A field of zeros in single precision.
pub(crate) fn single_field(length: usize) -> SingleField {
    let mut field = SingleField::new(64);
    field.resize(length, 0.0);
    field
}

/// Whole blocks that hold `nodes` nodes, counted in nodes.
pub(crate) fn whole_blocks(nodes: usize) -> usize {
    nodes.next_multiple_of(LANES)
}

#[inline(always)]
pub(crate) fn vectors<S: Simd>(nodes: &[f64]) -> &[S::f64s] {
    S::as_simd_f64s(nodes).0
}

#[inline(always)]
pub(crate) fn vectors_mut<S: Simd>(nodes: &mut [f64]) -> &mut [S::f64s] {
    S::as_mut_simd_f64s(nodes).0
}

/// A vector with its nodes in reverse order.
#[inline(always)]
pub(crate) fn reversed<S: Simd>(vector: S::f64s) -> S::f64s {
    match S::F64_LANES {
        8 => {
            let v: [f64; 8] = cast(vector);
            cast([v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]])
        }
        4 => {
            let v: [f64; 4] = cast(vector);
            cast([v[3], v[2], v[1], v[0]])
        }
        2 => {
            let v: [f64; 2] = cast(vector);
            cast([v[1], v[0]])
        }
        _ => vector,
    }
}

/// A vector of L values in single precision; L is its number of lanes.
#[inline(always)]
pub(crate) fn widened<S: Simd, const L: usize>(values: &[f32; L]) -> S::f64s {
    let mut wide = [0.0; L];
    for (wide, &value) in wide.iter_mut().zip(values) {
        *wide = f64::from(value);
    }
    vectors::<S>(&wide)[0]
}

/// a·b + c, rounded once where the machine can do that in one instruction, else twice: WebAssembly has no such instruction, and
/// rounding once without it takes a hundred times as long.
#[inline(always)]
pub(crate) fn mul_add<S: Simd>(simd: S, a: S::f64s, b: S::f64s, c: S::f64s) -> S::f64s {
    #[cfg(target_family = "wasm")]
    {
        simd.mul_add_e_f64s(a, b, c)
    }
    #[cfg(not(target_family = "wasm"))]
    {
        #[expect(clippy::disallowed_methods, reason = "the plain kernels round as the wide ones do")]
        simd.mul_add_f64s(a, b, c)
    }
}

/// The vectors of a machine, in which kernels run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    arch: Arch,
    is_portable: bool,
}

impl Machine {
    /// The widest of this machine; if portable, four numbers with fused products on every machine, so that all sums have one order
    /// and all results the same bits.
    pub fn new(is_portable: bool) -> Self {
        let widest = Self { arch: Arch::new(), is_portable };
        if is_portable { widest.half() } else { widest }
    }

    /// Portable ones of a machine that has none of four numbers: they are computed one by one.
    #[cfg(test)]
    pub fn portable_one_by_one() -> Self {
        Self { arch: Arch::Scalar, is_portable: true }
    }

    /// Whether all machines compute the same bits.
    pub fn is_portable(self) -> bool {
        self.is_portable
    }

    /// Those that hold half a block at most.
    pub fn half(self) -> Self {
        let arch = match self.arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V4(simd) => Arch::V3(*simd),
            arch => arch,
        };
        Self { arch, ..self }
    }

    /// Runs an operation.
    #[inline(always)]
    pub fn dispatch<O: WithSimd>(self, operation: O) -> O::Output {
        match self.arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V3(_) => self.arch.dispatch(operation),
            _ if self.is_portable => operation.with_simd(pulp::Scalar256b),
            arch => arch.dispatch(operation),
        }
    }
}

/// A vectorised operation that reads neighbours.
pub(crate) trait Kernel {
    fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, own: H);
}

/// How vectors are divided.
pub(crate) trait Divide<S: Simd>: Copy {
    /// a/b to an ulp, for b ≥ 1.
    fn divide(self, simd: S, a: S::f64s, b: S::f64s) -> S::f64s;
}

/// Whether the machine's own division is the fastest there is. AMD's dividers take ten cycles for eight numbers, in which they
/// multiply and add ten times, Intel's sixteen, in which they do it 32 times; only AMD has SSE4a.
#[inline(always)]
pub(crate) fn divides_fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("sse4a")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        true
    }
}

/// How neighbours are shuffled together.
pub(crate) trait Shift<S: Simd>: Copy {
    /// The nodes to the left of those in `here`; `before` is the vector before it.
    fn left(self, before: S::f64s, here: S::f64s) -> S::f64s;
    /// The nodes to the right of those in `here`; `after` is the vector after it.
    fn right(self, here: S::f64s, after: S::f64s) -> S::f64s;
}

/// Runs a kernel in vectors.
pub(crate) fn run(machine: Machine, kernel: impl Kernel) {
    #[cfg(target_arch = "x86_64")]
    if let Arch::V4(simd) = machine.arch {
        return simd.vectorize(InlinedKernel { simd, own: simd, kernel });
    }
    machine.dispatch(KernelByLane(kernel));
}

/// A kernel with its vectors, to be inlined where these may be used.
#[cfg(target_arch = "x86_64")]
struct InlinedKernel<S, H, K> {
    simd: S,
    own: H,
    kernel: K,
}

#[cfg(target_arch = "x86_64")]
impl<S: Simd, H: Shift<S> + Divide<S>, K: Kernel> pulp::NullaryFnOnce for InlinedKernel<S, H, K> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.kernel.run(self.simd, self.own);
    }
}

struct KernelByLane<K>(K);

impl<K: Kernel> WithSimd for KernelByLane<K> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.0.run(simd, ByLane);
    }
}

/// Uses one instruction where the compiler emits two.
#[cfg(target_arch = "x86_64")]
impl Shift<V4> for V4 {
    #[inline(always)]
    fn left(self, before: <V4 as Simd>::f64s, here: <V4 as Simd>::f64s) -> <V4 as Simd>::f64s {
        pulp::cast(self.avx512f._mm512_alignr_epi32::<14>(pulp::cast(here), pulp::cast(before)))
    }

    #[inline(always)]
    fn right(self, here: <V4 as Simd>::f64s, after: <V4 as Simd>::f64s) -> <V4 as Simd>::f64s {
        pulp::cast(self.avx512f._mm512_alignr_epi32::<2>(pulp::cast(after), pulp::cast(here)))
    }
}

/// Newton iteration from a 14-bit estimate of 1/b with a final correction: a third of the time of a division.
#[cfg(target_arch = "x86_64")]
impl Divide<V4> for V4 {
    #[expect(clippy::disallowed_methods, reason = "the corrections are what rounding once leaves")]
    #[inline(always)]
    fn divide(self, simd: V4, a: <V4 as Simd>::f64s, b: <V4 as Simd>::f64s) -> <V4 as Simd>::f64s {
        let minus_b = simd.neg_f64s(b);
        let rough: <V4 as Simd>::f64s = pulp::cast(self.avx512f._mm512_rcp14_pd(pulp::cast(b)));
        let missing = simd.mul_add_f64s(minus_b, rough, simd.splat_f64s(1.0));
        let inverse = simd.mul_add_f64s(rough, missing, rough);
        let quotient = simd.mul_f64s(a, inverse);
        let rest = simd.mul_add_f64s(minus_b, quotient, a);
        simd.mul_add_f64s(rest, inverse, quotient)
    }
}

/// Lane by lane, which the compiler turns into shuffles.
#[derive(Clone, Copy)]
pub(crate) struct ByLane;

impl<S: Simd> Divide<S> for ByLane {
    #[inline(always)]
    fn divide(self, simd: S, a: S::f64s, b: S::f64s) -> S::f64s {
        simd.div_f64s(a, b)
    }
}

impl<S: Simd> Shift<S> for ByLane {
    #[inline(always)]
    fn left(self, before: S::f64s, here: S::f64s) -> S::f64s {
        match S::F64_LANES {
            8 => {
                let (b, h): ([f64; 8], [f64; 8]) = (cast(before), cast(here));
                cast([b[7], h[0], h[1], h[2], h[3], h[4], h[5], h[6]])
            }
            4 => {
                let (b, h): ([f64; 4], [f64; 4]) = (cast(before), cast(here));
                cast([b[3], h[0], h[1], h[2]])
            }
            2 => {
                let (b, h): ([f64; 2], [f64; 2]) = (cast(before), cast(here));
                cast([b[1], h[0]])
            }
            _ => before,
        }
    }

    #[inline(always)]
    fn right(self, here: S::f64s, after: S::f64s) -> S::f64s {
        match S::F64_LANES {
            8 => {
                let (h, a): ([f64; 8], [f64; 8]) = (cast(here), cast(after));
                cast([h[1], h[2], h[3], h[4], h[5], h[6], h[7], a[0]])
            }
            4 => {
                let (h, a): ([f64; 4], [f64; 4]) = (cast(here), cast(after));
                cast([h[1], h[2], h[3], a[0]])
            }
            2 => {
                let (h, a): ([f64; 2], [f64; 2]) = (cast(here), cast(after));
                cast([h[1], a[0]])
            }
            _ => after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Quotients<'a>(&'a mut [f64], &'a [f64]);

    impl Kernel for Quotients<'_> {
        #[inline(always)]
        fn run<S: Simd, H: Shift<S> + Divide<S>>(self, simd: S, own: H) {
            for (a, b) in vectors_mut::<S>(self.0).iter_mut().zip(vectors::<S>(self.1)) {
                *a = own.divide(simd, *a, *b);
            }
        }
    }

    proptest! {
        #[test]
        fn quotients_are_right_to_an_ulp(
            dividends in prop::array::uniform8((-1.0..1.0, -60..20)),
            divisors in prop::array::uniform8((1.0..10.0, 0..40)),
        ) {
            let [dividends, divisors] = [dividends, divisors].map(|x| x.map(|(digits, power): (f64, i32)| digits * 10_f64.powi(power)));
            let mut found = dividends;
            run(Machine::new(false), Quotients(&mut found, &divisors));
            for ((found, a), b) in found.iter().zip(dividends).zip(divisors) {
                prop_assert!((found - a / b).abs() <= f64::EPSILON * (a / b).abs(), "{a}/{b}: {found}");
            }
        }
    }
}
