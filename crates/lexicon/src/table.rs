//! A list with its entries in every language that has some.
//!
//! Enters: tables that the build script wrote. Leaves: their entries. Never allocates.

use crate::Lang;

/// The entries of one list, by language.
#[derive(Debug)]
pub struct Table<T: 'static> {
    by_language: &'static [(Lang, &'static [T])],
}

impl<T: Copy> Table<T> {
    pub(crate) const fn new(by_language: &'static [(Lang, &'static [T])]) -> Table<T> {
        Table { by_language }
    }

    /// The entries of all languages, one language after the other.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T> {
        self.by_language.iter().flat_map(|(_, entries)| entries.iter().copied())
    }

    /// The entries of one language; none where it has none.
    pub fn of(&self, lang: Lang) -> &'static [T] {
        self.by_language.iter().find(|(has, _)| *has == lang).map_or(&[], |(_, entries)| entries)
    }
}

impl Table<&'static str> {
    /// Whether a word is an entry, spelled the same.
    pub fn contains(&self, word: &str) -> bool {
        self.by_language.iter().any(|(_, entries)| entries.binary_search(&word).is_ok())
    }

    /// The longest entry that a text begins with.
    pub fn longest_prefix_of(&self, text: &str) -> Option<&'static str> {
        self.iter().filter(|entry| text.starts_with(entry)).max_by_key(|entry| entry.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: Table<&str> = Table::new(&[(Lang::En, &["a", "ab"]), (Lang::Zh, &["一", "一二"])]);

    #[test]
    fn the_build_sorts_every_shape_of_list_and_counts_its_words() {
        assert!(crate::en::DURABLE.is_sorted() && crate::zh::DURABLE.is_sorted());
        assert!(crate::en::NUMBER.is_sorted() && crate::en::ABOUT_USER.is_sorted());
        let (concept, words) = crate::en::CONCEPT[0];
        assert!(words.contains(&concept) && words.is_sorted());
        let all: usize = crate::en::CONCEPT.iter().map(|(_, words)| words.len()).sum();
        assert!(crate::SIZES.contains(&(Lang::En, "concept", all)));
    }

    #[test]
    fn entries_are_found_in_every_language() {
        assert!(LIST.contains("ab") && LIST.contains("一") && !LIST.contains("b") && !LIST.contains(""));
        assert_eq!(LIST.longest_prefix_of("一二三"), Some("一二"));
        assert_eq!(LIST.longest_prefix_of("b"), None);
        assert_eq!((LIST.of(Lang::En).len(), LIST.of(Lang::De).len(), LIST.iter().count()), (2, 0, 4));
    }
}
