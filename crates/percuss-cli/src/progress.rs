//! Progress bars, on stderr if that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// Time after which the bar appears.
const SHOW_AFTER: Duration = Duration::from_millis(500);

/// A progress bar in simulated seconds.
pub struct RenderProgress {
    start: Instant,
    seconds: f64,
    bar: Option<ProgressBar>,
}

impl RenderProgress {
    /// Starts timing a run of `seconds` simulated seconds.
    pub fn new(seconds: f64) -> Self {
        Self { start: Instant::now(), seconds, bar: None }
    }

    /// Updates the bar: `done` seconds are simulated.
    pub fn update(&mut self, done: f64) {
        let elapsed = self.start.elapsed();
        if self.bar.is_none() && elapsed > SHOW_AFTER {
            self.bar = Some(bar(self.seconds));
        }
        if let Some(bar) = &self.bar {
            bar.set_position((done * 1000.0) as u64);
            let speed = done / elapsed.as_secs_f64();
            bar.set_message(format!("{done:.1} of {:.1} s, {speed:.1}× real time", self.seconds));
        }
    }

    /// Removes the bar; returns the wall-clock time of the run \[s\].
    pub fn finish(self) -> f64 {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64()
    }
}

fn bar(seconds: f64) -> ProgressBar {
    // indicatif draws nothing if stderr is not a terminal.
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}, {eta} left").expect("a valid template");
    ProgressBar::new((seconds * 1000.0).ceil() as u64).with_style(style)
}

/// A progress bar that counts tasks.
pub struct TaskProgress {
    bar: ProgressBar,
}

impl TaskProgress {
    /// A bar for a number of tasks.
    pub fn new(tasks: usize) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}").expect("a valid template");
        // indicatif draws nothing if stderr is not a terminal.
        Self { bar: ProgressBar::new(tasks as u64).with_style(style) }
    }

    /// Runs one task and shows its name meanwhile.
    pub fn run_task<T>(&self, name: impl Into<String>, task: impl FnOnce() -> T) -> T {
        self.bar.set_message(name.into());
        let result = task();
        self.bar.inc(1);
        result
    }
}

impl Drop for TaskProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar that counts clips; threads share it.
pub struct ClipProgress(ProgressBar);

impl ClipProgress {
    /// A bar for a number of clips.
    pub fn new(clips: u64) -> Self {
        let template = "{bar:30} {percent:>3} %  {pos} of {len} clips, {per_sec}, {eta} left";
        Self(ProgressBar::new(clips).with_style(ProgressStyle::with_template(template).expect("a valid template")))
    }

    /// Counts a clip.
    pub fn advance(&self) {
        self.0.inc(1);
    }
}

impl Drop for ClipProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
