//! The systems of the notes without a plate: sections 2 to 6, and eq. 91. Lossless where the notes are.
//!
//! Bodies that move initially are at their equilibrium position, where the initial acceleration is zero: runs at different
//! rates then have the same initial conditions. Grids are those of 44.1 kHz at any rate.

use super::RATE;
use percuss::*;

/// A system of the notes.
pub struct System {
    /// Name, such as `mass-barrier`.
    pub name: &'static str,
    /// Title of its figure.
    pub title: &'static str,
    /// Section of the notes.
    pub section: &'static str,
    /// Model.
    pub model: Model,
    /// Contacts with a potential; the first is plotted.
    pub contacts: Vec<InteractionId>,
    /// Point whose displacement is compared, and its axis title.
    pub output: (Point, &'static str),
    /// Simulated duration \[s\].
    pub seconds: f64,
    /// Duration of the comparison with the reference \[s\]. Every rebound amplifies differences, so that later even
    /// accurate solutions diverge.
    pub compared_seconds: f64,
    /// Plotted time spans of the displacement and of the force \[s\].
    pub plotted_spans: [[f64; 2]; 2],
}

/// Collision law of all systems; along a string K is per metre.
const COLLISION: Collision = Collision { stiffness: 1e8, exponent: 1.5, loss: 0.0, gap: 0.0 };
/// The same law between bodies that have a gap at rest.
const COLLISION_WITH_GAP: Collision = Collision { gap: 1e-4, ..COLLISION };

/// All systems.
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

fn mass_below_barrier(mass: Mass, barrier: f64) -> (Model, Point, InteractionId) {
    let mut model = Model::new();
    let body = model.add(mass).point();
    let barrier = model.add(Barrier::at(barrier));
    let contact = model.collide(body, barrier.point(), COLLISION);
    (model, body, contact)
}

/// Section 2: a mass strikes a barrier above it, once.
fn mass_barrier() -> System {
    let mass = Mass { mass: 0.01, position: -1e-3, velocity: 1.0, ..Mass::default() };
    let (model, body, contact) = mass_below_barrier(mass, 0.0);
    System {
        name: "mass-barrier",
        title: "Mass and barrier",
        section: "section 2",
        model,
        contacts: vec![contact],
        output: (body, "Displacement of the mass"),
        seconds: 3e-3,
        compared_seconds: 3e-3,
        plotted_spans: [[0.0, 3e-3], [0.9e-3, 1.5e-3]],
    }
}

/// Section 3: the same mass on a spring strikes repeatedly.
fn mass_spring_barrier() -> System {
    let mass = Mass { mass: 0.01, velocity: 1.0, frequency: 300.0, ..Mass::default() };
    let (model, body, contact) = mass_below_barrier(mass, 2e-4);
    System {
        name: "mass-spring-barrier",
        title: "Mass on a spring, and barrier",
        section: "section 3",
        model,
        contacts: vec![contact],
        output: (body, "Displacement of the mass"),
        seconds: 0.1,
        compared_seconds: 0.02,
        plotted_spans: [[15e-3, 20e-3], [19e-3, 20e-3]],
    }
}

/// Section 4: masses of 1 g and 1 kg, both on springs.
fn colliding_masses() -> System {
    let mut model = Model::new();
    let heavy = model.add(Mass { mass: 1.0, velocity: -0.2, frequency: 40.0, ..Mass::default() });
    let light = model.add(Mass { mass: 1e-3, velocity: 0.5, frequency: 200.0, ..Mass::default() });
    let contact = model.collide(light.point(), heavy.point(), COLLISION_WITH_GAP);
    System {
        name: "colliding-masses",
        title: "Colliding masses on springs",
        section: "section 4",
        model,
        contacts: vec![contact],
        output: (light.point(), "Displacement of the light mass"),
        seconds: 0.1,
        compared_seconds: 0.02,
        plotted_spans: [[0.0, 20e-3], [2e-3, 3e-3]],
    }
}

/// A string with its grid of 44.1 kHz, limited to `max_intervals` intervals.
pub fn with_fixed_grid(string: StiffString, max_intervals: usize) -> StiffString {
    let mut model = Model::new();
    let element = model.add(string.clone());
    let simulation = model.compile(RATE).expect("the study's strings compile");
    let intervals = simulation.grid(element).expect("a string has a grid").intervals;
    StiffString { grid: Some(intervals.min(max_intervals)), ..string }
}

/// A lossless steel string of 1 m with an initial velocity.
fn struck_string(radius: f64, at: f64, velocity: f64) -> StiffString {
    let velocity = Shape::RaisedCosine { at, width: 0.4, height: velocity };
    StiffString { sigma0: 0.0, sigma1: 0.0, velocity, method: Method::Grid, ..StiffString::steel(radius) }
}

/// Section 5: two strings collide along their length.
fn string_string() -> System {
    // The thicker string has the coarser grid.
    let upper = with_fixed_grid(struck_string(0.5e-3, 0.3, -1.0), usize::MAX);
    let lower = with_fixed_grid(struck_string(0.3e-3, 0.6, 1.0), upper.grid.unwrap_or(usize::MAX));
    let mut model = Model::new();
    let (upper, lower) = (model.add(upper), model.add(lower));
    let contact = model.collide_along(lower, upper, COLLISION_WITH_GAP);
    System {
        name: "string-string",
        title: "Two strings along their length",
        section: "section 5",
        model,
        contacts: vec![contact],
        output: (lower.at(0.4), "Displacement of the lower string"),
        seconds: 0.1,
        compared_seconds: 0.02,
        plotted_spans: [[0.0, 20e-3], [0.0, 6e-3]],
    }
}

/// Section 6: a mass on a spring strikes the midpoint of a string.
fn string_mass() -> System {
    let mut model = Model::new();
    let string = model.add(with_fixed_grid(struck_string(0.5e-3, 0.3, 1.0), usize::MAX));
    let mass = model.add(Mass { mass: 5e-3, velocity: 1.0, frequency: 30.0, ..Mass::default() });
    let contact = model.collide(mass.point(), string.at(0.5), COLLISION_WITH_GAP);
    System {
        name: "string-mass",
        title: "String and mass",
        section: "section 6",
        model,
        contacts: vec![contact],
        output: (mass.point(), "Displacement of the mass"),
        seconds: 0.1,
        compared_seconds: 0.02,
        plotted_spans: [[0.0, 20e-3], [0.0, 6e-3]],
    }
}

/// Eq. 91: a string above a small mass above a barrier, all damped.
fn string_mass_barrier() -> System {
    let mut model = Model::new();
    let damped_string = StiffString { sigma0: 0.3, sigma1: 5e-4, ..struck_string(0.5e-3, 0.3, -2.0) };
    let string = model.add(with_fixed_grid(damped_string, usize::MAX));
    let mass = model.add(Mass { mass: 0.3e-3, frequency: 120.0, damping: 1.5, ..Mass::default() });
    let barrier = model.add(Barrier::at(-1e-4));
    let with_string = model.collide(mass.point(), string.at(0.87), COLLISION_WITH_GAP);
    let with_barrier = model.collide(barrier.point(), mass.point(), COLLISION);
    System {
        name: "string-mass-barrier",
        title: "String, mass and barrier",
        section: "eq. 91",
        model,
        contacts: vec![with_barrier, with_string],
        output: (mass.point(), "Displacement of the mass"),
        seconds: 0.1,
        compared_seconds: 0.01,
        plotted_spans: [[0.0, 10e-3], [3e-3, 7e-3]],
    }
}
