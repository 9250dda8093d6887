//! Codex's patches: which files one names, and what it would do with each.
//!
//! Enters: a patch as Codex's `apply_patch` takes it, or a command line that hands one over. Leaves: the files it
//! names, or nothing where a line is not one of a patch: what is not understood is not let through. Applies nothing.

/// One file of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PatchStep {
    /// A new file and its text.
    Add(String, String),
    /// A file that is changed.
    Update(String),
    /// A file that goes.
    Delete(String),
    /// Where a changed file is put.
    MoveTo(String),
}

/// The files of a patch, in order.
pub(super) fn read(patch: &str) -> Option<Vec<PatchStep>> {
    let inside = patch.trim().strip_prefix("*** Begin Patch\n")?.strip_suffix("*** End Patch")?;
    let mut steps = Vec::new();
    for line in inside.lines() {
        if let Some(header) = line.strip_prefix("*** ") {
            let (what, file) = header.split_once(": ").unwrap_or((header, ""));
            let file = file.trim().to_owned();
            match (what, steps.last()) {
                ("Add File", _) => steps.push(PatchStep::Add(file, String::new())),
                ("Update File", _) => steps.push(PatchStep::Update(file)),
                ("Delete File", _) => steps.push(PatchStep::Delete(file)),
                ("Move to", Some(PatchStep::Update(_))) => steps.push(PatchStep::MoveTo(file)),
                ("End of File", Some(PatchStep::Update(_) | PatchStep::MoveTo(_))) => {}
                _ => return None,
            }
            continue;
        }
        // A header that is set in could be one for a reader that is less strict.
        if line.trim_start().starts_with("***") {
            return None;
        }
        match (line.chars().next(), steps.last_mut()?) {
            (Some('+'), PatchStep::Add(_, text)) => {
                text.push_str(&line[1..]);
                text.push('\n');
            }
            (None | Some(' ' | '+' | '-' | '@'), PatchStep::Update(_) | PatchStep::MoveTo(_)) => {}
            _ => return None,
        }
    }
    (!steps.is_empty()).then_some(steps)
}

/// The patch that a command hands to `apply_patch` as a quoted here-document, if it does that and nothing else.
pub(super) fn handed_over(command: &str) -> Option<&str> {
    let rest = command.trim().strip_prefix("apply_patch")?.trim_start_matches(' ').strip_prefix("<<")?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (end, rest) = rest[1..].split_once(quote)?;
    let usual = !end.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let patch = rest.strip_prefix('\n')?.strip_suffix(end)?.strip_suffix('\n')?;
    // A second line of the same kind would end it early, and a command would follow.
    (usual && !patch.lines().any(|line| line.trim_end_matches('\r') == end)).then_some(patch)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn patch(inside: &str) -> String {
        format!("*** Begin Patch\n{inside}\n*** End Patch\n")
    }

    #[test]
    fn every_file_of_a_patch_is_named() {
        let text = "*** Add File: a.md\n+one\n+two\n*** Update File: b.md\n*** Move to: c.md\n@@ here\n x\n-y\n+z\n\n*** End of File\n*** Delete File: d.md";
        assert_eq!(
            read(&patch(text)).unwrap(),
            [
                PatchStep::Add("a.md".into(), "one\ntwo\n".into()),
                PatchStep::Update("b.md".into()),
                PatchStep::MoveTo("c.md".into()),
                PatchStep::Delete("d.md".into()),
            ]
        );
    }

    #[test]
    fn what_is_no_patch_is_not_read() {
        for inside in [
            "",
            "+x",
            "*** Add File: a.md\nx",
            "*** Add File: a.md\n+x\n  *** Delete File: b.md",
            "*** Update File: a.md\n *** Delete File: b.md",
            "*** Move to: b.md",
            "*** Environment ID: x\n*** Add File: a.md\n+x",
            "*** Add File: a.md\n+x\n*** End Patch\n*** Begin Patch\n*** Delete File: b.md",
        ] {
            assert_eq!(read(&patch(inside)), None, "{inside}");
        }
        assert_eq!(read("*** Add File: a.md\n+x"), None);
    }

    #[test]
    fn a_command_hands_over_a_patch_and_nothing_else() {
        let text = patch("*** Delete File: a.md");
        assert_eq!(handed_over(&format!("apply_patch <<'EOF'\n{text}EOF")), Some(text.trim_end()));
        assert_eq!(handed_over(&format!("apply_patch << \"END_1\"\n{text}END_1\n")), None, "a space before the quote");
        assert_eq!(handed_over(&format!("apply_patch <<\"END_1\"\n{text}END_1\n")), Some(text.trim_end()));
        for command in [
            // Unquoted, the shell would work out what is in it.
            format!("apply_patch <<EOF\n{text}EOF"),
            format!("apply_patch <<'EOF'\n{text}EOF\nrm -rf x"),
            format!("apply_patch <<'EOF'\n{text}EOF\nrm -rf x\nEOF"),
            format!("apply_patch <<'EOF' > x\n{text}EOF"),
            format!("cd x && apply_patch <<'EOF'\n{text}EOF"),
            format!("apply_patch2 <<'EOF'\n{text}EOF"),
            "apply_patch <<''\n".to_owned(),
        ] {
            assert_eq!(handed_over(&command), None, "{command}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "(\\*\\*\\* (Begin|End) Patch\n|\\*\\*\\* (Add|Update) File: a\n|[+\\- x]*\n|é|<<'E')*") {
            let _ = read(&text);
            let _ = read(&patch(&text));
            let _ = handed_over(&format!("apply_patch {text}"));
        }
    }
}
