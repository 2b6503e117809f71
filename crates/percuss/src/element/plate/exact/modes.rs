//! The modes of a plate or membrane in continuous space and time, for any edges and both outlines.
//!
//! Equation    ρH ω²w = DΔΔw − TΔw
//! Decay       σ = σ₀ + σ₁∫|∇w|²/∫w², exact where the modes are sines, and of first order in σ₁ elsewhere

use crate::element::oscillator::mode_group::{ModeConstants, partials};
use crate::element::plate::exact::disc::DiscShapes;
use crate::element::plate::exact::rectangle::{AxisBasis, RectangleShapes};
use crate::element::plate::exact::separable::ProductShapes;
use crate::element::plate::grid::PlateMaterial;
use crate::model::{Edge, Outline, Plate};
use std::f64::consts::PI;

/// Most modes, about: with more of them nodes are cheaper.
const MAX_MODES: f64 = 3000.0;
/// Largest sum of cubes of the sizes of axes and eigenvalue problems: a quarter of a second, about.
const MAX_WORK: f64 = 6e8;

/// The shapes of all modes of a plate.
#[derive(Clone, Debug)]
enum Shapes {
    Product(ProductShapes),
    Rectangle(RectangleShapes),
    Disc(DiscShapes),
}

/// The modes of a plate, in rising order of frequency.
#[derive(Clone, Debug)]
pub(crate) struct PlateModes {
    pub modes: Vec<ModeConstants>,
    shapes: Shapes,
}

/// Wave number at which ω is reached \[1/m\].
fn wave_number(material: &PlateMaterial, omega: f64) -> f64 {
    let [c2, kappa2] = [material.tension, material.bending].map(|x| x / material.surface_density);
    // β² with c²β² + κ²β⁴ = ω², in a form in which either c or κ may be 0.
    (2.0 * omega * omega / (c2 + (c2 * c2 + 4.0 * kappa2 * omega * omega).sqrt())).sqrt()
}

fn axes(plate: &Plate, material: &PlateMaterial, max_wave_number: f64) -> [AxisBasis; 2] {
    let [left, right, bottom, top] = plate.edges;
    let bends = material.bending > 0.0;
    [
        AxisBasis::new(plate.size[0], [left, right], bends, max_wave_number),
        AxisBasis::new(plate.size[1], [bottom, top], bends, max_wave_number),
    ]
}

impl PlateModes {
    /// Whether the modes with ω below `max_omega` can be found in a short time.
    pub fn can_be_found(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> bool {
        let max_wave_number = wave_number(material, max_omega);
        let [width, height] = plate.size;
        let [rim, ..] = plate.edges;
        // By their asymptotic density.
        let count = max_wave_number * max_wave_number * width * height / (4.0 * PI)
            + max_wave_number * (width + height) / (2.0 * PI);
        if plate.edges.contains(&Edge::FreeFullCell) || count.is_nan() || count > MAX_MODES {
            return false;
        }
        match plate.outline {
            Outline::Rectangle if ProductShapes::is_separable(material, plate.edges) => true,
            Outline::Rectangle => RectangleShapes::work(&axes(plate, material, max_wave_number)) <= MAX_WORK,
            Outline::Disc => width == height && plate.edges == [rim; 4] && is_known_rim(rim, material),
        }
    }

    /// The modes with ω below `max_omega`; `None` where they are not found.
    pub fn new(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> Option<Self> {
        let max_wave_number = wave_number(material, max_omega);
        let (modes, mut shapes) = match plate.outline {
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
                let (modes, shapes) = DiscShapes::modes(material, plate.poisson, rim, max_wave_number, max_omega)?;
                (modes, Shapes::Disc(shapes))
            }
        };
        let mut order: Vec<usize> = (0..modes.len()).collect();
        order.sort_by(|&one, &other| modes[one].omega.total_cmp(&modes[other].omega));
        match &mut shapes {
            Shapes::Product(shapes) => shapes.reorder(&order),
            Shapes::Rectangle(shapes) => shapes.reorder(&order),
            Shapes::Disc(shapes) => shapes.reorder(&order),
        }
        Some(Self { modes: order.into_iter().map(|mode| modes[mode]).collect(), shapes })
    }

    /// Frequencies of the modes below ω = `max_omega` that oscillate \[Hz\]; `None` where they are not quickly found.
    pub fn partials(plate: &Plate, material: &PlateMaterial, max_omega: f64) -> Option<Vec<f64>> {
        let modes =
            if Self::can_be_found(plate, material, max_omega) { Self::new(plate, material, max_omega) } else { None };
        modes.map(|found| partials(&found.modes))
    }

    /// The displacement of every mode at fractions of the sides.
    pub fn at(&self, place: [f64; 2]) -> Vec<f64> {
        match &self.shapes {
            Shapes::Product(shapes) => shapes.at(place),
            Shapes::Rectangle(shapes) => shapes.at(place),
            Shapes::Disc(shapes) => shapes.at(place),
        }
    }

    /// The same at all crossings of columns and rows, row by row, mode by mode at each.
    pub fn on_grid(&self, columns: &[f64], rows: &[f64]) -> Vec<f64> {
        match &self.shapes {
            Shapes::Rectangle(shapes) => shapes.on_grid(columns, rows),
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
