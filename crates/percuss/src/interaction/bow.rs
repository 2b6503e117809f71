//! A bow: friction between a point and bow hair that moves at a given velocity.
//!
//! Law         f = r·v, v = δt·η − v_B, r = F·φ(v*)/v* ≥ 0: p = −r·v_B, q = r/2k
//! Slip        v* first from the last two slips, v* = (3s − s⁻)/2 with s = δt−η − v_B; then, for curves, the solution next
//!             to it of v = v₀ − (B/2k)·F·φ(v), v₀ the slip without this friction: where the string is captured or
//!             released, friction changes too much within a step for an estimate. Bristles take the slip of the last solve. f·v ≥ 0 for
//!             any v*
//! Energy      dissipated r·v², supplied by the player −f·v_B; bristles store too (`bristle`)
//! Reference   Bilbao (2009), ch. 4 and 7.4, where v* is the slip of the last step

use crate::interaction::bristle::Bristle;
use crate::interaction::friction::{FrictionCurve, SlipSample};
use crate::model::{AffineLaw, LawState, SolvedStep};

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
    evaluated_slip: SlipSample,
    /// Slip one step ago, if known \[m/s\].
    previous_slip: Option<f64>,
    /// Time step \[s\], and the rate \[1/s\].
    k: f64,
    sample_rate: f64,
    /// Energy dissipated and supplied in the last step \[J\].
    pub dissipated: f64,
    pub supplied: f64,
}

impl BowLaw {
    pub fn new(friction: FrictionModel, k: f64) -> Self {
        Self {
            friction,
            force: 0.0,
            velocity: 0.0,
            evaluated_slip: SlipSample::default(),
            previous_slip: None,
            k,
            sample_rate: 1.0 / k,
            dissipated: 0.0,
            supplied: 0.0,
        }
    }

    /// The last slip, δt−η − v_B.
    #[inline]
    fn slip(&self, eta: f64, eta_prev: f64) -> f64 {
        (eta - eta_prev) * self.sample_rate - self.velocity
    }

    /// The law at the slip of the last solve.
    #[inline(always)]
    pub fn affine_at_motion(&mut self, d: f64) -> AffineLaw {
        let v = 0.5 * d * self.sample_rate - self.velocity;
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            let deflection = bristle.mean_deflection(v, self.k);
            bristle.relaxation_rate = bristle.relaxation_rate_at(self.force, v, deflection);
        }
        self.affine_at_slip(v)
    }

    /// Whether its friction is a curve, which has no memory.
    pub fn has_friction_curve(&self) -> bool {
        matches!(self.friction, FrictionModel::Curve(_))
    }

    /// The law at the slip that solves it, for `free` = d + Bf \[m\], the motion without this friction.
    #[inline(always)]
    pub fn solve_slip(&mut self, d: f64, free: f64, compliance: f64) -> AffineLaw {
        match &self.friction {
            FrictionModel::Curve(curve) if self.force > 0.0 => {
                let half = 0.5 * self.sample_rate;
                self.evaluated_slip =
                    curve.solve_slip(half * free - self.velocity, half * compliance * self.force, self.evaluated_slip);
                self.affine_friction(0.0, self.force * self.evaluated_slip.r)
            }
            FrictionModel::Curve(_) | FrictionModel::Bristle(_) => self.affine_at_motion(d),
        }
    }

    #[inline(always)]
    fn affine_at_slip(&self, v: f64) -> AffineLaw {
        let (constant, r) = match &self.friction {
            // The bow is lifted.
            _ if self.force <= 0.0 => (0.0, 0.0),
            FrictionModel::Curve(curve) => (0.0, self.force * curve.resistance(v)),
            FrictionModel::Bristle(bristle) => bristle.law(self.k),
        };
        self.affine_friction(constant, r)
    }

    /// f = constant + r·v.
    #[inline(always)]
    fn affine_friction(&self, constant: f64, r: f64) -> AffineLaw {
        AffineLaw { r, p: constant - r * self.velocity, ..AffineLaw::default() }
    }
}

impl LawState for BowLaw {
    /// The law at the slip expected from the last two.
    #[inline(always)]
    fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw {
        let slip = self.slip(eta, eta_prev);
        let expected = slip + 0.5 * (slip - self.previous_slip.unwrap_or(slip));
        if let (FrictionModel::Curve(curve), true) = (&self.friction, self.force > 0.0) {
            self.evaluated_slip = curve.near(self.evaluated_slip, expected);
            return self.affine_friction(0.0, self.force * self.evaluated_slip.r);
        }
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            let deflection = 1.5 * bristle.deflection - 0.5 * bristle.previous_deflection;
            bristle.relaxation_rate = bristle.relaxation_rate_at(self.force, expected, deflection);
        }
        self.affine_at_slip(expected)
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
        let v = 0.5 * step.d * self.sample_rate - self.velocity;
        self.previous_slip = Some(self.slip(step.eta, step.eta_prev));
        self.supplied = -step.force * self.velocity * self.k;
        self.dissipated = match &mut self.friction {
            FrictionModel::Curve(_) => step.force * v * self.k,
            FrictionModel::Bristle(bristle) if self.force > 0.0 => bristle.advance(v, self.k),
            FrictionModel::Bristle(bristle) => bristle.release(),
        };
    }

    fn energy(&self, _eta_next: f64, _eta: f64) -> f64 {
        match &self.friction {
            FrictionModel::Curve(_) => 0.0,
            FrictionModel::Bristle(bristle) => bristle.energy(),
        }
    }

    fn reset(&mut self, _eta: f64, _eta_prev: f64) {
        (self.evaluated_slip, self.previous_slip) = (SlipSample::default(), None);
        (self.dissipated, self.supplied) = (0.0, 0.0);
        if let FrictionModel::Bristle(bristle) = &mut self.friction {
            (bristle.deflection, bristle.previous_deflection, bristle.relaxation_rate) = (0.0, 0.0, 0.0);
        }
    }
}
