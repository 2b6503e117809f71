//! A string or bar as a body: its start, places along it, forces it passes along, its matrices.

use crate::control::moving_point::{Axis, MovingPoint};
use crate::element::balance::ElementEnergy;
use crate::element::body::{
    Body, Cell, Choice, Describe, NodeReader, Placement, Site, UsedPlace, WeightedNodes, scaled,
};
use crate::element::line::Line;
use crate::element::line::grid::{Grid, LineMaterial};
use crate::element::line::modal::{LineModes, ModalLine};
use crate::element::line::modes::modes;
use crate::element::line::place::{fraction_along, path_along};
use crate::element::operators::{OperatorNode, Operators};
use crate::element::oscillator::mode_group::partials;
use crate::element::place_user::PlaceUser;
use crate::element::state::State;
use crate::element::stretch::StretchForm;
use crate::error::{Check, CompileError, Subject};
use crate::model::{Bar, Method, PathPlace, Place, Profile, Quantity, Shape, StiffString};
use std::f64::consts::PI;
use std::ops::Range;

/// Of more partials than about this no closed form is computed: it would take seconds.
const MAX_PARTIALS: f64 = 4000.0;

/// What a string and a bar have in common.
struct Description<'a> {
    material: Result<LineMaterial, CompileError>,
    /// Of a bar whose thickness changes.
    profile: Option<&'a Profile>,
    method: Method,
    grid: Option<usize>,
    start: [Shape; 2],
}

impl<'a> Description<'a> {
    fn of_string(string: &StiffString, check: Check) -> Self {
        let StiffString { method, grid, displacement, velocity, .. } = *string;
        let material = LineMaterial::of_string(string, check);
        Self { material, profile: None, method, grid, start: [displacement, velocity] }
    }

    fn of_bar(bar: &'a Bar, check: Check) -> Self {
        let Bar { method, grid, displacement, velocity, .. } = *bar;
        let material = bar.profile.check(check).and_then(|()| LineMaterial::of_bar(bar, check));
        let profile = Some(&bar.profile).filter(|profile| !profile.is_uniform());
        Self { material, profile, method, grid, start: [displacement, velocity] }
    }

    /// The modes in which it is stepped; `None` where nodes have to be.
    fn modes(&self, k: f64, used_places: &[UsedPlace]) -> Option<LineModes> {
        match (&self.material, self.method, self.grid) {
            (Ok(material), Method::Modes, None) => ModalLine::modes(material, k, used_places),
            (_, Method::Grid, _) | (Err(_), ..) | (_, _, Some(_)) => None,
        }
    }

    fn placement(&self, k: f64, used_places: &[UsedPlace]) -> Placement {
        let in_modes = self.profile.is_some() || self.modes(k, used_places).is_some();
        if in_modes { Placement::Bank } else { Placement::Grid }
    }

    fn build(self, site: &mut Site<'_>) -> Result<Choice<Line, ModalLine>, CompileError> {
        self.start.iter().try_for_each(|shape| shape.check(site.check))?;
        if let Some(profile) = self.profile {
            return self.build_profiled(profile, site).map(Choice::Second);
        }
        let modes = self.modes(site.k, &site.used_places);
        let material = self.material?;
        match modes {
            Some(modes) => {
                let mass = material.line_density * material.length;
                Ok(Choice::Second(ModalLine::new(material, modes, mass, self.start, site)))
            }
            None => Line::build(material, self.grid, self.start, site).map(Choice::First),
        }
    }

    fn build_profiled(self, profile: &Profile, site: &mut Site<'_>) -> Result<ModalLine, CompileError> {
        let material = self.material?;
        let refuse = |reason| CompileError::NeedsModes { subject: site.check.0, reason };
        if self.method == Method::Grid {
            return Err(refuse("its method is a grid"));
        }
        if self.grid.is_some() {
            return Err(refuse("a grid is given"));
        }
        let modes = ModalLine::profiled_modes(&material, profile, site.k, &site.used_places).map_err(refuse)?;
        let mass = material.line_density * material.length * profile.mean(|ratio| ratio);
        Ok(ModalLine::new(material, modes, mass, self.start, site))
    }
}

impl Describe for StiffString {
    type Body = Choice<Line, ModalLine>;

    fn placement(&self, k: f64, used_places: &[UsedPlace]) -> Placement {
        Description::of_string(self, Check(Subject::Model)).placement(k, used_places)
    }

    fn build(&self, site: &mut Site<'_>) -> Result<Self::Body, CompileError> {
        Description::of_string(self, site.check).build(site)
    }
}

