//! Queries: grids, matrices, displacements, forces and counts of a simulation.

use crate::compile::arrivals::Arrival;
use crate::contact::scheme::newton::NewtonEffort;
use crate::element::body::Body;
use crate::element::line::grid::Grid;
use crate::element::operators::Operators;
use crate::element::plate::grid::PlateGrid;
use crate::element::ritz::eigen::portably;
use crate::element::state::NodeField;
use crate::model::{ElementId, InteractionId};
use crate::simulation::Simulation;
use std::ops::Range;

impl Simulation {
    /// How far the stored energy of a plate that is stretched by bending is from its potential: the root of the mean square of ψ − √2V since
    /// the start, over that of √2V. `None` for other interactions.
    #[must_use]
    pub fn drift(&self, interaction: InteractionId) -> Option<f64> {
        self.network.drift(self.ids.interactions.position(interaction)?)
    }

    /// Number of modes of a string or bar that is stepped in its modes; `None` for all other elements.
    #[must_use]
    pub fn mode_count(&self, element: ElementId) -> Option<usize> {
        self.body(element)?.mode_count()
    }

    /// Frequencies at which a string or bar would sound in continuous time, below half the sample rate \[Hz\]: those of its closed
    /// form, without rigid motions. `None` for other elements, for strings that hardly pull and have a free end, and where there are
    /// thousands. Allocates.
    #[must_use]
    pub fn partials(&self, element: ElementId) -> Option<Vec<f64>> {
        let body = self.body(element)?;
        portably(self.state.machine.is_portable(), || body.partials(self.k))
    }

    /// The grid of a string or bar. If it is stepped in its modes, the grid is for looking at it only.
    #[must_use]
    pub fn grid(&self, element: ElementId) -> Option<Grid> {
        self.body(element)?.grid()
    }

    /// The grid of a plate.
    #[must_use]
    pub fn plate_grid(&self, element: ElementId) -> Option<PlateGrid> {
        self.body(element)?.plate_grid()
    }

    /// The matrices of an element; `None` for a barrier. Allocates.
    #[must_use]
    pub fn operators(&self, element: ElementId) -> Option<Operators> {
        self.body(element)?.operators(&self.state, self.k)
    }

    /// Displacement of a plate at grid node (i, j) \[m\]; 0 for fixed nodes and outside the grid. Allocates: for repeated reading
    /// use a [`GridView`](Self::grid_view).
    #[must_use]
    pub fn plate_displacement(&self, plate: ElementId, i: usize, j: usize) -> f64 {
        self.grid_view(plate, &[i], &[j]).map_or(0.0, |view| view.values()[0])
    }

    /// A field at the moving nodes of the grid of a string or bar that is stepped in its modes.
    fn line_values(&self, element: ElementId, field: NodeField) -> Option<Vec<f64>> {
        self.body(element)?.line_values(field, &self.state)
    }

    /// A field at the nodes of a grid that the state does not hold as it is.
    fn grid_values(&self, element: ElementId, field: NodeField) -> Option<Vec<f64>> {
        self.plate_values(element, field).or_else(|| self.line_values(element, field))
    }

    /// State nodes of an element other than a plate.
    fn nodes(&self, element: ElementId) -> Range<usize> {
        self.body(element).map_or(0..0, Body::nodes)
    }

    /// Displacements of an element's moving nodes (a mass has one, a modal resonator one per mode), or of all nodes of a
    /// plate's grid, row by row \[m\]. Allocates.
    #[must_use]
    pub fn displacements(&self, element: ElementId) -> Vec<f64> {
        let values = self.grid_values(element, NodeField::Displacement);
        values.unwrap_or_else(|| self.nodes(element).map(|node| self.state.displacement(node)).collect())
    }

    /// One displacement of an element other than a plate \[m\]; 0 if there is none. Allocates for strings and bars in modes: for repeated
    /// reading use a [`LineView`](Self::line_view).
    #[must_use]
    pub fn displacement(&self, element: ElementId, index: usize) -> f64 {
        if let Some(values) = self.line_values(element, NodeField::Displacement) {
            return values.get(index).copied().unwrap_or(0.0);
        }
        self.nodes(element).nth(index).map_or(0.0, |node| self.state.displacement(node))
    }

    /// Increments of those nodes in the last step \[m\]. Allocates.
    #[must_use]
    pub fn increments(&self, element: ElementId) -> Vec<f64> {
        let values = self.grid_values(element, NodeField::Increment);
        values.unwrap_or_else(|| self.state.du[self.nodes(element)].to_vec())
    }

    /// ψ of every row of an interaction: one at a point, one per node along a string, two with play.
    pub fn psi(&self, contact: InteractionId) -> impl Iterator<Item = f64> {
        self.rows_of(contact).iter().map(|&row| self.network.rows[row].psi)
    }

    fn rows_of(&self, contact: InteractionId) -> &[usize] {
        self.ids.interactions.position(contact).map_or(&[], |index| self.network.rows_of(index))
    }

    /// Force of an interaction in the last step \[N\].
    #[must_use]
    pub fn force(&self, contact: InteractionId) -> f64 {
        self.ids.interactions.position(contact).map_or(0.0, |index| self.network.force(index))
    }

    /// Iteration counts of the Newton scheme so far.
    #[must_use]
    pub fn newton_effort(&self) -> NewtonEffort {
        self.network.newton.effort
    }

    /// Whether an element is there: false for a mass that has not entered yet and for a mallet between blows.
    #[must_use]
    pub fn is_present(&self, element: ElementId) -> bool {
        let is_absent = |arrival: &Arrival| arrival.element == element.index() && !arrival.is_present;
        self.ids.elements.position(element).is_some() && !self.arrivals.iter().any(is_absent)
    }

    /// Number of rows of every block of coupled contacts.
    pub fn contact_blocks(&self) -> impl Iterator<Item = usize> {
        self.network.block_sizes()
    }

    /// Number of moving nodes and modes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.bodies.count()
    }
}
