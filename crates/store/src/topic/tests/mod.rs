//! Topic files as people, models and tools really write them.

mod editing;
mod file_names;
mod properties;
mod reading;

use super::{Flag, Header, NewTopic, Topic, TopicShape, file_name};
use memdir_core::kind::Type;

fn parse(text: &str) -> Topic {
    Topic::parse(text.as_bytes().to_vec())
}

fn text(topic: &Topic) -> &str {
    std::str::from_utf8(topic.as_bytes()).unwrap()
}
