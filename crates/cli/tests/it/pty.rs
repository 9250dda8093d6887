//! memdir on a real terminal: what it prints, what a person types, how the terminal is left behind.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

/// How long something that takes milliseconds may take before a test gives up.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// A process on a terminal of its own.
pub(super) struct Terminal {
    pub(super) master: File,
    pub(super) child: Child,
    shown: Arc<(Mutex<String>, Condvar)>,
    seen: usize,
    /// What keeps the terminal open, and how it was.
    side: File,
    reader: JoinHandle<()>,
}

/// A process on a terminal that nobody reads yet: the side of a person, the side of the process, the process.
pub(super) fn on_a_terminal(mut command: Command, columns: u16, rows: u16) -> (File, File, Child) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    // Only this process is the person: a program that had this side too would never see them go.
    fcntl_setfd(&master, FdFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let side = File::options().read(true).write(true).open(&name).unwrap();
    let master = File::from(master);
    tcsetwinsize(&master, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let end = || Stdio::from(side.try_clone().unwrap());
    let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    (master, side, child)
}

impl Terminal {
    pub(super) fn start(command: Command, columns: u16, rows: u16) -> Terminal {
        let (master, side, child) = on_a_terminal(command, columns, rows);
        let shown = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let (mut output, sink) = (master.try_clone().unwrap(), Arc::clone(&shown));
        let reader = std::thread::spawn(move || {
            let (mut piece, mut rest) = ([0; 4096], Vec::new());
            // Reading fails when the other side is closed.
            while let Ok(read @ 1..) = output.read(&mut piece) {
                rest.extend_from_slice(&piece[..read]);
                // A letter may come in two pieces.
                let whole = match std::str::from_utf8(&rest) {
                    Ok(_) => rest.len(),
                    Err(error) => error.valid_up_to(),
                };
                let text: Vec<u8> = rest.drain(..whole).collect();
                sink.0.lock().unwrap().push_str(&String::from_utf8_lossy(&text));
                sink.1.notify_all();
            }
        });
        Terminal { master, child, shown, seen: 0, side, reader }
    }

    pub(super) fn types(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Waits for words that were not there before.
    #[track_caller]
    pub(super) fn shows(&mut self, words: &str) {
        let seen = self.seen;
        let shown = self.wait(|shown| shown[seen..].contains(words));
        let at = shown[seen..].find(words).unwrap_or_else(|| panic!("no {words:?} in {:?}", &shown[seen..]));
        self.seen += at + words.len();
    }

    /// Everything that was printed, as soon as it fits or patience ends.
    pub(super) fn wait(&self, fits: impl Fn(&str) -> bool) -> String {
        let shown = self.shown.0.lock().unwrap();
        let (shown, _) = self.shown.1.wait_timeout_while(shown, PATIENCE, |shown| !fits(shown)).unwrap();
        shown.clone()
    }

    /// How the terminal is set up now.
    pub(super) fn modes(&self) -> Termios {
        tcgetattr(&self.side).unwrap()
    }

    pub(super) fn resize(&self, columns: u16, rows: u16) {
        tcsetwinsize(&self.master, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        self.signal("WINCH");
    }

    pub(super) fn signal(&self, name: &str) {
        let told = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
    }

    /// Waits for its end; everything it printed.
    pub(super) fn leaves(self) -> String {
        let Terminal { mut child, side, reader, shown, .. } = self;
        assert!(child.wait().unwrap().success());
        // Nobody has the terminal open any more, so reading comes to an end.
        drop(side);
        reader.join().unwrap();
        std::mem::take(&mut *shown.0.lock().unwrap())
    }
}
