//! Eigenfrequencies and mode shapes of the elements of a scene, from the matrices they are stepped with.

mod eigen;
mod envelope;
pub mod pitch;
pub mod tables;

use percuss::{ElementId, Mass, Model, Operators, Simulation};
use percuss_scene::Scene;

/// The modes of one element.
pub struct ElementModes {
    /// Id in the scene.
    pub id: String,
    /// `plate`, `string` and so on.
    pub kind: &'static str,
    /// From the lowest.
    pub modes: Vec<Mode>,
    /// Where the nodes are that the shapes speak of.
    pub operators: Operators,
}

/// One mode.
pub struct Mode {
    /// Without losses, in continuous time \[Hz\]; 0 for a motion that nothing holds back.
    pub frequency: f64,
    /// Displacement of every node, the largest being 1.
    pub shape: Vec<f64>,
}

impl ElementModes {
    /// Frequency of the first mode that sounds \[Hz\].
    pub fn fundamental(&self) -> Option<f64> {
        self.modes.iter().map(|mode| mode.frequency).find(|frequency| *frequency > 0.0)
    }
}

/// The lowest modes of an element as it is now; `None` where it does not move.
pub fn of(simulation: &Simulation, element: ElementId, count: usize) -> Option<Result<(Vec<Mode>, Operators), String>> {
    let operators = simulation.operators(element).filter(|operators| !operators.mass.is_empty())?;
    let modes = eigen::lowest(&operators, count).map(|spectrum| {
        let frequency = |square: f64| square.sqrt() / std::f64::consts::TAU;
        let pairs = spectrum.values.into_iter().zip(spectrum.shapes);
        pairs.map(|(square, shape)| Mode { frequency: frequency(square), shape }).collect()
    });
    Some(modes.map(|modes| (modes, operators)))
}

/// Handles of a scene's elements, in the model's order.
pub fn element_ids(scene: &Scene) -> Vec<ElementId> {
    // Handles are only given out by a model, numbered in the order of adding.
    let mut numbered = Model::new();
    scene.model.elements().iter().map(|_| numbered.add(Mass::default())).collect()
}
