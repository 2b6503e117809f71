//! The interface of elements to the rest of the engine.
//!
//! A description ([`Describe`]) builds a body; the body implements [`Body`]. A kind of body that leaves a method out has the
//! behaviour of its default: no pending forces, no controls, no grid to look at.
//!
//! Compliance  forces move node i by `State::inverse_mass[i]` per newton; `build` sets it, and `update_masses` changes it where it
//!             varies in time

use crate::control::moving_point::MovingPoint;
use crate::element::balance::ElementEnergy;
use crate::element::line::grid::Grid;
use crate::element::operators::Operators;
use crate::element::oscillator::bank::Bank;
use crate::element::place_user::PlaceUser;
use crate::element::plate::grid::PlateGrid;
use crate::element::state::{NodeField, State};
use crate::element::stretch::StretchForm;
use crate::error::{Check, CompileError};
use crate::model::{Control, PathPlace, Place, Quantity};
use std::ops::Range;

/// State nodes with the weights of an interpolation.
pub(crate) type WeightedNodes = Vec<(usize, f64)>;

/// What an interaction meets at a place.
#[derive(Clone, Debug)]
pub(crate) enum Attachment {
    /// Nodes that give way to forces.
    Nodes(WeightedNodes),
    /// A node with prescribed motion, and the height of the surface above it \[m\].
    Prescribed { node: usize, height: f64 },
}

/// How a pickup reads a body.
#[derive(Clone, Debug)]
pub(crate) enum NodeReader {
    Displacement(WeightedNodes),
    /// Weights on du, divided by k.
    Velocity(WeightedNodes),
    /// Weights on du⁺ − du, multiplied by M/k².
    Inertia(WeightedNodes),
    /// The prescribed height of a body.
    Height,
}

/// The part of a length that one node stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// Place of the node, as a fraction of the length.
    pub at: f64,
    /// Length of the cell \[m\].
    pub length: f64,
}

/// A selection of columns and rows of a plate's grid.
#[derive(Clone, Copy)]
pub(crate) struct GridSelection<'a> {
    pub columns: &'a [usize],
    pub rows: &'a [usize],
}

/// A place that the rest of the model uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UsedPlace {
    /// `None` if it moves.
    pub place: Option<Place>,
    /// Whether forces act there; otherwise it is only read.
    pub pushes: bool,
    /// Whether it is no place, but the tension that the length of the element adds.
    pub stretches: bool,
    /// Whether something lies along it from there on.
    pub is_along: bool,
}

/// What a body is built with.
pub(crate) struct Site<'a> {
    /// Time step \[s\].
    pub k: f64,
    /// For the parameters of the element.
    pub check: Check,
    /// Bodies append their nodes.
    pub state: &'a mut State,
    /// For oscillators, which are stepped together.
    pub bank: &'a mut Bank,
    /// Places of the element that interactions, exciters and pickups use.
    pub used_places: Vec<UsedPlace>,
}

/// Order in which nodes are placed in the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Placement {
    /// Oscillators come first, so that one kernel steps all of them.
    Bank,
    /// In the order of adding.
    Grid,
    /// Bodies with prescribed motion come last.
    Prescribed,
}

/// A description of which a body is built.
pub(crate) trait Describe {
    /// A listed kind of body, or a [`Choice`] of two.
    type Body;

    /// Where its nodes are placed, for a time step k \[s\] and the places that the rest of the model uses.
    fn placement(&self, _k: f64, _used_places: &[UsedPlace]) -> Placement {
        Placement::Grid
    }

    /// Checks the parameters, places nodes and sets their inverse masses and their displacement and velocity at the start.
    fn build(&self, site: &mut Site<'_>) -> Result<Self::Body, CompileError>;
}

/// A body of one of two kinds, where a description may be stepped by either.
pub(crate) enum Choice<A, B> {
    First(A),
    Second(B),
}

/// An element as it is stepped.
pub(crate) trait Body {
    // Stepping

    /// Whether the prediction of every step needs du beside du⁺.
    fn needs_previous(&self) -> bool {
        false
    }

    /// Whether its coefficients and inverse masses change in time. Only then are `begin_step` and `update_masses` called.
    fn varies_in_time(&self) -> bool {
        false
    }

    /// Decides how step n is predicted; returns whether that needs du beside du⁺. Called once, before the prediction.
    fn begin_step(&mut self, _n: u64) -> bool {
        false
    }

    /// Brings u up to date and turns du into du⁺ without contacts. Does nothing for a body in the bank.
    fn predict(&mut self, state: &mut State);

    /// Whether the bank of oscillators predicts it.
    fn is_in_bank(&self) -> bool {
        false
    }

    /// Applies forces of the last step that are still pending.
    fn apply_pending(&mut self, _state: &mut State) {}

    /// Drops pending forces: du is what was predicted.
    fn clear_pending(&mut self, _state: &State) {}

    /// Corrects the drift of rounding in what is stored twice.
    fn resync(&self, _state: &mut State) {}

    /// Tells a mass that comes and goes whether it is there. What is not there has no energy.
    fn set_present(&mut self, _present: bool) {}

    /// Advances prescribed motion to step n.
    fn advance(&mut self, _n: u64, _k: f64) {}

    /// Resets what it keeps outside the state to the start; the state has been reset.
    fn reset(&mut self, _state: &mut State, _k: f64) {}

