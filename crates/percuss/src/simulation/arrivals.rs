//! Masses that come and go while a model runs: those with a `start`, and mallets.
//!
//! Absent      the mass rests, its oscillator has no coefficients, its rows are suspended, forces on it are 0: it has no energy
//! Enters      at the first step n with nk ≥ t, with the motion that it has at nk: a mass at its place, a mallet where η of its
//!             contact is v(nk − t − k), which is 0 at the time t of the blow, one sample late
//!             A blow that a player asks for enters at the next step
//! Leaves      a mallet when η < −retreat and falls
//! Ledger      what mass and contacts store after that, less what they stored before, is supplied
//! Allocates   no

use crate::compile::arrivals::{Arrival, Entry};
use crate::model::ElementId;
use crate::simulation::Simulation;

/// An entry that is due.
#[derive(Clone, Copy)]
struct Due {
    /// Since when \[s\].
    late: f64,
    /// Speed of a mallet \[m/s\].
    speed: f64,
}

/// A place and an increment, at one step \[m\].
struct Motion {
    place: f64,
    increment: f64,
}

impl Simulation {
    /// Lets masses come and go before the step from t \[s\].
    pub(super) fn update_arrivals(&mut self, t: f64) {
        for index in 0..self.arrivals.len() {
            if self.has_left(index) {
                self.remove(index);
                self.book(index);
            }
            if let Some(due) = self.arrivals[index].take_due(t) {
                self.enter(index, due);
            }
        }
    }

    /// Lets a mallet strike from the next step on, at a speed \[m/s\] up to that of its hardest blow. One that comes before the last
    /// has left replaces it. Returns false for a speed that is not finite and positive, and for an element that is no mallet.
    pub fn blow(&mut self, mallet: ElementId, speed: f64) -> bool {
        let Some(element) = self.ids.elements.position(mallet) else { return false };
        let own = self.arrivals.iter_mut().filter(|arrival| arrival.element == element);
        for arrival in own {
            if let Entry::Blows { hardest, requested, .. } = &mut arrival.entry
                && speed > 0.0
                && speed.is_finite()
            {
                *requested = Some(speed.min(*hardest));
                return true;
            }
        }
        false
    }

    /// All masses that are not there from the start leave, without being booked.
    pub(super) fn remove_arrivals(&mut self) {
        for index in 0..self.arrivals.len() {
            self.remove(index);
            if let Entry::Blows { next, requested, .. } = &mut self.arrivals[index].entry {
                (*next, *requested) = (0, None);
            }
        }
    }

    /// Energy that contacts of masses which enter once will store, if all others are where they start \[J\].
    pub(super) fn arriving_strain(&self) -> f64 {
        let enters_once = |arrival: &&Arrival| matches!(arrival.entry, Entry::Once { .. });
        let rows = self.arrivals.iter().filter(enters_once).flat_map(|arrival| &arrival.rows);
        let of_mallets = |row: usize| {
            let has_row =
                |arrival: &Arrival| matches!(arrival.entry, Entry::Blows { .. }) && arrival.rows.contains(&row);
            self.arrivals.iter().any(has_row)
        };
        let strain = |&row: &usize| {
            let (law, eta) = (&self.network.rows[row].law, self.network.eta(row, &self.state));
            law.potential_energy(eta) + law.other_energy(eta, eta)
        };
        rows.filter(|&&row| !of_mallets(row)).map(strain).sum()
    }

    fn has_left(&self, index: usize) -> bool {
        let Arrival { rows, entry: Entry::Blows { mallet, .. }, is_present: true, .. } = &self.arrivals[index] else {
            return false;
        };
        let row = &self.network.rows[rows[0]];
        // Between steps `eta` is of the step before.
        let eta = row.eta_prev + row.d;
        row.is_separated() && eta < -mallet.retreat && eta < row.eta
    }

    /// A mass leaves; one that comes once rests where it will enter.
    fn remove(&mut self, index: usize) {
        let Self { arrivals, state, bank, bodies, network, forces, .. } = self;
        let arrival = &mut arrivals[index];
        arrival.is_present = false;
        bodies.get_mut(arrival.element).set_present(false);
        bank.set_coefficients(arrival.node, [0.0; 3]);
        let place = match arrival.entry {
            Entry::Once { position, .. } => position,
            Entry::Blows { .. } => 0.0,
        };
        (state.u[arrival.node], state.du[arrival.node]) = (place, 0.0);
        arrival.rows.iter().for_each(|&row| network.suspend(row));
        let own = forces.iter_mut().filter(|force| force.element == arrival.element);
        own.for_each(|force| force.is_suspended = true);
    }

    /// A mass enters.
    fn enter(&mut self, index: usize, due: Due) {
        // The last blow may not be over.
        self.remove(index);
        let Motion { place, increment } = self.entry_motion(index, due);
        let Self { arrivals, state, bank, bodies, network, forces, .. } = self;
        let arrival = &mut arrivals[index];
        arrival.is_present = true;
        bodies.get_mut(arrival.element).set_present(true);
        bank.set_coefficients(arrival.node, arrival.coefficients);
        (state.u[arrival.node], state.du[arrival.node]) = (place - increment, increment);
        let own = forces.iter_mut().filter(|force| force.element == arrival.element);
        own.for_each(|force| force.is_suspended = false);
        for at in 0..arrivals[index].rows.len() {
            let row = arrivals[index].rows[at];
            let waits = |arrival: &Arrival| !arrival.is_present && arrival.rows.contains(&row);
            if !arrivals.iter().any(waits) {
                network.resume(row, state);
            }
        }
        self.book(index);
    }

    fn entry_motion(&self, index: usize, Due { late, speed }: Due) -> Motion {
        let Self { arrivals, state, network, k, .. } = self;
        let Arrival { node, rows, entry, .. } = &arrivals[index];
        match entry {
            Entry::Once { position, velocity, acceleration, .. } => Motion {
                place: position + late * (velocity + 0.5 * late * acceleration),
                increment: k * (velocity + (late - 0.5 * k) * acceleration),
            },
            Entry::Blows { side, .. } => {
                let eta = network.eta(rows[0], state) - side * state.displacement(*node);
                Motion { place: side * (speed * (late - k) - eta), increment: side * speed * k }
            }
        }
    }

    fn book(&mut self, index: usize) {
        if self.ledger.is_none() {
            return;
        }
        let arrival = &mut self.arrivals[index];
        let (element, rows) = (arrival.element, std::mem::take(&mut arrival.rows));
        self.book_arrival(element, &rows);
        self.arrivals[index].rows = rows;
    }
}

impl Arrival {
    /// What enters before the step from t \[s\], if anything does.
    fn take_due(&mut self, t: f64) -> Option<Due> {
        match &mut self.entry {
            Entry::Once { time, .. } => (!self.is_present && t >= *time).then_some(Due { late: t - *time, speed: 0.0 }),
            Entry::Blows { mallet, next, requested, .. } => {
                let requested = requested.take().map(|speed| Due { late: 0.0, speed });
                requested.or_else(|| {
                    let blow = mallet.blows.get(*next).filter(|blow| t >= blow.time)?;
                    *next += 1;
                    Some(Due { late: t - blow.time, speed: blow.speed })
                })
            }
        }
    }
}
