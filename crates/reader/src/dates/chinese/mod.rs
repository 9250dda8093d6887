//! Chinese phrases.
//!
//! Enters: text, what is not prose in it, and the day. Leaves: recognised phrases. Chinese has no
//! blanks between words, so each rule reads characters from one place on and looks at the
//! characters around the phrase. Never looks further than a clause of [`REACH`] characters.

mod days;
mod months;
mod numerals;
mod weeks;

use std::ops::Range;

use jiff::civil::Date;

use super::calendar::Tense;
use super::{Found, Meant};
use crate::han::is_unspaced;

/// Characters looked at on either side.
const REACH: usize = 40;

const PAST: &[&str] = &[
    "了", "已", "曾", "当时", "以来", "上次", "故障", "事故", "出现", "发生", "出过", "做过", "改过", "用过", "发过",
    "上过", "罚过", "挂过", "来过",
];
const PLAN: &[&str] = &[
    "将", "要", "会", "计划", "预计", "打算", "准备", "开始", "起", "之前", "前", "截止", "到期", "上线", "为止", "再",
    "之后",
];
/// Words that make a habit of their clause.
const HABIT: &[&str] = &[
    "每", "逢", "都", "财年", "学年", "单周", "双周", "一律", "通常", "一般", "只在", "总是", "固定", "轮换", "轮流",
    "永远", "从不", "禁止", "例行",
];
/// Words that make a habit of their whole sentence.
const CYCLE: &[&str] = &["每周", "每天", "每月", "一周一", "一月一", "每个月"];

fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '；' | '！' | '？' | ';' | '!' | '?' | '\n')
}

fn ends_clause(c: char) -> bool {
    ends_sentence(c) || matches!(c, '，' | '：' | ',' | ':' | '(' | '（' | ')' | '）')
}

/// A place in a text, read forwards.
#[derive(Clone, Copy)]
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

/// What the rules know: the whole text, the day, and the phrase found last.
struct Page<'t> {
    text: &'t str,
    today: Date,
    last: Option<(usize, Date)>,
}

/// A recognised phrase: where it ends, its meaning, and the words to put there.
struct Hit {
    end: usize,
    meant: Meant,
    put: String,
}

type Rule = fn(&Page, usize) -> Option<Hit>;

const RULES: &[Rule] = &[days::day_word, days::counted, weeks::week, months::month, days::day_number];

pub(super) fn find(text: &str, shields: &[Range<usize>], today: Date) -> Vec<Found> {
    let mut page = Page { text, today, last: None };
    let mut found = Vec::new();
    let mut shields = shields.iter().peekable();
    let mut after = 0;
    for (at, c) in text.char_indices() {
        while shields.next_if(|s| s.end <= at).is_some() {}
        let shielded = shields.peek().is_some_and(|s| s.start <= at);
        // A digit inside a number, an ISO date or a name opens nothing.
        let inside =
            c.is_ascii_digit() && text[..at].ends_with(|b: char| b.is_ascii_alphanumeric() || "-./:_".contains(b));
        if at < after || shielded || inside || !may_open(c) {
            continue;
        }
        let Some(hit) = RULES.iter().find_map(|rule| rule(&page, at)) else {
            continue;
        };
        if shields.peek().is_some_and(|s| s.start < hit.end) {
            continue;
        }
        page.last = match hit.meant {
            Meant::Day(day) => Some((hit.end, day)),
            _ => None,
        };
        after = hit.end;
        found.push(Found { start: at, end: hit.end, meant: hit.meant, put: hit.put });
    }
    found
}

/// The characters a phrase can begin with; all others are passed over.
fn may_open(c: char) -> bool {
    matches!(
        c,
        '今' | '明'
            | '后'
            | '大'
            | '昨'
            | '前'
            | '去'
            | '本'
            | '这'
            | '下'
            | '上'
            | '周'
            | '星'
            | '礼'
            | '月'
            | '年'
            | '季'
            | '当'
            | '此'
    ) || numerals::is_numeral(c)
}

