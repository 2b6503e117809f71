//! Keyboard and mouse input: strike, bow, damp, and all targets by arrow keys.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use percuss_live::{ActiveScene, EngineHandle};
use ratatui::layout::Rect;

/// Strength of a strike by the space bar or mouse, as a fraction of the largest.
const STRIKE_STRENGTH: f64 = 0.5;
/// Bow force and velocity that the key `b` sets \[N\], \[m/s\].
const BOW_FORCE: f64 = 0.3;
const BOW_SPEED: f64 = 0.15;
/// Number of key presses from one end of a range to the other.
const STEPS_PER_RANGE: f64 = 40.0;

/// Action of the screen that an input event requests.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    None,
    Quit,
    ShowMessage(String),
    /// Steps through the list of presets.
    ChangePreset(isize),
    /// Reloads the scene file.
    Reload,
}

/// State of keyboard and mouse control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputState {
    /// Index of the target that the arrow keys change.
    pub selected: usize,
    pub is_bowing: bool,
    pub is_damping: bool,
}

/// Indices of the targets whose name ends with `end`.
fn targets_ending_with<'a>(stage: &'a ActiveScene, end: &'a str) -> impl Iterator<Item = usize> + 'a {
    let targets = stage.instrument.targets.iter().enumerate();
    targets.filter(move |(_, target)| target.name.ends_with(end)).map(|(index, _)| index)
}

impl InputState {
    pub fn handle_key(&mut self, key: KeyEvent, controls: &EngineHandle) -> Action {
        let stage = controls.active_scene();
        let count = stage.instrument.targets.len();
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if held => Action::Quit,
            KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
            KeyCode::Char(' ') => strike(&stage, controls, STRIKE_STRENGTH),
            KeyCode::Char(digit @ '1'..='9') => {
                strike(&stage, controls, f64::from(digit.to_digit(10).unwrap_or(5)) / 9.0)
            }
            KeyCode::Char('b') => self.bow(&stage, controls),
            KeyCode::Char('d') => self.damp(&stage, controls),
            KeyCode::Char('r') => {
                controls.set_by_name("restart", 1.0);
                (self.is_bowing, self.is_damping) = (false, false);
                Action::ShowMessage("restarted".into())
            }
            KeyCode::Char('n') => Action::ChangePreset(1),
            KeyCode::Char('p') => Action::ChangePreset(-1),
            KeyCode::Char('l') => Action::Reload,
            KeyCode::Up => self.select(count - 1, count),
            KeyCode::Down => self.select(1, count),
            KeyCode::Left => self.change(&stage, controls, -1.0),
            KeyCode::Right => self.change(&stage, controls, 1.0),
            _ => Action::None,
        }
    }

    fn select(&mut self, step: usize, count: usize) -> Action {
        self.selected = (self.selected + step) % count;
        Action::None
    }

    /// Changes the selected target by a step.
    fn change(&self, stage: &ActiveScene, controls: &EngineHandle, direction: f64) -> Action {
        if let Some(target) = stage.instrument.targets.get(self.selected) {
            let [least, most] = target.range;
            // A wide range is narrowed to the neighbourhood of the initial value.
            let width = (most - least).min(4.0 * target.initial.abs().max(0.25 * (most - least).min(4.0)));
            controls.set(self.selected, stage.value(self.selected) + direction * width / STEPS_PER_RANGE);
        }
        Action::None
    }

    fn bow(&mut self, stage: &ActiveScene, controls: &EngineHandle) -> Action {
        let forces: Vec<usize> = targets_ending_with(stage, ".force").filter(|&index| is_bow(stage, index)).collect();
        if forces.is_empty() {
            return Action::ShowMessage("nothing here can be bowed".into());
        }
        self.is_bowing = !self.is_bowing;
        for force in forces {
            controls.set(force, if self.is_bowing { BOW_FORCE } else { 0.0 });
            if self.is_bowing && stage.value(force + 1) == 0.0 {
                controls.set(force + 1, BOW_SPEED);
            }
        }
        Action::ShowMessage(if self.is_bowing { "bow on" } else { "bow off" }.into())
    }

    fn damp(&mut self, stage: &ActiveScene, controls: &EngineHandle) -> Action {
        let hands: Vec<usize> = targets_ending_with(stage, ".hand.pressure").collect();
        if hands.is_empty() {
            return Action::ShowMessage("nothing here can be damped".into());
        }
        self.is_damping = !self.is_damping;
        hands.iter().for_each(|&hand| {
            controls.set(hand, if self.is_damping { 1.0 } else { 0.0 });
        });
        Action::ShowMessage(if self.is_damping { "hand on" } else { "hand off" }.into())
    }

    /// The left button strikes at the pointer, the right presses a hand there while it is down.
    pub fn handle_mouse(&mut self, mouse: MouseEvent, plot_area: Rect, controls: &EngineHandle) -> Action {
        let stage = controls.active_scene();
        let Some(position) = position_in_plot(plot_area, mouse) else { return Action::None };
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(&strike) =
                    stage.instrument.strike_targets().iter().find(|&&index| has_position(&stage, index))
                else {
                    return Action::ShowMessage("nothing here can be struck".into());
                };
                set_position(&stage, controls, &stage.instrument.targets[strike].name, position);
                controls.set(strike, STRIKE_STRENGTH);
                Action::ShowMessage(format!("struck at {:.2}, {:.2}", position[0], position[1]))
            }
            MouseEventKind::Down(MouseButton::Right) | MouseEventKind::Drag(MouseButton::Right) => {
                self.press_hand(&stage, controls, position, 1.0)
            }
            MouseEventKind::Up(MouseButton::Right) => self.press_hand(&stage, controls, position, 0.0),
            _ => Action::None,
        }
    }

    fn press_hand(
        &mut self,
        stage: &ActiveScene,
        controls: &EngineHandle,
        position: [f64; 2],
        pressure: f64,
    ) -> Action {
        let Some(hand) = targets_ending_with(stage, ".hand.pressure").next() else { return Action::None };
        let name = stage.instrument.targets[hand].name.trim_end_matches(".pressure").to_owned();
        set_position(stage, controls, &name, position);
        controls.set(hand, pressure);
        self.is_damping = pressure > 0.0;
        Action::None
    }
}

