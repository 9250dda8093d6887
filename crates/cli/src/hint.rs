//! The commands that help: the library says what is the matter, and this what to run.

use memdir::engine::{Advice, Announcement, Extracted, Hint, Learned, Next};
use memdir::settings::SetError;

/// A hint in commands.
fn words(hint: &Hint) -> Option<String> {
    Some(match hint {
        Hint::ListMemories => "`memdir list` shows what there is".to_owned(),
        Hint::ListProposals => "`memdir inbox` lists them".to_owned(),
        Hint::ListChanges => "`memdir history` lists them".to_owned(),
        Hint::ListChangesOf(file) => format!("`memdir history {file}` lists them"),
        Hint::ListTeams => "`memdir team status` lists them".to_owned(),
        Hint::BeginTeam => "`memdir team init --git URL` begins".to_owned(),
        Hint::AddParentTeam => "add others with --parent".to_owned(),
        Hint::LeaveTeam(name) => format!("`memdir team leave {name}` first"),
        Hint::GiveTeamKey => "give the team's key with --key FILE".to_owned(),
        Hint::SyncByHand => "run `memdir team sync` at a terminal".to_owned(),
        Hint::RotateKey => "`memdir team key rotate` changes it for all".to_owned(),
        Hint::AdoptOrSeparate => "If they are the same project, run `memdir adopt`; if not, give this one its own \
                                  directory with --memory-dir"
            .to_owned(),
        Hint::TakeOver(1) => "`memdir adopt` takes it over".to_owned(),
        Hint::TakeOver(_) => "`memdir adopt` takes them over".to_owned(),
        Hint::ApproveInclude(file) => format!("`memdir approve {file}` lets it in"),
        Hint::DecideOwner => "`memdir adopt` decides".to_owned(),
        Hint::NameFormerPlace => "name one with `memdir adopt DIR`".to_owned(),
        Hint::ChooseOwnScope => "use --scope private or --scope user".to_owned(),
        Hint::NameProject => "give one that exists with --project".to_owned(),
        Hint::NameAgent => "name the agent with --host".to_owned(),
        Hint::Setting(key) => format!("see `memdir settings {key}`"),
        Hint::Set(key, value) => format!("run `memdir settings {key} {value}`"),
        Hint::Edit(file) => format!("`memdir edit {file}` opens it"),
        Hint::RepairIndex => "`memdir doctor --fix` repairs the index".to_owned(),
        Hint::RemoveSecret => {
            "take it out with `memdir edit`, then `memdir purge` if it must leave the history too".to_owned()
        }
        Hint::EditFound => "`memdir edit` opens it".to_owned(),
        Hint::MoveToPrivate => "`memdir move FILE --scope private`".to_owned(),
        Hint::KeepOneVersion => "keep one of them: `memdir edit FILE`".to_owned(),
        Hint::EditOrForget => "`memdir edit` it, or `memdir forget` it if it no longer holds".to_owned(),
        Hint::PreviewDream => {
            "`memdir dream --dry-run` shows what would become of both; or `memdir forget` this one".to_owned()
        }
        Hint::ForgetDouble => "keep one: `memdir forget` the other".to_owned(),
        Hint::Wire(host) => format!("`memdir init {host}` puts it right"),
        _ => return None,
    })
}

/// What is the matter, and what to run.
pub(crate) fn with_command(text: &str, hint: Option<&Hint>) -> String {
    match hint.and_then(words) {
        Some(words) if words.starts_with(char::is_uppercase) => format!("{text}. {words}"),
        Some(words) => format!("{text}; {words}"),
        None => text.to_owned(),
    }
}

/// Adds to advice what to run.
pub(crate) fn complete(advice: &mut Advice) {
    advice.text = with_command(&advice.text, advice.hint.as_ref());
}

/// Says advice as what to run, where there is a command for it.
pub(crate) fn replace(advice: &mut Advice) {
    if let Some(words) = advice.hint.as_ref().and_then(words) {
        advice.text = words;
    }
}

/// Why a setting was not changed, and where to look.
pub(crate) fn about_setting(error: &SetError) -> String {
    match error {
        SetError::UnknownKey(..) => format!("{error}; `memdir settings` lists them all"),
        _ => error.to_string(),
    }
}

/// What came of a transcript, in one line.
pub(crate) fn extracted_line(done: &Extracted) -> Option<String> {
    let line = done.line()?;
    Some(if done.saved.is_empty() { to_inbox(&line) } else { format!("memdir {line}") })
}

/// What was learned from a turn, in one line.
pub(crate) fn learned_line(learned: &Learned) -> Option<String> {
    let line = learned.line()?;
    Some(if learned.files().is_empty() { to_inbox(&line) } else { to_undo(&line) })
}

/// What the user should hear of work that nobody watched, with what to run.
pub(crate) fn announced(told: &[Announcement]) -> Option<String> {
    let line = |one: &Announcement| match &one.next {
        Next::Decide => to_inbox(&format!("memdir: {}", one.text)),
        Next::Undo(change) => format!("memdir {}; `memdir undo {change}` takes it back", one.text),
        Next::TakeOver => format!("memdir: {}; `memdir adopt` takes over", one.text),
        Next::AllowDirectory => {
            format!("memdir: {}; `memdir settings autoMemoryDirectory DIR` says yes to it", one.text)
        }
        Next::Rewire(host) => format!("memdir: {}; `memdir init {host}` puts it right", one.text),
        Next::ByHand(remedy) => format!("memdir: {}; {remedy}", one.text),
        Next::Nothing => format!("memdir {}", one.text),
    };
    (!told.is_empty()).then(|| told.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn to_inbox(line: &str) -> String {
    format!("{line}: `memdir inbox`")
}

fn to_undo(line: &str) -> String {
    format!("{line}; `memdir undo` takes it back")
}
