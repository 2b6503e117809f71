//! Subjects of a movie: strings, bars, plates, membranes and modal bodies, with their nodes subsampled to the resolution of a frame.

use super::met_barrier::{MetBarrier, met_barriers};
use percuss::{Element, ElementId, End, Outline, Place, Simulation, Touch};
use percuss_scene::Scene;

/// Largest number of intervals that are recorded along a side of a plate, and along a string.
const MAX_SURFACE_INTERVALS: usize = 240;
const MAX_LINE_INTERVALS: usize = 1000;

/// An element that is drawn.
pub struct MovieSubject {
    /// Id in the scene.
    pub id: String,
    element: ElementId,
    /// Recorded nodes of a surface.
    grid_view: Option<percuss::GridView>,
    /// Line, modes or surface.
    pub kind: SubjectKind,
}

/// Shape of a subject.
pub enum SubjectKind {
    /// A string or bar.
    Line(LineSubject),
    /// A modal body.
    Modes(ModesSubject),
    /// A plate or membrane.
    Surface(SurfaceSubject),
}

/// A modal body.
pub struct ModesSubject {
    /// Frequency of every mode \[Hz\].
    pub frequencies: Vec<f64>,
}

/// A string or bar.
pub struct LineSubject {
    /// Length \[m\].
    pub length: f64,
    /// Masses in contact with it.
    pub masses: Vec<ContactingMass>,
    /// Barriers that it can meet.
    pub barriers: Vec<MetBarrier>,
    /// Recorded nodes; `None` for a node that does not move.
    nodes: Vec<Option<usize>>,
}

/// A mass in contact with a string or bar.
pub struct ContactingMass {
    /// Position as a fraction of the length.
    pub position: f64,
    mass: ElementId,
    /// Added to the displacement of the mass to obtain the height of its contact point \[m\].
    offset: f64,
}

/// A plate or membrane.
pub struct SurfaceSubject {
    /// Lengths of the sides \[m\].
    pub size: [f64; 2],
    /// Whether the outline is a disc.
    pub is_disc: bool,
    /// Touches on it.
    pub touches: Vec<Touch>,
    /// Recorded columns and rows of the grid.
    nodes: [Vec<usize>; 2],
}

impl MovieSubject {
    /// All elements of a scene that can be drawn.
    pub fn all(scene: &Scene, sim: &Simulation) -> Vec<Self> {
        let parts = scene.model.element_ids().zip(&scene.element_names).zip(scene.model.elements());
        let subjects = parts.filter_map(|((element, id), description)| {
            let kind = match description {
                Element::String(string) => line_subject(scene, sim, element, string.length, string.ends),
                Element::Bar(bar) => line_subject(scene, sim, element, bar.length, bar.ends),
                Element::Plate(plate) => surface_subject(sim, element, plate),
                Element::Modal(modal) => Some(SubjectKind::Modes(ModesSubject {
                    frequencies: modal.modes.iter().map(|mode| mode.frequency).collect(),
                })),
                Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) => None,
            };
            let kind = kind?;
            let grid_view = match &kind {
                SubjectKind::Surface(SurfaceSubject { nodes: [columns, rows], .. }) => {
                    sim.grid_view(element, columns, rows)
                }
                SubjectKind::Line(_) | SubjectKind::Modes(_) => None,
            };
            Some(Self { id: id.clone(), element, grid_view, kind })
        });
        subjects.collect()
    }

    /// Number of values per frame.
    pub fn value_count(&self) -> usize {
        match &self.kind {
            SubjectKind::Line(line) => line.nodes.len() + line.masses.len(),
            SubjectKind::Modes(modes) => modes.frequencies.len(),
            SubjectKind::Surface(surface) => surface.nodes[0].len() * surface.nodes[1].len(),
        }
    }

    /// Appends the current displacements \[m\]: of a line node by node, then of its masses; of a surface row by row.
    pub fn append_displacements(&mut self, sim: &Simulation, values: &mut Vec<f32>) {
        match &self.kind {
            SubjectKind::Line(line) => {
                let moving = sim.displacements(self.element);
                values.extend(line.nodes.iter().map(|node| node.map_or(0.0, |node| moving[node] as f32)));
                // One that is not there has no height, and is not drawn.
                let height = |mass: &ContactingMass| {
                    let is_present = sim.is_present(mass.mass);
                    if is_present { sim.displacement(mass.mass, 0) + mass.offset } else { f64::NAN }
                };
                values.extend(line.masses.iter().map(|mass| height(mass) as f32));
            }
            SubjectKind::Modes(_) => values.extend(sim.displacements(self.element).iter().map(|&u| u as f32)),
            SubjectKind::Surface(_) => {
                if let Some(view) = &mut self.grid_view {
                    view.refresh(sim);
                    values.extend(view.values().iter().map(|&u| u as f32));
                }
            }
        }
    }
}

