//! Chinese phrases.
//!
//! Enters: text, what is not prose in it, and the day. Leaves: recognised phrases. Chinese has no
//! blanks between words, so each rule reads characters from one place on and looks at the
//! characters around the phrase. Never looks further than a clause of [`REACH`] characters.

mod days;
mod months;
mod numerals;
mod weeks;

use std::borrow::Cow;
use std::ops::Range;

use jiff::civil::Date;

use super::calendar::Tense;
use super::{DateMeaning, Found};
use memdir_lexicon as lexicon;

/// Characters looked at on either side.
const REACH: usize = 40;

/// Words whose last character also begins a date: 说明|年份, 样本|月度, 线上|周报, 以后|天天.
const COMPOUNDS: &[(char, &str)] = &[
    ('明', "声说证表文透发照阐申简光黎精聪高"),
    ('本', "样脚版日成文基副剧课资书根原标蓝读抄"),
    ('上', "线以之网马晚早身海路桌楼世加跟赶升床手面地表向"),
    ('下', "线以之如地楼手乡私天底当留余剩名旗门"),
    ('前', "以之目提当从先向眼空生面跟往日"),
    ('后', "以之今然最随此背往幕滞延落午前善售"),
    ('去', "过失除离下上出进回"),
    ('今', "如至现当而迄"),
    ('周', "一两三四五六七八九十半几数每隔整圆四"),
    ('大', "扩放加强巨最很太"),
    ('当', "相应正适每"),
];

fn ends_sentence(c: char) -> bool {
    matches!(c, '。' | '；' | '！' | '？' | ';' | '!' | '?' | '\n')
}

fn ends_clause(c: char) -> bool {
    ends_sentence(c) || matches!(c, '，' | '：' | ',' | ':' | '(' | '（' | ')' | '）')
}

/// A place in a text, read forwards.
#[derive(Clone, Copy)]
struct TextCursor<'t> {
    text: &'t str,
    at: usize,
}

/// What the rules know: the whole text, the day, and the phrase found last.
struct Page<'t> {
    text: &'t str,
    today: Date,
    last: Option<(usize, Date)>,
}

/// A recognised phrase: where it ends, and its meaning.
struct Hit {
    end: usize,
    meant: DateMeaning,
}

impl Hit {
    fn new(end: usize, meant: DateMeaning) -> Hit {
        Hit { end, meant }
    }
}

type Rule = fn(&Page, usize) -> Option<Hit>;

const RULES: &[Rule] = &[days::day_word, days::counted, weeks::week, months::month, days::day_number];

/// Traditional characters of dates and the simplified ones that the rules are written in, both three bytes long.
const SIMPLIFIED: &[(char, char)] = &[
    ('週', '周'),
    ('後', '后'),
    ('個', '个'),
    ('禮', '礼'),
    ('號', '号'),
    ('兩', '两'),
    ('這', '这'),
    ('內', '内'),
    ('將', '将'),
    ('會', '会'),
    ('開', '开'),
    ('計', '计'),
    ('劃', '划'),
    ('發', '发'),
    ('過', '过'),
    ('預', '预'),
    ('準', '准'),
    ('備', '备'),
    ('為', '为'),
    ('從', '从'),
    ('與', '与'),
    ('點', '点'),
    ('須', '须'),
    ('務', '务'),
    ('遲', '迟'),
    ('動', '动'),
    ('現', '现'),
    ('調', '调'),
    ('從', '从'),
    ('終', '终'),
    ('線', '线'),
    ('換', '换'),
    ('關', '关'),
    ('閉', '闭'),
    ('遷', '迁'),
    ('曆', '历'),
    ('總', '总'),
    ('別', '别'),
];

