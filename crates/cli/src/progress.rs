//! What raddle is doing, on standard error, only where a person can see it.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A line that is rewritten; invisible unless standard error is a terminal.
pub struct Line {
    bar: ProgressBar,
}

impl Line {
    /// A new line; `quiet` never shows it.
    pub fn new(quiet: bool) -> Line {
        let target =
            if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        bar.set_style(style.expect("the template is constant and valid"));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Line { bar }
    }

    /// Shows a text.
    pub fn show(&self, text: &str) {
        self.bar.set_message(text.to_string());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
