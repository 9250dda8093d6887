//! The part of a long memory that is shown for a prompt.
//!
//! Enters: the text of a file and the passage that was nearest to the prompt. Leaves: name and description, and the section that the
//! passage is in, or as much of it from the passage on as may be shown; nothing where the file is shown whole anyway. Pure.

use memdir_core::limits::{SURFACE_BYTES, SURFACE_LINES};
use memdir_search::passages::passages;
use memdir_store::topic::Topic;

pub(super) fn of(text: &str, passage: usize) -> Option<String> {
    if text.len() <= SURFACE_BYTES && text.lines().count() <= SURFACE_LINES {
        return None;
    }
    let topic = Topic::parse(text.as_bytes().to_vec());
    let body = topic.body();
    let head = text.len().checked_sub(body.len()).and_then(|end| text.get(..end))?;
    let all = passages(&body);
    let at = passage.checked_sub(1)?;
    let heading = all.get(at)?.heading.clone();
    let same = |place: &usize| all[*place].heading == heading;
    let first = (0..=at).rev().take_while(same).last()?;
    let last = (at..all.len()).take_while(same).last()?;
    let title = heading.as_ref().map(|heading| format!("## {}\n\n", &body[heading.clone()])).unwrap_or_default();
    let room = SURFACE_BYTES.saturating_sub(head.len() + title.len());
    let whole = all[first].text.start..all[last].text.end;
    // A section that is longer than what may be shown begins at the passage.
    let from = if whole.len() <= room { whole.start } else { all[at].text.start };
    Some(format!("{head}{title}{}", body[from..whole.end].trim()))
}

#[cfg(test)]
mod tests {
    use super::of;
    use memdir_search::passages::passages;

    fn long() -> String {
        let filler = "The quay is swept on Mondays and the cranes are greased in spring. ".repeat(40);
        format!(
            "---\nname: Harbour\ndescription: How the harbour works\ntype: project\n---\n\n## Quay\n\n{filler}\n\n## Pilots\n\nPilots are called on channel 12.\n\n## Tugs\n\n{filler}\n"
        )
    }

    #[test]
    fn the_section_that_was_meant_is_shown_under_the_name() {
        let text = long();
        let body = text.split_once("---\n\n").unwrap().1;
        let pilots = passages(body).iter().position(|one| body[one.text.clone()].contains("channel 12")).unwrap();
        let shown = of(&text, pilots + 1).unwrap();
        assert!(shown.starts_with("---\nname: Harbour\n"), "{shown}");
        assert!(shown.ends_with("## Pilots\n\nPilots are called on channel 12."), "{shown}");
        assert!(shown.len() < 400);
    }

    #[test]
    fn what_fits_and_what_is_meant_as_a_whole_is_left_alone() {
        assert_eq!(of("---\nname: a\n---\n\nshort\n", 1), None);
        assert_eq!(of(&long(), 0), None);
        assert_eq!(of(&long(), 99), None);
    }
}
