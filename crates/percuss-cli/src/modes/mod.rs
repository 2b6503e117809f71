//! Eigenfrequencies and mode shapes of the elements of a scene, from the matrices of their schemes.

pub mod decay;
mod eigenpairs;
mod envelope_cholesky;
pub mod pitch;
pub mod pitch_error;
pub mod rigid;
pub mod tables;

use percuss::{Element, ElementId, Operators, Simulation};

/// The modes of one element.
pub struct ElementModes {
    /// Id in the scene.
    pub id: String,
    /// Kind, such as `plate` or `string`.
    pub kind: &'static str,
    /// Modes in ascending order.
    pub modes: Vec<Mode>,
    /// What is heard of each.
    pub partials: Vec<ModeSound>,
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

/// What is heard of a mode.
#[derive(Clone, Copy)]
pub struct ModeSound {
    /// Whether it moves the element as a whole: a rigid or a pendulum motion.
    pub is_rigid: bool,
    /// Time to decay by 60 dB \[s\], infinite without losses; `None` if it does not oscillate, or where it is not known.
    pub decay_time: Option<f64>,
}

impl ElementModes {
    /// Frequency of the first partial: of the lowest mode that oscillates and is no rigid or pendulum motion \[Hz\].
    pub fn first_partial(&self) -> Option<f64> {
        let partials = self.modes.iter().zip(&self.partials);
        let mut audible = partials.filter(|(mode, partial)| mode.frequency > 0.0 && !partial.is_rigid);
        audible.next().map(|(mode, _)| mode.frequency)
    }
}

/// What is heard of the modes of an element.
pub fn partials(
    simulation: &Simulation,
    (id, element): (ElementId, &Element),
    operators: &Operators,
    modes: &[Mode],
) -> Vec<ModeSound> {
    let rates = decay::rates(simulation, (id, element), operators, modes);
    let partial = |(mode, rate): (&Mode, Option<f64>)| ModeSound {
        is_rigid: mode.frequency == 0.0 || rigid::is_rigid(element, &operators.places, &mode.shape),
        decay_time: rate.filter(|_| mode.frequency > 0.0).map(decay::decay_time),
    };
    modes.iter().zip(rates).map(partial).collect()
}

/// The lowest modes of an element in its current state; `None` if it does not move.
pub fn lowest_modes(
    simulation: &Simulation,
    element: ElementId,
    count: usize,
) -> Option<Result<(Vec<Mode>, Operators), String>> {
    let operators = simulation.operators(element).filter(|operators| !operators.mass.is_empty())?;
    let is_in_modes = !operators.mode_shapes.is_empty();
    let found = if is_in_modes {
        Ok(eigenpairs::of_diagonal(&operators, count))
    } else {
        eigenpairs::lowest(&operators, count)
    };
    let modes = found.map(|eigenpairs| {
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
