//! Model → flat arrays: everything that can be wrong is found here, everything that must be sized is sized here.

use super::network::{Network, Obstacle, RowPlan, Touch};
use super::signal::{Signal, check_control};
use super::{Body, Force, Reader, Simulation};
use crate::element::line::{Line, Material};
use crate::element::oscillator::Bank;
use crate::element::{State, mass, mode};
use crate::error::{Check, CompileError, Subject};
use crate::interaction as law;
use crate::model::{Control, Element, Exciter, Handle, Interaction, Law, Model, Place, Point, Quantity, Shape, Target};

pub(crate) fn compile(model: &Model, sample_rate: f64) -> Result<Simulation, CompileError> {
    Check(Subject::Model).that(
        (1.0..=1e9).contains(&sample_rate),
        "sample_rate",
        sample_rate,
        "between 1 and 1e9 Hz",
    )?;
    refuse_foreign_handles(model)?;
    let mut workshop = Workshop::new(model, 1.0 / sample_rate);
    workshop.place_oscillators()?;
    workshop.place_lines_and_barriers()?;
    if workshop.state.u.is_empty() {
        return Err(CompileError::Empty);
    }
    let plans = workshop.plan_rows()?;
    super::ring::refuse_rings(model)?;
    let forces = workshop.forces()?;
    let readers = workshop.readers()?;
    Ok(workshop.finish(plans, forces, readers))
}

/// Handles are plain numbers: one from another model would point nowhere, or at the wrong thing.
fn refuse_foreign_handles(model: &Model) -> Result<(), CompileError> {
    let known = |point: &Point| point.element.index() < model.elements.len();
    let refuse = |known: bool, subject| if known { Ok(()) } else { Err(CompileError::Foreign { subject }) };
    for (index, interaction) in model.interactions.iter().enumerate() {
        let surface = interaction.surface.is_none_or(|surface| surface.index() < model.elements.len());
        refuse(known(&interaction.below) && known(&interaction.above) && surface, Subject::Interaction(index))?;
    }
    for (index, (point, _)) in model.exciters.iter().enumerate() {
        refuse(known(point), Subject::Exciter(index))?;
    }
    for (index, target) in model.pickups.iter().enumerate() {
        let known = match target {
            Target::Point(point, _) => known(point),
            Target::Force(contact) => contact.index() < model.interactions.len(),
        };
        refuse(known, Subject::Pickup(index))?;
    }
    Ok(())
}

/// A model being compiled.
struct Workshop<'a> {
    model: &'a Model,
    k: f64,
    state: State,
    bodies: Vec<Body>,
    bank: Bank,
    lines: Vec<Line>,
    obstacles: Vec<Obstacle>,
    /// Index into `obstacles` of the elements that are barriers.
    obstacle_of: Vec<Option<usize>>,
}

impl<'a> Workshop<'a> {
    fn new(model: &'a Model, k: f64) -> Self {
        Self {
            model,
            k,
            state: State::default(),
            bodies: vec![Body::Barrier; model.elements.len()],
            bank: Bank::default(),
            lines: Vec::new(),
            obstacles: Vec::new(),
            obstacle_of: vec![None; model.elements.len()],
        }
    }

    /// Masses and modes come first in the state, so that one kernel runs over all of them.
    fn place_oscillators(&mut self) -> Result<(), CompileError> {
        for (index, element) in self.model.elements.iter().enumerate() {
            let check = Check(Subject::Element(index));
            let start = self.bank.len();
            match element {
                Element::Mass(mass) => {
                    let node = self.bank.push(mass::oscillator(mass, check, self.k)?, self.k, &mut self.state);
                    self.state.u[node] = mass.position;
                    self.state.du[node] = mass.velocity * self.k;
                }
                Element::Modal(modal) => {
                    let modes = modal.modes.len() as f64;
                    check.that(modes > 0.0, "modes", modes, "at least one")?;
                    for gains in &modal.points {
                        let count = gains.len() as f64;
                        check.that(count == modes, "points", count, "one gain per mode")?;
                        gains.iter().try_for_each(|&gain| check.finite("points", gain))?;
                    }
                    for mode in &modal.modes {
                        self.bank.push(mode::oscillator(mode, check, self.k)?, self.k, &mut self.state);
                    }
                }
                _ => continue,
            }
            self.bodies[index] = Body::Oscillators(start..self.bank.len());
        }
        Ok(())
    }

