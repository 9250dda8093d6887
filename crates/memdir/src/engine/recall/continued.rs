//! A short prompt that goes on from the one before: "and the same for staging".
//!
//! Enters: a prompt, and what was asked before it. Leaves: the two as one, where the prompt is too short to say by itself what it is about.
//! Nothing of it is kept: what was asked before comes from the transcript each time.

/// A prompt of more words says itself what it is about.
const SHORT_WORDS: usize = 9;
/// Of the prompt before, its beginning: the two together are what the encoder reads.
const EARLIER_BYTES: usize = 240;

/// A short prompt behind the one it goes on from.
pub(super) fn continued(prompt: &str, earlier: Option<&str>) -> Option<String> {
    let earlier = earlier.map(str::trim).filter(|earlier| !earlier.is_empty() && *earlier != prompt)?;
    let is_short = prompt.split_whitespace().nth(SHORT_WORDS).is_none();
    is_short.then(|| format!("{}\n{prompt}", &earlier[..earlier.floor_char_boundary(EARLIER_BYTES)]))
}

#[cfg(test)]
mod tests {
    use super::continued;

    #[test]
    fn only_a_short_prompt_goes_on_from_the_one_before() {
        let earlier = Some("export the German invoices");
        assert_eq!(
            continued("now the French ones", earlier).unwrap(),
            "export the German invoices\nnow the French ones"
        );
        assert!(continued("write a script that counts the open orders of each warehouse by day", earlier).is_none());
        assert!(continued("export the German invoices", earlier).is_none());
        assert!(continued("now the French ones", None).is_none());
    }
}