impl Describe for Bar {
    type Body = Choice<Line, ModalLine>;

    fn placement(&self, k: f64, used_places: &[UsedPlace]) -> Placement {
        Description::of_bar(self, Check(Subject::Model)).placement(k, used_places)
    }

    fn build(&self, site: &mut Site<'_>) -> Result<Self::Body, CompileError> {
        Description::of_bar(self, site.check).build(site)
    }
}

impl Line {
    /// With its displacement and velocity at the start.
    fn build(
        material: LineMaterial,
        grid: Option<usize>,
        start: [Shape; 2],
        site: &mut Site<'_>,
    ) -> Result<Self, CompileError> {
        let line = Self::new(material, grid, site.check, site.k, site.state)?;
        for (i, (displacement, velocity)) in line.sample(start[0]).zip(line.sample(start[1])).enumerate() {
            site.state.u[line.start + i] = displacement;
            site.state.du[line.start + i] = velocity * site.k;
        }
        Ok(line)
    }

    /// Moving nodes, as nodes of the state.
    fn in_state(&self, nodes: impl IntoIterator<Item = (usize, f64)>) -> WeightedNodes {
        nodes.into_iter().map(|(node, weight)| (self.start + node, weight)).collect()
    }
}

impl Body for Line {
    #[inline]
    fn predict(&mut self, state: &mut State) {
        self.update(state);
    }

    fn balance(&self, state: &State, _k: f64) -> ElementEnergy {
        self.energy(state)
    }

    fn stretch_form(&self, _k: f64) -> Option<StretchForm> {
        let nodes = self.start..self.start + self.count;
        self.material.is_held().then(|| StretchForm::on_grid(nodes, self.grid.spacing, &self.material))
    }

    fn nodes_at(&self, place: Place, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        let at = fraction_along(place, user)?;
        Ok(self.in_state(self.interpolate(at)))
    }

    fn spread(&self, place: Place, width: f64, user: PlaceUser) -> Result<WeightedNodes, CompileError> {
        if width * self.grid.intervals as f64 <= 2.0 {
            return self.nodes_at(place, user);
        }
        let at = fraction_along(place, user)?;
        let bump: Vec<f64> = self.sample(Shape::RaisedCosine { at, width, height: 1.0 }).collect();
        let sum: f64 = bump.iter().sum();
        Ok(self.in_state(bump.into_iter().map(|value| value / sum).enumerate()))
    }

    fn moving_point(&self, path: &PathPlace, user: PlaceUser) -> Result<MovingPoint, CompileError> {
        let path = path_along(path, user)?;
        let axis = Axis { intervals: self.grid.intervals, margin: 0, stride: 1 };
        Ok(MovingPoint::on_grid(self.start - self.first, [axis, Axis::row()], path))
    }

    fn reader(&self, place: Place, quantity: Quantity, k: f64, user: PlaceUser) -> Result<NodeReader, CompileError> {
        let at = fraction_along(place, user)?;
        let nodes = self.in_state(self.interpolate(at));
        Ok(match quantity {
            Quantity::Displacement => NodeReader::Displacement(nodes),
            Quantity::Velocity => NodeReader::Velocity(scaled(nodes, 1.0 / k)),
            Quantity::Force => NodeReader::Displacement(self.in_state(self.transverse_force(at))),
        })
    }

    fn cells(&self) -> Vec<Cell> {
        let cell = |node: usize| Cell {
            at: (node + self.first) as f64 / self.grid.intervals as f64,
            length: self.grid.spacing * self.weight(node),
        };
        (0..self.count).map(cell).collect()
    }

    fn nodes(&self) -> Range<usize> {
        self.start..self.start + self.count
    }

    fn partials(&self, k: f64) -> Option<Vec<f64>> {
        let few = self.material.lossless_intervals(k) <= MAX_PARTIALS;
        let modes = if few { modes(&self.material, PI / k) } else { None };
        modes.map(|modes| partials(modes.iter().map(|mode| &mode.constants)))
    }

    fn grid(&self) -> Option<Grid> {
        Some(self.grid)
    }

    fn operators(&self, state: &State, _k: f64) -> Option<Operators> {
        let node = |i: usize| OperatorNode {
            state: self.start + i,
            grid: (self.first + i, 0),
            place: Place::Along((self.first + i) as f64 / self.grid.intervals as f64),
            mass: self.node_mass(i),
            touch_stiffness: 0.0,
            inverse_mass: state.inverse_mass[self.start + i],
        };
        let nodes: Vec<_> = (0..self.count).map(node).collect();
        Some(Operators::of_update(&nodes, state, |state| self.update(state)))
    }
}
