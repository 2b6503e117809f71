//! A string or bar in its own modes: true pitch and decay at any sample rate.
//!
//! Modes       in closed form (`modes`) or, where the thickness changes, by the method of Ritz (`profiled_modes`): all below 0.95 of
//!             half the sample rate, stepped with their exact roots (`mode_group`)
//! Places      that move weigh the modes as those that stand still do (`waves`, `piecewise`)
//! Limits      nothing that acts along the whole length, few places at which forces act
//! Views       the grid is for looking at it: displacements there are sums over the modes
//! Allocates   in all but `balance`
//! Reference   Morse and Ingard (1968), Theoretical Acoustics, ch. 4 and 5

use crate::control::moving_point::{ModeWeights, MovingPoint};
use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, NodeReader, Site, UsedPlace, WeightedNodes, scaled};
use crate::element::line::grid::{Grid, LineMaterial};
use crate::element::line::mode_shape::{LineShapes, ModeShape, sinc};
use crate::element::line::modes::modes;
use crate::element::line::piecewise::PiecewiseWeights;
use crate::element::line::place::{fraction_along, path_along};
use crate::element::line::profiled_modes::{NoModes, profiled_modes};
use crate::element::line::waves::LineWaves;
use crate::element::operators::Operators;
use crate::element::oscillator::mode_group::{MAX_NYQUIST_FRACTION, ModeConstants, ModeGroup};
use crate::element::place_user::PlaceUser;
use crate::element::state::{NodeField, State};
use crate::element::stretch::{StretchForm, axial_stiffness, max_added_to_line};
use crate::error::CompileError;
use crate::model::{End, PathPlace, Place, Profile, Quantity, Shape};
use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

/// With more places at which forces act, nodes are cheaper.
const MAX_FORCE_PLACES: usize = 8;
/// With more intervals of the finest stable grid, nodes are cheaper, and finding the modes takes long.
const MAX_INTERVALS: f64 = 1000.0;
/// Fewest intervals of the grid for views.
const MIN_VIEW_INTERVALS: usize = 24;

/// The modes of a line.
#[derive(Clone, Debug)]
pub(crate) struct LineModes {
    pub constants: Vec<ModeConstants>,
    pub shapes: LineShapes,
}

/// A string or bar in its modes.
#[derive(Clone, Debug)]
pub(crate) struct ModalLine {
    material: LineMaterial,
    shapes: LineShapes,
    modes: ModeGroup,
    /// The shapes at places that move.
    weights: Arc<dyn ModeWeights>,
    grid: Grid,
}

/// Whether nothing acts along the whole length.
fn are_points(used_places: &[UsedPlace]) -> bool {
    used_places.iter().all(|used| matches!(used.place, None | Some(Place::Along(_))))
}

/// Whether the slopes of its modes are orthogonal, as those of sines are.
fn has_orthogonal_slopes(material: &LineMaterial) -> bool {
    material.bending == 0.0 || material.ends == [End::SimplySupported; 2]
}

impl ModalLine {
    /// The modes of a line; `None` where the rest of the model does what cannot be done in modes, the modes are unknown, none is
    /// below half the sample rate, or too many are.
    pub fn modes(material: &LineMaterial, k: f64, used_places: &[UsedPlace]) -> Option<LineModes> {
        let few = used_places.iter().filter(|used| used.pushes).count() <= MAX_FORCE_PLACES
            && material.lossless_intervals(k) <= MAX_INTERVALS;
        let is_stretched = used_places.iter().any(|used| used.stretches);
        let can_stretch = !is_stretched || has_orthogonal_slopes(material);
        let modes = if are_points(used_places) && few && can_stretch {
            modes(material, MAX_NYQUIST_FRACTION * PI / k)
        } else {
            None
        };
        let modes = modes.filter(|modes| !modes.is_empty())?;
        let (constants, shapes) = modes.into_iter().map(|mode| (mode.constants, mode.shape)).unzip();
        Some(LineModes { constants, shapes: LineShapes::Waves(shapes) })
    }

