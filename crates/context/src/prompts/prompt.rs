//! The texts in `prompts/`: what each is for, its name, its built-in words. The folder and this list are one (a test looks).

/// The texts in `prompts/`, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Prompt {
    /// The frame of the manual, with the eight parts of M1.
    Manual,
    /// Where memory is, in normal mode.
    Where,
    /// Where memory is, private and team.
    WhereTeam,
    /// Where memory is, in daily-log mode.
    WhereLog,
    /// How to save: file and pointer.
    Save,
    /// How to save without an index (I5).
    SaveNoIndex,
    /// How to save in daily-log mode (L1).
    SaveLog,
    /// What goes to the team and what does not (T2, T3).
    Team,
    /// Searching past context (M6).
    Search,
    /// The caveat above an old memory (A2).
    Staleness,
    /// The note below an old daily log (A3).
    DailyNote,
    /// Choosing memories for a prompt, for a model (R3).
    Select,
    /// What an agent without hooks is told.
    Instructions,
    /// What the extraction after a turn is to do (X).
    Extract,
    /// What `memdir chat` is.
    Chat,
    /// Asking for a summary in place of a conversation.
    Compact,
    /// Dreaming, for a model (D3).
    Dream,
    /// Bringing session notes up to date, for a model (S3).
    Notes,
    /// The ten sections of session notes (S1).
    NotesTemplate,
    /// The tools and their parameters, `key: words` lines.
    Tools,
    /// One-line texts.
    Phrases,
}

impl Prompt {
    /// Every text, in the order of a listing.
    pub const ALL: [Prompt; 21] = [
        Prompt::Manual,
        Prompt::Where,
        Prompt::WhereTeam,
        Prompt::WhereLog,
        Prompt::Save,
        Prompt::SaveNoIndex,
        Prompt::SaveLog,
        Prompt::Team,
        Prompt::Search,
        Prompt::Staleness,
        Prompt::DailyNote,
        Prompt::Select,
        Prompt::Instructions,
        Prompt::Extract,
        Prompt::Chat,
        Prompt::Compact,
        Prompt::Dream,
        Prompt::Notes,
        Prompt::NotesTemplate,
        Prompt::Tools,
        Prompt::Phrases,
    ];

    /// The file name without `.md`, here and in the user's folder.
    pub const fn name(self) -> &'static str {
        match self {
            Prompt::Manual => "manual",
            Prompt::Where => "where",
            Prompt::WhereTeam => "where-team",
            Prompt::WhereLog => "where-log",
            Prompt::Save => "save",
            Prompt::SaveNoIndex => "save-no-index",
            Prompt::SaveLog => "save-log",
            Prompt::Team => "team",
            Prompt::Search => "search",
            Prompt::Staleness => "staleness",
            Prompt::DailyNote => "daily-note",
            Prompt::Select => "select",
            Prompt::Instructions => "instructions",
            Prompt::Extract => "extract",
            Prompt::Chat => "chat",
            Prompt::Compact => "compact",
            Prompt::Dream => "dream",
            Prompt::Notes => "notes",
            Prompt::NotesTemplate => "notes-template",
            Prompt::Tools => "tools",
            Prompt::Phrases => "phrases",
        }
    }

    /// The text that is built in.
    pub const fn built_in(self) -> &'static str {
        match self {
            Prompt::Manual => include_str!("../../prompts/manual.md"),
            Prompt::Where => include_str!("../../prompts/where.md"),
            Prompt::WhereTeam => include_str!("../../prompts/where-team.md"),
            Prompt::WhereLog => include_str!("../../prompts/where-log.md"),
            Prompt::Save => include_str!("../../prompts/save.md"),
            Prompt::SaveNoIndex => include_str!("../../prompts/save-no-index.md"),
            Prompt::SaveLog => include_str!("../../prompts/save-log.md"),
            Prompt::Team => include_str!("../../prompts/team.md"),
            Prompt::Search => include_str!("../../prompts/search.md"),
            Prompt::Staleness => include_str!("../../prompts/staleness.md"),
            Prompt::DailyNote => include_str!("../../prompts/daily-note.md"),
            Prompt::Select => include_str!("../../prompts/select.md"),
            Prompt::Instructions => include_str!("../../prompts/instructions.md"),
            Prompt::Extract => include_str!("../../prompts/extract.md"),
            Prompt::Chat => include_str!("../../prompts/chat.md"),
            Prompt::Compact => include_str!("../../prompts/compact.md"),
            Prompt::Dream => include_str!("../../prompts/dream.md"),
            Prompt::Notes => include_str!("../../prompts/notes.md"),
            Prompt::NotesTemplate => include_str!("../../prompts/notes-template.md"),
            Prompt::Tools => include_str!("../../prompts/tools.md"),
            Prompt::Phrases => include_str!("../../prompts/phrases.md"),
        }
    }

    pub(super) fn named(name: &str) -> Option<Prompt> {
        Prompt::ALL.into_iter().find(|prompt| prompt.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_in_prompts_is_a_prompt() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let mut known: Vec<String> = Prompt::ALL.iter().map(|prompt| format!("{}.md", prompt.name())).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }
}
