use jiff::Timestamp;
use jiff::civil::date;
use proptest::prelude::*;

use super::*;

fn said(words: &str, before: &str) -> Utterance {
    Utterance {
        id: "m".to_owned(),
        day: date(2026, 4, 14),
        time: Timestamp::UNIX_EPOCH,
        words: words.to_owned(),
        withheld: false,
        cut: false,
        before: before.to_owned(),
        proposal: before.to_owned(),
        fresh: true,
    }
}

fn outcome_of(words: &str, before: &str) -> Outcome {
    read(Networks::default(), &[said(words, before)], 0)
}

fn kinds(words: &str, before: &str) -> Vec<Type> {
    outcome_of(words, before).drafts.into_iter().map(|draft| draft.kind).collect()
}

#[test]
fn f2_what_is_worth_keeping_by_its_kind() {
    for (words, before, kind) in [
        ("never commit generated files, the merge bot chokes on them", "Committed everything.", Type::Feedback),
        ("from now on run the formatter before you show me a diff", "", Type::Feedback),
        ("from now on keep answers short", "", Type::Feedback),
        ("pls no emoji in commit messages ever", "Committed.", Type::Feedback),
        (
            "keeping the old endpoint was exactly right, partners still poll it",
            "I kept the old endpoint.",
            Type::Feedback,
        ),
        ("I'm a hydrologist, I know fortran and nothing else", "", Type::User),
        ("the tender closes on may 4, no api changes before that", "", Type::Project),
        ("Noor owns billing since the reorg", "", Type::Project),
        ("incident reports are kept in Confluence, space OPS", "", Type::Reference),
        ("压测脚本放在语雀「性能」里", "", Type::Reference),
        ("以后提交信息都写中文", "", Type::Feedback),
    ] {
        assert_eq!(kinds(words, before), [kind], "{words}");
    }
}

#[test]
fn f7_what_is_not_worth_keeping() {
    for (words, before) in [
        ("rename the second column to total", ""),
        ("no, the other button", "Changed the first one."),
        ("for now just hardcode it", ""),
        ("the handler is in src/api/orders.rs", ""),
        ("why does the pod restart every hour?", ""),
        ("if we ever moved to another cloud we would need a second vpn", ""),
        ("oh great, another flaky test, my favourite", "The test failed again."),
        ("thanks, that looks good", "Done."),
        ("今天先别动这个分支", ""),
        ("summarise what we did", ""),
    ] {
        assert_eq!(kinds(words, before), [], "{words}");
    }
}

#[test]
fn f3_a_reason_goes_with_its_rule() {
    for (words, rule, why) in [
        ("don't mock the db in tests. a broken migration slipped through last year", "Don't mock", "migration"),
        ("never push charts without a changelog entry, ops has no idea what changed otherwise", "Never push", "ops"),
        ("测试里别mock数据库，上次全绿上线炸了", "mock数据库", "上次全绿"),
    ] {
        let drafts = outcome_of(words, "").drafts;
        let [draft] = drafts.as_slice() else { panic!("{words}: {drafts:?}") };
        assert!(draft.statement.contains(rule), "{draft:?}");
        assert!(draft.why.as_deref().is_some_and(|said| said.to_lowercase().contains(why)), "{draft:?}");
    }
}

#[test]
fn a_fact_beside_a_task_or_a_question_is_still_a_fact() {
    for words in [
        "the warehouse api is frozen until june 3. can you check the retry test?",
        "rename the column to total. and the audit starts on may 12, nothing ships after that",
    ] {
        let drafts = outcome_of(words, "").drafts;
        let [draft] = drafts.as_slice() else { panic!("{words}: {drafts:?}") };
        assert!(draft.statement.contains("2026-") && !draft.statement.contains("column"), "{draft:?}");
    }
}

#[test]
fn x_what_holds_today_or_is_laughed_about_is_not_kept() {
    for words in [
        "Hoje não mexe no módulo de fretes, estou no meio de um rebase nele",
        "por hoy déjame los logs en debug",
        "太棒了，以后函数都写八百行，少于八百行不给合 哈哈",
    ] {
        assert_eq!(kinds(words, ""), [], "{words}");
    }
    let day = date(2026, 4, 14);
    assert!(is_for_today("today only run the unit tests", day));
    assert!(!is_for_today("from today on run the unit tests", day) && !is_for_today("ab heute nur noch yarn", day));
    assert!(!is_for_today("run the unit tests", day) && !is_for_today("the audit is tomorrow", day));
}

