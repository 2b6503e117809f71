//! Renders a compiled scene to files: simulate, decimate, buffer on disk, write.
//!
//! Memory use does not depend on the length: audio and probes go to temporary files, data for plots is binned.

pub mod bows_and_fingers;
pub mod decimate;
pub mod energy_limits;
pub mod plot_recorder;
pub mod probes;
pub mod render_loop;
pub mod report;
pub mod settings;
pub mod short_contacts;
pub mod summary;
pub mod temp_audio;
pub mod wav;
