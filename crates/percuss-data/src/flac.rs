//! FLAC files in memory, made in as little time as their sound allows.
//!
//! Every channel is predicted by a polynomial through its last samples (order 0 to 4, by the smallest sum of absolute residuals of a
//! block), and the residuals are Rice coded, with a parameter of their own for every partition of a block. Linear prediction would take
//! several times as long, and makes the sounds of contacts hardly smaller. No MD5 of the samples is stored: shards have a SHA-256.
//!
//! Allocates  the file, and a block of residuals for every order
//! Reference  RFC 9639 (2024), Free Lossless Audio Codec

mod bits;

use bits::{BitWriter, crc_8, crc_16};

/// Samples of a block; the last one has fewer.
const BLOCK: usize = 4096;
/// Samples of a partition. All full blocks have so many that their number is a power of two.
const PARTITION: usize = 512;
/// Highest order of prediction.
const MAX_ORDER: usize = 4;
/// Bits of a sample.
pub const BITS: u32 = 24;
/// Most channels that the format holds.
pub const MAX_CHANNELS: usize = 8;
/// Highest sample rate that the format holds \[Hz\].
pub const MAX_RATE: u32 = (1 << 20) - 1;

/// A file of interleaved samples of [`BITS`] bits, of at least one channel and at most [`MAX_CHANNELS`].
pub fn encode(samples: &[i32], channels: usize, rate: u32) -> Vec<u8> {
    let frames = samples.len() / channels;
    let mut writer = BitWriter::with_capacity(3 * samples.len() + 64);
    write_stream_info(&mut writer, frames, channels, rate);
    let mut predictor = Predictor::default();
    for (number, block) in samples.chunks(BLOCK * channels).enumerate() {
        let start = writer.byte_count();
        write_frame_header(&mut writer, number as u32, block.len() / channels, channels, rate);
        for channel in 0..channels {
            predictor.predict(block.iter().skip(channel).step_by(channels).copied());
            predictor.write(&mut writer);
        }
        writer.align();
        let check = crc_16(writer.bytes_since(start));
        writer.write(check.into(), 16);
    }
    writer.finish()
}

fn write_stream_info(writer: &mut BitWriter, frames: usize, channels: usize, rate: u32) {
    "fLaC".bytes().for_each(|byte| writer.write(byte.into(), 8));
    let is_last_block = 1;
    writer.write(is_last_block << 31 | 34, 32);
    writer.write(BLOCK as u32, 16);
    writer.write(BLOCK as u32, 16);
    // The sizes of the smallest and largest frame are not stated.
    writer.write(0, 24);
    writer.write(0, 24);
    writer.write(rate, 20);
    writer.write(channels as u32 - 1, 3);
    writer.write(BITS - 1, 5);
    writer.write((frames as u64 >> 32) as u32 & 0xf, 4);
    writer.write(frames as u32, 32);
    // Nor is the MD5 of the samples.
    (0..4).for_each(|_| writer.write(0, 32));
}

fn write_frame_header(writer: &mut BitWriter, number: u32, frames: usize, channels: usize, rate: u32) {
    let start = writer.byte_count();
    let is_full = frames == BLOCK;
    writer.write(0xfff8, 16);
    writer.write(if is_full { 0b1100 } else { 0b0111 }, 4);
    writer.write(rate_code(rate), 4);
    writer.write(channels as u32 - 1, 4);
    let bits_24 = 0b110;
    writer.write(bits_24 << 1, 4);
    write_number(writer, number);
    if !is_full {
        writer.write(frames as u32 - 1, 16);
    }
    let check = crc_8(writer.bytes_since(start));
    writer.write(check.into(), 8);
}

/// Code of a sample rate; 0 for those that stand at the start of the file only.
fn rate_code(rate: u32) -> u32 {
    let coded = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
    coded.iter().position(|&coded| coded == rate).map_or(0, |index| index as u32 + 1)
}