impl SubjectKind {
    /// Values of the subject's own nodes, without those of masses.
    pub fn node_values<'v>(&self, values: &'v [f32]) -> &'v [f32] {
        match self {
            Self::Line(line) => &values[..line.nodes.len()],
            Self::Modes(_) | Self::Surface(_) => values,
        }
    }
}

impl LineSubject {
    /// Points of the displaced line: position \[m\], displacement \[m\].
    pub fn points<'v>(&self, values: &'v [f32]) -> impl Iterator<Item = (f64, f64)> + use<'_, 'v> {
        let step = self.length / (self.nodes.len() - 1) as f64;
        values[..self.nodes.len()].iter().enumerate().map(move |(i, &u)| (i as f64 * step, f64::from(u)))
    }

    /// Points of its masses: position \[m\], height \[m\].
    pub fn mass_points(&self, values: &[f32]) -> impl Iterator<Item = (f64, f64)> {
        let heights = &values[self.nodes.len()..];
        self.masses.iter().zip(heights).map(|(mass, &u)| (mass.position * self.length, f64::from(u)))
    }
}

impl SurfaceSubject {
    /// Displacement at fractions of the sides \[m\], by bilinear interpolation between recorded nodes.
    pub fn displacement_at(&self, values: &[f32], position: [f64; 2]) -> f64 {
        let [(i, x), (j, y)] = [0, 1].map(|axis| {
            let last = self.nodes[axis].len() - 1;
            let along = position[axis] * last as f64;
            let cell = (along as usize).min(last - 1);
            (cell, along - cell as f64)
        });
        let node = |i: usize, j: usize| f64::from(values[j * self.nodes[0].len() + i]);
        let row = |j: usize| (1.0 - x) * node(i, j) + x * node(i + 1, j);
        (1.0 - y) * row(j) + y * row(j + 1)
    }
}

/// Nodes from `first` to `last`, evenly spaced, with at most `max_intervals` intervals.
fn subsampled(first: usize, last: usize, max_intervals: usize) -> impl Iterator<Item = usize> {
    let intervals = last - first;
    let kept = intervals.min(max_intervals);
    (0..=kept).map(move |i| first + (i * intervals + kept / 2) / kept)
}

fn line_subject(
    scene: &Scene,
    sim: &Simulation,
    element: ElementId,
    length: f64,
    ends: [End; 2],
) -> Option<SubjectKind> {
    let last = sim.grid(element)?.intervals;
    let first = usize::from(ends[0] != End::Free);
    let count = sim.displacements(element).len();
    let nodes = subsampled(0, last, MAX_LINE_INTERVALS)
        .map(|node| node.checked_sub(first).filter(|&node| node < count))
        .collect();
    let (masses, barriers) = (contacting_masses(scene, element), met_barriers(scene, element));
    Some(SubjectKind::Line(LineSubject { length, masses, barriers, nodes }))
}

/// Masses that a contact joins to a line. Each is drawn at the height at which it meets the line.
fn contacting_masses(scene: &Scene, line: ElementId) -> Vec<ContactingMass> {
    let is_mass =
        |element: ElementId| matches!(scene.model.elements()[element.index()], Element::Mass(_) | Element::Mallet(_));
    let found = scene.model.interactions().iter().filter_map(|interaction| {
        let (below, above, gap) = (interaction.below.point()?, interaction.above?, interaction.law.gap());
        match (below.place, above.place) {
            (_, Place::Along(position)) if above.element == line && is_mass(below.element) => {
                Some(ContactingMass { position, mass: below.element, offset: -gap })
            }
            (Place::Along(position), _) if below.element == line && is_mass(above.element) => {
                Some(ContactingMass { position, mass: above.element, offset: gap })
            }
            _ => None,
        }
    });
    found.collect()
}

fn surface_subject(sim: &Simulation, element: ElementId, plate: &percuss::Plate) -> Option<SubjectKind> {
    let grid = sim.plate_grid(element)?;
    let nodes = grid.intervals.map(|last| subsampled(grid.margin, last - grid.margin, MAX_SURFACE_INTERVALS).collect());
    let is_disc = plate.outline == Outline::Disc;
    Some(SubjectKind::Surface(SurfaceSubject { size: grid.size, is_disc, touches: plate.touches.clone(), nodes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsampling_keeps_both_ends_and_repeats_no_node() {
        assert_eq!(subsampled(1, 5, 9).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        for last in [241, 479, 1000, 4321] {
            let nodes: Vec<_> = subsampled(0, last, 240).collect();
            assert_eq!((nodes.len(), nodes[0], nodes[240]), (241, 0, last));
            assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn displacement_is_interpolated_between_nodes() {
        let nodes = [vec![0, 3, 6], vec![0, 4]];
        let surface = SurfaceSubject { size: [2.0, 1.0], is_disc: false, touches: Vec::new(), nodes };
        let values = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0];
        for (position, expected) in [([0.0, 0.0], 0.0), ([1.0, 1.0], 12.0), ([0.25, 0.5], 5.5)] {
            assert_eq!(surface.displacement_at(&values, position), expected, "at {position:?}");
        }
    }
}
