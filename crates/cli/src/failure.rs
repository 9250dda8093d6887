//! How a command fails: exit 1 when the request cannot be met, exit 2 when something is broken.

use std::process::ExitCode;

use serde_json::json;

use crate::hint;
use crate::ui::Ui;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The user's request can't be met: no such file, refused, disabled.
    Refused(String),
    /// The same, but the answer is already printed.
    Answered,
    /// A fault of the machine or of memdir.
    Fault(String),
    /// Nobody reads our output any more.
    PipeClosed,
}

impl Failure {
    /// A refusal in words.
    pub(crate) fn refused(message: impl Into<String>) -> Failure {
        Failure::Refused(message.into())
    }

    /// Says what happened and gives the exit code.
    pub(crate) fn report(self, ui: &mut Ui) -> ExitCode {
        let (message, code) = match self {
            Failure::PipeClosed => return ExitCode::SUCCESS,
            Failure::Answered => return ExitCode::from(1),
            Failure::Refused(message) => (without_codes(&message), 1),
            Failure::Fault(message) => (without_codes(&message), 2),
        };
        if ui.json {
            // The answer may not be readable any more; the exit code still is.
            let _ = ui.print_json(&json!({ "error": message, "exit": code }));
        }
        ui.complain(&message);
        ExitCode::from(code)
    }
}

/// A message without the numbers of the system: "(os error 2)" says nothing that the words before it do not.
fn without_codes(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((code, rest)) if code.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') => out.push_str(rest),
            _ => out.extend([" (os error ", part]),
        }
    }
    out
}

impl From<memdir::engine::Error> for Failure {
    fn from(error: memdir::engine::Error) -> Failure {
        let message = hint::with_command(&error.to_string(), error.hint().as_ref());
        if error.is_refusal() { Failure::Refused(message) } else { Failure::Fault(message) }
    }
}

impl From<memdir::store::fs::FsError> for Failure {
    fn from(error: memdir::store::fs::FsError) -> Failure {
        memdir::engine::Error::from(error).into()
    }
}

impl From<memdir_serve::ServeError> for Failure {
    fn from(error: memdir_serve::ServeError) -> Failure {
        Failure::Fault(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            Failure::PipeClosed
        } else {
            Failure::Fault(error.to_string())
        }
    }
}
