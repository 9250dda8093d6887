//! What a memory says after a verdict.
//!
//! Enters: a memory, the new statement and the verdict on it. Leaves: the memory as it reads then, and whether its file name still fits.
//! An update leaves no trace of the old value in text, name or description (K2), and the old reason goes with the old rule; a refinement
//! says both (K3); a long note keeps every byte but the sentence that changed. Pure: nothing is read or written.

use std::ops::Range;

use super::body::Body;
use super::claims::Outdated;
use super::exchange::Exchange;
use super::habit;
use super::swap::swapped;
use super::verdict::Verdict;
use memdir_core::kind::Type;
use memdir_core::limits::DESCRIPTION_CHARS;
use memdir_lexicon as lexicon;
use memdir_reader::facts::Facts;
use memdir_reader::phrase_match::PhraseMatcher;
use memdir_reader::plain::Label;
use memdir_reader::subjects::opens_with_reason;
use memdir_reader::{likeness, long_note, title};
use memdir_store::topic::{BrokenFrontmatter, Topic};

/// What is said anew.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct NewStatement {
    pub(in crate::engine) text: String,
    pub(in crate::engine) why: Option<String>,
    pub(in crate::engine) apply: Option<String>,
    /// A name and a description that somebody chose.
    pub(in crate::engine) name: Option<String>,
    pub(in crate::engine) description: Option<String>,
    pub(in crate::engine) kind: Option<Type>,
    /// When it was said, where that is not now.
    pub(in crate::engine) said_at: Option<jiff::Timestamp>,
}

/// A memory after a verdict.
pub(in crate::engine) struct Revised {
    pub(in crate::engine) topic: Topic,
    /// The old words and the new ones, for lines that speak of them.
    pub(in crate::engine) swaps: Vec<(String, String)>,
    /// Its file name claims what no longer holds.
    pub(in crate::engine) misnamed: bool,
}

/// How a memory reads after a verdict; `None` where that leaves it as it is.
pub(super) fn reads(
    topic: &Topic,
    stem: &str,
    new: &NewStatement,
    verdict: &Verdict,
) -> Result<Option<Revised>, BrokenFrontmatter> {
    match verdict {
        Verdict::Update(_, place) => revise(topic, stem, new, place.clone()).map(Some),
        Verdict::Drop(_) => revise(topic, stem, new, None).map(Some),
        Verdict::Refine(_) => Ok(Some(Revised { topic: refine(topic, new)?, swaps: Vec::new(), misnamed: false })),
        Verdict::New | Verdict::Same(_) | Verdict::Undecided(_) => Ok(None),
    }
}

