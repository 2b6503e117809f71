//! Plates with known modes: λ = ωL²√(ρH/D), for discs with the radius as L, for membranes ωL/c.

use crate::modes;
use percuss::{Edge, Model, Outline, Plate, Region, Touch};
use std::f64::consts::{PI, TAU};

/// Side of squares and radius of discs \[m\].
const SIDE: f64 = 0.3;
const RADIUS: f64 = 0.13;
/// Stiffness of the clamp outside a circle \[N/m³\]: the largest in scenes, and that of the paper. The plate bends into the
/// latter by (4D/k̄)^¼ = 1.7 mm, which enlarges the disc by as much on any grid.
const RIGID_STIFFNESS: f64 = 1e16;
const PAPER_STIFFNESS: f64 = 1e13;
const THICKNESS: f64 = 1e-3;
/// Side of the square around the circle over the radius: a few cells remain outside.
const FRAME_RATIO: f64 = 2.1;
/// Sides \[m\], surface density \[kg/m²\] and tension \[N/m\] of the membrane.
const MEMBRANE_CONSTANTS: ([f64; 2], f64, f64) = ([0.4, 0.3], 0.26, 2000.0);

/// Leissa (1973); free edges with ν = 0.3 to five digits.
const CLAMPED_SQUARE: [f64; 6] = [35.985, 73.394, 73.394, 108.217, 131.581, 132.205];
const FREE_SQUARE: [f64; 6] = [13.468, 19.596, 24.270, 34.801, 34.801, 61.093];
/// Modes (0,1), (1,1), (2,1) and (0,2) of a clamped disc; those with nodal diameters are double.
const CLAMPED_DISC: [f64; 6] = [10.2158, 21.26, 21.26, 34.88, 34.88, 39.771];

/// Modes of a disc with a free rim, ν = 0.3 (Leissa 1969), and of a circular membrane with a fixed rim: zeros of J₀, J₁, J₂.
const FREE_DISC: [f64; 6] = [5.358, 5.358, 9.003, 12.44, 12.44, 20.47];
const MEMBRANE_DISC: [f64; 6] = [2.40483, 3.83171, 3.83171, 5.13562, 5.13562, 5.52008];

/// One mode and its reference.
pub struct ModeComparison {
    /// Edges and intervals, such as `free-36`, and the reference if there are several.
    pub case: String,
    /// Boundary condition.
    pub boundary: &'static str,
    /// Number from 1, without rigid-body modes.
    pub mode: usize,
    /// λ on the grid.
    pub value: f64,
    /// λ of a closed form or the literature.
    pub reference: f64,
}

impl ModeComparison {
    /// Error \[%\].
    pub fn error(&self) -> f64 {
        100.0 * (self.value / self.reference - 1.0)
    }
}

/// A plate and its references.
pub struct PlateCase {
    /// Edges and intervals.
    pub name: String,
    boundary: &'static str,
    plate: Plate,
    /// Suffix of the name, and λ of the modes.
    references: Vec<(&'static str, Vec<f64>)>,
    /// λ of an angular frequency of 1/s.
    lambda_scale: f64,
}

impl PlateCase {
    /// Compares the modes with all references.
    pub fn rows(&self) -> Vec<ModeComparison> {
        let values = self.values();
        let rows = self.references.iter().flat_map(|(against, references)| {
            references.iter().zip(&values).enumerate().map(move |(index, (&reference, &value))| ModeComparison {
                case: format!("{}{against}", self.name),
                boundary: self.boundary,
                mode: index + 1,
                value,
                reference,
            })
        });
        rows.collect()
    }

    fn values(&self) -> Vec<f64> {
        let mut model = Model::new();
        let plate = model.add(self.plate.clone());
        let simulation = model.compile(self.rate()).expect("a stable grid");
        let found = modes::lowest_modes(&simulation, plate, self.references[0].1.len() + 3).expect("the plate moves");
        let (modes, _) = found.expect("its modes converge");
        modes.iter().filter(|mode| mode.frequency > 0.0).map(|mode| self.lambda_scale * TAU * mode.frequency).collect()
    }

