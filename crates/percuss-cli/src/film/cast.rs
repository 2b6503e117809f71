//! What is filmed: strings, bars, plates and membranes, at as many places as a picture can show.

use crate::modes;
use percuss::{Element, ElementId, End, Outline, Place, Simulation, Touch};
use percuss_scene::Scene;

/// Most places along a side of a plate, and along a string.
const SURFACE: usize = 240;
const LINE: usize = 1000;

/// Something that is filmed.
pub struct Actor {
    /// Its name.
    pub id: String,
    handle: ElementId,
    /// What is seen of a surface.
    picture: Option<percuss::Picture>,
    /// What it looks like.
    pub form: Form,
}

/// What it looks like.
pub enum Form {
    /// A string or bar.
    Line(Line),
    /// A plate or membrane.
    Surface(Surface),
}

/// A string or bar.
pub struct Line {
    /// Length \[m\].
    pub length: f64,
    /// Masses that touch it.
    pub riders: Vec<Rider>,
    /// The nodes that are looked at; those that do not move are `None`.
    nodes: Vec<Option<usize>>,
}

/// A mass that touches a string.
pub struct Rider {
    /// Where, as a fraction of the length.
    pub at: f64,
    mass: ElementId,
    /// From its displacement to the height at which it meets the string \[m\].
    offset: f64,
}

/// A plate or membrane.
pub struct Surface {
    /// Length of the sides \[m\].
    pub size: [f64; 2],
    /// Whether it is round.
    pub is_disc: bool,
    /// What lies on it.
    pub touches: Vec<Touch>,
    /// The nodes that are looked at, along each side.
    nodes: [Vec<usize>; 2],
}

impl Actor {
    /// All of a scene that can be filmed.
    pub fn all(scene: &Scene, sim: &Simulation) -> Vec<Self> {
        let parts = modes::element_ids(scene).into_iter().zip(&scene.element_names).zip(scene.model.elements());
        let filmed = parts.filter_map(|((handle, id), element)| {
            let form = match element {
                Element::String(string) => line(scene, sim, handle, string.length, string.ends),
                Element::Bar(bar) => line(scene, sim, handle, bar.length, bar.ends),
                Element::Plate(plate) => surface(sim, handle, plate),
                Element::Mass(_) | Element::Modal(_) | Element::Barrier(_) => None,
            };
            let form = form?;
            let picture = match &form {
                Form::Surface(Surface { nodes: [columns, rows], .. }) => sim.picture(handle, columns, rows),
                Form::Line(_) => None,
            };
            Some(Self { id: id.clone(), handle, picture, form })
        });
        filmed.collect()
    }

    /// Number of values it takes to know where it is.
    pub fn values(&self) -> usize {
        match &self.form {
            Form::Line(line) => line.nodes.len() + line.riders.len(),
            Form::Surface(surface) => surface.nodes[0].len() * surface.nodes[1].len(),
        }
    }

    /// Appends where it is now \[m\]: a line node by node, then its riders; a surface row by row.
    pub fn look(&mut self, sim: &Simulation, values: &mut Vec<f32>) {
        match &self.form {
            Form::Line(line) => {
                let moving = sim.displacements(self.handle);
                values.extend(line.nodes.iter().map(|node| node.map_or(0.0, |node| moving[node] as f32)));
                let height = |rider: &Rider| sim.displacements(rider.mass)[0] + rider.offset;
                values.extend(line.riders.iter().map(|rider| height(rider) as f32));
            }
            Form::Surface(_) => {
                if let Some(picture) = &mut self.picture {
                    sim.look_at(picture);
                    values.extend(picture.values().iter().map(|&u| u as f32));
                }
            }
        }
    }
}

impl Form {
    /// The displacements among its values: all but those of riders.
    pub fn own<'v>(&self, values: &'v [f32]) -> &'v [f32] {
        match self {
            Self::Line(line) => &values[..line.nodes.len()],
            Self::Surface(_) => values,
        }
    }
}

