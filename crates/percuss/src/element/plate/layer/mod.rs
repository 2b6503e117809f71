//! The contact layer of a plate: mass, stiffness and damping per node that change in time.
//!
//! Equation    ∂t[(ρH + λ̄)u̇] = … − k̄u − 2ρH(σ₀ + σ̄)u̇,  λ̄ = Σa_λp̄, k̄ = Σa_kp̄, σ̄ = (1+ḡ)Σa_σp̄ + σ₀ḡ, ḡ = λ̄/ρH
//! Update      D du⁺ = D₀·(du⁺ without layer) + (γ⁻ − ς + κ⁻)du − 2(κ⁺ + κ⁻)u,  D = D₀ + γ⁺ + ς + κ⁺, D₀ = 1 + σ₀k,
//!             γ± = ḡ^{n±½}, κ± = ¼(k²/ρH)k̄^{n±½}, ς = σ̄ⁿk; half-step values are means of neighbours in time
//! Stability   unconditional: all three only change the diagonal
//! Energy      H += ½⟨k̄^{n+½}μ₊u,μ₊u⟩ + ½⟨λ̄^{n+½}δ₊u,δ₊u⟩,  Q += 2ρH⟨σ̄δt·u,δt·u⟩,
//!             work P_c = ½⟨δₜk̄·μ₊u,μ₋u⟩ − ½⟨δₜλ̄·δ₊u,δ₋u⟩
//! Control     pressures are set every N samples and move in straight lines between
//! Allocates   only in `new`
//! Reference   van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 6, 35, 46–63 (½ in 33, 34; square in 47)

mod coverage;
mod energy;
mod image;
pub(crate) mod kernel;
pub(crate) mod loads;
pub(crate) mod phase;
mod regions;

use crate::control::signal::check_control;
use crate::element::balance::ElementEnergy;
use crate::element::plate::energy::sums::PlateWeights;
use crate::element::plate::grid::{GridNodes, PlateGrid, PlateMaterial};
use crate::element::plate::layer::coverage::{Coverage, Spread};
use crate::element::plate::layer::energy::{LayerSumKernel, LayerSums};
use crate::element::plate::layer::image::PressureImage;
use crate::element::plate::layer::kernel::{ApplyLayer, LayerConstants, LayerStep, SingleTouch};
use crate::element::plate::layer::loads::{Loads, Strength};
use crate::element::plate::layer::phase::ControlPhase;
use crate::element::plate::layer::regions::{check_region, coverage};
use crate::element::simd::run;
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{Control, Plate, Region, Touch};
use std::ops::Range;

/// A touch with ¼(k²/ρH)k̄ above this clamps a node: the spring would reverse it within a step.
const FAST: f64 = 1.0;

/// A touch and how strong it is.
#[derive(Clone, Debug)]
struct LayerTouch {
    touch: Touch,
    strength: Strength,
    /// What it covered when this was last found out; pictures are laid when they come.
    coverage: Option<Coverage>,
    /// Share of every node that is covered, or the pressure of a picture.
    covered: Vec<f64>,
}

impl LayerTouch {
    fn new(touch: &Touch, strength: Strength, nodes: usize) -> Self {
        Self { touch: touch.clone(), strength, coverage: None, covered: vec![0.0; nodes] }
    }

    fn is_image(&self) -> bool {
        matches!(self.touch.region, Region::Image { .. })
    }

    /// Finds out what is covered at a time, where that has changed.
    fn look(&mut self, time: f64, grid: &PlateGrid, stride: usize, room: &mut [f64]) {
        let coverage = coverage(&self.touch.region, time, grid);
        if !self.is_image() && self.coverage != Some(coverage) {
            let spread = if self.strength.stiffness >= FAST { Spread::Cells } else { Spread::Hats };
            coverage.lay(spread, grid.intervals, stride, &mut self.covered, room);
            self.coverage = Some(coverage);
        }
    }
}

/// γ and κ at n + ½, and ς at n, of one node.
#[derive(Clone, Copy, Debug)]
struct Load {
    gamma: f64,
    kappa: f64,
    drag: f64,
}

/// The contact layer of a plate.
#[derive(Clone, Debug)]
pub(crate) struct ContactLayer {
    holds: Vec<LayerTouch>,
    loads: Loads,
    interval: usize,
    moment: ControlPhase,
    /// In every row, the blocks on which there is pressure at one of the three updates, counted in nodes.
    pressed: Vec<Range<usize>>,
    /// Room for as many values as there are nodes.
    room: Vec<f64>,
    constants: LayerConstants<f64>,
    grid: PlateGrid,
    nodes: GridNodes,
}