    /// Updates the inverse masses of those of the nodes that are its own.
    fn update_masses(&self, _nodes: impl Iterator<Item = usize>, _state: &mut State)
    where
        Self: Sized,
    {
    }

    /// The energy after a step whose pending forces have been applied.
    fn balance(&self, state: &State, k: f64) -> ElementEnergy;

    // Controls

    /// All its controls.
    fn visit_controls(&mut self, _visit: &mut dyn FnMut(&mut Control)) {}

    /// Sets the pressure image of a touch; returns false where there is none.
    fn set_pressure_image(&mut self, _touch: usize, _width: usize, _values: &[f64]) -> bool {
        false
    }

    // Places

    /// Nodes and weights of a place. None where nothing can move.
    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError>;

    /// What an interaction meets at a place.
    fn attach(&self, place: Place, user: PlaceUser) -> Result<Attachment, CompileError> {
        Ok(Attachment::Nodes(self.nodes_at(place, user)?))
    }

    /// Nodes and weights of a force at a place, spread over `width` as a fraction of the length.
    fn spread(&self, place: Place, _width: f64, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        self.nodes_at(place, user)
    }

    /// The point that moves along a path.
    fn moving_point(&self, _path: &PathPlace, user: PlaceUser) -> Result<MovingPoint, CompileError> {
        user.refuse("only on strings, bars and plates can a place move")
    }

    /// How a pickup at a place is read.
    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let nodes = self.nodes_at(place, user)?;
        match quantity {
            Quantity::Displacement => Ok(NodeReader::Displacement(nodes)),
            Quantity::Velocity => Ok(NodeReader::Velocity(scaled(nodes, 1.0 / k))),
            Quantity::Force => user.refuse("it passes no force along; read the force of the interaction instead"),
        }
    }

    /// Nodes with the volume that each sweeps per displacement \[m²\]; none where it is rigid.
    fn swept_volume(&self, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        user.refuse("only plates and membranes, and barriers, enclose air")
    }

    /// Cells along its length, one for each moving node. None where it has no length.
    fn cells(&self) -> Vec<Cell> {
        Vec::new()
    }

    /// Of the cells of what lies along it, a fraction `spacing` apart, those that it meets.
    fn contact_cells(&self, cells: Vec<Cell>, _spacing: f64) -> Vec<Cell> {
        cells
    }

    /// How much longer it is than at rest; `None` where that does not add to its tension.
    fn stretch_form(&self, _k: f64) -> Option<StretchForm> {
        None
    }

    /// Displaces it at rest, for a function of the place in fractions of the sides. Returns false where it has no grid of nodes.
    fn deflect(&self, _shape: &dyn Fn([f64; 2]) -> f64, _state: &mut State) -> bool {
        false
    }

    /// The height that is prescribed \[m\], if its motion is.
    fn height(&self) -> Option<f64> {
        None
    }

    // Views

    /// Number of moving nodes and modes.
    fn count(&self) -> usize {
        self.nodes().len()
    }

    /// State nodes of a body without a plate's grid, those that move.
    fn nodes(&self) -> Range<usize>;

    /// Number of modes of a body that is stepped in its own modes.
    fn mode_count(&self) -> Option<usize> {
        None
    }

    /// Frequencies of a string, bar or plate in continuous time, below half the sample rate \[Hz\], without rigid motions; `None` where they
    /// are not known.
    fn partials(&self, _k: f64) -> Option<Vec<f64>> {
        None
    }

    /// A field at the moving nodes of the grid of a string or bar that is stepped in its modes.
    fn line_values(&self, _field: NodeField, _state: &State) -> Option<Vec<f64>> {
        None
    }

    /// What has to be known beforehand to read displacements at moving nodes of the grid of a string or bar without allocating.
    fn line_view_cache(&self, _nodes: &[usize]) -> Vec<f64> {
        Vec::new()
    }

    /// Reads the displacements at moving nodes of the grid of a string or bar, or of what else has nodes.
    fn read_line(&self, nodes: &[usize], _cache: &[f64], state: &State, values: &mut [f64]) {
        let start = self.nodes().start;
        values.iter_mut().zip(nodes).for_each(|(value, node)| *value = state.displacement(start + node));
    }

    /// The grid of a string or bar.
    fn grid(&self) -> Option<Grid> {
        None
    }

    /// The grid of a plate.
    fn plate_grid(&self) -> Option<PlateGrid> {
        None
    }

    /// What has to be known beforehand to read a selection without allocating.
    fn view_cache(&self, _selection: GridSelection<'_>) -> Vec<f64> {
        Vec::new()
    }

    /// Reads a field at a selection of nodes of a plate's grid, row by row; 0 outside. Returns false where it has no such grid or the
    /// cache is of another body.
    fn read_grid(
        &self,
        _selection: GridSelection<'_>,
        _cache: &mut [f64],
        _field: (NodeField, &State),
        _values: &mut [f64],
    ) -> bool {
        false
    }

    /// Its matrices without losses and contacts; `None` where nothing moves freely.
    fn operators(&self, state: &State, k: f64) -> Option<Operators>;
}

/// Nodes with all weights scaled.
pub(crate) fn scaled(mut nodes: WeightedNodes, scale: f64) -> WeightedNodes {
    nodes.iter_mut().for_each(|(_, weight)| *weight *= scale);
    nodes
}