/// Lets a memory say the new statement in place of the old one, or of one sentence of its body.
pub(in crate::engine) fn revise(
    topic: &Topic,
    stem: &str,
    new: &NewStatement,
    sentence: Option<Range<usize>>,
) -> Result<Revised, BrokenFrontmatter> {
    let mut topic = topic.clone();
    let (name, description) =
        (topic.name().unwrap_or_default().into_owned(), topic.description().unwrap_or_default().into_owned());
    let body = topic.body().into_owned();
    let parts = Body::read(&body);
    let old = match &sentence {
        Some(place) => body.get(place.clone()).unwrap_or(&body).trim().to_owned(),
        None => parts.statement.clone(),
    };
    let new = &NewStatement { text: habit::kept(&old, &new.text).into_owned(), ..new.clone() };
    let outdated = Outdated::between(&old, &new.text);
    let exchange = Exchange::between(&old, &new.text);
    let new_text = swapped(&old, &new.text).unwrap_or_else(|| with_what_stays(&new.text, &old, exchange.as_ref()));
    let renewed = |text: &str| exchange.as_ref().and_then(|exchange| exchange.applied_to(text));
    let is_lead = sentence.as_ref().is_none_or(|place| body[..place.start].trim().is_empty());
    let after = match sentence.clone().filter(|_| !is_lead || long_note::is_long(&body) || parts_after(&parts, &old)) {
        Some(place) => {
            let said = body.get(place.clone()).unwrap_or_default();
            let (lead, trail) = margins(said);
            let beside = |text: &str| renewed(text).unwrap_or_else(|| text.to_owned());
            let (before, behind) = (beside(&body[..place.start]), beside(&body[place.end..]));
            format!("{before}{lead}{}{trail}{behind}", ended_like(&new_text, said))
        }
        None => Body {
            statement: new_text,
            why: new.why.clone(),
            apply: new.apply.clone(),
            rest: renewed(&parts.rest).unwrap_or(parts.rest),
        }
        .written(body.ends_with('\n')),
    };
    let stale = |text: &str| outdated.claimed_by(text);
    let after = if is_lead && !long_note::is_long(&body) {
        // A reason belongs to the rule it was given for.
        let told = Body::read(&after);
        let apply = new
            .apply
            .clone()
            .or_else(|| told.apply.clone().and_then(|apply| if stale(&apply) { renewed(&apply) } else { Some(apply) }));
        Body { why: new.why.clone(), apply, ..told }.written(body.ends_with('\n'))
    } else if is_lead {
        let keeps = |line: &&str| !matches!(Label::of(line), Some((Label::Why, why)) if stale(why));
        after.split_inclusive('\n').filter(keeps).collect()
    } else {
        after
    };
    topic.set_body(&after);
    // A name or a description that holds the old value says the new one; one that says it in other words is made anew.
    let again = |text: &str| renewed(text).filter(|text| !stale(text));
    let named =
        new.name.clone().or_else(|| stale(&name).then(|| again(&name).unwrap_or_else(|| title::title(&new.text))));
    if let Some(named) = named {
        topic.set("name", &named)?;
    }
    // A description that only says what a memory is about goes on doing so.
    let claims = stale(&description) || likeness::contains(&old, &description);
    let described = new
        .description
        .clone()
        .or_else(|| claims.then(|| again(&description).unwrap_or_else(|| title::summary(&new.text))));
    if let Some(described) = described {
        topic.set("description", &described)?;
    }
    if topic.kind().is_none()
        && let Some(kind) = new.kind
    {
        topic.set_kind(kind)?;
    }
    let misnamed = stale(&stem.replace(['_', '-', '.'], " "));
    Ok(Revised { topic, swaps: vec![(old, new.text.clone())], misnamed })
}

/// Lets a memory say the new statement besides what it says.
pub(in crate::engine) fn refine(topic: &Topic, new: &NewStatement) -> Result<Topic, BrokenFrontmatter> {
    let mut topic = topic.clone();
    let body = topic.body().into_owned();
    let added =
        Body { statement: new.text.clone(), why: new.why.clone(), apply: new.apply.clone(), rest: String::new() };
    topic.set_body(&likeness::merge_body(&body, &added.written(true)));
    let description = topic.description().unwrap_or_default().into_owned();
    let described = new.description.clone().unwrap_or_else(|| {
        let more = title::summary(&new.text);
        let both = format!("{}; {more}", description.trim_end_matches(['.', '。']));
        if description.is_empty() || both.chars().count() > DESCRIPTION_CHARS { more } else { both }
    });
    let claims = likeness::contains(&body, &description) && !long_note::is_long(&body);
    if claims || new.description.is_some() {
        topic.set("description", &described)?;
    }
    if let Some(name) = &new.name {
        topic.set("name", name)?;
    }
    Ok(topic)
}

