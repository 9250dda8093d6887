//! Numbers as Chinese writes them in dates: 3, ３, 三, 十二, 二十一, 两.
//!
//! Enters: a place in a text. Leaves: the number and where it ends. Never reads beyond 999.

use super::TextCursor;

pub(super) fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || digit(c).is_some() || matches!(c, '十' | '半')
}

fn digit(c: char) -> Option<i64> {
    match c {
        '〇' | '零' => Some(0),
        '一' => Some(1),
        '二' | '两' => Some(2),
        '三' => Some(3),
        '四' => Some(4),
        '五' => Some(5),
        '六' => Some(6),
        '七' => Some(7),
        '八' => Some(8),
        '九' => Some(9),
        '０'..='９' => Some(i64::from(u32::from(c) - u32::from('０'))),
        _ => None,
    }
}

fn arabic(c: char) -> Option<i64> {
    c.to_digit(10).map(i64::from).or_else(|| matches!(c, '０'..='９').then(|| digit(c)).flatten())
}

/// Reads a number at the reader and steps over it.
pub(super) fn number(reader: &mut TextCursor) -> Option<i64> {
    let mut value = 0;
    let mut length = 0;
    let mut count = 0;
    for c in reader.rest().chars() {
        let Some(d) = arabic(c) else { break };
        value = value * 10 + d;
        length += c.len_utf8();
        count += 1;
        if count > 3 {
            return None;
        }
    }
    if count > 0 {
        reader.at += length;
        return Some(value);
    }
    let mut chars = reader.rest().chars().peekable();
    let mut tens = None;
    if let Some(d) = chars.peek().copied().and_then(digit) {
        (value, length) = (d, 3);
        chars.next();
    }
    if chars.peek() == Some(&'十') {
        tens = Some(if length == 0 { 1 } else { value });
        length += 3;
        chars.next();
        value = 0;
        if let Some(d) = chars.peek().copied().and_then(digit) {
            value = d;
            length += 3;
            chars.next();
        }
    }
    if length == 0 || chars.peek().is_some_and(|c| is_numeral(*c) || matches!(c, '百' | '千' | '万')) {
        return None;
    }
    reader.at += length;
    Some(tens.unwrap_or(0) * 10 + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        for (text, want) in [
            ("3天", Some(3)),
            ("３天", Some(3)),
            ("十二月", Some(12)),
            ("二十一日", Some(21)),
            ("三十", Some(30)),
            ("十", Some(10)),
            ("两周", Some(2)),
            ("1234", None),
            ("三百", None),
            ("天", None),
            ("", None),
            ("一二", None),
        ] {
            assert_eq!(number(&mut TextCursor { text, at: 0 }), want, "{text}");
        }
    }
}