/// Writes the number of a frame, in one to six bytes, as UTF-8 writes characters.
fn write_number(writer: &mut BitWriter, number: u32) {
    if number < 0x80 {
        return writer.write(number, 8);
    }
    let bits = u32::BITS - number.leading_zeros();
    // n bytes hold 5n + 1 bits.
    let bytes = (bits - 1).div_ceil(5);
    let first = (0xff00 >> bytes) & 0xff | number >> (6 * (bytes - 1));
    writer.write(first, 8);
    for byte in (0..bytes - 1).rev() {
        writer.write(0x80 | (number >> (6 * byte)) & 0x3f, 8);
    }
}

/// Predicts a block of a channel, and holds the residuals of all orders.
#[derive(Default)]
struct Predictor {
    /// Differences of the samples, of order 0 to [`MAX_ORDER`].
    differences: [Vec<i32>; MAX_ORDER + 1],
    /// The chosen order.
    order: usize,
}

impl Predictor {
    fn predict(&mut self, samples: impl Iterator<Item = i32>) {
        self.differences[0].clear();
        self.differences[0].extend(samples);
        for order in 1..=MAX_ORDER {
            let (lower, higher) = self.differences.split_at_mut(order);
            let (below, difference) = (&lower[order - 1], &mut higher[0]);
            difference.clear();
            // The first is no difference, and not used.
            difference.push(0);
            difference.extend(below.windows(2).map(|pair| pair[1] - pair[0]));
        }
        let count = self.differences[0].len();
        let sum = |&order: &usize| absolute_sum(&self.differences[order][MAX_ORDER.min(count)..]);
        let orders = if count > MAX_ORDER { 0..MAX_ORDER + 1 } else { 0..1 };
        self.order = orders.min_by_key(sum).unwrap_or(0);
    }

    fn write(&self, writer: &mut BitWriter) {
        let samples = &self.differences[0];
        if samples.windows(2).all(|pair| pair[0] == pair[1]) {
            writer.write(0, 8);
            return writer.write_signed(samples[0], BITS);
        }
        writer.write((0b00_1000 | self.order as u32) << 1, 8);
        samples[..self.order].iter().for_each(|&sample| writer.write_signed(sample, BITS));
        let partitions = if samples.len() == BLOCK { BLOCK / PARTITION } else { 1 };
        let five_bit_parameters = 0b01;
        writer.write(five_bit_parameters << 4 | partitions.ilog2(), 6);
        let residuals = &self.differences[self.order];
        for (index, partition) in residuals.chunks(samples.len() / partitions).enumerate() {
            write_partition(writer, if index == 0 { &partition[self.order..] } else { partition });
        }
    }
}

fn absolute_sum(values: &[i32]) -> u64 {
    // 16 sums of at most 2²⁷ fit into 32 bits.
    let sum = |values: &[i32]| values.iter().map(|value| value.unsigned_abs()).sum::<u32>();
    values.chunks(16).map(|values| u64::from(sum(values))).sum()
}

/// Writes residuals in the Rice code that is about the shortest: that whose 2ᵏ is next below their mean, or the one above it.
fn write_partition(writer: &mut BitWriter, residuals: &[i32]) {
    let (count, sum) = (residuals.len() as u64, 2 * absolute_sum(residuals));
    let length = |k: &u32| count * u64::from(1 + k) + (sum >> k);
    let k = (sum / count.max(1)).max(1).ilog2();
    let k = (k.saturating_sub(1)..=k).min_by_key(length).unwrap_or(k);
    writer.write(k, 5);
    residuals.iter().for_each(|&residual| writer.write_rice(residual, k));
}

#[cfg(test)]
mod tests {
    use super::*;
    use flac_codec::decode::FlacSampleReader;
    use flac_codec::metadata::Metadata;
    use proptest::prelude::*;

