//! What an index calls each memory: the target and the title of every pointer, without the rest of the line.

use std::borrow::Cow;

use super::{Index, line, lossy, rows};

impl Index {
    /// Target and title of each pointer, in file order; less work than [`Index::pointers`].
    pub fn titles(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        rows(&self.bytes).filter_map(|row| match lossy(row.text(&self.bytes)) {
            Cow::Borrowed(text) => line::read(text).map(|link| (link.target, link.title)),
            Cow::Owned(text) => line::read(&text)
                .map(|link| (Cow::Owned(link.target.into_owned()), Cow::Owned(link.title.into_owned()))),
        })
    }
}
