//! The frame of session notes: headings and the line in italics below each, which never change (S1, S3).
//!
//! Enters: the text of notes or of a template. Leaves: its sections, the text again, and whether two
//! notes have the same frame. Reads any text: what comes before the first heading is kept as it is.

/// One section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotesSection {
    /// Its heading, without the mark.
    pub title: String,
    /// The line in italics, as it stands.
    pub about: String,
    /// What was written below.
    pub text: String,
}

/// Notes in their sections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// What comes before the first heading.
    pub lead: String,
    /// The sections, in order.
    pub sections: Vec<NotesSection>,
}

impl Notes {
    /// Reads notes. A heading inside a code block is text.
    pub fn read(text: &str) -> Notes {
        let mut notes = Notes::default();
        let mut fenced = false;
        for line in text.lines() {
            let fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            if !fenced && let Some(title) = line.strip_prefix("# ") {
                notes.sections.push(NotesSection { title: title.trim().to_owned(), ..NotesSection::default() });
                continue;
            }
            fenced ^= fence;
            let Some(section) = notes.sections.last_mut() else {
                notes.lead.push_str(line);
                notes.lead.push('\n');
                continue;
            };
            let first = section.about.is_empty() && section.text.is_empty();
            if first && is_italic(line) {
                line.trim_end().clone_into(&mut section.about);
            } else if !(first && line.trim().is_empty()) {
                section.text.push_str(line);
                section.text.push('\n');
            }
        }
        for section in &mut notes.sections {
            section.text = section.text.trim_end().trim_start_matches('\n').to_owned();
        }
        notes
    }

    /// The notes as text.
    pub fn write(&self) -> String {
        let mut out = self.lead.clone();
        for section in &self.sections {
            out.push_str(&format!("# {}\n", section.title));
            if !section.about.is_empty() {
                out.push_str(&format!("{}\n", section.about));
            }
            if !section.text.is_empty() {
                out.push_str(&format!("\n{}\n", section.text));
            }
            out.push('\n');
        }
        format!("{}\n", out.trim_end())
    }

    /// What differs between the frames of two notes, in words.
    pub(crate) fn frame_fault(&self, other: &Notes) -> Option<String> {
        if self.lead.trim() != other.lead.trim() {
            return Some("text before the first heading changed".to_owned());
        }
        for (at, section) in self.sections.iter().enumerate() {
            match other.sections.get(at) {
                None => return Some(format!("the section {} is gone", section.title)),
                Some(now) if now.title != section.title => {
                    return Some(format!("the heading {} became {}", section.title, now.title));
                }
                Some(now) if now.about != section.about => {
                    return Some(format!("the line in italics below {} changed", section.title));
                }
                Some(_) => {}
            }
        }
        let more = other.sections.get(self.sections.len())?;
        Some(format!("the section {} was added", more.title))
    }

    /// The section of a title.
    pub fn section(&mut self, title: &str) -> Option<&mut NotesSection> {
        self.sections.iter_mut().find(|section| section.title.eq_ignore_ascii_case(title))
    }

    /// Whether nothing is written below any description.
    pub fn is_empty(&self) -> bool {
        self.sections.iter().all(|section| section.text.is_empty())
    }
}

fn is_italic(line: &str) -> bool {
    let line = line.trim();
    let inside =
        |mark: char| line.len() > 2 && line.starts_with(mark) && line.ends_with(mark) && !line.starts_with("**");
    inside('_') || inside('*')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEMPLATE: &str = include_str!("../../../../context/prompts/notes-template.md");

    #[test]
    fn s1_ten_sections_each_with_its_line() {
        let notes = Notes::read(TEMPLATE);
        let titles: Vec<&str> = notes.sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(
            titles,
            [
                "Session Title",
                "Current State",
                "Task specification",
                "Files and Functions",
                "Workflow",
                "Errors & Corrections",
                "Codebase and System Documentation",
                "Learnings",
                "Key results",
                "Worklog"
            ]
        );
        assert!(notes.sections.iter().all(|section| !section.about.is_empty() && section.text.is_empty()));
        assert!(notes.is_empty());
        assert_eq!(Notes::read(&notes.write()), notes);
    }

    #[test]
    fn s3_a_changed_heading_or_line_is_told() {
        let notes = Notes::read(TEMPLATE);
        let told = |text: String| notes.frame_fault(&Notes::read(&text));
        assert!(told(TEMPLATE.replace("_One short line", "\nWrote a parser.\n\n_One short line")).is_some());
        assert!(told(TEMPLATE.replace("# Learnings", "# Lessons")).unwrap().contains("Lessons"));
        assert!(told(TEMPLATE.replace("_What worked,", "_What went well,")).unwrap().contains("Learnings"));
        assert!(told(format!("{TEMPLATE}\n# More\n_x_\n")).unwrap().contains("More"));
        assert!(told(TEMPLATE.split("# Worklog").next().unwrap().to_owned()).unwrap().contains("Worklog"));
        let mut written = notes.clone();
        written.section("worklog").unwrap().text = "Wrote a parser.\n```\n# not a heading\n```".into();
        assert_eq!(notes.frame_fault(&Notes::read(&written.write())), None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_written_the_same_way_twice(text in "(# [a-z]{0,5}\n|_[a-z]{1,5}_\n|[a-z#_ ]{0,12}\n|\n){0,20}") {
            let notes = Notes::read(&text);
            let again = Notes::read(&notes.write());
            prop_assert_eq!(again.write(), notes.write());
        }
    }
}
