//! `percuss play`: plays a scene in real time.

use crate::error::Result;
use crate::play::{PlayArgs, perform, self_test};

/// Plays a scene, or measures its load with `--self-test`.
pub fn run(args: &PlayArgs, force: bool) -> Result<()> {
    if args.self_test { self_test(args) } else { perform(args, force) }
}
