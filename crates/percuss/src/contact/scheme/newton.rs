//! The iterative reference: the discrete gradient of the potential, solved by damped Newton steps.
//!
//! Equation    d = d₀ − B f(d),  f = (φ(η⁻+d) − φ(η⁻))/d + the other parts of the law
//! Step        the law made affine at the guess d̂, f ≈ f(d̂) + f′(d̂)(d − d̂), is solved like any other law; the step
//!             is halved while the residual ‖d̂ − d₀ + B f(d̂)‖∞ does not fall
//! Friction    is evaluated at the last slip while the potentials are solved, then again, until it converges
//! Ends        when the residual is at most 1e-13 of the size of the motion, when no step makes it smaller, or after
//!             60 steps; the solves that end above the tolerance are counted. Forces and d are then taken from one
//!             more affine solve: the law itself, at a stiffness far above that of the elements, would magnify the
//!             rounding of d̂
//! Energy      stored ½(φ(η⁺) + φ(η)); the balance holds to the residual
//! Allocates   only in `Newton::new`
//! Reference   Chatziioannou and van Walstijn (2015); Willemsen (2019), eqs. 32–37 (signs and eq. 37 corrected)

use crate::contact::block::Block;
use crate::contact::row::Row;
use crate::interaction::law::RowLaw;
use crate::model::AffineLaw;

const TOLERANCE: f64 = 1e-13;
const MAX_STEPS: u32 = 60;
const MAX_HALVINGS: u32 = 20;

/// Iteration counts of the Newton scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NewtonEffort {
    /// Solves that needed at least one step.
    pub solves: u64,
    /// Newton steps in all.
    pub steps: u64,
    /// Most steps in one solve.
    pub max_steps: u32,
    /// Solves that ended above the tolerance.
    pub unconverged: u64,
}

impl NewtonEffort {
    /// Mean number of steps per solve.
    #[must_use]
    pub fn mean_steps(&self) -> f64 {
        if self.solves == 0 { 0.0 } else { self.steps as f64 / self.solves as f64 }
    }
}

/// Scratch for the largest block, and the count of work done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    /// d̂ of every row \[m\].
    guess: Vec<f64>,
    /// The full Newton step of every row \[m\].
    newton_step: Vec<f64>,
    pub effort: NewtonEffort,
}

impl Newton {
    pub fn new(largest_block: usize) -> Self {
        Self { guess: vec![0.0; largest_block], newton_step: vec![0.0; largest_block], effort: NewtonEffort::default() }
    }

    pub fn solve(&mut self, block: &mut Block, rows: &mut [Row], half_rate: f64) {
        self.solve_potentials(block, rows, half_rate);
        for _ in 0..MAX_STEPS {
            if !update_friction(rows) {
                break;
            }
            self.solve_potentials(block, rows, half_rate);
        }
    }

    fn solve_potentials(&mut self, block: &mut Block, rows: &mut [Row], half_rate: f64) {
        let size = |row: &Row| row.d_free.abs().max((row.eta - row.eta_prev).abs());
        let tolerance = TOLERANCE * rows.iter().map(size).fold(0.0, f64::max);
        for (guess, row) in self.guess.iter_mut().zip(&mut *rows) {
            *guess = row.d_free;
        }
        let mut steps = 0;
        let mut residual = self.residual(block, rows, half_rate);
        while residual > tolerance && steps < MAX_STEPS {
            steps += 1;
            match self.step(block, rows, half_rate, residual) {
                Some(smaller) => residual = smaller,
                None => break,
            }
        }
        if steps > 0 {
            self.linearise(rows);
            block.solve(rows, half_rate);
            self.effort.solves += 1;
            self.effort.steps += u64::from(steps);
            self.effort.max_steps = self.effort.max_steps.max(steps);
            self.effort.unconverged += u64::from(residual > tolerance);
        }
    }

    /// Gives every row the force of its law at the guess and the d that follows; returns ‖d̂ − d‖∞.
    fn residual(&self, block: &mut Block, rows: &mut [Row], half_rate: f64) -> f64 {
        for (row, &guess) in rows.iter_mut().zip(&self.guess) {
            let (potential, _) = potential_force(row, guess);
            let law = law_without_potential(row);
            row.force = potential + law.p + (law.q + half_rate * law.r) * guess;
        }
        block.update_motion(rows);
        rows.iter().zip(&self.guess).map(|(row, guess)| (row.d - guess).abs()).fold(0.0, f64::max)
    }

    /// Makes every law affine at the guess.
    fn linearise(&self, rows: &mut [Row]) {
        for (row, &guess) in rows.iter_mut().zip(&self.guess) {
            let (force, derivative) = potential_force(row, guess);
            row.affine = law_without_potential(row);
            row.affine.g = 0.0;
            row.affine.p += force - derivative * guess;
            row.affine.q += derivative;
        }
    }

    /// One damped step; `None` where no share of it makes the residual smaller, and then the guess stays.
    fn step(&mut self, block: &mut Block, rows: &mut [Row], half_rate: f64, residual: f64) -> Option<f64> {
        self.linearise(rows);
        block.solve(rows, half_rate);
        for ((row, guess), newton_step) in rows.iter().zip(&mut self.guess).zip(&mut self.newton_step) {
            *newton_step = row.d - *guess;
            *guess = row.d;
        }
        let mut share = 1.0;
        for _ in 0..MAX_HALVINGS {
            let next = self.residual(block, rows, half_rate);
            if next < residual {
                return Some(next);
            }
            share *= 0.5;
            for (guess, newton_step) in self.guess.iter_mut().zip(&self.newton_step).take(rows.len()) {
                *guess -= share * newton_step;
            }
        }
        for (guess, newton_step) in self.guess.iter_mut().zip(&self.newton_step).take(rows.len()) {
            *guess -= share * newton_step;
        }
        self.residual(block, rows, half_rate);
        None
    }
}

/// The discrete gradient of the potential of a row over d from η⁻, and its derivative.
fn potential_force(row: &Row, d: f64) -> (f64, f64) {
    if row.is_suspended() { (0.0, 0.0) } else { row.law.discrete_gradient(row.eta_prev, d) }
}

/// The law of a row without its potential; friction at the slip at which it was last evaluated.
fn law_without_potential(row: &mut Row) -> AffineLaw {
    let is_set = row.law.is_friction() || row.is_suspended();
    if is_set { row.affine } else { row.law.affine(row.eta, row.eta_prev) }
}

/// Evaluates friction at the present slip; returns whether that changed it.
fn update_friction(rows: &mut [Row]) -> bool {
    let mut changed = false;
    for row in rows.iter_mut() {
        if row.is_suspended() {
            continue;
        }
        if let RowLaw::Bow(bow) = &mut row.law {
            let before = std::mem::replace(&mut row.affine, bow.affine_at_motion(row.d));
            let change = (row.affine.r - before.r).abs() + (row.affine.p - before.p).abs();
            changed |= change > TOLERANCE * (before.r + before.p.abs());
        }
    }
    changed
}
