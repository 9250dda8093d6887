//! What the scripted model does in one turn: what it says, and what goes wrong on the way.

use serde_json::Value;

/// One piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A thought of the model, in the wire's own shape.
    Thought(String),
    /// A tool to be called.
    Call {
        /// Which tool.
        name: String,
        /// With what.
        input: Value,
    },
}

/// Why the answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// As its pieces say: with tools, or done.
    #[default]
    Natural,
    /// The output limit was reached.
    Length,
    /// The model declines.
    Refusal,
    /// The server paused a long turn; the client is to ask again (Anthropic only).
    Pause,
}

/// What goes wrong. Events are the pieces of a stream; in a plain answer any number but 0 means the middle.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// Answers with a status and an error body.
    Status {
        /// The status.
        code: u16,
        /// Further headers: `retry-after`, `location`.
        headers: Vec<(String, String)>,
        /// What the error says.
        message: String,
    },
    /// Takes the request and says nothing, not even a status, until dropped.
    Silence,
    /// Sends this many events and goes on when the test releases it, or never.
    StallAfter(usize),
    /// Sends this many events and closes the connection.
    CutAfter(usize),
    /// Sends this many events, then one that is not JSON.
    CorruptAfter(usize),
    /// Sends this many events, then the wire's own event for an overloaded server.
    OverloadAfter(usize),
    /// Closes the listener and this connection without an answer.
    Die,
}

/// Ways in which servers that are nearly compatible differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// Says nothing about tokens.
    pub no_usage: bool,
    /// Ends a stream without its last marker.
    pub no_done: bool,
    /// Gives a tool call's arguments as an object in one piece.
    pub whole_arguments: bool,
    /// Gives tool calls no id and no index.
    pub no_ids: bool,
    /// Answers in one piece although a stream was asked for.
    pub no_stream: bool,
}

/// One turn of the scripted model.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What it says.
    pub pieces: Vec<Piece>,
    /// Why it ends.
    pub ending: Ending,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// These bytes instead of any answer, status line included.
    pub raw: Option<Vec<u8>>,
    /// How it differs from the original.
    pub quirks: Quirks,
    /// The name of the rule it comes from, for logs.
    pub rule: String,
}

impl Turn {
    /// Says some words.
    pub fn say(text: impl Into<String>) -> Turn {
        Turn { pieces: vec![Piece::Text(text.into())], ..Turn::default() }
    }

    /// Says a JSON document.
    pub fn json(value: &Value) -> Turn {
        Turn::say(value.to_string())
    }

    /// Calls a tool.
    pub fn call(name: &str, input: Value) -> Turn {
        Turn::default().and_call(name, input)
    }

    /// Calls one more tool.
    pub fn and_call(mut self, name: &str, input: Value) -> Turn {
        self.pieces.push(Piece::Call { name: name.to_owned(), input });
        self
    }

    /// Thinks first.
    pub fn thinking(mut self, thought: &str) -> Turn {
        self.pieces.insert(0, Piece::Thought(thought.to_owned()));
        self
    }

    /// Answers with an error status.
    pub fn status(code: u16, message: &str) -> Turn {
        Turn::default().with(Fault::Status { code, headers: Vec::new(), message: message.to_owned() })
    }

    /// The same with a header: `retry-after`, `location`.
    pub fn header(mut self, name: &str, value: &str) -> Turn {
        if let Some(Fault::Status { headers, .. }) = &mut self.fault {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Sends these bytes and nothing else.
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Turn {
        Turn { raw: Some(bytes.into()), ..Turn::default() }
    }

    /// Never answers.
    pub fn silence() -> Turn {
        Turn::default().with(Fault::Silence)
    }

    /// Closes the listener.
    pub fn die() -> Turn {
        Turn::default().with(Fault::Die)
    }

    /// Goes wrong in this way.
    pub fn with(mut self, fault: Fault) -> Turn {
        self.fault = Some(fault);
        self
    }

    /// Ends for this reason.
    pub fn ending(mut self, ending: Ending) -> Turn {
        self.ending = ending;
        self
    }

    /// Differs from the original in this way.
    pub fn quirks(mut self, quirks: Quirks) -> Turn {
        self.quirks = quirks;
        self
    }

    /// Whether tools are to be called.
    pub(super) fn calls(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Call { .. }))
    }

    /// All its words.
    pub(super) fn words(&self) -> String {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            _ => None,
        });
        words.collect()
    }

    /// Tokens of the answer by the server's rule.
    pub(super) fn tokens(&self) -> u64 {
        let bytes = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) | Piece::Thought(text) => text.len(),
            Piece::Call { name, input } => name.len() + input.to_string().len(),
        });
        bytes.sum::<usize>().div_ceil(4) as u64
    }
}

/// Words in the pieces they are streamed in: each with the blanks behind it.
pub(super) fn morsels(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let end = rest[word..].find(|letter: char| !letter.is_whitespace()).map_or(rest.len(), |blank| word + blank);
        let end = if end == 0 { rest.len() } else { end };
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

/// Any text in two pieces, so that a client has to put it together.
pub(super) fn halves(text: &str) -> [&str; 2] {
    let middle = (text.len() / 2..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    [&text[..middle], &text[middle..]]
}
