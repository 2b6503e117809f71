//! The tromba marina of the presets, on a grid on which bridge and rattle come to lie on nodes and the bow between them.
//!
//! At 48 kHz a string of 228 and a board of 60 by 8 intervals are stable, nearly the finest, and as long and wide as the
//! instrument's.

use percuss::*;

pub const RATE: f64 = 48_000.0;
/// Where the bridge touches the string, and the node of the string's grid there.
pub const BRIDGE: f64 = 33.0 / 38.0;
pub const BRIDGE_NODE: usize = 198;
/// Where it rattles on the board, and the node of the board's grid there.
pub const RATTLE: [f64; 2] = [0.8, 0.75];
pub const RATTLE_NODE: [usize; 2] = [48, 6];
/// Where the bow is.
pub const BOW: f64 = 0.2125;
/// Sharpness a of the bow's friction curve \[s²/m²\].
pub const SHARPNESS: f64 = 100.0;

/// What joins string and bridge.
#[derive(Clone, Copy, Debug)]
pub enum Joint {
    /// Willemsen (2019), sec. 7 and 7.1.
    Spring(Spring),
    /// Sec. 8.
    Potential(Connection),
}

impl Joint {
    pub const SPRING: Self = Self::Spring(Spring { stiffness: 1e6, cubic: 1e14, damping: 0.2, gap: 0.0 });
    pub const POTENTIAL: Self = Self::Potential(Connection { stiffness: 5e6, exponent: 1.3, play: 0.0, gap: 0.0 });
}

/// The instrument and who plays it.
pub struct Tromba {
    pub string: StiffString,
    pub bridge: Mass,
    pub board: Plate,
    pub joint: Joint,
    pub rattle: Collision,
    pub bow: Bow,
}

/// A model of it.
pub struct TrombaModel {
    pub model: Model,
    /// String, bridge, board.
    pub bodies: [ElementId; 3],
    /// String to bridge, bridge to board, bow; none where the bodies are left alone.
    pub contacts: Vec<InteractionId>,
}

impl Tromba {
    /// Drawn down and up again, each stroke from light to heavy.
    pub fn new(joint: Joint) -> Self {
        let control =
            |value: &[f64]| Control::Breakpoints { time: vec![0.0, 0.05, 0.8, 1.0, 1.05, 2.0], value: value.to_vec() };
        Self {
            string: StiffString {
                length: 1.9,
                tension: 287.15,
                youngs_modulus: 2e11,
                sigma0: 0.1,
                sigma1: 0.005,
                grid: Some(228),
                ..StiffString::steel(5e-4)
            },
            bridge: Mass { mass: 2e-3, frequency: 900.0, damping: 20.0, ..Mass::default() },
            board: Plate {
                density: 450.0,
                youngs_modulus: 1e10,
                sigma0: 15.0,
                sigma1: 0.02,
                edges: [Edge::SimplySupported; 4],
                grid: Some([60, 8]),
                ..Plate::steel([1.35, 0.18], 4e-3)
            },
            joint,
            rattle: Collision { stiffness: 5e8, exponent: 1.3, loss: 0.0, gap: 1e-6 },
            bow: Bow {
                force: control(&[0.0, 0.12, 0.5, 0.1, 0.1, 0.45]),
                velocity: control(&[0.0, 0.1, 0.1, 0.1, -0.12, -0.12]),
                friction: Friction::Exponential { sharpness: SHARPNESS },
            },
        }
    }

    /// String, bridge and board side by side, without contacts.
    pub fn without_contacts(&self, scheme: Scheme) -> TrombaModel {
        let mut model = Model::new();
        model.scheme = scheme;
        let bodies = [model.add(self.string.clone()), model.add(self.bridge.clone()), model.add(self.board.clone())];
        TrombaModel { model, bodies, contacts: Vec::new() }
    }

    /// The whole instrument, played.
    pub fn build(&self, scheme: Scheme) -> TrombaModel {
        let mut built = self.without_contacts(scheme);
        let ([string, bridge, board], model) = (built.bodies, &mut built.model);
        let joint = match self.joint {
            Joint::Spring(spring) => model.spring(string.at(BRIDGE), bridge.point(), spring),
            Joint::Potential(law) => model.connect(bridge.point(), string.at(BRIDGE), law),
        };
        let rattle = model.collide(board.on(RATTLE), bridge.point(), self.rattle);
        let bow = model.bow(string.at(BOW), self.bow.clone());
        built.contacts = vec![joint, rattle, bow];
        built
    }
}
