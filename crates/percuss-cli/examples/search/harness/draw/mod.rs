//! Draws scenes: every table of the scene format, with numbers log-uniform over what the format permits.
//!
//! A scene is one of five casts: lone masses that hit something, masses in a dense network of interactions, strings and bars,
//! plates and membranes, and everything at once. Half of the scenes are drawn *extreme*: stiffnesses, losses and materials from
//! the whole permitted range. The other half are drawn in terms of the motion, so that contacts last from a fraction of a
//! sample to hundreds. Every scene has a typical speed and a typical distance, by which bodies are placed so that they meet in
//! the few hundred samples that are run.

mod bodies;
mod contacts;
mod exciters;
mod hands;
mod lines;
mod lone;
mod surfaces;
mod touches;

use super::document::{Document, Table, Value};
use super::random::Random;

/// What a body looks like to whoever looks for a place on it.
#[derive(Clone, Debug, PartialEq)]
enum Form {
    Mass,
    Line,
    Rectangle,
    Disc,
    /// With so many points.
    Modal(usize),
    Barrier,
}

/// An element that has been drawn.
#[derive(Clone, Debug)]
struct Body {
    id: String,
    form: Form,
    /// Mass of the lightest place, infinite for a barrier \[kg\].
    mass: f64,
    /// Grid spacing \[m\].
    cell: f64,
    /// Sides of a plate \[m\].
    size: [f64; 2],
    /// Surface density of a plate \[kg/m²\].
    density: f64,
}

/// A scene being drawn.
struct Draw {
    random: Random,
    document: Document,
    bodies: Vec<Body>,
    /// Sample rate \[Hz\].
    rate: f64,
    steps: usize,
    /// Whether numbers come from the whole permitted range.
    extreme: bool,
    /// Typical speed \[m/s\].
    speed: f64,
    /// Typical distance \[m\].
    span: f64,
    /// Height about which masses and barriers are placed \[m\].
    height: f64,
    /// How many ids have been given.
    named: usize,
}

/// What a scene is about.
#[derive(Clone, Copy, PartialEq)]
enum Cast {
    Lone,
    Network,
    Lines,
    Surfaces,
    Everything,
}

const CASTS: [Cast; 20] = {
    use Cast::{Everything, Lines, Lone, Network, Surfaces};
    [
        Lone, Lone, Lone, Lone, Network, Network, Network, Network, Network, Lines, Lines, Lines, Lines, Lines,
        Surfaces, Surfaces, Surfaces, Surfaces, Everything, Everything,
    ]
};
const RATES: [f64; 7] = [4e3, 8e3, 22_050.0, 44_100.0, 48e3, 96e3, 192e3];

/// The scene of a seed and an index.
pub fn draw(seed: u64, index: u64) -> Document {
    let mut random = Random::new(seed, index);
    let cast = random.pick(&CASTS);
    let mut draw = Draw::new(random, cast);
    draw.header(seed, index);
    match cast {
        Cast::Lone => draw.lone_impacts(),
        Cast::Network => draw.network(),
        Cast::Lines => draw.lines(),
        Cast::Surfaces => draw.surfaces(),
        Cast::Everything => draw.everything(),
    }
    draw.listen();
    draw.document
}

impl Draw {
    fn new(mut random: Random, cast: Cast) -> Self {
        let rate = if random.chance(0.5) { random.pick(&RATES) } else { random.log(4e3, 192e3).round() };
        let most = match cast {
            Cast::Lone | Cast::Network => 2000.0,
            Cast::Lines => 800.0,
            Cast::Surfaces | Cast::Everything => 500.0,
        };
        let steps = random.log(200.0, most).round() as usize;
        let extreme = random.chance(0.5);
        let speed = if extreme { random.log(1e-3, 100.0) } else { random.log(1e-2, 10.0) };
        let span = speed / rate * random.log(0.3, steps as f64 / 3.0);
        let placed = matches!(cast, Cast::Lone | Cast::Network) && random.chance(0.4);
        let height = if placed { random.sign() * random.log(1e-3, 99.0) } else { 0.0 };
        let (document, bodies) = (Document::default(), Vec::new());
        Self { random, document, bodies, rate, steps, extreme, speed, span, height, named: 0 }
    }