    fn place_lines_and_barriers(&mut self) -> Result<(), CompileError> {
        for (index, element) in self.model.elements.iter().enumerate() {
            let check = Check(Subject::Element(index));
            match element {
                Element::String(string) => {
                    let material = Material::of_string(string, check)?;
                    self.place_line(index, material, string.grid, [string.displacement, string.velocity])?;
                }
                Element::Bar(bar) => {
                    let material = Material::of_bar(bar, check)?;
                    self.place_line(index, material, bar.grid, [bar.displacement, bar.velocity])?;
                }
                Element::Barrier(barrier) => {
                    check_control(&barrier.position, "position", check)?;
                    barrier.profile.iter().try_for_each(|&height| check.finite("profile", height))?;
                    self.obstacle_of[index] = Some(self.obstacles.len());
                    self.obstacles.push(Obstacle::new(barrier.position.clone(), self.k));
                }
                Element::Mass(_) | Element::Modal(_) => {}
            }
        }
        Ok(())
    }

    fn place_line(
        &mut self,
        index: usize,
        material: Material,
        grid: Option<usize>,
        start: [Shape; 2],
    ) -> Result<(), CompileError> {
        let check = Check(Subject::Element(index));
        start.iter().try_for_each(|shape| shape.check(check))?;
        let line = Line::new(material, grid, check, self.k, &mut self.state)?;
        for (i, (displacement, velocity)) in line.sample(start[0]).zip(line.sample(start[1])).enumerate() {
            self.state.u[line.start + i] = displacement;
            self.state.du[line.start + i] = velocity * self.k;
        }
        self.bodies[index] = Body::Line(self.lines.len());
        self.lines.push(line);
        Ok(())
    }

    /// The line an element is, if it is one.
    fn line(&self, element: Handle) -> Option<&Line> {
        match self.bodies.get(element.index())? {
            Body::Line(line) => Some(&self.lines[*line]),
            _ => None,
        }
    }

    /// Nodes and weights through which a point is seen. A barrier has none.
    fn nodes_at(&self, point: Point, subject: Subject) -> Result<Vec<(usize, f64)>, CompileError> {
        let index = point.element.index();
        let wrong = |element, expected| Err(CompileError::Place { subject, element, expected });
        match (&self.model.elements[index], &self.bodies[index], point.place) {
            (Element::Mass(_), Body::Oscillators(nodes), Place::Whole) => Ok(vec![(nodes.start, 1.0)]),
            (Element::Mass(_), ..) => wrong("a mass", "it is a single point"),
            (Element::Modal(modal), Body::Oscillators(nodes), Place::Listed(listed)) if listed < modal.points.len() => {
                let gains = nodes.clone().zip(modal.points[listed].iter().copied());
                Ok(gains.filter(|&(_, gain)| gain != 0.0).collect())
            }
            (Element::Modal(_), ..) => wrong("a modal resonator", "name one of its points"),
            (Element::Barrier(_), _, Place::Whole | Place::Along(_)) => Ok(Vec::new()),
            (Element::Barrier(_), ..) => wrong("a barrier", "it is rigid"),
            (_, Body::Line(line), Place::Along(at)) => {
                Check(subject).fraction("at", at)?;
                let line = &self.lines[*line];
                Ok(line.interpolate(at).map(|(node, weight)| (line.start + node, weight)).collect())
            }
            (element, ..) => wrong(element.kind(), "say where along its length, from 0 to 1"),
        }
    }

    /// One side of a row, and its constant part of η.
    fn side(&self, point: Point, sign: f64, subject: Subject) -> Result<((usize, Touch), f64), CompileError> {
        let element = point.element.index();
        let nodes = self.nodes_at(point, subject)?;
        Ok(match self.obstacle_of[element] {
            Some(obstacle) => {
                let height = match point.place {
                    Place::Along(at) => self.profile_at(element, at),
                    _ => 0.0,
                };
                ((element, Touch::Barrier(obstacle, sign)), sign * height)
            }
            None => {
                ((element, Touch::Nodes(nodes.into_iter().map(|(node, weight)| (node, sign * weight)).collect())), 0.0)
            }
        })
    }

    /// The third side of a collision over a surface.
    fn surface(&self, surface: Handle, subject: Subject) -> Result<(usize, Touch), CompileError> {
        match self.obstacle_of[surface.index()] {
            Some(obstacle) => Ok((surface.index(), Touch::Barrier(obstacle, 1.0))),
            None => {
                let element = self.model.elements[surface.index()].kind();
                Err(CompileError::Place { subject, element, expected: "a surface is the height of a barrier" })
            }
        }
    }

    /// Height of a barrier's profile at a fraction of the length \[m\].
    fn profile_at(&self, element: usize, at: f64) -> f64 {
        let Element::Barrier(barrier) = &self.model.elements[element] else { return 0.0 };
        let last = barrier.profile.len().saturating_sub(1);
        let time = (0..=last).map(|i| i as f64 / last.max(1) as f64).collect();
        match barrier.profile.len() {
            0 => 0.0,
            1 => barrier.profile[0],
            _ => Control::Breakpoints { time, value: barrier.profile.clone() }.at(at),
        }
    }