/// The new statement with the clauses of the old one that speak of something else and hold a fact: who says that criticals are
/// patched within three days has not said that highs no longer are within thirty.
fn with_what_stays(new: &str, old: &str, exchange: Option<&Exchange>) -> String {
    if let Some(tail) = exchange.map(|exchange| &exchange.tail).filter(|tail| !tail.is_empty()) {
        return format!("{}{tail}", new.trim_end().trim_end_matches(['.', '。', '!', '！']));
    }
    let (wanted, facts) = (likeness::words(new), Facts::read(new));
    // "… the rest is unchanged": what it does not name goes on.
    let as_before = PhraseMatcher::new(new).says(&lexicon::UNCHANGED);
    let first = old.split([';', '；', '，', ',']).next().unwrap_or_default();
    let (new_numbers, first_numbers) = (numbers(new), numbers(first));
    // Its number is the one that changed, said twice, or of the same form as the new one: a version, a time.
    let outdated = |clause: &str| {
        numbers(clause).iter().filter(|number| !new_numbers.contains(*number)).any(|number| {
            let alike = |new: &&String| form(new) == form(number) && number.contains(['.', ':']);
            first_numbers.contains(number) || new_numbers.iter().any(|new| alike(&new))
        })
    };
    let stays = |clause: &&str| {
        let words = likeness::words(clause);
        let shared = words.iter().filter(|word| wanted.contains(word)).count();
        // A reason goes with what it was given for.
        words.len() > 1
            && !outdated(clause)
            && (as_before || shared * 2 < words.len())
            && !opens_with_reason(clause)
            && !facts.names_all(&Facts::read(clause))
    };
    let clauses = old.split([';', '；', '，', ',']).map(|clause| clause.trim().trim_end_matches(['.', '。']));
    let kept: Vec<&str> = clauses.skip(1).filter(stays).collect();
    if kept.is_empty() {
        new.to_owned()
    } else {
        format!("{}; {}", new.trim_end_matches(['.', '。']), kept.join("; "))
    }
}

/// The numbers of a text with what joins them.
fn numbers(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ':')));
    let numbers = parts.map(|part| part.trim_matches(['.', ':']).to_owned());
    numbers.filter(|number| number.contains(|c: char| c.is_ascii_digit())).collect()
}

