//! How far a command is that takes longer than a moment.
//!
//! Enters: how much is done of how much. Leaves: on a terminal one line that is written over, with an estimate of what is left
//! as soon as a second has passed; nowhere else anything. Never stays behind: the line is gone before the answer comes.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::ui::{Ui, clip, counted};

/// What is done sooner needs no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// What one line of a terminal holds where its width is not known.
const COLUMNS: usize = 79;

/// A line that says how far a command is.
pub(super) struct ProgressLine {
    /// Nobody looks where there is no terminal.
    is_seen: bool,
    began: Instant,
    is_drawn: bool,
}

impl ProgressLine {
    pub(super) fn new(ui: &Ui) -> ProgressLine {
        let is_seen = ui.talks() && io::stderr().is_terminal();
        ProgressLine { is_seen, began: Instant::now(), is_drawn: false }
    }

    /// Says that so many of so many are done, and at what it is now.
    pub(super) fn at(&mut self, done: usize, total: usize, now: &str) {
        if !self.is_seen || self.began.elapsed() < PATIENCE {
            return;
        }
        let line = format!("{done} of {total}{}  {now}", left(self.began.elapsed(), done, total));
        // Whoever does not look misses nothing else.
        let _ = write!(io::stderr().lock(), "\r\u{1b}[K{}", clip(&line, COLUMNS));
        self.is_drawn = true;
    }

    /// Takes the line away, and counts time again for what comes next.
    pub(super) fn next(&mut self) {
        self.clear();
        self.began = Instant::now();
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            let _ = write!(io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// How long the rest takes, if it goes on like this.
fn left(spent: Duration, done: usize, total: usize) -> String {
    if done == 0 || done >= total {
        return String::new();
    }
    let rest = spent.as_secs_f64() / done as f64 * (total - done) as f64;
    let seconds = rest.ceil() as usize;
    let words = match seconds {
        0..90 => counted(seconds, "second", "seconds"),
        _ => counted(seconds.div_ceil(60), "minute", "minutes"),
    };
    format!(", about {words} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_in_the_unit_that_fits() {
        let left = |spent: u64, done, total| left(Duration::from_secs(spent), done, total);
        assert_eq!(left(10, 5, 10), ", about 10 seconds left");
        assert_eq!(left(2, 2, 3), ", about 1 second left");
        assert_eq!(left(60, 1, 4), ", about 3 minutes left");
        assert_eq!((left(1, 0, 4), left(1, 4, 4)), (String::new(), String::new()));
    }
}
