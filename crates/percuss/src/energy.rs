//! The ledger: energy stored, dissipated and supplied, per element, per interaction and in total.
//!
//! Each step the balance H⁺ − H + dissipated − supplied = residual is computed for every element, every interaction and the
//! total. The residual is rounding; it is compared with the largest energy stored plus dissipated so far.
//!
//! Element       H⁺ − H + dissipated = supplied + touch + received   received: work done on it by interactions,
//!                                                                  touch: work done by changes of touches (P_c)
//! Interaction   H⁺ − H + dissipated = ½ f d + supplied              work done by the elements, and by a player who bows or presses
//! Total         ΣH⁺ − ΣH + Σdissipated = Σsupplied + Σtouch         work between the parts cancels

/// The account of one element \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Account {
    /// Energy stored now.
    pub stored: f64,
    /// Energy dissipated by damping since the start.
    pub dissipated: f64,
    /// Work done by exciters, or by the motion of a barrier, since the start.
    pub supplied: f64,
    /// Work done by changes of touches since the start.
    pub touch_work: f64,
    /// The part of `stored` in the mass and stiffness that touches add, H_c.
    pub touch_stored: f64,
    /// The part of `dissipated` by the damping of touches.
    pub touch_dissipated: f64,
    /// Work done on it by interactions since the start.
    pub received: f64,
    /// Residual of the last step.
    pub residual: f64,
    /// Largest residual so far, in magnitude.
    pub worst_residual: f64,
    /// Dissipation that depends on the last increment alone; it counts in the next step too.
    pub(crate) self_loss: f64,
}

/// The account of one interaction, and what passed through it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactAccount {
    /// Energy stored now \[J\].
    pub stored: f64,
    /// The part of it stored in one-sided contacts that are open, ½(η⁺ + η) ≤ 0 \[J\]: unphysical, zero in the tracked scheme.
    pub open_energy: f64,
    /// Energy dissipated since the start \[J\].
    pub dissipated: f64,
    /// Work the elements did on it since the start \[J\].
    pub received: f64,
    /// Work done by the player through a bow or finger since the start \[J\].
    pub supplied: f64,
    /// Residual of the last step \[J\].
    pub residual: f64,
    /// Largest residual so far, in magnitude \[J\].
    pub worst_residual: f64,
    /// Force now \[N\].
    pub force: f64,
    /// Largest force so far, in magnitude \[N\].
    pub peak_force: f64,
    /// Impulse so far \[N·s\]: pushing only for a collision, in magnitude for the others.
    pub impulse: f64,
    /// Impulse with which one-sided contacts pulled \[N·s\]: unphysical, zero in the tracked scheme.
    pub adhesive_impulse: f64,
    /// Number of times that a force began to act.
    pub hits: u64,
    /// Steps with force, in all.
    pub contact_steps: u64,
    /// Number of times a one-sided contact closed at a speed.
    pub closings: u64,
    /// Shortest of these contacts \[samples\], by the closed form for the speed at which it closed and the compliance of the
    /// bodies there; 0 while there is none.
    pub shortest_contact: f64,
    /// Sum of their lengths \[samples\].
    pub(crate) contact_sample_sum: f64,
    pub(crate) current_contact_steps: u64,
}

impl ContactAccount {
    /// Adhesive share of the whole impulse.
    #[must_use]
    pub fn adhesive_share(&self) -> f64 {
        let whole = self.impulse + self.adhesive_impulse;
        if whole > 0.0 { self.adhesive_impulse / whole } else { 0.0 }
    }

    /// Mean length of a contact \[samples\], by the closed form as `shortest_contact`; 0 while there is none.
    #[must_use]
    pub fn mean_contact(&self) -> f64 {
        if self.closings == 0 { 0.0 } else { self.contact_sample_sum / self.closings as f64 }
    }

    /// Records a contact that closes and would last so many samples.
    pub(crate) fn record_closing(&mut self, samples: f64) {
        self.shortest_contact = if self.closings == 0 { samples } else { self.shortest_contact.min(samples) };
        self.contact_sample_sum += samples;
        self.closings += 1;
    }

