//! What is typed, and Ctrl-C.
//!
//! A thread reads lines; what was learned in the background comes through the same channel, so that
//! whoever waits for a line hears of it. On a terminal Ctrl-C must not end the process but the turn:
//! while the chat is open it is an ordinary letter that also ends a line, or where the system has no such
//! thing, a signal that is noticed. The kernel still does the editing of the line. When the chat ends, the
//! terminal is as it was.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Read as _, stdin};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use memdir::engine::Learned;
use memdir::model::Cancel;

use crate::system::QuietTerminal;
use crate::ui::Ui;

/// The letter that Ctrl-C types.
const CTRL_C: u8 = 3;
/// The longest line that is taken; a terminal gives 4 KB at once.
const LINE_BYTES: usize = 1024 * 1024;

/// Something happened.
pub(super) enum KeyEvent {
    /// A line was typed.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Something was learned in the background.
    Learned(Box<Learned>),
}

/// Where events come from.
pub(super) struct Keys {
    events: Rc<Receiver<Option<KeyEvent>>>,
    /// What was learned while somebody was asked.
    late: Rc<RefCell<VecDeque<Box<Learned>>>>,
    /// What came while somebody looked for something else.
    ahead: RefCell<VecDeque<Option<KeyEvent>>>,
    sender: Sender<Option<KeyEvent>>,
    stopped: Arc<Mutex<Cancel>>,
    terminal: Option<QuietTerminal>,
}

impl Keys {
    /// Reads what is typed.
    pub(super) fn open() -> Keys {
        let mut keys = Keys::closed();
        let (sender, stopped) = (keys.sender.clone(), Arc::clone(&keys.stopped));
        keys.terminal = QuietTerminal::take(CTRL_C, move || {
            interrupt(&stopped);
            // Whoever is gone needs no interrupt.
            let _ = sender.send(Some(KeyEvent::Interrupt));
        });
        let (sender, stopped) = (keys.sender.clone(), Arc::clone(&keys.stopped));
        std::thread::spawn(move || read(&sender, &stopped));
        keys
    }

    /// Nobody types.
    pub(super) fn closed() -> Keys {
        let (sender, events) = channel();
        Keys {
            events: Rc::new(events),
            late: Rc::default(),
            ahead: RefCell::default(),
            sender,
            stopped: Arc::default(),
            terminal: None,
        }
    }

    /// Whether a person sits at a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// The next event; `None` when nothing more is typed.
    pub(super) fn next(&self) -> Option<KeyEvent> {
        if let Some(learned) = self.late.borrow_mut().pop_front() {
            return Some(KeyEvent::Learned(learned));
        }
        let ahead = self.ahead.borrow_mut().pop_front();
        ahead.unwrap_or_else(|| self.events.recv().ok().flatten())
    }

    /// Whether Ctrl-C was pressed since; lines that were typed ahead stay.
    pub(super) fn was_interrupted(&self) -> bool {
        let mut pressed = false;
        let mut ahead = self.ahead.borrow_mut();
        while let Ok(event) = self.events.try_recv() {
            match event {
                Some(KeyEvent::Interrupt) => pressed = true,
                other => ahead.push_back(other),
            }
        }
        pressed
    }

    /// What was learned and not told yet.
    pub(super) fn learned(&self) -> Vec<Learned> {
        let mut learned: Vec<Learned> = self.late.borrow_mut().drain(..).map(|one| *one).collect();
        let ahead = self.ahead.borrow_mut().drain(..).collect::<Vec<_>>();
        for event in ahead.into_iter().chain(self.events.try_iter()) {
            if let Some(KeyEvent::Learned(one)) = event {
                learned.push(*one);
            }
        }
        learned
    }

    /// What Ctrl-C stops from now on.
    pub(super) fn stops(&self, cancel: Cancel) {
        *self.stopped.lock().unwrap_or_else(PoisonError::into_inner) = cancel;
    }

    /// Where a background thread reports.
    pub(super) fn sender(&self) -> Sender<Option<KeyEvent>> {
        self.sender.clone()
    }

    /// Lets questions be answered by lines that come through here.
    pub(super) fn answer_for(&self, ui: &mut Ui) {
        if !self.is_terminal() {
            return;
        }
        let (events, late) = (Rc::clone(&self.events), Rc::clone(&self.late));
        ui.listen = Some(Box::new(move || {
            loop {
                match events.recv() {
                    Ok(Some(KeyEvent::Line(line))) => return Some(line),
                    Ok(Some(KeyEvent::Learned(learned))) => late.borrow_mut().push_back(learned),
                    _ => return None,
                }
            }
        }));
    }
}

/// Stops what Ctrl-C stops.
fn interrupt(stopped: &Mutex<Cancel>) {
    stopped.lock().unwrap_or_else(PoisonError::into_inner).cancel();
}

/// Reads until there is nothing more.
fn read(sender: &Sender<Option<KeyEvent>>, stopped: &Mutex<Cancel>) {
    let (mut line, mut piece) = (Vec::new(), [0; 4096]);
    // A read ends where a line does; Ctrl-D on an empty line reads nothing.
    while let Ok(read @ 1..) = stdin().lock().read(&mut piece) {
        for &byte in &piece[..read] {
            let event = match byte {
                CTRL_C => {
                    line.clear();
                    interrupt(stopped);
                    KeyEvent::Interrupt
                }
                b'\n' => KeyEvent::Line(text_of(std::mem::take(&mut line))),
                _ if line.len() < LINE_BYTES => {
                    line.push(byte);
                    continue;
                }
                _ => continue,
            };
            if sender.send(Some(event)).is_err() {
                return;
            }
        }
    }
    if !line.is_empty() {
        let _ = sender.send(Some(KeyEvent::Line(text_of(line))));
    }
    // Whoever is gone needs no end.
    let _ = sender.send(None);
}

/// A line without what ends it on Windows.
fn text_of(line: Vec<u8>) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(&line)).into_owned()
}
