//! Model → contact rows: nodes, weights and law of each.

use crate::compile::cavities::{check_cavity, spring_law};
use crate::compile::compiler::Compiler;
use crate::contact::bow_or_finger::BowOrFinger;
use crate::contact::plan::{RowPlan, RowSide};
use crate::control::signal::check_control;
use crate::element::body::{Attachment, Body, Cell, WeightedNodes, scaled};
use crate::error::{Check, CompileError, Subject};
use crate::interaction::bow::{BowLaw, FrictionModel};
use crate::interaction::bristle::Bristle;
use crate::interaction::collision::CollisionLaw;
use crate::interaction::connection::ConnectionLaw;
use crate::interaction::damper::DamperLaw;
use crate::interaction::finger::FingerLaw;
use crate::interaction::friction::FrictionCurve;
use crate::interaction::law::RowLaw;
use crate::interaction::potential::Potential;
use crate::interaction::spring::SpringLaw;
use crate::interaction::tension::TensionLaw;
use crate::interaction::von_karman::VonKarmanLaw;
use crate::model::{BadParameter, Bow, ElementId, Friction, Interaction, Law, Place, Point, Scheme};

impl Compiler<'_> {
    /// One side of a row, and its constant part of η.
    fn side(&self, point: Point, sign: f64, subject: Subject) -> Result<((usize, RowSide), f64), CompileError> {
        let (body, user) = self.body(point.element, subject);
        let (side, offset) = match body.attach(point.place, user)? {
            Attachment::Nodes(nodes) => (RowSide::Nodes(scaled(nodes, sign)), 0.0),
            Attachment::Prescribed { node, height } => (RowSide::Barrier(node, sign), sign * height),
        };
        Ok(((point.element.index(), side), offset))
    }

    /// The third side of a collision over a surface.
    fn surface(&self, surface: ElementId, subject: Subject) -> Result<(usize, RowSide), CompileError> {
        let (body, user) = self.body(surface, subject);
        match body.height().map(|_| body.attach(Place::Whole, user)) {
            Some(Ok(Attachment::Prescribed { node, .. })) => Ok((surface.index(), RowSide::Barrier(node, 1.0))),
            Some(_) | None => user.refuse("a surface is the height of a barrier"),
        }
    }

    pub(crate) fn plan_rows(&self) -> Result<Vec<RowPlan>, CompileError> {
        let mut plans = Vec::new();
        for (index, interaction) in self.model.interactions.iter().enumerate() {
            let subject = Subject::Interaction(index);
            check_law(&interaction.law, Check(subject))?;
            if matches!(interaction.law, Law::Cavity(_)) {
                plans.push(self.plan_cavity(index, interaction)?);
                continue;
            }
            let Some(above) = interaction.above else {
                plans.push(match interaction.law {
                    Law::TensionModulation => self.plan_tension(index, interaction)?,
                    Law::VonKarman => self.plan_von_karman(index, interaction)?,
                    Law::Bow(_)
                    | Law::Finger(_)
                    | Law::Collision(_)
                    | Law::Connection(_)
                    | Law::Spring(_)
                    | Law::Damper(_)
                    | Law::Cavity(_)
                    | Law::Custom(_) => self.plan_bow_or_finger(index, interaction)?,
                });
                continue;
            };
            let collides = matches!(interaction.law, Law::Collision(_) | Law::Connection(_) | Law::Custom(_));
            if collides && interaction.below.element == above.element {
                return Err(CompileError::SelfContact { subject });
            }
            if interaction.distributed {
                self.plan_along(index, interaction, [interaction.below.element, above.element], &mut plans)?;
            } else if let Some(below) = interaction.below.point() {
                self.plan_point(index, interaction, [below, above], 1.0, &mut plans)?;
            } else {
                return Err(CompileError::Place {
                    subject,
                    element: self.model.elements[interaction.below.element.index()].kind(),
                    expected: "only a hand moves along it: a bow or a finger",
                });
            }
        }
        Ok(plans)
    }

    /// Rows of an interaction between two points, its stiffness scaled by the length of string it represents.
    fn plan_point(
        &self,
        index: usize,
        interaction: &Interaction,
        [below, above]: [Point; 2],
        cell: f64,
        plans: &mut Vec<RowPlan>,
    ) -> Result<(), CompileError> {
        let subject = Subject::Interaction(index);
        let (below, below_offset) = self.side(below, 1.0, subject)?;
        let (above, above_offset) = self.side(above, -1.0, subject)?;
        let offset = below_offset + above_offset - interaction.law.gap();
        let mut sides = vec![below, above];
        if let Some(surface) = interaction.surface {
            sides.push(self.surface(surface, subject)?);
        }
        let law = self.compiled_law(&interaction.law, cell);
        if law.is_on_heap() && law.has_hysteresis_loss() && self.model.scheme != Scheme::Tracked {
            return Err(CompileError::NeedsTracked { subject, kind: interaction.law.kind() });
        }
        let plan = RowPlan { offset, ..RowPlan::new(law, index, sides) };
        if !self.can_move(&plan) {
            return Err(CompileError::Immovable { subject, reason: "both sides are held fast" });
        }
        match &interaction.law {
            // A rattle is two collisions back to back, ε apart from the middle.
            Law::Connection(connection) if connection.play > 0.0 => {
                let mut second = plan.clone();
                second.sign = -1.0;
                second.offset = -offset - connection.play;
                for (_, side) in &mut second.sides {
                    match side {
                        RowSide::Nodes(nodes) => nodes.iter_mut().for_each(|node| node.1 = -node.1),
                        RowSide::Barrier(_, sign) => *sign = -*sign,
                    }
                }
                plans.push(RowPlan { offset: offset - connection.play, ..plan });
                plans.push(second);
            }
            Law::Collision(_)
            | Law::Connection(_)
            | Law::Spring(_)
            | Law::Damper(_)
            | Law::Cavity(_)
            | Law::Bow(_)
            | Law::Finger(_)
            | Law::TensionModulation
            | Law::VonKarman
            | Law::Custom(_) => plans.push(plan),
        }
        Ok(())
    }

    /// Nodes under a bow or finger that stands still. None where nothing can move. Modes have no gains for contacts here: those make up
    /// for the motion between samples in short contacts, whereas friction takes the velocity over two steps
    /// (tests/golden_bow.rs: with them its loss would be up to 11 % off, without them 0.5 %).
    fn contact_nodes(&self, point: Point, subject: Subject) -> Result<WeightedNodes, CompileError> {
        let (body, user) = self.body(point.element, subject);
        Ok(match body.attach(point.place, user)? {
            Attachment::Nodes(_) => body.nodes_at(point.place, user)?,
            Attachment::Prescribed { .. } => Vec::new(),
        })
    }

    /// The row of a bow or a finger.
    fn plan_bow_or_finger(&self, index: usize, interaction: &Interaction) -> Result<RowPlan, CompileError> {
        let subject = Subject::Interaction(index);
        let element = interaction.below.element.index();
        let (nodes, moving_point) = match interaction.below.point() {
            Some(point) => (self.contact_nodes(point, subject)?, None),
            None => {
                let moving_point = self.moving_point(&interaction.below, subject)?;
                (moving_point.padded_nodes(), Some(moving_point))
            }
        };
        if nodes.is_empty() {
            return Err(CompileError::Immovable { subject, reason: "the place is held fast" });
        }
        let bow_or_finger = BowOrFinger::new(&interaction.law, moving_point);
        let law = self.compiled_law(&interaction.law, 1.0);
        let sides = vec![(element, RowSide::Nodes(nodes))];
        Ok(RowPlan { bow_or_finger, ..RowPlan::new(law, index, sides) })
    }

    fn can_move(&self, plan: &RowPlan) -> bool {
        let mut weights = std::collections::BTreeMap::<usize, f64>::new();
        for (_, side) in &plan.sides {
            if let RowSide::Nodes(nodes) = side {
                for &(node, weight) in nodes {
                    *weights.entry(node).or_default() += weight;
                }
            }
        }
        weights.values().any(|&weight| weight != 0.0)
    }

    /// The law of one row; `cell` is the length of string it represents, 1 at a point.
    pub(crate) fn compiled_law(&self, law: &Law, cell: f64) -> RowLaw {
        let potential = |stiffness: f64, exponent: f64| {
            Potential::new(cell * stiffness, exponent, &mut self.power_tables.borrow_mut())
        };
        match law {
            Law::Collision(collision) => RowLaw::Collision(CollisionLaw {
                potential: potential(collision.stiffness, collision.exponent),
                loss: collision.loss,
                short_threshold: f64::INFINITY,
                crossings_per_metre: 0.0,
            }),
            Law::Connection(connection) => {
                let potential = potential(connection.stiffness, connection.exponent);
                if connection.play > 0.0 {
                    RowLaw::Collision(CollisionLaw {
                        potential,
                        loss: 0.0,
                        short_threshold: f64::INFINITY,
                        crossings_per_metre: 0.0,
                    })
                } else {
                    RowLaw::Connection(ConnectionLaw { potential })
                }
            }
            Law::Spring(spring) => RowLaw::Spring(SpringLaw {
                stiffness: spring.stiffness,
                cubic: spring.cubic,
                damping: spring.damping,
                max_eta: 0.0,
            }),
            Law::Cavity(cavity) => RowLaw::Spring(spring_law(cavity)),
            Law::Damper(damper) => RowLaw::Damper(DamperLaw { resistance: damper.resistance }),
            Law::Bow(bow) => RowLaw::Bow(Box::new(BowLaw::new(friction_model(&bow.friction), self.k))),
            Law::Finger(_) => RowLaw::Finger(FingerLaw::default()),
            // Its stiffness is that of the element: see `plan_tension`.
            Law::TensionModulation => RowLaw::Tension(TensionLaw { stiffness: 0.0 }),
            Law::VonKarman => RowLaw::VonKarman(VonKarmanLaw),
            Law::Custom(law) => RowLaw::Custom(law.state(self.k)),
        }
    }

    /// A collision along a length: one row per moving node of the finer grid of strings and bars.
    fn plan_along(
        &self,
        index: usize,
        interaction: &Interaction,
        elements: [ElementId; 2],
        plans: &mut Vec<RowPlan>,
    ) -> Result<(), CompileError> {
        let subject = Subject::Interaction(index);
        let sides = elements.map(|element| self.body(element, subject));
        let is_long = |body: &dyn Body| body.grid().is_some() || body.height().is_some();
        let is_plate = |body: &dyn Body| body.plate_grid().is_some();
        for (body, user) in sides {
            if is_plate(body) && interaction.line.is_none() {
                return user.refuse("a string lies along it from one place to another");
            }
            if !is_long(body) && !is_plate(body) {
                return user.refuse("only strings, bars, plates and barriers collide along a length");
            }
        }
        let grids = sides.iter().filter_map(|(body, _)| Some((body, body.grid()?)));
        let Some((finer, grid)) = grids.max_by_key(|(_, grid)| grid.intervals) else {
            return match sides.iter().find(|(body, _)| is_plate(*body)) {
                Some((_, user)) => user.refuse("only strings and bars lie along a line on it"),
                None => Err(CompileError::Immovable { subject, reason: "both sides are barriers" }),
            };
        };
        if interaction.line.is_some() && !sides.iter().any(|(body, _)| is_plate(*body)) {
            return sides[0].1.refuse("a line is one on a plate");
        }
        let spacing = 1.0 / grid.intervals as f64;
        let cells = sides.iter().fold(finer.cells(), |cells, (body, _)| body.contact_cells(cells, spacing));
        for Cell { at, length } in cells {
            let points = [0, 1].map(|side| match interaction.line {
                Some([from, to]) if is_plate(sides[side].0) => {
                    elements[side].on([0, 1].map(|axis| from[axis] + at * (to[axis] - from[axis])))
                }
                Some(_) | None => elements[side].at(at),
            });
            self.plan_point(index, interaction, points, length, plans)?;
        }
        Ok(())
    }
}

