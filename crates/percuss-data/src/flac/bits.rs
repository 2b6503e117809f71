//! Bits of a FLAC file, most significant first, and its checksums.

/// Bytes to which bits are appended.
pub struct BitWriter {
    bytes: Vec<u8>,
    /// The last bits, fewer than 32, which are not in `bytes` yet.
    pending: u64,
    /// Number of pending bits.
    count: u32,
}

impl BitWriter {
    pub fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), pending: 0, count: 0 }
    }

    /// Appends the lowest `bits` of a number, at most 32; the others are 0.
    #[inline]
    pub fn write(&mut self, value: u32, bits: u32) {
        self.pending = self.pending << bits | u64::from(value);
        self.count += bits;
        if self.count >= u32::BITS {
            self.count -= u32::BITS;
            self.bytes.extend(((self.pending >> self.count) as u32).to_be_bytes());
        }
    }

    /// Appends a number in two's complement.
    pub fn write_signed(&mut self, value: i32, bits: u32) {
        self.write(value as u32 & (u32::MAX >> (u32::BITS - bits)), bits);
    }

    /// Appends a number in the Rice code with parameter k < 31: 2x or −2x − 1, divided by 2ᵏ, as so many zeros and a one, and k bits of
    /// the rest.
    #[inline]
    pub fn write_rice(&mut self, value: i32, k: u32) {
        let folded = (value << 1 ^ value >> 31) as u32;
        let mut zeros = folded >> k;
        while zeros + 1 + k > u32::BITS {
            let some = zeros.min(u32::BITS);
            self.write(0, some);
            zeros -= some;
            if zeros == 0 {
                break;
            }
        }
        self.write(1 << k | folded & ((1 << k) - 1), zeros + 1 + k);
    }

    /// Appends zeros up to a whole byte, and all pending bits.
    pub fn align(&mut self) {
        self.write(0, self.count.wrapping_neg() % 8);
        for byte in (0..self.count / 8).rev() {
            self.bytes.push((self.pending >> (8 * byte)) as u8);
        }
        (self.pending, self.count) = (0, 0);
    }

    /// Number of bytes, of which the last ones may be pending.
    pub fn byte_count(&mut self) -> usize {
        self.align();
        self.bytes.len()
    }

    /// The bytes from one on. What is written ends at a byte.
    pub fn bytes_since(&mut self, start: usize) -> &[u8] {
        self.align();
        &self.bytes[start..]
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.align();
        self.bytes
    }
}

/// Checksum of x⁸ + x² + x + 1.
pub fn crc_8(bytes: &[u8]) -> u8 {
    bytes
        .iter()
        .fold(0, |crc, byte| (0..8).fold(crc ^ byte, |crc, _| crc << 1 ^ if crc & 0x80 == 0 { 0 } else { 0x07 }))
}

/// Checksum of x¹⁶ + x¹⁵ + x² + 1, eight bytes at once.
pub fn crc_16(bytes: &[u8]) -> u16 {
    let (groups, rest) = bytes.as_chunks::<8>();
    let mut crc = 0_u16;
    for group in groups {
        let [high, low] = crc.to_be_bytes();
        let [a, b, others @ ..] = group;
        crc = CRC_16[7][usize::from(a ^ high)] ^ CRC_16[6][usize::from(b ^ low)];
        for (position, &byte) in others.iter().enumerate() {
            crc ^= CRC_16[5 - position][usize::from(byte)];
        }
    }
    rest.iter().fold(crc, |crc, byte| crc << 8 ^ CRC_16[0][usize::from((crc >> 8) as u8 ^ byte)])
}

/// What a byte adds to the checksum, if so many bytes follow it.
static CRC_16: [[u16; 256]; 8] = crc_16_tables();

const fn crc_16_tables() -> [[u16; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x8005 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut following = 1;
    while following < 8 {
        let mut byte = 0;
        while byte < 256 {
            let crc = tables[following - 1][byte];
            tables[following][byte] = crc << 8 ^ tables[0][(crc >> 8) as usize];
            byte += 1;
        }
        following += 1;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_catalogue() {
        // CRC-8/SMBUS and CRC-16/UMTS.
        assert_eq!((crc_8(b"123456789"), crc_16(b"123456789")), (0xf4, 0xfee8));
    }

    #[test]
    fn rice_codes_are_those_of_their_definition() {
        for (value, k, code) in
            [(0, 0, "1"), (-1, 0, "01"), (1, 0, "001"), (2, 1, "0010"), (-3, 2, "0101"), (40, 3, "00000000001000")]
        {
            let mut writer = BitWriter::with_capacity(8);
            writer.write_rice(value, k);
            let written: String = writer.bytes_since(0).iter().map(|byte| format!("{byte:08b}")).collect();
            assert_eq!(written.trim_end_matches('0'), code.trim_end_matches('0'), "{value} with {k}");
            assert_eq!(written.len(), code.len().next_multiple_of(8), "{value} with {k}");
        }
    }

    /// More zeros than a number has bits.
    #[test]
    fn long_rice_codes_have_all_their_zeros() {
        for zeros in 0..200_u32 {
            let mut writer = BitWriter::with_capacity(64);
            writer.write_rice(zeros as i32 * 2, 2);
            let written: String = writer.bytes_since(0).iter().map(|byte| format!("{byte:08b}")).collect();
            assert_eq!(written.find('1'), Some(zeros as usize), "{zeros}");
        }
    }
}
