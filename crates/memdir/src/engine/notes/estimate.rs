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

    /// What notes are made of: prose, code, commands, errors, paths, tables, Chinese, what tools print.
    fn texts() -> Vec<String> {
        let mut texts: Vec<String> = [
            include_str!("../../../../context/prompts/manual.md"),
            include_str!("../../../../context/prompts/notes.md"),
            include_str!("../../../../core/src/limits/agents.rs"),
            include_str!("estimate.rs"),
            "注释用中文，标识符用英文。组里新人英文阅读慢。批处理每晚三点半在集群上运行。",
            "cargo test -p memdir --lib -- --nocapture 2>&1 | tail -n 20\n",
            "error[E0308]: mismatched types at src/engine/mod.rs:122:19\n",
            "| a | b | c |\n|---|--:|:-:|\n| 1 | 2.5 | 0x7fff_fff0 |\n",
            "4f2d9c0e1b7a48e39d5c6f80a1b2c3d4 2026-11-15T16:03:44.123456Z 192.168.178.201",
            "Straße, naïveté, Ångström, Привет мир, こんにちは, 안녕하세요, \u{1f980}\u{1f680}",
            "internationalisation antidisestablishmentarianism getElementsByClassNameOrThrow HTTPServerConnectionPoolSize",
            "\t\t\tif (x) {\n\t\t\t\treturn;\n\t\t\t}\n\n\n\n    deep    spaces    here",
        ]
        .map(str::to_owned)
        .into();
        texts.push(include_str!("../../../../context/prompts/manual.md").lines().rev().collect::<Vec<_>>().join("\n"));
        texts
    }

    #[test]
    fn s4_the_guess_is_not_below_the_count_of_a_real_tokeniser() {
        let tokenisers = [tiktoken_rs::o200k_base().unwrap(), tiktoken_rs::cl100k_base().unwrap()];
        for text in texts() {
            let begin = text[..text.floor_char_boundary(40)].replace('\n', " ");
            let guessed = estimate_tokens(&text);
            for tokeniser in &tokenisers {
                let counted = tokeniser.encode_ordinary(&text).len() as u64;
                assert!(guessed >= counted, "{guessed} guessed, {counted} counted: {begin}");
                assert!(guessed <= counted * 3 + 8, "{guessed} guessed, {counted} counted: {begin}");
            }
            // The WordPiece vocabulary of the encoder is a public one too; two of its tokens are markers.
            let counted = memdir_encoder::tokens(&text).len() as u64 - 2;
            assert!(guessed >= counted, "{guessed} guessed, {counted} counted: {begin}");
        }
        assert_eq!(estimate_tokens(""), 0);
    }
}
