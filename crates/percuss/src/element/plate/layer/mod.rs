//! The contact layer of a plate: mass, stiffness and damping per node that change in time.
//!
//! Equation    ∂t[(ρH + λ̄)u̇] = … − k̄u − 2ρH(σ₀ + σ̄)u̇,  λ̄ = Σa_λp̄, k̄ = Σa_kp̄, σ̄ = (1+ḡ)Σa_σp̄ + σ₀ḡ, ḡ = λ̄/ρH
//! Update      D du⁺ = D₀·(du⁺ without layer) + (γ⁻ − ς + κ⁻)du − 2(κ⁺ + κ⁻)u,  D = D₀ + γ⁺ + ς + κ⁺, D₀ = 1 + σ₀k,
//!             γ± = ḡ^{n±½}, κ± = ¼(k²/ρH)k̄^{n±½}, ς = σ̄ⁿk; half-step values are means of neighbours in time
//! Stability   unconditional: all three only change the diagonal
//! Energy      H += ½⟨k̄^{n+½}μ₊u,μ₊u⟩ + ½⟨λ̄^{n+½}δ₊u,δ₊u⟩,  Q += 2ρH⟨σ̄δt·u,δt·u⟩,
//!             work P_c = ½⟨δₜk̄·μ₊u,μ₋u⟩ − ½⟨δₜλ̄·δ₊u,δ₋u⟩
//! Law         the equation pulls towards u = 0 (`TouchLaw::Absolute`, from the paper); `passive` has the one that supplies no energy
//! Patches     are touches of mass alone, after the others, whose pressure is always 1
//! Control     pressures are set every N samples and move in straight lines between
//! Allocates   only in `new`
//! Reference   van Walstijn, Bhanuprakash and Stapleton (2021), eqs. 6, 35, 46–63 (½ in 33, 34; square in 47)

mod coverage;
mod decay;
mod energy;
mod image;
pub(crate) mod kernel;
pub(crate) mod loads;
mod passive;
pub(crate) mod phase;
mod regions;

use crate::control::signal::check_control;
use crate::element::balance::ElementEnergy;
use crate::element::plate::energy::weights::PlateWeights;
use crate::element::plate::grid::{GridNodes, PlateGrid, PlateMaterial};
use crate::element::plate::layer::coverage::Coverage;
use crate::element::plate::layer::decay::DecayLength;
use crate::element::plate::layer::energy::{LayerSumKernel, LayerSums};
use crate::element::plate::layer::image::PressureImage;
use crate::element::plate::layer::kernel::{ApplyLayer, LayerConstants, LayerStep, SingleTouchCoefficients};
use crate::element::plate::layer::loads::{Loads, NodeLoad, TouchCoefficients};
use crate::element::plate::layer::passive::{PassiveStep, PassiveTouches};
use crate::element::plate::layer::phase::ControlPhase;
use crate::element::plate::layer::regions::{check_region, coverage};
use crate::element::simd::run;
use crate::element::state::State;
use crate::error::{Check, CompileError};
use crate::model::{Control, Patch, Plate, Region, Touch, TouchLaw};
use std::ops::Range;

/// A touch, its coefficients and the nodes that it covers.
#[derive(Clone, Debug)]
struct LayerTouch {
    touch: Touch,
    coefficients: TouchCoefficients,
    /// What was last rasterized, and the factor on it; images are resampled when they are set.
    coverage: Option<(Coverage, f64)>,
    /// How far the plate bends into it.
    decay: DecayLength,
    /// Share of every node that is covered, or the pressure of an image.
    covered: Vec<f64>,
    /// Whether the passive law counts it among the fixed touches.
    is_fixed: bool,
}

/// Whether a touch has constant pressure and place. Images may be set.
fn is_fixed(touch: &Touch) -> bool {
    let mut is_fixed = !matches!(touch.region, Region::Image { .. });
    visit_controls(&mut touch.clone(), &mut |control| is_fixed &= matches!(control, Control::Constant(_)));
    is_fixed
}

