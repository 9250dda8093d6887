//! 今天 明天 后天 昨天 今晚 明早; 3天后 两周前; 15号.
//!
//! Enters: a place in a page. Leaves: the day; 15号 alone only where the clause says which one. Never takes a length that
//! holds for all (退款三天内到账), an amount that is counted from something else (支付后3天, 上线两周后), or a number that names a thing (3号线).

use jiff::civil::Date;

use super::super::DateMeaning;
use super::super::calendar::{day_of_month, month_after, plus_days};
use super::numerals::number;
use super::{Hit, Page, TextCursor};
use memdir_lexicon as lexicon;

/// The word, and how many days away.
const WORDS: &[(&str, i64)] = &[
    ("大后天", 3),
    ("大前天", -3),
    ("今天", 0),
    ("今日", 0),
    ("今晚", 0),
    ("今早", 0),
    ("今晨", 0),
    ("明天", 1),
    ("明日", 1),
    ("明早", 1),
    ("明晨", 1),
    ("明晚", 1),
    ("后天", 2),
    ("昨天", -1),
    ("昨日", -1),
    ("昨晚", -1),
    ("昨夜", -1),
    ("前天", -2),
];

pub(super) fn day_word(page: &Page, at: usize) -> Option<Hit> {
    let rest = &page.text[at..];
    let (word, days) = WORDS.iter().find(|(word, _)| rest.starts_with(word))?;
    let end = at + word.len();
    // 先天后天, 后天性, 三天后|天亮, 明日之星, 今天天.
    let rest = TextCursor { text: page.text, at: end };
    let joined = match *word {
        "后天" => page.follows(at, &["先天"]) || rest.sees(&["性", "天"]),
        "前天" => rest.sees(&["天"]),
        "今日" | "明日" => rest.sees(&["头条", "之", "香", "方舟"]),
        _ => false,
    };
    (!joined).then_some(())?;
    Some(Hit::new(end, DateMeaning::Day(plus_days(page.today, *days)?)))
}

/// N天后, N周前, N个月后, 半个月后, N年前.
pub(super) fn counted(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    // Inside a longer number, or "第三天后", "每三天": not an amount from today.
    if page.before(at).is_some_and(|c| super::numerals::is_numeral(c) || ".百千第每".contains(c)) {
        return None;
    }
    let half = reader.eat(&["半个月", "半年"]);
    let half_year = half && page.text[at..].starts_with("半年");
    let count = if half { 1 } else { number(&mut reader)? };
    reader.blanks();
    let unit = if half {
        ""
    } else {
        *["天", "日", "周", "个星期", "星期", "个礼拜", "礼拜", "个月", "年"].iter().find(|u| reader.sees(&[u]))?
    };
    reader.at += unit.len();
    let back = if reader.eat(&["之后", "以后", "后"]) {
        1
    } else if reader.eat(&["之内", "以内", "内"]) {
        // 退款三天内到账 holds for every one; a duty of ours has its last day.
        (unit != "年" && page.limit(at, reader.at)).then_some(())?;
        1
    } else if reader.eat(&["之前", "以前", "前"]) {
        -1
    } else {
        return None;
    };
    let end = reader.at;
    if counted_from_something(page, at) || page.habit(at, end) {
        return None;
    }
    let today = page.today;
    let count = back * count;
    let meant = match unit {
        "" if half_year => month(page, count * 6)?,
        "" => DateMeaning::About(plus_days(today, count * 15)?),
        "天" | "日" => DateMeaning::Day(plus_days(today, count)?),
        "个月" => month(page, count)?,
        "年" => DateMeaning::Year(month_after(today, count as i32 * 12)?.0),
        _ => DateMeaning::Day(plus_days(today, count * 7)?),
    };
    Some(Hit::new(end, meant))
}

fn month(page: &Page, months: i64) -> Option<DateMeaning> {
    let (year, month) = month_after(page.today, months as i32)?;
    Some(DateMeaning::Month(year, month))
}

/// Whether the amount hangs on an event named right before it.
fn counted_from_something(page: &Page, at: usize) -> bool {
    page.follows(at, lexicon::zh::DATE_COUNTED_FROM)
}

/// Reads a day right after its month: where it ends, and the day.
///
/// There the day may stand without 号: 11月15提审.
pub(super) fn day_after_month(page: &Page, at: usize) -> Option<(usize, i8)> {
    number_alone(page, at).or_else(|| {
        let mut reader = TextCursor::new(page, at);
        let day = i8::try_from(number(&mut reader)?).ok().filter(|d| (1..=31).contains(d))?;
        let written = page.text[at..].starts_with(|c: char| c.is_ascii_digit());
        let rest = TextCursor { text: page.text, at: reader.at + leading_blanks(page.text, reader.at) };
        let counts = rest.next_char().is_some_and(|c| {
            c.is_ascii_alphanumeric() || "个台次天人家条名位元万块%.-:：点年月周小分秒版级件".contains(c)
        });
        (written && !counts).then_some((reader.at, day))
    })
}

fn leading_blanks(text: &str, at: usize) -> usize {
    text[at..].len() - text[at..].trim_start_matches(' ').len()
}

/// Reads 15号 or 15日: where it ends, and the day.
pub(super) fn number_alone(page: &Page, at: usize) -> Option<(usize, i8)> {
    let mut reader = TextCursor::new(page, at);
    let day = i8::try_from(number(&mut reader)?).ok().filter(|d| (1..=31).contains(d))?;
    reader.blanks();
    reader.eat(&["号", "日"]).then_some((reader.at, day))
}

/// 15号 or 15日 without its month, where the words around make a date of it.
pub(super) fn day_number(page: &Page, at: usize) -> Option<Hit> {
    let (end, day) = number_alone(page, at)?;
    let before = page.before(at);
    let free = before.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '.' && c != '/')
        || page.follows(at, &["在", "于", "到", "至", "从", "自", "是", "定", "等"]);
    let reader = TextCursor { text: page.text, at: end };
    let goes_on =
        reader.next_char().is_none_or(|c| !c.is_alphanumeric() && c != '-') || reader.sees(lexicon::zh::DATE_GOES_ON);
    let base = page.last.filter(|(to, _)| joined(page, *to, at)).map(|(_, day)| day);
    if (base.is_none() && !(free && goes_on)) || page.habit(at, end) {
        return None;
    }
    let found: Date = match base {
        Some(base) => day_of_month(base, day, super::Tense::Future)?,
        None => day_of_month(page.today, day, page.meant_once(at, end)?)?,
    };
    Some(Hit::new(end, DateMeaning::Day(found)))
}

/// Whether only 到, 至 or the like is between two phrases.
pub(super) fn joined(page: &Page, from: usize, to: usize) -> bool {
    page.text.get(from..to).is_some_and(|between| {
        matches!(between.trim(), "到" | "至" | "-" | "~" | "～" | "—" | "–" | "和" | "、" | "与" | "及" | "或")
    })
}
