//! Names, units and ranges of everything that can be played.

use super::extras::Extras;
use crate::hands::{BOW_FORCE, BOW_VELOCITY};
use percuss::{
    Control, Drive, Element, ElementId, Exciter, InteractionId, Law, Model, ParamId, ParamPath, PathPlace, Place, Plate,
};
use percuss::{Region, Striker, TouchParam};

/// Time in which a value gets to where it is set \[s\]: fast enough for a gesture, slow enough not to crackle.
const GLIDE: f64 = 0.01;
/// How far a barrier may be moved from where the scene has it \[m\].
const LIFT: f64 = 0.01;

/// What a target does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Sets a value of the model.
    Param(ParamId),
    /// Strikes, with a share of the hardest blow.
    Strike(Striker),
    /// Takes a picture of pressures for a plate's touch.
    Press(ElementId, usize),
    /// Factor on the gain of an output.
    Gain(usize),
    /// Factor on everything that is heard.
    Volume,
    /// Starts the scene again.
    Restart,
}

/// Something that can be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// As in `bow.force`.
    pub name: String,
    /// Unit, where there is one.
    pub unit: &'static str,
    /// Least and largest value.
    pub range: [f64; 2],
    /// What it is at the start.
    pub initial: f64,
    /// What it does.
    pub action: Action,
}

/// What things are called, and what was added to them.
pub(super) struct Named<'a> {
    pub elements: &'a [String],
    pub contacts: &'a [String],
    pub outputs: usize,
    pub added: &'a Extras,
}

/// Makes every value of a model that can be played a dial, and lists them.
pub(super) fn hand_over(model: &mut Model, named: &Named<'_>) -> Vec<Target> {
    let mut list = List { model, targets: Vec::new() };
    for (contact, id) in list.model.interaction_ids().zip(named.contacts) {
        list.hand(contact, id);
    }
    for (handle, id) in list.model.element_ids().zip(named.elements) {
        list.element(handle, id, named.added);
    }
    list.drives();
    for output in 0..named.outputs {
        list.push(format!("pickup.{}.gain", output + 1), "", [0.0, 10.0], 1.0, Action::Gain(output));
    }
    list.push("volume".to_owned(), "", [0.0, 10.0], 1.0, Action::Volume);
    list.push("restart".to_owned(), "", [0.0, 1.0], 0.0, Action::Restart);
    list.targets
}

struct List<'a> {
    model: &'a mut Model,
    targets: Vec<Target>,
}