/// All controls of a touch.
fn visit_controls(touch: &mut Touch, visit: &mut dyn FnMut(&mut Control)) {
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

impl LayerTouch {
    fn new(touch: &Touch, coefficients: TouchCoefficients, decay: DecayLength, nodes: usize) -> Self {
        Self { touch: touch.clone(), coefficients, coverage: None, decay, covered: vec![0.0; nodes], is_fixed: false }
    }

    fn is_image(&self) -> bool {
        matches!(self.touch.region, Region::Image { .. })
    }

    /// Rasterizes what is covered at a time \[s\] under a pressure, where that has changed.
    fn update_coverage(&mut self, time: f64, pressure: f64, grid: &PlateGrid, stride: usize, scratch: &mut [f64]) {
        if self.is_image() {
            return;
        }
        let decay = self.decay.under(pressure);
        let (coverage, gain) = coverage(&self.touch.region, time, grid).resolved(decay);
        if self.coverage != Some((coverage, gain)) {
            coverage.rasterize(grid.intervals, stride, &mut self.covered, scratch);
            self.covered.iter_mut().for_each(|covered| *covered *= gain);
            self.coverage = Some((coverage, gain));
        }
    }
}

/// The contact layer of a plate.
#[derive(Clone, Debug)]
pub(crate) struct ContactLayer {
    layer_touches: Vec<LayerTouch>,
    /// Of all touches, or of those that are not fixed under the passive law.
    loads: Loads,
    passive: Option<PassiveTouches>,
    interval: usize,
    phase: ControlPhase,
    /// In every row, the blocks on which there is pressure at one of the three updates, counted in nodes.
    pressed: Vec<Range<usize>>,
    /// Scratch space: one value per node.
    scratch: Vec<f64>,
    constants: LayerConstants<f64>,
    grid: PlateGrid,
    nodes: GridNodes,
}

impl ContactLayer {
    /// For a grid with true pitch, or one that is as flat as its stencil.
    pub fn new(
        plate: &Plate,
        material: &PlateMaterial,
        grid: PlateGrid,
        nodes: GridNodes,
        (check, k): (Check, f64),
        has_true_pitch: bool,
    ) -> Result<Option<Self>, CompileError> {
        if plate.touches.is_empty() && plate.patches.is_empty() {
            return Ok(None);
        }
        let interval = plate.control_interval as f64;
        check.require(interval >= 1.0, "control_interval", interval, "at least 1 sample")?;
        let (rows, stride) = (grid.intervals[1] + 1, nodes.stride);
        let density = material.surface_density;
        let touches = plate.touches.iter().cloned().chain(plate.patches.iter().map(patch_touch));
        let layer_touches = touches.map(|touch| {
            check_touch(&touch, check)?;
            check_stiffness(touch.stiffness, density, check, k)?;
            let decay = DecayLength::new(touch.stiffness, material, grid.spacing, has_true_pitch);
            Ok(LayerTouch::new(&touch, TouchCoefficients::new(&touch, density, k), decay, rows * stride))
        });
        let mut layer_touches = layer_touches.collect::<Result<Vec<_>, CompileError>>()?;
        let is_passive = plate.touch_law == TouchLaw::Passive;
        for layer_touch in &mut layer_touches {
            layer_touch.is_fixed = is_passive && is_fixed(&layer_touch.touch);
        }
        let varying = layer_touches.iter().filter(|layer_touch| !layer_touch.is_fixed);
        let touch_coefficients: Vec<_> = varying.map(|layer_touch| layer_touch.coefficients).collect();
        let mut layer = Self {
            loads: Loads::new(&touch_coefficients, rows * stride),
            passive: is_passive.then(|| PassiveTouches::new(rows * stride)),
            layer_touches,
            interval: plate.control_interval,
            phase: ControlPhase::default(),
            pressed: vec![0..0; rows],
            scratch: vec![0.0; rows * stride],
            constants: LayerConstants { free_diagonal: 1.0 + material.sigma0 * k, sigma0: material.sigma0, k },
            grid,
            nodes,
        };
        layer.place_fixed_touches();
        layer.reset();
        Ok(Some(layer))
    }

    /// All controls of the touches.
    pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.layer_touches.iter_mut().for_each(|layer_touch| visit_controls(&mut layer_touch.touch, visit));
    }

    fn place_fixed_touches(&mut self) {
        let Self { layer_touches, passive, scratch, grid, nodes: GridNodes { stride, .. }, .. } = self;
        let Some(passive) = passive else { return };
        for layer_touch in layer_touches.iter_mut().filter(|layer_touch| layer_touch.is_fixed) {
            let pressure = layer_touch.touch.pressure.at(0.0).clamp(0.0, 1.0);
            if pressure > 0.0 {
                layer_touch.update_coverage(0.0, pressure, grid, *stride, scratch);
                passive.add_fixed(layer_touch.coefficients, pressure, &layer_touch.covered);
            }
        }
    }

    /// Back to time 0, with the images as described and the pressures of time 0 before it.
    pub fn reset(&mut self) {
        for layer_touch in &mut self.layer_touches {
            if let Region::Image { width, values } = &layer_touch.touch.region {
                let image = PressureImage::new(*width, values);
                image.inspect(|image| {
                    image.resample(&self.grid, self.nodes.stride, &mut layer_touch.covered, &mut self.scratch)
                });
            }
        }
        for time in [0.0, 0.0, self.interval as f64 * self.constants.k] {
            self.set_frame(time);
        }
        self.phase = ControlPhase::default();
        if let Some(passive) = &mut self.passive {
            passive.reset(&self.loads);
            passive.set_changing(self.loads.is_changing());
        }
    }

    /// Forgets the oldest pressures and sets those of a time \[s\].
    fn set_frame(&mut self, time: f64) {
        let Self { layer_touches, loads, passive, pressed, scratch, grid, nodes: GridNodes { stride, .. }, .. } = self;
        loads.push_frame();
        for layer_touch in layer_touches.iter_mut().filter(|layer_touch| !layer_touch.is_fixed) {
            let pressure = layer_touch.touch.pressure.at(time).clamp(0.0, 1.0);
            if pressure > 0.0 {
                layer_touch.update_coverage(time, pressure, grid, *stride, scratch);
                loads.add_touch(layer_touch.coefficients, pressure, &layer_touch.covered);
            }
        }
        for (j, blocks) in pressed.iter_mut().enumerate() {
            let is_fixed = |node: usize| passive.as_ref().is_some_and(|passive| passive.is_fixed(node));
            *blocks = loads.pressed_blocks(j * *stride..(j + 1) * *stride, is_fixed);
        }
    }

    /// Moves on to step n.
    pub fn advance(&mut self, n: u64) {
        let sample = n % self.interval as u64;
        if sample == 0 && n > 0 {
            self.set_frame((n + self.interval as u64) as f64 * self.constants.k);
            if let Some(passive) = &mut self.passive {
                passive.set_changing(self.loads.is_changing());
            }
        }
        let at = |samples: f64| (sample as f64 + samples) / self.interval as f64;
        self.phase = ControlPhase { now: at(0.0), ahead: at(0.5), behind: at(-0.5) };
    }

    /// Whether there is a single touch of the absolute law, whose pressure is linear in time around step n.
    pub fn has_single_linear_touch(&self, n: u64) -> bool {
        self.passive.is_none() && self.layer_touches.len() == 1 && !n.is_multiple_of(self.interval as u64)
    }

    /// Corrects a prediction.
    pub fn apply(&mut self, state: &mut State) {
        let Self { passive, loads, phase, pressed, constants, nodes, .. } = self;
        if let Some(passive) = passive {
            let step = PassiveStep { loads, phase: *phase, pressed, constants: *constants, nodes: *nodes };
            return passive.apply(step, state);
        }
        let State { machine, u, du, du_prev, .. } = state;
        let nodes = self.nodes.origin..self.nodes.origin + self.pressed.len() * self.nodes.stride;
        run(
            *machine,
            ApplyLayer {
                layer_step: self.current_step(),
                fields: (&u[nodes.clone()], &mut du[nodes.clone()], &du_prev[nodes]),
            },
        );
    }

    /// The operands of the passive law in the present step.
    fn passive_step(&self) -> PassiveStep<'_> {
        let Self { loads, phase, pressed, constants, nodes, .. } = self;
        PassiveStep { loads, phase: *phase, pressed, constants: *constants, nodes: *nodes }
    }

    /// The operands of the layer's kernels in the present step.
    pub(crate) fn current_step(&self) -> LayerStep<'_> {
        LayerStep {
            loads: &self.loads,
            single: SingleTouchCoefficients::new(self.layer_touches[0].coefficients, self.phase, self.constants),
            phase: self.phase,
            pressed: &self.pressed,
            constants: self.constants,
            nodes: self.nodes,
        }
    }

    /// What the layer does at a node, counted from the first.
    fn at(&self, node: usize) -> NodeLoad {
        if let Some(passive) = &self.passive {
            return passive.load(self.passive_step(), node);
        }
        let (now, ahead) = (self.loads.at(node, self.phase.now), self.loads.at(node, self.phase.ahead));
        let LayerConstants { sigma0, k, .. } = self.constants;
        let drag = (now.damping * (1.0 + now.mass) + sigma0 * now.mass) * k;
        NodeLoad { gamma: ahead.mass, kappa: ahead.stiffness, drag }
    }

    /// What is left of the inverse mass of a state node under the layer.
    pub fn mass_ratio(&self, node: usize) -> f64 {
        let NodeLoad { gamma, kappa, drag } = self.at(node - self.nodes.origin);
        self.constants.free_diagonal / (self.constants.free_diagonal + gamma + drag + kappa)
    }

    /// Adds the layer's part to the account of a step just taken.
    pub fn balance(&self, weights: &PlateWeights, density: f64, state: &State, balance: &mut ElementEnergy) {
        let sums = match &self.passive {
            Some(passive) => passive.sums(self.passive_step(), weights, state),
            None => {
                let mut sums = LayerSums::default();
                let fields = [&state.u[..], &state.du, &state.du_prev];
                run(
                    state.machine,
                    LayerSumKernel { layer_step: self.current_step(), weights, fields, sums: &mut sums },
                );
                sums
            }
        };
        let energy_factor = 0.5 * density * self.grid.spacing.powi(2) / self.constants.k.powi(2);
        balance.stored += energy_factor * sums.stored;
        balance.magnitude += energy_factor * sums.stored;
        balance.dissipated += energy_factor * sums.dissipated;
        balance.touch_work += energy_factor * sums.touch_work;
        balance.touch_stored += energy_factor * sums.stored;
        balance.touch_dissipated += energy_factor * sums.dissipated;
    }

    /// Mass \[kg\] and stiffness \[N/m\] added to a node of the given mass.
    pub fn touch_load(&self, i: usize, j: usize, mass: f64, k: f64) -> (f64, f64) {
        let NodeLoad { gamma, kappa, .. } = self.at(j * self.nodes.stride + i);
        // γ = λ̄/ρH and κ = ¼(k²/ρH)k̄.
        (mass * gamma, mass * 4.0 * kappa / (k * k))
    }

    /// Sets the pressure image of an image touch; it takes effect at the next control update.
    /// Returns false where there is no such touch or image.
    pub fn set_pressure_image(&mut self, touch: usize, width: usize, values: &[f64]) -> bool {
        let layer_touch = self.layer_touches.get_mut(touch).filter(|layer_touch| layer_touch.is_image());
        let Some((layer_touch, image)) = layer_touch.zip(PressureImage::new(width, values)) else { return false };
        image.resample(&self.grid, self.nodes.stride, &mut layer_touch.covered, &mut self.scratch);
        true
    }
}

