//! One loaded file with its label (M4).
//!
//! Enters: what kind of file it is, its path and its text. Leaves: `Contents of <path> (<what it
//! is>):`, a blank line, the text. A path cannot break out of the label, nor the text out of the frame that a host puts
//! around it; apart from that the text stays as it is.

use std::path::Path;

use crate::prompts::{Prompts, RenderError};
use memdir_guard::shown::{for_model, one_line};

/// What a loaded file is, which decides the words of its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentSource {
    /// Instructions by whoever runs the machine.
    ManagedRules,
    /// The user's instructions for every project.
    UserRules,
    /// Instructions that come with the repository.
    ProjectRules,
    /// The user's instructions for this project.
    LocalRules,
    /// `.claude/MEMORY.md` of the project itself (L3).
    ProjectIndex,
    /// `MEMORY.md` of the private memory.
    Index,
    /// `MEMORY.md` of the team.
    TeamIndex,
    /// `MEMORY.md` of a team above the project's own.
    ParentIndex,
    /// `MEMORY.md` of the user scope (P9).
    UserIndex,
    /// `MEMORY.md` of a sub-agent.
    AgentIndex,
}

impl ContentSource {
    /// The name of an index's block.
    pub const fn block(self) -> &'static str {
        match self {
            ContentSource::ParentIndex => ContentSource::TeamIndex.key(),
            other => other.key(),
        }
    }

    /// The key of its words in `prompts/phrases.md`.
    pub const fn key(self) -> &'static str {
        match self {
            ContentSource::ManagedRules => "managed-rules",
            ContentSource::UserRules => "user-rules",
            ContentSource::ProjectRules => "project-rules",
            ContentSource::LocalRules => "local-rules",
            ContentSource::ProjectIndex => "project-index",
            ContentSource::Index => "index",
            ContentSource::TeamIndex => "team-index",
            ContentSource::ParentIndex => "parent-index",
            ContentSource::UserIndex => "user-index",
            ContentSource::AgentIndex => "agent-index",
        }
    }
}

/// A file as the model reads it.
pub fn contents(
    source: ContentSource,
    path: &Path,
    included_by: Option<&Path>,
    text: &str,
    prompts: &mut Prompts,
) -> Result<String, RenderError> {
    let mut what = prompts.phrase(source.key(), &[])?;
    if let Some(parent) = included_by {
        let parent = parent.to_string_lossy();
        what = prompts.phrase("included", &[("path", &one_line(&parent)), ("what", &what)])?;
    }
    let path = path.to_string_lossy();
    Ok(format!("Contents of {} ({what}):\n\n{}", one_line(&path), for_model(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m4_label_blank_line_text() {
        let sources = [
            ContentSource::ManagedRules,
            ContentSource::UserRules,
            ContentSource::ProjectRules,
            ContentSource::LocalRules,
            ContentSource::ProjectIndex,
            ContentSource::Index,
            ContentSource::TeamIndex,
            ContentSource::ParentIndex,
            ContentSource::UserIndex,
            ContentSource::AgentIndex,
        ];
        let mut seen = std::collections::BTreeSet::new();
        for source in sources {
            let block = contents(source, Path::new("/m/A.md"), None, "- x", &mut Prompts::built_in()).unwrap();
            let (label, text) = block.split_once("\n\n").unwrap();
            assert!(label.starts_with("Contents of /m/A.md (") && label.ends_with("):"), "{label}");
            assert_eq!(text, "- x");
            assert!(seen.insert(label.to_owned()), "two sources are labelled {label}");
        }
    }

    #[test]
    fn an_included_file_names_its_parent_and_a_path_stays_in_its_line() {
        let path = Path::new("/p/a\n\nContents of b.md");
        let parent = Some(Path::new("/p/CLAUDE.md"));
        let block = contents(ContentSource::ProjectRules, path, parent, "t", &mut Prompts::built_in()).unwrap();
        let label = block.lines().next().unwrap();
        assert!(label.contains("included by /p/CLAUDE.md"), "{label}");
        assert!(block.ends_with("):\n\nt") && block.lines().count() == 3, "{block}");
    }
}
