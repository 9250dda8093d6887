//! Reads the little JSON that comes with the weights: text in, a tree out. Numbers are `f64`; it knows no
//! surrogate pairs and keeps no order promises, which neither file needs.

pub(crate) enum Json {
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
    Word,
}

impl Json {
    pub(crate) fn get(&self, key: &str) -> Result<&Self, String> {
        let Self::Map(entries) = self else {
            return Err(format!("`{key}` looked up in something that is no object"));
        };
        let found = entries.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value).ok_or_else(|| format!("no `{key}`"))
    }

    pub(crate) fn number(&self) -> Result<f64, String> {
        match self {
            Self::Number(value) => Ok(*value),
            _ => Err("not a number".into()),
        }
    }

    pub(crate) fn text(&self) -> Result<&str, String> {
        match self {
            Self::Text(value) => Ok(value),
            _ => Err("not a text".into()),
        }
    }

    pub(crate) fn list(&self) -> Result<&[Self], String> {
        match self {
            Self::List(values) => Ok(values),
            _ => Err("not a list".into()),
        }
    }

    pub(crate) fn numbers(&self) -> Result<Vec<f32>, String> {
        self.list()?.iter().map(|value| value.number().map(|number| number as f32)).collect()
    }
}

pub(crate) fn parse(text: &[u8]) -> Result<Json, String> {
    Reader { text, at: 0 }.value()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> Result<u8, String> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied().ok_or_else(|| "JSON ends early".into())
    }

    fn expect(&mut self, byte: u8) -> Result<(), String> {
        if self.peek()? != byte {
            return Err(format!("`{}` expected at byte {}", byte as char, self.at));
        }
        self.at += 1;
        Ok(())
    }

    /// True when another element follows, false when `close` ended the sequence.
    fn more(&mut self, first: bool, close: u8) -> Result<bool, String> {
        if self.peek()? == close {
            self.at += 1;
            return Ok(false);
        }
        if !first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.peek()? {
            b'{' => {
                self.at += 1;
                let mut entries = Vec::new();
                while self.more(entries.is_empty(), b'}')? {
                    let key = self.string()?;
                    self.expect(b':')?;
                    entries.push((key, self.value()?));
                }
                Ok(Json::Map(entries))
            }
            b'[' => {
                self.at += 1;
                let mut values = Vec::new();
                while self.more(values.is_empty(), b']')? {
                    values.push(self.value()?);
                }
                Ok(Json::List(values))
            }
            b'"' => self.string().map(Json::Text),
            _ => self.plain(),
        }
    }

    fn string(&mut self) -> Result<String, String> {
        self.expect(b'"')?;
        let start = self.at;
        while *self.text.get(self.at).ok_or("a string does not end")? != b'"' {
            if self.text[self.at] == b'\\' {
                return Err(format!("escape at byte {} is not supported", self.at));
            }
            self.at += 1;
        }
        let bytes = self.text[start..self.at].to_vec();
        self.at += 1;
        String::from_utf8(bytes).map_err(|error| error.to_string())
    }

    fn plain(&mut self) -> Result<Json, String> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)) {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).map_err(|error| error.to_string())?;
        match word {
            "true" | "false" | "null" => Ok(Json::Word),
            _ => word.parse().map(Json::Number).map_err(|_| format!("`{word}` at byte {start} is no value")),
        }
    }
}
