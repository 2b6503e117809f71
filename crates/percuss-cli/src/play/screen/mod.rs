//! Terminal screen of a performance: the whole terminal, of at least 80 by 24 characters.

mod displacement_plot;
mod draw;
mod input;

use super::args::PlayArgs;
use super::performance::LivePerformance;
use crate::error::Result;
use crossterm::cursor::Show;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use crossterm::execute;
use input::{Action, InputState};
use percuss_live::MeterReading;
use ratatui::layout::Rect;
use std::io;
use std::mem::ManuallyDrop;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Time between two redraws.
const FRAME_INTERVAL: Duration = Duration::from_millis(33);
/// Time for which a message is shown.
const MESSAGE_DURATION: Duration = Duration::from_secs(4);

/// State of the screen.
pub struct Screen {
    input: InputState,
    reading: MeterReading,
    /// Peak levels of the channels, with a slow decay.
    levels: [f64; 2],
    /// Least gain of the limiter, with a slow return.
    limiter_gain: f64,
    /// Scale of the displacement plot, with a slow decay \[m\].
    max_displacement: f32,
    /// Size of the terminal.
    area: Rect,
    shows_help: bool,
    message: String,
    message_since: Instant,
    /// Name of the scene that was shown last.
    scene: String,
}

/// Shows the screen until the user quits.
pub fn run(performance: &mut LivePerformance, args: &PlayArgs) -> Result<()> {
    // Never dropped: that panics where the terminal was closed, before the files are complete.
    let mut terminal = ManuallyDrop::new(ratatui::try_init()?);
    let _restore = RestoreOnDrop;
    execute!(io::stdout(), EnableMouseCapture)?;
    Screen::new(performance).run(performance, args, &mut terminal, &read_events())
}

/// Gives the terminal back as it was, also after an error or a panic.
struct RestoreOnDrop;

impl Drop for RestoreOnDrop {
    fn drop(&mut self) {
        // Fails where the terminal was closed.
        let _ = execute!(io::stdout(), DisableMouseCapture, Show);
        let _ = ratatui::try_restore();
    }
}

/// Reads events on a thread of its own: crossterm does not return from a terminal that was closed.
fn read_events() -> Receiver<io::Result<Event>> {
    let (sender, events) = channel();
    std::thread::spawn(move || {
        let mut is_open = true;
        while is_open {
            let event = event::read();
            is_open = event.is_ok();
            is_open &= sender.send(event).is_ok();
        }
    });
    events
}

impl Screen {
    fn new(performance: &LivePerformance) -> Self {
        Self {
            input: InputState::default(),
            reading: MeterReading::default(),
            levels: [0.0; 2],
            limiter_gain: 1.0,
            max_displacement: 0.0,
            area: Rect::default(),
            shows_help: false,
            message: format!("playing {}", performance.scene_name),
            message_since: Instant::now(),
            scene: performance.scene_name.clone(),
        }
    }

    fn run(
        &mut self,
        performance: &mut LivePerformance,
        args: &PlayArgs,
        terminal: &mut ratatui::DefaultTerminal,
        events: &Receiver<io::Result<Event>>,
    ) -> Result<()> {
        let start = Instant::now();
        while !performance.is_stopped() {
            self.update(performance);
            terminal.draw(|frame| {
                self.area = frame.area();
                draw::draw_screen(frame, performance, self);
            })?;
            let redraw_at = Instant::now() + FRAME_INTERVAL;
            while let Ok(event) = events.recv_timeout(redraw_at.saturating_duration_since(Instant::now())) {
                if self.handle_event(&event?, performance) == Action::Quit {
                    return Ok(());
                }
            }
            if args.seconds.is_some_and(|seconds| start.elapsed().as_secs_f64() >= seconds) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads meters, device state and a scene that has been compiled.
    fn update(&mut self, performance: &mut LivePerformance) {
        self.reading = performance.meter.read();
        for (level, peak) in self.levels.iter_mut().zip(self.reading.peaks) {
            *level = peak.max(*level * 0.85);
        }
        let reduction = (1.0 - self.reading.limiter_gain).max(0.85 * (1.0 - self.limiter_gain));
        self.limiter_gain = if reduction > 0.01 { 1.0 - reduction } else { 1.0 };
        self.max_displacement =
            displacement_plot::max_displacement(&performance.view).max(0.97 * self.max_displacement);
        if let Some(message) = performance.poll() {
            self.show_message(message);
        }
        if self.scene != performance.scene_name {
            self.scene.clone_from(&performance.scene_name);
            self.input = InputState::default();
            self.max_displacement = 0.0;
        }
    }

    fn show_message(&mut self, message: String) {
        // The screen has one line for messages.
        self.message = message.replace('\n', " ");
        self.message_since = Instant::now();
    }

    /// The message to be shown now, if it is recent.
    fn recent_message(&self) -> Option<&str> {
        (self.message_since.elapsed() < MESSAGE_DURATION).then_some(&self.message)
    }

    fn handle_event(&mut self, event: &Event, performance: &mut LivePerformance) -> Action {
        let action = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.input.handle_key(*key, &performance.handle),
            Event::Mouse(mouse) => {
                self.input.handle_mouse(*mouse, draw::Layout::new(self.area).plot, &performance.handle)
            }
            _ => Action::None,
        };
        match action {
            Action::ShowMessage(message) => {
                self.show_message(message);
                Action::None
            }
            Action::ChangePreset(step) => {
                let message = performance.scenes.request_neighbour(step);
                self.show_message(message);
                Action::None
            }
            Action::ToggleHelp => {
                self.shows_help = !self.shows_help;
                Action::None
            }
            Action::Reload => {
                let message = performance.scenes.request_reload(performance.config);
                self.show_message(message);
                Action::None
            }
            other => other,
        }
    }
}
