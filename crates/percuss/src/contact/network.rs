//! All contacts of a model: what they see, solve block by block, scatter what they push.
//!
//! Look, foresee, push   see `seat`
//! Compliance  Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ over shared nodes; blocks are its connected components
//! Allocates   only in `new`

use crate::contact::active_set::Active;
use crate::contact::block::Block;
use crate::contact::bow_or_finger::Hand;
use crate::contact::coupling::Couplings;
use crate::contact::plan::RowPlan;
use crate::contact::row::{Row, STIFFEST_ALONE, STIFFEST_BESIDE_OTHERS};
use crate::contact::scheme::extrapolated::{self, Past};
use crate::contact::scheme::newton::Newton;
use crate::contact::scheme::tracked::{self, AIMS, Aim, Alone, Begin, Finish};
use crate::contact::stencil::{Seat, Sights, Work};
use crate::element::state::State;
use crate::interaction::law::Law;
use crate::model::{Control, Model, Scheme};

/// All contacts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Network {
    scheme: Scheme,
    pub rows: Vec<Row>,
    pub past: Vec<Past>,
    seats: Vec<Seat>,
    sights: Sights,
    blocks: Vec<Block>,
    /// Blocks in which something is to be solved this step, and then others: there is always room for all.
    busy: Vec<u32>,
    /// Rows of every interaction.
    rows_of: Vec<Vec<usize>>,
    /// The hands and the rows they hold.
    hands: Vec<(usize, Hand)>,
    /// Whether there is but one row, of a collision, in the default scheme.
    lone: bool,
    /// Whether one of them has moved over its element since B was set.
    moved: bool,
    active: Active,
    pub newton: Newton,
}

/// The account of a row \[J\].
pub(crate) struct RowEnergy {
    pub stored: f64,
    pub lost: f64,
    pub supplied: f64,
}

impl Network {
    pub fn new(plans: Vec<RowPlan>, model: &Model, state: &State, k: f64) -> Self {
        let rows_of = vec![Vec::new(); model.interactions.len()];
        let mut network = Self { rows_of, scheme: model.scheme, ..Self::default() };
        let couplings = Couplings::of(&plans);
        let components = couplings.components();
        let mut plans: Vec<Option<RowPlan>> = plans.into_iter().map(Some).collect();
        for component in &components {
            let start = network.rows.len();
            let (links, moving) = (couplings.links(component), couplings.moving_pairs(component));
            for &index in component {
                let plan = plans[index].take().expect("components are disjoint");
                network.seat(plan);
            }
            if let [seat] = &mut network.seats[start..] {
                seat.is_single = true;
            }
            network.blocks.push(Block::new(start..network.rows.len(), links, moving));
        }
        network.lone = matches!(&network.rows[..], [row] if row.law.is_one_sided()) && model.scheme == Scheme::Tracked;
        network.busy = vec![0; network.blocks.len()];
        network.move_hands(0.0, k);
        network.refresh(&state.inverse_mass, false);
        network.active = Active::new();
        network.newton = Newton::new(components.iter().map(Vec::len).max().unwrap_or(0));
        network
    }

    fn seat(&mut self, plan: RowPlan) {
        let row = self.rows.len();
        self.rows_of[plan.interaction].push(row);
        self.rows.push(Row::new(plan.law.clone(), self.blocks.len() as u32));
        self.hands.extend(plan.hand.clone().map(|hand| (row, hand)));
        self.past.push(Past::default());
        self.seats.push(self.sights.seat(plan));
    }

    /// Moves the hands to where they are at time t \[s\] and lets them press and draw as they do then.
    pub fn move_hands(&mut self, t: f64, k: f64) {
        for (row, hand) in &mut self.hands {
            hand.act(&mut self.rows[*row].law, t, k);
            if let Some(walk) = &mut hand.walk
                && walk.update(t)
            {
                self.moved = true;
                self.seats[*row].walk_to(walk.nodes(), &mut self.sights);
            }
        }
    }

