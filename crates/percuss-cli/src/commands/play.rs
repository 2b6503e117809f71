//! `percuss play`: a scene in real time.

use crate::failure::Result;
use crate::play::{PlayArgs, perform, self_test};

/// Plays a scene, or measures how it would go.
pub fn run(args: &PlayArgs) -> Result<()> {
    if args.self_test { self_test(args) } else { perform(args) }
}
