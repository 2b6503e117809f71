//! The modes of a plate or membrane in continuous space and time, for any edges and both outlines.
//!
//! Equation    ρH ω²w = DΔΔw − TΔw
//! Patches     add to ρH where they lie
//! Decay       σ = σ₀ + σ₁∫|∇w|²/∫w² with the mass of patches in the lower integral, exact where the modes are sines, and of first order in σ₁ elsewhere

use crate::control::moving_point::ModeWeights;
use crate::element::oscillator::mode_group::{ModeConstants, partials};
use crate::element::plate::exact::disc::{DiscShapes, Load};
use crate::element::plate::exact::patches::{BareModes, PatchedShapes, point_count};
use crate::element::plate::exact::rectangle::{AxisBasis, RectangleShapes};
use crate::element::plate::exact::separable::ProductShapes;
use crate::element::plate::grid::PlateMaterial;
use crate::element::simd::Machine;
use crate::model::{Edge, Outline, Patch, Plate};
use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

/// Most modes, about: with more of them nodes are cheaper.
const MAX_MODES: f64 = 3000.0;
/// Largest sum of cubes of the sizes of axes and eigenvalue problems: a quarter of a second, about.
const MAX_WORK: f64 = 6e8;

/// Most modes of the bare plate of which those with patches are made, fewest, and their largest wave number over that under patches.
const MAX_BARE_MODES: f64 = 900.0;
const MIN_BARE_MODES: f64 = 300.0;
const BARE_RANGE: f64 = 2.5;
/// Largest number of points on patches times the square of the number of modes.
const MAX_PATCH_WORK: f64 = 1.2e9;

/// The shapes of all modes of a plate.
#[derive(Clone, Debug)]
enum Shapes {
    Product(ProductShapes),
    Rectangle(RectangleShapes),
    Disc(DiscShapes),
    Patched(PatchedShapes),
}

/// The modes of a plate, in rising order of frequency.
#[derive(Clone, Debug)]
pub(crate) struct PlateModes {
    pub modes: Vec<ModeConstants>,
    shapes: Shapes,
}