    /// All nodes that rows touch one by one, some more than once.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.sights.nodes()
    }

    /// All controls of the hands.
    pub fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.hands.iter_mut().for_each(|(_, hand)| hand.each_control(visit));
    }

    /// Whether there are hands at all.
    pub fn has_hands(&self) -> bool {
        !self.hands.is_empty()
    }

    /// Whether a hand has moved over its element since B was set.
    pub fn has_moved(&self) -> bool {
        self.moved
    }

    /// Sets B, and what the nodes give way by, anew after masses have changed, or `only_moved` rows:
    /// Bᵢⱼ = Σ cᵢ·(inverse mass)·cⱼ.
    pub fn refresh(&mut self, inverse_mass: &[f64], only_moved: bool) {
        let Self { rows, seats, sights, blocks, moved, .. } = self;
        *moved = false;
        sights.refresh(inverse_mass);
        for block in blocks.iter_mut().filter(|block| !only_moved || !block.moving.is_empty()) {
            let first = block.rows.start;
            let overlap =
                |row: usize, column: usize| seats[first + row].overlap(&seats[first + column], sights, inverse_mass);
            block.refresh(&mut rows[block.rows.clone()], inverse_mass, overlap);
        }
    }

    /// Tells rows where they are, before the prediction. They know it from the last step; but their places, where they are to
    /// look `anew`, are brought back to those of the nodes, from which rounding leads them away, and rows that walked see
    /// other nodes. Several rows set their laws then and there: by the time they need them, roots are drawn.
    #[inline(always)]
    pub fn look(&mut self, anew: bool, half_rate: f64, state: &State) {
        if anew || self.moved {
            self.look_anew(anew, state);
        }
        if !self.lone {
            self.prepare(half_rate);
        }
    }

    /// Not in every step, and therefore kept apart.
    #[inline(never)]
    fn look_anew(&mut self, all: bool, state: &State) {
        for (row, seat) in self.rows.iter_mut().zip(&self.seats) {
            let walked = self.moved && seat.walks;
            if walked {
                row.d = row.rise + seat.rise(&self.sights, state);
            }
            if walked || all {
                let place = seat.place(&self.sights, state);
                if row.law.may_read(row.eta, place) {
                    row.eta = place;
                }
            }
        }
    }

    #[inline(never)]
    fn prepare(&mut self, half_rate: f64) {
        for row in &mut self.rows {
            row.follow();
            if self.scheme == Scheme::Tracked { tracked::prepare(row, half_rate) } else { row.prepare(half_rate) }
        }
    }

    /// A spring or finger that, holding all of an energy \[J\], is too stiff for the solve: its interaction, its stiffness and the
    /// largest that will do \[N/m\].
    pub fn too_stiff(&self, energy: f64, inverse_mass: &[f64]) -> Option<(usize, f64, f64)> {
        let fingers = self.hands.iter().filter_map(|(row, hand)| Some((*row, hand.stiffness()?, hand)));
        let fingers = fingers.map(|(row, stiffness, hand)| {
            let compliance = hand.walk.as_ref().map(|walk| walk.largest_compliance(inverse_mass));
            (row, [stiffness, 0.0], compliance.unwrap_or(self.rows[row].compliance))
        });
        let springs = self.rows.iter().enumerate().filter_map(|(index, row)| match &row.law {
            // K₁, and the slope of K₃ at the elongation at which it holds the energy.
            Law::Spring(spring) => {
                Some((index, [spring.stiffness, 4.0 * (energy * spring.cubic).sqrt()], row.compliance))
            }
            _ => None,
        });
        fingers.chain(springs).find_map(|(row, stiffness, compliance)| {
            let limits = if self.seats[row].is_single { STIFFEST_ALONE } else { STIFFEST_BESIDE_OTHERS };
            let maximum = limits.map(|limit| 4.0 * limit / compliance);
            let interaction = self.rows_of.iter().position(|rows| rows.contains(&row))?;
            (0..2).find(|&i| stiffness[i] > maximum[i]).map(|i| (interaction, stiffness[i], maximum[i]))
        })
    }

    /// Takes from the motion that leads to the start what it would strain springs by, so that they and the bodies hold
    /// together what they are described with: (1/B + K/4)V₊² − Kη·V₊ = V²/B for V = η − η⁻, with u at n = 0. Springs that share
    /// nodes do so in turn.
    pub fn start_springs(&self, state: &mut State) {
        for (row, seat) in self.rows.iter().zip(&self.seats) {
            let motion = seat.rise(&self.sights, state);
            if let Law::Spring(spring) = &row.law
                && row.compliance > 0.0
                && motion != 0.0
            {
                let place = seat.place(&self.sights, state);
                let [a, b] = [1.0 / row.compliance + 0.25 * spring.stiffness, spring.stiffness * place];
                let root = (b * b + 4.0 * a * motion * motion / row.compliance).sqrt();
                let next = (b + root.copysign(motion)) / (2.0 * a);
                seat.push((motion - next) / row.compliance, &self.sights, state);
            }
        }
    }

    /// Puts every ψ on its potential, ψ = ψ(½(η + η⁻)), and leaves the rows as if the step to η had just been taken: their
    /// energy is read that way.
    pub fn start_on_potential(&mut self, state: &State) {
        self.past.fill(Past::default());
        for (row, seat) in self.rows.iter_mut().zip(&self.seats) {
            let [back, rise] = [seat.place(&self.sights, state), seat.rise(&self.sights, state)];
            row.psi = row.law.psi(back + 0.5 * rise);
            row.law.reset(back + rise, back);
            (row.eta, row.back, row.rise, row.d) = (back, back, 0.0, rise);
            (row.force, row.lost) = (0.0, 0.0);
        }
    }

    /// Foresees, solves and scatters. Blocks share no node. `half_rate` = 1/2k.
    #[inline(always)]
    pub fn settle(&mut self, half_rate: f64, state: &mut State) {
        let Self { rows, past, seats, sights, lone, .. } = self;
        if *lone && let ([row], [past], [seat]) = (&mut rows[..], &mut past[..], &seats[..]) {
            tracked::settle_lone(row, past, seat, sights, state, half_rate);
        } else if !self.rows.is_empty() {
            self.settle_blocks(half_rate, state);
        }
    }

    #[inline(never)]
    fn settle_blocks(&mut self, half_rate: f64, state: &mut State) {
        let Self { rows, seats, sights, blocks, scheme, .. } = self;
        match (&mut blocks[..], *scheme) {
            ([block], Scheme::Tracked) if !block.is_large() => {
                block.take(rows, Alone { seats, sights, state, half_rate })
            }
            _ => {
                let count = self.find_busy(half_rate, state);
                match self.scheme {
                    Scheme::Tracked => self.settle_tracked(count, half_rate, state),
                    Scheme::Plain | Scheme::Newton => self.settle_otherwise(count, half_rate, state),
                }
            }
        }
    }

    /// Foresees all rows, and finds the blocks in which not all stay open or go as foretold: how many there are.
    fn find_busy(&mut self, half_rate: f64, state: &mut State) -> usize {
        let Self { rows, past, seats, sights, busy, scheme, .. } = self;
        let (mut count, mut last) = (0, None);
        for ((row, seat), past) in rows.iter_mut().zip(seats).zip(past) {
            if !row.foresee(seat, sights, state) || last == Some(row.block) {
                continue;
            }
            // What η − η⁻ was before: d less what it rose by since.
            if seat.is_single
                && *scheme == Scheme::Tracked
                && extrapolated::solve(row, past, row.d - row.rise, half_rate)
            {
                seat.push(row.force, sights, state);
                continue;
            }
            busy[count] = row.block;
            (count, last) = (count + 1, Some(row.block));
        }
        count
    }

    /// All blocks take a stage before one takes the next: each waits for its own roots and quotients, and others use the
    /// time.
    fn settle_tracked(&mut self, count: usize, half_rate: f64, state: &mut State) {
        let Self { rows, seats, sights, blocks, busy, active, .. } = self;
        // Those that are solved apart are done with.
        let mut left = 0;
        for index in 0..count {
            let block = &blocks[busy[index] as usize];
            let own = block.rows.clone();
            let finish = Finish { seats: &seats[own.clone()], sights, state, half_rate };
            if !(block.is_large() && tracked::settle_active(active, block, &mut rows[own], finish)) {
                busy[left] = busy[index];
                left += 1;
            }
        }
        let busy = &busy[..left];
        for &block in busy {
            blocks[block as usize].take(rows, Begin { half_rate });
        }
        for _ in 0..AIMS {
            for &block in busy {
                blocks[block as usize].take(rows, Aim { half_rate });
            }
        }
        for &block in busy {
            let block = &mut blocks[block as usize];
            let seats = &seats[block.rows.clone()];
            block.take(rows, Finish { seats, sights, state, half_rate });
        }
    }

    fn settle_otherwise(&mut self, count: usize, half_rate: f64, state: &mut State) {
        let Self { rows, seats, sights, blocks, busy, newton, .. } = self;
        for &block in &busy[..count] {
            let block = &mut blocks[block as usize];
            let own = block.rows.clone();
            let (rows, seats) = (&mut rows[own.clone()], &seats[own]);
            match self.scheme {
                Scheme::Newton => newton.solve(block, rows, half_rate),
                Scheme::Plain | Scheme::Tracked => block.solve(rows, half_rate),
            }
            rows.iter_mut().zip(seats).for_each(|(row, seat)| row.push(seat, sights, state));
        }
    }

    pub fn interactions(&self) -> usize {
        self.rows_of.len()
    }

    /// The sign with which a row's force counts in its interaction.
    pub fn sense(&self, row: usize) -> f64 {
        self.seats[row].sense
    }

    /// The rows of an interaction.
    pub fn rows_of(&self, interaction: usize) -> &[usize] {
        &self.rows_of[interaction]
    }

    /// Force of an interaction \[N\].
    pub fn force(&self, interaction: usize) -> f64 {
        self.rows_of[interaction].iter().map(|&row| self.seats[row].sense * self.rows[row].force).sum()
    }

    /// Work done through the sides of a row during the last step.
    #[inline]
    pub fn work(&self, row: usize, state: &State) -> impl Iterator<Item = Work> {
        self.seats[row].work(self.rows[row].force, &self.sights, state)
    }

    /// Energy a row stores, lost and was supplied with by a hand in the last step. `half_rate` = 1/2k.
    pub fn row_energy(&self, row: usize, half_rate: f64) -> RowEnergy {
        let row = &self.rows[row];
        let ahead = row.back + row.d;
        let potential = match self.scheme {
            Scheme::Newton => 0.5 * (row.law.potential_energy(ahead) + row.law.potential_energy(row.eta)),
            Scheme::Plain | Scheme::Tracked => 0.5 * row.psi * row.psi,
        };
        let stored = potential + row.law.other_energy(ahead, row.eta);
        let rubbed = 0.5 * half_rate * row.affine.r * row.d * row.d + row.lost;
        match &row.law {
            Law::Bow(bow) => RowEnergy { stored, lost: bow.lost, supplied: bow.supplied },
            Law::Finger(finger) => RowEnergy { stored, lost: rubbed, supplied: finger.supplied },
            _ => RowEnergy { stored, lost: rubbed, supplied: 0.0 },
        }
    }

    /// Number of rows in every block.
    pub fn block_sizes(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().map(|block| block.rows.len())
    }
}
