//! Energy and drift of a struck plate under the published scheme (`plain`) and with its drift held (`tracked`).

use super::RATE;
use percuss::{Edge, Method, Model, Plate, Pulse, Quantity, Scheme};

/// Forces of the strokes \[N\].
pub const STROKES: [f64; 4] = [10.0, 50.0, 200.0, 800.0];
/// Schemes and their names.
pub const SCHEMES: [(Scheme, &str); 2] = [(Scheme::Plain, "plain"), (Scheme::Tracked, "tracked")];
/// Number of samples.
const STEPS: usize = 6000;

/// What a stroke does.
pub struct DriftResult {
    /// Peak of the force \[N\].
    pub force: f64,
    /// Name of the scheme.
    pub scheme: &'static str,
    /// Largest displacement at the struck place, in thicknesses.
    pub amplitude: f64,
    /// Root of the mean square of ψ − √2V over that of √2V.
    pub drift: f64,
    /// Largest residual of a step over the energy.
    pub residual: f64,
}

impl DriftResult {
    /// Strikes a supported steel plate of 0.3 m and 1 mm.
    pub fn measure(force: f64, (scheme, name): (Scheme, &'static str)) -> Self {
        let plate = Plate {
            edges: [Edge::SimplySupported; 4],
            grid: Some([24; 2]),
            method: Method::Grid,
            ..Plate::steel([0.3; 2], 1e-3)
        };
        let thickness = plate.thickness;
        let mut model = Model::new();
        model.scheme = scheme;
        let id = model.add(plate);
        let stretching = model.stretch_by_bending(id);
        let place = id.on([0.42, 0.37]);
        model.pulse(place, Pulse { peak: force, duration: 2e-3, ..Pulse::default() });
        let ear = model.pickup(place, Quantity::Displacement);
        let mut simulation = model.compile(RATE).expect("a coarse grid is stable");
        simulation.open_ledger();
        let mut largest = 0.0_f64;
        for _ in 0..STEPS {
            simulation.step();
            largest = largest.max(simulation.read(ear).abs());
        }
        let drift = simulation.drift(stretching).unwrap_or(0.0);
        let residual = simulation.ledger().map_or(f64::NAN, |ledger| ledger.total.worst_relative);
        Self { force, scheme: name, amplitude: largest / thickness, drift, residual }
    }
}
