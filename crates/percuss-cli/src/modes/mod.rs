//! Eigenfrequencies and mode shapes of the elements of a scene, from the matrices of their schemes.

mod eigenpairs;
mod envelope_cholesky;
pub mod pitch;
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
    /// Frequency without losses, in continuous time \[Hz\]; 0 for a rigid-body mode.
    pub frequency: f64,
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
        let frequency = |omega_squared: f64| omega_squared.sqrt() / std::f64::consts::TAU;
        let pairs = eigenpairs.values.into_iter().zip(eigenpairs.shapes);
        pairs.map(|(omega_squared, shape)| Mode { frequency: frequency(omega_squared), shape }).collect()
    });
    Some(modes.map(|modes| (modes, operators)))
}
