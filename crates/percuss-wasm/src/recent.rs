//! The last minute of the output.

/// Time that is kept \[s\].
const KEPT_TIME: f64 = 60.0;

/// The last samples of all channels, interleaved.
pub(crate) struct Recent {
    samples: Vec<f32>,
    /// Where the next sample goes.
    next: usize,
    is_full: bool,
}

impl Recent {
    /// Allocates the memory for a sample rate \[Hz\].
    pub fn new(sample_rate: f64, channels: usize) -> Self {
        let length = (KEPT_TIME * sample_rate) as usize * channels;
        Self { samples: vec![0.0; length], next: 0, is_full: false }
    }

    /// Appends a buffer, which is shorter than what is kept. Does not allocate.
    pub fn push(&mut self, buffer: &[f32]) {
        let (first, second) = buffer.split_at(buffer.len().min(self.samples.len() - self.next));
        self.samples[self.next..][..first.len()].copy_from_slice(first);
        self.next += first.len();
        if self.next == self.samples.len() {
            self.is_full = true;
            self.samples[..second.len()].copy_from_slice(second);
            self.next = second.len();
        }
    }

    /// The samples in the order of time, as bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let older = if self.is_full { &self.samples[self.next..] } else { &[] };
        older.iter().chain(&self.samples[..self.next]).flat_map(|sample| sample.to_le_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_minute_is_kept_in_order() {
        let mut recent = Recent::new(1.0, 2);
        let samples = |recent: &Recent| -> Vec<f32> {
            recent.bytes().chunks(4).map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
        };
        for buffer in 0..1000_u16 {
            let all: Vec<f32> = (0..(buffer + 1) * 7).map(f32::from).collect();
            recent.push(&all[usize::from(buffer) * 7..]);
            assert_eq!(samples(&recent), all[all.len().saturating_sub(120)..], "after {buffer}");
        }
    }
}
