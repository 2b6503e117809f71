//! The machine's limit: two fields read and one written, and hardly anything computed, at the size of a plate.
//!
//! A plate cannot be updated faster than its displacements and increments are read and the new ones written.

use pulp::Arch;

/// Bytes that a node costs at least: two numbers read, one written.
pub const BYTES: f64 = 24.0;

/// Three fields of so many nodes.
pub struct Stream {
    read: [Vec<f64>; 2],
    written: Vec<f64>,
}

impl Stream {
    /// For a plate of so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { read: [vec![1.0; nodes], vec![0.5; nodes]], written: vec![0.0; nodes] }
    }

    /// Reads two fields and writes the third.
    pub fn pass(&mut self) {
        let ([first, second], written) = (&self.read, &mut self.written);
        Arch::new().dispatch(|| {
            for (written, (first, second)) in written.iter_mut().zip(first.iter().zip(second)) {
                *written = first + 0.5 * second;
            }
        });
    }
}
