//! 周五 本周五 这周五 下周三 下下周二 上周一 下周 本周末, with 星期 and 礼拜 for 周.
//!
//! Enters: a place in a page. Leaves: the day or the week. 下周三 is the Wednesday of the next
//! Monday-based week; a weekday alone is one day only where the clause says which. Never takes a habit (每周五, 周一到周五, 周二、周四), 一周一次, 周期, or a weekday that only explains a
//! date (2026-04-06(周一)).

use jiff::civil::Weekday;

use super::super::DateMeaning;
use super::super::calendar::{following, in_week, monday, weekday};
use super::days::joined;
use super::numerals::is_numeral;
use super::{Hit, Page, TextCursor};
use memdir_lexicon as lexicon;

const SHIFTS: &[(&str, i64)] = &[
    ("下下个", 2),
    ("下下", 2),
    ("下个", 1),
    ("下", 1),
    ("上上个", -2),
    ("上上", -2),
    ("上个", -1),
    ("上", -1),
    ("这个", 0),
    ("这", 0),
    ("本", 0),
    ("当", 0),
    ("此", 0),
];

pub(super) fn week(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    let shift = SHIFTS.iter().find(|(word, _)| reader.rest().starts_with(word));
    if let Some((word, _)) = shift {
        reader.at += word.len();
    }
    if !reader.eat(&["周", "星期", "礼拜"]) {
        return None;
    }
    match shift {
        // 当周 and 此周 follow a week that is already named.
        Some(("当" | "此", _)) => None,
        Some((_, weeks)) => shifted(page, at, reader, *weeks),
        None => alone(page, at, reader),
    }
}

fn day_name(c: char) -> Option<Weekday> {
    match c {
        '一' => Some(Weekday::Monday),
        '二' => Some(Weekday::Tuesday),
        '三' => Some(Weekday::Wednesday),
        '四' => Some(Weekday::Thursday),
        '五' => Some(Weekday::Friday),
        '六' => Some(Weekday::Saturday),
        '日' | '天' => Some(Weekday::Sunday),
        _ => None,
    }
}

/// The weekday at the reader, unless its character begins another word: 周一样, 周日报.
fn named(reader: &TextCursor) -> Option<(usize, Weekday)> {
    let c = reader.next_char()?;
    let day = day_name(c)?;
    let after = TextCursor { at: reader.at + c.len_utf8(), ..*reader };
    let other = match c {
        '一' => after.sees(lexicon::zh::DATE_NOT_MONDAY),
        '日' | '天' => after.sees(&["报", "志", "常", "程", "数"]),
        _ => after.sees(&["百", "千", "万", "十", "个", "次", "天", "分之"]),
    };
    (!other).then_some((after.at, day))
}

fn shifted(page: &Page, at: usize, reader: TextCursor, weeks: i64) -> Option<Hit> {
    let today = page.today;
    if page.follows(at, &["每", "隔", "年", "日"]) {
        return None;
    }
    if let Some((end, day)) = named(&reader) {
        return Some(Hit::new(end, DateMeaning::Day(in_week(today, weeks, day)?)));
    }
    let mut end = reader;
    if end.eat(&["末"]) {
        let saturday = in_week(today, weeks, Weekday::Saturday)?;
        return Some(Hit::new(end.at, DateMeaning::Weekend(saturday)));
    }
    // 本周期, 下周边, 上周岁
    let other = reader.sees(&["期", "边", "岁", "年", "转", "围", "全", "报", "会"]) && !reader.sees(&["会上"]);
    (!other).then_some(())?;
    Some(Hit::new(reader.at, DateMeaning::Week(monday(today, weeks)?)))
}

fn alone(page: &Page, at: usize, reader: TextCursor) -> Option<Hit> {
    let (end, day) = named(&reader)?;
    if let Some((_, base)) = page.last.filter(|(to, _)| joined(page, *to, at)) {
        return Some(Hit::new(end, DateMeaning::Day(following(base, day)?)));
    }
    let before = page.before(at);
    let counted =
        before.is_some_and(|c| is_numeral(c) || matches!(c, '每' | '隔' | '逢' | '个' | '双' | '单' | '首' | '末'));
    if counted || listed(page, at, end) || explains(page, at, end) || rule(page, end) || page.weekday_habit(at, end) {
        return None;
    }
    let found = weekday(page.today, day, page.meant_once(at, end)?)?;
    Some(Hit::new(end, DateMeaning::Day(found)))
}

/// 周一到周五, 周二、周四, 周五六日: habits, unless 从 opens the span.
fn listed(page: &Page, at: usize, end: usize) -> bool {
    const JOINTS: &[&str] = &["到", "至", "、", "和", "-", "~", "/", "与", "及", "或"];
    let opens = page.follows(at, &["从", "自"]);
    let mut reader = TextCursor { text: page.text, at: end };
    let more = reader.next_char().is_some_and(|c| day_name(c).is_some())
        || reader.sees(&["周一", "周二", "周三", "周四", "周五", "周六", "周日"]);
    let joint = reader.eat(JOINTS);
    let day = reader.next_char().is_some_and(|c| day_name(c).is_some());
    let next = joint && (day || reader.sees(&["周", "星期", "礼拜"]));
    let before = page.text[..at].trim_end_matches(|c| JOINTS.iter().any(|j| j.starts_with(c)));
    let previous = before.chars().next_back().and_then(day_name).is_some()
        && ["周", "星期", "礼拜"].iter().any(|w| {
            let mut chars = before.chars();
            chars.next_back();
            chars.as_str().ends_with(w)
        });
    (next && !opens) || previous || more
}

/// A date right before or after, which the weekday only explains.
fn explains(page: &Page, at: usize, end: usize) -> bool {
    let before = page.text[..at].trim_end_matches([' ', '(', '（', ',', '，']);
    let after = page.text[end..].trim_start_matches([' ', '(', '（', ',', '，']);
    before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '日' | '号'))
        || after.starts_with(|c: char| c.is_ascii_digit()) && after.chars().take(5).any(|c| matches!(c, '-' | '月'))
}

/// 周五不发版: a rule for every such day.
fn rule(page: &Page, end: usize) -> bool {
    let reader = TextCursor { text: page.text, at: end };
    reader.sees(&["不", "禁", "别", "勿", "晚上不", "下午不"])
}
