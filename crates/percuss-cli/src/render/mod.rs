//! From a compiled scene to files: simulate, decimate, spool, then write.
//!
//! Memory does not grow with the length: sound and probes are spooled to disk, pictures are binned on the way.

pub mod decimate;
pub mod engine;
pub mod hands;
pub mod plan;
pub mod probes;
pub mod progress;
pub mod recorder;
pub mod report;
pub mod spool;
pub mod summary;
pub mod verdict;
pub mod warnings;
pub mod wav;
