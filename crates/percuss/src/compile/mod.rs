//! Model → flat arrays. All validation and all allocation happen here.

pub(crate) mod arrivals;
mod cavities;
mod compiler;
mod cycles;
pub(crate) mod io;
mod rows;
mod stretching;

use crate::compile::arrivals::Arrival;
use crate::compile::compiler::Compiler;
use crate::compile::io::{ExciterForce, PickupReader};
use crate::contact::network::Network;
use crate::element::Bodies;
use crate::element::oscillator::bank::Bank;
use crate::element::simd::Machine;
use crate::element::state::State;
use crate::error::{Check, CompileError, Subject};
use crate::model::{ElementId, Interaction, Model, PickupTarget};

pub(crate) fn compile(model: &Model, sample_rate: f64, machine: Machine) -> Result<SimulationParts, CompileError> {
    Check(Subject::Model).require(
        (1.0..=1e9).contains(&sample_rate),
        "sample_rate",
        sample_rate,
        "between 1 and 1e9 Hz",
    )?;
    refuse_foreign_ids(model)?;
    let mut compiler = Compiler::new(model, 1.0 / sample_rate, machine);
    compiler.build_bodies()?;
    if compiler.bodies.count() == 0 {
        return Err(CompileError::Empty);
    }
    let plans = compiler.plan_rows()?;
    cycles::refuse_cycles(model, &compiler.bodies)?;
    let forces = compiler.forces()?;
    let readers = compiler.readers()?;
    let network = Network::new(plans, model, &compiler.state, compiler.k);
    let arrivals = compiler.arrivals(&network)?;
    let Compiler { k, state, bank, bodies, .. } = compiler;
    Ok(SimulationParts { k, state, bank, bodies, network, forces, readers, arrivals })
}

/// Refuses ids of other models.
fn refuse_foreign_ids(model: &Model) -> Result<(), CompileError> {
    let is_own = |element: ElementId| model.ids.elements.position(element).is_some();
    let refuse = |is_own: bool, subject| if is_own { Ok(()) } else { Err(CompileError::ForeignId { subject }) };
    for (index, Interaction { below, above, surface, .. }) in model.interactions.iter().enumerate() {
        let sides = is_own(below.element) && above.is_none_or(|point| is_own(point.element));
        refuse(sides && surface.is_none_or(is_own), Subject::Interaction(index))?;
    }
    for (index, (path, _)) in model.exciters.iter().enumerate() {
        refuse(is_own(path.element), Subject::Exciter(index))?;
    }
    for (index, target) in model.pickups.iter().enumerate() {
        let is_own = match target {
            PickupTarget::Point(point, _) => is_own(point.element),
            PickupTarget::Force(contact) => model.ids.interactions.position(*contact).is_some(),
        };
        refuse(is_own, Subject::Pickup(index))?;
    }
    Ok(())
}

/// The compiled parts of a simulation.
pub(crate) struct SimulationParts {
    /// Time step \[s\].
    pub k: f64,
    pub state: State,
    pub bank: Bank,
    pub bodies: Bodies,
    pub network: Network,
    pub forces: Vec<ExciterForce>,
    pub readers: Vec<PickupReader>,
    pub arrivals: Vec<Arrival>,
}
