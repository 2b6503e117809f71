//! One file per command.

pub mod bench;
pub mod check;
pub mod gallery;
pub mod list;
pub mod materials;
pub mod modes;
pub mod new;
pub mod play;
pub mod render;
pub mod replay;
pub mod serve;
pub mod show;
pub mod study;
pub mod sweep;
pub mod tune;
