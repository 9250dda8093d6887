//! Where a rule looks, what it must not touch, and which of two findings stays.

use super::*;

fn at(rule: &str) -> usize {
    ENGINE.rules.iter().position(|known| known.name == rule).unwrap()
}

#[test]
fn only_ranges_that_share_a_byte_overlap() {
    let sorted = [2..5, 8..10];
    let candidates: Vec<RuleMatch> =
        sorted.iter().map(|secret| RuleMatch { rule: 0, secret: secret.clone() }).collect();
    for (range, wanted) in [
        (0..2, false),
        (5..8, false),
        (10..12, false),
        (0..3, true),
        (4..6, true),
        (3..4, true),
        (7..9, true),
        (9..12, true),
        (0..12, true),
    ] {
        assert_eq!(overlaps(&candidates, &range), wanted, "{range:?}");
        assert_eq!(touches(&sorted, &range), wanted, "{range:?}");
    }
}

#[test]
fn a_window_ends_at_a_blank() {
    assert_eq!((next_blank("ab cd", 1), next_blank("ab cd", 2), next_blank("ab cd", 3)), (2, 2, 5));
    assert_eq!((next_blank("a\tb", 0), next_blank("a\nb", 0), next_blank("ab", 9)), (1, 1, 2));
}

#[test]
#[allow(clippy::single_range_in_vec_init, reason = "a list of one window")]
fn windows_reach_before_and_behind_their_keyword_and_grow_together() {
    let rule = at("generic-token");
    let reach = ENGINE.rules[rule].reach;
    let windows = |text: &str| ENGINE.windows(text).swap_remove(rule);
    assert!(windows("no such word").is_empty());
    let (before, behind) = ("a".repeat(200), "b".repeat(reach));
    assert_eq!(windows(&format!("{before}token{behind}cc dd")), [200 - BEFORE..200 + 5 + reach + 2]);
    assert_eq!(windows("token"), [0..5]);
    // A second keyword in reach makes the window longer, one far away opens another.
    assert_eq!(windows(&format!("token token{} {}", &behind[..reach - 6], "c".repeat(20))), [0..11 + reach - 6 + 21]);
    let far = "a ".repeat(reach);
    let second = 5 + far.len();
    assert_eq!(windows(&format!("token{far}token")), [0..5 + reach + 1, second - BEFORE..second + 5]);
}

#[test]
fn a_marker_is_one_of_ours_and_short() {
    let engine = &*ENGINE;
    assert_eq!(engine.markers("x [redacted: jwt] y [redacted: jwt]"), [2..17, 20..35]);
    for text in ["[redacted: nobody]", "[redacted: jwt", "[redacted: ", "redacted: jwt]"] {
        assert!(engine.markers(text).is_empty(), "{text}");
    }
}

#[test]
fn the_specific_then_the_earlier_then_the_longer_finding_stays() {
    let (specific, other, broad) = (at("github-token"), at("jwt"), at("generic-token"));
    let settled = |found: &[(usize, Range<usize>)]| -> Vec<(&str, Range<usize>)> {
        let found = found.iter().map(|(rule, secret)| RuleMatch { rule: *rule, secret: secret.clone() }).collect();
        ENGINE.settle(found).into_iter().map(|(rule, range)| (rule.name, range)).collect()
    };
    assert_eq!(settled(&[(broad, 0..9), (specific, 4..6)]), [("github-token", 4..6)]);
    assert_eq!(settled(&[(specific, 4..8), (other, 2..6)]), [("jwt", 2..6)]);
    assert_eq!(settled(&[(specific, 2..6), (other, 2..8)]), [("jwt", 2..8)]);
    assert_eq!(
        settled(&[(specific, 4..6), (broad, 6..8), (broad, 2..4), (other, 8..9)]),
        [("generic-token", 2..4), ("github-token", 4..6), ("generic-token", 6..8), ("jwt", 8..9)],
        "side by side is no overlap"
    );
    assert_eq!(settled(&[(specific, 2..4), (other, 4..6)]), [("github-token", 2..4), ("jwt", 4..6)]);
}

/// A harmless value is searched for the name of another one; a long one is not, or a hostile text costs its square.
#[test]
fn the_search_goes_on_inside_a_short_harmless_value() {
    let found = |text: &str| secrets(text).into_iter().map(|(_, range)| text[range].to_owned()).collect::<Vec<_>>();
    assert_eq!(found("password: example_password=hunter22"), ["hunter22"]);
    let of = |length: usize| {
        format!("password: example{:-<1$}_password=hunter22", "", length - "example_password=hunter22".len())
    };
    assert_eq!(found(&of(LOOK_INSIDE)), ["hunter22"]);
    assert!(found(&of(LOOK_INSIDE + 1)).is_empty());
    assert_eq!(found("password: hunter22 password: hunter33"), ["hunter22", "hunter33"]);
}