    /// Records the impulse of one row \[N·s\].
    pub(crate) fn record_impulse(&mut self, impulse: f64, one_sided: bool) {
        if one_sided && impulse < 0.0 {
            self.adhesive_impulse -= impulse;
        } else {
            self.impulse += impulse.abs();
        }
    }

    /// Records the total force of a step.
    pub(crate) fn record_force(&mut self, force: f64) {
        self.force = force;
        self.peak_force = self.peak_force.max(force.abs());
        if force != 0.0 {
            self.hits += u64::from(self.current_contact_steps == 0);
            self.contact_steps += 1;
            self.current_contact_steps += 1;
        } else {
            self.current_contact_steps = 0;
        }
    }
}

/// The account of the whole model \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Total {
    /// Energy stored at the start.
    pub initial: f64,
    /// Energy stored now.
    pub stored: f64,
    /// Energy dissipated since the start.
    pub dissipated: f64,
    /// Work done from outside since the start.
    pub supplied: f64,
    /// Work done by changes of touches since the start; not in `supplied`.
    pub touch_work: f64,
    /// The part of `stored` in the mass and stiffness that touches add.
    pub touch_stored: f64,
    /// The part of `dissipated` by the damping of touches.
    pub touch_dissipated: f64,
    /// Residual of the last step.
    pub residual: f64,
    /// Largest residual of any step, relative to the energy stored plus dissipated up to then.
    pub worst_relative: f64,
    /// Largest energy stored (magnitudes of all parts) plus dissipated, so far.
    pub scale: f64,
    /// Energy stored now in one-sided contacts that are open: unphysical, zero in the tracked scheme.
    pub open_energy: f64,
    /// Largest `open_energy` of any step, relative to `scale` up to then.
    pub worst_open_relative: f64,
}

/// All accounts of a simulation.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ledger {
    /// Per element, in the order of adding.
    pub elements: Vec<Account>,
    /// Per interaction, in the order of adding.
    pub interactions: Vec<ContactAccount>,
    /// The whole.
    pub total: Total,
}

/// Sums over all accounts, taken while these are updated: reading them back at once would stall on the pending writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LedgerSums {
    stored: f64,
    dissipated: f64,
    supplied: f64,
    touch_work: f64,
    touch_stored: f64,
    touch_dissipated: f64,
    /// Magnitudes of all parts of what is stored \[J\].
    magnitude: f64,
    open_energy: f64,
}

impl LedgerSums {
    #[inline]
    pub fn add_element(&mut self, account: &Account, magnitude: f64) {
        self.stored += account.stored;
        self.dissipated += account.dissipated;
        self.supplied += account.supplied;
        self.touch_work += account.touch_work;
        self.touch_stored += account.touch_stored;
        self.touch_dissipated += account.touch_dissipated;
        self.magnitude += magnitude;
    }

    #[inline]
    pub fn add_interaction(&mut self, account: &ContactAccount) {
        self.stored += account.stored;
        self.dissipated += account.dissipated;
        self.supplied += account.supplied;
        self.magnitude += account.stored;
        self.open_energy += account.open_energy;
    }
}

impl Total {
    /// Updates the totals after a step, when all accounts are updated.
    pub(crate) fn record_step(&mut self, sums: LedgerSums) {
        let LedgerSums { stored, dissipated, supplied, touch_work, magnitude, open_energy, .. } = sums;
        self.residual = (stored - self.stored) + (dissipated - self.dissipated)
            - (supplied - self.supplied)
            - (touch_work - self.touch_work);
        (self.stored, self.dissipated) = (stored, dissipated);
        (self.supplied, self.touch_work) = (supplied, touch_work);
        (self.touch_stored, self.touch_dissipated) = (sums.touch_stored, sums.touch_dissipated);
        self.scale = self.scale.max(magnitude + dissipated);
        self.open_energy = open_energy;
        if self.scale > 0.0 {
            // `max` would ignore a NaN and hide the error.
            let worse = |worst: f64, now: f64| if now.is_nan() { f64::INFINITY } else { worst.max(now) };
            self.worst_relative = worse(self.worst_relative, self.residual.abs() / self.scale);
            self.worst_open_relative = worse(self.worst_open_relative, open_energy / self.scale);
        }
    }
}
