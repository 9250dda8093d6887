//! What one utterance leads to: drafts, a wish to forget, a refusal, or nothing.
//!
//! An explicit wish is heard first and wins over the judge (not over secrets, nor over what is not worth
//! keeping, F7); then the judge decides.

use super::classifier::{Act, Classifier};
use super::compose::{Material, compose};
use super::draft::Draft;
use super::exchange::Utterance;
use super::sort::{kind_of, points_outside};
use super::tidy::tidy;
use super::topics::topics;
use super::wish::{Wish, wish};
use super::{RefusedWish, judge};
use memdir_reader::cues::{self, Clause};
use memdir_reader::sentences::sentences;
use memdir_reader::worth::{NotWorth, not_worth};

/// The score at which something that was asked to be remembered is refused.
const SURE: f32 = 0.6;
/// And how little it must sound like something to keep.
const DOUBTED: f32 = 0.4;

/// What one utterance leads to.
pub(super) enum Outcome {
    Drafts(Vec<Draft>),
    /// Not worth saving by itself; but if a known memory has another value for it, that one is out of date.
    Correction(Draft),
    Forget(Forget),
    Refused(RefusedWish),
    /// What was said just before does not count.
    Retracted,
    Nothing,
}

/// A wish to forget, and what it was said about.
pub(super) struct Forget {
    pub(super) words: String,
    pub(super) context: String,
    pub(super) message: String,
}

/// What one utterance leads to.
pub(super) fn read(classifier: Classifier, said: &[Utterance], at: usize) -> Outcome {
    if let Some(wished) = read_wish(classifier, said, at) {
        return wished;
    }
    let one = &said[at];
    if sentences(&one.words).into_iter().any(|sentence| Clause::new(sentence).retracts()) {
        return Outcome::Retracted;
    }
    let worthy = match judge::judge(classifier, one) {
        Ok(worthy) => worthy,
        Err(reason) => return corrects(one, reason).map_or(Outcome::Nothing, Outcome::Correction),
    };
    let groups = topics(classifier, &worthy.kept, &one.before, one.day);
    let alone = groups.len() == 1;
    let changes = Clause::new(&one.words).changes();
    let drafts = groups.iter().filter_map(|kept| {
        let text = kept.join(". ");
        let scores = if alone { worthy.kept_scores } else { classifier.classify(&text, &one.before) };
        // Of two topics, one may be the task at hand.
        let task = Clause::new(&tidy(&text)).requests() && !Clause::new(&text).is_durable();
        if !alone && (scores.save() < 0.1 || task) {
            return None;
        }
        let sounds = if alone { worthy.scores } else { scores };
        let material = Material {
            kept,
            kind: kind_of(&text, scores, sounds.act(), one.day),
            act: if sounds.of(Act::Confirmation) > 0.5 { Act::Confirmation } else { scores.act() },
            day: one.day,
            message: &one.id,
            proposal: &one.proposal,
            request: at.checked_sub(1).map(|before| said[before].words.as_str()),
        };
        let draft = compose(&material)?;
        Some(Draft { changes: draft.changes || changes, ..draft })
    });
    Outcome::Drafts(drafts.collect())
}

/// What says that something is no longer what it was, though it does not sound like much.
fn corrects(one: &Utterance, reason: judge::Unworthy) -> Option<Draft> {
    if !matches!(reason, judge::Unworthy::Ephemeral | judge::Unworthy::Unheard) || one.cut {
        return None;
    }
    let holds = |sentence: &str| {
        let clause = Clause::new(sentence);
        !clause.asks()
            && !clause.is_acknowledgement()
            && !clause.is_ephemeral()
            && !clause.is_doubtful()
            && !clause.requests()
    };
    let kept: Vec<String> = sentences(&one.words).into_iter().filter(|part| holds(part)).map(str::to_owned).collect();
    if !Clause::new(&kept.join(". ")).changes() {
        return None;
    }
    let material = Material {
        kept: &kept,
        // As one piece: what is new may stand behind a comma.
        kind: memdir_core::kind::Type::Reference,
        act: Act::Reference,
        day: one.day,
        message: &one.id,
        proposal: "",
        request: None,
    };
    compose(&material).map(|draft| Draft { changes: true, ..draft })
}

/// The same for what is asked of memory itself; `None`: it is for the judge, or for a model.
pub(super) fn read_wish(classifier: Classifier, said: &[Utterance], at: usize) -> Option<Outcome> {
    let one = &said[at];
    let message = one.id.clone();
    let scores = classifier.classify(&one.words, &one.before);
    // A wish in somebody else's words is nobody's wish.
    let quoted = scores.of(Act::Quoted) > SURE;
    match wish(&one.words).filter(|_| !quoted) {
        Some(Wish::Forget(words)) => {
            let context = format!("{} {}", said.get(at.wrapping_sub(1)).map_or("", |before| &before.words), one.before);
            return Some(Outcome::Forget(Forget { words, context, message }));
        }
        Some(Wish::Remember(what)) => return Some(remember(classifier, said, at, &what)),
        None => {}
    }
    if scores.of(Act::Forget) > 0.8 && cues::length(&one.words) > 2 {
        let context = one.before.clone();
        return Some(Outcome::Forget(Forget { words: one.words.clone(), context, message }));
    }
    None
}

