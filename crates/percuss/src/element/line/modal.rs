//! A string or bar in its own modes: true pitch and decay at any sample rate.
//!
//! Modes       in closed form (`modes`), all below 0.95 of half the sample rate
//! Update      one exact oscillator for each (`oscillator/modal`), stepped with the bank
//! Places      weigh every mode with its shape there, so that all rows of the line are coupled
//! Energy      H = Σ ½m(δt−q)² + ½mΩ²q q⁻,   Q = Σ 2mς(δt·q)²
//! Limits      no place that moves, nothing that acts along the whole length, few places at which forces act
//! Views       the grid is for looking at it: displacements there are sums over the modes
//! Allocates   in all but `balance`
//! Reference   Morse and Ingard (1968), Theoretical Acoustics, ch. 4 and 5

use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, NodeReader, Site, UsedPlace, WeightedNodes, scaled};
use crate::element::line::grid::{Grid, LineMaterial};
use crate::element::line::mode_shape::{ModeShape, sinc};
use crate::element::line::modes::{LineMode, modes, partials};
use crate::element::line::place::fraction_along;
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Oscillator;
use crate::element::oscillator::group::OscillatorGroup;
use crate::element::oscillator::modal::{exact_oscillator, half_step_gain, overdamped_oscillator};
use crate::element::place_user::PlaceUser;
use crate::element::state::{NodeField, State};
use crate::error::CompileError;
use crate::model::{End, Place, Quantity, Shape};
use std::f64::consts::PI;
use std::ops::Range;

/// With more places at which forces act, nodes are cheaper.
const MOST_PLACES: usize = 8;
/// With more intervals of the finest stable grid, nodes are cheaper, and finding the modes takes long.
const MOST_INTERVALS: f64 = 1000.0;
/// Highest mode, over half the sample rate. Towards that, kinetic and potential energy of a mode become opposite numbers, whose sum
/// loses digits: here two.
const HIGHEST: f64 = 0.95;
/// Fewest intervals of the grid for views.
const LEAST_INTERVALS: usize = 24;

/// A string or bar in its modes.
#[derive(Clone, Debug)]
pub(crate) struct ModalLine {
    material: LineMaterial,
    modes: Vec<LineMode>,
    oscillators: OscillatorGroup,
    /// Of every mode, 1 over sin(ωk/2)/(ωk/2): see `oscillator/modal`.
    contact_gains: Vec<f64>,
    grid: Grid,
}

impl ModalLine {
    /// The modes of a line; `None` where the rest of the model does what cannot be done in modes, the modes are unknown, none is
    /// below half the sample rate, or too many are.
    pub fn modes(material: &LineMaterial, k: f64, used_places: Option<&[UsedPlace]>) -> Option<Vec<LineMode>> {
        let places = used_places?;
        let are_points = places.iter().all(|used| matches!(used.place, Place::Along(_)));
        let few = places.iter().filter(|used| used.pushes).count() <= MOST_PLACES
            && material.lossless_intervals(k) <= MOST_INTERVALS;
        let modes = if are_points && few { modes(material, HIGHEST * PI / k) } else { None };
        modes.filter(|modes| !modes.is_empty())
    }

    /// In the given modes, with its displacement and velocity at the start.
    pub fn new(material: LineMaterial, modes: Vec<LineMode>, start: [Shape; 2], site: &mut Site<'_>) -> Self {
        let k = site.k;
        let mut oscillators = OscillatorGroup::new(site);
        for mode in &modes {
            let node = oscillators.push(oscillator(mode, k), site);
            let [displacement, velocity] =
                start.map(|shape| mode.shape.project(shape) / mode.square_integral(&material));
            site.state.u[node] = displacement;
            // q = (v/ω) sin ωt has moved by this at t = k.
            site.state.du[node] = velocity * k * sinc(mode.omega * k);
        }
        let contact_gains = modes.iter().map(|mode| half_step_gain(mode.omega, k).recip()).collect();
        let least_spacing = material.least_spacing(k);
        let intervals = ((material.length / least_spacing) as usize).max(LEAST_INTERVALS);
        let grid = Grid { intervals, spacing: material.length / intervals as f64, least_spacing };
        Self { material, modes, oscillators, contact_gains, grid }
    }

