//! Model → masses that come and go while it runs: those with a `start`, and mallets.

use crate::compile::compiler::Compiler;
use crate::contact::network::Network;
use crate::error::{CompileError, Subject};
use crate::model::{Element, Mallet, Mass};
use std::f64::consts::TAU;

/// How a mass enters.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    /// Once, at a place.
    Once {
        /// \[s\].
        time: f64,
        /// \[m\], \[m/s\] and \[m/s²\].
        position: f64,
        velocity: f64,
        acceleration: f64,
    },
    /// At the surface that it strikes, again and again.
    Blows {
        mallet: Mallet,
        /// Its weight in η of its only row: +1 below, −1 above.
        side: f64,
        /// The next blow.
        next: usize,
        /// Largest speed of a blow \[m/s\].
        hardest: f64,
        /// Speed of the blow that was asked for while the model runs \[m/s\].
        requested: Option<f64>,
    },
}

/// A mass that comes and goes.
#[derive(Clone, Debug)]
pub(crate) struct Arrival {
    pub element: usize,
    pub node: usize,
    /// Rows in which it takes part.
    pub rows: Vec<usize>,
    /// Coefficients in the bank while it is there.
    pub coefficients: [f64; 3],
    pub entry: Entry,
    pub is_present: bool,
    /// Largest energy that it can bring \[J\].
    pub energy: f64,
}

impl Compiler<'_> {
    /// All masses that are not there from the start.
    pub(crate) fn arrivals(&self, network: &Network) -> Result<Vec<Arrival>, CompileError> {
        let elements = self.model.elements.iter().enumerate();
        let arrivals = elements.filter_map(|(index, element)| match element {
            Element::Mass(mass) if mass.start > 0.0 => Some(Ok(self.late_mass(index, mass, network))),
            Element::Mallet(mallet) => Some(self.mallet(index, mallet, network)),
            Element::Mass(_)
            | Element::Barrier(_)
            | Element::String(_)
            | Element::Bar(_)
            | Element::Modal(_)
            | Element::Plate(_) => None,
        });
        arrivals.collect()
    }

    fn arrival(&self, element: usize, network: &Network, entry: Entry, energy: f64) -> Arrival {
        let node = self.bodies.get(element).nodes().start;
        let (rows, coefficients) = (network.rows_on(node), self.bank.coefficients(node));
        Arrival { element, node, rows, coefficients, entry, is_present: false, energy }
    }

    fn late_mass(&self, index: usize, mass: &Mass, network: &Network) -> Arrival {
        let Mass { start: time, position, velocity, .. } = *mass;
        let omega_squared = (TAU * mass.frequency).powi(2);
        let acceleration = -mass.gravity - omega_squared * position - mass.damping * velocity;
        let energy = 0.5 * mass.mass * (velocity * velocity + omega_squared * position * position)
            + (mass.mass * mass.gravity * position).abs();
        self.arrival(index, network, Entry::Once { time, position, velocity, acceleration }, energy)
    }

    fn mallet(&self, index: usize, mallet: &Mallet, network: &Network) -> Result<Arrival, CompileError> {
        let speed = mallet.blows.iter().fold(0.0_f64, |most, blow| most.max(blow.speed));
        let entry = Entry::Blows { mallet: mallet.clone(), side: 0.0, next: 0, hardest: speed, requested: None };
        let mut arrival = self.arrival(index, network, entry, 0.5 * mallet.mass * speed * speed);
        if let ([row], Entry::Blows { side, .. }) = (&arrival.rows[..], &mut arrival.entry)
            && network.rows[*row].law.is_one_sided()
        {
            let is_below = self.model.interactions.iter().any(|described| described.below.element.index() == index);
            *side = if is_below { 1.0 } else { -1.0 };
            return Ok(arrival);
        }
        Err(CompileError::Place {
            subject: Subject::Element(index),
            element: "a mallet",
            expected: "it strikes one place, through one collision or felt",
        })
    }
}
