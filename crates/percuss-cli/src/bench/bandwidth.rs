//! Memory bandwidth limit of a plate update: two arrays read, one written, with almost no arithmetic.
//!
//! An update must read displacements and increments and write one of them.

use pulp::Arch;

/// Smallest memory traffic per node: two f64 read, one written.
pub const BYTES_PER_NODE: f64 = 24.0;

/// Three arrays of the size of a plate.
pub struct BandwidthProbe {
    read: [Vec<f64>; 2],
    written: Vec<f64>,
}

impl BandwidthProbe {
    /// Arrays for a plate of `nodes` nodes.
    pub fn new(nodes: usize) -> Self {
        Self { read: [vec![1.0; nodes], vec![0.5; nodes]], written: vec![0.0; nodes] }
    }

    /// Reads two arrays and writes the third.
    pub fn sweep(&mut self) {
        let ([first, second], written) = (&self.read, &mut self.written);
        Arch::new().dispatch(|| {
            for (written, (first, second)) in written.iter_mut().zip(first.iter().zip(second)) {
                *written = first + 0.5 * second;
            }
        });
    }
}
