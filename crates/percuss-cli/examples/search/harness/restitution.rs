//! Restitution of isolated masses: relative speed after an impact over that before it.
//!
//! A mass is isolated if it has no spring, damping or weight, no exciter, and no interactions but collisions with fixed barriers
//! and other isolated masses. An impact begins with the first contact force, and ends when there is no force, the bodies are
//! apart and the contact stores no energy. It counts if it does not begin with the scene and no other contact of the two bodies
//! has a force meanwhile.

use super::document::{SceneDocument, TomlTable, TomlValue};
use percuss::{ElementId, Ledger, Simulation};
use percuss_scene::Scene;

/// Rounding of a difference of two speeds, over the larger.
const ROUNDING: f64 = 1e-14;

/// A contact of isolated masses.
struct MonitoredContact {
    contact: usize,
    below: Option<ElementId>,
    above: Option<ElementId>,
    /// Position of a barrier on one side, minus the gap \[m\].
    offset: f64,
    /// Other contacts of the two bodies.
    others: Vec<usize>,
    /// Relative speed before the current impact; NaN for one that does not count.
    approach_speed: Option<f64>,
    /// Relative motion in the last step \[m\].
    relative_motion: f64,
}

/// Measures the restitution of all impacts of isolated masses in a scene.
pub struct RestitutionMonitor {
    contacts: Vec<MonitoredContact>,
    /// Impacts that counted.
    pub count: u64,
    /// Largest restitution so far, minus 1.
    pub worst: f64,
}

impl RestitutionMonitor {
    /// Finds the contacts of isolated masses.
    pub fn new(document: &SceneDocument, scene: &Scene) -> Self {
        let collisions = document.tables.iter().filter(|table| table.kind == "collision");
        let isolated =
            collisions.filter(|table| sides(table).iter().all(|side| is_barrier_or_isolated_mass(document, side)));
        let contacts = isolated.filter_map(|table| MonitoredContact::new(document, scene, table)).collect();
        Self { contacts, count: 0, worst: -1.0 }
    }

    /// Records a step.
    pub fn record_step(&mut self, simulation: &Simulation, ledger: &Ledger) {
        for contacts in &mut self.contacts {
            if let Some(restitution) = contacts.record_step(simulation, ledger) {
                self.count += 1;
                self.worst = self.worst.max(restitution - 1.0);
            }
        }
    }
}

impl MonitoredContact {
    fn new(document: &SceneDocument, scene: &Scene, table: &TomlTable) -> Option<Self> {
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
            // A contact at the start does not count.
            approach_speed: Some(f64::NAN),
            relative_motion: f64::NAN,
        })
    }

    /// Records a step; returns the restitution of an impact that ended in it.
    fn record_step(&mut self, simulation: &Simulation, ledger: &Ledger) -> Option<f64> {
        let moved = |side: Option<ElementId>| side.map_or(0.0, |mass| simulation.increments(mass)[0]);
        let (below, above) = (moved(self.below), moved(self.above));
        let previous_motion = std::mem::replace(&mut self.relative_motion, below - above);
        let has_force = ledger.interactions[self.contact].force != 0.0;
        if has_force && self.approach_speed.is_none() {
            self.approach_speed = Some(previous_motion.abs());
        }
        if self.others.iter().any(|&other| ledger.interactions[other].force != 0.0) {
            self.approach_speed = self.approach_speed.map(|_| f64::NAN);
        }
        let stores_energy = ledger.interactions[self.contact].stored != 0.0;
        if has_force || stores_energy || self.penetration(simulation) > 0.0 {
            return None;
        }
        let approach_speed = self.approach_speed.take()?;
        let exit_speed = (self.relative_motion.abs() - ROUNDING * below.abs().max(above.abs())).max(0.0);
        (approach_speed > 0.0).then(|| exit_speed / approach_speed)
    }

    /// Current η \[m\].
    fn penetration(&self, simulation: &Simulation) -> f64 {
        let place = |side: Option<ElementId>| side.map_or(0.0, |mass| simulation.displacement(mass, 0));
        place(self.below) - place(self.above) + self.offset
    }
}

/// The ids of the two sides of a collision.
fn sides(table: &TomlTable) -> [&str; 2] {
    ["below", "above"].map(|side| match table.get(side) {
        Some(TomlValue::Inline(fields)) => match fields.first() {
            Some((_, TomlValue::Text(id))) => id.as_str(),
            _ => "",
        },
        _ => "",
    })
}

/// Whether a body is a fixed barrier or an isolated mass.
fn is_barrier_or_isolated_mass(document: &SceneDocument, id: &str) -> bool {
    let Some(table) = document.find(id) else { return false };
    match table.kind {
        "barrier" => !matches!(table.get("position"), Some(TomlValue::Inline(_))) && table.get("profile").is_none(),
        "mass" => {
            let is_free = ["frequency", "damping", "gravity", "start"].iter().all(|field| table.number(field) == 0.0);
            let mut others = document.tables.iter().filter(|other| other.refers_to(id));
            is_free && others.all(|other| matches!(other.kind, "collision" | "pickup" | "probe"))
        }
        _ => false,
    }
}
