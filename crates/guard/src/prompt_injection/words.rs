//! Sentences as lists of words, for looking at what follows what.
//!
//! Enters: text in lower case. Leaves: sentences, and in them the words behind a word. Knows no meaning.

/// A sentence, or the part of one behind a word.
#[derive(Clone, Debug)]
pub(super) struct Sentence<'t> {
    words: Vec<&'t str>,
}

/// What stands behind a word, once for each place it stands at.
pub(super) struct After<'t> {
    parts: Vec<Sentence<'t>>,
}

/// The sentences of a text. A full stop inside a word (`.env`, `a.rs`) ends none, and neither does a line.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut all = vec![Sentence { words: Vec::new() }];
    for raw in text.split_whitespace() {
        let ends = raw.ends_with(['.', '!', '?', ';', '。', '！', '？', '；']);
        // An address stays whole; other runs are cut at their punctuation.
        let parts: Vec<&str> = if raw.contains("://") {
            vec![raw]
        } else {
            raw.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '\'' | '_'))).collect()
        };
        if let Some(last) = all.last_mut() {
            last.words.extend(parts.into_iter().filter(|part| !part.is_empty()));
        }
        if ends {
            all.push(Sentence { words: Vec::new() });
        }
    }
    all.retain(|sentence| !sentence.words.is_empty());
    all
}

impl<'t> Sentence<'t> {
    /// Up to `room` words behind each of these words.
    pub(super) fn after(&self, words: &[&str], room: usize) -> After<'t> {
        let places = self.words.iter().enumerate().filter(|(_, word)| words.contains(word));
        let parts = places.map(|(at, _)| self.part(at + 1, room)).collect();
        After { parts }
    }

    /// What stands behind these words where they stand side by side.
    pub(super) fn run(&self, words: &[&str]) -> Option<Sentence<'t>> {
        let at = self.words.windows(words.len()).position(|window| window == words)?;
        Some(self.part(at + words.len(), usize::MAX))
    }

    /// The first words.
    pub(super) fn take(&self, count: usize) -> Sentence<'t> {
        self.part(0, count)
    }

    /// Whether one of these words is in it.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    /// Whether an address on the network is in it.
    pub(super) fn has_address(&self) -> bool {
        self.words.iter().any(|word| ["http://", "https://", "ftp://"].iter().any(|scheme| word.contains(scheme)))
    }

    fn part(&self, from: usize, room: usize) -> Sentence<'t> {
        Sentence { words: self.words.iter().skip(from).take(room).copied().collect() }
    }
}

impl<'t> After<'t> {
    /// The heaviest of all places; 0 where there is none.
    pub(super) fn map(&self, weigh: impl Fn(&Sentence<'t>) -> u8) -> u8 {
        self.parts.iter().map(weigh).max().unwrap_or(0)
    }
}
