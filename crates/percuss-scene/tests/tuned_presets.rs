//! `vibraphone-bar` and `tabla` sound as their geometry says: at 1 : 4 : 10 and 1 : 2 : 3 : 4.

#[path = "../../percuss/tests/partials/mod.rs"]
mod partials;

use partials::{Partial, RATE, has_partials, sound};
use percuss::{Element, Model, Place};
use percuss_scene::partials::{BodyPartial, of_line, of_plate};
use percuss_scene::{Scene, parse, presets};
use std::f64::consts::TAU;

fn preset(name: &str) -> Scene {
    let preset = presets::find(name).unwrap();
    parse(preset.text, preset.name).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn element<'a>(scene: &'a Scene, id: &str) -> &'a Element {
    let index = scene.element_names.iter().position(|name| name == id).unwrap();
    &scene.model.elements()[index]
}

/// The partials that the engine states; those in pairs of two directions once.
fn stated(element: &Element) -> Vec<f64> {
    let mut model = Model::new();
    let id = model.add(element.clone());
    let mut partials = model.compile(RATE).unwrap().partials(id).unwrap();
    partials.dedup_by(|next, previous| *next < *previous * (1.0 + 1e-6));
    partials
}

fn hold_to(name: &str, partials: &[f64], ratios: &[f64], bound: f64) {
    for (partial, ratio) in partials.iter().zip(ratios) {
        let cents = 1200.0 * (partial / partials[0] / ratio).log2();
        println!("{name}: {partial:.2} Hz, {ratio} : 1 within {cents:.2} cents");
        assert!(cents.abs() < bound, "{name}: {partial} Hz is {cents:.1} cents off {ratio} : 1");
    }
}

/// What should be heard of partials up to a frequency \[Hz\].
fn audible(partials: &[BodyPartial], [sigma0, sigma1]: [f64; 2], highest: f64) -> Vec<Partial> {
    let partial = |partial: &BodyPartial| Partial::damped(partial.omega, sigma0 + sigma1 * partial.slope);
    partials.iter().filter(|partial| partial.omega < TAU * highest).map(partial).collect()
}

#[test]
fn vibraphone_bar_sounds_at_one_to_four_to_ten() {
    let scene = preset("vibraphone-bar");
    let element = element(&scene, "bar");
    hold_to("vibraphone-bar", &stated(element), &[1.0, 4.0, 10.0], 10.0);
    let Element::Bar(bar) = element else { panic!() };
    let partials = audible(&of_line(element, 0.5 * RATE).unwrap(), [bar.sigma0, bar.sigma1], 10_000.0);
    let sound = sound(element.clone(), [Place::Along(0.9137), Place::Along(0.8623)]);
    has_partials("vibraphone-bar", &sound, &partials);
}

/// Raman (1934), Proc. Indian Acad. Sci. A1: the first nine modes make the first five harmonics. In rising order of frequency.
#[test]
fn tabla_sounds_at_one_to_two_to_three_to_four() {
    let scene = preset("tabla");
    let element = element(&scene, "skin");
    hold_to("tabla", &stated(element), &[1.0, 2.0, 3.0, 3.0, 4.0, 4.0], 25.0);
    let Element::Plate(plate) = element else { panic!() };
    let partials = audible(&of_plate(plate, RATE).unwrap(), [plate.sigma0, plate.sigma1], 3000.0);
    let sound = sound(element.clone(), [Place::On([0.7137, 0.6611]), Place::On([0.3019, 0.2723])]);
    has_partials("tabla", &sound, &partials);
}