impl ContactLayer {
    pub fn new(
        plate: &Plate,
        material: &PlateMaterial,
        grid: PlateGrid,
        nodes: GridNodes,
        check: Check,
        k: f64,
    ) -> Result<Option<Self>, CompileError> {
        if plate.touches.is_empty() {
            return Ok(None);
        }
        let interval = plate.control_interval as f64;
        check.that(interval >= 1.0, "control_interval", interval, "at least 1 sample")?;
        let (rows, stride) = (grid.intervals[1] + 1, nodes.stride);
        let density = material.surface_density;
        let holds = plate.touches.iter().map(|touch| {
            check_touch(touch, check)?;
            check_stiffness(touch.stiffness, density, check, k)?;
            Ok(LayerTouch::new(touch, Strength::new(touch, density, k), rows * stride))
        });
        let holds = holds.collect::<Result<Vec<_>, CompileError>>()?;
        let strengths: Vec<_> = holds.iter().map(|hold| hold.strength).collect();
        let mut layer = Self {
            holds,
            loads: Loads::new(&strengths, rows * stride),
            interval: plate.control_interval,
            moment: ControlPhase::default(),
            pressed: vec![0..0; rows],
            room: vec![0.0; rows * stride],
            constants: LayerConstants { bare: 1.0 + material.sigma0 * k, sigma0: material.sigma0, k },
            grid,
            nodes,
        };
        layer.reset();
        Ok(Some(layer))
    }

