//! The notes' systems without a plate: sections 2 to 6, and eq. 91. Lossless where the notes are.
//!
//! What moves at the start moves through its place of rest: no scheme has to guess an acceleration there, and runs of
//! different rates start alike. Grids are those of 44.1 kHz at any rate.

use super::RATE;
use percuss::*;

/// One of the notes' systems.
pub struct System {
    /// `mass-barrier` and so on.
    pub name: &'static str,
    /// The same above a figure.
    pub title: &'static str,
    /// Where it is in the notes.
    pub section: &'static str,
    /// The scene.
    pub model: Model,
    /// Contacts with a potential. The first is the one shown.
    pub contacts: Vec<InteractionId>,
    /// Whose motion is compared, and in words.
    pub ear: (Point, &'static str),
    /// For how long it is followed \[s\].
    pub seconds: f64,
    /// For how long it is compared with the reference \[s\]: rebounds multiply every difference, and after a while
    /// two good solutions have nothing in common.
    pub compared: f64,
    /// From when to when its motion is shown, and the force of a few contacts \[s\].
    pub shown: [[f64; 2]; 2],
}

/// The collision of all these systems; along a string K is per metre.
const HARD: Collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 };
/// The same between bodies that are a little apart while at rest.
const APART: Collision = Collision { gap: 1e-4, ..HARD };

/// All of them.
pub fn all() -> Vec<System> {
    vec![
        mass_barrier(),
        mass_spring_barrier(),
        colliding_masses(),
        string_string(),
        string_mass(),
        string_mass_barrier(),
    ]
}

fn below_barrier(mass: Mass, barrier: f64) -> (Model, Point, InteractionId) {
    let mut model = Model::new();
    let body = model.add(mass).point();
    let barrier = model.add(Barrier::at(barrier));
    let contact = model.collide(body, barrier.point(), HARD);
    (model, body, contact)
}

/// Section 2: a mass strikes a barrier above it, once.
fn mass_barrier() -> System {
    let mass = Mass { mass: 0.01, position: -1e-3, velocity: 1.0, ..Mass::default() };
    let (model, body, contact) = below_barrier(mass, 0.0);
    System {
        name: "mass-barrier",
        title: "Mass and barrier",
        section: "section 2",
        model,
        contacts: vec![contact],
        ear: (body, "Displacement of the mass"),
        seconds: 3e-3,
        compared: 3e-3,
        shown: [[0.0, 3e-3], [0.9e-3, 1.5e-3]],
    }
}

/// Section 3: the same mass on a spring comes back again and again.
fn mass_spring_barrier() -> System {
    let mass = Mass { mass: 0.01, velocity: 1.0, frequency: 300.0, ..Mass::default() };
    let (model, body, contact) = below_barrier(mass, 2e-4);
    System {
        name: "mass-spring-barrier",
        title: "Mass on a spring, and barrier",
        section: "section 3",
        model,
        contacts: vec![contact],
        ear: (body, "Displacement of the mass"),
        seconds: 0.1,
        compared: 0.02,
        shown: [[15e-3, 20e-3], [19e-3, 20e-3]],
    }
}

/// Section 4: a gram below a kilogram, both on springs.
fn colliding_masses() -> System {
    let mut model = Model::new();
    let heavy = model.add(Mass { mass: 1.0, velocity: -0.2, frequency: 40.0, ..Mass::default() });
    let light = model.add(Mass { mass: 1e-3, velocity: 0.5, frequency: 200.0, ..Mass::default() });
    let contact = model.collide(light.point(), heavy.point(), APART);
    System {
        name: "colliding-masses",
        title: "Colliding masses on springs",
        section: "section 4",
        model,
        contacts: vec![contact],
        ear: (light.point(), "Displacement of the light mass"),
        seconds: 0.1,
        compared: 0.02,
        shown: [[0.0, 20e-3], [2e-3, 3e-3]],
    }
}

/// A string with the grid it has at 44.1 kHz, or with fewer intervals.
pub fn pinned(string: StiffString, most: usize) -> StiffString {
    let mut alone = Model::new();
    let handle = alone.add(string.clone());
    let simulation = alone.compile(RATE).expect("the study's strings are sound");
    let intervals = simulation.grid(handle).expect("a string has a grid").intervals;
    StiffString { grid: Some(intervals.min(most)), ..string }
}

/// A lossless metre of steel, set in motion by a blow.
fn struck(radius: f64, at: f64, velocity: f64) -> StiffString {
    let velocity = Shape::RaisedCosine { at, width: 0.4, height: velocity };
    StiffString { sigma0: 0.0, sigma1: 0.0, velocity, ..StiffString::steel(radius) }
}

/// Section 5: two strings strike each other all along.
fn string_string() -> System {
    // The thicker string, slower to carry bending, has the coarser grid.
    let upper = pinned(struck(0.5e-3, 0.3, -1.0), usize::MAX);
    let lower = pinned(struck(0.3e-3, 0.6, 1.0), upper.grid.unwrap_or(usize::MAX));
    let mut model = Model::new();
    let (upper, lower) = (model.add(upper), model.add(lower));
    let contact = model.collide_along(lower, upper, APART);
    System {
        name: "string-string",
        title: "Two strings along their length",
        section: "section 5",
        model,
        contacts: vec![contact],
        ear: (lower.at(0.4), "Displacement of the lower string"),
        seconds: 0.1,
        compared: 0.02,
        shown: [[0.0, 20e-3], [0.0, 6e-3]],
    }
}

/// Section 6: a mass on a spring strikes the middle of a string.
fn string_mass() -> System {
    let mut model = Model::new();
    let string = model.add(pinned(struck(0.5e-3, 0.3, 1.0), usize::MAX));
    let mass = model.add(Mass { mass: 5e-3, velocity: 1.0, frequency: 30.0, ..Mass::default() });
    let contact = model.collide(mass.point(), string.at(0.5), APART);
    System {
        name: "string-mass",
        title: "String and mass",
        section: "section 6",
        model,
        contacts: vec![contact],
        ear: (mass.point(), "Displacement of the mass"),
        seconds: 0.1,
        compared: 0.02,
        shown: [[0.0, 20e-3], [0.0, 6e-3]],
    }
}

/// Eq. 91: a string over a small mass over a barrier, all damped.
fn string_mass_barrier() -> System {
    let mut model = Model::new();
    let wire = StiffString { sigma0: 0.3, sigma1: 5e-4, ..struck(0.5e-3, 0.3, -2.0) };
    let string = model.add(pinned(wire, usize::MAX));
    let mass = model.add(Mass { mass: 0.3e-3, frequency: 120.0, damping: 1.5, ..Mass::default() });
    let barrier = model.add(Barrier::at(-1e-4));
    let with_string = model.collide(mass.point(), string.at(0.87), APART);
    let with_barrier = model.collide(barrier.point(), mass.point(), HARD);
    System {
        name: "string-mass-barrier",
        title: "String, mass and barrier",
        section: "eq. 91",
        model,
        contacts: vec![with_barrier, with_string],
        ear: (mass.point(), "Displacement of the mass"),
        seconds: 0.1,
        compared: 0.01,
        shown: [[0.0, 10e-3], [3e-3, 7e-3]],
    }
}