    /// Modes with a weight for each; none where all weights are rounding.
    fn weighted(&self, weight: impl Fn(&ModeShape) -> f64) -> WeightedNodes {
        let weights: Vec<f64> = self.modes.iter().map(|mode| weight(&mode.shape)).collect();
        let held = |(mode, weight): (&LineMode, &f64)| {
            weight.powi(2) * self.material.length <= 1e-24 * mode.square_integral(&self.material)
        };
        if self.modes.iter().zip(&weights).all(held) {
            return Vec::new();
        }
        self.oscillators.nodes.clone().zip(weights).collect()
    }

    /// Places of the moving nodes of the grid, as fractions of the length.
    fn grid_places(&self) -> impl Iterator<Item = f64> {
        let [first, last] = self.material.ends.map(|end| usize::from(end != End::Free));
        (first..=self.grid.intervals - last).map(|node| node as f64 / self.grid.intervals as f64)
    }

    fn shape_at(&self, shape: &ModeShape, at: f64) -> f64 {
        shape.at(at * self.material.length)
    }
}

fn oscillator(mode: &LineMode, k: f64) -> Oscillator {
    let LineMode { mass, omega, sigma, .. } = *mode;
    // A rigid motion without loss has σ = ω = 0.
    if sigma > omega {
        overdamped_oscillator(mass, omega, sigma, k)
    } else {
        exact_oscillator(mass, mode.damped(), sigma, k)
    }
}

impl Body for ModalLine {
    fn predict(&mut self, _state: &mut State) {}

    fn is_in_bank(&self) -> bool {
        true
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        self.oscillators.balance(state)
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(self.weighted(|shape| self.shape_at(shape, at)))
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        let mut nodes = self.nodes_at(place, user)?;
        nodes.iter_mut().zip(&self.contact_gains).for_each(|((_, weight), gain)| *weight *= gain);
        Ok(Attachment::Nodes(nodes))
    }

    fn spread(&self, place: Place, width: f64, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        if width == 0.0 {
            return self.nodes_at(place, user);
        }
        let bump = Shape::RaisedCosine { at: fraction_along(place, user)?, width, height: 1.0 };
        let whole = ModeShape::straight(1.0, 0.0, self.material.length).project(bump);
        Ok(self.weighted(|shape| shape.project(bump) / whole))
    }

    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let at = fraction_along(place, user)?;
        let LineMaterial { tension, bending, length, .. } = self.material;
        Ok(match quantity {
            Quantity::Displacement => NodeReader::Displacement(self.nodes_at(place, user)?),
            Quantity::Velocity => NodeReader::Velocity(scaled(self.nodes_at(place, user)?, 1.0 / k)),
            Quantity::Force => NodeReader::Displacement(self.weighted(|shape| {
                let slope = shape.derivative();
                tension * slope.at(at * length) - bending * slope.derivative().derivative().at(at * length)
            })),
        })
    }

    fn nodes(&self) -> Range<usize> {
        self.oscillators.nodes.clone()
    }

    fn mode_count(&self) -> Option<usize> {
        Some(self.modes.len())
    }

    fn partials(&self, _k: f64) -> Option<Vec<f64>> {
        Some(partials(&self.modes))
    }

    fn grid(&self) -> Option<Grid> {
        Some(self.grid)
    }

    fn line_values(&self, field: NodeField, state: &State) -> Option<Vec<f64>> {
        let amplitude = |node: usize| match field {
            NodeField::Displacement => state.displacement(node),
            NodeField::Increment => state.du[node],
        };
        let value = |at: f64| {
            let modes = self.modes.iter().zip(self.oscillators.nodes.clone());
            modes.map(|(mode, node)| self.shape_at(&mode.shape, at) * amplitude(node)).sum()
        };
        Some(self.grid_places().map(value).collect())
    }

    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        let shape = |mode: &LineMode| self.grid_places().map(|at| self.shape_at(&mode.shape, at)).collect();
        Some(Operators {
            places: self.grid_places().map(Place::Along).collect(),
            mode_shapes: self.modes.iter().map(shape).collect(),
            ..self.oscillators.exact_operators(self.modes.iter().map(LineMode::damped), k)
        })
    }
}
