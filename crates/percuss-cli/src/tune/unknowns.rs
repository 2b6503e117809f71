//! What tuning changes of a body: the undercuts of a bar, the patches of a plate or membrane.
//!
//! Bounds      every unknown is a bounded dimension, x = low + (high − low)/(1 + e^{−u}), so that the search has none

use percuss::{Element, Patch, Profile, Undercut};

/// Bounds of the depth and width of an undercut.
const DEPTH: [f64; 2] = [0.0, 0.97];
const WIDTH: [f64; 2] = [0.04, 2.5];
/// Bounds of the radius of a patch over that of the largest one, and of its density over that of the bare plate.
const RADIUS: [f64; 2] = [0.05, 0.95];
const DENSITY: [f64; 2] = [0.0, 15.0];
/// Depths and widths, radii and densities from which the search starts.
const UNDERCUT_STARTS: [[f64; 2]; 6] = [[0.6, 0.5], [0.4, 0.8], [0.75, 0.9], [0.8, 0.3], [0.3, 0.3], [0.5, 1.6]];
const PATCH_STARTS: [[f64; 2]; 6] = [[0.4, 8.0], [0.5, 3.0], [0.3, 15.0], [0.6, 1.0], [0.25, 3.0], [0.7, 8.0]];
/// Distances from the middle of two undercuts alike, which reach more ratios, their depth and width at the start.
const PAIR_STARTS: [[f64; 3]; 3] = [[0.12, 0.5, 0.3], [0.2, 0.4, 0.4], [0.07, 0.3, 0.6]];
/// A second one in the same middle is so much narrower and shallower at the start.
const NESTED_UNDERCUT_SCALE: f64 = 0.6;
/// Digits of a dimension in the scene.
const DIGITS: f64 = 1e6;

/// The dimensions that tuning changes.
#[derive(Clone, Debug, PartialEq)]
pub enum Unknowns {
    /// Undercuts of a bar.
    Undercuts(Vec<Undercut>),
    /// Patches of a plate with this bare surface density \[kg/m²\] and largest radius \[m\].
    Patches { patches: Vec<Patch>, density: f64, radius: f64 },
}

/// u of a dimension between bounds.
fn unbounded(x: f64, [low, high]: [f64; 2]) -> f64 {
    let share = ((x - low) / (high - low)).clamp(1e-4, 1.0 - 1e-4);
    (share / (1.0 - share)).ln()
}

/// The dimension of u.
fn bounded(u: f64, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) / (1.0 + (-u).exp())
}

