//! A mallet: a free mass that comes, strikes and leaves. `simulation::arrivals` says when.
//!
//! Equation    M ü = 0 between contacts; it is stepped as a mass
//! Allocates   only in `build`

use crate::element::body::{Describe, Placement, Site, UsedPlace};
use crate::element::oscillator::mass::PointMass;
use crate::error::CompileError;
use crate::model::{Mallet, Mass};

impl Describe for Mallet {
    type Body = PointMass;

    fn placement(&self, _k: f64, _used_places: &[UsedPlace]) -> Placement {
        Placement::Bank
    }

    fn build(&self, site: &mut Site<'_>) -> Result<PointMass, CompileError> {
        let check = site.check;
        check.not_negative("retreat", self.retreat)?;
        check.require(!self.blows.is_empty(), "time", 0.0, "one time at least")?;
        for blow in &self.blows {
            if blow.time != f64::INFINITY {
                check.not_negative("time", blow.time)?;
            }
            check.positive("speed", blow.speed)?;
        }
        for pair in self.blows.windows(2) {
            check.require(pair[0].time < pair[1].time, "time", pair[1].time, "later than the blow before it")?;
        }
        let mut mallet = Mass { mass: self.mass, ..Mass::default() }.build(site)?;
        mallet.is_present = false;
        Ok(mallet)
    }
}
