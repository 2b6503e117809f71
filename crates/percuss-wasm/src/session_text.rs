//! A session in memory. The collector writes it, which no audio callback runs: so it may lock.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest session \[bytes\]: a day of gestures.
const MAX_SIZE: usize = 32 << 20;

/// Text of a session, which can be read while it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionText(Arc<Mutex<Vec<u8>>>);

impl SessionText {
    /// What was written so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Write for SessionText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if text.len() + bytes.len() > MAX_SIZE {
            return Err(io::Error::new(io::ErrorKind::StorageFull, format!("a session has at most {MAX_SIZE} bytes")));
        }
        text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
