//! Model → flat arrays. All validation and all allocation happen here.

mod compiler;
mod cycles;
pub(crate) mod io;
mod moving_points;
mod rows;

use crate::compile::compiler::Compiler;
use crate::compile::io::{Force, Reader};
use crate::contact::network::Network;
use crate::element::elements::Elements;
use crate::element::state::State;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Model, Point, Target};

pub(crate) fn compile(model: &Model, sample_rate: f64) -> Result<SimulationParts, CompileError> {
    Check(Subject::Model).that(
        (1.0..=1e9).contains(&sample_rate),
        "sample_rate",
        sample_rate,
        "between 1 and 1e9 Hz",
    )?;
    refuse_foreign_ids(model)?;
    let mut compiler = Compiler::new(model, 1.0 / sample_rate);
    compiler.place_oscillators()?;
    compiler.place_grids()?;
    if compiler.state.u.is_empty() {
        return Err(CompileError::Empty);
    }
    compiler.place_barriers();
    let plans = compiler.plan_rows()?;
    cycles::refuse_cycles(model)?;
    let forces = compiler.forces()?;
    let readers = compiler.readers()?;
    let Compiler { k, state, elements, .. } = compiler;
    let network = Network::new(plans, model, &state, k);
    Ok(SimulationParts { k, state, elements, network, forces, readers })
}

/// Refuses ids that are out of range: they belong to another model.
fn refuse_foreign_ids(model: &Model) -> Result<(), CompileError> {
    let known = |point: &Point| point.element.index() < model.elements.len();
    let refuse = |known: bool, subject| if known { Ok(()) } else { Err(CompileError::Foreign { subject }) };
    for (index, interaction) in model.interactions.iter().enumerate() {
        let surface = interaction.surface.is_none_or(|surface| surface.index() < model.elements.len());
        let below = interaction.below.element.index() < model.elements.len();
        refuse(below && interaction.above.as_ref().is_none_or(known) && surface, Subject::Interaction(index))?;
    }
    for (index, (path, _)) in model.exciters.iter().enumerate() {
        refuse(path.element.index() < model.elements.len(), Subject::Exciter(index))?;
    }
    for (index, target) in model.pickups.iter().enumerate() {
        let known = match target {
            Target::Point(point, _) => known(point),
            Target::Force(contact) => contact.index() < model.interactions.len(),
        };
        refuse(known, Subject::PickupId(index))?;
    }
    Ok(())
}

/// The compiled parts of a simulation.
pub(crate) struct SimulationParts {
    /// Time step \[s\].
    pub k: f64,
    pub state: State,
    pub elements: Elements,
    pub network: Network,
    pub forces: Vec<Force>,
    pub readers: Vec<Reader>,
}
