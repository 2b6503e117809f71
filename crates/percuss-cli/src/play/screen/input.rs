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
    /// Shows or hides the list of keys.
    ToggleHelp,
}

/// State of keyboard and mouse control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputState {
    /// Index of the target that the arrow keys change.
    pub selected: usize,
    pub is_bowing: bool,
    pub is_damping: bool,
    /// Whether the mouse presses a hand.
    is_pressing: bool,
}

/// Indices of the targets whose name ends with `end`.
fn targets_ending_with<'a>(scene: &'a ActiveScene, end: &'a str) -> impl Iterator<Item = usize> + 'a {
    let targets = scene.instrument.targets.iter().enumerate();
    targets.filter(move |(_, target)| target.name.ends_with(end)).map(|(index, _)| index)
}

impl InputState {
    pub fn handle_key(&mut self, key: KeyEvent, handle: &EngineHandle) -> Action {
        let scene = handle.active_scene();
        let count = scene.instrument.targets.len();
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if held => Action::Quit,
            KeyCode::Char('q') | KeyCode::Esc => Action::Quit,
            KeyCode::Char(' ') => strike(&scene, handle, STRIKE_STRENGTH),
            KeyCode::Char(digit @ '1'..='9') => {
                strike(&scene, handle, f64::from(digit.to_digit(10).unwrap_or(5)) / 9.0)
            }
            KeyCode::Char('b') => self.bow(&scene, handle),
            KeyCode::Char('d') => self.damp(&scene, handle),
            KeyCode::Char('r') => {
                handle.set_by_name("restart", 1.0);
                (self.is_bowing, self.is_damping) = (false, false);
                Action::ShowMessage("restarted".into())
            }
            KeyCode::Char('n') => Action::ChangePreset(1),
            KeyCode::Char('p') => Action::ChangePreset(-1),
            KeyCode::Char('l') => Action::Reload,
            KeyCode::Char('?' | 'h') => Action::ToggleHelp,
            KeyCode::Up => self.select(count - 1, count),
            KeyCode::Down => self.select(1, count),
            KeyCode::Left => self.change(&scene, handle, -1.0),
            KeyCode::Right => self.change(&scene, handle, 1.0),
            _ => Action::None,
        }
    }

    fn select(&mut self, step: usize, count: usize) -> Action {
        self.selected = (self.selected + step) % count;
        Action::None
    }

    /// Changes the selected target by a step.
    fn change(&self, scene: &ActiveScene, handle: &EngineHandle, direction: f64) -> Action {
        if let Some(target) = scene.instrument.targets.get(self.selected) {
            let [least, most] = target.range;
            // A wide range is narrowed to the neighbourhood of the initial value.
            let width = (most - least).min(4.0 * target.initial.abs().max(0.25 * (most - least).min(4.0)));
            handle.set(self.selected, scene.value(self.selected) + direction * width / STEPS_PER_RANGE);
        }
        Action::None
    }

    fn bow(&mut self, scene: &ActiveScene, handle: &EngineHandle) -> Action {
        let forces: Vec<usize> = targets_ending_with(scene, ".force").filter(|&index| is_bow(scene, index)).collect();
        if forces.is_empty() {
            return Action::ShowMessage("nothing here can be bowed".into());
        }
        self.is_bowing = !self.is_bowing;
        for force in forces {
            handle.set(force, if self.is_bowing { BOW_FORCE } else { 0.0 });
            if self.is_bowing && scene.value(force + 1) == 0.0 {
                handle.set(force + 1, BOW_SPEED);
            }
        }
        Action::ShowMessage(if self.is_bowing { "bow on" } else { "bow off" }.into())
    }

    fn damp(&mut self, scene: &ActiveScene, handle: &EngineHandle) -> Action {
        let hands: Vec<usize> = targets_ending_with(scene, ".hand.pressure").collect();
        if hands.is_empty() {
            return Action::ShowMessage("nothing here can be damped".into());
        }
        self.is_damping = !self.is_damping;
        hands.iter().for_each(|&hand| {
            handle.set(hand, if self.is_damping { 1.0 } else { 0.0 });
        });
        Action::ShowMessage(if self.is_damping { "hand on" } else { "hand off" }.into())
    }

    /// The left button strikes what the picture shows at the pointer, the right presses a hand there while it is down.
    pub fn handle_mouse(&mut self, mouse: MouseEvent, plot_area: Rect, handle: &EngineHandle) -> Action {
        let scene = handle.active_scene();
        match (mouse.kind, position_in_plot(plot_area, mouse)) {
            (MouseEventKind::Down(MouseButton::Left), Some(position)) => strike_at(&scene, handle, position),
            (MouseEventKind::Down(MouseButton::Right) | MouseEventKind::Drag(MouseButton::Right), Some(position)) => {
                self.press_hand(&scene, handle, position)
            }
            // A hand that is drawn out of the picture lets go.
            (MouseEventKind::Up(MouseButton::Right) | MouseEventKind::Drag(MouseButton::Right), _) => {
                self.lift_hand(&scene, handle)
            }
            _ => Action::None,
        }
    }

    fn press_hand(&mut self, scene: &ActiveScene, handle: &EngineHandle, position: [f64; 2]) -> Action {
        let Some((hand, name)) = displayed_target(scene, "hand.pressure") else {
            return Action::ShowMessage("what the picture shows cannot be damped".into());
        };
        set_position(scene, handle, name.trim_end_matches(".pressure"), position);
        handle.set(hand, 1.0);
        (self.is_damping, self.is_pressing) = (true, true);
        Action::None
    }

    fn lift_hand(&mut self, scene: &ActiveScene, handle: &EngineHandle) -> Action {
        if std::mem::take(&mut self.is_pressing)
            && let Some((hand, _)) = displayed_target(scene, "hand.pressure")
        {
            handle.set(hand, 0.0);
            self.is_damping = false;
        }
        Action::None
    }
}

