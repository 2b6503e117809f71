//! The ledger of a simulation: stored, dissipated and supplied energy of every element and interaction.
//!
//! Balance     H⁺ − H + kQ − kP = residual, for every element, every interaction and the whole
//! Allocates   only in `open_ledger`

use crate::element::balance::ElementEnergy;
use crate::energy::{Account, ContactAccount, Ledger, LedgerSums, Total};
use crate::simulation::Simulation;

impl Simulation {
    /// Opens the ledger at the current state; every further step is recorded. Allocates.
    pub fn open_ledger(&mut self) {
        self.bodies.apply_pending(&mut self.state);
        let mut ledger = Ledger {
            elements: vec![Account::default(); self.bodies.index.len()],
            interactions: vec![ContactAccount::default(); self.network.interactions()],
            total: Total::default(),
        };
        self.start_ledger(&mut ledger);
        self.ledger = Some(Box::new(ledger));
    }

    /// Initialises all accounts with the energy stored now.
    pub(crate) fn start_ledger(&self, ledger: &mut Ledger) {
        let mut magnitude = 0.0;
        for (element, account) in ledger.elements.iter_mut().enumerate() {
            let balance = self.bodies.balance(element, &self.state, self.k);
            *account = Account { stored: balance.stored, self_loss: balance.self_loss, ..Account::default() };
            magnitude += balance.magnitude;
        }
        for (interaction, account) in ledger.interactions.iter_mut().enumerate() {
            *account = ContactAccount::default();
            account.stored = self.network.stored_energy(interaction, self.half_rate);
            magnitude += account.stored;
        }
        let stored = ledger.elements.iter().map(|a| a.stored).sum::<f64>()
            + ledger.interactions.iter().map(|a| a.stored).sum::<f64>();
        ledger.total = Total { initial: stored, stored, scale: magnitude, ..Total::default() };
    }

    /// Books what a mass and its contacts store after it came or went, less what they stored before, as supplied.
    pub(crate) fn book_arrival(&mut self, element: usize, rows: &[usize]) {
        let Some(mut ledger) = self.ledger.take() else { return };
        let ElementEnergy { stored, self_loss, .. } = self.bodies.balance(element, &self.state, self.k);
        let account = &mut ledger.elements[element];
        account.supplied += stored - account.stored;
        (account.stored, account.self_loss) = (stored, self_loss);
        for interaction in self.network.interactions_of(rows) {
            let stored = self.network.stored_energy(interaction, self.half_rate);
            let account = &mut ledger.interactions[interaction];
            account.supplied += stored - account.stored;
            account.stored = stored;
        }
        self.ledger = Some(ledger);
    }

    /// Closes the ledger; without it no energy is computed.
    pub fn close_ledger(&mut self) {
        self.ledger = None;
    }

    /// The ledger, if it is open.
    #[must_use]
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_deref()
    }

    /// Records the last step, if the ledger is open.
    #[inline(never)]
    pub(crate) fn record_in_ledger(&mut self) {
        self.bodies.apply_pending(&mut self.state);
        if let Some(mut ledger) = self.ledger.take() {
            self.record_step(&mut ledger);
            self.ledger = Some(ledger);
        }
    }

    fn record_step(&self, ledger: &mut Ledger) {
        for account in &mut ledger.elements {
            // Until the step is recorded, `residual` sums the work done on the element.
            account.residual = 0.0;
        }
        for force in self.forces.iter().filter(|force| force.value != 0.0) {
            let travel = |&(node, weight): &(usize, f64)| weight * (self.state.du[node] + self.state.du_prev[node]);
            let work = 0.5 * force.value * force.stencil.nodes().iter().map(travel).sum::<f64>();
            let account = &mut ledger.elements[force.element];
            account.supplied += work;
            account.residual -= work;
        }
        let mut sums = LedgerSums::default();
        for (interaction, account) in ledger.interactions.iter_mut().enumerate() {
            self.record_interaction(interaction, account, &mut ledger.elements);
            sums.add_interaction(account);
        }
        for (element, account) in ledger.elements.iter_mut().enumerate() {
            let ElementEnergy { stored, magnitude, dissipated, self_loss, touch_work, touch_stored, touch_dissipated } =
                self.bodies.balance(element, &self.state, self.k);
            let dissipated = dissipated + self_loss + account.self_loss;
            account.residual += stored - account.stored + dissipated - touch_work;
            account.touch_work += touch_work;
            account.touch_stored = touch_stored;
            account.touch_dissipated += touch_dissipated;
            account.worst_residual = account.worst_residual.max(account.residual.abs());
            (account.stored, account.self_loss) = (stored, self_loss);
            account.dissipated += dissipated;
            sums.add_element(account, magnitude);
        }
        ledger.total.record_step(sums);
    }

    fn record_interaction(&self, interaction: usize, account: &mut ContactAccount, elements: &mut [Account]) {
        let (mut stored, mut dissipated, mut supplied, mut received, mut force) = (0.0, 0.0, 0.0, 0.0, 0.0);
        account.open_energy = 0.0;
        for &index in self.network.rows_of(interaction) {
            let row = &self.network.rows[index];
            if row.is_idle() {
                continue;
            }
            let own = self.network.row_energy(index, self.half_rate);
            stored += own.stored;
            if row.is_open() {
                account.open_energy += own.stored;
            }
            dissipated += own.dissipated;
            supplied += own.supplied;
            received += 0.5 * row.force * row.d;
            force += self.network.sign(index) * row.force;
            account.record_impulse(row.force * self.k, row.law.is_one_sided());
            if let Some(samples) = row.contact_samples() {
                account.record_closing(samples);
            }
            for work in self.network.work(index, &self.state) {
                let element = &mut elements[work.element];
                element.received += work.energy;
                if work.by_barrier {
                    // The prescribed motion of the barrier absorbs the work.
                    element.supplied -= work.energy;
                } else {
                    element.residual -= work.energy;
                }
            }
        }
        account.residual = stored - account.stored + dissipated - received - supplied;
        account.worst_residual = account.worst_residual.max(account.residual.abs());
        account.stored = stored;
        account.dissipated += dissipated;
        account.received += received;
        account.supplied += supplied;
        account.record_force(force);
    }
}