fn check_law(law: &Law, check: Check) -> Result<(), CompileError> {
    let power = |stiffness: f64, exponent: f64| {
        check.positive("stiffness", stiffness)?;
        check.require((1.0..=10.0).contains(&exponent), "exponent", exponent, "between 1 and 10")
    };
    match law {
        Law::Collision(law) => {
            power(law.stiffness, law.exponent)?;
            check.not_negative("loss", law.loss)?;
        }
        Law::Connection(law) => {
            power(law.stiffness, law.exponent)?;
            check.not_negative("play", law.play)?;
        }
        Law::Spring(law) => {
            check.not_negative("stiffness", law.stiffness)?;
            check.not_negative("cubic", law.cubic)?;
            check.not_negative("damping", law.damping)?;
        }
        Law::Damper(law) => check.not_negative("resistance", law.resistance)?,
        Law::Cavity(cavity) => check_cavity(cavity, check)?,
        Law::Bow(bow) => check_bow(bow, check)?,
        Law::Finger(finger) => {
            check_control(&finger.pressure, "pressure", check)?;
            finger.pressure.values().iter().try_for_each(|&value| check.not_negative("pressure", value))?;
            check.not_negative("stiffness", finger.stiffness)?;
            check.not_negative("damping", finger.damping)?;
        }
        Law::TensionModulation | Law::VonKarman => {}
        Law::Custom(law) => {
            law.parameters().into_iter().try_for_each(|(field, value)| check.finite(field, value))?;
            law.check().map_err(|BadParameter { field, value, allowed }| CompileError::Parameter {
                subject: check.0,
                field,
                value,
                allowed,
            })?;
        }
    }
    check.finite("gap", law.gap())
}

