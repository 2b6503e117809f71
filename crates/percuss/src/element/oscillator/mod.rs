//! Masses and modes: single degrees of freedom with an exact update.

pub(crate) mod bank;
pub(crate) mod group;
pub(crate) mod mallet;
pub(crate) mod mass;
pub(crate) mod modal;
pub(crate) mod mode_group;
