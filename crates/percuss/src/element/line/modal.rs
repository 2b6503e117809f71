//! A string or bar in its own modes: true pitch and decay at any sample rate.
//!
//! Modes       in closed form (`modes`), all below 0.95 of half the sample rate, stepped with their exact roots (`mode_group`)
//! Limits      no place that moves, nothing that acts along the whole length, few places at which forces act
//! Views       the grid is for looking at it: displacements there are sums over the modes
//! Allocates   in all but `balance`
//! Reference   Morse and Ingard (1968), Theoretical Acoustics, ch. 4 and 5

use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, NodeReader, Site, UsedPlace, WeightedNodes, scaled};
use crate::element::line::grid::{Grid, LineMaterial};
use crate::element::line::mode_shape::{ModeShape, sinc};
use crate::element::line::modes::{LineMode, modes};
use crate::element::line::place::fraction_along;
use crate::element::operators::Operators;
use crate::element::oscillator::mode_group::{MAX_NYQUIST_FRACTION, ModeGroup};
use crate::element::place_user::PlaceUser;
use crate::element::state::{NodeField, State};
use crate::error::CompileError;
use crate::model::{End, Place, Quantity, Shape};
use std::f64::consts::PI;
use std::ops::Range;

/// With more places at which forces act, nodes are cheaper.
const MAX_FORCE_PLACES: usize = 8;
/// With more intervals of the finest stable grid, nodes are cheaper, and finding the modes takes long.
const MAX_INTERVALS: f64 = 1000.0;
/// Fewest intervals of the grid for views.
const MIN_VIEW_INTERVALS: usize = 24;

/// A string or bar in its modes.
#[derive(Clone, Debug)]
pub(crate) struct ModalLine {
    material: LineMaterial,
    shapes: Vec<ModeShape>,
    modes: ModeGroup,
    grid: Grid,
}

impl ModalLine {
    /// The modes of a line; `None` where the rest of the model does what cannot be done in modes, the modes are unknown, none is
    /// below half the sample rate, or too many are.
    pub fn modes(material: &LineMaterial, k: f64, used_places: Option<&[UsedPlace]>) -> Option<Vec<LineMode>> {
        let places = used_places?;
        let are_points = places.iter().all(|used| matches!(used.place, Place::Along(_)));
        let few = places.iter().filter(|used| used.pushes).count() <= MAX_FORCE_PLACES
            && material.lossless_intervals(k) <= MAX_INTERVALS;
        let modes = if are_points && few { modes(material, MAX_NYQUIST_FRACTION * PI / k) } else { None };
        modes.filter(|modes| !modes.is_empty())
    }

    /// In the given modes, with its displacement and velocity at the start.
    pub fn new(material: LineMaterial, modes: Vec<LineMode>, start: [Shape; 2], site: &mut Site<'_>) -> Self {
        let k = site.k;
        let body_mass = material.line_density * material.length;
        let group = ModeGroup::new(modes.iter().map(|mode| mode.constants).collect(), body_mass, site);
        for (node, mode) in group.nodes().zip(&modes) {
            let [displacement, velocity] =
                start.map(|shape| mode.shape.project(shape) / mode.square_integral(&material));
            site.state.u[node] = displacement;
            // q = (v/ω) sin ωt has moved by this at t = k.
            site.state.du[node] = velocity * k * sinc(mode.constants.omega * k);
        }
        let least_spacing = material.least_spacing(k);
        let intervals = ((material.length / least_spacing) as usize).max(MIN_VIEW_INTERVALS);
        let grid = Grid { intervals, spacing: material.length / intervals as f64, least_spacing };
        Self { material, shapes: modes.into_iter().map(|mode| mode.shape).collect(), modes: group, grid }
    }

    /// A weight for every mode.
    fn weights(&self, weight: impl Fn(&ModeShape) -> f64) -> Vec<f64> {
        self.shapes.iter().map(weight).collect()
    }

    /// The displacement of every mode at a fraction of the length.
    fn shapes_at(&self, at: f64) -> Vec<f64> {
        self.weights(|shape| shape.at(at * self.material.length))
    }

    /// Places of the moving nodes of the grid, as fractions of the length.
    fn grid_places(&self) -> impl Iterator<Item = f64> {
        let [first, last] = self.material.ends.map(|end| usize::from(end != End::Free));
        (first..=self.grid.intervals - last).map(|node| node as f64 / self.grid.intervals as f64)
    }
}

impl Body for ModalLine {
    fn predict(&mut self, _state: &mut State) {}

    fn is_in_bank(&self) -> bool {
        true
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        self.modes.balance(state)
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(self.modes.weighted(self.shapes_at(at)))
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(Attachment::Nodes(self.modes.weighted_for_contacts(self.shapes_at(at))))
    }

    fn spread(&self, place: Place, width: f64, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        if width == 0.0 {
            return self.nodes_at(place, user);
        }
        let bump = Shape::RaisedCosine { at: fraction_along(place, user)?, width, height: 1.0 };
        let whole = ModeShape::straight(1.0, 0.0, self.material.length).project(bump);
        Ok(self.modes.weighted(self.weights(|shape| shape.project(bump) / whole)))
    }

    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let at = fraction_along(place, user)?;
        let LineMaterial { tension, bending, length, .. } = self.material;
        Ok(match quantity {
            Quantity::Displacement => NodeReader::Displacement(self.nodes_at(place, user)?),
            Quantity::Velocity => NodeReader::Velocity(scaled(self.nodes_at(place, user)?, 1.0 / k)),
            Quantity::Force => NodeReader::Displacement(self.modes.weighted(self.weights(|shape| {
                let slope = shape.derivative();
                tension * slope.at(at * length) - bending * slope.derivative().derivative().at(at * length)
            }))),
        })
    }

    fn nodes(&self) -> Range<usize> {
        self.modes.nodes()
    }

    fn mode_count(&self) -> Option<usize> {
        Some(self.modes.len())
    }

    fn partials(&self, _k: f64) -> Option<Vec<f64>> {
        Some(self.modes.partials())
    }

    fn grid(&self) -> Option<Grid> {
        Some(self.grid)
    }

    fn line_values(&self, field: NodeField, state: &State) -> Option<Vec<f64>> {
        let amplitudes: Vec<f64> = self.modes.amplitudes(field, state).collect();
        let value = |at: f64| self.shapes_at(at).iter().zip(&amplitudes).map(|(shape, q)| shape * q).sum();
        Some(self.grid_places().map(value).collect())
    }

    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        let length = self.material.length;
        let shape = |shape: &ModeShape| self.grid_places().map(|at| shape.at(at * length)).collect();
        Some(Operators {
            places: self.grid_places().map(Place::Along).collect(),
            mode_shapes: self.shapes.iter().map(shape).collect(),
            ..self.modes.operators(k)
        })
    }
}
