//! The tromba marina of sections 7 and 8: a bowed string on a bridge that rattles on the body.

use super::RATE;
use super::systems::{System, with_fixed_grid};
use percuss::*;

/// Position of the bridge on the string, as a fraction of its length, and on the body.
const BRIDGE_POSITION: f64 = 1.65 / 1.9;
const BRIDGE_FOOT: [f64; 2] = [0.8, 0.75];
/// Position of the bow as a fraction of the sounding length; its force \[N\], and its velocity \[m/s\] after 50 ms.
const BOW_POSITION: f64 = 0.25;
pub const BOW_FORCE: f64 = 0.1;
const BOW_VELOCITY: f64 = 0.1;
/// Collision of bridge and body, with a gap of 5 µm.
const RATTLE: Collision = Collision { stiffness: 5e8, exponent: 1.3, loss: 0.0, gap: 5e-6 };
/// Connection of string and bridge in section 8.
const CONNECTION: Connection = Connection { stiffness: 5e6, exponent: 1.3, play: 0.0, gap: 0.0 };
/// Spring of string and bridge in section 7, for which the notes give no values: about as stiff as the connection at
/// 10 µm, where that has a force of 1.6 N and a slope of 0.2 N/µm; the cubic part adds a fifth there.
const SPRING: Spring = Spring { stiffness: 2e5, cubic: 4e14, damping: 0.05, gap: 0.0 };

/// Law that joins string and bridge.
#[derive(Clone, Copy)]
pub enum Joint {
    /// Spring of section 7.
    Spring,
    /// Connection of section 8.
    Connection,
}

/// Model of the bowed instrument.
pub struct TrombaMarina {
    /// Model.
    pub model: Model,
    /// Bridge.
    pub bridge: Point,
    /// Body below the bridge.
    pub body: Point,
    /// Contacts with a potential; that of bridge and body, if any, is the first.
    pub contacts: Vec<InteractionId>,
}

/// The instrument with both joints.
pub fn all() -> Vec<System> {
    let system = |name, title, section, joint| {
        let TrombaMarina { model, bridge, contacts, .. } = TrombaMarina::bowed(joint, true, BOW_FORCE);
        let output = (bridge, "Displacement of the bridge");
        let plotted_spans = [[0.07, 0.1], [81e-3, 89e-3]];
        System { name, title, section, model, contacts, output, seconds: 0.2, compared_seconds: 0.1, plotted_spans }
    };
    vec![
        system("tromba-spring", "Tromba marina with a spring under the string", "section 7", Joint::Spring),
        system("tromba-connection", "Tromba marina with a two-sided contact", "section 8", Joint::Connection),
    ]
}

impl TrombaMarina {
    /// The instrument under a bow with a force \[N\], with or without contact of bridge and body.
    pub fn bowed(joint: Joint, rattles: bool, force: f64) -> Self {
        let mut model = Model::new();
        let string = model.add(with_fixed_grid(string(), usize::MAX));
        let bridge = model.add(Mass { mass: 1e-3, frequency: 500.0, damping: 0.05, ..Mass::default() }).point();
        let body = model.add(body()).on(BRIDGE_FOOT);
        let mut contacts = Vec::new();
        if rattles {
            contacts.push(model.collide(body, bridge, RATTLE));
        }
        match joint {
            Joint::Spring => drop(model.spring(bridge, string.at(BRIDGE_POSITION), SPRING)),
            Joint::Connection => contacts.push(model.connect(bridge, string.at(BRIDGE_POSITION), CONNECTION)),
        }
        let velocity = Control::Breakpoints { time: vec![0.0, 0.05], value: vec![0.0, BOW_VELOCITY] };
        let friction = Friction::Exponential { sharpness: 100.0 };
        model.bow(string.at(BOW_POSITION * BRIDGE_POSITION), Bow { force: force.into(), velocity, friction });
        Self { model, bridge, body, contacts }
    }
}

/// A steel string of 1.9 m tuned to 32 Hz.
fn string() -> StiffString {
    let (length, radius, density, frequency) = (1.9, 0.5e-3, 7850.0, 32.0);
    let area = std::f64::consts::PI * radius * radius;
    let tension = 4.0 * frequency * frequency * length * length * density * area;
    StiffString { length, radius, density, tension, sigma0: 0.1, sigma1: 0.05, ..StiffString::default() }
}

/// The body with its grid of 44.1 kHz.
fn body() -> Plate {
    let plate = Plate {
        density: 50.0,
        youngs_modulus: 2e5,
        sigma0: 2.0,
        sigma1: 0.05,
        edges: [Edge::SimplySupported; 4],
        ..Plate::steel([1.35, 0.18], 0.01)
    };
    let mut model = Model::new();
    let element = model.add(plate.clone());
    let simulation = model.compile(RATE).expect("the study's plate compiles");
    Plate { grid: simulation.plate_grid(element).map(|grid| grid.intervals), ..plate }
}
