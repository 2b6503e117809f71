//! The preset `tromba-marina` under a bow of constant force and velocity at any position between bridge and nut.

use super::RATE;
use super::motion::BowedMotion;
use crate::study::plate::modified_preset;
use percuss::{Element, StiffString};
use percuss_scene::Scene;
use percuss_scene::presets;

const PRESET: &str = "tromba-marina";
/// Position of the bridge as a fraction of the string, and length of the string between nut and bridge \[m\].
const BRIDGE_POSITION: f64 = 0.8684;
const SOUNDING_LENGTH: f64 = 1.65;
/// Bow velocity \[m/s\].
pub const BOW_VELOCITY: f64 = 0.1;
/// Duration of its ramp from rest \[s\].
const ATTACK_TIME: f64 = 0.05;
/// Duration of the bowing, and of the analysed part at its end \[s\].
const SECONDS: f64 = 1.2;
const ANALYSED_SECONDS: f64 = 0.4;
/// Sharpness a of the friction curve \[s²/m²\]: the engine's default, which the preset uses.
pub const SHARPNESS: f64 = 100.0;

/// Initial state of string and bow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum InitialState {
    /// String and bow are at rest.
    Rest,
    /// The string is in Helmholtz motion and the bow has its final velocity.
    Helmholtz,
}

/// One stroke of the bow.
#[derive(Clone, Copy)]
pub struct Stroke {
    /// Distance from the bridge as a fraction of the sounding length.
    pub beta: f64,
    /// Bow force \[N\].
    pub force: f64,
    /// Initial state.
    pub initial_state: InitialState,
}

impl Stroke {
    /// Simulates the stroke and analyses the velocity of the string under the bow.
    pub fn simulate(self) -> BowedMotion {
        let scene = self.scene();
        let mut simulation = scene.compile(RATE).expect("the preset compiles");
        let mut velocity = vec![0.0; (SECONDS * RATE) as usize];
        simulation.process(&[scene.outputs[0].pickup], &mut [&mut velocity]);
        let analysed = &velocity[velocity.len() - (ANALYSED_SECONDS * RATE) as usize..];
        // A pickup reads δt−u; the mean of two is δt·u.
        let centred: Vec<f64> = analysed.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        BowedMotion::new(&centred, BOW_VELOCITY, max_friction_slip(), 1.0 / first_partial())
    }

    /// The preset with this stroke; its first pickup reads the velocity of the string under the bow.
    fn scene(self) -> Scene {
        let text = presets::find(PRESET).expect("a preset").text;
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect("the preset has it");
        let at = format!("at = {}", BRIDGE_POSITION * (1.0 - self.beta));
        let pickup = format!("[[pickup]]\nof = \"string\"\n{at}\nquantity = \"velocity\"\n\n[[bow]]");
        let ramp = |field: &str, value: f64| match self.initial_state {
            InitialState::Rest => format!("{field} = {{ time = [0.0, {ATTACK_TIME}], value = [0.0, {value}] }}"),
            InitialState::Helmholtz => format!("{field} = {value}"),
        };
        let (force, velocity) = (ramp("force", self.force), ramp("velocity", BOW_VELOCITY));
        // While the corner is at the nut, a string in Helmholtz motion is straight and rotates about the bridge.
        let rotation = format!("sigma0 = 0.1\nvelocity = {{ at = 0.008, height = {} }}", BOW_VELOCITY / self.beta);
        let rotation = if self.initial_state == InitialState::Helmholtz { &rotation } else { "sigma0 = 0.1" };
        let changes = [
            (line("force = "), force.as_str()),
            (line("velocity = "), &velocity),
            ("at = 0.21", &at),
            ("[[bow]]", &pickup),
            ("sigma0 = 0.1", rotation),
        ];
        modified_preset(PRESET, &changes)
    }
}

/// Slip at which friction is largest \[m/s\].
pub fn max_friction_slip() -> f64 {
    1.0 / (2.0 * SHARPNESS).sqrt()
}

/// The preset's string between nut and bridge.
pub fn string() -> StiffString {
    let scene = modified_preset(PRESET, &[]);
    let mut strings = scene.model.elements().iter().filter_map(|element| match element {
        Element::String(string) => Some(string.clone()),
        _ => None,
    });
    StiffString { length: SOUNDING_LENGTH, ..strings.next().expect("it has a string") }
}

/// Linear density of a string \[kg/m\].
pub fn linear_density(string: &StiffString) -> f64 {
    string.density * std::f64::consts::PI * string.radius.powi(2)
}

/// First partial of the string between nut and bridge \[Hz\], without stiffness, which would raise it by 0.1 cents.
pub fn first_partial() -> f64 {
    let string = string();
    (string.tension / linear_density(&string)).sqrt() / (2.0 * SOUNDING_LENGTH)
}