    fn plan_rows(&self) -> Result<Vec<RowPlan>, CompileError> {
        let mut plans = Vec::new();
        for (index, interaction) in self.model.interactions.iter().enumerate() {
            let subject = Subject::Interaction(index);
            check_law(&interaction.law, Check(subject))?;
            let collides = matches!(interaction.law, Law::Collision(_) | Law::Connection(_));
            if collides && interaction.below.element == interaction.above.element {
                return Err(CompileError::SelfContact { subject });
            }
            if interaction.distributed {
                self.plan_along(index, interaction, &mut plans)?;
            } else {
                self.plan_point(index, interaction, 1.0, &mut plans)?;
            }
        }
        Ok(plans)
    }

    /// Rows of an interaction between two points, its stiffness scaled by the length of string it stands for.
    fn plan_point(
        &self,
        index: usize,
        interaction: &Interaction,
        cell: f64,
        plans: &mut Vec<RowPlan>,
    ) -> Result<(), CompileError> {
        let subject = Subject::Interaction(index);
        let (below, below_offset) = self.side(interaction.below, 1.0, subject)?;
        let (above, above_offset) = self.side(interaction.above, -1.0, subject)?;
        let offset = below_offset + above_offset - interaction.law.gap();
        let mut sides = vec![below, above];
        if let Some(surface) = interaction.surface {
            sides.push(self.surface(surface, subject)?);
        }
        let plan = RowPlan { law: compiled_law(&interaction.law, cell), interaction: index, sense: 1.0, offset, sides };
        if !self.can_move(&plan) {
            return Err(CompileError::Immovable { subject, reason: "both sides are held fast" });
        }
        match interaction.law {
            // A rattle is two collisions back to back, ε apart from the middle.
            Law::Connection(connection) if connection.play > 0.0 => {
                let mut second = plan.clone();
                second.sense = -1.0;
                second.offset = -offset - connection.play;
                for (_, touch) in &mut second.sides {
                    match touch {
                        Touch::Nodes(nodes) => nodes.iter_mut().for_each(|node| node.1 = -node.1),
                        Touch::Barrier(_, sign) => *sign = -*sign,
                    }
                }
                plans.push(RowPlan { offset: offset - connection.play, ..plan });
                plans.push(second);
            }
            _ => plans.push(plan),
        }
        Ok(())
    }

    fn can_move(&self, plan: &RowPlan) -> bool {
        let mut weights = std::collections::BTreeMap::<usize, f64>::new();
        for (_, touch) in &plan.sides {
            if let Touch::Nodes(nodes) = touch {
                for &(node, weight) in nodes {
                    *weights.entry(node).or_default() += weight;
                }
            }
        }
        weights.values().any(|&weight| weight != 0.0)
    }

    /// A collision along a length: one row per moving node of the finer grid.
    fn plan_along(
        &self,
        index: usize,
        interaction: &Interaction,
        plans: &mut Vec<RowPlan>,
    ) -> Result<(), CompileError> {
        let (below, above) = (interaction.below.element, interaction.above.element);
        let lines = [below, above].map(|element| self.line(element));
        for (line, element) in lines.iter().zip([below, above]) {
            if line.is_none() && self.obstacle_of[element.index()].is_none() {
                return Err(CompileError::Place {
                    subject: Subject::Interaction(index),
                    element: self.model.elements[element.index()].kind(),
                    expected: "only strings, bars and barriers collide along a length",
                });
            }
        }
        let intervals = |line: &&Line| line.grid.intervals;
        let Some(finer) = lines.into_iter().flatten().max_by_key(intervals) else {
            return Err(CompileError::Immovable {
                subject: Subject::Interaction(index),
                reason: "both sides are barriers",
            });
        };
        for node in 0..finer.count {
            let at = (node + finer.first) as f64 / finer.grid.intervals as f64;
            let cell = finer.grid.spacing * finer.weight(node);
            let here = Interaction { below: below.at(at), above: above.at(at), ..*interaction };
            self.plan_point(index, &here, cell, plans)?;
        }
        Ok(())
    }

    fn forces(&self) -> Result<Vec<Force>, CompileError> {
        let exciters = self.model.exciters.iter().enumerate();
        exciters.map(|(index, (point, exciter))| self.force(index, *point, exciter)).collect()
    }

