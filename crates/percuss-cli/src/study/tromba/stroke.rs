//! The preset `tromba-marina` under a steady bow somewhere between its bridge and its nut.

use super::RATE;
use super::motion::Motion;
use crate::study::plate::changed;
use percuss::{Element, StiffString};
use percuss_scene::Scene;
use percuss_scene::presets;

const PRESET: &str = "tromba-marina";
/// Where the bridge stands, as a fraction of the string, and how long the string is between nut and bridge \[m\].
const BRIDGE: f64 = 0.8684;
const SOUNDING: f64 = 1.65;
/// The bow moves at \[m/s\].
pub const BOW_VELOCITY: f64 = 0.1;
/// Time that it takes to get there from rest \[s\].
const ATTACK: f64 = 0.05;
/// For how long it is bowed, and how much of the end is judged \[s\].
const SECONDS: f64 = 1.2;
const JUDGED: f64 = 0.4;
/// How sharp friction is a \[s²/m²\]: the engine's default, which the preset takes.
pub const SHARPNESS: f64 = 100.0;

/// How a stroke begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// String and bow are at rest.
    Rest,
    /// The string is in Helmholtz motion and the bow keeps its pace.
    Motion,
}

/// One stroke of the bow.
#[derive(Clone, Copy)]
pub struct Stroke {
    /// From the bridge, as a fraction of the length between bridge and nut.
    pub beta: f64,
    /// Of the bow \[N\].
    pub force: f64,
    /// How it begins.
    pub start: Start,
}

impl Stroke {
    /// Bows, and judges what the string does under the bow.
    pub fn play(self) -> Motion {
        let scene = self.scene();
        let mut simulation = scene.compile(RATE).expect("the preset is sound");
        let mut velocity = vec![0.0; (SECONDS * RATE) as usize];
        simulation.process(&[scene.outputs[0].pickup], &mut [&mut velocity]);
        let judged = &velocity[velocity.len() - (JUDGED * RATE) as usize..];
        // A pickup hears δt−u; the mean of two is δt·u.
        let centred: Vec<f64> = judged.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
        Motion::new(&centred, BOW_VELOCITY, grip(), 1.0 / first_partial())
    }

    /// The preset with this stroke; its first pickup is the velocity of the string under the bow.
    fn scene(self) -> Scene {
        let text = presets::find(PRESET).expect("a preset").text;
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect("the preset has it");
        let at = format!("at = {}", BRIDGE * (1.0 - self.beta));
        let ear = format!("[[pickup]]\nof = \"string\"\n{at}\nquantity = \"velocity\"\n\n[[bow]]");
        let ramp = |field: &str, value: f64| match self.start {
            Start::Rest => format!("{field} = {{ time = [0.0, {ATTACK}], value = [0.0, {value}] }}"),
            Start::Motion => format!("{field} = {value}"),
        };
        let (force, velocity) = (ramp("force", self.force), ramp("velocity", BOW_VELOCITY));
        // While its corner is at the nut, a string in Helmholtz motion is straight and turns about the bridge.
        let turning = format!("sigma0 = 0.1\nvelocity = {{ at = 0.008, height = {} }}", BOW_VELOCITY / self.beta);
        let turning = if self.start == Start::Motion { &turning } else { "sigma0 = 0.1" };
        let changes = [
            (line("force = "), force.as_str()),
            (line("velocity = "), &velocity),
            ("at = 0.21", &at),
            ("[[bow]]", &ear),
            ("sigma0 = 0.1", turning),
        ];
        changed(PRESET, &changes)
    }
}

/// Slip at which the preset's friction is largest \[m/s\].
pub fn grip() -> f64 {
    1.0 / (2.0 * SHARPNESS).sqrt()
}

/// The preset's string, cut off at nut and bridge.
pub fn string() -> StiffString {
    let scene = changed(PRESET, &[]);
    let mut strings = scene.model.elements().iter().filter_map(|element| match element {
        Element::String(string) => Some(string.clone()),
        _ => None,
    });
    StiffString { length: SOUNDING, ..strings.next().expect("it has a string") }
}

/// Mass of the string per metre \[kg/m\].
pub fn line_density(string: &StiffString) -> f64 {
    string.density * std::f64::consts::PI * string.radius.powi(2)
}

/// First partial of the string between nut and bridge \[Hz\]; its stiffness, which is left out, raises it by 0.1 cents.
pub fn first_partial() -> f64 {
    let string = string();
    (string.tension / line_density(&string)).sqrt() / (2.0 * SOUNDING)
}
