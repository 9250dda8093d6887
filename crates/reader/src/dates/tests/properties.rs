//! What holds for every text.

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::super::{DateMeaning, Resolved, has_relative, resolve};

/// Pieces of phrases in both languages, joined at random: far more clashes than prose has.
fn collage() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "today",
        "Tomorrow",
        "yesterday",
        "the day after",
        "before",
        "next",
        "last",
        "this",
        "week",
        "month",
        "Friday",
        "on Monday",
        "Wed",
        "mid-June",
        "June",
        "5",
        "5th",
        "the 5th",
        "may",
        "of",
        "to",
        "and",
        "until",
        "in",
        "3",
        "days",
        "ago",
        "from",
        "now",
        "end",
        "end of",
        "the",
        "Q2",
        "EOD",
        "year",
        "every",
        "is",
        "was",
        "shipped",
        "2026-05-01",
        "2026",
        ",",
        ".",
        "(",
        ")",
        "'s",
        "-",
        "`",
        "\n",
        "\n\n",
        "**",
        "a",
        "week's",
        "night",
        "weekend",
        "quarter",
        "coming",
        "今天",
        "后天",
        "前",
        "后",
        "周",
        "周五",
        "下",
        "上",
        "下周",
        "个",
        "月",
        "月底",
        "底",
        "一",
        "二",
        "十",
        "3天",
        "日",
        "号",
        "每",
        "到",
        "和",
        "、",
        "年",
        "明年",
        "末",
        "最",
        "了",
        "，",
        "。",
        "星期",
        "半",
        "季度",
        "5月",
        "15号",
        "天",
        "起",
        "中",
        "初",
        "的",
        "当",
        "本",
        "nächsten",
        "Freitag",
        "bis",
        "in zwei Wochen",
        "morgen",
        "wird",
        "hier",
        "demain",
        "vendredi",
        "prochain",
        "il y a",
        "deux jours",
        "mañana",
        "el viernes",
        "pasado",
        "sexta-feira",
        "até",
        "amanhã",
        "来週の",
        "火曜日",
        "まで",
        "明日",
        "3日後",
        "다음 주",
        "금요일",
        "까지",
        "내일",
        "within",
        "the next",
        "(2026-05-01)",
        "weekend after next",
        "'",
        "\"",
    ]);
    let glue = prop::sample::select(vec![" ", " ", "", " "]);
    prop::collection::vec((pieces, glue), 0..14)
        .prop_map(|parts| parts.into_iter().flat_map(|(piece, glue)| [piece, glue]).collect())
}

fn day() -> impl Strategy<Value = Date> {
    (1969i16..2060, 1i8..=12, 1i8..=28).prop_map(|(y, m, d)| date(y, m, d))
}

/// Where the calendar runs out.
fn any_day() -> impl Strategy<Value = Date> {
    prop_oneof![day(), Just(Date::MIN), Just(Date::MAX), Just(date(1, 1, 1)), Just(date(9999, 12, 30))]
}

fn holds(text: &str, today: Date) -> Result<(), TestCaseError> {
    let once = resolve(text, today);
    let twice = resolve(&once.text, today);
    prop_assert_eq!(&twice.text, &once.text, "not idempotent: {:?}", text);
    prop_assert!(twice.changes.is_empty(), "{:?}", once.text);
    prop_assert_eq!(without_dates(&once), text, "{:?}", once.text);
    for change in &once.changes {
        prop_assert!(text[change.start..].starts_with(&change.said));
        let shown = match change.meant {
            DateMeaning::Day(d) | DateMeaning::About(d) | DateMeaning::Week(d) | DateMeaning::Weekend(d) => {
                d.to_string()
            }
            DateMeaning::Days(first, last) => {
                prop_assert!(first <= last);
                prop_assert!(once.text.contains(&last.to_string()));
                first.to_string()
            }
            DateMeaning::Month(y, m) => format!("{y:04}-{m:02}"),
            DateMeaning::Quarter(y, q) => format!("{y:04}-Q{q}"),
            DateMeaning::Year(y) => format!("{y:04}"),
        };
        prop_assert!(once.text.contains(&shown), "{:?} lacks {}", once.text, shown);
        prop_assert!(shown[..4].parse::<i16>().is_ok_and(|year| year >= 1970), "{}", shown);
        if shown.len() == 10 {
            prop_assert!(shown.parse::<Date>().is_ok());
        }
    }
    Ok(())
}

/// What is left when each date is taken out where it was put in.
fn without_dates(resolved: &Resolved) -> String {
    let mut left = String::new();
    let mut copied = 0;
    for change in &resolved.changes {
        // The first bracket behind the words, counted in what has been taken out so far.
        let words = change.start + copied - left.len() + change.said.len();
        let bracket = words + resolved.text[words..].find(&format!("({})", change.meant)).unwrap_or_default();
        let start = if resolved.text[..bracket].ends_with(' ') { bracket - 1 } else { bracket };
        left.push_str(&resolved.text[copied..start]);
        copied = bracket + change.meant.to_string().len() + 2;
    }
    left.push_str(&resolved.text[copied..]);
    left
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn f4_resolving_twice_changes_nothing(text in collage(), today in day()) {
        holds(&text, today)?;
    }

    #[test]
    fn any_text_and_any_day_are_survived(text in ".{0,200}", today in any_day()) {
        let resolved = resolve(&text, today);
        let _ = has_relative(&resolved.text);
        let _ = super::super::anchor(&text);
    }

    #[test]
    fn phrases_at_the_ends_of_the_calendar_are_survived(text in collage(), today in any_day()) {
        let _ = resolve(&text, today);
    }
}

#[test]
fn large_and_hostile_texts_are_survived() {
    let today = date(2026, 4, 10);
    for piece in ["today ", "周五", "on Monday and ", "5 June to ", "`", "下周", "3天", "a,", "\0", "\r\n", "月底,"]
    {
        let text = piece.repeat(20_000 / piece.len());
        let once = resolve(&text, today);
        assert!(once.text.len() >= text.len() / 2);
    }
}