/// What a number looks like: `22.04` is `00.00`.
fn form(number: &str) -> String {
    number.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// Whether a body says more than the sentence that changes.
fn parts_after(parts: &Body, sentence: &str) -> bool {
    parts.statement.trim().len() > sentence.len()
}

/// What stands before and behind the words of a sentence: a bullet, blanks.
fn margins(sentence: &str) -> (&str, &str) {
    let words = sentence.trim_start_matches([' ', '\t', '-', '*', '+', '>', '\n', '\r']);
    let lead = &sentence[..sentence.len() - words.len()];
    let trail = &words[words.trim_end().len()..];
    (lead, trail)
}

/// A text with the end of a sentence where the sentence in whose place it stands had one.
fn ended_like(text: &str, sentence: &str) -> String {
    let ends = ['.', '!', '?', '。', '！', '？'];
    let last = sentence.trim_end().chars().last();
    match last.filter(|last| ends.contains(last)) {
        Some(last) if !text.trim_end().ends_with(ends) => format!("{}{last}", text.trim_end()),
        _ => text.trim_end().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_store::topic::NewTopic;

    fn topic(name: &str, description: &str, body: &str) -> Topic {
        Topic::compose(&NewTopic { name, description, kind: Some(Type::Project), body, pinned: false })
    }

    fn said(text: &str, why: Option<&str>) -> NewStatement {
        NewStatement { text: text.to_owned(), why: why.map(str::to_owned), ..NewStatement::default() }
    }

    fn parts(topic: &Topic) -> (String, String, String) {
        let text = |part: Option<std::borrow::Cow<'_, str>>| part.unwrap_or_default().into_owned();
        (text(topic.name()), text(topic.description()), topic.body().into_owned())
    }

    #[test]
    fn k2_an_update_says_the_new_only_and_the_old_reason_goes() {
        let old =
            topic("Use pnpm", "Installs go through pnpm", "Installs go through pnpm.\n\n**Why:** one lockfile.\n");
        let new = revise(&old, "feedback_use_pnpm", &said("Installs go through yarn", None), None).unwrap();
        assert_eq!(
            parts(&new.topic),
            ("Use yarn".into(), "Installs go through yarn".into(), "Installs go through yarn\n".into())
        );
        assert!(new.misnamed);
        let new =
            revise(&old, "feedback_installs", &said("Installs go through yarn", Some("the cache.")), None).unwrap();
        assert!(parts(&new.topic).2.contains("**Why:** the cache.") && !new.misnamed);
    }

    #[test]
    fn k2_a_reason_inside_the_sentence_goes_with_it() {
        for (old, new) in [
            ("Wir benutzen immer pnpm, weil yarn die Lockdatei zerstört.", "Nimm yarn statt pnpm"),
            ("一律用 pnpm，因为 yarn 会弄坏 3 个锁文件", "改用 yarn，不要用 pnpm"),
            ("Backups go to tape, because S3 costs 40 euros", "Backups go to S3"),
        ] {
            let topic = revise(&topic("x", old, old), "x", &said(new, None), None).unwrap().topic;
            assert_eq!(parts(&topic).2.trim(), new, "{old}");
        }
    }

    #[test]
    fn k2_a_topic_stays_a_topic_and_a_claim_does_not() {
        let old = topic("恒泰对接人", "恒泰的资料找财务经理周敏", "恒泰的资料找财务经理周敏要,走邮箱。\n");
        let new = revise(&old, "project_client", &said("恒泰的资料现在都由吴倩提供", None), None).unwrap();
        let (name, description, _) = parts(&new.topic);
        assert_eq!((name.as_str(), description.as_str()), ("恒泰对接人", "恒泰的资料现在都由吴倩提供"));
        let old = topic("Log retention", "How long logs are kept", "Logs are kept 30 days.\n");
        let new = revise(&old, "project_logs", &said("Logs are kept 90 days", None), None).unwrap();
        assert_eq!(parts(&new.topic).1, "How long logs are kept");
    }

    #[test]
    fn k2_one_sentence_of_several_changes() {
        let body = "Playtest is every Thursday at 15:00. Builds are cut two hours before.\n\n- notes go in the doc\n";
        let old = topic("Playtest", "When the team plays", body);
        let place = 0.."Playtest is every Thursday at 15:00. ".len();
        let new = revise(&old, "project_playtest", &said("playtest moved to Tuesday", None), Some(place)).unwrap();
        assert_eq!(
            parts(&new.topic).2,
            "playtest moved to Tuesday. Builds are cut two hours before.\n\n- notes go in the doc\n"
        );
    }

    #[test]
    fn k2_what_the_same_sentence_says_of_other_things_stays() {
        let old = topic("Patching", "How fast we patch", "Criticals are patched within 7 days, highs within 30.\n");
        let new = revise(&old, "project_patching", &said("Criticals are patched within 3 days", None), None).unwrap();
        assert_eq!(parts(&new.topic).2, "Criticals are patched within 3 days, highs within 30\n");
    }

    #[test]
    fn k2_what_is_said_to_be_unchanged_stays_and_an_old_number_does_not() {
        for (old, new, text) in [
            (
                "Die Höhen stehen auf a.example, in Metern über Null",
                "Die Höhen stehen jetzt auf b.example; die Einheit bleibt gleich",
                "Die Höhen stehen jetzt auf b.example; die Einheit bleibt gleich; in Metern über Null",
            ),
            (
                "抄表口固定 2400 波特，偶校验。",
                "红外口统一 9600，校验方式不变。",
                "红外口统一 9600，校验方式不变; 偶校验",
            ),
            ("Robots run Humble, Ubuntu 22.04 on board", "robots run Jazzy on 24.04", "robots run Jazzy on 24.04"),
            ("All run Node 18; the image is node:18-slim", "Node is 22 everywhere", "Node is 22 everywhere"),
        ] {
            let topic = revise(&topic("x", old, old), "x", &said(new, None), None).unwrap().topic;
            assert_eq!(parts(&topic).2.trim(), text, "{old}");
        }
    }

    #[test]
    fn k3_a_refinement_says_both() {
        let old = topic("Short answers", "Keep answers under ten lines", "Keep answers under ten lines.\n");
        let new = refine(&old, &said("Longer answers are fine about security", None)).unwrap();
        let (_, description, body) = parts(&new);
        for text in [description, body] {
            assert!(text.contains("ten lines") && text.contains("security"), "{text}");
        }
    }
}
