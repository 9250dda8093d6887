//! How many tokens a text is, guessed high.
//!
//! Enters: text. Leaves: a number that is rarely below what a model's tokeniser counts: notes that are
//! thought too long are shortened, notes that are too long are not sent. No table of tokens is needed.

/// A conservative count of tokens.
pub fn estimate_tokens(text: &str) -> u64 {
    let (mut tokens, mut run) = (0_u64, 0_u64);
    // A word costs one token, and one more for every four letters beyond the first four.
    let word = |run: u64| if run == 0 { 0 } else { 1 + run.saturating_sub(1) / 4 };
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' => run += 1,
            _ => {
                tokens += word(run);
                run = 0;
                tokens += match c {
                    ' ' => 0,
                    c if c.is_ascii() => 1,
                    c if c.is_alphabetic() && (c as u32) < 0x2000 => 1,
                    // Rare characters are told byte by byte.
                    _ => 2,
                };
            }
        }
    }
    tokens + word(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s4_the_guess_is_not_below_the_count_of_a_real_tokeniser() {
        let texts = [
            include_str!("../../../prompts/manual.md"),
            include_str!("../../../prompts/notes.md"),
            include_str!("../../limits.rs"),
            include_str!("estimate.rs"),
            "注释用中文，标识符用英文。组里新人英文阅读慢。",
            "cargo test -p memdir --lib -- --nocapture 2>&1 | tail -n 20\n",
            "error[E0308]: mismatched types at src/engine/mod.rs:122:19\n",
        ];
        for text in texts {
            // The WordPiece vocabulary of the encoder is a public one; two of its tokens are markers.
            let counted = memdir_encoder::tokens(text).len() as u64 - 2;
            let guessed = estimate_tokens(text);
            assert!(
                guessed >= counted,
                "{guessed} guessed, {counted} counted: {}",
                &text[..text.floor_char_boundary(40)]
            );
            assert!(guessed <= counted * 2 + 8, "{guessed} guessed, {counted} counted");
        }
        assert_eq!(estimate_tokens(""), 0);
    }
}
