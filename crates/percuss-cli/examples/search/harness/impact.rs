//! Restitution of lone masses: the relative speed after an impact over that before it.
//!
//! A mass is lone if it has no spring, damping or weight, nothing drives it, and nothing acts on it but collisions with fixed
//! barriers and other lone masses. An impact begins when a force sets in, and ends when there is no force, the bodies are apart
//! and the contact holds nothing. It counts if it did not begin with the scene and no other contact of the two bodies pushed meanwhile.

use super::document::{Document, Table, Value};
use percuss::{ElementId, Ledger, Simulation};
use percuss_scene::Scene;

/// Rounding of a difference of two speeds, as a share of the larger.
const ROUNDING: f64 = 1e-14;

/// A contact of lone masses.
struct Watched {
    contact: usize,
    below: Option<ElementId>,
    above: Option<ElementId>,
    /// Position of a barrier on one side, and the gap \[m\].
    offset: f64,
    /// Other contacts of the two bodies.
    others: Vec<usize>,
    /// Speed before the impact, where one is on; not a number for one that does not count.
    before: Option<f64>,
    /// Relative movement in the last step \[m\].
    travel: f64,
}

/// All contacts of lone masses in a scene, and what was found.
pub struct Impacts {
    watched: Vec<Watched>,
    /// Impacts that counted.
    pub count: u64,
    /// Largest restitution so far, less 1.
    pub worst: f64,
}

impl Impacts {
    /// Finds the contacts of lone masses.
    pub fn new(document: &Document, scene: &Scene) -> Self {
        let collisions = document.tables.iter().filter(|table| table.kind == "collision");
        let lone = collisions.filter(|table| sides(table).iter().all(|side| may_impact(document, side)));
        let watched = lone.filter_map(|table| Watched::new(document, scene, table)).collect();
        Self { watched, count: 0, worst: -1.0 }
    }

    /// Looks at the step just taken.
    pub fn look(&mut self, simulation: &Simulation, ledger: &Ledger) {
        for watched in &mut self.watched {
            if let Some(restitution) = watched.look(simulation, ledger) {
                self.count += 1;
                self.worst = self.worst.max(restitution - 1.0);
            }
        }
    }
}

impl Watched {
    fn new(document: &Document, scene: &Scene, table: &Table) -> Option<Self> {
        let contact = scene.interaction_names.iter().position(|id| Some(id.as_str()) == table.id())?;
        let [below, above] = sides(table);
        let element = |id: &str| {
            let index = scene.element_names.iter().position(|own| own == id)?;
            let is_mass = document.find(id).is_some_and(|table| table.kind == "mass");
            scene.model.element_ids().nth(index).filter(|_| is_mass)
        };
        let height = |id: &str| {
            document.find(id).filter(|table| table.kind == "barrier").map_or(0.0, |table| table.number("position"))
        };
        let partner = |id: &&String| {
            let table = document.find(id);
            [below, above]
                .iter()
                .any(|side| element(side).is_some() && table.is_some_and(|table| table.refers_to(side)))
        };
        let ids = scene.interaction_names.iter();
        let others = ids.enumerate().filter(|(other, id)| *other != contact && partner(id)).map(|(other, _)| other);
        Some(Self {
            contact,
            below: element(below),
            above: element(above),
            offset: height(below) - height(above) - table.number("gap"),
            others: others.collect(),
            // Whatever is on at the start does not count.
            before: Some(f64::NAN),
            travel: f64::NAN,
        })
    }

    /// The restitution of an impact that ended in this step.
    fn look(&mut self, simulation: &Simulation, ledger: &Ledger) -> Option<f64> {
        let moved = |side: Option<ElementId>| side.map_or(0.0, |mass| simulation.increments(mass)[0]);
        let (below, above) = (moved(self.below), moved(self.above));
        let travelled = std::mem::replace(&mut self.travel, below - above);
        let pushes = ledger.interactions[self.contact].force != 0.0;
        if pushes && self.before.is_none() {
            self.before = Some(travelled.abs());
        }
        if self.others.iter().any(|&other| ledger.interactions[other].force != 0.0) {
            self.before = self.before.map(|_| f64::NAN);
        }
        let holds = ledger.interactions[self.contact].stored != 0.0;
        if pushes || holds || self.depth(simulation) > 0.0 {
            return None;
        }
        let before = self.before.take()?;
        let after = (self.travel.abs() - ROUNDING * below.abs().max(above.abs())).max(0.0);
        (before > 0.0).then(|| after / before)
    }

    /// η now \[m\].
    fn depth(&self, simulation: &Simulation) -> f64 {
        let place = |side: Option<ElementId>| side.map_or(0.0, |mass| simulation.displacement(mass, 0));
        place(self.below) - place(self.above) + self.offset
    }
}

/// The ids of the two sides of a collision.
fn sides(table: &Table) -> [&str; 2] {
    ["below", "above"].map(|side| match table.get(side) {
        Some(Value::Inline(fields)) => match fields.first() {
            Some((_, Value::Text(id))) => id.as_str(),
            _ => "",
        },
        _ => "",
    })
}

/// Whether a body is a fixed barrier or a lone mass.
fn may_impact(document: &Document, id: &str) -> bool {
    let Some(table) = document.find(id) else { return false };
    match table.kind {
        "barrier" => !matches!(table.get("position"), Some(Value::Inline(_))) && table.get("profile").is_none(),
        "mass" => {
            let is_free = ["frequency", "damping", "gravity"].iter().all(|field| table.number(field) == 0.0);
            let mut others = document.tables.iter().filter(|other| other.refers_to(id));
            is_free && others.all(|other| matches!(other.kind, "collision" | "pickup" | "probe"))
        }
        _ => false,
    }
}