    fn decode(file: &[u8]) -> (Vec<i32>, u8, u32) {
        let mut reader = FlacSampleReader::new(file).unwrap();
        let (channels, rate) = (reader.channel_count(), reader.sample_rate());
        let mut samples = Vec::new();
        reader.read_to_end(&mut samples).unwrap();
        (samples, channels, rate)
    }

    const FULL_SCALE: i32 = (1 << (BITS - 1)) - 1;

    /// Sounds of any smoothness and loudness: a random walk of a random walk …, scaled to a peak, and silence here and there.
    fn sound() -> impl Strategy<Value = Vec<i32>> {
        let length = prop_oneof![1_usize..20, 4080_usize..4110, 8000_usize..13_000];
        (length, 0_u32..6, 0_u32..24, any::<u64>(), 0_usize..3).prop_map(|(length, order, bits, seed, silences)| {
            let mut state = seed | 1;
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f64 / f64::from(1 << 23) - 1.0
            };
            let mut values: Vec<f64> = (0..length).map(|_| random()).collect();
            for _ in 0..order {
                let mut sum = 0.0;
                values.iter_mut().for_each(|value| {
                    sum = 0.98 * sum + *value;
                    *value = sum;
                });
            }
            let peak = values.iter().fold(f64::MIN_POSITIVE, |peak, value| peak.max(value.abs()));
            let scale = f64::from(FULL_SCALE >> (23 - bits.min(23))) / peak;
            let mut samples: Vec<i32> = values.iter().map(|value| (value * scale).round() as i32).collect();
            for silence in 0..silences.min(length / 2) {
                let start = length * (silence + 1) / 4;
                samples[start..(start + length / 5).min(length)].fill(0);
            }
            samples
        })
    }

    proptest! {
        #[test]
        fn every_sound_is_decoded_as_it_was(sound in sound(), channels in 1_usize..=MAX_CHANNELS, rate in 1_u32..400_000) {
            let samples = &sound[..sound.len() / channels * channels];
            prop_assume!(!samples.is_empty());
            let (decoded, found_channels, found_rate) = decode(&encode(samples, channels, rate));
            prop_assert_eq!((usize::from(found_channels), found_rate), (channels, rate));
            prop_assert!(decoded == samples, "{} samples", samples.len());
        }
    }

    /// The worst cases of every order: residuals of the fourth have 28 bits.
    #[test]
    fn full_scale_is_decoded_as_it_was() {
        for period in 1..5 {
            let samples: Vec<i32> =
                (0..9000).map(|i| if i / period % 2 == 0 { FULL_SCALE } else { -FULL_SCALE - 1 }).collect();
            assert!(decode(&encode(&samples, 1, 44_100)).0 == samples);
        }
    }

    /// Numbers of frames of one to four bytes.
    #[test]
    fn long_sounds_are_decoded_as_they_were() {
        let samples: Vec<i32> = (0..70_000 * BLOCK as i32 / 16).map(|i| (i / 16 % 5) - 2).collect();
        assert!(decode(&encode(&samples, 2, 48_000)).0 == samples);
        for (number, bytes) in
            [(0x7f, 1), (0x80, 2), (0x7ff, 2), (0x800, 3), (0xffff, 3), (0x1_0000, 4), (0x10_ffff, 4)]
        {
            let mut writer = BitWriter::with_capacity(8);
            write_number(&mut writer, number);
            let expected = char::from_u32(number).map(String::from);
            assert_eq!(
                (writer.byte_count(), Some(writer.bytes_since(0))),
                (bytes, expected.as_ref().map(|text| text.as_bytes()))
            );
        }
    }

    #[test]
    fn smooth_sounds_are_small() {
        let sine: Vec<i32> = (0..44_100).map(|i| (8e6 * (0.02 * f64::from(i)).sin()) as i32).collect();
        let share = encode(&sine, 1, 44_100).len() as f64 / (3.0 * 44_100.0);
        assert!(share < 0.35, "{share} of the samples");
    }
}
