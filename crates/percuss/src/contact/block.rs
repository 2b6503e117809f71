//! A connected component of the contact network and its one linear solve.
//!
//! Law         f = p + q·d for every row, d = d₀ − B f
//! Solve       (I + S B S) z = S⁻¹p + S d₀,  f = S z,  S = diag(√q),  S⁻¹p := 0 where q = 0
//!             Identity plus a positive semidefinite matrix: one solution for any stiffness and any number of rows
//! Stiff rows  Bq is far above 1: what a solve leaves of digits to the sum of opposing forces may not do for the stiffest
//!             law. It is solved again for p + q·d − f, what forces miss of their laws, until that is rounding
//! Symbols     d = η⁺ − η⁻ \[m\], d₀ the same without contact forces, B compliance \[m/N\], f force \[N\]
//! Allocates   only in `new`

use crate::contact::active_set::MOST;
use crate::contact::skyline::Skyline;
use crate::contact::small::Few;
use crate::contact::stencil::{Seat, Sights};
use crate::element::state::{State, flush};
use crate::interaction::affine::Affine;
use crate::interaction::law::Law;

/// Largest Bq of the slopes of collisions and connections. They are rigid within a step anyway; where stiffer ones push against
/// each other, the sum of their forces has no digits left. Rows that are coupled to no other are held to it too: a contact
/// moves alike whatever is beside it.
const STIFFEST_ROW: f64 = 2e3;
/// The same for springs, whose law leaves no choice: stiffer ones are refused.
pub(crate) const STIFFEST_SPRING: f64 = 1e5;
/// The same for cubic springs, whose slope is taken at η alone: where a step crosses a multiple of the elongation that holds
/// all energy, their forces are far above any that belongs to that energy.
pub(crate) const STIFFEST_CUBIC: f64 = 16.0;

/// Bq above which a row is stiff.
const STIFF: f64 = 1e3;
/// Solves of a block that has stiff rows.
pub(crate) const PASSES: usize = 3;

#[inline(always)]
pub(crate) fn is_stiff(q: f64, compliance: f64) -> bool {
    q * compliance > STIFF
}

/// One scalar contact: a law and what it sees of the elements. Three cache lines, of which an open contact needs the first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Row {
    /// ψ at n − ½.
    pub psi: f64,
    /// η at n \[m\].
    pub eta: f64,
    /// η at n − 1 \[m\].
    pub back: f64,
    /// η − η⁻ \[m\].
    pub rise: f64,
    /// η⁺ − η⁻ without contact forces \[m\].
    pub free: f64,
    /// η⁺ − η⁻ \[m\].
    pub d: f64,
    /// Force \[N\].
    pub force: f64,
    /// The η up to which it is open \[m\]: below all others for a law that holds on both sides.
    brink: f64,
    /// Own entry of B \[m/N\].
    pub compliance: f64,
    pub affine: Affine,
    /// Energy lost to the law's own loss in the step, beside that of r \[J\].
    pub lost: f64,
    /// The d at which the slope was aimed \[m\]; infinite before.
    pub aimed: f64,
    pub law: Law,
    /// Its block.
    pub block: u32,
    /// Largest slope g.
    slope_limit: f32,
}

impl Row {
    pub fn new(law: Law, block: u32) -> Self {
        Self {
            psi: 0.0,
            eta: 0.0,
            back: 0.0,
            rise: 0.0,
            free: 0.0,
            d: 0.0,
            force: 0.0,
            brink: if law.is_one_sided() { 0.0 } else { f64::NEG_INFINITY },
            compliance: 0.0,
            affine: Affine::default(),
            lost: 0.0,
            aimed: f64::INFINITY,
            law,
            block,
            slope_limit: f32::INFINITY,
        }
    }

    /// Reads d₀, after the prediction, and says whether there may be something to solve: an open row has force and d.
    #[inline(always)]
    pub fn foresee(&mut self, seat: &Seat, sights: &Sights, state: &State) -> bool {
        self.free = seat.foresee(self.rise, sights, state);
        let open = self.stays_open();
        if open {
            (self.force, self.d) = (0.0, self.free);
        }
        !open
    }

