//! 下个月 上个月 月底 下月底 6月底 十月 10月28日 明年三月 年底 下季度 去年.
//!
//! Enters: a place in a page. Leaves: the day, month, quarter or year. A month named alone takes
//! the year its tense asks for. Never touches a date that has its year (2026年4月), a habit
//! (每月底) or a length (三个月).

use jiff::civil::Date;

use super::super::DateMeaning;
use super::super::calendar::{self, Tense, last_of_month, last_of_quarter, month_after, month_day, quarter_after};
use super::days::{day_after_month, joined};
use super::numerals::{is_numeral, number};
use super::{Hit, Page, TextCursor};

pub(super) fn month(page: &Page, at: usize) -> Option<Hit> {
    shifted(page, at)
        .or_else(|| year(page, at))
        .or_else(|| quarter(page, at))
        .or_else(|| edge_alone(page, at))
        .or_else(|| numbered(page, at))
}

/// 本月 这个月 下个月 上月, with 底, 初, 中 or a day after it.
fn shifted(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    let months = match () {
        () if reader.eat(&["下下个月", "下下月"]) => 2,
        () if reader.eat(&["下个月", "下月"]) => 1,
        () if reader.eat(&["上上个月", "上上月"]) => -2,
        () if reader.eat(&["上个月", "上月"]) => -1,
        () if reader.eat(&["本月", "这个月", "这月", "当月"]) => 0,
        () => return None,
    };
    if page.follows(at, &["每", "以", "之"]) || page.text[at..].starts_with("当月") {
        return None;
    }
    in_month(page, reader, month_after(page.today, months)?)
}

/// What of the month is meant: its end, start, middle, a day, or all of it.
fn in_month(page: &Page, mut reader: TextCursor, (year, month): (i16, i8)) -> Option<Hit> {
    let rest = TextCursor { ..reader };
    if reader.eat(&["底最后一天", "最后一天", "月底", "底", "月末", "末"]) {
        let day = last_of_month((year, month))?;
        return Some(Hit::new(reader.at, DateMeaning::Day(day)));
    }
    if reader.eat(&["中旬", "中"]) {
        let day = Date::new(year, month, 15).ok()?;
        return Some(Hit::new(reader.at, DateMeaning::About(day)));
    }
    if reader.eat(&["初", "上旬", "下旬"]) {
        return Some(Hit::new(reader.at, DateMeaning::Month(year, month)));
    }
    let mut day_at = rest;
    day_at.eat(&["的"]);
    day_at.blanks();
    if let Some((end, day)) = day_after_month(page, day_at.at) {
        return Some(Hit::new(end, DateMeaning::Day(Date::new(year, month, day).ok()?)));
    }
    Some(Hit::new(rest.at, DateMeaning::Month(year, month)))
}

/// 今年 明年 去年 后年 前年, with a month or an end after it.
fn year(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    let years = match () {
        () if reader.eat(&["今年"]) => 0,
        () if reader.eat(&["明年"]) => 1,
        () if reader.eat(&["去年"]) => -1,
        () if reader.eat(&["后年"]) => 2,
        () if reader.eat(&["前年"]) => -2,
        () => return None,
    };
    // 三年后年报, 以前年度
    if page.follows(at, &["以", "之", "年", "今", "此", "往", "最"]) {
        return None;
    }
    let year = page.today.year().checked_add(years)?;
    let plain = reader;
    if reader.eat(&["年底", "底", "年末", "末"]) {
        return Some(Hit::new(reader.at, DateMeaning::Day(last_of_month((year, 12))?)));
    }
    if reader.eat(&["年初", "初"]) {
        return Some(Hit::new(reader.at, DateMeaning::Year(year)));
    }
    reader.blanks();
    if let Some((end, number)) = quarter_number(reader) {
        return Some(Hit::new(end, DateMeaning::Quarter(year, number)));
    }
    if let Some((reader, number)) = month_number(reader) {
        return in_numbered(page, at, reader, |_, _| Some((year, number)));
    }
    Some(Hit::new(plain.at, DateMeaning::Year(year)))
}

/// 本季度 下季度 上个季度, 季度末.
fn quarter(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    let quarters = match () {
        () if reader.eat(&["下个季度", "下季度"]) => 1,
        () if reader.eat(&["上个季度", "上季度"]) => -1,
        () if reader.eat(&["本季度", "这个季度", "这季度"]) => 0,
        () if reader.sees(&["季度末", "季度底", "季末"]) && !page.habit(at, at) => {
            let own = page.before(at).is_none_or(|c| !is_numeral(c) && !"每个各年".contains(c));
            own.then_some(())?;
            reader.eat(&["季度", "季"]);
            0
        }
        () => return quarter_alone(page, reader),
    };
    let found = quarter_after(page.today, quarters)?;
    if reader.eat(&["末", "底"]) {
        return Some(Hit::new(reader.at, DateMeaning::Day(last_of_quarter(found)?)));
    }
    Some(Hit::new(reader.at, DateMeaning::Quarter(found.0, found.1)))
}