impl Line {
    /// Displacements along it: place \[m\], height \[m\].
    pub fn points<'v>(&self, values: &'v [f32]) -> impl Iterator<Item = (f64, f64)> + use<'_, 'v> {
        let step = self.length / (self.nodes.len() - 1) as f64;
        values[..self.nodes.len()].iter().enumerate().map(move |(i, &u)| (i as f64 * step, f64::from(u)))
    }

    /// Where its riders are: place \[m\], height \[m\].
    pub fn rider_points(&self, values: &[f32]) -> impl Iterator<Item = (f64, f64)> {
        let heights = &values[self.nodes.len()..];
        self.riders.iter().zip(heights).map(|(rider, &u)| (rider.at * self.length, f64::from(u)))
    }
}

impl Surface {
    /// Displacement at fractions of the sides \[m\], between the places looked at by straight lines.
    pub fn at(&self, values: &[f32], place: [f64; 2]) -> f64 {
        let [(i, x), (j, y)] = [0, 1].map(|axis| {
            let last = self.nodes[axis].len() - 1;
            let along = place[axis] * last as f64;
            let cell = (along as usize).min(last - 1);
            (cell, along - cell as f64)
        });
        let node = |i: usize, j: usize| f64::from(values[j * self.nodes[0].len() + i]);
        let row = |j: usize| (1.0 - x) * node(i, j) + x * node(i + 1, j);
        (1.0 - y) * row(j) + y * row(j + 1)
    }
}

/// Nodes from first to last, evenly spaced, not more than `most` intervals.
fn thinned(first: usize, last: usize, most: usize) -> impl Iterator<Item = usize> {
    let intervals = last - first;
    let kept = intervals.min(most);
    (0..=kept).map(move |i| first + (i * intervals + kept / 2) / kept)
}

fn line(scene: &Scene, sim: &Simulation, handle: ElementId, length: f64, ends: [End; 2]) -> Option<Form> {
    let last = sim.grid(handle)?.intervals;
    let first = usize::from(ends[0] != End::Free);
    let count = sim.displacements(handle).len();
    let nodes = thinned(0, last, LINE).map(|node| node.checked_sub(first).filter(|&node| node < count)).collect();
    Some(Form::Line(Line { length, riders: riders(scene, handle), nodes }))
}

/// Masses in contact with a line. One below it is drawn where it would meet it, and so is one above.
fn riders(scene: &Scene, line: ElementId) -> Vec<Rider> {
    let is_mass = |handle: ElementId| matches!(scene.model.elements()[handle.index()], Element::Mass(_));
    let found = scene.model.interactions().iter().filter_map(|interaction| {
        let (below, above, gap) = (interaction.below.point()?, interaction.above?, interaction.law.gap());
        match (below.place, above.place) {
            (_, Place::Along(at)) if above.element == line && is_mass(below.element) => {
                Some(Rider { at, mass: below.element, offset: -gap })
            }
            (Place::Along(at), _) if below.element == line && is_mass(above.element) => {
                Some(Rider { at, mass: above.element, offset: gap })
            }
            _ => None,
        }
    });
    found.collect()
}

fn surface(sim: &Simulation, handle: ElementId, plate: &percuss::Plate) -> Option<Form> {
    let grid = sim.plate_grid(handle)?;
    let nodes = grid.intervals.map(|last| thinned(grid.margin, last - grid.margin, SURFACE).collect());
    let is_disc = plate.outline == Outline::Disc;
    Some(Form::Surface(Surface { size: grid.size, is_disc, touches: plate.touches.clone(), nodes }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends_and_never_repeats_a_node() {
        assert_eq!(thinned(1, 5, 9).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        for last in [241, 479, 1000, 4321] {
            let nodes: Vec<_> = thinned(0, last, 240).collect();
            assert_eq!((nodes.len(), nodes[0], nodes[240]), (241, 0, last));
            assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn surfaces_are_read_between_their_nodes() {
        let nodes = [vec![0, 3, 6], vec![0, 4]];
        let surface = Surface { size: [2.0, 1.0], is_disc: false, touches: Vec::new(), nodes };
        let values = [0.0, 1.0, 2.0, 10.0, 11.0, 12.0];
        for (place, expected) in [([0.0, 0.0], 0.0), ([1.0, 1.0], 12.0), ([0.25, 0.5], 5.5)] {
            assert_eq!(surface.at(&values, place), expected, "at {place:?}");
        }
    }
}
