//! Model → rows of elements that are stretched: strings and bars by their length, membranes by their area, plates by bending.

use crate::compile::compiler::Compiler;
use crate::contact::plan::{RowPlan, RowSide};
use crate::element::plate::von_karman::VonKarmanForm;
use crate::element::stretch::StretchForm;
use crate::error::{CompileError, Subject};
use crate::interaction::law::RowLaw;
use crate::interaction::tension::TensionLaw;
use crate::interaction::von_karman::VonKarmanLaw;
use crate::model::{ElementId, Interaction, Scheme};

impl Compiler<'_> {
    /// The row of the tension that an element adds by its length, or two that are the polarisations of one string.
    pub(crate) fn plan_tension(&self, index: usize, interaction: &Interaction) -> Result<RowPlan, CompileError> {
        let subject = Subject::Interaction(index);
        let [first, second] = [Some(interaction.below.element), interaction.above.map(|above| above.element)];
        let form = |element: ElementId| {
            let (body, _) = self.body(element, subject);
            Ok((element, body.stretch_form(self.k).ok_or(CompileError::NotStretched { subject })?))
        };
        let forms = first.into_iter().chain(second).map(form).collect::<Result<Vec<_>, CompileError>>()?;
        if first == second {
            return Err(CompileError::SelfContact { subject });
        }
        let stiffness = forms[0].1.stiffness;
        if forms.iter().any(|(_, form)| (form.stiffness / stiffness - 1.0).abs() > 1e-9) {
            let element = self.model.elements[interaction.below.element.index()].kind();
            return Err(CompileError::Place { subject, element, expected: "both polarisations have the same EA/L" });
        }
        let nodes = |form: &StretchForm| RowSide::Nodes(form.nodes().map(|node| (node, 1.0)).collect());
        let sides = forms.iter().map(|(element, form)| (element.index(), nodes(form))).collect();
        let law = RowLaw::Tension(TensionLaw { stiffness });
        let stretches = forms.into_iter().map(|(_, form)| form).collect();
        Ok(RowPlan { stretches, ..RowPlan::new(law, index, sides) })
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