    fn header(&mut self, seed: u64, index: u64) {
        let mut scene = Table::new("scene")
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
        self.sometimes(0.15, Self::roll);
        self.sometimes(0.2, Self::hand);
        self.sometimes(0.3, Self::exciter);
    }

    /// One or two strings or bars, and what meets them.
    fn lines(&mut self) {
        self.line();
        self.sometimes(0.5, Self::line);
        let count = self.random.whole(0, 3);
        for _ in 0..count {
            if self.random.chance(0.15) { self.modal() } else { self.mass() }
        }
        let barriers = self.random.whole(0, 2);
        (0..barriers).for_each(|_| self.barrier());
        self.sometimes(0.6, Self::along);
        let contacts = self.random.whole(0, 4);
        (0..contacts).for_each(|_| self.interaction());
        self.sometimes(0.1, Self::roll);
        self.sometimes(0.35, Self::hand);
        self.sometimes(0.15, Self::hand);
        self.sometimes(0.1, Self::score);
        self.sometimes(0.5, Self::exciter);
    }

    /// A plate or membrane, what lies on it and what meets it.
    fn surfaces(&mut self) {
        self.surface();
        let count = self.random.whole(0, 2);
        (0..count).for_each(|_| self.mass());
        self.sometimes(0.3, Self::barrier);
        let touches = self.random.pick(&[0, 0, 1, 1, 2, 3]);
        (0..touches).for_each(|_| self.touch());
        let contacts = self.random.whole(0, 4);
        (0..contacts).for_each(|_| self.interaction());
        self.sometimes(0.1, Self::roll);
        self.sometimes(0.2, Self::hand);
        self.exciter();
    }

    fn everything(&mut self) {
        self.line();
        self.surface();
        let count = self.random.whole(1, 3);
        for _ in 0..count {
            if self.random.chance(0.3) { self.modal() } else { self.mass() }
        }
        self.sometimes(0.5, Self::barrier);
        self.sometimes(0.3, Self::touch);
        self.sometimes(0.3, Self::along);
        let contacts = self.random.whole(1, 6);
        (0..contacts).for_each(|_| self.interaction());
        self.sometimes(0.3, Self::hand);
        self.exciter();
    }

    fn sometimes(&mut self, probability: f64, what: fn(&mut Self)) {
        if self.random.chance(probability) {
            what(self);
        }
    }

    /// A name that no other has.
    fn name(&mut self, kind: &str) -> String {
        self.named += 1;
        format!("{kind}{}", self.named)
    }

    /// A table with an id.
    fn table(&mut self, kind: &'static str) -> (String, Table) {
        let id = self.name(kind);
        let table = Table::new(kind).with("id", id.as_str());
        (id, table)
    }

    fn add(&mut self, table: Table) {
        self.document.tables.push(table);
    }

    /// A constant, or breakpoints within the scene, between two numbers.
    fn control(&mut self, still: f64, low: f64, high: f64) -> Value {
        if self.random.chance(still) {
            return self.random.uniform(low, high).into();
        }
        let mut time: Vec<f64> = (0..self.random.whole(2, 4)).map(|_| self.random.unit() * self.duration()).collect();
        time.sort_by(f64::total_cmp);
        let value = time.iter().map(|_| self.random.uniform(low, high)).collect();
        Value::control(time, value)
    }

    /// A pickup or probe now and then: they read the state in ways of their own. A player's tables are read, no more.
    fn listen(&mut self) {
        if self.random.chance(0.05) {
            let wheel = Value::inline([("cc", 1.0.into())]);
            self.add(Table::new("control").with("midi", wheel).with("target", "volume"));
            self.add(Table::new("voice").with("count", 2.0));
        }
        for kind in ["pickup", "probe"] {
            if self.random.chance(0.5) {
                let of = self.random.below(self.bodies.len());
                let place = self.place_fields(of);
                let mut table = Table::new(kind);
                table.fields.extend(place);
                let quantities: &[&str] = match self.bodies[of].form {
                    Form::Barrier => &["displacement"],
                    Form::Line | Form::Mass => &["displacement", "velocity", "force"],
                    _ => &["displacement", "velocity"],
                };
                table = table.with("quantity", self.random.pick(quantities));
                self.add(table);
            }
        }
    }
}
