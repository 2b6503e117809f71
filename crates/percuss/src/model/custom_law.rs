//! Laws of interaction beyond the built-in ones. A law is a type of its own: its description implements [`CustomLaw`], what it
//! keeps of the past implements [`LawState`]. The engine's own laws implement `LawState` too.
//!
//! Row         η = below − above − gap \[m\], d = η⁺ − η⁻; the law for one sample is affine in d: see [`AffineLaw`]
//! Energy      a row receives ½f·d in a step. H⁺ − H + (loss) must be equal to that, or the ledger shows a residual:
//!             ψ⁺ = ψ + g·d/2 and ½ψ² account for the part with slope g; r(δt·η)²k is dissipated; p and q belong to
//!             `LawState::energy`

use crate::model::affine::{AffineLaw, PotentialSample};
use std::fmt::Debug;
use std::sync::Arc;

/// A parameter of a custom law that is out of range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadParameter {
    /// Name of the parameter.
    pub field: &'static str,
    /// What was found.
    pub value: f64,
    /// What is allowed, in words.
    pub allowed: &'static str,
}

/// Description of a law of interaction between two points.
pub trait CustomLaw: Debug + Send + Sync {
    /// What this kind of interaction is called.
    fn kind(&self) -> &'static str;

    /// All parameters by name. Two laws of a kind with the same parameters are equal; each must be finite.
    fn parameters(&self) -> Vec<(&'static str, f64)>;

    /// The offset subtracted from below − above \[m\].
    fn gap(&self) -> f64 {
        0.0
    }

    /// Checks the parameters when a model is compiled.
    ///
    /// # Errors
    /// The first parameter that is out of range.
    fn check(&self) -> Result<(), BadParameter> {
        Ok(())
    }

    /// The law as it starts, for a time step k \[s\].
    fn state(&self, k: f64) -> Box<dyn LawState>;
}

/// A law on one row, with what it remembers. All methods run on the audio path: they must not allocate, lock or panic.
pub trait LawState: Debug + Send + Sync {
    /// The law for this step, with ηⁿ and ηⁿ⁻¹ \[m\]. Where there is a potential, `g` is its slope ψ′(η).
    fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw;

    /// A copy.
    fn boxed(&self) -> Box<dyn LawState>;

    /// Whether it has a potential: whether `sample` is ever other than 0.
    fn has_potential(&self) -> bool {
        false
    }

    /// Whether it only pushes: its force is 0 for η ≤ 0 and never negative. It then has a potential.
    fn is_one_sided(&self) -> bool {
        false
    }

    /// Whether `hysteresis_loss` is ever other than 0.
    fn has_hysteresis_loss(&self) -> bool {
        false
    }

    /// The potential at η; all 0 for η ≤ 0 where the law is one-sided.
    fn sample(&self, _eta: f64) -> PotentialSample {
        PotentialSample::default()
    }

    /// Work per energy stored on the way from ψ to ψ(η⁺) = `target`, at a velocity η̇ \[m/s\]; 1 without loss.
    fn work_ratio(&self, _velocity: f64, _psi: f64, _target: f64) -> f64 {
        1.0
    }

    /// Energy dissipated of the work in a step, beside that of r \[J\]: at least 0.
    fn hysteresis_loss(&self, _step: &SolvedStep) -> f64 {
        0.0
    }

    /// The velocity after release, times k \[m\], of bodies that meet with `approach` = v·k \[m\] and a ψ that is handed back in full,
    /// for a compliance B \[m/N\]: not above 0. `None` where nothing is lost on the way.
    fn exit_velocity(&self, _approach: f64, _psi: f64, _compliance: f64) -> Option<f64> {
        None
    }

    /// Energy stored beside the potential at n + ½, with η⁺ and η \[m\] \[J\].
    fn energy(&self, _eta_next: f64, _eta: f64) -> f64 {
        0.0
    }

    /// Energy dissipated in the last step beside `hysteresis_loss` and that of r \[J\].
    fn dissipated(&self) -> f64 {
        0.0
    }

    /// Four times the slope q + r/2k that no scheme can limit, its linear part and that at which the law stores an energy \[J\]: models
    /// in which it leaves no digits to coupled rows are refused. `half_rate` = 1/2k \[N/m\].
    fn stiffness(&self, _energy: f64, _half_rate: f64) -> [f64; 2] {
        [0.0; 2]
    }

    /// (φ(η + d) − φ(η))/d \[N\], and its derivative in d \[N/m\]: for the iterative scheme.
    fn discrete_gradient(&self, eta: f64, d: f64) -> (f64, f64) {
        let energy = |eta: f64| 0.5 * self.sample(eta).psi.powi(2);
        let force = |eta: f64| self.sample(eta).force;
        if d == 0.0 {
            return (force(eta), 0.0);
        }
        let mean = (energy(eta + d) - energy(eta)) / d;
        (mean, ((force(eta + d) - mean) / d).max(0.0))
    }

    /// Advances to the next step.
    fn advance(&mut self, _step: &SolvedStep) {}

    /// Forgets the past; the bodies are at η, and were at η⁻ \[m\].
    fn reset(&mut self, _eta: f64, _eta_prev: f64) {}
}

/// A step of a row that has been solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedStep {
    /// ηⁿ \[m\].
    pub eta: f64,
    /// ηⁿ⁻¹ \[m\].
    pub eta_prev: f64,
    /// ηⁿ⁺¹ − ηⁿ⁻¹ \[m\].
    pub d: f64,
    /// Force \[N\].
    pub force: f64,
    /// ψ before the step, or, once it is taken, after it.
    pub psi: f64,
    /// Compliance B of the bodies \[m/N\].
    pub compliance: f64,
    /// 1/2k \[1/s\].
    pub half_rate: f64,
}

impl SolvedStep {
    /// Work done on the interaction \[J\].
    #[must_use]
    pub fn work(&self) -> f64 {
        0.5 * self.force * self.d
    }

    /// Velocities of compression before and after the force has acted, times k \[m\]: (d ± Bf)/2.
    #[must_use]
    pub fn velocities(&self) -> [f64; 2] {
        let change = self.compliance * self.force;
        [0.5 * (self.d + change), 0.5 * (self.d - change)]
    }
}

impl Clone for Box<dyn LawState> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

/// A custom law as the model keeps it.
#[derive(Clone, Debug)]
pub struct SharedLaw(Arc<dyn CustomLaw>);

impl std::ops::Deref for SharedLaw {
    type Target = dyn CustomLaw;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for SharedLaw {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind() && self.parameters() == other.parameters()
    }
}

impl<L: CustomLaw + 'static> From<L> for SharedLaw {
    fn from(law: L) -> Self {
        Self(Arc::new(law))
    }
}