    /// The modes of a bar whose thickness changes; else why it cannot be stepped in them.
    pub fn profiled_modes(
        material: &LineMaterial,
        profile: &Profile,
        k: f64,
        used_places: &[UsedPlace],
    ) -> Result<LineModes, &'static str> {
        if !are_points(used_places) {
            return Err("something acts along its whole length");
        }
        match profiled_modes(material, profile, MAX_NYQUIST_FRACTION * PI / k) {
            Ok((constants, shapes)) if !constants.is_empty() => {
                Ok(LineModes { constants, shapes: LineShapes::Piecewise(shapes) })
            }
            Ok(_) => Err("none is below half the sample rate"),
            Err(NoModes::TooMany) => Err("it has too many below half the sample rate"),
            Err(NoModes::NotFound) => Err("they are not found"),
        }
    }

    /// In the given modes, with its displacement and velocity at the start.
    pub fn new(
        material: LineMaterial,
        LineModes { constants, shapes }: LineModes,
        body_mass: f64,
        start: [Shape; 2],
        site: &mut Site<'_>,
    ) -> Self {
        let k = site.k;
        let group = ModeGroup::new(constants.clone(), body_mass, site);
        let [displacements, velocities] = start.map(|shape| shapes.amplitudes(shape));
        for (((node, mode), displacement), velocity) in group.nodes().zip(&constants).zip(displacements).zip(velocities)
        {
            site.state.u[node] = displacement;
            // q = (v/ω) sin ωt has moved by this at t = k.
            site.state.du[node] = velocity * k * sinc(mode.omega * k);
        }
        let least_spacing = material.least_spacing(k);
        let intervals = ((material.length / least_spacing) as usize).max(MIN_VIEW_INTERVALS);
        let grid = Grid { intervals, spacing: material.length / intervals as f64, least_spacing };
        let weights: Arc<dyn ModeWeights> = match &shapes {
            LineShapes::Waves(shapes) => Arc::new(LineWaves::new(shapes, group.nodes(), site.state.machine)),
            LineShapes::Piecewise(shapes) => {
                Arc::new(PiecewiseWeights { shapes: shapes.clone(), nodes: group.nodes() })
            }
        };
        Self { material, shapes, modes: group, weights, grid }
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

    fn stretch_form(&self, k: f64) -> Option<StretchForm> {
        let LineShapes::Waves(shapes) = &self.shapes else { return None };
        let can_stretch = self.material.is_held() && has_orthogonal_slopes(&self.material);
        let slopes = shapes.iter().map(|shape| shape.derivative().square_integral());
        let modes = self.modes.stretched(slopes);
        let [stiffness, max_added] = [axial_stiffness(&self.material), max_added_to_line(&self.material)];
        can_stretch.then(|| StretchForm::in_modes(self.modes.nodes(), modes, stiffness, max_added, k))
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(self.modes.weighted(self.shapes.at(at)))
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(Attachment::Nodes(self.modes.weighted_for_contacts(self.shapes.at(at))))
    }

    fn spread(&self, place: Place, width: f64, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        if width == 0.0 {
            return self.nodes_at(place, user);
        }
        let bump = Shape::RaisedCosine { at: fraction_along(place, user)?, width, height: 1.0 };
        let whole = ModeShape::straight(1.0, 0.0, self.material.length).project(bump);
        let weights = self.shapes.project(bump, self.material.length);
        Ok(self.modes.weighted(weights.into_iter().map(|weight| weight / whole).collect()))
    }

    fn moving_point(&self, path: &PathPlace, user: PlaceUser) -> Result<MovingPoint, CompileError> {
        Ok(MovingPoint::in_modes(self.weights.clone(), path_along(path, user)?))
    }

    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(match quantity {
            Quantity::Displacement => NodeReader::Displacement(self.nodes_at(place, user)?),
            Quantity::Velocity => NodeReader::Velocity(scaled(self.nodes_at(place, user)?, 1.0 / k)),
            Quantity::Force => NodeReader::Displacement(self.modes.weighted(self.shapes.force(at, &self.material))),
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
        let value = |at: f64| self.shapes.at(at).iter().zip(&amplitudes).map(|(shape, q)| shape * q).sum();
        Some(self.grid_places().map(value).collect())
    }

    fn line_view_cache(&self, nodes: &[usize]) -> Vec<f64> {
        let places: Vec<f64> = self.grid_places().collect();
        nodes.iter().filter_map(|&node| places.get(node)).flat_map(|&at| self.shapes.at(at)).collect()
    }

    fn read_line(&self, _nodes: &[usize], cache: &[f64], state: &State, values: &mut [f64]) {
        for (value, shapes) in values.iter_mut().zip(cache.chunks_exact(self.modes.len())) {
            let amplitudes = self.modes.amplitudes(NodeField::Displacement, state);
            *value = shapes.iter().zip(amplitudes).map(|(shape, amplitude)| shape * amplitude).sum();
        }
    }

    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        let shapes: Vec<Vec<f64>> = self.grid_places().map(|at| self.shapes.at(at)).collect();
        let of_mode = |mode: usize| shapes.iter().map(|at_place| at_place[mode]).collect();
        Some(Operators {
            places: self.grid_places().map(Place::Along).collect(),
            mode_shapes: (0..self.modes.len()).map(of_mode).collect(),
            ..self.modes.operators(k)
        })
    }
}
