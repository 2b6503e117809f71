//! A plate or membrane in its own modes: true pitch and decay at any sample rate.
//!
//! Modes       of continuous space (`modes`), all below 0.95 of half the sample rate, stepped with their exact roots (`mode_group`)
//! Places      that move: where the shapes are products (`separable`)
//! Limits      no touches, few places at which forces act, not too many modes
//! Views       the grid is for looking at it: displacements there are sums over the modes
//! Allocates   in all but `balance` and `read_grid`

use crate::control::moving_point::{ModeWeights, MovingPoint};
use crate::element::balance::ElementEnergy;
use crate::element::body::{Attachment, Body, GridSelection, Site, UsedPlace, WeightedNodes};
use crate::element::operators::Operators;
use crate::element::oscillator::mode_group::{MAX_NYQUIST_FRACTION, ModeGroup};
use crate::element::place_user::PlaceUser;
use crate::element::plate::exact::modes::PlateModes;
use crate::element::plate::exact::swept_volume::swept_volumes;
use crate::element::plate::grid::{PlateGrid, PlateMaterial};
use crate::element::plate::place::{OUTSIDE_RIM, fractions, path_over};
use crate::element::state::{NodeField, State};
use crate::element::stretch::{StretchForm, max_added_to_membrane};
use crate::error::{Check, CompileError, Subject};
use crate::model::{Method, Outline, PathPlace, Place, Plate};
use std::f64::consts::{PI, SQRT_2};
use std::ops::Range;
use std::sync::Arc;

/// With more places at which forces act, nodes are cheaper.
const MAX_FORCE_PLACES: usize = 8;

/// A plate in its own modes.
#[derive(Clone, Debug)]
pub(crate) struct ExactPlate {
    shapes: PlateModes,
    modes: ModeGroup,
    /// The shapes at places that move, where they are known.
    moving: Option<Arc<dyn ModeWeights>>,
    grid: PlateGrid,
    is_round: bool,
    /// \[m\].
    size: [f64; 2],
    material: PlateMaterial,
    /// Whether its area is stretched by moving.
    is_stretched: bool,
}

impl ExactPlate {
    /// Whether a plate can be stepped in its own modes, and they are quickly found.
    pub fn can_build(plate: &Plate, k: f64, used_places: &[UsedPlace]) -> bool {
        let Ok(material) = PlateMaterial::of(plate, Check(Subject::Model)) else { return false };
        plate.method == Method::Modes
            && plate.grid.is_none()
            && plate.touches.is_empty()
            && used_places.iter().all(|used| match used.place {
                None if used.stretches => PlateModes::has_orthogonal_slopes(plate, &material),
                // All of it where it encloses air.
                Some(place) => matches!(place, Place::On(_) | Place::Whole) && !used.is_along,
                None => PlateModes::can_move(plate, &material),
            })
            && used_places.iter().filter(|used| used.pushes).count() <= MAX_FORCE_PLACES
            && PlateModes::can_be_found(plate, &material, MAX_NYQUIST_FRACTION * PI / k)
    }

    /// Of a plate for which [`Self::can_build`] is true.
    pub fn new(plate: &Plate, site: &mut Site<'_>) -> Result<Self, CompileError> {
        let (check, k) = (site.check, site.k);
        let material = PlateMaterial::of(plate, check)?;
        let least_spacing = material.least_spacing(plate, k);
        let shapes =
            PlateModes::new(plate, &material, MAX_NYQUIST_FRACTION * PI / k).filter(|shapes| !shapes.modes.is_empty());
        let Some(shapes) = shapes else {
            // So small a plate has no grid either, for which there is a message.
            PlateGrid::choose(plate, least_spacing, check, k)?;
            return Err(CompileError::GridTooCoarse { subject: check.0, intervals: 0, rate: 1.0 / k });
        };
        let is_round = plate.outline == Outline::Disc;
        let area = area(plate.size, is_round);
        let added = plate.patches.iter().map(|patch| patch.surface_density * PI * patch.radius.powi(2)).sum::<f64>();
        let modes = ModeGroup::new(shapes.modes.clone(), material.surface_density * area + added, site);
        let grid = PlateGrid::for_views(plate, least_spacing);
        let moving = shapes.moving(modes.nodes(), site.state.machine);
        let is_stretched = material.is_stretched(plate) && PlateModes::has_orthogonal_slopes(plate, &material);
        Ok(Self { shapes, modes, moving, grid, is_round, size: plate.size, material, is_stretched })
    }

    fn place(&self, place: Place, user: PlaceUser) -> Result<[f64; 2], CompileError> {
        let at = fractions(place, user)?;
        if self.is_round && from_centre(at) > 0.5 * (1.0 + 1e-9) {
            return user.naming("a round plate").refuse(OUTSIDE_RIM);
        }
        Ok(at)
    }

    /// Number of nodes of the grid along each axis.
    fn nodes_across(&self) -> [usize; 2] {
        self.grid.intervals.map(|intervals| intervals + 1)
    }

    fn fraction_of(&self, (i, j): (usize, usize)) -> [f64; 2] {
        [self.grid.fraction(0, i), self.grid.fraction(1, j)]
    }