/// Whether a force belongs to a bow: the next target is its velocity.
fn is_bow(stage: &ActiveScene, force: usize) -> bool {
    stage.instrument.targets.get(force + 1).is_some_and(|next| next.name.ends_with(".velocity"))
}

fn has_position(stage: &ActiveScene, strike: usize) -> bool {
    let name = &stage.instrument.targets[strike].name;
    stage.instrument.target_group(name).count() > 1
}

/// Strikes with the first striker of the scene.
fn strike(stage: &ActiveScene, controls: &EngineHandle, strength: f64) -> Action {
    match stage.instrument.strike_targets().first() {
        Some(&target) => {
            controls.set(target, strength);
            Action::ShowMessage(format!("{} {strength:.2}", stage.instrument.targets[target].name))
        }
        None => Action::ShowMessage("nothing here can be struck".into()),
    }
}

/// Sets the position of a strike or hand: both coordinates on a plate, the first along a string.
fn set_position(stage: &ActiveScene, controls: &EngineHandle, name: &str, position: [f64; 2]) {
    for (end, value) in [("x", position[0]), ("y", position[1]), ("position", position[0])] {
        if let Some(target) = stage.instrument.find_target(&format!("{name}.{end}")) {
            controls.set(target, value);
        }
    }
}

/// Where in the picture the mouse is, from the lower left.
fn position_in_plot(plot_area: Rect, mouse: MouseEvent) -> Option<[f64; 2]> {
    let is_inside = plot_area.contains((mouse.column, mouse.row).into());
    let across = f64::from(mouse.column.saturating_sub(plot_area.x)) + 0.5;
    let down = f64::from(mouse.row.saturating_sub(plot_area.y)) + 0.5;
    is_inside.then(|| [across / f64::from(plot_area.width), 1.0 - down / f64::from(plot_area.height)])
}
