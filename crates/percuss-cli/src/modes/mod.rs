//! Eigenfrequencies and mode shapes of the elements of a scene, from the matrices of their schemes.

mod eigenpairs;
mod envelope_cholesky;
pub mod pitch;
pub mod pitch_error;
pub mod tables;

use percuss::{ElementId, Operators, Simulation};

/// The modes of one element.
pub struct ElementModes {
    /// Id in the scene.
    pub id: String,
    /// Kind, such as `plate` or `string`.
    pub kind: &'static str,
    /// Modes in ascending order.
    pub modes: Vec<Mode>,
    /// Matrices and positions of the nodes.
    pub operators: Operators,
}

/// One mode.
pub struct Mode {
    /// Frequency in continuous time \[Hz\]; 0 for a rigid-body mode. Without losses on a grid, with them in modes.
    pub frequency: f64,
    /// Frequency at which it sounds at this sample rate \[Hz\]; `None` above half of that.
    pub sounding: Option<f64>,
    /// Displacement of every node; the largest is 1.
    pub shape: Vec<f64>,
}

impl ElementModes {
    /// Lowest frequency above 0 \[Hz\].
    pub fn fundamental(&self) -> Option<f64> {
        self.modes.iter().map(|mode| mode.frequency).find(|frequency| *frequency > 0.0)
    }
}

/// The lowest modes of an element in its current state; `None` if it does not move.
pub fn lowest_modes(
    simulation: &Simulation,
    element: ElementId,
    count: usize,
) -> Option<Result<(Vec<Mode>, Operators), String>> {
    let operators = simulation.operators(element).filter(|operators| !operators.mass.is_empty())?;
    let modes = eigenpairs::lowest(&operators, count).map(|eigenpairs| {
        let pairs = eigenpairs.values.into_iter().zip(eigenpairs.shapes);
        pairs.map(|(omega_squared, shape)| mode(&operators, omega_squared, shape, simulation.time_step())).collect()
    });
    Some(modes.map(|modes| (modes, operators)))
}

/// The mode of an eigenvalue ω² and an eigenvector.
fn mode(operators: &Operators, omega_squared: f64, vector: Vec<f64>, time_step: f64) -> Mode {
    let in_scheme = omega_squared.sqrt() / std::f64::consts::TAU;
    let sounding = pitch::sounding_frequency(in_scheme, time_step);
    let frequency = sounding.filter(|_| operators.is_exact).unwrap_or(in_scheme);
    let shape = match &operators.mode_shapes[..] {
        [] => vector,
        shapes => (0..operators.places.len())
            .map(|place| shapes.iter().zip(&vector).map(|(shape, share)| shape[place] * share).sum())
            .collect(),
    };
    Mode { frequency, sounding, shape: eigenpairs::normalised_shape(shape) }
}