/// Number of modes with ω below `max_omega`, by their asymptotic density.
fn mode_count(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> f64 {
    let wave_number = material.wave_number(max_omega, 1.0);
    let [width, height] = plate.size;
    let bare = wave_number * wave_number * width * height / (4.0 * PI) + wave_number * (width + height) / (2.0 * PI);
    let under = |patch: &Patch| {
        let density = 1.0 + patch.surface_density / material.surface_density;
        let loaded = material.wave_number(max_omega, density);
        0.25 * patch.radius.powi(2) * (loaded - wave_number) * (loaded + wave_number)
    };
    bare + plate.patches.iter().map(under).sum::<f64>()
}

/// How the modes of a plate are found.
enum Way {
    /// As those of one without patches, or with patches around the centre of a disc.
    Direct,
    /// From those of the bare plate below this ω.
    FromBare(f64),
}

impl Way {
    fn of(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> Self {
        let is_concentric = plate.outline == Outline::Disc && plate.patches.iter().all(Patch::is_concentric);
        if plate.patches.is_empty() || is_concentric {
            return Self::Direct;
        }
        Self::FromBare(bare_range(plate, material, max_omega))
    }
}

/// ω up to which modes of the bare plate are needed for those with patches up to `max_omega`.
pub(crate) fn bare_range(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> f64 {
    let added = plate.patches.iter().map(|patch| patch.surface_density).sum::<f64>();
    let wave_number = BARE_RANGE * material.wave_number(max_omega, 1.0 + added / material.surface_density);
    let square = wave_number * wave_number;
    let mut omega = (square * (material.tension + material.bending * square) / material.surface_density).sqrt();
    let bare = bare(plate);
    while omega.is_finite() && mode_count(&bare, material, omega) < MIN_BARE_MODES {
        omega *= 1.25;
    }
    omega
}

fn bare(plate: &Plate) -> Plate {
    Plate { patches: Vec::new(), ..plate.clone() }
}

fn axes(plate: &Plate, material: &PlateMaterial, max_wave_number: f64) -> [AxisBasis; 2] {
    let [left, right, bottom, top] = plate.edges;
    let bends = material.bending > 0.0;
    [
        AxisBasis::new(plate.size[0], [left, right], bends, max_wave_number),
        AxisBasis::new(plate.size[1], [bottom, top], bends, max_wave_number),
    ]
}

impl BareModes for PlateModes {
    fn constants(&self) -> &[ModeConstants] {
        &self.modes
    }

    fn at(&self, place: [f64; 2]) -> Vec<f64> {
        self.at(place)
    }

    fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64> {
        self.on_grid(columns, rows)
    }
}

impl PlateModes {
    /// Whether the modes with ω below `max_omega` can be found in a short time.
    pub fn can_be_found(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> bool {
        let count = mode_count(plate, material, max_omega);
        if let Way::FromBare(omega) = Way::of(plate, material, max_omega) {
            let bare = bare(plate);
            let bare_count = mode_count(&bare, material, omega);
            let points = point_count(&plate.patches, material.wave_number(omega, 1.0));
            return bare_count.max(count) <= MAX_BARE_MODES
                && points * bare_count * bare_count <= MAX_PATCH_WORK
                && Self::can_be_found(&bare, material, omega);
        }
        let max_wave_number = material.wave_number(max_omega, 1.0);
        let [width, height] = plate.size;
        let [rim, ..] = plate.edges;
        if plate.edges.contains(&Edge::FreeFullCell) || count.is_nan() || count > MAX_MODES {
            return false;
        }
        match plate.outline {
            Outline::Rectangle if ProductShapes::is_separable(material, plate.edges) => true,
            Outline::Rectangle => RectangleShapes::work(&axes(plate, material, max_wave_number)) <= MAX_WORK,
            Outline::Disc => {
                width == height
                    && plate.edges == [rim; 4]
                    && is_known_rim(rim, material)
                    && Load::of(plate).work(material, 0.5 * width, max_omega) <= MAX_WORK
            }
        }
    }

    /// The modes with ω below `max_omega`; `None` where they are not found.
    pub fn new(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> Option<Self> {
        let max_wave_number = material.wave_number(max_omega, 1.0);
        if let Way::FromBare(omega) = Way::of(plate, material, max_omega) {
            let bare = Self::new(&bare(plate), material, omega)?;
            let wave_number = material.wave_number(omega, 1.0);
            let (modes, shapes) = PatchedShapes::modes(plate, material, Arc::new(bare), wave_number, max_omega)?;
            return Some(Self::in_order(modes, Shapes::Patched(shapes)));
        }
        let (modes, shapes) = match plate.outline {
            Outline::Rectangle if ProductShapes::is_separable(material, plate.edges) => {
                let (modes, shapes) = ProductShapes::modes(material, plate.size, plate.edges, max_omega);
                (modes, Shapes::Product(shapes))
            }
            Outline::Rectangle => {
                let axes = axes(plate, material, max_wave_number);
                let (modes, shapes) = RectangleShapes::modes(material, plate.poisson, axes, max_omega)?;
                (modes, Shapes::Rectangle(shapes))
            }
            Outline::Disc => {
                let rim = (plate.size[0], plate.edges[0]);
                let (modes, shapes) = DiscShapes::modes(material, plate.poisson, rim, &Load::of(plate), max_omega)?;
                (modes, Shapes::Disc(shapes))
            }
        };
        Some(Self::in_order(modes, shapes))
    }

    fn in_order(modes: Vec<ModeConstants>, mut shapes: Shapes) -> Self {
        let mut order: Vec<usize> = (0..modes.len()).collect();
        order.sort_by(|&one, &other| modes[one].omega.total_cmp(&modes[other].omega));
        match &mut shapes {
            Shapes::Product(shapes) => shapes.reorder(&order),
            Shapes::Rectangle(shapes) => shapes.reorder(&order),
            Shapes::Disc(shapes) => shapes.reorder(&order),
            Shapes::Patched(shapes) => shapes.reorder(&order),
        }
        Self { modes: order.into_iter().map(|mode| modes[mode]).collect(), shapes }
    }

    /// Frequencies of the modes below ω = `max_omega` that oscillate \[Hz\]; `None` where they are not quickly found.
    pub fn partials(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> Option<Vec<f64>> {
        let modes =
            if Self::can_be_found(plate, material, max_omega) { Self::new(plate, material, max_omega) } else { None };
        modes.map(|found| partials(&found.modes))
    }

    /// Whether [`Self::moving`] knows the shapes of a plate: where they are products, of which a place that moves needs few
    /// operations for every mode. The others are sums of hundreds of terms.
    pub fn can_move(plate: &Plate, material: &PlateMaterial) -> bool {
        plate.outline == Outline::Rectangle
            && plate.patches.is_empty()
            && ProductShapes::is_separable(material, plate.edges)
    }

    /// Whether [`Self::slopes`] are those of orthogonal shapes: they are where all of the stiffness is tension, and where they are sines.
    pub fn has_orthogonal_slopes(plate: &Plate, material: &PlateMaterial) -> bool {
        material.bending == 0.0 || (Self::can_move(plate, material) && material.tension > 0.0)
    }

    /// ∫|∇φ|²dA of every mode with orthogonal slopes: ω²m/T of a membrane, β²m/ρH of sines.
    pub fn slopes(&self, material: &PlateMaterial) -> impl Iterator<Item = f64> {
        self.modes.iter().map(move |mode| {
            let square = if material.bending == 0.0 {
                mode.omega.powi(2) / material.tension
            } else {
                material.wave_number(mode.omega, 1.0).powi(2) / material.surface_density
            };
            square * mode.mass
        })
    }

    /// The shapes at places that move; `nodes` are those of the modes in the state.
    pub fn moving(&self, nodes: Range<usize>, machine: Machine) -> Option<Arc<dyn ModeWeights>> {
        match &self.shapes {
            Shapes::Product(shapes) => Some(Arc::new(shapes.moving(nodes, machine))),
            Shapes::Rectangle(_) | Shapes::Disc(_) | Shapes::Patched(_) => None,
        }
    }

    /// The displacement of every mode at fractions of the sides.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        match &self.shapes {
            Shapes::Product(shapes) => shapes.at(place),
            Shapes::Rectangle(shapes) => shapes.at(place),
            Shapes::Disc(shapes) => shapes.at(place),
            Shapes::Patched(shapes) => shapes.at(place),
        }
    }

    /// The same at all crossings of columns and rows, row by row, mode by mode at each.
    pub fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64> {
        match &self.shapes {
            Shapes::Rectangle(shapes) => shapes.on_grid(columns, rows),
            Shapes::Patched(shapes) => shapes.on_grid(columns, rows),
            Shapes::Product(_) | Shapes::Disc(_) => {
                rows.iter().flat_map(|&y| columns.iter().flat_map(move |&x| self.at([x, y]))).collect()
            }
        }
    }
}

/// Round plates are free or clamped; a membrane's rim may be simply supported, which is the same as clamped.
fn is_known_rim(rim: Edge, material: &PlateMaterial) -> bool {
    match rim {
        Edge::Free | Edge::Clamped => true,
        Edge::SimplySupported => material.bending == 0.0,
        Edge::FreeFullCell => false,
    }
}