fn check_bow(bow: &Bow, check: Check) -> Result<(), CompileError> {
    check_control(&bow.force, "force", check)?;
    bow.force.values().iter().try_for_each(|&value| check.not_negative("force", value))?;
    check_control(&bow.velocity, "velocity", check)?;
    let check_coefficients = |sliding: f64, sticking: f64, velocity: f64| {
        check.positive("sliding", sliding)?;
        check.require(sticking >= sliding, "sticking", sticking, "at least the sliding friction")?;
        check.positive("stribeck_velocity", velocity)
    };
    match bow.friction {
        Friction::Exponential { sharpness } => check.positive("sharpness", sharpness),
        Friction::Stribeck { sliding, sticking, velocity, creep } => {
            check_coefficients(sliding, sticking, velocity)?;
            check.positive("creep", creep)
        }
        Friction::Bristle { sliding, sticking, velocity, stiffness, damping, viscous } => {
            check_coefficients(sliding, sticking, velocity)?;
            check.positive("bristle_stiffness", stiffness)?;
            check.not_negative("bristle_damping", damping)?;
            check.not_negative("viscous", viscous)
        }
    }
}

fn friction_model(friction: &Friction) -> FrictionModel {
    match *friction {
        Friction::Exponential { sharpness } => FrictionModel::Curve(FrictionCurve::exponential(sharpness)),
        Friction::Stribeck { sliding, sticking, velocity, creep } => {
            FrictionModel::Curve(FrictionCurve::Stribeck { sliding, sticking, velocity, creep })
        }
        Friction::Bristle { sliding, sticking, velocity, stiffness, damping, viscous } => {
            FrictionModel::Bristle(Bristle {
                sliding,
                sticking,
                velocity,
                stiffness,
                damping,
                viscous,
                deflection: 0.0,
                previous_deflection: 0.0,
                relaxation_rate: 0.0,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Barrier, Collision, Model, StiffString};

    #[test]
    fn contacts_along_a_string_that_share_no_node_are_not_coupled() {
        for intervals in (4..400).step_by(7) {
            let mut model = Model::new();
            let floor = model.add(Barrier::at(0.0));
            let string =
                || StiffString { length: 0.01 * intervals as f64, grid: Some(intervals), ..StiffString::default() };
            let [upper, lower] = [(); 2].map(|()| model.add(string()));
            model.collide_along(floor, lower, Collision::default());
            let alone = model.compile(44_100.0).unwrap();
            assert!(alone.contact_blocks().eq(vec![1; intervals - 1]), "{intervals} intervals");
            model.collide_along(lower, upper, Collision::default());
            let both = model.compile(44_100.0).unwrap();
            assert!(both.contact_blocks().eq(vec![2; intervals - 1]), "{intervals} intervals, two strings");
        }
    }
}
