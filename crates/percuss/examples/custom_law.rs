//! A law of your own: a standard linear solid, a spring beside a spring and a dashpot in series. It remembers.
//!
//! Equation    f = K₁η + K₂w,  ẇ = η̇ − w/τ: stiff when moved fast, soft when moved slowly
//! Update      (w⁺ − w)/k = d/2k − (w⁺ + w)/2τ,  f = ½K₁(η̄⁺ + η̄) + ½K₂(w⁺ + w), η̄ the mean of η over a step
//! Energy      H = ½K₁η̄² + ½K₂w², dissipated K₂(½(w⁺ + w))²/τ: H⁺ − H + k·(dissipated) = ½f·d
//!
//!     cargo run --release -p percuss --example custom_law

use percuss::prelude::*;
use percuss::{AffineLaw, CustomLaw, LawState, SolvedStep};

/// The description: plain data.
#[derive(Clone, Copy, Debug)]
struct Viscoelastic {
    /// K₁ and K₂ \[N/m\].
    stiffness: [f64; 2],
    /// τ \[s\].
    relaxation: f64,
}

impl CustomLaw for Viscoelastic {
    fn kind(&self) -> &'static str {
        "viscoelastic"
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        let [slow, fast] = self.stiffness;
        vec![("slow stiffness", slow), ("fast stiffness", fast), ("relaxation", self.relaxation)]
    }

    fn state(&self, k: f64) -> Box<dyn LawState> {
        Box::new(ViscoelasticState { law: *self, k, w: 0.0, dissipated: 0.0 })
    }
}

/// What it remembers of the past.
#[derive(Clone, Copy, Debug)]
struct ViscoelasticState {
    law: Viscoelastic,
    k: f64,
    /// Elongation of the second spring \[m\].
    w: f64,
    /// Energy that the dashpot dissipated in the last step \[J\].
    dissipated: f64,
}

impl ViscoelasticState {
    /// ½(w⁺ + w) for a motion d \[m\].
    fn mean_w(&self, d: f64) -> f64 {
        (self.w + 0.25 * d) / (1.0 + 0.5 * self.k / self.law.relaxation)
    }
}

impl LawState for ViscoelasticState {
    fn affine(&mut self, eta: f64, eta_prev: f64) -> AffineLaw {
        let [slow, fast] = self.law.stiffness;
        let spring = AffineLaw { p: 0.5 * slow * (eta + eta_prev), q: 0.25 * slow, ..AffineLaw::default() };
        let at_rest = self.mean_w(0.0);
        AffineLaw { p: spring.p + fast * at_rest, q: spring.q + fast * (self.mean_w(1.0) - at_rest), ..spring }
    }

    fn boxed(&self) -> Box<dyn LawState> {
        Box::new(*self)
    }

    fn energy(&self, eta_next: f64, eta: f64) -> f64 {
        let [slow, fast] = self.law.stiffness;
        0.5 * slow * (0.5 * (eta_next + eta)).powi(2) + 0.5 * fast * self.w * self.w
    }

    fn dissipated(&self) -> f64 {
        self.dissipated
    }

    fn advance(&mut self, step: &SolvedStep) {
        let mean = self.mean_w(step.d);
        self.dissipated = self.k * self.law.stiffness[1] * mean * mean / self.law.relaxation;
        self.w = 2.0 * mean - self.w;
    }

    fn reset(&mut self, _eta: f64, _eta_prev: f64) {
        (self.w, self.dissipated) = (0.0, 0.0);
    }
}

fn main() -> Result<(), CompileError> {
    let mut model = Model::new();
    let wall = model.add(Barrier::at(0.0));
    let body = model.add(Mass { mass: 0.1, position: 0.01, ..Mass::default() });
    let law = Viscoelastic { stiffness: [1e4, 3e4], relaxation: 1e-3 };
    let mount = model.interact(body.point(), wall.point(), law);
    let mut simulation = model.compile(44_100.0)?;
    simulation.open_ledger();
    for _ in 0..22_050 {
        simulation.step();
    }
    let ledger = simulation.ledger().expect("opened above");
    let account = &ledger.interactions[mount.index()];
    println!("{:.3e} J at the start, {:.3e} J dissipated by the mount", ledger.total.initial, account.dissipated);
    println!("balance off by at most {:.1e} of the energy in any step", ledger.total.worst_relative);
    assert!(ledger.total.worst_relative < 1e-12);
    Ok(())
}