impl Unknowns {
    /// Where the search for some ratios starts: at what the body has, and from as many in its middle as there are ratios for.
    pub fn starts(element: &Element, ratios: usize) -> Vec<Self> {
        let count = ratios.div_ceil(2).max(1);
        let scaled = |index: usize| NESTED_UNDERCUT_SCALE.powi(index as i32);
        match element {
            Element::Bar(bar) => {
                let own = match &bar.profile {
                    Profile::Undercuts(undercuts) if !undercuts.is_empty() => vec![Self::Undercuts(undercuts.clone())],
                    Profile::Uniform | Profile::Undercuts(_) | Profile::Lines { .. } => Vec::new(),
                };
                let start = |&[depth, width]: &[f64; 2]| {
                    let undercut = |index: usize| Undercut {
                        at: 0.5,
                        depth: depth * scaled(index) / (0..count).map(scaled).sum::<f64>(),
                        width: width * scaled(index),
                    };
                    Self::Undercuts((0..count).map(undercut).collect())
                };
                let pair = |&[away, depth, width]: &[f64; 3]| {
                    Self::Undercuts([0.5 - away, 0.5 + away].map(|at| Undercut { at, depth, width }).to_vec())
                };
                let (middle, pairs) = (UNDERCUT_STARTS.iter().map(start), PAIR_STARTS.iter().map(pair));
                if ratios == 1 {
                    own.into_iter().chain(middle).chain(pairs).collect()
                } else {
                    own.into_iter().chain(pairs).chain(middle).collect()
                }
            }
            Element::Plate(plate) => {
                let (density, radius) = (plate.density * plate.thickness, 0.5 * plate.size[0].min(plate.size[1]));
                let patches = |patches: Vec<Patch>| Self::Patches { patches, density, radius };
                let own = Some(plate.patches.clone()).filter(|own| !own.is_empty()).map(patches);
                let start = |&[share, load]: &[f64; 2]| {
                    let patch = |index: usize| Patch {
                        centre: [0.5; 2],
                        radius: share * radius * scaled(index),
                        surface_density: load * density * scaled(index),
                    };
                    patches((0..count).map(patch).collect())
                };
                own.into_iter().chain(PATCH_STARTS.iter().map(start)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The unknowns as numbers without bounds.
    pub fn values(&self) -> Vec<f64> {
        match self {
            Self::Undercuts(undercuts) => {
                undercuts.iter().flat_map(|cut| [unbounded(cut.depth, DEPTH), unbounded(cut.width, WIDTH)]).collect()
            }
            Self::Patches { patches, density, radius } => {
                let of_patch = |patch: &Patch| {
                    [unbounded(patch.radius / radius, RADIUS), unbounded(patch.surface_density / density, DENSITY)]
                };
                patches.iter().flat_map(of_patch).collect()
            }
        }
    }

    /// The same with other numbers.
    pub fn with(&self, values: &[f64]) -> Self {
        let mut changed = self.clone();
        match &mut changed {
            Self::Undercuts(undercuts) => {
                for (cut, pair) in undercuts.iter_mut().zip(values.chunks_exact(2)) {
                    (cut.depth, cut.width) = (bounded(pair[0], DEPTH), bounded(pair[1], WIDTH));
                }
            }
            Self::Patches { patches, density, radius } => {
                for (patch, pair) in patches.iter_mut().zip(values.chunks_exact(2)) {
                    patch.radius = *radius * bounded(pair[0], RADIUS);
                    patch.surface_density = *density * bounded(pair[1], DENSITY);
                }
            }
        }
        changed
    }

    /// With the digits that are written.
    pub fn rounded(&self) -> Self {
        let round = |value: &mut f64| *value = (*value * DIGITS).round() / DIGITS;
        let mut changed = self.clone();
        match &mut changed {
            Self::Undercuts(undercuts) => {
                undercuts.iter_mut().for_each(|cut| [&mut cut.depth, &mut cut.width].into_iter().for_each(round));
            }
            Self::Patches { patches, .. } => {
                let fields =
                    |patch: &mut Patch| [&mut patch.radius, &mut patch.surface_density].into_iter().for_each(round);
                patches.iter_mut().for_each(fields);
            }
        }
        changed
    }

    /// A body with these.
    pub fn apply(&self, element: &Element) -> Element {
        let mut changed = element.clone();
        match (&mut changed, self) {
            (Element::Bar(bar), Self::Undercuts(undercuts)) => bar.profile = Profile::Undercuts(undercuts.clone()),
            (Element::Plate(plate), Self::Patches { patches, .. }) => plate.patches.clone_from(patches),
            _ => {}
        }
        changed
    }

    /// Field of the scene that has them.
    pub fn field(&self) -> &'static str {
        match self {
            Self::Undercuts(_) => "undercut",
            Self::Patches { .. } => "patch",
        }
    }

    /// As they are written into the scene.
    pub fn toml(&self) -> String {
        let entries: Vec<String> = match self {
            Self::Undercuts(undercuts) => undercuts.iter().map(undercut_toml).collect(),
            Self::Patches { patches, .. } => patches.iter().map(patch_toml).collect(),
        };
        if let [one] = &entries[..] { one.clone() } else { format!("[{}]", entries.join(", ")) }
    }
}

fn undercut_toml(undercut: &Undercut) -> String {
    let at = if undercut.at == 0.5 { String::new() } else { format!("at = {:?}, ", undercut.at) };
    format!("{{ {at}depth = {:?}, width = {:?} }}", undercut.depth, undercut.width)
}

fn patch_toml(patch: &Patch) -> String {
    let [x, y] = patch.centre;
    let centre = if patch.centre == [0.5; 2] { String::new() } else { format!("centre = [{x:?}, {y:?}], ") };
    format!("{{ {centre}radius = {:?}, surface_density = {:?} }}", patch.radius, patch.surface_density)
}