    /// Sample rate slightly above the lowest at which the grid is stable \[Hz\].
    fn rate(&self) -> f64 {
        let intervals = self.plate.grid.map_or(1, |grid| grid[0]);
        let h = self.plate.size[0] / intervals as f64;
        let speed = (self.plate.tension / (self.plate.density * self.plate.thickness)).sqrt();
        1.01 * (4.0 * kappa(&self.plate) / (h * h)).max(2_f64.sqrt() * speed / h)
    }
}

/// √(D/ρH) \[m²/s\].
fn kappa(plate: &Plate) -> f64 {
    let bending = plate.youngs_modulus * plate.thickness.powi(2) / (12.0 * (1.0 - plate.poisson.powi(2)));
    (bending / plate.density).sqrt()
}

/// All cases.
pub fn all() -> Vec<PlateCase> {
    let mut cases = vec![simply_supported_square(36), square("clamped", Edge::Clamped, 36, CLAMPED_SQUARE.to_vec())];
    cases.extend(FREE_GRIDS.map(|intervals| square("free", Edge::Free, intervals, FREE_SQUARE.to_vec())));
    cases.push(square("free-full-cell", Edge::FreeFullCell, 18, FREE_SQUARE.to_vec()));
    cases.extend(DISC_GRIDS.map(|across| clamped_outside_circle("circle", across, RIGID_STIFFNESS)));
    cases.push(clamped_outside_circle("circle-paper", 100, PAPER_STIFFNESS));
    for across in [18, 36] {
        cases.push(disc("free", Edge::Free, across, FREE_DISC.to_vec()));
        cases.push(disc("clamped", Edge::Clamped, across, CLAMPED_DISC.to_vec()));
    }
    cases.push(membrane([40, 30]));
    cases.extend([18, 36].map(membrane_disc));
    cases
}

/// Intervals along the sides of free plates.
pub const FREE_GRIDS: [usize; 5] = [9, 18, 36, 54, 72];
/// Intervals along the diameters of discs.
pub const DISC_GRIDS: [usize; 4] = [20, 40, 70, 100];

fn lossless(size: [f64; 2], edge: Edge, grid: [usize; 2]) -> Plate {
    Plate { edges: [edge; 4], sigma0: 0.0, sigma1: 0.0, grid: Some(grid), ..Plate::steel(size, THICKNESS) }
}

fn square(boundary: &'static str, edge: Edge, intervals: usize, literature: Vec<f64>) -> PlateCase {
    let plate = lossless([SIDE; 2], edge, [intervals; 2]);
    let lambda_scale = SIDE * SIDE / kappa(&plate);
    PlateCase {
        name: format!("{boundary}-{intervals}"),
        boundary,
        plate,
        references: vec![("", literature)],
        lambda_scale,
    }
}

/// The six lowest values of a family of modes with p and q half waves along the sides.
fn lowest_six(value: impl Fn(i32, i32) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = (1..8).flat_map(|p| (1..8).map(move |q| (p, q))).map(|(p, q)| value(p, q)).collect();
    values.sort_by(f64::total_cmp);
    values.truncate(6);
    values
}

/// 4 sin²(mπ/2N): eigenvalue of the second difference for m half waves on N intervals, times −h².
fn difference_eigenvalue(half_waves: i32, intervals: usize) -> f64 {
    4.0 * (0.5 * PI * f64::from(half_waves) / intervals as f64).sin().powi(2)
}

fn simply_supported_square(intervals: usize) -> PlateCase {
    let squares = (intervals * intervals) as f64;
    let discrete =
        lowest_six(|p, q| squares * (difference_eigenvalue(p, intervals) + difference_eigenvalue(q, intervals)));
    let continuous = lowest_six(|p, q| PI * PI * f64::from(p * p + q * q));
    let case = square("simply-supported", Edge::SimplySupported, intervals, Vec::new());
    PlateCase { references: vec![("-grid", discrete), ("-continuous", continuous)], ..case }
}

/// A disc made by clamping a square outside a circle (paper, 4.1.1).
fn clamped_outside_circle(name: &str, across: usize, stiffness: f64) -> PlateCase {
    let intervals = (0.5 * FRAME_RATIO * across as f64).round() as usize;
    // The diameter is exactly `across` cells.
    let side = 2.0 * RADIUS * intervals as f64 / across as f64;
    let centre = [0.5.into(), 0.5.into()];
    let region = Region::OutsideCircle { centre, radius: RADIUS.into() };
    let touch = Touch { region, pressure: 1.0.into(), mass: 0.0, stiffness, damping: 0.0 };
    let plate = lossless([side; 2], Edge::SimplySupported, [intervals; 2]);
    let lambda_scale = RADIUS * RADIUS / kappa(&plate);
    PlateCase {
        name: format!("{name}-{across}"),
        boundary: "clamped by touch",
        plate: Plate { touches: vec![touch], ..plate },
        references: vec![("", CLAMPED_DISC.to_vec())],
        lambda_scale,
    }
}

/// A disc with a boundary condition at its rim.
fn disc(boundary: &'static str, rim: Edge, across: usize, literature: Vec<f64>) -> PlateCase {
    let plate = Plate { outline: Outline::Disc, ..lossless([2.0 * RADIUS; 2], rim, [across; 2]) };
    let lambda_scale = RADIUS * RADIUS / kappa(&plate);
    PlateCase {
        name: format!("disc-{boundary}-{across}"),
        boundary,
        plate,
        references: vec![("", literature)],
        lambda_scale,
    }
}

/// A circular membrane with a fixed rim.
fn membrane_disc(across: usize) -> PlateCase {
    let (_, surface_density, tension) = MEMBRANE_CONSTANTS;
    let membrane = Plate::membrane([2.0 * RADIUS; 2], surface_density, tension);
    PlateCase {
        name: format!("membrane-disc-{across}"),
        boundary: "membrane",
        plate: Plate { outline: Outline::Disc, sigma0: 0.0, sigma1: 0.0, grid: Some([across; 2]), ..membrane },
        references: vec![("", MEMBRANE_DISC.to_vec())],
        lambda_scale: RADIUS / (tension / surface_density).sqrt(),
    }
}

fn membrane(grid: [usize; 2]) -> PlateCase {
    let (size, surface_density, tension) = MEMBRANE_CONSTANTS;
    let plate = Plate { sigma0: 0.0, sigma1: 0.0, grid: Some(grid), ..Plate::membrane(size, surface_density, tension) };
    let [across, up] = grid.map(|count| count as f64);
    let discrete =
        lowest_six(|p, q| across * (difference_eigenvalue(p, grid[0]) + difference_eigenvalue(q, grid[1])).sqrt());
    let continuous = lowest_six(|p, q| PI * f64::from(p).hypot(f64::from(q) * across / up));
    PlateCase {
        name: format!("membrane-{}x{}", grid[0], grid[1]),
        boundary: "membrane",
        plate,
        references: vec![("-grid", discrete), ("-continuous", continuous)],
        lambda_scale: size[0] / (tension / surface_density).sqrt(),
    }
}