    /// All controls of the touches.
    pub fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        for LayerTouch { touch, .. } in &mut self.holds {
            visit(&mut touch.pressure);
            match &mut touch.region {
                Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
                    centre.iter_mut().for_each(&mut *visit);
                    visit(radius);
                }
                Region::Rectangle { centre, size } => centre.iter_mut().chain(size).for_each(&mut *visit),
                Region::HalfPlane { level, .. } => visit(level),
                Region::Everywhere | Region::Image { .. } => {}
            }
        }
    }

    /// Back to time 0, with the pictures as described and the pressures of time 0 before it.
    pub fn reset(&mut self) {
        for hold in &mut self.holds {
            if let Region::Image { width, values } = &hold.touch.region {
                let picture = PressureImage::new(*width, values);
                picture
                    .inspect(|picture| picture.lay(&self.grid, self.nodes.stride, &mut hold.covered, &mut self.room));
            }
        }
        for time in [0.0, 0.0, self.interval as f64 * self.constants.k] {
            self.set_frame(time);
        }
        self.moment = ControlPhase::default();
    }

    /// Forgets the oldest pressures and sets those of a time \[s\].
    fn set_frame(&mut self, time: f64) {
        let Self { holds, loads, pressed, room, grid, nodes: GridNodes { stride, .. }, .. } = self;
        loads.push_frame();
        for hold in holds {
            let pressure = hold.touch.pressure.at(time).clamp(0.0, 1.0);
            if pressure > 0.0 {
                hold.look(time, grid, *stride, room);
                loads.press(hold.strength, pressure, &hold.covered);
            }
        }
        for (j, blocks) in pressed.iter_mut().enumerate() {
            *blocks = loads.pressed_blocks(j * *stride..(j + 1) * *stride);
        }
    }

    /// Moves on to step n.
    pub fn advance(&mut self, n: u64) {
        let phase = n % self.interval as u64;
        if phase == 0 && n > 0 {
            self.set_frame((n + self.interval as u64) as f64 * self.constants.k);
        }
        let at = |samples: f64| (phase as f64 + samples) / self.interval as f64;
        self.moment = ControlPhase { now: at(0.0), ahead: at(0.5), behind: at(-0.5) };
    }

    /// Whether there is but one touch, and it does not turn at step n.
    pub fn is_plain(&self, n: u64) -> bool {
        self.holds.len() == 1 && !n.is_multiple_of(self.interval as u64)
    }

    /// Corrects a prediction.
    pub fn apply(&self, state: &mut State) {
        let State { arch, u, du, du_prev, .. } = state;
        let nodes = self.nodes.origin..self.nodes.origin + self.pressed.len() * self.nodes.stride;
        run(
            *arch,
            ApplyLayer { press: self.now(), fields: (&u[nodes.clone()], &mut du[nodes.clone()], &du_prev[nodes]) },
        );
    }

    /// What it does at the present moment.
    pub(crate) fn now(&self) -> LayerStep<'_> {
        LayerStep {
            loads: &self.loads,
            single: SingleTouch::new(self.holds[0].strength, self.moment, self.constants),
            moment: self.moment,
            pressed: &self.pressed,
            constants: self.constants,
            nodes: self.nodes,
        }
    }

    /// What the layer does at a node, counted from the first.
    fn at(&self, node: usize) -> Load {
        let (now, ahead) = (self.loads.at(node, self.moment.now), self.loads.at(node, self.moment.ahead));
        let LayerConstants { sigma0, k, .. } = self.constants;
        let drag = (now.damping * (1.0 + now.mass) + sigma0 * now.mass) * k;
        Load { gamma: ahead.mass, kappa: ahead.stiffness, drag }
    }

    /// What is left of the inverse mass of a state node under the layer.
    pub fn mass_ratio(&self, node: usize) -> f64 {
        let Load { gamma, kappa, drag } = self.at(node - self.nodes.origin);
        self.constants.bare / (self.constants.bare + gamma + drag + kappa)
    }

    /// Adds the layer's part to the account of a step just taken.
    pub fn balance(&self, weights: &PlateWeights, density: f64, state: &State, balance: &mut ElementEnergy) {
        let mut sums = LayerSums::default();
        let fields = [&state.u[..], &state.du, &state.du_prev];
        run(state.arch, LayerSumKernel { press: self.now(), weights, fields, sums: &mut sums });
        let joules = 0.5 * density * self.grid.spacing.powi(2) / self.constants.k.powi(2);
        balance.stored += joules * sums.stored;
        balance.magnitude += joules * sums.stored;
        balance.lost += joules * sums.lost;
        balance.touch_work += joules * sums.touch_work;
    }

    /// Mass \[kg\] and stiffness \[N/m\] added to a node of the given mass.
    pub fn load(&self, i: usize, j: usize, mass: f64, k: f64) -> (f64, f64) {
        let Load { gamma, kappa, .. } = self.at(j * self.nodes.stride + i);
        // γ = λ̄/ρH and κ = ¼(k²/ρH)k̄.
        (mass * gamma, mass * 4.0 * kappa / (k * k))
    }

    /// Lays a picture of pressures on the nodes of an image touch; it takes effect at the next control update.
    /// Returns false where there is no such touch or image.
    pub fn press(&mut self, touch: usize, width: usize, values: &[f64]) -> bool {
        let hold = self.holds.get_mut(touch).filter(|hold| hold.is_image());
        let Some((hold, picture)) = hold.zip(PressureImage::new(width, values)) else { return false };
        picture.lay(&self.grid, self.nodes.stride, &mut hold.covered, &mut self.room);
        true
    }
}

/// Largest κ = ¼(k²/ρH)k̄: a node under it moves by a millionth of what it would, and the digits that this costs are few.
const STIFFEST: f64 = 1e6;

fn check_stiffness(stiffness: f64, density: f64, check: Check, k: f64) -> Result<(), CompileError> {
    let maximum = 4.0 * STIFFEST * density / (k * k);
    if stiffness <= maximum {
        return Ok(());
    }
    Err(CompileError::TouchTooStiff { subject: check.0, stiffness, maximum, rate: 1.0 / k })
}

