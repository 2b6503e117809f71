//! Samples of a scene, as the pickups read them.

use crate::description::Message;

/// Steps a scene at its own rate for a time \[s\] and returns what its pickups read, one frame after the other.
///
/// # Errors
/// The first message, where the scene cannot be played.
pub(crate) fn samples(text: &str, name: &str, seconds: f64) -> Result<Vec<f64>, Message> {
    let scene = percuss_scene::parse(text, name).map_err(|all| Message::from(&all[0]))?;
    let mut simulation = scene.compile(scene.sample_rate).map_err(|error| Message::from(&*error))?;
    let steps = (seconds * scene.sample_rate).round() as usize;
    let mut samples = Vec::with_capacity(steps * scene.outputs.len());
    for _ in 0..steps {
        simulation.step();
        samples.extend(scene.outputs.iter().map(|output| simulation.read(output.pickup)));
    }
    Ok(samples)
}