/// 四季度, 第三季度 or Q4, where the clause speaks of one plan.
fn quarter_alone(page: &Page, reader: TextCursor) -> Option<Hit> {
    let at = reader.at;
    let free =
        page.before(at).is_none_or(|c| !c.is_ascii_alphanumeric() && !is_numeral(c) && !"年第每-/._".contains(c));
    let (end, number) = quarter_number(reader).filter(|_| free)?;
    let after = TextCursor { text: page.text, at: end };
    let joined = after.next_char().is_some_and(|c| c.is_ascii_alphanumeric() || "-/_".contains(c));
    let planned = page.meant_once(at, end).is_some() || page.tense(at, end) == Tense::Future;
    if joined || !planned || page.habit(at, end) || page.tense(at, end) == Tense::Past {
        return None;
    }
    let (year, quarter) = calendar::quarter(page.today, number, Tense::Future)?;
    let mut reader = after;
    if reader.eat(&["末", "底"]) {
        return Some(Hit::new(reader.at, DateMeaning::Day(last_of_quarter((year, quarter))?)));
    }
    Some(Hit::new(end, DateMeaning::Quarter(year, quarter)))
}

/// 月底 月初 年底 without their month or year.
fn edge_alone(page: &Page, at: usize) -> Option<Hit> {
    let mut reader = TextCursor::new(page, at);
    let free = page.before(at).is_none_or(|c| !is_numeral(c) && !"每个各次单半整年当".contains(c));
    let start = reader;
    if !reader.sees(&["年底", "年末", "月底", "月末"]) {
        return None;
    }
    if !free || page.habit(at, at) || !page.ends_once(at, at + "月底".len()) {
        return None;
    }
    if reader.eat(&["年底", "年末"]) {
        return Some(Hit::new(reader.at, DateMeaning::Day(last_of_month((page.today.year(), 12))?)));
    }
    let mut reader = start;
    reader.eat(&["月"]);
    in_month(page, reader, month_after(page.today, 0)?)
}

/// N月, with or without a day, its year not told.
fn numbered(page: &Page, at: usize) -> Option<Hit> {
    let before = page.before(at);
    let dated = page.follows(at, &["年", "年 "]);
    // 2026年4月, 12-3月, 第三月, 每年五月
    if dated || before.is_some_and(|c| is_numeral(c) || "-./第每年".contains(c)) {
        return None;
    }
    let (reader, number) = month_number(TextCursor::new(page, at))?;
    let base = page.last.filter(|(to, _)| joined(page, *to, at)).map(|(_, day)| day);
    in_numbered(page, at, reader, |page, end| {
        // 三月是淡季 holds for every one.
        let rest = TextCursor { text: page.text, at: end };
        if page.habit(at, end) || rest.sees(&["是"]) && page.meant_once(at, end).is_none() {
            return None;
        }
        match base {
            Some(base) => calendar::month(base, number, Tense::Future),
            None => calendar::month(page.today, number, page.tense(at, end)),
        }
    })
}

/// Reads 一季度, 第二季度 or Q3.
fn quarter_number(mut reader: TextCursor) -> Option<(usize, i8)> {
    let letter = reader.eat(&["Q", "q"]);
    reader.eat(&["第"]);
    let number = i8::try_from(number(&mut reader)?).ok().filter(|n| (1..=4).contains(n))?;
    (letter || reader.eat(&["季度"])).then_some((reader.at, number))
}

/// Reads a month's number with its 月.
fn month_number(mut reader: TextCursor) -> Option<(TextCursor, i8)> {
    let number = i8::try_from(number(&mut reader)?).ok().filter(|n| (1..=12).contains(n))?;
    reader.blanks();
    reader.eat(&["月份", "月"]).then_some(())?;
    // 一月一次, 三月龄
    (!reader.sees(&["一次", "一换", "龄", "经", "薪", "租", "费", "均"])).then_some((reader, number))
}

/// The year of a numbered month, when asked for with the end of the phrase.
fn in_numbered<F>(page: &Page, at: usize, reader: TextCursor, year_of: F) -> Option<Hit>
where
    F: Fn(&Page, usize) -> Option<(i16, i8)>,
{
    let mut day_at = reader;
    day_at.blanks();
    let Some((end, day)) = day_after_month(page, day_at.at) else {
        return in_month(page, reader, year_of(page, reader.at)?);
    };
    let (year, month) = year_of(page, end)?;
    let stated = Date::new(year, month, day).ok();
    // The month may be this one and the day gone by: then the tense of the day decides.
    let day = match stated {
        Some(stated) if (year, month) != month_after(page.today, 0)? || is_told(page, at) => stated,
        _ => month_day(page.today, month, day, page.tense(at, end))?,
    };
    Some(Hit::new(end, DateMeaning::Day(day)))
}

/// Whether the phrase itself begins with a year.
fn is_told(page: &Page, at: usize) -> bool {
    page.text[at..].chars().nth(1) == Some('年')
}
