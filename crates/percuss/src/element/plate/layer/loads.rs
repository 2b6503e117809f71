//! What the touches of a plate add to its nodes, at the last three control updates.
//!
//! One         a single touch: its pressures p̄, to be multiplied by what it adds at full pressure
//! Many        the sums Σa_λp̄/ρH, ¼(k²/ρH)Σa_kp̄ and Σa_σp̄: however many touches there are, a step costs the same
//! Order       the last of the three updates is still to come; values move in straight lines between
//! Allocates   only in `new`

use crate::element::simd::{Field, LANES, field, whole_blocks};
use crate::model::Touch;
use std::ops::Range;

/// What a touch adds where it presses at full pressure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    /// To ḡ.
    pub mass: f64,
    /// To ¼(k²/ρH)k̄.
    pub stiffness: f64,
    /// To Σa_σp̄ \[1/s\].
    pub damping: f64,
}

impl Strength {
    pub fn new(touch: &Touch, density: f64, k: f64) -> Self {
        Self {
            mass: touch.mass / density,
            stiffness: k * k / (4.0 * density) * touch.stiffness,
            damping: touch.damping,
        }
    }

    fn parts(self) -> [f64; 3] {
        [self.mass, self.stiffness, self.damping]
    }
}

/// Values on the nodes of a plate, row by row as it has them, at three updates.
pub(crate) type Frames = [Field; 3];

/// What all touches add.
#[derive(Clone, Debug)]
pub(crate) enum Loads {
    One {
        strength: Strength,
        pressure: Frames,
    },
    /// Mass, stiffness and damping.
    Many([Frames; 3]),
}

impl Loads {
    /// Nothing yet, of touches of some strengths, on so many nodes.
    pub fn new(strengths: &[Strength], nodes: usize) -> Self {
        let frames = || [(); 3].map(|()| field(nodes));
        match strengths {
            &[strength] => Self::One { strength, pressure: frames() },
            _ => Self::Many([(); 3].map(|()| frames())),
        }
    }

    fn each(&self) -> &[Frames] {
        match self {
            Self::One { pressure, .. } => std::slice::from_ref(pressure),
            Self::Many(parts) => parts,
        }
    }

    /// Drops the oldest update and starts an empty one.
    pub fn push_frame(&mut self) {
        let push_frame = |frames: &mut Frames| {
            frames.rotate_left(1);
            frames[2].fill(0.0);
        };
        match self {
            Self::One { pressure, .. } => push_frame(pressure),
            Self::Many(parts) => parts.iter_mut().for_each(push_frame),
        }
    }

    /// Adds a touch to the coming update: its pressure times the coverage of each node.
    pub fn press(&mut self, strength: Strength, pressure: f64, covered: &[f64]) {
        let add = |ahead: &mut Field, factor: f64| {
            ahead.iter_mut().zip(covered).for_each(|(node, covered)| *node += factor * covered);
        };
        match self {
            Self::One { pressure: [.., ahead], .. } => add(ahead, pressure),
            Self::Many(parts) => {
                for ([.., ahead], part) in parts.iter_mut().zip(strength.parts()) {
                    add(ahead, part * pressure);
                }
            }
        }
    }

    /// The blocks of a row on which there is something at one of the updates, counted in nodes from the first of the row.
    pub fn pressed_blocks(&self, row: Range<usize>) -> Range<usize> {
        let any = |&node: &usize| self.each().iter().flatten().any(|frame| frame[node] != 0.0);
        let (first, last) = (row.clone().find(any), row.clone().rev().find(any));
        first
            .zip(last)
            .map_or(0..0, |(first, last)| (first - row.start) / LANES * LANES..whole_blocks(last + 1 - row.start))
    }

    /// What is added to a node at some time after the last update, as a share of the time to the next.
    pub fn at(&self, node: usize, share: f64) -> Strength {
        let at = |[_, start, end]: &Frames| start[node] + share * (end[node] - start[node]);
        match self {
            Self::One { strength: Strength { mass, stiffness, damping }, pressure } => {
                let pressure = at(pressure);
                Strength { mass: mass * pressure, stiffness: stiffness * pressure, damping: damping * pressure }
            }
            Self::Many([mass, stiffness, damping]) => {
                Strength { mass: at(mass), stiffness: at(stiffness), damping: at(damping) }
            }
        }
    }
}