impl<'t> Reader<'t> {
    fn new(page: &Page<'t>, at: usize) -> Self {
        Reader { text: page.text, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Steps over the first of `options` that stands here.
    fn eat(&mut self, options: &[&str]) -> bool {
        let Some(found) = options.iter().find(|o| self.rest().starts_with(**o)) else {
            return false;
        };
        self.at += found.len();
        true
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn sees(&self, options: &[&str]) -> bool {
        options.iter().any(|o| self.rest().starts_with(o))
    }

    fn next_char(&self) -> Option<char> {
        self.rest().chars().next()
    }
}

impl Page<'_> {
    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back()
    }

    fn follows(&self, at: usize, options: &[&str]) -> bool {
        let before = self.text[..at].trim_end_matches(' ');
        options.iter().any(|o| before.ends_with(o))
    }

    /// The words around a phrase, up to the first character on each side that ends them.
    fn around(&self, start: usize, end: usize, ends: fn(char) -> bool) -> (&str, &str) {
        let left = self.text[..start]
            .char_indices()
            .rev()
            .take(REACH)
            .take_while(|(_, c)| !ends(*c))
            .last()
            .map_or("", |(i, _)| &self.text[i..start]);
        let right = &self.text[end..];
        let length =
            right.char_indices().take(REACH).take_while(|(_, c)| !ends(*c)).last().map_or(0, |(i, c)| i + c.len_utf8());
        (left, &right[..length])
    }

    /// Whether one of `words` stands in the text around a phrase.
    fn told(&self, start: usize, end: usize, ends: fn(char) -> bool, words: &[&str]) -> bool {
        let (left, right) = self.around(start, end, ends);
        words.iter().any(|w| left.contains(w) || right.contains(w))
    }

    fn tense(&self, start: usize, end: usize) -> Tense {
        let after = Reader { text: self.text, at: end };
        if after.sees(&["前", "之前", "以前"]) || self.follows(start, &["到", "至"]) {
            Tense::Future
        } else if self.told(start, end, ends_clause, PAST) {
            Tense::Past
        } else if self.told(start, end, ends_clause, PLAN) {
            Tense::Future
        } else {
            Tense::Open
        }
    }

    /// Whether the clause tells of something that comes again and again.
    fn habit(&self, start: usize, end: usize) -> bool {
        // 到月底都不要合: 都 says "all the way", since there is an end.
        let bounded = self.follows(start, &["到", "至", "直到", "截止"]);
        let words: Vec<&str> = HABIT.iter().copied().filter(|word| !bounded || *word != "都").collect();
        self.told(start, end, ends_clause, &words)
    }

    /// The same for a weekday: 一周一换,周五交接.
    fn weekday_habit(&self, start: usize, end: usize) -> bool {
        self.habit(start, end) || self.told(start, end, ends_sentence, CYCLE)
    }

    /// A phrase written the plain way, apart from Chinese and from digits by a blank.
    fn hit(&self, start: usize, end: usize, meant: Meant, tail: &str) -> Hit {
        let body = match meant {
            Meant::Day(day) => day.to_string(),
            Meant::About(day) => format!("约 {day}"),
            Meant::Days(first, last) => format!("{first} 至 {last}"),
            Meant::Week(monday) => format!("{monday} 当周"),
            Meant::Weekend(saturday) => format!("{saturday} 的周末"),
            Meant::Month(year, month) => format!("{year:04}-{month:02}"),
            Meant::Quarter(year, quarter) => format!("{year:04}-Q{quarter}"),
            Meant::Year(year) => format!("{year:04} 年"),
        };
        let touches = |c: char| is_unspaced(c) || c.is_alphanumeric();
        let tail = if tail.is_empty() { String::new() } else { format!(" {tail}") };
        let own_blank = !body.starts_with(|c: char| c.is_ascii_digit());
        let lead = if self.before(start).is_some_and(touches) && !own_blank { " " } else { "" };
        let digit_last = tail.is_empty() && !matches!(meant, Meant::Week(_) | Meant::Weekend(_) | Meant::Year(_));
        let trail = match self.text[end..].chars().next() {
            Some(c) if (digit_last && touches(c)) || c.is_ascii_alphanumeric() => " ",
            _ => "",
        };
        Hit { end, meant, put: format!("{lead}{body}{tail}{trail}") }
    }
}
