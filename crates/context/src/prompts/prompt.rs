//! The texts in `prompts/`: what each is for, its name, its built-in words. The folder and this list are one (a test looks).

/// The texts in `prompts/`, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PromptTemplate {
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

impl PromptTemplate {
    /// Every text, in the order of a listing.
    pub const ALL: [PromptTemplate; 21] = [
        PromptTemplate::Manual,
        PromptTemplate::Where,
        PromptTemplate::WhereTeam,
        PromptTemplate::WhereLog,
        PromptTemplate::Save,
        PromptTemplate::SaveNoIndex,
        PromptTemplate::SaveLog,
        PromptTemplate::Team,
        PromptTemplate::Search,
        PromptTemplate::Staleness,
        PromptTemplate::DailyNote,
        PromptTemplate::Select,
        PromptTemplate::Instructions,
        PromptTemplate::Extract,
        PromptTemplate::Chat,
        PromptTemplate::Compact,
        PromptTemplate::Dream,
        PromptTemplate::Notes,
        PromptTemplate::NotesTemplate,
        PromptTemplate::Tools,
        PromptTemplate::Phrases,
    ];

    /// The file name without `.md`, here and in the user's folder.
    pub const fn name(self) -> &'static str {
        match self {
            PromptTemplate::Manual => "manual",
            PromptTemplate::Where => "where",
            PromptTemplate::WhereTeam => "where-team",
            PromptTemplate::WhereLog => "where-log",
            PromptTemplate::Save => "save",
            PromptTemplate::SaveNoIndex => "save-no-index",
            PromptTemplate::SaveLog => "save-log",
            PromptTemplate::Team => "team",
            PromptTemplate::Search => "search",
            PromptTemplate::Staleness => "staleness",
            PromptTemplate::DailyNote => "daily-note",
            PromptTemplate::Select => "select",
            PromptTemplate::Instructions => "instructions",
            PromptTemplate::Extract => "extract",
            PromptTemplate::Chat => "chat",
            PromptTemplate::Compact => "compact",
            PromptTemplate::Dream => "dream",
            PromptTemplate::Notes => "notes",
            PromptTemplate::NotesTemplate => "notes-template",
            PromptTemplate::Tools => "tools",
            PromptTemplate::Phrases => "phrases",
        }
    }

    /// The text that is built in.
    pub const fn built_in(self) -> &'static str {
        match self {
            PromptTemplate::Manual => include_str!("../../prompts/manual.md"),
            PromptTemplate::Where => include_str!("../../prompts/where.md"),
            PromptTemplate::WhereTeam => include_str!("../../prompts/where-team.md"),
            PromptTemplate::WhereLog => include_str!("../../prompts/where-log.md"),
            PromptTemplate::Save => include_str!("../../prompts/save.md"),
            PromptTemplate::SaveNoIndex => include_str!("../../prompts/save-no-index.md"),
            PromptTemplate::SaveLog => include_str!("../../prompts/save-log.md"),
            PromptTemplate::Team => include_str!("../../prompts/team.md"),
            PromptTemplate::Search => include_str!("../../prompts/search.md"),
            PromptTemplate::Staleness => include_str!("../../prompts/staleness.md"),
            PromptTemplate::DailyNote => include_str!("../../prompts/daily-note.md"),
            PromptTemplate::Select => include_str!("../../prompts/select.md"),
            PromptTemplate::Instructions => include_str!("../../prompts/instructions.md"),
            PromptTemplate::Extract => include_str!("../../prompts/extract.md"),
            PromptTemplate::Chat => include_str!("../../prompts/chat.md"),
            PromptTemplate::Compact => include_str!("../../prompts/compact.md"),
            PromptTemplate::Dream => include_str!("../../prompts/dream.md"),
            PromptTemplate::Notes => include_str!("../../prompts/notes.md"),
            PromptTemplate::NotesTemplate => include_str!("../../prompts/notes-template.md"),
            PromptTemplate::Tools => include_str!("../../prompts/tools.md"),
            PromptTemplate::Phrases => include_str!("../../prompts/phrases.md"),
        }
    }

    pub(super) fn named(name: &str) -> Option<PromptTemplate> {
        PromptTemplate::ALL.into_iter().find(|prompt| prompt.name() == name)
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
        let mut known: Vec<String> = PromptTemplate::ALL.iter().map(|prompt| format!("{}.md", prompt.name())).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }
}
