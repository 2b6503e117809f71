//! `percuss play`: a scene on stage, with hands, ports and a screen around it.

mod args;
mod crew;
mod screen;
mod self_test;
mod stage;
mod summary;

pub use args::PlayArgs;
pub use self_test::run as self_test;
pub use stage::run as perform;
