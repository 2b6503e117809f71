//! The tromba marina of sections 7 and 8: a bowed string on a bridge that rattles on the body.

use super::RATE;
use super::systems::{System, pinned};
use percuss::*;

/// Where the bridge stands on the string, as a fraction of its length, and on the body.
const BRIDGE: f64 = 1.65 / 1.9;
const FOOT: [f64; 2] = [0.8, 0.75];
/// The bow, as a fraction of the part of the string that sounds; its force \[N\], and its velocity \[m/s\] after 50 ms.
const BOWED_AT: f64 = 0.25;
pub const BOW_FORCE: f64 = 0.1;
const BOW_VELOCITY: f64 = 0.1;
/// Bridge against body: they stand 5 µm apart.
const RATTLE: Collision = Collision { stiffness: 5e8, exponent: 1.3, loss: 0.0, gap: 5e-6 };
/// String on bridge in section 8.
const CONNECTION: Connection = Connection { stiffness: 5e6, exponent: 1.3, play: 0.0, gap: 0.0 };
/// The same in section 7, for which the notes have no figures: about as stiff as the other at 10 µm, where that bears
/// 1.6 N and its slope is 0.2 N/µm; the cubic part is a fifth more there.
const SPRING: Spring = Spring { stiffness: 2e5, cubic: 4e14, damping: 0.05, gap: 0.0 };

/// How string and bridge hold together.
#[derive(Clone, Copy)]
pub enum Joint {
    /// Section 7.
    Spring,
    /// Section 8.
    Connection,
}

/// The instrument, bowed.
pub struct Tromba {
    /// The scene.
    pub model: Model,
    /// The bridge.
    pub bridge: Point,
    /// The body where the bridge strikes it.
    pub body: Point,
    /// Contacts with a potential: first that of bridge and body, if there is one.
    pub contacts: Vec<InteractionId>,
}

/// Both forms of it.
pub fn all() -> Vec<System> {
    let system = |name, title, section, joint| {
        let Tromba { model, bridge, contacts, .. } = Tromba::bowed(joint, true, BOW_FORCE);
        let ear = (bridge, "Displacement of the bridge");
        let shown = [[0.07, 0.1], [81e-3, 89e-3]];
        System { name, title, section, model, contacts, ear, seconds: 0.2, compared: 0.1, shown }
    };
    vec![
        system("tromba-spring", "Tromba marina with a spring under the string", "section 7", Joint::Spring),
        system("tromba-connection", "Tromba marina with a two-sided contact", "section 8", Joint::Connection),
    ]
}

impl Tromba {
    /// The instrument, with its rattle or without, under a bow of some force \[N\].
    pub fn bowed(joint: Joint, rattles: bool, force: f64) -> Self {
        let mut model = Model::new();
        let string = model.add(pinned(string(), usize::MAX));
        let bridge = model.add(Mass { mass: 1e-3, frequency: 500.0, damping: 0.05, ..Mass::default() }).point();
        let body = model.add(body()).on(FOOT);
        let mut contacts = Vec::new();
        if rattles {
            contacts.push(model.collide(body, bridge, RATTLE));
        }
        match joint {
            Joint::Spring => drop(model.spring(bridge, string.at(BRIDGE), SPRING)),
            Joint::Connection => contacts.push(model.connect(bridge, string.at(BRIDGE), CONNECTION)),
        }
        let velocity = Control::Breakpoints { time: vec![0.0, 0.05], value: vec![0.0, BOW_VELOCITY] };
        let friction = Friction::Exponential { sharpness: 100.0 };
        model.bow(string.at(BOWED_AT * BRIDGE), Bow { force: force.into(), velocity, friction });
        Self { model, bridge, body, contacts }
    }
}

/// 1.9 m of steel wire tuned to 32 Hz.
fn string() -> StiffString {
    let (length, radius, density, frequency) = (1.9, 0.5e-3, 7850.0, 32.0);
    let area = std::f64::consts::PI * radius * radius;
    let tension = 4.0 * frequency * frequency * length * length * density * area;
    StiffString { length, radius, density, tension, sigma0: 0.1, sigma1: 0.05, ..StiffString::default() }
}

/// The body with the grid it has at 44.1 kHz.
fn body() -> Plate {
    let plate = Plate {
        density: 50.0,
        youngs_modulus: 2e5,
        sigma0: 2.0,
        sigma1: 0.05,
        edges: [Edge::SimplySupported; 4],
        ..Plate::steel([1.35, 0.18], 0.01)
    };
    let mut alone = Model::new();
    let handle = alone.add(plate.clone());
    let simulation = alone.compile(RATE).expect("the study's plate is sound");
    Plate { grid: simulation.plate_grid(handle).map(|grid| grid.intervals), ..plate }
}
