//! Random numbers that depend only on the seed and the scene's index (splitmix64).

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers.
pub struct Random(u64);

impl Random {
    /// The stream of one scene: the same for the same seed and index, on every machine.
    pub fn new(seed: u64, index: u64) -> Self {
        Self(mix(seed.wrapping_add(GOLDEN_GAMMA)) ^ mix(index.wrapping_mul(GOLDEN_GAMMA).wrapping_add(1)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        mix(self.0)
    }

    /// Uniform from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// Uniform from a range.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Log-uniform from a range of positive numbers.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        (low * (high / low).powf(self.unit())).clamp(low.min(high), high.max(low))
    }

    /// Log-uniform, or 0 with the given probability.
    pub fn log_or_zero(&mut self, zero: f64, low: f64, high: f64) -> f64 {
        if self.chance(zero) { 0.0 } else { self.log(low, high) }
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A whole number from 0 to below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// −1 or 1.
    pub fn sign(&mut self) -> f64 {
        if self.chance(0.5) { -1.0 } else { 1.0 }
    }

    /// One of a list.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