    /// Whether it holds nothing and, if nothing pushes it, meets nothing this step: most collisions, most of the time.
    #[inline(always)]
    pub fn stays_open(&self) -> bool {
        self.is_clear() && self.back + self.free <= self.brink
    }

    /// Whether it holds nothing and has been open since the step before: its law is void, for now.
    #[inline(always)]
    pub fn is_clear(&self) -> bool {
        self.psi == 0.0 && self.eta <= self.brink && self.back <= self.brink
    }

    /// Whether it holds nothing and meets nothing by the end of the step, with d as it was solved last.
    #[inline(always)]
    pub fn stays_clear(&self) -> bool {
        self.is_clear() && self.back + self.d <= self.brink
    }

    /// Whether it held, met and did nothing in the step just taken.
    #[inline(always)]
    pub fn is_idle(&self) -> bool {
        self.stays_clear() && self.force == 0.0
    }

    /// Whether it is open half-way through the step just taken, where ψ⁺ belongs: ½(η⁺ + η) ≤ 0.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.eta + (self.back + self.d) <= 2.0 * self.brink
    }

    /// Where it closes in the step just taken, how many samples it would last undisturbed.
    pub fn contact_length(&self) -> Option<f64> {
        let Law::Collision(law) = &self.law else { return None };
        let half = 0.5 * (self.d + self.compliance * self.force);
        let closes = self.force > 0.0 && self.back <= self.brink && half > 0.0;
        closes.then(|| law.contact_length(half, self.compliance))
    }

    /// Moves on to this step: η is now η⁻, and of d = η⁺ − η⁻ the part up to η is known.
    #[inline(always)]
    pub fn follow(&mut self) {
        let (back, rise) = (self.eta, self.d - self.rise);
        (self.eta, self.back, self.rise) = (back + rise, back, rise);
    }

    /// Sets the law for this sample, with the plain slope.
    #[inline(always)]
    pub fn prepare(&mut self, half_rate: f64) {
        self.affine = if self.is_clear() { Affine::default() } else { self.law.affine(self.eta, self.back) };
        // The schemes of the literature keep their slopes as long as there are digits.
        let limit = 20.0 * self.slope_limit();
        self.affine.g = self.affine.g.min(limit);
        if self.law.is_one_sided() {
            self.affine.r = self.affine.r.min(0.25 * limit * limit / half_rate);
        }
    }

    /// (p, q) of this sample.
    #[inline]
    pub fn law_at(&self, half_rate: f64) -> (f64, f64) {
        let Affine { g, r, p, q } = self.affine;
        (g * self.psi + p, 0.25 * g * g + half_rate * r + q)
    }

    /// Force and displacement of a row that is coupled to no other.
    #[inline(always)]
    pub fn solve_alone(&mut self, half_rate: f64) {
        let (p, q) = self.law_at(half_rate);
        let Affine { g, r, q: other, .. } = self.affine;
        // 1 + Bq, in the order in which its parts are known: the slope comes last.
        let stiffness = (1.0 + self.compliance * (half_rate * r + other)) + g * g * (0.25 * self.compliance);
        // A factor that does not wait for d₀ of this sample.
        let share = 1.0 / stiffness;
        self.force = (p + q * self.free) * share;
        self.d = (self.free - self.compliance * p) * share;
    }

    /// Largest slope g.
    #[inline(always)]
    pub fn slope_limit(&self) -> f64 {
        f64::from(self.slope_limit)
    }

    /// p + q·d − f: what its force misses of its law \[N\].
    #[inline]
    pub fn missing_force(&self, half_rate: f64) -> f64 {
        let (p, q) = self.law_at(half_rate);
        (p + q * self.d) - self.force
    }

    /// ψ⁺ = ψ + g d/2.
    #[inline]
    pub fn psi_ahead(&self) -> f64 {
        self.psi + 0.5 * self.affine.g * self.d
    }

    /// Pushes the nodes and moves on, for a scheme that leaves ψ where the slope has taken it.
    #[inline(always)]
    pub fn push(&mut self, seat: &Seat, sights: &Sights, state: &mut State) {
        seat.push(self.force, sights, state);
        self.law.advance(self.eta, self.back, self.d, self.force);
        self.psi = flush(self.psi_ahead());
    }
}

