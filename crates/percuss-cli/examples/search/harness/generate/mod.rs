//! Generates random scenes with every table of the scene format and numbers that are log-uniform over their allowed ranges.
//!
//! There are five kinds of scenes: impacts of isolated masses, masses in a dense network of interactions, strings and bars,
//! plates and membranes, and mixtures. Half of the scenes are *extreme*: stiffnesses, losses and materials come from the whole
//! allowed range. In the other half they follow from the motion, so that contacts last from a fraction of a sample to hundreds.
//! Every scene has a typical speed and a typical distance, by which bodies are placed so that they collide within the few
//! hundred samples of the run.

mod barriers;
mod bodies;
mod bows_and_fingers;
mod contacts;
mod controls;
mod exciters;
mod isolated_impacts;
mod lines;
mod materials;
mod strikes_and_plucks;
mod surfaces;
mod touches;

use super::document::{SceneDocument, TomlTable, TomlValue};
use super::random::Random;

/// Shape of a body, which determines the points on it.
#[derive(Clone, Debug, PartialEq)]
enum BodyShape {
    Mass,
    Line,
    Rectangle,
    Disc,
    /// A modal element with a number of points.
    Modal(usize),
    Barrier,
}

/// An element of the scene.
#[derive(Clone, Debug)]
struct GeneratedBody {
    id: String,
    shape: BodyShape,
    /// Mass of the lightest point, infinite for a barrier \[kg\].
    mass: f64,
    /// Grid spacing \[m\].
    spacing: f64,
    /// Sides of a plate \[m\].
    size: [f64; 2],
    /// Surface density of a plate \[kg/m²\].
    density: f64,
    /// Whether touches on a plate follow the passive law.
    has_passive_touches: bool,
}

impl GeneratedBody {
    /// A body that is no plate.
    fn new(id: String, shape: BodyShape, mass: f64, spacing: f64) -> Self {
        Self { id, shape, mass, spacing, size: [0.0; 2], density: 0.0, has_passive_touches: false }
    }
}

/// Generates one scene.
struct SceneGenerator {
    random: Random,
    document: SceneDocument,
    bodies: Vec<GeneratedBody>,
    /// Sample rate \[Hz\].
    rate: f64,
    steps: usize,
    /// Whether numbers come from the whole allowed range.
    extreme: bool,
    /// Typical speed \[m/s\].
    typical_speed: f64,
    /// Typical distance \[m\].
    typical_distance: f64,
    /// Height around which masses and barriers are placed \[m\].
    base_height: f64,
    /// Number of ids so far.
    id_count: usize,
}

/// Kinds of scenes.
#[derive(Clone, Copy, PartialEq)]
enum SceneKind {
    IsolatedImpacts,
    Network,
    Lines,
    Surfaces,
    Mixed,
}

const SCENE_KINDS: [SceneKind; 20] = {
    use SceneKind::{IsolatedImpacts, Lines, Mixed, Network, Surfaces};
    [
        IsolatedImpacts,
        IsolatedImpacts,
        IsolatedImpacts,
        IsolatedImpacts,
        Network,
        Network,
        Network,
        Network,
        Network,
        Lines,
        Lines,
        Lines,
        Lines,
        Lines,
        Surfaces,
        Surfaces,
        Surfaces,
        Surfaces,
        Mixed,
        Mixed,
    ]
};
const SAMPLE_RATES: [f64; 7] = [4e3, 8e3, 22_050.0, 44_100.0, 48e3, 96e3, 192e3];

/// The scene of a seed and an index.
pub fn generate_scene(seed: u64, index: u64) -> SceneDocument {
    let mut random = Random::new(seed, index);
    let kind = random.pick(&SCENE_KINDS);
    let mut generator = SceneGenerator::new(random, kind);
    generator.scene_table(seed, index);
    match kind {
        SceneKind::IsolatedImpacts => generator.isolated_impacts(),
        SceneKind::Network => generator.network(),
        SceneKind::Lines => generator.lines(),
        SceneKind::Surfaces => generator.surfaces(),
        SceneKind::Mixed => generator.mixed(),
    }
    generator.add_outputs();
    generator.document
}

impl SceneGenerator {
    fn new(mut random: Random, kind: SceneKind) -> Self {
        let rate = if random.chance(0.5) { random.pick(&SAMPLE_RATES) } else { random.log(4e3, 192e3).round() };
        let max = match kind {
            SceneKind::IsolatedImpacts | SceneKind::Network => 2000.0,
            SceneKind::Lines => 800.0,
            SceneKind::Surfaces | SceneKind::Mixed => 500.0,
        };
        let steps = random.log(200.0, max).round() as usize;
        let extreme = random.chance(0.5);
        let typical_speed = if extreme { random.log(1e-3, 100.0) } else { random.log(1e-2, 10.0) };
        let typical_distance = typical_speed / rate * random.log(0.3, steps as f64 / 3.0);
        let placed = matches!(kind, SceneKind::IsolatedImpacts | SceneKind::Network) && random.chance(0.4);
        let base_height = if placed { random.sign() * random.log(1e-3, 99.0) } else { 0.0 };
        let (document, bodies) = (SceneDocument::default(), Vec::new());
        Self {
            random,
            document,
            bodies,
            rate,
            steps,
            extreme,
            typical_speed,
            typical_distance,
            base_height,
            id_count: 0,
        }
    }

