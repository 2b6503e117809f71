//! How far the partials of strings, bars, plates and membranes are from those of continuous time, at the sample rate of a simulation.

use super::lowest_modes;
use super::pitch::cents;
use percuss::{ElementId, Model, Plate, Region, Simulation, Touch};

/// Frequencies near which the error is stated, beside that of the first partial \[Hz\].
pub const NEAR: [f64; 3] = [1000.0, 5000.0, 10_000.0];
/// Modes of a grid that are computed at most: what lies above is not stated.
pub const MAX_MODES: usize = 150;

/// The error of a partial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cents {
    /// \[cents\].
    Of(f64),
    /// There is no such partial.
    None,
    /// It is above the modes that are computed.
    Beyond,
}

impl Cents {
    fn value(&self) -> Option<f64> {
        if let Self::Of(cents) = self { Some(*cents) } else { None }
    }
}

/// The pitch of a string, bar, plate or membrane.
pub struct PitchError {
    /// Modes, if it is stepped in its modes.
    pub modes: Option<usize>,
    /// Partials below half the sample rate.
    pub partials: usize,
    /// Error of the first partial and of those nearest to [`NEAR`], if they are within a third of an octave.
    pub cents: [Cents; 4],
}

impl PitchError {
    /// `None` for other elements, and where the partials are not known.
    pub fn new(simulation: &Simulation, element: ElementId) -> Option<Self> {
        let partials = simulation.partials(element).filter(|partials| !partials.is_empty())?;
        let modes = simulation.mode_count(element);
        let sounding = if modes.is_some() { partials.clone() } else { sounding(simulation, element, &partials)? };
        let error = |index: usize| match sounding.get(index) {
            Some(&sounding) => Cents::Of(cents(partials[index], sounding)),
            None => Cents::Beyond,
        };
        let near = |frequency: f64| {
            let distance = |index: &usize| (partials[*index] / frequency).log2().abs();
            let nearest = (0..partials.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            nearest.filter(|nearest| distance(nearest) < 1.0 / 3.0).map_or(Cents::None, error)
        };
        let [low, middle, high] = NEAR.map(near);
        Some(Self { modes, partials: partials.len(), cents: [error(0), low, middle, high] })
    }

    /// The same for a plate on its grid, with no pressure on it: the partials are known for the bare plate only.
    pub fn of_bare_plate(plate: &Plate, rate: f64) -> Option<Self> {
        let mut model = Model::new();
        let no_pressure =
            Touch { region: Region::Everywhere, pressure: 0.0.into(), mass: 0.0, stiffness: 0.0, damping: 0.0 };
        let id = model.add(Plate { touches: vec![no_pressure], ..plate.clone() });
        Self::new(&model.compile(rate).ok()?, id)
    }

    /// The largest error that is stated \[cents\].
    pub fn largest(&self) -> f64 {
        self.cents.iter().filter_map(Cents::value).fold(0.0, |most, cents| most.max(cents.abs()))
    }
}

/// The frequencies at which the partials sound on their grid.
fn sounding(simulation: &Simulation, element: ElementId, partials: &[f64]) -> Option<Vec<f64>> {
    // Three rigid motions at most come before.
    let count = (partials.len() + 3).min(MAX_MODES).min(simulation.displacements(element).len());
    let (modes, _) = lowest_modes(simulation, element, count)?.ok()?;
    let oscillates = |frequency: &f64| *frequency > 1e-3 * partials[0];
    Some(modes.iter().map_while(|mode| mode.sounding).filter(oscillates).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use percuss::{Bar, Edge, Method, Outline};

    fn error(method: Method, rate: f64) -> PitchError {
        let mut model = Model::new();
        let bar = model.add(Bar { method, length: 0.2, thickness: 3e-3, ..Bar::default() });
        PitchError::new(&model.compile(rate).unwrap(), bar).unwrap()
    }

    #[test]
    fn bar_is_flat_on_its_grid_and_true_in_its_modes() {
        let [modes, grid, fine] = [(Method::Modes, 44_100.0), (Method::Grid, 44_100.0), (Method::Grid, 192_000.0)]
            .map(|(method, rate)| error(method, rate));
        assert_eq!((modes.largest(), modes.modes.is_some()), (0.0, true));
        let [grid, fine] = [grid, fine].map(|error| error.cents[0].value().unwrap());
        assert!(grid < -20.0 && fine < -5.0 && fine > 0.5 * grid, "{grid} and {fine} cents");
    }

    /// The figures of the free steel square of 0.3 m and 2 mm, on a grid of 17 intervals.
    #[test]
    fn plate_is_flat_on_its_grid_and_true_in_its_modes() {
        let plate = Plate::steel([0.3, 0.3], 2e-3);
        let on_grid = Plate { method: Method::Grid, ..plate.clone() };
        let grid = PitchError::of_bare_plate(&on_grid, 44_100.0).unwrap();
        let first = grid.cents[0].value().unwrap();
        assert!(grid.modes.is_none() && first < -5.0 && first > -20.0, "{first} cents");
        assert!(grid.largest() > 200.0, "{} cents", grid.largest());
        let mut model = Model::new();
        let id = model.add(plate);
        let modes = PitchError::new(&model.compile(44_100.0).unwrap(), id).unwrap();
        assert_eq!((modes.largest(), modes.modes.is_some()), (0.0, true));
    }

    /// Under touches, whose modes move with their pressure, the grid has its lowest modes corrected.
    #[test]
    fn plate_under_touches_is_true_in_its_low_partials() {
        let plates = [
            Plate::steel([0.3, 0.3], 2e-3),
            Plate { edges: [Edge::Clamped, Edge::Free, Edge::Free, Edge::Free], ..Plate::steel([0.2, 0.1], 2e-3) },
            Plate { outline: Outline::Disc, ..Plate::steel([0.36, 0.36], 2e-3) },
        ];
        for plate in plates {
            let error = PitchError::of_bare_plate(&plate, 44_100.0).unwrap();
            let [first, low, ..] = error.cents;
            let worst =
                [first, low].iter().filter_map(Cents::value).fold(0.0_f64, |worst, cents| worst.max(cents.abs()));
            assert!(error.modes.is_none() && worst < 0.5, "{worst} cents: {plate:?}");
        }
    }
}
