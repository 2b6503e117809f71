//! Model → rows of enclosed air.
//!
//! Row         η = V_below − V_above \[m³\], the volumes that the two sides sweep upwards: V = ∫u dA
//! Law         the pressure p = (ρc²/V₀)·η \[Pa\], a spring whose weights are areas: it pushes each place with p per area
//! Reference   Morse (1948), Vibration and Sound, §20, for one membrane on a vessel

use crate::compile::compiler::Compiler;
use crate::contact::plan::{RowPlan, RowSide};
use crate::element::body::scaled;
use crate::error::{Check, CompileError, Subject};
use crate::interaction::spring::SpringLaw;
use crate::model::{Cavity, Interaction};

impl Compiler<'_> {
    pub(crate) fn plan_cavity(&self, index: usize, interaction: &Interaction) -> Result<RowPlan, CompileError> {
        let subject = Subject::Interaction(index);
        let elements =
            [interaction.below.element, interaction.above.map_or(interaction.below.element, |above| above.element)];
        if elements[0] == elements[1] {
            return Err(CompileError::SelfContact { subject });
        }
        let mut sides = Vec::new();
        for (element, sign) in elements.into_iter().zip([1.0, -1.0]) {
            let (body, user) = self.body(element, subject);
            let nodes = body.swept_volume(user)?;
            if !nodes.is_empty() {
                sides.push((element.index(), RowSide::Nodes(scaled(nodes, sign))));
            }
        }
        if sides.is_empty() {
            return Err(CompileError::Immovable { subject, reason: "both sides are barriers" });
        }
        let law = self.compiled_law(&interaction.law, 1.0);
        Ok(RowPlan {
            law,
            interaction: index,
            sign: 1.0,
            offset: 0.0,
            sides,
            bow_or_finger: None,
            stretches: Vec::new(),
        })
    }
}

pub(crate) fn spring_law(cavity: &Cavity) -> SpringLaw {
    SpringLaw { stiffness: cavity.stiffness(), cubic: 0.0, damping: 0.0, max_eta: 0.0 }
}

pub(crate) fn check_cavity(cavity: &Cavity, check: Check) -> Result<(), CompileError> {
    check.positive("volume", cavity.volume)?;
    check.positive("density", cavity.density)?;
    check.positive("speed_of_sound", cavity.speed_of_sound)?;
    check.require(cavity.stiffness() > 0.0, "volume", cavity.volume, "such that ρc²/V is a number")
}
