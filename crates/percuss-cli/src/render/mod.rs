//! Renders a compiled scene to files: simulate, decimate, buffer on disk, write.
//!
//! Memory use does not depend on the length: audio and probes go to temporary files, data for plots is binned.

pub mod bows_and_fingers;
pub mod dc_block;
pub mod decimate;
pub mod energy_limits;
pub mod energy_record;
pub mod fade;
pub mod level;
pub mod near_nyquist;
pub mod plot_recorder;
pub mod probes;
pub mod render_loop;
pub mod report;
pub mod settings;
pub mod short_contacts;
pub mod silence;
pub mod sound_file;
pub mod sound_format;
pub mod summary;
pub mod temp_audio;