/// The touch that a patch is.
fn patch_touch(patch: &Patch) -> Touch {
    let region = Region::Circle { centre: patch.centre.map(Control::Constant), radius: patch.radius.into() };
    Touch { region, pressure: 1.0.into(), mass: patch.surface_density, stiffness: 0.0, damping: 0.0 }
}

/// Largest κ = ¼(k²/ρH)k̄: a node under it moves by a millionth of what it would, which costs few digits.
const MAX_STIFFNESS: f64 = 1e6;

fn check_stiffness(stiffness: f64, density: f64, check: Check, k: f64) -> Result<(), CompileError> {
    let maximum = 4.0 * MAX_STIFFNESS * density / (k * k);
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
    use crate::element::simd::Machine;
    use crate::element::simd::{ByLane, Kernel, LANES, field};
    use proptest::prelude::*;

    const ROWS: usize = 3;
    const STRIDE: usize = 2 * LANES;
    const K: f64 = 1.0 / 44_100.0;

    /// Touches with pressures at random, n samples after a control update of which there is one in four.
    fn layer(pressures: &[[f64; 3]], touch_coefficients: &[[f64; 3]], n: usize) -> ContactLayer {
        let layer_touch = |&[mass, stiffness, damping]: &[f64; 3]| {
            let touch = Touch { region: Region::Everywhere, pressure: 1.0.into(), mass, stiffness: 0.0, damping };
            let decay = DecayLength::Infinite;
            LayerTouch::new(&touch, TouchCoefficients { mass, stiffness, damping }, decay, 0)
        };
        let layer_touches: Vec<_> = touch_coefficients.iter().map(layer_touch).collect();
        let touch_coefficients: Vec<_> = layer_touches.iter().map(|layer_touch| layer_touch.coefficients).collect();
        let mut loads = Loads::new(&touch_coefficients, ROWS * STRIDE);
        for update in 0..3 {
            loads.push_frame();
            for (index, &coefficients) in touch_coefficients.iter().enumerate() {
                let covered: Vec<_> = (0..ROWS * STRIDE).map(|node| pressure(pressures, index, node)[update]).collect();
                loads.add_touch(coefficients, 1.0, &covered);
            }
        }
        let at = |samples: f64| (n as f64 + samples) / 4.0;
        let [spacing, least_spacing] = [0.1; 2];
        let grid = PlateGrid { intervals: [STRIDE - 2, ROWS - 1], margin: 0, spacing, least_spacing, size: [1.0; 2] };
        ContactLayer {
            layer_touches,
            loads,
            passive: None,
            interval: 4,
            phase: ControlPhase { now: at(0.0), ahead: at(0.5), behind: at(-0.5) },
            pressed: vec![0..STRIDE, LANES..STRIDE, 0..0],
            scratch: Vec::new(),
            constants: LayerConstants { free_diagonal: 1.0 + 3.0 * K, sigma0: 3.0, k: K },
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
        for (touch, LayerTouch { coefficients, .. }) in layer.layer_touches.iter().enumerate() {
            let [past, start, end] = pressure(pressures, touch, node);
            let at = |share: f64| start + share * if share < 0.0 { start - past } else { end - start };
            mass += coefficients.mass * at(layer.phase.now);
            damping += coefficients.damping * at(layer.phase.now);
            for (half, share) in halves.iter_mut().zip([layer.phase.ahead, layer.phase.behind]) {
                half[0] += coefficients.mass * at(share);
                half[1] += coefficients.stiffness * at(share);
            }
        }
        let [[gamma, kappa], [gamma_behind, kappa_behind]] = halves;
        let drag = (damping * (1.0 + mass) + layer.constants.sigma0 * mass) * K;
        (layer.constants.free_diagonal * next + (gamma_behind - drag + kappa_behind) * du
            - 2.0 * (kappa + kappa_behind) * u)
            / (layer.constants.free_diagonal + gamma + drag + kappa)
    }

    proptest! {
        #[test]
        fn vectors_of_every_width_press_as_the_equations_do(
            pressures in prop::collection::vec(prop::array::uniform3(0.0..1.0), 5..40),
            touch_coefficients in prop::collection::vec([0.0..5.0, 0.0..3.0, 0.0..1e4], 1..4),
            fields in prop::collection::vec(prop::array::uniform3(-1.0..1.0), ROWS * STRIDE),
            n in 0..4_usize,
        ) {
            let layer = layer(&pressures, &touch_coefficients, n);
            let field_of = |part: usize| {
                let mut field = field(LANES + ROWS * STRIDE);
                fields.iter().enumerate().for_each(|(node, values)| field[LANES + node] = values[part]);
                field
            };
            let [u, next, du] = [0, 1, 2].map(field_of);
            let [mut widest, mut narrowest] = [next.clone(), next.clone()];
            let layer_step = layer.current_step();
            run(Machine::new(false), ApplyLayer { layer_step, fields: (&u[LANES..], &mut widest[LANES..], &du[LANES..]) });
            let plainly = (&u[LANES..], &mut narrowest[LANES..], &du[LANES..]);
            ApplyLayer { layer_step, fields: plainly }.run(pulp::Scalar, ByLane);
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