#[test]
fn x1_a_rule_that_says_always_is_one() {
    assert_eq!(kinds("always use pnpm in this repo", "ok"), [Type::Feedback]);
    assert_eq!(kinds("add the refund test, and as always no mocked db please", ""), []);
}

#[test]
fn what_is_taken_back_is_not_kept() {
    for (first, then) in [
        ("from now on put the sheet scale in the file name", "hmm wait. no. that breaks the links, forget it"),
        ("all captions in italics from now on", "ugh no that looks awful. as you were"),
        ("以后报表都用横版", "算了,打印机横版会裁边,还是原来那样"),
        ("Performance reviews will be on the 18th of January.", "Actually scrap that, nothing is fixed yet."),
    ] {
        let both = [said(first, ""), said(then, "All right.")];
        let outcome = read(Networks::default(), &both, 1);
        assert!(outcome.retracts || outcome.forgets.iter().any(|forget| forget.points_back), "{then}: {outcome:?}");
        assert!(!outcome_of(first, "").drafts.is_empty(), "{first}");
    }
}

#[test]
fn k8_two_topics_are_two_memories() {
    let drafts = outcome_of("never push on fridays. also the sprint board is at board.example.org/x", "").drafts;
    assert_eq!(drafts.iter().map(|draft| draft.kind).collect::<Vec<_>>(), [Type::Feedback, Type::Reference]);
}

#[test]
fn what_cannot_stand_alone_takes_what_it_means_along_or_is_left() {
    let drafts = outcome_of("yes, always do it like that", "I kept the old renderer behind a flag.").drafts;
    assert!(drafts.iter().all(|draft| draft.told().contains("behind a flag")) && !drafts.is_empty(), "{drafts:?}");
    assert_eq!(kinds("always do it like that", ""), []);
}

#[test]
fn a_wish_is_granted_with_its_reason_and_points_back_where_it_says_nothing_itself() {
    for (words, statement) in [
        ("remember that prices are in cents", "Prices are in cents."),
        ("the license server is behind the vpn. remember that please", "The license server is behind the vpn."),
        ("记住,线上只能读从库", "线上只能读从库。"),
    ] {
        let drafts = outcome_of(words, "").drafts;
        assert_eq!(drafts.iter().map(|draft| draft.statement.as_str()).collect::<Vec<_>>(), [statement], "{words}");
    }
}

#[test]
fn f7_a_wish_that_should_not_be_granted_is_answered_with_a_question() {
    let reason = |words: &str| {
        let outcome = outcome_of(words, "");
        assert!(outcome.drafts.is_empty(), "{words}");
        outcome.refused.map(|refused| (refused.reason, refused.question.is_some()))
    };
    assert_eq!(reason("remember that the parser is in src/parse/mod.rs"), Some(("derivable", true)));
    assert_eq!(reason("remember this for the next two steps: use the dev profile"), Some(("task-state", true)));
    assert_eq!(reason("remember that"), Some(("nothing-said", true)));
}

#[test]
fn k5_a_wish_to_forget_leaves_the_rest_of_the_message() {
    for words in [
        "forget what I said about tabs",
        "please forget my working hours, I don't want that stored",
        "把发版日那条记忆删掉",
    ] {
        assert_eq!(outcome_of(words, "").forgets.len(), 1, "{words}");
    }
    let outcome = outcome_of("forget the thing about the freeze. deploys go through the portal from now on", "");
    assert!(outcome.forgets[0].words.contains("freeze") && outcome.drafts.len() == 1, "{outcome:?}");
}

#[test]
fn what_only_sounds_like_a_wish_is_none() {
    for words in [
        "do you remember the freeze?",
        "别忘了我是做前端的",
        "don't forget to push",
        "you forgot the semicolon",
        "remember to push",
    ] {
        let outcome = outcome_of(words, "");
        assert!(outcome.forgets.is_empty() && outcome.drafts.is_empty(), "{words}: {outcome:?}");
    }
}

#[test]
fn a_message_that_tells_a_secret_yields_nothing() {
    let words = "never print tokens into logs. the db password is hunter22 by the way";
    assert!(outcome_of(words, "").drafts.is_empty());
    let told = Utterance { withheld: true, ..said("never print tokens into logs", "") };
    let outcome = read(Networks::default(), &[told], 0);
    assert!(outcome.drafts.is_empty() && outcome.refused.is_some_and(|refused| refused.reason == "secret"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn anything_can_be_said(words in "(?s).{0,120}|([a-z']{1,8}[ ,.?!\n-]{1,2}){0,30}|[我以后别记住删掉,。? a-z]{0,40}", before in ".{0,40}") {
        let _ = read(Networks::default(), &[said("earlier words", ""), said(&words, &before)], 1);
    }
}