/// The same text in simplified characters, every byte at its place.
fn simplified(text: &str) -> Cow<'_, str> {
    let twin = |c: char| SIMPLIFIED.iter().find(|(old, _)| *old == c).map(|(_, new)| *new);
    if text.chars().any(|c| twin(c).is_some()) {
        Cow::Owned(text.chars().map(|c| twin(c).unwrap_or(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

pub(super) fn find(text: &str, excluded: &[Range<usize>], today: Date) -> Vec<Found> {
    let text = &*simplified(text);
    let mut page = Page { text, today, last: None };
    let mut found = Vec::new();
    let mut excluded = excluded.iter().peekable();
    let mut after = 0;
    for (at, c) in text.char_indices() {
        while excluded.next_if(|s| s.end <= at).is_some() {}
        let is_excluded = excluded.peek().is_some_and(|s| s.start <= at);
        // A digit inside a number, an ISO date or a name opens nothing.
        let inside =
            c.is_ascii_digit() && text[..at].ends_with(|b: char| b.is_ascii_alphanumeric() || "-./:_".contains(b));
        if at < after || is_excluded || inside || !may_open(c) || page.inside_word(at, c) || page.is_japanese(at) {
            continue;
        }
        let Some(hit) = RULES.iter().find_map(|rule| rule(&page, at)) else {
            continue;
        };
        if page.follows(at, lexicon::zh::DATE_CALLED) {
            after = hit.end;
            continue;
        }
        if excluded.peek().is_some_and(|s| s.start < hit.end) {
            continue;
        }
        page.last = match hit.meant {
            DateMeaning::Day(day) => Some((hit.end, day)),
            _ => None,
        };
        after = hit.end;
        found.push(Found { start: at, end: hit.end, meant: hit.meant });
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
            | '第'
            | 'Q'
            | 'q'
    ) || numerals::is_numeral(c)
}

impl<'t> TextCursor<'t> {
    fn new(page: &Page<'t>, at: usize) -> Self {
        TextCursor { text: page.text, at }
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

    /// Whether `c` at `at` is the end of a word rather than the beginning of a date.
    fn inside_word(&self, at: usize, c: char) -> bool {
        let before = self.before(at);
        let tied = COMPOUNDS.iter().find(|(last, _)| *last == c).map(|(_, firsts)| *firsts);
        before.zip(tied).is_some_and(|(before, firsts)| firsts.contains(before))
    }

    /// Whether the sentence is written with kana, and so is not Chinese.
    fn is_japanese(&self, at: usize) -> bool {
        let (left, right) = self.around(at, at, ends_sentence);
        let kana = |c: char| matches!(c, '\u{3040}'..='\u{30ff}');
        left.contains(kana) || right.contains(kana)
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

    /// Whether one of `words` is in the text around a phrase.
    fn told(&self, start: usize, end: usize, ends: fn(char) -> bool, words: &[&str]) -> bool {
        let (left, right) = self.around(start, end, ends);
        words.iter().any(|w| left.contains(w) || right.contains(w))
    }

    fn tense(&self, start: usize, end: usize) -> Tense {
        let after = TextCursor { text: self.text, at: end };
        if after.sees(&["前", "之前", "以前"]) || self.follows(start, &["到", "至"]) {
            Tense::Future
        } else if self.told(start, end, ends_clause, lexicon::zh::DATE_PAST) {
            Tense::Past
        } else if self.told(start, end, ends_clause, lexicon::zh::DATE_PLAN) {
            Tense::Future
        } else if self.done_then(end) {
            Tense::Past
        } else {
            Tense::Open
        }
    }

    /// Whether a verb with 的 right behind the phrase says that it was done then: 三月换的框架.
    fn done_then(&self, end: usize) -> bool {
        let after = TextCursor { text: self.text, at: end };
        lexicon::zh::DATE_DONE_VERB
            .iter()
            .any(|verb| after.rest().strip_prefix(verb).is_some_and(|rest| rest.starts_with('的')))
    }

    /// The tense of the one day that is meant, where the clause says that it is one (F4).
    fn meant_once(&self, start: usize, end: usize) -> Option<Tense> {
        let after = TextCursor { text: self.text, at: end };
        let bound =
            after.sees(&["前", "之前", "以前", "为止", "起", "开始"]) || self.follows(start, &["直到", "截至", "到"]);
        if bound || self.told(start, end, ends_clause, lexicon::zh::DATE_PLANNED_ONCE) {
            Some(Tense::Future)
        } else {
            self.told(start, end, ends_clause, lexicon::zh::DATE_PAST).then_some(Tense::Past)
        }
    }

    /// Whether 月底 or 年底 is the end of this one.
    fn ends_once(&self, start: usize, end: usize) -> bool {
        self.told(start, end, ends_clause, lexicon::zh::DATE_DONE)
            || self.meant_once(start, end).is_some()
            || self.follows(start, &["到", "至", "在"])
    }

    /// Whether 三天内 limits one thing that we do.
    fn limit(&self, start: usize, end: usize) -> bool {
        let (left, _) = self.around(start, end, ends_clause);
        let opens =
            left.is_empty() || lexicon::zh::DATE_OURS.iter().chain(&["请", "在", "于"]).any(|word| left.contains(word));
        opens && self.told(start, end, ends_clause, lexicon::zh::DATE_OURS)
    }

    /// Whether the clause tells of something that comes again and again.
    fn habit(&self, start: usize, end: usize) -> bool {
        // 到月底都不要合: 都 says "all the way", since there is an end.
        let bounded = self.follows(start, &["到", "至", "直到", "截止"]);
        let words: Vec<&str> =
            lexicon::zh::DATE_HABIT.iter().copied().filter(|word| !bounded || *word != "都").collect();
        self.told(start, end, ends_clause, &words)
    }

    /// The same for a weekday: 一周一换,周五交接.
    fn weekday_habit(&self, start: usize, end: usize) -> bool {
        self.habit(start, end) || self.told(start, end, ends_sentence, lexicon::zh::DATE_CYCLE)
    }
}