    fn force(&self, index: usize, point: Point, exciter: &Exciter) -> Result<Force, CompileError> {
        let subject = Subject::Exciter(index);
        let signal = Signal::new(exciter, Check(subject))?;
        let width = if let Exciter::Pulse(pulse) = exciter { pulse.width } else { 0.0 };
        let nodes = match (self.line(point.element), point.place) {
            (Some(line), Place::Along(at)) if width * line.grid.intervals as f64 > 2.0 => {
                Check(subject).fraction("at", at)?;
                let bump: Vec<f64> = line.sample(Shape::RaisedCosine { at, width, height: 1.0 }).collect();
                let sum: f64 = bump.iter().sum();
                bump.iter().enumerate().map(|(node, value)| (line.start + node, value / sum)).collect()
            }
            _ => self.nodes_at(point, subject)?,
        };
        if nodes.is_empty() {
            return Err(CompileError::Immovable { subject, reason: "the driven point is held fast" });
        }
        Ok(Force { element: point.element.index(), nodes, signal, now: 0.0 })
    }

    fn readers(&self) -> Result<Vec<Reader>, CompileError> {
        self.model.pickups.iter().enumerate().map(|(index, target)| self.reader(index, target)).collect()
    }

    fn reader(&self, index: usize, target: &Target) -> Result<Reader, CompileError> {
        let subject = Subject::Pickup(index);
        let (point, quantity) = match *target {
            Target::Force(contact) => return Ok(Reader::Contact(contact.index())),
            Target::Point(point, quantity) => (point, quantity),
        };
        let nodes = self.nodes_at(point, subject)?;
        let scaled = |scale: f64| nodes.iter().map(|&(node, weight)| (node, weight * scale)).collect();
        let element = &self.model.elements[point.element.index()];
        match (quantity, element) {
            (Quantity::Displacement, Element::Barrier(_)) => {
                Ok(Reader::Barrier(self.obstacle_of[point.element.index()].expect("a barrier is an obstacle")))
            }
            (_, Element::Barrier(_)) => Err(CompileError::Place {
                subject,
                element: "a barrier",
                expected: "only its displacement can be read; read the force of the interaction instead",
            }),
            (Quantity::Displacement, _) => Ok(Reader::Displacement(nodes)),
            (Quantity::Velocity, _) => Ok(Reader::Velocity(scaled(1.0 / self.k))),
            (Quantity::Force, Element::Mass(mass)) => Ok(Reader::Inertia(scaled(mass.mass / (self.k * self.k)))),
            (Quantity::Force, Element::String(_) | Element::Bar(_)) => {
                let (Some(line), Place::Along(at)) = (self.line(point.element), point.place) else {
                    return Ok(Reader::Displacement(Vec::new()));
                };
                let weights = line.transverse_force(at).into_iter();
                Ok(Reader::Displacement(weights.map(|(node, weight)| (line.start + node, weight)).collect()))
            }
            (Quantity::Force, Element::Modal(_)) => Err(CompileError::Place {
                subject,
                element: "a modal resonator",
                expected: "it passes no force along; read the force of the interaction instead",
            }),
        }
    }

    fn finish(mut self, plans: Vec<RowPlan>, forces: Vec<Force>, readers: Vec<Reader>) -> Simulation {
        self.state.du_next = vec![0.0; self.state.u.len()];
        let network = Network::new(plans, self.model.interactions.len(), &self.state);
        let mut simulation = Simulation {
            k: self.k,
            n: 0,
            scheme: self.model.scheme,
            state: self.state,
            bodies: self.bodies,
            bank: self.bank,
            lines: self.lines,
            obstacles: self.obstacles,
            network,
            forces,
            readers,
            ledger: None,
            initial: (Vec::new(), Vec::new()),
        };
        simulation.predict();
        simulation.state.centre_start();
        simulation.initial = (simulation.state.u.clone(), simulation.state.du.clone());
        simulation.reset();
        simulation
    }
}

fn check_law(law: &Law, check: Check) -> Result<(), CompileError> {
    let power = |stiffness: f64, exponent: f64| {
        check.positive("stiffness", stiffness)?;
        check.that((1.0..=10.0).contains(&exponent), "exponent", exponent, "between 1 and 10")
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
        Law::Link(law) => check.not_negative("resistance", law.resistance)?,
    }
    check.finite("gap", law.gap())
}

/// The law of one row; `cell` is the length of string the row stands for, 1 at a point.
fn compiled_law(law: &Law, cell: f64) -> law::Law {
    match *law {
        Law::Collision(collision) => law::Law::Collision(law::Collision {
            potential: law::Potential::new(cell * collision.stiffness, collision.exponent),
            loss: collision.loss,
        }),
        Law::Connection(connection) => {
            let potential = law::Potential::new(cell * connection.stiffness, connection.exponent);
            if connection.play > 0.0 {
                law::Law::Collision(law::Collision { potential, loss: 0.0 })
            } else {
                law::Law::Connection(law::Connection { potential })
            }
        }
        Law::Spring(spring) => {
            law::Law::Spring(law::Spring { stiffness: spring.stiffness, cubic: spring.cubic, damping: spring.damping })
        }
        Law::Link(link) => law::Law::Viscous(link.resistance),
    }
}