impl List<'_> {
    fn push(&mut self, name: String, unit: &'static str, range: [f64; 2], initial: f64, action: Action) {
        self.targets.push(Target { name, unit, range, initial, action });
    }

    /// Adds a value of the model; `glide` is how long it takes to get to a new one \[s\].
    fn knob(&mut self, name: String, unit: &'static str, knob: ParamPath, range: [f64; 2], initial: f64, glide: f64) {
        if let Some(dial) = self.model.expose(knob, range, glide) {
            self.push(name, unit, range, initial, Action::Param(dial));
        }
    }

    /// A bow or a finger.
    fn hand(&mut self, contact: InteractionId, id: &str) {
        let interaction = &self.model.interactions()[contact.index()];
        let place = start(&interaction.below.place);
        match &interaction.law {
            Law::Bow(bow) => {
                let (force, velocity) = (bow.force.at(0.0), bow.velocity.at(0.0));
                let range = [BOW_FORCE.least, 100.0];
                self.knob(format!("{id}.force"), "N", ParamPath::Force(contact), range, force, GLIDE);
                let range = [0.1 * BOW_VELOCITY.least, 0.1 * BOW_VELOCITY.most];
                self.knob(format!("{id}.velocity"), "m/s", ParamPath::Velocity(contact), range, velocity, GLIDE);
            }
            Law::Finger(finger) => {
                let pressure = finger.pressure.at(0.0);
                self.knob(format!("{id}.pressure"), "", ParamPath::Pressure(contact), [0.0, 1.0], pressure, GLIDE);
            }
            _ => return,
        }
        self.place(id, &place, |axis| ParamPath::Place(contact, axis), 2.0 * GLIDE);
    }

    /// The place of something that can be led over an element.
    fn place(&mut self, id: &str, start: &[f64], knob: impl Fn(usize) -> ParamPath, glide: f64) {
        let names: &[&str] = if start.len() == 1 { &["position"] } else { &["x", "y"] };
        for (axis, (name, &at)) in names.iter().zip(start).enumerate() {
            self.knob(format!("{id}.{name}"), "", knob(axis), [0.0, 1.0], at, glide);
        }
    }

    fn element(&mut self, handle: ElementId, id: &str, added: &Extras) {
        if let Some(&(_, striker)) = added.strikers.iter().find(|(struck, _)| *struck == handle) {
            self.striker(id, striker);
        }
        match &self.model.elements()[handle.index()] {
            Element::Barrier(barrier) => {
                let bound =
                    |pick: fn(f64, f64) -> f64, first| barrier.position.values().iter().copied().fold(first, pick);
                let range = [bound(f64::min, f64::MAX) - LIFT, bound(f64::max, f64::MIN) + LIFT];
                let initial = barrier.position.at(0.0);
                self.knob(format!("{id}.height"), "m", ParamPath::Height(handle), range, initial, GLIDE);
            }
            Element::Plate(plate) => {
                let plate = plate.clone();
                let hand = added.hands.iter().find(|(touched, _)| *touched == handle).map(|&(_, index)| index);
                for index in 0..plate.touches.len() {
                    let name =
                        if hand == Some(index) { format!("{id}.hand") } else { format!("{id}.touch.{}", index + 1) };
                    self.touch(handle, &plate, index, &name);
                }
            }
            _ => {}
        }
    }

    fn striker(&mut self, id: &str, striker: Striker) {
        let (path, _) = &self.model.exciters()[striker.index()];
        let place = start(&path.place);
        self.push(format!("{id}.strike"), "", [-1.0, 1.0], 0.0, Action::Strike(striker));
        // A blow falls where it is meant to, at once.
        self.place(&format!("{id}.strike"), &place, |axis| ParamPath::ExciterPlace(striker.index(), axis), 0.0);
    }

    /// A touch: its place and its pressure come first, so that `x y pressure` can be set at once.
    fn touch(&mut self, handle: ElementId, plate: &Plate, index: usize, name: &str) {
        let touch = &plate.touches[index];
        let longest = plate.size[0].max(plate.size[1]);
        let mut knob = |part: &str, unit, knob: TouchParam, range, control: &Control| {
            self.knob(
                format!("{name}.{part}"),
                unit,
                ParamPath::Touch(handle, index, knob),
                range,
                control.at(0.0),
                GLIDE,
            );
        };
        if let Region::Circle { centre, .. } | Region::OutsideCircle { centre, .. } | Region::Rectangle { centre, .. } =
            &touch.region
        {
            knob("x", "", TouchParam::Centre(0), [-1.0, 2.0], &centre[0]);
            knob("y", "", TouchParam::Centre(1), [-1.0, 2.0], &centre[1]);
        }
        knob("pressure", "", TouchParam::Pressure, [0.0, 1.0], &touch.pressure);
        match &touch.region {
            Region::Circle { radius, .. } | Region::OutsideCircle { radius, .. } => {
                knob("radius", "m", TouchParam::Radius, [0.0, longest], radius);
            }
            Region::Rectangle { size, .. } => {
                knob("width", "m", TouchParam::Side(0), [0.0, longest], &size[0]);
                knob("height", "m", TouchParam::Side(1), [0.0, longest], &size[1]);
            }
            Region::HalfPlane { level, .. } => knob("level", "", TouchParam::Level, [0.0, 1.0], level),
            Region::Image { .. } => {
                self.push(format!("{name}.image"), "", [0.0, 1.0], 0.0, Action::Press(handle, index));
            }
            Region::Everywhere => {}
        }
    }

    /// Drives have no ids: they are counted.
    fn drives(&mut self) {
        let drives = self.model.exciters().iter().enumerate().filter_map(|(index, (_, exciter))| match exciter {
            Exciter::Drive(Drive::Control(force)) => Some((index, force.values().to_vec(), force.at(0.0))),
            _ => None,
        });
        for (number, (index, values, initial)) in drives.collect::<Vec<_>>().into_iter().enumerate() {
            let most = values.iter().fold(10.0_f64, |most, force| most.max(force.abs()));
            self.knob(
                format!("drive.{}.force", number + 1),
                "N",
                ParamPath::Drive(index),
                [-most, most],
                initial,
                GLIDE,
            );
        }
    }
}

/// Where a place is at the start: one number along a length, two on a plate, none where there is but one place.
fn start(place: &PathPlace) -> Vec<f64> {
    match place {
        PathPlace::Still(Place::Along(at)) => vec![*at],
        PathPlace::Still(Place::On(at)) => at.to_vec(),
        PathPlace::Still(Place::Whole | Place::Listed(_)) => Vec::new(),
        PathPlace::Along(at) => vec![at.at(0.0)],
        PathPlace::On(at) => at.iter().map(|at| at.at(0.0)).collect(),
    }
}
