//! The energy ledger as plain values.

use pyo3::prelude::*;

macro_rules! values {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty),* $(,)? }) => {
        $(#[$doc])*
        #[pyclass(frozen, get_all, module = "percuss")]
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[$field_doc])* $field: $kind,)*
        }

        impl From<&percuss::$name> for $name {
            fn from(account: &percuss::$name) -> Self {
                Self { $($field: account.$field,)* }
            }
        }

        #[pymethods]
        impl $name {
            fn __repr__(&self) -> String {
                format!("{self:?}")
            }
        }
    };
}

values!(
    /// The account of one element \[J\].
    Account {
        /// Energy stored now.
        stored: f64,
        /// Energy dissipated since the start.
        dissipated: f64,
        /// Work done by exciters since the start.
        supplied: f64,
        /// Work done by changes of touches since the start.
        touch_work: f64,
        /// The part of what is stored in the mass and stiffness that touches add.
        touch_stored: f64,
        /// The part of what is dissipated by the damping of touches.
        touch_dissipated: f64,
        /// Work done on it by interactions since the start.
        received: f64,
        /// Residual of the last step.
        residual: f64,
        /// Largest residual so far, in magnitude.
        worst_residual: f64,
    }
);
values!(
    /// The account of one interaction.
    ContactAccount {
        /// Energy stored now \[J\].
        stored: f64,
        /// Energy stored in open one-sided contacts \[J\].
        open_energy: f64,
        /// Energy dissipated since the start \[J\].
        dissipated: f64,
        /// Work the elements did on it since the start \[J\].
        received: f64,
        /// Work done by the player through a bow or finger since the start \[J\].
        supplied: f64,
        /// Residual of the last step \[J\].
        residual: f64,
        /// Largest residual so far, in magnitude \[J\].
        worst_residual: f64,
        /// Force now \[N\].
        force: f64,
        /// Largest force so far, in magnitude \[N\].
        peak_force: f64,
        /// Impulse so far \[N·s\].
        impulse: f64,
        /// Impulse with which one-sided contacts pulled \[N·s\].
        adhesive_impulse: f64,
        /// Number of times that a force began to act.
        hits: u64,
        /// Steps with force, in all.
        contact_steps: u64,
        /// Number of times a one-sided contact closed at a speed.
        closings: u64,
        /// Shortest of these contacts \[samples\].
        shortest_contact: f64,
    }
);
values!(
    /// The account of the whole model \[J\].
    Total {
        /// Energy stored at the start.
        initial: f64,
        /// Energy stored now.
        stored: f64,
        /// Energy dissipated since the start.
        dissipated: f64,
        /// Work done from outside since the start.
        supplied: f64,
        /// Work done by changes of touches since the start.
        touch_work: f64,
        /// The part of what is stored in the mass and stiffness that touches add.
        touch_stored: f64,
        /// The part of what is dissipated by the damping of touches.
        touch_dissipated: f64,
        /// Residual of the last step.
        residual: f64,
        /// Largest residual of any step, relative to the energy stored plus dissipated up to then.
        worst_relative: f64,
        /// Largest energy stored plus dissipated, so far.
        scale: f64,
        /// Energy stored now in open one-sided contacts.
        open_energy: f64,
        /// Largest `open_energy` of any step, relative to `scale` up to then.
        worst_open_relative: f64,
    }
);

/// All accounts of a simulation.
#[pyclass(frozen, get_all, module = "percuss")]
#[derive(Clone, Debug)]
pub struct Ledger {
    /// Per element, in the order of adding.
    elements: Vec<Account>,
    /// Per interaction, in the order of adding.
    interactions: Vec<ContactAccount>,
    /// The whole.
    total: Total,
}

impl From<&percuss::Ledger> for Ledger {
    fn from(ledger: &percuss::Ledger) -> Self {
        Self {
            elements: ledger.elements.iter().map(Account::from).collect(),
            interactions: ledger.interactions.iter().map(ContactAccount::from).collect(),
            total: Total::from(&ledger.total),
        }
    }
}

#[pymethods]
impl Ledger {
    fn __repr__(&self) -> String {
        let Total { stored, dissipated, supplied, worst_relative, .. } = self.total;
        format!(
            "<Ledger: {stored:.4e} J stored, {dissipated:.4e} J dissipated, {supplied:.4e} J supplied, \
             balance off by at most {worst_relative:.1e}>"
        )
    }
}
