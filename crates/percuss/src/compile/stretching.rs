//! Model → rows of elements that are stretched: strings and bars by their length, plates by bending.

use crate::compile::compiler::Compiler;
use crate::contact::plan::{RowPlan, RowSide};
use crate::element::plate::von_karman::VonKarmanForm;
use crate::error::{CompileError, Subject};
use crate::interaction::law::RowLaw;
use crate::interaction::tension::TensionLaw;
use crate::interaction::von_karman::VonKarmanLaw;
use crate::model::{Interaction, Scheme};

impl Compiler<'_> {
    /// The row of the tension that an element adds by its length.
    pub(crate) fn plan_tension(&self, index: usize, interaction: &Interaction) -> Result<RowPlan, CompileError> {
        let subject = Subject::Interaction(index);
        let element = interaction.below.element;
        let (body, _) = self.body(element, subject);
        let form = body.stretch_form(self.k).ok_or(CompileError::NotStretched { subject })?;
        let sides = vec![(element.index(), RowSide::Nodes(form.nodes().map(|node| (node, 1.0)).collect()))];
        let law = RowLaw::Tension(TensionLaw { stiffness: form.stiffness });
        Ok(RowPlan { stretch: Some(form), ..RowPlan::new(law, index, sides) })
    }

    /// The row of the energy of stretching of a plate.
    pub(crate) fn plan_von_karman(&self, index: usize, interaction: &Interaction) -> Result<RowPlan, CompileError> {
        let subject = Subject::Interaction(index);
        if self.model.scheme == Scheme::Newton {
            return Err(CompileError::NoDiscreteGradient { subject, kind: interaction.law.kind() });
        }
        let element = interaction.below.element;
        let reason = "only plates and discs are";
        let plate = self.bodies.grid_plate(element.index());
        let plate = plate.ok_or(CompileError::NotStretchedByBending { subject, reason })?;
        let form = Box::new(VonKarmanForm::new(plate, self.k, subject)?);
        let sides = vec![(element.index(), RowSide::Nodes(form.nodes().map(|node| (node, 0.0)).collect()))];
        let plan = RowPlan::new(RowLaw::VonKarman(VonKarmanLaw), index, sides);
        Ok(RowPlan { von_karman: Some(form), ..plan })
    }
}