fn check_touch(touch: &Touch, check: Check) -> Result<(), CompileError> {
    check.not_negative("mass", touch.mass)?;
    check.not_negative("stiffness", touch.stiffness)?;
    check.not_negative("damping", touch.damping)?;
    check_control(&touch.pressure, "pressure", check)?;
    check_region(&touch.region, check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::simd::{ByLane, Kernel, LANES, field};
    use proptest::prelude::*;

    const ROWS: usize = 3;
    const STRIDE: usize = 2 * LANES;
    const K: f64 = 1.0 / 44_100.0;

    /// Touches with pressures at random, n samples after a control update of which there is one in four.
    fn layer(pressures: &[[f64; 3]], strengths: &[[f64; 3]], n: usize) -> ContactLayer {
        let hold = |&[mass, stiffness, damping]: &[f64; 3]| {
            let touch = Touch { region: Region::Everywhere, pressure: 1.0.into(), mass, stiffness: 0.0, damping };
            LayerTouch::new(&touch, Strength { mass, stiffness, damping }, 0)
        };
        let holds: Vec<_> = strengths.iter().map(hold).collect();
        let strengths: Vec<_> = holds.iter().map(|hold| hold.strength).collect();
        let mut loads = Loads::new(&strengths, ROWS * STRIDE);
        for update in 0..3 {
            loads.push_frame();
            for (index, &strength) in strengths.iter().enumerate() {
                let covered: Vec<_> = (0..ROWS * STRIDE).map(|node| pressure(pressures, index, node)[update]).collect();
                loads.press(strength, 1.0, &covered);
            }
        }
        let at = |samples: f64| (n as f64 + samples) / 4.0;
        let [spacing, least_spacing] = [0.1; 2];
        let grid = PlateGrid { intervals: [STRIDE - 2, ROWS - 1], margin: 0, spacing, least_spacing, size: [1.0; 2] };
        ContactLayer {
            holds,
            loads,
            interval: 4,
            moment: ControlPhase { now: at(0.0), ahead: at(0.5), behind: at(-0.5) },
            pressed: vec![0..STRIDE, LANES..STRIDE, 0..0],
            room: Vec::new(),
            constants: LayerConstants { bare: 1.0 + 3.0 * K, sigma0: 3.0, k: K },
            grid,
            nodes: GridNodes { origin: LANES, stride: STRIDE },
        }
    }

    /// How hard a touch presses on a node at three updates.
    fn pressure(pressures: &[[f64; 3]], touch: usize, node: usize) -> [f64; 3] {
        pressures[(node + 7 * touch) % pressures.len()]
    }

    /// The update of the head of this file.
    fn plain(layer: &ContactLayer, pressures: &[[f64; 3]], node: usize, [u, next, du]: [f64; 3]) -> f64 {
        let (mut mass, mut damping, mut halves) = (0.0, 0.0, [[0.0; 2]; 2]);
        for (touch, LayerTouch { strength, .. }) in layer.holds.iter().enumerate() {
            let [past, start, end] = pressure(pressures, touch, node);
            let at = |share: f64| start + share * if share < 0.0 { start - past } else { end - start };
            mass += strength.mass * at(layer.moment.now);
            damping += strength.damping * at(layer.moment.now);
            for (half, share) in halves.iter_mut().zip([layer.moment.ahead, layer.moment.behind]) {
                half[0] += strength.mass * at(share);
                half[1] += strength.stiffness * at(share);
            }
        }
        let [[gamma, kappa], [gamma_behind, kappa_behind]] = halves;
        let drag = (damping * (1.0 + mass) + layer.constants.sigma0 * mass) * K;
        (layer.constants.bare * next + (gamma_behind - drag + kappa_behind) * du - 2.0 * (kappa + kappa_behind) * u)
            / (layer.constants.bare + gamma + drag + kappa)
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_press_as_the_equations_do(
            pressures in prop::collection::vec(prop::array::uniform3(0.0..1.0), 5..40),
            strengths in prop::collection::vec([0.0..5.0, 0.0..3.0, 0.0..1e4], 1..4),
            fields in prop::collection::vec(prop::array::uniform3(-1.0..1.0), ROWS * STRIDE),
            n in 0..4_usize,
        ) {
            let layer = layer(&pressures, &strengths, n);
            let field_of = |part: usize| {
                let mut field = field(LANES + ROWS * STRIDE);
                fields.iter().enumerate().for_each(|(node, values)| field[LANES + node] = values[part]);
                field
            };
            let [u, next, du] = [0, 1, 2].map(field_of);
            let [mut widest, mut narrowest] = [next.clone(), next.clone()];
            let press = layer.now();
            run(pulp::Arch::new(), ApplyLayer { press, fields: (&u[LANES..], &mut widest[LANES..], &du[LANES..]) });
            let plainly = (&u[LANES..], &mut narrowest[LANES..], &du[LANES..]);
            ApplyLayer { press, fields: plainly }.run(pulp::Scalar, ByLane);
            for (node, &values) in fields.iter().enumerate() {
                let pressed = layer.pressed[node / STRIDE].contains(&(node % STRIDE));
                let expected = if pressed { plain(&layer, &pressures, node, values) } else { values[1] };
                for found in [widest[LANES + node], narrowest[LANES + node]] {
                    // Sums of a few terms, of which none exceeds 40.
                    prop_assert!((found - expected).abs() <= 1e-13 * 40.0, "{node}: {expected} {found}");
                }
            }
        }
    }
}
