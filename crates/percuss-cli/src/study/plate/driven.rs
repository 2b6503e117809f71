//! Figure 3 of the paper (sec. 4.1.1): a plate clamped at a corner and one clamped outside a circle, driven by a sinusoid.
//!
//! Plates      those of the presets, with the paper's steel, edges and elastic foundation of 100 N/m³
//! Drive       1 N at a resonance: the second of the circle, as in the paper; the third of the corner, which the paper does
//!             not specify
//! Snapshots   at the largest deflection within a period: at the start of the drive, soon after, and in the steady state
//! Overlap     the share of a snapshot, ⟨u,u⟩ = Σm u², in the modes of the resonance; the second of the circle is double

use super::partials::RATE;
use super::presets;
use crate::modes;
use percuss::{Drive, Edge, Element, ElementId, Model, Operators, Plate, Region, Simulation, Touch};
use std::f64::consts::TAU;

/// Times of the snapshots \[s\].
const SNAPSHOT_TIMES: [f64; 3] = [0.0, 0.02, 0.5];
/// Elastic foundation of the paper \[N/m³\].
const FOUNDATION_STIFFNESS: f64 = 100.0;

/// Plate, position of the drive, and modes of the resonance.
struct DriveSetup {
    preset: &'static str,
    at: [f64; 2],
    resonance: &'static [usize],
}

const DRIVE_SETUPS: [DriveSetup; 2] = [
    DriveSetup { preset: "clamped-corner", at: [1.0, 1.0], resonance: &[2] },
    DriveSetup { preset: "clamped-circle", at: [0.62, 0.55], resonance: &[1, 2] },
];

/// Deflection of a driven plate.
pub struct Snapshot {
    /// Preset of the plate.
    pub preset: &'static str,
    /// Frequency of the drive \[Hz\].
    pub frequency: f64,
    /// Time \[s\].
    pub time: f64,
    /// Largest displacement \[m\].
    pub max_displacement: f64,
    /// Share of the motion in the modes of the resonance.
    pub overlap: f64,
    /// Grid intervals along the sides.
    pub intervals: [usize; 2],
    /// Sides \[m\].
    pub size: [f64; 2],
    /// Displacements row by row, over the largest magnitude.
    pub nodes: Vec<f64>,
    /// Clamped region.
    pub clamped_region: Region,
}

/// Simulates both plates.
pub fn measure() -> Vec<Snapshot> {
    DRIVE_SETUPS.iter().flat_map(drive).collect()
}

/// A preset's plate with the paper's steel, edges and elastic foundation.
fn plate_of(preset: &str) -> Plate {
    let scene = presets::modified_preset(preset, &[]);
    let Some(Element::Plate(plate)) = scene.model.elements().first().cloned() else { panic!("{preset} has a plate") };
    let foundation = Touch {
        region: Region::Everywhere,
        pressure: 1.0.into(),
        mass: 0.0,
        stiffness: FOUNDATION_STIFFNESS,
        damping: 0.0,
    };
    let touches = plate.touches.iter().cloned().chain([foundation]).collect();
    let edges = [Edge::FreeFullCell; 4];
    Plate { density: 8000.0, youngs_modulus: 2e11, poisson: 0.3, edges, touches, ..plate }
}

fn drive(DriveSetup { preset, at, resonance }: &DriveSetup) -> Vec<Snapshot> {
    let plate = plate_of(preset);
    let clamped_region = plate.touches[0].region.clone();
    let mut model = Model::new();
    let element = model.add(plate);
    let unforced = model.compile(RATE).expect("presets compile");
    let (found, operators) =
        modes::lowest_modes(&unforced, element, 4).expect("the plate moves").expect("its modes converge");
    let frequency = found[resonance[0]].sounding.expect("a low mode");
    let shapes: Vec<&[f64]> = resonance.iter().map(|&mode| found[mode].shape.as_slice()).collect();
    let length = ((SNAPSHOT_TIMES[2] + 2.0 / frequency) * RATE) as usize;
    let values = (0..length).map(|n| (TAU * frequency * n as f64 / RATE).sin()).collect();
    model.drive(element.on(*at), Drive::Samples { rate: RATE, values });
    let mut simulation = model.compile(RATE).expect("presets compile");
    let grid = simulation.plate_grid(element).expect("a plate");
    let period = (RATE / frequency) as usize;
    let mut snapshot = |from: f64| {
        let (time, nodes) = largest_deflection(&mut simulation, element, (from * RATE) as u64, period);
        let max_displacement = max_magnitude(&nodes);
        Snapshot {
            preset,
            frequency,
            time,
            max_displacement,
            overlap: overlap(&operators, &shapes, &nodes, grid.intervals[0] + 1),
            intervals: grid.intervals,
            size: grid.size,
            nodes: nodes.iter().map(|x| x / max_displacement).collect(),
            clamped_region: clamped_region.clone(),
        }
    };
    SNAPSHOT_TIMES.map(&mut snapshot).into()
}

fn max_magnitude(nodes: &[f64]) -> f64 {
    nodes.iter().fold(f64::MIN_POSITIVE, |max_displacement, x| max_displacement.max(x.abs()))
}

/// Time \[s\] and displacements of the largest deflection within a period after a step.
fn largest_deflection(simulation: &mut Simulation, plate: ElementId, from: u64, period: usize) -> (f64, Vec<f64>) {
    while simulation.steps() < from {
        simulation.step();
    }
    let mut best = (0.0, Vec::new(), 0.0);
    for _ in 0..period {
        simulation.step();
        let nodes = simulation.displacements(plate);
        let max_displacement = max_magnitude(&nodes);
        if max_displacement > best.2 {
            best = (simulation.steps() as f64 / RATE, nodes, max_displacement);
        }
    }
    (best.0, best.1)
}

/// The share of a motion in some modes, which are orthogonal with respect to the masses.
fn overlap(operators: &Operators, shapes: &[&[f64]], nodes: &[f64], columns: usize) -> f64 {
    let moving: Vec<f64> = operators.grid.iter().map(|&(i, j)| nodes[j * columns + i]).collect();
    let product =
        |a: &[f64], b: &[f64]| -> f64 { operators.mass.iter().zip(a).zip(b).map(|((m, a), b)| m * a * b).sum() };
    let whole = product(&moving, &moving);
    shapes.iter().map(|shape| product(shape, &moving).powi(2) / (product(shape, shape) * whole)).sum()
}
