//! Random numbers by counting: every draw is a function of a key and a counter, so that any of them can be had without the others.
//!
//! Method      Philox 4×32 with ten rounds
//! Reference   Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3", sec. 4; the known answers of the
//!             tests are those of their library Random123

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// Four random words.
pub fn philox([mut x0, mut x1, mut x2, mut x3]: [u32; 4], [mut k0, mut k1]: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let [a, b] = [u64::from(x0) * u64::from(MULTIPLIERS[0]), u64::from(x2) * u64::from(MULTIPLIERS[1])];
        [x0, x1, x2, x3] = [(b >> 32) as u32 ^ x1 ^ k0, b as u32, (a >> 32) as u32 ^ x3 ^ k1, a as u32];
        (k0, k1) = (k0.wrapping_add(WEYL[0]), k1.wrapping_add(WEYL[1]));
    }
    [x0, x1, x2, x3]
}

/// Two numbers of the uniform distribution from 0 to below 1, with 53 bits each.
pub fn uniform_pair(counter: [u32; 4], seed: u64) -> [f64; 2] {
    let [a, b, c, d] = philox(counter, [seed as u32, (seed >> 32) as u32]);
    [[a, b], [c, d]].map(|[low, high]| {
        let bits = u64::from(high) << 32 | u64::from(low);
        (bits >> 11) as f64 * (0.5_f64).powi(53)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers() {
        let ones = u32::MAX;
        for (counter, key, expected) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([ones; 4], [ones; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ] {
            assert_eq!(philox(counter, key), expected);
        }
    }

    #[test]
    fn mean_and_variance_are_those_of_the_uniform_distribution() {
        const COUNT: u32 = 100_000;
        let numbers: Vec<f64> = (0..COUNT / 2).flat_map(|n| uniform_pair([n, 0, 0, 0], 7)).collect();
        let mean = numbers.iter().sum::<f64>() / f64::from(COUNT);
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(COUNT);
        // Four standard errors of each.
        assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12.0 / f64::from(COUNT)).sqrt(), "{mean}");
        assert!((variance - 1.0 / 12.0).abs() < 4.0 * (1.0 / 180.0 / f64::from(COUNT)).sqrt(), "{variance}");
        assert!(numbers.iter().all(|x| (0.0..1.0).contains(x)));
    }
}