/// A target of the element that the picture shows, with its name.
fn displayed_target(scene: &ActiveScene, part: &str) -> Option<(usize, String)> {
    let (_, element) = scene.instrument.displayed_element()?;
    let name = format!("{element}.{part}");
    Some((scene.instrument.find_target(&name)?, name))
}

/// Strikes what the picture shows; a scene with keys is played as by the space bar.
fn strike_at(scene: &ActiveScene, handle: &EngineHandle, position: [f64; 2]) -> Action {
    let Some((strike, name)) = displayed_target(scene, "strike") else {
        return strike(scene, handle, STRIKE_STRENGTH);
    };
    set_position(scene, handle, &name, position);
    handle.set(strike, STRIKE_STRENGTH);
    let element = name.trim_end_matches(".strike");
    Action::ShowMessage(format!("{element} struck at {:.2}, {:.2}", position[0], position[1]))
}

/// Whether a force belongs to a bow: the next target is its velocity.
fn is_bow(scene: &ActiveScene, force: usize) -> bool {
    scene.instrument.targets.get(force + 1).is_some_and(|next| next.name.ends_with(".velocity"))
}

/// Strikes with the first striker of the scene.
fn strike(scene: &ActiveScene, handle: &EngineHandle, strength: f64) -> Action {
    match scene.instrument.strike_targets().first() {
        Some(&index) => {
            let target = &scene.instrument.targets[index];
            handle.set(index, strength * target.range[1]);
            Action::ShowMessage(format!("{} {strength:.2}", target.name))
        }
        None => Action::ShowMessage("nothing here can be struck".into()),
    }
}

/// Sets the position of a strike or hand: both coordinates on a plate, the first along a string.
fn set_position(scene: &ActiveScene, handle: &EngineHandle, name: &str, position: [f64; 2]) {
    for (end, value) in [("x", position[0]), ("y", position[1]), ("position", position[0])] {
        if let Some(target) = scene.instrument.find_target(&format!("{name}.{end}")) {
            handle.set(target, value);
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
