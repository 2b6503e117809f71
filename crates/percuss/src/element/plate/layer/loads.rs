//! What the touches of a plate add to its nodes, at the last three control updates.
//!
//! Single      one touch: its pressures p̄, to be multiplied by what it adds at full pressure
//! Multiple    the sums Σa_λp̄/ρH, ¼(k²/ρH)Σa_kp̄ and Σa_σp̄: however many touches there are, a step costs the same
//! Order       the last of the three updates is still to come; values move in straight lines between
//! Allocates   only in `new`

use crate::element::simd::{Field, LANES, field, mul_add, vectors, whole_blocks};
use crate::model::Touch;
use pulp::Simd;
use std::ops::Range;

/// What a touch adds to a node at full pressure, or all touches at theirs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TouchCoefficients {
    /// To ḡ.
    pub mass: f64,
    /// To ¼(k²/ρH)k̄.
    pub stiffness: f64,
    /// To Σa_σp̄ \[1/s\].
    pub damping: f64,
}

impl TouchCoefficients {
    pub fn new(touch: &Touch, density: f64, k: f64) -> Self {
        Self {
            mass: touch.mass / density,
            stiffness: k * k / (4.0 * density) * touch.stiffness,
            damping: touch.damping,
        }
    }

    pub fn parts(self) -> [f64; 3] {
        [self.mass, self.stiffness, self.damping]
    }
}

/// γ and κ at n + ½, and ς at n, of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeLoad {
    pub gamma: f64,
    pub kappa: f64,
    pub drag: f64,
}

/// Values on the nodes of a plate, row by row as it has them, at three updates.
pub(crate) type Frames = [Field; 3];

/// What all touches add.
#[derive(Clone, Debug)]
pub(crate) enum Loads {
    Single {
        coefficients: TouchCoefficients,
        pressure: Frames,
    },
    /// Mass, stiffness and damping.
    Multiple([Frames; 3]),
}

impl Loads {
    /// Without pressure, of touches with these coefficients, on so many nodes.
    pub fn new(touch_coefficients: &[TouchCoefficients], nodes: usize) -> Self {
        let frames = || [(); 3].map(|()| field(nodes));
        match touch_coefficients {
            &[coefficients] => Self::Single { coefficients, pressure: frames() },
            _ => Self::Multiple([(); 3].map(|()| frames())),
        }
    }

    fn frame_sets(&self) -> &[Frames] {
        match self {
            Self::Single { pressure, .. } => std::slice::from_ref(pressure),
            Self::Multiple(parts) => parts,
        }
    }

    /// Drops the oldest update and starts an empty one.
    pub fn push_frame(&mut self) {
        let push_frame = |frames: &mut Frames| {
            frames.rotate_left(1);
            frames[2].fill(0.0);
        };
        match self {
            Self::Single { pressure, .. } => push_frame(pressure),
            Self::Multiple(parts) => parts.iter_mut().for_each(push_frame),
        }
    }

    /// Adds a touch to the coming update: its pressure times the coverage of each node.
    pub fn add_touch(&mut self, coefficients: TouchCoefficients, pressure: f64, covered: &[f64]) {
        let add = |coming: &mut Field, factor: f64| {
            coming.iter_mut().zip(covered).for_each(|(node, covered)| *node += factor * covered);
        };
        match self {
            Self::Single { pressure: [.., coming], .. } => add(coming, pressure),
            Self::Multiple(parts) => {
                for ([.., coming], part) in parts.iter_mut().zip(coefficients.parts()) {
                    add(coming, part * pressure);
                }
            }
        }
    }

    /// Whether something is different from update to update.
    pub fn is_changing(&self) -> bool {
        self.frame_sets().iter().any(|[past, start, end]| past[..] != start[..] || start[..] != end[..])
    }

    /// The blocks of a row on which there is something at one of the updates, or a fixed touch, counted in nodes from the first of the
    /// row.
    pub fn pressed_blocks(&self, row: Range<usize>, is_fixed: impl Fn(usize) -> bool) -> Range<usize> {
        let is_pressed =
            |&node: &usize| is_fixed(node) || self.frame_sets().iter().flatten().any(|frame| frame[node] != 0.0);
        let (first, last) = (row.clone().find(is_pressed), row.clone().rev().find(is_pressed));
        first
            .zip(last)
            .map_or(0..0, |(first, last)| (first - row.start) / LANES * LANES..whole_blocks(last + 1 - row.start))
    }

    /// What is added to vector i of some nodes at some time after the last update, as a share of the time to the next.
    #[inline(always)]
    pub fn vector_at<S: Simd>(&self, simd: S, nodes: &Range<usize>, i: usize, share: f64) -> [S::f64s; 3] {
        let share = simd.splat_f64s(share);
        let at = |[_, start, end]: &Frames| {
            let [start, end] = [start, end].map(|frame| vectors::<S>(&frame[nodes.clone()])[i]);
            mul_add(simd, share, simd.sub_f64s(end, start), start)
        };
        match self {
            Self::Single { coefficients, pressure } => {
                let pressure = at(pressure);
                coefficients.parts().map(|part| simd.mul_f64s(simd.splat_f64s(part), pressure))
            }
            Self::Multiple([mass, stiffness, damping]) => [at(mass), at(stiffness), at(damping)],
        }
    }

    /// What is added to a node at some time after the last update, as a share of the time to the next.
    pub fn at(&self, node: usize, share: f64) -> TouchCoefficients {
        let at = |[_, start, end]: &Frames| start[node] + share * (end[node] - start[node]);
        match self {
            Self::Single { coefficients: TouchCoefficients { mass, stiffness, damping }, pressure } => {
                let pressure = at(pressure);
                TouchCoefficients {
                    mass: mass * pressure,
                    stiffness: stiffness * pressure,
                    damping: damping * pressure,
                }
            }
            Self::Multiple([mass, stiffness, damping]) => {
                TouchCoefficients { mass: at(mass), stiffness: at(stiffness), damping: at(damping) }
            }
        }
    }
}