/// The compliance matrix of a block.
#[derive(Clone, Debug)]
enum Compliance {
    /// A single row: its own entry stands in the row.
    Single,
    Two(Few<2>),
    Three(Few<3>),
    Many(Box<Coupled>),
}

/// The matrix of several coupled rows, with scratch for its solve.
#[derive(Clone, Debug)]
struct Coupled {
    matrix: Skyline,
    factor: Skyline,
    scale: Vec<f64>,
    z: Vec<f64>,
    reaction: Vec<f64>,
}

impl Solve for Coupled {
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        let Self { matrix, factor, scale, z, .. } = self;
        let mut stiff = false;
        for ((row, scale), z) in rows.iter().zip(&mut *scale).zip(&mut *z) {
            let (p, q) = row.law_at(half_rate);
            (*scale, *z) = (0.0, 0.0);
            if q > 0.0 {
                *scale = q.sqrt();
                *z = p / *scale + *scale * row.free;
                stiff |= is_stiff(q, row.compliance);
            }
        }
        matrix.solve_scaled(scale, factor, z);
        for ((row, scale), z) in rows.iter_mut().zip(&*scale).zip(&*z) {
            row.force = scale * z;
        }
        self.react(rows);
        if stiff {
            self.refine(rows, half_rate);
        }
    }
}

impl Coupled {
    /// Solves again for what is missing of the laws.
    #[cold]
    fn refine(&mut self, rows: &mut [Row], half_rate: f64) {
        for _ in 1..PASSES {
            let Self { matrix, factor, scale, z, .. } = self;
            for ((row, scale), z) in rows.iter().zip(&*scale).zip(&mut *z) {
                *z = if *scale > 0.0 { row.missing_force(half_rate) / *scale } else { 0.0 };
            }
            matrix.solve_factored(factor, z);
            for ((row, scale), z) in rows.iter_mut().zip(&*scale).zip(&*z) {
                row.force += scale * z;
            }
            self.react(rows);
        }
    }

    fn react(&mut self, rows: &mut [Row]) {
        let Self { matrix, z, reaction, .. } = self;
        for (row, z) in rows.iter().zip(&mut *z) {
            *z = row.force;
        }
        matrix.multiply(z, reaction);
        for (row, reaction) in rows.iter_mut().zip(&*reaction) {
            row.d = row.free - reaction;
        }
    }
}

/// What solves for the forces and displacements of the rows of a block under their present laws. `half_rate` = 1/2k.
pub(crate) trait Solve {
    fn solve(&mut self, rows: &mut [Row], half_rate: f64);
}

/// Solves a row that is coupled to no other.
pub(crate) struct Single;

impl Solve for Single {
    #[inline(always)]
    fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        rows[0].solve_alone(half_rate);
    }
}

/// A stage of a scheme, for the rows of a block and what solves them.
pub(crate) trait Stage {
    fn run(self, rows: &mut [Row], solver: &mut impl Solve);
}

/// What one node adds to B: weight·(inverse mass of the node) at (row, column).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub row: usize,
    pub column: usize,
    pub node: usize,
    pub weight: f64,
}

/// A connected component.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// Its rows in the network.
    pub rows: std::ops::Range<usize>,
    links: Vec<Link>,
    /// Entries of B, column ≤ row, that change because one of the rows moves over its element.
    pub moving: Vec<(usize, usize)>,
    compliance: Compliance,
}

