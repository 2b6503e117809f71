//! Terminal screen of a performance, for terminals of at least 80 by 24 characters.

mod displacement_plot;
mod draw;
mod input;

use super::args::PlayArgs;
use super::performance::LivePerformance;
use super::workers::PendingScene;
use crate::error::Result;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use crossterm::execute;
use input::{Action, InputState};
use percuss_live::MeterReading;
use percuss_live::session::SceneSource;
use percuss_scene::presets;
use std::io;
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
    /// Scale of the displacement plot, with a slow decay \[m\].
    max_displacement: f32,
    message: String,
    message_since: Instant,
    pending: Option<PendingScene>,
    preset: usize,
}

/// Shows the screen until the user quits.
pub fn run(performance: &mut LivePerformance, args: &PlayArgs) -> Result<()> {
    let mut terminal = ratatui::try_init()?;
    let outcome = execute!(io::stdout(), EnableMouseCapture)
        .map_err(Into::into)
        .and_then(|()| Screen::new(performance).run(performance, args, &mut terminal));
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    outcome
}

impl Screen {
    fn new(performance: &LivePerformance) -> Self {
        let preset = presets::all().iter().position(|preset| preset.name == performance.scene_source.path).unwrap_or(0);
        Self {
            input: InputState::default(),
            reading: MeterReading::default(),
            levels: [0.0; 2],
            max_displacement: 0.0,
            message: format!("playing {}", performance.scene_name),
            message_since: Instant::now(),
            pending: None,
            preset,
        }
    }

    fn run(
        &mut self,
        performance: &mut LivePerformance,
        args: &PlayArgs,
        terminal: &mut ratatui::DefaultTerminal,
    ) -> Result<()> {
        let start = Instant::now();
        while !performance.collector.has_failed() {
            self.update(performance);
            terminal.draw(|frame| draw::draw_screen(frame, performance, self))?;
            let redraw_at = Instant::now() + FRAME_INTERVAL;
            while event::poll(redraw_at.saturating_duration_since(Instant::now()))? {
                if self.handle_event(&event::read()?, performance) == Action::Quit {
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
        self.max_displacement =
            displacement_plot::max_displacement(&performance.view).max(0.97 * self.max_displacement);
        if let Some(message) = performance.poll_device() {
            self.show_message(message);
        }
        if let Some(pending) = self.pending.take_if(|pending| pending.is_ready()) {
            match pending.swap_in(&performance.handle, &performance.collector) {
                Ok(name) => {
                    self.show_message(format!("playing {name}"));
                    performance.scene_name = name;
                    self.input = InputState::default();
                    self.max_displacement = 0.0;
                }
                Err(failure) => self.show_message(failure.to_string()),
            }
        }
    }

    fn show_message(&mut self, message: String) {
        // The screen has one line for messages.
        self.message = message.replace('\n', " ");
        self.message_since = Instant::now();
    }

    /// Message to be shown now.
    fn current_message(&self) -> &str {
        if self.message_since.elapsed() < MESSAGE_DURATION { &self.message } else { "" }
    }

    fn handle_event(&mut self, event: &Event, performance: &LivePerformance) -> Action {
        let action = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.input.handle_key(*key, &performance.handle),
            Event::Mouse(mouse) => self.input.handle_mouse(*mouse, draw::plot_area(), &performance.handle),
            _ => Action::None,
        };
        match action {
            Action::ShowMessage(message) => {
                self.show_message(message);
                Action::None
            }
            Action::ChangePreset(step) => {
                let count = presets::all().len();
                self.preset = (self.preset + count).saturating_add_signed(step) % count;
                let preset = &presets::all()[self.preset];
                self.load_scene(SceneSource { path: preset.name.into(), text: preset.text.into() }, performance);
                Action::None
            }
            Action::Reload => {
                // A preset has no file; a file may have changed.
                let text = std::fs::read_to_string(&performance.scene_source.path)
                    .unwrap_or_else(|_| performance.scene_source.text.clone());
                self.load_scene(SceneSource { path: performance.scene_source.path.clone(), text }, performance);
                Action::None
            }
            other => other,
        }
    }

    /// Starts to compile a scene, unless another is being compiled.
    fn load_scene(&mut self, text: SceneSource, performance: &LivePerformance) {
        if self.pending.is_none() {
            self.show_message(format!("loading {}", text.path));
            self.pending = Some(PendingScene::new(text, performance.config));
        }
    }
}
