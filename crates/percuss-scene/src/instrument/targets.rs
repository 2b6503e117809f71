//! Names, units and ranges of everything that can be controlled live.

use super::SceneParts;
use super::keyboard::MAX_BEND;
use super::strikers_and_hands::StrikersAndHands;
use crate::bow_finger::{BOW_FORCE_LIMITS, BOW_VELOCITY_LIMITS};
use percuss::{
    Control, Drive, Element, ElementId, Exciter, InteractionId, Law, Mallet, Model, ParamId, ParamPath, PathPlace,
    Place, Plate,
};
use percuss::{ExciterId, Region, TouchParam};

/// Time in which a parameter reaches a new value \[s\]: short enough for gestures, long enough to avoid clicks.
const SMOOTHING_TIME: f64 = 0.01;
/// Bow force, bow speed and force of a drive at the end of the range, unless the scene itself uses more than half of it: violinists press
/// with up to about 2 N and draw the bow at up to 1 m/s \[N, m/s, N\].
const MAX_BOW_FORCE: f64 = 2.0;
const MAX_BOW_SPEED: f64 = 1.0;
const MAX_DRIVE_FORCE: f64 = 1.0;
/// How far a barrier can be moved from its positions in the scene \[m\].
const BARRIER_TRAVEL: f64 = 0.01;

/// Names of the targets that bend the pitch of scenes with keys.
pub(super) const BEND: &str = "bend";
pub(super) const VIBRATO: &str = "vibrato";
/// Largest vibrato, to each side \[semitones\].
pub(super) const MAX_VIBRATO: f64 = 1.0;

/// What a target does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TargetAction {
    /// Sets a parameter of the model.
    Param(ParamId),
    /// Strikes or plucks with a fraction of the hardest strike.
    Strike(ExciterId),
    /// Strikes with a mallet, at a speed.
    Blow(ElementId),
    /// Bends the pitch by semitones.
    Bend,
    /// Sets the depth of the vibrato in semitones.
    Vibrato,
    /// Sets the pressure image of a touch, given by its plate and index.
    TouchImage(ElementId, usize),
    /// Sets a factor on the gain of an output.
    Gain(usize),
    /// Sets a factor on the gain of all outputs.
    Volume,
    /// Restarts the scene.
    Restart,
}

/// Something that can be controlled live.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlTarget {
    /// Name, as in `bow.force`.
    pub name: String,
    /// Unit; empty if there is none.
    pub unit: &'static str,
    /// Minimum and maximum.
    pub range: [f64; 2],
    /// Value at the start of the scene.
    pub initial: f64,
    /// What it does.
    pub action: TargetAction,
}

/// Names of the parts of a model, and what was added to it.
pub(super) struct ModelNames<'a> {
    pub parts: &'a SceneParts<'a>,
    pub interactions: &'a [String],
    pub added: &'a StrikersAndHands,
}

/// Exposes every controllable value of a model as a parameter, and lists all targets.
pub(super) fn expose_targets(model: &mut Model, names: &ModelNames<'_>) -> Vec<ControlTarget> {
    let mut list = TargetList { model, targets: Vec::new() };
    for (interaction, id) in list.model.interaction_ids().zip(names.interactions) {
        list.add_bow_or_finger(interaction, id);
    }
    for (id, gesture) in names.parts.gestures {
        list.add_gesture(id, *gesture, names.parts.is_keyed);
    }
    for (element, id) in list.model.element_ids().zip(names.parts.elements) {
        list.add_element(element, id, names.added);
    }
    list.add_drives();
    if names.parts.is_keyed {
        list.add(BEND.to_owned(), "semitones", [-MAX_BEND, MAX_BEND], 0.0, TargetAction::Bend);
        list.add(VIBRATO.to_owned(), "semitones", [0.0, MAX_VIBRATO], 0.0, TargetAction::Vibrato);
    }
    for output in 0..names.parts.outputs {
        list.add(format!("pickup.{}.gain", output + 1), "", [0.0, 10.0], 1.0, TargetAction::Gain(output));
    }
    list.add("volume".to_owned(), "", [0.0, 10.0], 1.0, TargetAction::Volume);
    list.add("restart".to_owned(), "", [0.0, 1.0], 0.0, TargetAction::Restart);
    list.targets
}

struct TargetList<'a> {
    model: &'a mut Model,
    targets: Vec<ControlTarget>,
}

