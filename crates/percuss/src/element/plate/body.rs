//! A plate on its grid as a body: how it is built, places on it, views of its grid, its matrices.

use crate::control::moving_point::{Axis, MovingPoint};
use crate::element::balance::ElementEnergy;
use crate::element::body::{Body, Choice, Describe, GridSelection, Placement, Site, UsedPlace, WeightedNodes};
use crate::element::operators::{OperatorNode, Operators};
use crate::element::place_user::PlaceUser;
use crate::element::plate::energy::balance;
use crate::element::plate::exact::body::ExactPlate;
use crate::element::plate::exact::modes::PlateModes;
use crate::element::plate::grid::PlateGrid;
use crate::element::plate::layer::ContactLayer;
use crate::element::plate::layout::Layout;
use crate::element::plate::modal::ModalPlate;
use crate::element::plate::place::{OUTSIDE_RIM, fractions, path_over};
use crate::element::plate::{GridPlate, PlateUpdate};
use crate::element::state::{NodeField, State};
use crate::element::stretch::{AreaForm, StretchForm};
use crate::error::CompileError;
use crate::model::{Control, PathPlace, Place, Plate};
use std::f64::consts::PI;
use std::ops::Range;

impl Describe for Plate {
    type Body = Choice<Choice<GridPlate, ModalPlate>, ExactPlate>;

    fn placement(&self, k: f64, used_places: &[UsedPlace]) -> Placement {
        if ExactPlate::can_build(self, k, used_places) { Placement::Bank } else { Placement::Grid }
    }

    /// In its own modes or in those of its grid where that is possible, else on its grid.
    fn build(&self, site: &mut Site<'_>) -> Result<Self::Body, CompileError> {
        if ExactPlate::can_build(self, site.k, &site.used_places) {
            return ExactPlate::new(self, site).map(Choice::Second);
        }
        let Site { k, check, state, used_places, .. } = site;
        if let Some(modal_plate) = ModalPlate::new(self, used_places, *check, *k, state)? {
            return Ok(Choice::First(Choice::Second(modal_plate)));
        }
        GridPlate::new(self, *check, *k, state).map(|plate| Choice::First(Choice::First(plate)))
    }
}

impl GridPlate {
    /// Nodes as the matrices need them, with what touches add now.
    fn operator_nodes(&self, k: f64) -> Vec<OperatorNode> {
        let node = |(i, j)| {
            let (touch_mass, touch_stiffness) = self.touch_load(i, j, k);
            OperatorNode {
                state: self.node(i, j),
                grid: (i, j),
                place: Place::On([self.grid.fraction(0, i), self.grid.fraction(1, j)]),
                mass: self.node_mass(i, j) + touch_mass,
                touch_stiffness,
                inverse_mass: self.inverse_mass(i, j, k),
            }
        };
        self.moving().map(node).collect()
    }

    /// The matrices of the grid, without the correction of its pitch.
    pub(super) fn grid_operators(&self, state: &State, k: f64) -> Operators {
        Operators::of_update(&self.operator_nodes(k), state, |state| self.sweep(state, None))
    }

    /// How much its area is stretched.
    fn area_form(&self, k: f64) -> StretchForm {
        let (material, h) = (&self.material, self.grid.spacing);
        let [across, up] = self.grid.size;
        let area = match self.layout {
            Layout::Rectangle(_) => across * up,
            Layout::Disc(_) => 0.25 * PI * across * up,
        };
        let [tension, bending] = [material.tension, material.bending].map(|x| x * k * k / material.surface_density);
        let others = 16.0 * bending / h.powi(4) + 8.0 * material.sigma1 * k / h.powi(2);
        let smoothings = AreaForm::smoothings(2.0 * tension / h.powi(2), others, self.correction.is_some());
        let moving = || self.moving().map(|(i, j)| self.node(i, j));
        let (first, last) = (moving().min().unwrap_or(0), moving().max().unwrap_or(0));
        let [columns, rows] = self.grid.intervals;
        let node = |place: isize| {
            let from_origin = (first - self.nodes.origin) as isize + place;
            let stride = self.nodes.stride as isize;
            let (i, j) = (from_origin.rem_euclid(stride) as usize, from_origin.div_euclid(stride));
            if i > columns || !(0..=rows as isize).contains(&j) {
                return (0.0, [0.0; 2]);
            }
            let j = j as usize;
            let weight = if self.layout.moves(i, j) { self.layout.weight(i, j) } else { 0.0 };
            (weight, balance::weight(&self.layout, &self.grid, i, j).side)
        };
        let form = AreaForm::new(last + 1 - first, self.nodes.stride, smoothings, node);
        StretchForm::over_area(first..last + 1, material.stretching / area, form)
    }

    /// A field at a grid node; 0 outside.
    fn value(&self, (field, state): (NodeField, &State), i: usize, j: usize) -> f64 {
        if i > self.grid.intervals[0] || j > self.grid.intervals[1] {
            return 0.0;
        }
        match field {
            NodeField::Displacement => state.displacement(self.node(i, j)),
            NodeField::Increment => state.du[self.node(i, j)],
        }
    }
}

impl Body for GridPlate {
    fn needs_previous(&self) -> bool {
        matches!(&self.update, PlateUpdate::Uniform { boundary, .. } if boundary.needs_previous())
    }

    fn varies_in_time(&self) -> bool {
        self.layer.is_some()
    }

