//! How far a long run is, on stderr where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// A run shorter than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The state of a run.
pub struct Progress {
    start: Instant,
    seconds: f64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the clock of a run of so many simulated seconds.
    pub fn new(seconds: f64) -> Self {
        Self { start: Instant::now(), seconds, bar: None }
    }

    /// Shows that `done` seconds are simulated.
    pub fn at(&mut self, done: f64) {
        let elapsed = self.start.elapsed();
        if self.bar.is_none() && elapsed > PATIENCE {
            self.bar = Some(bar(self.seconds));
        }
        if let Some(bar) = &self.bar {
            bar.set_position((done * 1000.0) as u64);
            let speed = done / elapsed.as_secs_f64();
            bar.set_message(format!("{done:.1} of {:.1} s, {speed:.1}× real time", self.seconds));
        }
    }

    /// Ends the run; returns how long it took \[s\].
    pub fn finish(self) -> f64 {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64()
    }
}

fn bar(seconds: f64) -> ProgressBar {
    // indicatif itself stays silent where stderr is no terminal.
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}, {eta} left").expect("a valid template");
    ProgressBar::new((seconds * 1000.0).ceil() as u64).with_style(style)
}
