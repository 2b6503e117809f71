//! The screen: what is played, how it looks and how it goes, in any terminal of 80 by 24 characters or more.

mod draw;
mod hands;
mod picture;

use super::args::PlayArgs;
use super::crew::Coming;
use super::stage::Stage;
use crate::failure::Result;
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind};
use crossterm::execute;
use hands::{Hands, Wish};
use percuss_live::Reading;
use percuss_live::session::SceneText;
use percuss_scene::presets;
use std::io;
use std::time::{Duration, Instant};

/// Time between two pictures.
const FRAME: Duration = Duration::from_millis(33);
/// How long news stay on the screen.
const NEWS: Duration = Duration::from_secs(4);

/// What the screen shows besides what the stage itself knows.
pub struct Screen {
    hands: Hands,
    reading: Reading,
    /// Levels that fall slowly, so that they can be read.
    levels: [f64; 2],
    /// Largest displacement lately \[m\].
    reach: f32,
    news: String,
    news_since: Instant,
    coming: Option<Coming>,
    preset: usize,
}

/// Shows the screen until it is left.
pub fn run(stage: &mut Stage, args: &PlayArgs) -> Result<()> {
    let mut terminal = ratatui::try_init()?;
    let outcome = execute!(io::stdout(), EnableMouseCapture)
        .map_err(Into::into)
        .and_then(|()| Screen::new(stage).perform(stage, args, &mut terminal));
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    outcome
}

impl Screen {
    fn new(stage: &Stage) -> Self {
        let preset = presets::all().iter().position(|preset| preset.name == stage.text.path).unwrap_or(0);
        Self {
            hands: Hands::default(),
            reading: Reading::default(),
            levels: [0.0; 2],
            reach: 0.0,
            news: format!("{} is on stage", stage.title),
            news_since: Instant::now(),
            coming: None,
            preset,
        }
    }

    fn perform(&mut self, stage: &mut Stage, args: &PlayArgs, terminal: &mut ratatui::DefaultTerminal) -> Result<()> {
        let begun = Instant::now();
        while !stage.crew.has_given_up() {
            self.read(stage);
            terminal.draw(|frame| draw::all(frame, stage, self))?;
            let due = Instant::now() + FRAME;
            while event::poll(due.saturating_duration_since(Instant::now()))? {
                if self.react(&event::read()?, stage) == Wish::Leave {
                    return Ok(());
                }
            }
            if args.seconds.is_some_and(|seconds| begun.elapsed().as_secs_f64() >= seconds) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes in how it goes.
    fn read(&mut self, stage: &mut Stage) {
        self.reading = stage.meter.read();
        for (level, peak) in self.levels.iter_mut().zip(self.reading.peaks) {
            *level = peak.max(*level * 0.85);
        }
        self.reach = picture::reach(&stage.view).max(0.97 * self.reach);
        if let Some(news) = stage.look_after() {
            self.tell(news);
        }
        if let Some(coming) = self.coming.take_if(|coming| coming.is_ready()) {
            match coming.enter(&stage.controls, &stage.crew) {
                Ok(name) => {
                    self.tell(format!("{name} is on stage"));
                    stage.title = name;
                    self.hands = Hands::default();
                    self.reach = 0.0;
                }
                Err(failure) => self.tell(failure.to_string()),
            }
        }
    }

    fn tell(&mut self, news: String) {
        // A message may have lines of its own; there is room for one.
        self.news = news.replace('\n', " ");
        self.news_since = Instant::now();
    }

    /// What there is to say at the moment.
    fn news(&self) -> &str {
        if self.news_since.elapsed() < NEWS { &self.news } else { "" }
    }

    fn react(&mut self, event: &Event, stage: &Stage) -> Wish {
        let wish = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.hands.key(*key, &stage.controls),
            Event::Mouse(mouse) => self.hands.mouse(*mouse, draw::picture_area(), &stage.controls),
            _ => Wish::Nothing,
        };
        match wish {
            Wish::Say(news) => {
                self.tell(news);
                Wish::Nothing
            }
            Wish::Preset(step) => {
                let count = presets::all().len();
                self.preset = (self.preset + count).saturating_add_signed(step) % count;
                let preset = &presets::all()[self.preset];
                self.fetch(SceneText { path: preset.name.into(), text: preset.text.into() }, stage);
                Wish::Nothing
            }
            Wish::Reload => {
                // A preset never changes; a file may have.
                let text = std::fs::read_to_string(&stage.text.path).unwrap_or_else(|_| stage.text.text.clone());
                self.fetch(SceneText { path: stage.text.path.clone(), text }, stage);
                Wish::Nothing
            }
            other => other,
        }
    }

    /// Has a scene compiled, unless one is being compiled already.
    fn fetch(&mut self, text: SceneText, stage: &Stage) {
        if self.coming.is_none() {
            self.tell(format!("{} is coming", text.path));
            self.coming = Some(Coming::new(text, stage.make));
        }
    }
}
