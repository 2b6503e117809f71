//! Keys and mouse: strike, bow, damp, and every target by arrows.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use percuss_live::{Controls, Stage};
use ratatui::layout::Rect;

/// How hard the space bar strikes, of the hardest blow.
const BLOW: f64 = 0.5;
/// Force and speed of the bow when it is put on \[N\], \[m/s\].
const BOW_FORCE: f64 = 0.3;
const BOW_SPEED: f64 = 0.15;
/// Steps from one end of a range to the other.
const STEPS: f64 = 40.0;

/// What a key or the mouse asks of the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum Wish {
    Nothing,
    Leave,
    Say(String),
    /// So many presets on.
    Preset(isize),
    /// The scene file anew.
    Reload,
}

/// What the hands at the keyboard are about to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hands {
    /// The target that arrows change.
    pub selected: usize,
    pub bows: bool,
    pub damps: bool,
}

/// Targets whose name ends so.
fn ending<'a>(stage: &'a Stage, end: &'a str) -> impl Iterator<Item = usize> + 'a {
    let targets = stage.instrument.targets.iter().enumerate();
    targets.filter(move |(_, target)| target.name.ends_with(end)).map(|(index, _)| index)
}

impl Hands {
    pub fn key(&mut self, key: KeyEvent, controls: &Controls) -> Wish {
        let stage = controls.stage();
        let count = stage.instrument.targets.len();
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if held => Wish::Leave,
            KeyCode::Char('q') | KeyCode::Esc => Wish::Leave,
            KeyCode::Char(' ') => strike(&stage, controls, BLOW),
            KeyCode::Char(digit @ '1'..='9') => {
                strike(&stage, controls, f64::from(digit.to_digit(10).unwrap_or(5)) / 9.0)
            }
            KeyCode::Char('b') => self.bow(&stage, controls),
            KeyCode::Char('d') => self.damp(&stage, controls),
            KeyCode::Char('r') => {
                controls.set_named("restart", 1.0);
                (self.bows, self.damps) = (false, false);
                Wish::Say("from the beginning".into())
            }
            KeyCode::Char('n') => Wish::Preset(1),
            KeyCode::Char('p') => Wish::Preset(-1),
            KeyCode::Char('l') => Wish::Reload,
            KeyCode::Up => self.select(count - 1, count),
            KeyCode::Down => self.select(1, count),
            KeyCode::Left => self.change(&stage, controls, -1.0),
            KeyCode::Right => self.change(&stage, controls, 1.0),
            _ => Wish::Nothing,
        }
    }

    fn select(&mut self, step: usize, count: usize) -> Wish {
        self.selected = (self.selected + step) % count;
        Wish::Nothing
    }

    /// Moves the selected target by a step.
    fn change(&self, stage: &Stage, controls: &Controls, direction: f64) -> Wish {
        if let Some(target) = stage.instrument.targets.get(self.selected) {
            let [least, most] = target.range;
            // Wide ranges are for machines; hands move around where the scene is.
            let width = (most - least).min(4.0 * target.initial.abs().max(0.25 * (most - least).min(4.0)));
            controls.set(self.selected, stage.value(self.selected) + direction * width / STEPS);
        }
        Wish::Nothing
    }

    fn bow(&mut self, stage: &Stage, controls: &Controls) -> Wish {
        let forces: Vec<usize> = ending(stage, ".force").filter(|&index| is_bow(stage, index)).collect();
        if forces.is_empty() {
            return Wish::Say("nothing here can be bowed".into());
        }
        self.bows = !self.bows;
        for force in forces {
            controls.set(force, if self.bows { BOW_FORCE } else { 0.0 });
            if self.bows && stage.value(force + 1) == 0.0 {
                controls.set(force + 1, BOW_SPEED);
            }
        }
        Wish::Say(if self.bows { "bow on" } else { "bow off" }.into())
    }

    fn damp(&mut self, stage: &Stage, controls: &Controls) -> Wish {
        let hands: Vec<usize> = ending(stage, ".hand.pressure").collect();
        if hands.is_empty() {
            return Wish::Say("nothing here can be damped".into());
        }
        self.damps = !self.damps;
        hands.iter().for_each(|&hand| {
            controls.set(hand, if self.damps { 1.0 } else { 0.0 });
        });
        Wish::Say(if self.damps { "hand on" } else { "hand off" }.into())
    }

    /// Left strikes where it points, right lays a hand there for as long as it is held.
    pub fn mouse(&mut self, mouse: MouseEvent, picture: Rect, controls: &Controls) -> Wish {
        let stage = controls.stage();
        let Some(place) = place_in(picture, mouse) else { return Wish::Nothing };
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(&strike) = stage.instrument.strike_targets().iter().find(|&&index| has_place(&stage, index))
                else {
                    return Wish::Say("there is nothing to strike here".into());
                };
                put(&stage, controls, &stage.instrument.targets[strike].name, place);
                controls.set(strike, BLOW);
                Wish::Say(format!("struck at {:.2}, {:.2}", place[0], place[1]))
            }
            MouseEventKind::Down(MouseButton::Right) | MouseEventKind::Drag(MouseButton::Right) => {
                self.hold(&stage, controls, place, 1.0)
            }
            MouseEventKind::Up(MouseButton::Right) => self.hold(&stage, controls, place, 0.0),
            _ => Wish::Nothing,
        }
    }

    fn hold(&mut self, stage: &Stage, controls: &Controls, place: [f64; 2], pressure: f64) -> Wish {
        let Some(hand) = ending(stage, ".hand.pressure").next() else { return Wish::Nothing };
        let name = stage.instrument.targets[hand].name.trim_end_matches(".pressure").to_owned();
        put(stage, controls, &name, place);
        controls.set(hand, pressure);
        self.damps = pressure > 0.0;
        Wish::Nothing
    }
}

/// Whether the force is that of a bow, which has a speed next to it.
fn is_bow(stage: &Stage, force: usize) -> bool {
    stage.instrument.targets.get(force + 1).is_some_and(|next| next.name.ends_with(".velocity"))
}

fn has_place(stage: &Stage, strike: usize) -> bool {
    let name = &stage.instrument.targets[strike].name;
    stage.instrument.target_group(name).count() > 1
}

/// Strikes the first thing there is to strike.
fn strike(stage: &Stage, controls: &Controls, strength: f64) -> Wish {
    match stage.instrument.strike_targets().first() {
        Some(&target) => {
            controls.set(target, strength);
            Wish::Say(format!("{} {strength:.2}", stage.instrument.targets[target].name))
        }
        None => Wish::Say("nothing here can be struck".into()),
    }
}

/// Puts something to a place: two numbers on a plate, the first of them along a string.
fn put(stage: &Stage, controls: &Controls, name: &str, place: [f64; 2]) {
    for (end, value) in [("x", place[0]), ("y", place[1]), ("position", place[0])] {
        if let Some(target) = stage.instrument.find_target(&format!("{name}.{end}")) {
            controls.set(target, value);
        }
    }
}

/// Where in the picture the mouse is, from the lower left.
fn place_in(picture: Rect, mouse: MouseEvent) -> Option<[f64; 2]> {
    let is_inside = picture.contains((mouse.column, mouse.row).into());
    let across = f64::from(mouse.column.saturating_sub(picture.x)) + 0.5;
    let down = f64::from(mouse.row.saturating_sub(picture.y)) + 0.5;
    is_inside.then(|| [across / f64::from(picture.width), 1.0 - down / f64::from(picture.height)])
}