    fn scene_table(&mut self, seed: u64, index: u64) {
        let mut scene = TomlTable::new("scene")
            .with("name", format!("search {seed}/{index}").as_str())
            .with("sample_rate", self.rate)
            .with("duration", self.duration());
        let scheme = self.random.pick(&["tracked", "", "", "", "", "", "", "", "plain", "newton"]);
        if !scheme.is_empty() {
            scene = scene.with("scheme", scheme);
        }
        self.document.tables.push(scene);
    }

    /// Length of the scene \[s\].
    fn duration(&self) -> f64 {
        (self.steps as f64 / self.rate).max(1e-3)
    }

    /// Masses, modal bodies and barriers in a dense network.
    fn network(&mut self) {
        let count = self.random.whole(2, 5);
        for _ in 0..count {
            if self.random.chance(0.2) { self.modal() } else { self.mass() }
        }
        let barriers = self.random.whole(0, 2);
        (0..barriers).for_each(|_| self.barrier());
        let contacts = self.random.whole(2, 8);
        (0..contacts).for_each(|_| self.interaction());
        self.with_probability(0.15, Self::roll);
        self.with_probability(0.2, Self::bow_or_finger);
        self.with_probability(0.3, Self::exciter);
        self.with_probability(0.2, Self::strike);
        self.with_probability(0.1, Self::pluck);
    }

    /// One or two strings or bars, and bodies that collide with them.
    fn lines(&mut self) {
        self.line();
        self.with_probability(0.5, Self::line);
        let count = self.random.whole(0, 3);
        for _ in 0..count {
            if self.random.chance(0.15) { self.modal() } else { self.mass() }
        }
        let barriers = self.random.whole(0, 2);
        (0..barriers).for_each(|_| self.barrier());
        self.with_probability(0.6, Self::distributed_collision);
        let contacts = self.random.whole(0, 4);
        (0..contacts).for_each(|_| self.interaction());
        self.with_probability(0.1, Self::roll);
        self.with_probability(0.35, Self::bow_or_finger);
        self.with_probability(0.15, Self::bow_or_finger);
        self.with_probability(0.1, Self::score);
        self.with_probability(0.5, Self::exciter);
        self.with_probability(0.25, Self::strike);
        self.with_probability(0.25, Self::pluck);
    }

    /// A plate or membrane with touches, rarely two, air under it, and bodies that collide with it.
    fn surfaces(&mut self) {
        self.surface();
        self.with_probability(0.15, Self::surface);
        let count = self.random.whole(0, 2);
        (0..count).for_each(|_| self.mass());
        self.with_probability(0.3, Self::barrier);
        let touches = self.random.pick(&[0, 0, 1, 1, 2, 3]);
        (0..touches).for_each(|_| self.touch());
        let contacts = self.random.whole(0, 4);
        (0..contacts).for_each(|_| self.interaction());
        self.with_probability(0.1, Self::roll);
        self.with_probability(0.2, Self::bow_or_finger);
        self.with_probability(0.3, Self::cavity);
        self.with_probability(0.4, Self::strike);
        self.with_probability(0.1, Self::pluck);
        self.exciter();
    }

    fn mixed(&mut self) {
        self.line();
        self.surface();
        let count = self.random.whole(1, 3);
        for _ in 0..count {
            if self.random.chance(0.3) { self.modal() } else { self.mass() }
        }
        self.with_probability(0.5, Self::barrier);
        self.with_probability(0.3, Self::touch);
        self.with_probability(0.3, Self::distributed_collision);
        self.with_probability(0.3, Self::line_on_surface);
        let contacts = self.random.whole(1, 6);
        (0..contacts).for_each(|_| self.interaction());
        self.with_probability(0.3, Self::bow_or_finger);
        self.with_probability(0.2, Self::cavity);
        self.with_probability(0.3, Self::strike);
        self.with_probability(0.2, Self::pluck);
        self.exciter();
    }

    fn with_probability(&mut self, probability: f64, what: fn(&mut Self)) {
        if self.random.chance(probability) {
            what(self);
        }
    }

    /// A new id.
    fn new_id(&mut self, kind: &str) -> String {
        self.id_count += 1;
        format!("{kind}{}", self.id_count)
    }

    /// A table with an id.
    fn table(&mut self, kind: &'static str) -> (String, TomlTable) {
        let id = self.new_id(kind);
        let table = TomlTable::new(kind).with("id", id.as_str());
        (id, table)
    }

    fn add(&mut self, table: TomlTable) {
        self.document.tables.push(table);
    }

    /// Adds pickups, probes and, rarely, MIDI mappings and voices, which are only parsed.
    fn add_outputs(&mut self) {
        if self.random.chance(0.05) {
            let wheel = TomlValue::inline([("cc", 1.0.into())]);
            self.add(TomlTable::new("mapping").with("midi", wheel).with("target", "volume"));
            self.add(TomlTable::new("voice").with("count", 2.0));
        }
        for kind in ["pickup", "probe"] {
            if self.random.chance(0.5) {
                let of = self.random.below(self.bodies.len());
                let place = self.point_fields(of);
                let mut table = TomlTable::new(kind);
                table.fields.extend(place);
                let quantities: &[&str] = match self.bodies[of].shape {
                    BodyShape::Barrier => &["displacement"],
                    BodyShape::Line | BodyShape::Mass => &["displacement", "velocity", "force"],
                    _ => &["displacement", "velocity"],
                };
                table = table.with("quantity", self.random.pick(quantities));
                self.add(table);
            }
        }
    }
}