/// Something was asked to be remembered: it is, unless it is a secret or not worth keeping (F7).
fn remember(classifier: Classifier, said: &[Utterance], at: usize, what: &str) -> Outcome {
    let one = &said[at];
    let refused = |reason: &'static str, why: &str, question: Option<&str>| {
        Outcome::Refused(RefusedWish {
            reason,
            why: why.to_owned(),
            question: question.map(str::to_owned),
            message: one.id.clone(),
        })
    };
    // "remember that" may point at the message before.
    let earlier = at.checked_sub(1).map(|before| said[before].words.as_str()).unwrap_or_default();
    let small = sentences(what).into_iter().all(|sentence| Clause::new(&tidy(sentence)).is_acknowledgement());
    let what = if cues::length(what) >= 3 && !small { what } else { earlier };
    let secret = one.words.contains(judge::REDACTED);
    let clean: Vec<String> = sentences(what)
        .into_iter()
        .map(Clause::new)
        .filter(|clause| !clause.asks() && (!secret || !judge::hides(clause)))
        .map(|clause| clause.text.to_owned())
        .collect();
    if secret && clean.iter().all(|sentence| cues::length(sentence) < 4) {
        let why = "It holds a secret; memdir never saves secrets.";
        return refused("secret", why, Some("Where is the secret kept, so that the place can be remembered?"));
    }
    let text = clean.join(" ");
    if cues::length(&text) < 3 {
        return refused(
            "nothing-said",
            "Nothing was said that could stand alone later.",
            Some("What exactly should be remembered?"),
        );
    }
    let scores = classifier.classify(&text, "");
    // How the wish sounds as a whole says more than what it is about alone.
    let wished = classifier.classify(&one.words, &one.before);
    let unlikely = wished.save() < DOUBTED && !Clause::new(&text).is_durable() && !points_outside(&text);
    let elsewhere = |text: &str| not_worth(text).filter(|reason| reason.stands_elsewhere());
    let verdict = elsewhere(&text).or_else(|| elsewhere(what)).or_else(|| {
        if judge::is_kept_elsewhere(one) || (unlikely && wished.of(Act::Derivable) > SURE) {
            Some(NotWorth::CodeStructure)
        } else if (unlikely && wished.of(Act::Ephemeral) + wished.of(Act::OneOff) > SURE)
            || Clause::new(&text).is_ephemeral()
        {
            Some(NotWorth::TaskState)
        } else {
            None
        }
    });
    if let Some(verdict) = verdict {
        let reason = if verdict == NotWorth::TaskState { "task-state" } else { "derivable" };
        return refused(reason, verdict.why(), Some(verdict.question()));
    }
    let material = Material {
        kept: &clean,
        kind: kind_of(&text, scores, scores.act(), one.day),
        act: scores.act(),
        day: one.day,
        message: &one.id,
        proposal: "",
        request: None,
    };
    Outcome::Drafts(compose(&material).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use memdir_core::kind::Type;

    fn said(words: &str, before: &str) -> Utterance {
        Utterance {
            id: "m".to_owned(),
            day: date(2026, 4, 14),
            words: words.to_owned(),
            withheld: false,
            cut: false,
            before: before.to_owned(),
            proposal: before.to_owned(),
            after: String::new(),
            fresh: true,
        }
    }

    fn kinds(words: &str, before: &str) -> Vec<Type> {
        match read(Classifier::new(), &[said(words, before)], 0) {
            Outcome::Drafts(drafts) => drafts.into_iter().map(|draft| draft.kind).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn f2_what_is_worth_keeping_by_its_kind() {
        for (words, before, kind) in [
            ("never commit generated files, the merge bot chokes on them", "Committed everything.", Type::Feedback),
            ("from now on run the formatter before you show me a diff", "", Type::Feedback),
            (
                "keeping the old endpoint was the right call, partners still poll it",
                "I kept the old endpoint.",
                Type::Feedback,
            ),
            ("I'm a hydrologist, I know fortran and nothing else", "", Type::User),
            ("I am away from friday for two weeks, Noor decides in the meantime", "", Type::Project),
            ("the tender closes on may 4, no api changes before that", "", Type::Project),
            (
                "the limit of two is on purpose, the carrier blocks us after three calls a minute",
                "The limit is two.",
                Type::Project,
            ),
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
            ("we might move to another cloud, nothing decided", ""),
            ("the handler is in src/api/orders.rs", ""),
            ("why does the pod restart every hour?", ""),
            ("the docs say you should always pin versions", ""),
            ("thanks, that looks good", "Done."),
            ("今天先别动这个分支", ""),
            ("summarise what we did", ""),
        ] {
            assert_eq!(kinds(words, before), [], "{words}");
        }
    }

    #[test]
    fn f7_a_wish_that_should_not_be_granted_is_answered_with_a_question() {
        let reason = |words: &str| match read(Classifier::new(), &[said(words, "")], 0) {
            Outcome::Refused(refused) => (refused.reason, refused.question.is_some()),
            _ => ("", false),
        };
        assert_eq!(reason("remember that the parser is in src/parse/mod.rs"), ("derivable", true));
        assert_eq!(reason("remember this for the next two steps: use the dev profile"), ("task-state", true));
        assert_eq!(reason("the password is [redacted: password], remember it"), ("secret", true));
        assert_eq!(reason("remember that"), ("nothing-said", true));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn anything_can_be_said(words in "(?s).{0,120}|([a-z']{1,8}[ ,.?!\n-]{1,2}){0,30}|[我以后别记住删掉,。? a-z]{0,40}", before in ".{0,40}") {
            let _ = read(Classifier::new(), &[said("earlier words", ""), said(&words, &before)], 1);
        }
    }
}