impl Block {
    /// `links` and `moving` make up B within the block, column ≤ row; its values are set by `refresh`.
    pub fn new(rows: std::ops::Range<usize>, links: Vec<Link>, moving: Vec<(usize, usize)>) -> Self {
        let size = rows.len();
        let compliance = match size {
            1 => Compliance::Single,
            2 => Compliance::Two(Few::new()),
            3 => Compliance::Three(Few::new()),
            _ => {
                let fixed = links.iter().map(|link| (link.row, link.column));
                let entries: Vec<_> = fixed.chain(moving.iter().copied()).collect();
                let matrix = Skyline::new(size, &entries);
                let zeros = vec![0.0; size];
                let (factor, scale, z) = (matrix.clone(), zeros.clone(), zeros.clone());
                Compliance::Many(Box::new(Coupled { matrix, factor, scale, z, reaction: zeros }))
            }
        };
        Self { rows, links, moving, compliance }
    }

    /// Sets B for the masses as they are. `overlap` gives the entries of rows that move.
    pub fn refresh(&mut self, rows: &mut [Row], inverse_mass: &[f64], overlap: impl Fn(usize, usize) -> f64) {
        for row in rows.iter_mut() {
            row.compliance = 0.0;
        }
        match &mut self.compliance {
            Compliance::Single => {}
            Compliance::Two(few) => few.clear(),
            Compliance::Three(few) => few.clear(),
            Compliance::Many(coupled) => coupled.matrix.clear(),
        }
        let fixed = self.links.iter().map(|link| (link.row, link.column, link.weight * inverse_mass[link.node]));
        let moving = self.moving.iter().map(|&(row, column)| (row, column, overlap(row, column)));
        for (row, column, value) in fixed.chain(moving) {
            if row == column {
                rows[row].compliance += value;
            }
            match &mut self.compliance {
                Compliance::Single => {}
                Compliance::Two(few) => few.add(row, column, value),
                Compliance::Three(few) => few.add(row, column, value),
                Compliance::Many(coupled) => coupled.matrix.add(row, column, value),
            }
        }
        for row in rows.iter_mut() {
            row.slope_limit = (2.0 * (STIFFEST_ROW / row.compliance).sqrt()) as f32;
        }
    }

    /// Solves for the forces and displacements of all rows under their present laws. `half_rate` = 1/2k.
    pub fn solve(&mut self, rows: &mut [Row], half_rate: f64) {
        match &mut self.compliance {
            Compliance::Single => Single.solve(rows, half_rate),
            Compliance::Two(few) => few.solve(rows, half_rate),
            Compliance::Three(few) => few.solve(rows, half_rate),
            Compliance::Many(coupled) => coupled.solve(rows, half_rate),
        }
    }

    /// Takes its rows of the network through a stage, which knows their number where they are few.
    #[inline(always)]
    pub fn take(&mut self, rows: &mut [Row], stage: impl Stage) {
        let rows = &mut rows[self.rows.clone()];
        match &mut self.compliance {
            Compliance::Single => stage.run(&mut rows[..1], &mut Single),
            Compliance::Two(few) => stage.run(&mut rows[..2], few),
            Compliance::Three(few) => stage.run(&mut rows[..3], few),
            Compliance::Many(coupled) => stage.run(rows, &mut **coupled),
        }
    }

    /// Whether it has so many rows that those that are closed may be solved apart from the rest.
    pub fn is_large(&self) -> bool {
        matches!(self.compliance, Compliance::Many(_)) && self.rows.len() > MOST
    }

    /// An entry of B, of a block that is large.
    pub fn entry(&self, row: usize, column: usize) -> f64 {
        match &self.compliance {
            Compliance::Many(coupled) => coupled.matrix.entry(row.max(column), row.min(column)),
            Compliance::Single | Compliance::Two(_) | Compliance::Three(_) => 0.0,
        }
    }

    /// d = d₀ − B f for the forces as they stand.
    pub fn react(&mut self, rows: &mut [Row]) {
        match &mut self.compliance {
            Compliance::Single => rows[0].d = rows[0].free - rows[0].compliance * rows[0].force,
            Compliance::Two(few) => few.react(rows),
            Compliance::Three(few) => few.react(rows),
            Compliance::Many(coupled) => coupled.react(rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::contact::block::Row;

    #[test]
    fn a_row_takes_three_cache_lines() {
        assert_eq!(std::mem::size_of::<Row>(), 192);
    }
}