    fn begin_step(&mut self, n: u64) -> bool {
        self.touch_in_update = self.can_touch_in_update(n);
        self.layer.as_mut().is_some_and(|layer| {
            layer.advance(n);
            !self.touch_in_update
        })
    }

    // Not inlined: keeps the stack frame of models without plates small.
    #[inline(never)]
    fn predict(&mut self, state: &mut State) {
        if let Some(correction) = &mut self.correction {
            correction.advance(state);
        }
        let layer_step = self.layer.as_ref().filter(|_| self.touch_in_update).map(ContactLayer::current_step);
        self.sweep(state, layer_step);
        if let Some(correction) = &mut self.correction {
            correction.apply(state);
        }
        if let Some(layer) = self.layer.as_mut().filter(|_| !self.touch_in_update) {
            layer.apply(state);
        }
    }

    fn apply_pending(&mut self, state: &mut State) {
        if let Some(correction) = &mut self.correction {
            correction.look_ahead(state);
        }
    }

    fn reset(&mut self, state: &mut State, _k: f64) {
        if let Some(correction) = &mut self.correction {
            correction.reset(state);
        }
        if let Some(layer) = &mut self.layer {
            layer.reset();
        }
    }

    fn update_masses(&self, nodes: impl Iterator<Item = usize>, state: &mut State) {
        if let Some(layer) = &self.layer {
            let span = self.span();
            for node in nodes.filter(|node| span.contains(node)) {
                let free_inverse_mass = self.free_inverse_mass[node - span.start];
                if free_inverse_mass > 0.0 {
                    state.inverse_mass[node] = free_inverse_mass * layer.mass_ratio(node);
                }
            }
        }
    }

    fn balance(&self, state: &State, k: f64) -> ElementEnergy {
        let mut balance = self.material.balance(self.sums(state), self.grid.spacing, k);
        if let Some(correction) = &self.correction {
            correction.balance(&mut balance);
        }
        if let Some(layer) = &self.layer {
            layer.balance(&self.weights, self.material.surface_density, state, &mut balance);
        }
        balance
    }

    fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        if let Some(layer) = &mut self.layer {
            layer.visit_controls(visit);
        }
    }

    fn set_pressure_image(&mut self, touch: usize, width: usize, values: &[f64]) -> bool {
        self.layer.as_mut().is_some_and(|layer| layer.set_pressure_image(touch, width, values))
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let at = fractions(place, user)?;
        if !self.covers(at) {
            return user.naming("a round plate").refuse(OUTSIDE_RIM);
        }
        Ok(self.interpolate(at))
    }

    fn stretch_form(&self, k: f64) -> Option<StretchForm> {
        self.material.is_stretched(&self.description).then(|| self.area_form(k))
    }

    fn swept_volume(&self, _user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let cell = self.grid.spacing.powi(2);
        let areas = self.moving().map(|(i, j)| (self.node(i, j), cell * self.layout.weight(i, j)));
        // In falling order, and so not in a run: masses vary under touches, and hands move over single nodes.
        let mut nodes: WeightedNodes = areas.collect();
        nodes.reverse();
        Ok(nodes)
    }

    fn moving_point(&self, path: &PathPlace, user: PlaceUser) -> Result<MovingPoint, CompileError> {
        let path = path_over(path, user)?;
        let PlateGrid { intervals, margin, .. } = self.grid;
        let axes = [(intervals[0], 1), (intervals[1], self.nodes.stride)];
        let axes = axes.map(|(intervals, stride)| Axis { intervals, margin, stride });
        let moving_point = MovingPoint::on_grid(self.nodes.origin, axes, path);
        if !moving_point.stays_on(|at| self.covers(at)) {
            return user.naming("a round plate").refuse(OUTSIDE_RIM);
        }
        Ok(moving_point)
    }

    fn deflect(&self, shape: &dyn Fn([f64; 2]) -> f64, state: &mut State) -> bool {
        for (i, j) in self.moving() {
            state.u[self.node(i, j)] = shape([self.grid.fraction(0, i), self.grid.fraction(1, j)]);
            state.du[self.node(i, j)] = 0.0;
        }
        true
    }

    fn count(&self) -> usize {
        self.moving().count()
    }

    /// Those without touches.
    fn partials(&self, k: f64) -> Option<Vec<f64>> {
        PlateModes::partials(&self.description, &self.material, PI / k)
    }

    fn nodes(&self) -> Range<usize> {
        0..0
    }

    fn plate_grid(&self) -> Option<PlateGrid> {
        Some(self.grid)
    }

    fn read_grid(
        &self,
        selection: GridSelection<'_>,
        _cache: &mut [f64],
        field: (NodeField, &State),
        values: &mut [f64],
    ) -> bool {
        let nodes = selection.rows.iter().flat_map(|&j| selection.columns.iter().map(move |&i| (i, j)));
        for (value, (i, j)) in values.iter_mut().zip(nodes) {
            *value = self.value(field, i, j);
        }
        true
    }

    fn operators(&self, state: &State, k: f64) -> Option<Operators> {
        let mut operators = self.grid_operators(state, k);
        if let Some(correction) = &self.correction {
            let mass: Vec<f64> = self.moving().map(|(i, j)| self.node_mass(i, j)).collect();
            let [stiffness, damping] = correction.matrices(&mass);
            operators.stiffness.extend(stiffness);
            operators.damping_correction = damping;
        }
        Some(operators)
    }
}