impl TargetList<'_> {
    fn add(&mut self, name: String, unit: &'static str, range: [f64; 2], initial: f64, action: TargetAction) {
        self.targets.push(ControlTarget { name, unit, range, initial, action });
    }

    /// Adds a parameter of the model, smoothed over a time \[s\].
    fn add_param(
        &mut self,
        name: String,
        unit: &'static str,
        path: ParamPath,
        range: [f64; 2],
        initial: f64,
        smoothing: f64,
    ) {
        if let Some(param) = self.model.expose(path, range, smoothing) {
            self.add(name, unit, range, initial, TargetAction::Param(param));
        }
    }

    /// A bow or a finger.
    fn add_bow_or_finger(&mut self, interaction_id: InteractionId, id: &str) {
        let interaction = &self.model.interactions()[interaction_id.index()];
        let place = initial_place(&interaction.below.place);
        match &interaction.law {
            Law::Bow(bow) => {
                let (force, velocity) = (bow.force.at(0.0), bow.velocity.at(0.0));
                let range = [BOW_FORCE_LIMITS.min, end_of_range(&bow.force, MAX_BOW_FORCE)];
                let fastest = end_of_range(&bow.velocity, MAX_BOW_SPEED).min(BOW_VELOCITY_LIMITS.max);
                self.add_param(
                    format!("{id}.force"),
                    "N",
                    ParamPath::Force(interaction_id),
                    range,
                    force,
                    SMOOTHING_TIME,
                );
                let range = [-fastest, fastest];
                self.add_param(
                    format!("{id}.velocity"),
                    "m/s",
                    ParamPath::Velocity(interaction_id),
                    range,
                    velocity,
                    SMOOTHING_TIME,
                );
            }
            Law::Finger(finger) => {
                let pressure = finger.pressure.at(0.0);
                self.add_param(
                    format!("{id}.pressure"),
                    "",
                    ParamPath::Pressure(interaction_id),
                    [0.0, 1.0],
                    pressure,
                    SMOOTHING_TIME,
                );
            }
            _ => return,
        }
        self.add_place(id, &place, |axis| ParamPath::Place(interaction_id, axis), 2.0 * SMOOTHING_TIME);
    }

    /// The coordinates of a place that can be moved.
    fn add_place(&mut self, id: &str, initial: &[f64], path: impl Fn(usize) -> ParamPath, smoothing: f64) {
        let names: &[&str] = if initial.len() == 1 { &["position"] } else { &["x", "y"] };
        for (axis, (name, &at)) in names.iter().zip(initial).enumerate() {
            self.add_param(format!("{id}.{name}"), "", path(axis), [0.0, 1.0], at, smoothing);
        }
    }

    /// A strike or a pluck that is done live only. With keys its place on a plate stands still, so that the plate stays in its modes.
    fn add_gesture(&mut self, id: &str, gesture: ExciterId, is_keyed: bool) {
        let (path, exciter) = &self.model.exciters()[gesture.index()];
        let place = initial_place(&path.place);
        let verb = if matches!(exciter, Exciter::Plucker(_)) { "pluck" } else { "strike" };
        self.add(format!("{id}.{verb}"), "", [-1.0, 1.0], 0.0, TargetAction::Strike(gesture));
        if place.len() == 1 || !is_keyed {
            self.add_place(&format!("{id}.{verb}"), &place, |axis| ParamPath::ExciterPlace(gesture, axis), 0.0);
        }
    }

    /// A mallet; its element is called as its strike is, and `-mallet`.
    fn add_mallet(&mut self, element: ElementId, id: &str, mallet: &Mallet) {
        let hardest = mallet.blows.iter().fold(0.0_f64, |most, blow| most.max(blow.speed));
        let id = id.strip_suffix("-mallet").unwrap_or(id);
        self.add(format!("{id}.blow"), "m/s", [0.0, hardest], 0.0, TargetAction::Blow(element));
    }

    fn add_element(&mut self, element: ElementId, id: &str, added: &StrikersAndHands) {
        if let Some(&(_, striker)) = added.strikers.iter().find(|(struck, _)| *struck == element) {
            self.add_striker(id, striker);
        }
        match &self.model.elements()[element.index()] {
            Element::Mallet(mallet) => {
                let mallet = mallet.clone();
                self.add_mallet(element, id, &mallet);
            }
            Element::Barrier(barrier) => {
                let bound =
                    |pick: fn(f64, f64) -> f64, first| barrier.position.values().iter().copied().fold(first, pick);
                let range = [bound(f64::min, f64::MAX) - BARRIER_TRAVEL, bound(f64::max, f64::MIN) + BARRIER_TRAVEL];
                let initial = barrier.position.at(0.0);
                self.add_param(format!("{id}.height"), "m", ParamPath::Height(element), range, initial, SMOOTHING_TIME);
            }
            Element::Plate(plate) => {
                let plate = plate.clone();
                let hand = added.hand_touches.iter().find(|(touched, _)| *touched == element).map(|&(_, index)| index);
                for index in 0..plate.touches.len() {
                    let name =
                        if hand == Some(index) { format!("{id}.hand") } else { format!("{id}.touch.{}", index + 1) };
                    self.add_touch(element, &plate, index, &name);
                }
            }
            _ => {}
        }
    }

    fn add_striker(&mut self, id: &str, striker: ExciterId) {
        let (path, _) = &self.model.exciters()[striker.index()];
        let place = initial_place(&path.place);
        self.add(format!("{id}.strike"), "", [-1.0, 1.0], 0.0, TargetAction::Strike(striker));
        // The place of a strike is set without smoothing.
        self.add_place(&format!("{id}.strike"), &place, |axis| ParamPath::ExciterPlace(striker, axis), 0.0);
    }

    /// A touch. Its centre and pressure come first, so that one message can set `x y pressure`.
    fn add_touch(&mut self, element: ElementId, plate: &Plate, index: usize, name: &str) {
        let touch = &plate.touches[index];
        let longest = plate.size[0].max(plate.size[1]);
        let mut param = |part: &str, unit, param: TouchParam, range, control: &Control| {
            self.add_param(
                format!("{name}.{part}"),
                unit,
                ParamPath::Touch(element, index, param),
                range,
                control.at(0.0),
                SMOOTHING_TIME,
            );
        };
        if let Region::Circle { centre, .. } | Region::OutsideCircle { centre, .. } | Region::Rectangle { centre, .. } =
            &touch.region
        {
            param("x", "", TouchParam::Centre(0), [-1.0, 2.0], &centre[0]);
            param("y", "", TouchParam::Centre(1), [-1.0, 2.0], &centre[1]);
        }
        param("pressure", "", TouchParam::Pressure, [0.0, 1.0], &touch.pressure);
        match &touch.region {
            Region::Circle { radius, .. } | Region::OutsideCircle { radius, .. } => {
                param("radius", "m", TouchParam::Radius, [0.0, longest], radius);
            }
            Region::Rectangle { size, .. } => {
                param("width", "m", TouchParam::Side(0), [0.0, longest], &size[0]);
                param("height", "m", TouchParam::Side(1), [0.0, longest], &size[1]);
            }
            Region::HalfPlane { level, .. } => param("level", "", TouchParam::Level, [0.0, 1.0], level),
            Region::Image { .. } => {
                self.add(format!("{name}.image"), "", [0.0, 1.0], 0.0, TargetAction::TouchImage(element, index));
            }
            Region::Everywhere => {}
        }
    }

    /// Drives have no names; they are numbered.
    fn add_drives(&mut self) {
        let drives =
            self.model.exciter_ids().zip(self.model.exciters()).filter_map(|(id, (_, exciter))| match exciter {
                Exciter::Drive(Drive::Control(force)) => {
                    Some((id, end_of_range(force, MAX_DRIVE_FORCE), force.at(0.0)))
                }
                _ => None,
            });
        for (number, (id, max, initial)) in drives.collect::<Vec<_>>().into_iter().enumerate() {
            self.add_param(
                format!("drive.{}.force", number + 1),
                "N",
                ParamPath::Drive(id),
                [-max, max],
                initial,
                SMOOTHING_TIME,
            );
        }
    }
}

/// Twice the largest value of a control, of either sign, or a usual one if that is more.
fn end_of_range(control: &Control, usual: f64) -> f64 {
    2.0 * control.values().iter().fold(0.5 * usual, |max, value| max.max(value.abs()))
}

/// Coordinates of a place at the start: one on a string or bar, two on a plate, none on other elements.
fn initial_place(place: &PathPlace) -> Vec<f64> {
    match place {
        PathPlace::Still(Place::Along(at)) => vec![*at],
        PathPlace::Still(Place::On(at)) => at.to_vec(),
        PathPlace::Still(Place::Whole | Place::Listed(_)) => Vec::new(),
        PathPlace::Along(at) => vec![at.at(0.0)],
        PathPlace::On(at) => at.iter().map(|at| at.at(0.0)).collect(),
    }
}