    /// Whether a node of the grid has a value: outside the rim, as on the grid of a round plate, those of the cells that the rim cuts.
    /// They have the value of the rim next to them.
    fn has_node(&self, (i, j): (usize, usize)) -> bool {
        let [columns, rows] = self.nodes_across();
        let cell = SQRT_2 / (columns - 1 - 2 * self.grid.margin) as f64;
        i < columns && j < rows && (!self.is_round || from_centre(self.fraction_of((i, j))) <= 0.5 + cell)
    }

    /// Shapes at the nodes of the grid in given columns and rows, row by row, mode by mode at each; 0 outside.
    fn shapes_at(&self, columns: &[usize], rows: &[usize]) -> Vec<f64> {
        let fractions = |axis: usize, nodes: &[usize]| -> Vec<f64> {
            nodes.iter().map(|&node| self.grid.fraction(axis, node)).collect()
        };
        let mut shapes = self.shapes.on_grid(&fractions(0, columns), &fractions(1, rows));
        let nodes = rows.iter().flat_map(|&j| columns.iter().map(move |&i| (i, j)));
        for (shape, node) in shapes.chunks_exact_mut(self.modes.len()).zip(nodes) {
            if !self.has_node(node) {
                shape.fill(0.0);
            }
        }
        shapes
    }
}

/// Of a rectangle with these sides, or of the disc within \[m²\].
fn area([width, height]: [f64; 2], is_round: bool) -> f64 {
    width * height * if is_round { 0.25 * PI } else { 1.0 }
}

/// Distance of a place on a round plate from its centre, as a fraction of the diameter.
fn from_centre([x, y]: [f64; 2]) -> f64 {
    (x - 0.5).hypot(y - 0.5)
}

impl Body for ExactPlate {
    fn predict(&mut self, _state: &mut State) {}

    fn is_in_bank(&self) -> bool {
        true
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        self.modes.balance(state)
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        Ok(self.modes.weighted(self.shapes.at(self.place(place, user)?)))
    }

    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        let shapes = self.shapes.at(self.place(place, user)?);
        Ok(Attachment::Nodes(self.modes.weighted_for_contacts(shapes)))
    }

    fn stretch_form(&self, k: f64) -> Option<StretchForm> {
        let modes = self.modes.stretched(self.shapes.slopes(&self.material));
        let stiffness = self.material.stretching / area(self.size, self.is_round);
        let max_added = max_added_to_membrane(&self.material);
        self.is_stretched.then(|| StretchForm::in_modes(self.modes.nodes(), modes, stiffness, max_added, k))
    }

    fn swept_volume(&self, _user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        Ok(self.modes.weighted(swept_volumes(&self.shapes, self.size, self.is_round)))
    }

    fn moving_point(&self, path: &PathPlace, user: PlaceUser) -> Result<MovingPoint, CompileError> {
        let path = path_over(path, user)?;
        match &self.moving {
            Some(shapes) => Ok(MovingPoint::in_modes(shapes.clone(), path)),
            None => user.naming("a plate in these modes").refuse("its places stand still"),
        }
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

    fn plate_grid(&self) -> Option<PlateGrid> {
        Some(self.grid)
    }

    /// The amplitudes of the modes come first, then the shapes at every selected node.
    fn view_cache(&self, selection: GridSelection<'_>) -> Vec<f64> {
        let mut cache = vec![0.0; self.modes.len()];
        cache.extend(self.shapes_at(selection.columns, selection.rows));
        cache
    }

    fn read_grid(
        &self,
        _selection: GridSelection<'_>,
        cache: &mut [f64],
        (field, state): (NodeField, &State),
        values: &mut [f64],
    ) -> bool {
        let modes = self.modes.len();
        if cache.len() != modes * (values.len() + 1) {
            return false;
        }
        let (amplitudes, shapes) = cache.split_at_mut(modes);
        amplitudes.iter_mut().zip(self.modes.amplitudes(field, state)).for_each(|(to, from)| *to = from);
        for (value, shape) in values.iter_mut().zip(shapes.chunks_exact(modes)) {
            *value = shape.iter().zip(&*amplitudes).map(|(shape, amplitude)| shape * amplitude).sum();
        }
        true
    }

    fn operators(&self, _state: &State, k: f64) -> Option<Operators> {
        let [columns, rows] = self.nodes_across().map(|count| (0..count).collect::<Vec<_>>());
        let shapes = self.shapes_at(&columns, &rows);
        let nodes = rows.iter().flat_map(|&j| columns.iter().map(move |&i| (i, j)));
        let moving: Vec<_> = nodes.enumerate().filter(|&(_, node)| self.has_node(node)).collect();
        let modes = self.modes.len();
        let shape = |mode: usize| moving.iter().map(|(index, _)| shapes[index * modes + mode]).collect();
        Some(Operators {
            places: moving.iter().map(|&(_, node)| Place::On(self.fraction_of(node))).collect(),
            grid: moving.iter().map(|&(_, node)| node).collect(),
            mode_shapes: (0..modes).map(shape).collect(),
            ..self.modes.operators(k)
        })
    }
}
