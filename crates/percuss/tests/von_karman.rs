//! Plates that bend by more than a part of their thickness: published stiffening, the linear limit, the account.

use percuss::prelude::*;
use std::f64::consts::PI;

/// The simply supported steel plate of the published backbone, lossless.
fn square(intervals: usize, method: Method) -> Plate {
    Plate {
        density: 7800.0,
        sigma0: 0.0,
        sigma1: 0.0,
        edges: [Edge::SimplySupported; 4],
        grid: Some([intervals; 2]),
        method,
        ..Plate::steel([0.3; 2], 1e-3)
    }
}

/// Frequency of the coordinate of the lowest mode, released at so many thicknesses: from zero crossings over 80 ms.
fn frequency(intervals: usize, rate: f64, thicknesses: f64) -> f64 {
    let mut model = Model::new();
    let plate = square(intervals, Method::Grid);
    let height = thicknesses * plate.thickness;
    let id = model.add(plate);
    model.stretch_by_bending(id);
    let mut simulation = model.compile(rate).unwrap();
    assert!(simulation.release_from(id, |[x, y]| height * (PI * x).sin() * (PI * y).sin()));
    let all: Vec<usize> = (0..=intervals).collect();
    let mut view = simulation.grid_view(id, &all, &all).unwrap();
    let sines: Vec<f64> = all.iter().map(|&i| (PI * i as f64 / intervals as f64).sin()).collect();
    let mut last = f64::NAN;
    let mut crossings = Vec::new();
    for step in 0..(0.08 * rate) as usize {
        simulation.step();
        view.refresh(&simulation);
        let values = view.values().chunks_exact(intervals + 1).zip(&sines);
        let q: f64 =
            values.map(|(row, y)| y * row.iter().zip(&sines).map(|(value, x)| value * x).sum::<f64>()).sum();
        if last * q < 0.0 {
            crossings.push((step as f64 + last / (last - q)) / rate);
        }
        last = q;
    }
    let [first, end] = [crossings[0], crossings[crossings.len() - 1]];
    0.5 * (crossings.len() - 1) as f64 / (end - first)
}

#[test]
fn backbone() {
    for (n, rate) in [(10, 44_100.0), (16, 88_200.0), (24, 176_400.0)] {
        let linear = frequency(n, rate, 0.01);
        let ratios = [0.5, 1.0, 2.0].map(|a| frequency(n, rate, a) / linear);
        println!("{n}: {ratios:?}");
    }
}
