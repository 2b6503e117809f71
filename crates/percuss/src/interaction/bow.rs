//! A bow: friction between a point and bow hair that moves at a given velocity.
//!
//! Law         f = r·v, v = δt·η − v_B, r = F·φ(v*)/v* ≥ 0: p = −r·v_B, q = r/2k
//! Aim         v* first from the last two slips, v* = (3s − s⁻)/2 with s = δt−η − v_B; then, for curves, the solution next
//!             to it of v = v₀ − (B/2k)·F·φ(v), v₀ the slip without this friction: where the string is captured or
//!             released, friction changes too much within a step for an estimate. Bristles take the slip of the last solve. f·v ≥ 0 for
//!             any v*
//! Energy      dissipated r·v², supplied by the player −f·v_B; bristles store too (`bristle`)
//! Reference   Bilbao (2009), ch. 4 and 7.4, where v* is the slip of the last step

use crate::interaction::bristle::Bristle;
use crate::interaction::friction::{FrictionCurve, Slip};
use crate::model::{Affine, LawState, SolvedStep};

/// Model of the friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FrictionModel {
    Curve(FrictionCurve),
    Bristle(Bristle),
}

/// A bow on one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BowLaw {
    pub friction: FrictionModel,
    /// F now \[N\].
    pub force: f64,
    /// v_B now \[m/s\].
    pub velocity: f64,
    /// The slip at which the curve was last evaluated in this step.
    aimed: Slip,
    /// Slip one step ago, if known \[m/s\].
    pub before: Option<f64>,
    /// Time step \[s\], and the rate \[1/s\].
    k: f64,
    rate: f64,
    /// Energy dissipated and supplied in the last step \[J\].
    pub lost: f64,
    pub supplied: f64,
}

impl BowLaw {
    pub fn new(friction: FrictionModel, k: f64) -> Self {
        Self {
            friction,
            force: 0.0,
            velocity: 0.0,
            aimed: Slip::default(),
            before: None,
            k,
            rate: 1.0 / k,
            lost: 0.0,
            supplied: 0.0,
        }
    }

    /// The last slip, δt−η − v_B.
    #[inline]
    fn slip(&self, eta: f64, eta_prev: f64) -> f64 {
        (eta - eta_prev) * self.rate - self.velocity
    }

    /// The law at the slip of the last solve.
    #[inline(always)]
    pub fn aim(&mut self, d: f64) -> Affine {
        let v = 0.5 * d * self.rate - self.velocity;
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            let bend = bristle.mean_bend(v, self.k);
            bristle.rate = bristle.rate_at(self.force, v, bend);
        }
        self.at(v)
    }

    /// Whether its friction is a curve, which has no memory.
    pub fn has_curve(&self) -> bool {
        matches!(self.friction, FrictionModel::Curve(_))
    }

    /// The law at the slip that solves it, for `free` = d + Bf \[m\], the motion without this friction.
    #[inline]
    pub fn aim_from(&mut self, d: f64, free: f64, compliance: f64) -> Affine {
        match &self.friction {
            FrictionModel::Curve(curve) if self.force > 0.0 => {
                let half = 0.5 * self.rate;
                self.aimed = curve.slip(half * free - self.velocity, half * compliance * self.force, self.aimed);
                self.rub(0.0, self.force * self.aimed.r)
            }
            FrictionModel::Curve(_) | FrictionModel::Bristle(_) => self.aim(d),
        }
    }

    #[inline(always)]
    fn at(&self, v: f64) -> Affine {
        let (constant, r) = match &self.friction {
            // The bow is lifted.
            _ if self.force <= 0.0 => (0.0, 0.0),
            FrictionModel::Curve(curve) => (0.0, self.force * curve.resistance(v)),
            FrictionModel::Bristle(bristle) => bristle.law(self.k),
        };
        self.rub(constant, r)
    }

    /// f = constant + r·v.
    #[inline(always)]
    fn rub(&self, constant: f64, r: f64) -> Affine {
        Affine { r, p: constant - r * self.velocity, ..Affine::default() }
    }
}

impl LawState for BowLaw {
    /// The law at the slip expected from the last two.
    #[inline(always)]
    fn affine(&mut self, eta: f64, eta_prev: f64) -> Affine {
        let slip = self.slip(eta, eta_prev);
        let expected = slip + 0.5 * (slip - self.before.unwrap_or(slip));
        if let (FrictionModel::Curve(curve), true) = (&self.friction, self.force > 0.0) {
            self.aimed = curve.at(expected);
            return self.rub(0.0, self.force * self.aimed.r);
        }
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            let bend = 1.5 * bristle.bend - 0.5 * bristle.before;
            bristle.rate = bristle.rate_at(self.force, expected, bend);
        }
        self.at(expected)
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    /// Largest resistance of bristles; 0 for a curve, which is solved for its slip.
    fn stiffness(&self, _energy: f64, half_rate: f64) -> [f64; 2] {
        let resistance = match &self.friction {
            FrictionModel::Curve(_) => 0.0,
            FrictionModel::Bristle(bristle) => self.k * bristle.stiffness + bristle.damping + bristle.viscous,
        };
        [4.0 * half_rate * resistance, 0.0]
    }

    #[inline]
    fn advance(&mut self, step: &SolvedStep) {
        let v = 0.5 * step.d * self.rate - self.velocity;
        self.before = Some(self.slip(step.eta, step.eta_prev));
        self.supplied = -step.force * self.velocity * self.k;
        self.lost = match &mut self.friction {
            FrictionModel::Curve(_) => step.force * v * self.k,
            FrictionModel::Bristle(bristle) if self.force > 0.0 => bristle.advance(v, self.k),
            FrictionModel::Bristle(bristle) => bristle.lift(),
        };
    }

    fn energy(&self, _eta_next: f64, _eta: f64) -> f64 {
        match &self.friction {
            FrictionModel::Curve(_) => 0.0,
            FrictionModel::Bristle(bristle) => bristle.energy(),
        }
    }

    fn reset(&mut self, _eta: f64, _eta_prev: f64) {
        (self.before, self.lost, self.supplied) = (None, 0.0, 0.0);
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            (bristle.bend, bristle.before, bristle.rate) = (0.0, 0.0, 0.0);
        }
    }
}
