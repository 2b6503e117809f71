//! How far a study is, on stderr where that is a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts pieces of work.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// So many pieces are to be done.
    pub fn new(pieces: usize) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}").expect("a valid template");
        // indicatif itself stays silent where stderr is no terminal.
        Self { bar: ProgressBar::new(pieces as u64).with_style(style) }
    }

    /// Does one piece, under a name.
    pub fn during<T>(&self, name: impl Into<String>, work: impl FnOnce() -> T) -> T {
        self.bar.set_message(name.into());
        let result = work();
        self.bar.inc(1);
        result
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
