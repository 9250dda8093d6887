//! A memory made of what a person said.
//!
//! Enters: the sentences worth keeping, what they answer, and the day. Leaves: a draft: the rule or fact
//! first, then why and where it applies (F3), absolute dates (F4), a name and a description that a
//! stranger understands, a type and a scope (T2). The words stay the person's; only small talk, "I" and
//! "tomorrow" are changed. Never adds what nobody said.

use jiff::civil::Date;

use super::clause::{clauses, sentences};
use super::cues::{self, Clause};
use super::hearing::{Act, Heard};
use super::person::about_user;
use crate::kind::{Scope, Type};
use crate::text::{code_words, dates, guess, likeness, title};

/// A memory that is not written yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    pub(super) kind: Type,
    pub(super) scope: Scope,
    pub(super) statement: String,
    pub(super) why: Option<String>,
    pub(super) apply: Option<String>,
    pub(super) day: Date,
    /// The messages it comes from, the first first.
    pub(super) messages: Vec<String>,
    /// It was asked for in so many words.
    pub(super) explicit: bool,
    /// It says that something is not what it was.
    pub(super) changes: bool,
    /// What it is about, where its own words only say "it".
    pub(super) context: Option<String>,
    /// The question it answers, where its own words do not say so.
    pub(super) about: Option<String>,
}

impl Draft {
    pub(super) fn name(&self) -> String {
        title::title(&self.statement)
    }

    pub(super) fn description(&self) -> String {
        title::summary(&self.statement)
    }

    /// All of it, to be compared with what is known.
    pub(super) fn text(&self) -> String {
        let why = self.why.as_deref().map(|why| format!("\n\n**Why:** {why}")).unwrap_or_default();
        format!("{}{why}", self.statement)
    }

    /// What the file says before its reasons.
    pub(super) fn told(&self) -> String {
        let about = self.about.as_deref().map(|about| format!("\n\nAbout: {about}")).unwrap_or_default();
        format!("{}{about}", self.statement)
    }

    /// What it says together with what it is about.
    pub(super) fn in_context(&self) -> Option<String> {
        self.context.as_ref().map(|context| format!("{context} {}", self.statement))
    }

    /// Takes in what a later message adds.
    pub(super) fn join(&mut self, other: Draft) {
        let both = |a: Option<String>, b: Option<String>| match (a, b) {
            (Some(a), Some(b)) => Some(format!("{a} {b}")),
            (a, b) => a.or(b),
        };
        self.statement = format!("{} {}", self.statement, other.statement);
        self.why = both(self.why.take(), other.why);
        self.apply = self.apply.take().or(other.apply);
        self.messages.extend(other.messages);
        self.explicit |= other.explicit;
        self.context = self.context.take().or(other.context);
        self.about = self.about.take().or(other.about);
        self.changes |= other.changes;
        if self.scope == Scope::Private && self.kind != Type::User {
            self.scope = other.scope;
        }
    }
}

/// What a draft is made from.
pub(super) struct Material<'m> {
    pub(super) kept: &'m [String],
    pub(super) kind: Type,
    pub(super) act: Act,
    pub(super) day: Date,
    pub(super) message: &'m str,
    /// What the assistant had proposed.
    pub(super) proposal: &'m str,
    /// What the person had asked for before.
    pub(super) request: Option<&'m str>,
    pub(super) explicit: bool,
}

/// Makes a draft; `None` when nothing is left that can stand alone.
pub(super) fn compose(from: &Material<'_>) -> Option<Draft> {
    let tidied: Vec<String> = from.kept.iter().map(|sentence| tidy(sentence)).filter(|s| !s.is_empty()).collect();
    let whole = tidied.join(". ");
    if cues::length(&whole) < 2 {
        return None;
    }
    let (complaints, tidied): (Vec<String>, Vec<String>) =
        tidied.into_iter().partition(|sentence| is_complaint(sentence));
    let Told { said: mut statements, whys, uses } = told_apart(&tidied, from.kind);
    statements.extend(complaints.iter().map(|sentence| unwanted(sentence)));
    if from.act == Act::Confirmation
        && let Some(choice) = approved(&whole, from.proposal)
    {
        statements.push(choice);
    }
    let spoken = Clause::new(&whole);
    let finish = |pieces: &[String]| -> String {
        let text = about_user(&pieces.iter().map(|piece| ended(piece)).collect::<Vec<_>>().join(" "));
        let text = dates::resolve(&text, from.day).text;
        sentences(&text).into_iter().map(capital).collect::<Vec<_>>().join(" ")
    };
    let statement = finish(&statements);
    let why = (!whys.is_empty()).then(|| finish(&whys));
    let last = last_date(&format!("{statement} {}", why.as_deref().unwrap_or_default()));
    let factual = matches!(from.kind, Type::Project | Type::Reference);
    let about = from.request.filter(|_| factual).and_then(|request| question(&whole, request));
    let apply = match from.kind {
        Type::Feedback => from.request.and_then(|request| context(&whole, request)),
        Type::Project if !uses.is_empty() => Some(finish(&uses)),
        Type::Project => last
            .filter(|last| *last >= from.day)
            .map(|last| format!("Plan with it; after {last} check whether it still holds.")),
        _ => None,
    };
    Some(Draft {
        kind: from.kind,
        scope: scope(from.kind, &spoken),
        why: why.filter(|_| matches!(from.kind, Type::Feedback | Type::Project)),
        statement,
        about,
        apply,
        day: from.day,
        messages: vec![from.message.to_owned()],
        explicit: from.explicit,
        changes: spoken.changes(),
        context: from.request.filter(|_| points_back(&whole)).map(str::to_owned),
    })
}

/// The type of what was said: how it sounds, and what it is about.
pub(super) fn kind_of(text: &str, heard: Heard, act: Act, day: Date) -> Type {
    let clause = Clause::new(text);
    let opening = tidy(text);
    let ordered = Clause::new(&opening).commands_first();
    let ahead = last_date(&dates::resolve(text, day).text).is_some_and(|last| last > day);
    let pointed = names_a_place(text);
    let guessed = guess::guess_kind(text);
    let score = |kind: Type| {
        let sound = match kind {
            Type::User => heard.of(Act::Profile),
            Type::Feedback => heard.of(Act::Correction) + heard.of(Act::Confirmation),
            Type::Project => heard.of(Act::Project),
            Type::Reference => heard.of(Act::Reference),
        };
        let sign = match kind {
            // A rule with an end, or somebody's plan, is a matter of the project.
            Type::Project if ahead && clause.is_dated_plan() => 2.2,
            Type::Project if ahead && !pointed => 1.2,
            Type::Project if clause.explains_choice() => 0.9,
            Type::Feedback if clause.prefers_over() => 1.2,
            Type::Feedback if ordered && !clause.tells_identity() => 0.8,
            Type::Feedback if clause.commands() && !clause.is_about_self() => 0.25,
            Type::User if clause.tells_identity() => 0.3,
            Type::Reference if pointed => 0.7,
            Type::Reference if points_outside(text) => 0.2,
            _ => 0.0,
        };
        sound + sign + if guessed == kind { 0.2 } else { 0.0 } + if act.kind() == Some(kind) { 0.1 } else { 0.0 }
    };
    Type::ALL.into_iter().max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(Type::Project)
}

/// Whether it says where something is, by the name of the place: in the "Costs" sheet, on board x.example/y.
fn names_a_place(text: &str) -> bool {
    let quoted = ['"', '「', '“', '\''].iter().any(|mark| text.contains(*mark));
    let address = text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
        word.contains("://")
            || (word.contains('.') && word.contains('/') && !code_words::is_path(word))
            || (word.starts_with('#') && word.len() > 3 && word[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    let located = Clause::new(text).says(
        "in|on|at|under|via|through|lives|kept|tracked|documented|posted|posts|checks|collected|listed|managed|在|见|去|找|查|看",
    );
    located && (address || (quoted && points_outside(text)))
}

/// Whether something outside the repository is named: an address, a channel, a place in quotation marks.
pub(super) fn points_outside(text: &str) -> bool {
    Clause::new(text).says(
        "://|dashboard*|board|boards|channel*|wiki*|notion*|confluence*|jira*|linear|grafana*|slack*|figma*|sheet*|spreadsheet*|\
         vault*|bucket*|portal*|sharepoint*|drive|kibana*|sentry*|datadog*|pagerduty*|opsgenie*|airtable*|trello*|asana*|miro*|\
         workspace*|runbook*|mailbox*|vpn|飞书|语雀|看板|钉钉|知识库|群|企业微信|禅道|网盘",
    ) || text.split_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
        (word.starts_with('#') && word.len() > 3 && word[1..].starts_with(|c: char| c.is_ascii_alphabetic()))
            || (word.contains('.') && word.contains('/') && !code_words::is_path(word))
    })
}

/// Personal, or everybody's (T2).
fn scope(kind: Type, said: &Clause<'_>) -> Scope {
    let mine = said.says("i|i'm|i'd|i've|me|my|i'll|我|myself") && !said.says("我们");
    let ours = said.says(
        "we|we're|our|us|team|everyone|everybody|company|customer*|client*|contract*|ops|prod|production|release*|migration*|main|\
         provider|vendor|legal|convention|house|我们|团队|组|大家|统一|线上|客户",
    );
    match kind {
        Type::User => Scope::Private,
        Type::Feedback if mine || !ours => Scope::Private,
        _ => Scope::Team,
    }
}

/// Words that only lead on to what is said; a comma, colon or stop must follow.
const LEADS: &[&str] = &[
    "ok",
    "okay",
    "yes",
    "yeah",
    "yep",
    "no",
    "nope",
    "hm",
    "hmm",
    "ah",
    "oh",
    "wait",
    "hold on",
    "hey",
    "hi",
    "hello",
    "well",
    "so",
    "good",
    "great",
    "nice",
    "perfect",
    "right",
    "exactly",
    "thanks",
    "sorry",
    "cool",
    "fine",
    "sure",
    "works",
    "look",
    "again",
    "for context",
    "quick context",
    "context",
    "some context",
    "for planning",
    "one more thing",
    "another thing",
    "heads up",
    "fyi",
    "btw",
    "by the way",
    "as i said",
    "like i said",
    "first",
    "second",
    "third",
    "fourth",
    "finally",
    "last",
    "note",
    "reminder",
    "ok so",
    "for the record",
    "just so you know",
    "i mean",
    "to be clear",
    "hm no",
    "hm right",
    "ok long list today",
    "good point",
    "two things changed",
    "two things",
    "one thing",
    "small thing",
    "correction",
    "update",
    "hang on",
    "too much",
    "not quite",
    "please",
    "also",
    "and",
    "but",
    "then",
    "anyway",
    "actually",
    "agreed",
    "understood",
    "makes sense",
    "got it",
    "thought so",
    "对了",
    "对",
    "好的",
    "好",
    "嗯",
    "另外",
    "还有",
    "顺便",
    "顺便说一下",
    "哦",
    "其实",
    "可以",
    "不用",
    "不是",
    "提醒一下",
    "那个",
    "行",
    "不对",
    "等等",
    "是的",
    "没错",
];

/// The same, where only a space follows.
const LEADS_SPACED: &[&str] = &[
    "and",
    "but",
    "also",
    "please",
    "pls",
    "btw",
    "fyi",
    "ok",
    "okay",
    "oh",
    "ah",
    "hm",
    "so please",
    "just fyi",
    "另外",
    "请",
    "对了",
];

/// What only trails behind.
const TRAILS: &[&str] = &[
    "please",
    "pls",
    "btw",
    "by the way",
    "thanks",
    "thank you",
    "thx",
    "ok",
    "okay",
    "redo",
    "fyi",
    "haha",
    "lol",
    "哈",
    "谢谢",
];

/// A sentence without the small talk around it.
pub(super) fn tidy(sentence: &str) -> String {
    let mut rest = sentence.trim().trim_start_matches(['-', '*', '•', ' ']);
    'lead: loop {
        let lower = rest.to_lowercase();
        for lead in LEADS {
            if lower.len() == rest.len()
                && let Some(after) = lower.strip_prefix(lead)
                && after.starts_with([',', ':', '.', '!', ';', '，', '：', '。', '、'])
            {
                let next =
                    rest[lead.len()..].trim_start_matches(|c: char| c.is_whitespace() || ",:.!;，：。、".contains(c));
                if !next.is_empty() {
                    rest = next;
                    continue 'lead;
                }
            }
        }
        for lead in LEADS_SPACED {
            if lower.len() == rest.len() && lower.starts_with(lead) {
                let next = &rest[lead.len()..];
                if next.starts_with(' ') || (!lead.is_ascii() && !next.is_empty()) {
                    rest = next.trim_start();
                    continue 'lead;
                }
            }
        }
        break;
    }
    let mut rest = rest.trim_end_matches(|c: char| c.is_whitespace() || ".,;!。，；！".contains(c));
    loop {
        let lower = rest.to_lowercase();
        let shorter = TRAILS.iter().find_map(|trail| {
            let before = lower.strip_suffix(trail).filter(|_| lower.len() == rest.len())?;
            before.ends_with([' ', ',', '，']).then(|| rest[..before.len()].trim_end_matches([' ', ',', '，']))
        });
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => break,
        }
    }
    rest.to_owned()
}

/// Fewer words than this are no statement without their reason.
const ALONE: usize = 3;

/// What was said, told apart; each in the order it came.
#[derive(Default)]
struct Told {
    said: Vec<String>,
    whys: Vec<String>,
    uses: Vec<String>,
}

/// What a clause is to the whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Said,
    Why,
    Use,
}

/// Tells what is said from why it is so and what follows from it.
fn told_apart(tidied: &[String], kind: Type) -> Told {
    let pieces: Vec<Vec<&str>> = tidied.iter().map(|sentence| clauses(sentence)).collect();
    let all: Vec<(usize, Clause<'_>)> =
        pieces.iter().enumerate().flat_map(|(at, clauses)| clauses.iter().map(move |c| (at, Clause::new(c)))).collect();
    // A fact of the project is ruled by an order only when the order holds for a time.
    let rule = |clause: &Clause<'_>| match kind {
        Type::Feedback => clause.is_normative(),
        _ => clause.commands() && (clause.is_durable() || clause.is_dated_plan() || dates::has_relative(clause.text)),
    };
    let ruled = all.iter().any(|(_, clause)| rule(clause) && !explicit_reason(clause));
    let place = |at: usize| -> Place {
        let (sentence, clause) = &all[at];
        if !matches!(kind, Type::Feedback | Type::Project) || all.len() == 1 {
            return Place::Said;
        }
        if kind == Type::Project && at > 0 && clause.opens("so|therefore|hence|所以") {
            return Place::Use;
        }
        let first = at == 0 || all[at - 1].0 != *sentence;
        let last = at + 1 == all.len() || all[at + 1].0 != *sentence;
        // Said behind a comma, as people give their reasons.
        let behind = kind == Type::Project && !first && last && !ruled && is_fact(clause);
        if explicit_reason(clause) || (ruled && !rule(clause)) || (!ruled && at > 0 && happened(clause)) || behind {
            Place::Why
        } else {
            Place::Said
        }
    };
    let mut lists: [(Place, Vec<(usize, String)>); 3] =
        [(Place::Said, Vec::new()), (Place::Why, Vec::new()), (Place::Use, Vec::new())];
    for (at, (sentence, clause)) in all.iter().enumerate() {
        let place = place(at);
        let text = match place {
            Place::Said => clause.text,
            Place::Why => {
                without(clause.text, &["because ", "since ", "cause ", "cuz ", "bc ", "and ", "因为", "由于"])
            }
            Place::Use => without(clause.text, &["so that ", "so ", "therefore ", "hence ", "所以"]),
        };
        let Some((_, list)) = lists.iter_mut().find(|(of, _)| *of == place) else { continue };
        match list.last_mut() {
            // Clauses of one sentence stay together.
            Some((of, last)) if of == sentence => last.push_str(&format!("{} {text}", joint(last))),
            _ => list.push((*sentence, text.to_owned())),
        }
    }
    let [(_, said), (_, whys), (_, uses)] = lists;
    // "Don't, the tax office reads it": what is left must be able to stand alone.
    if said.iter().map(|(_, text)| cues::length(text)).sum::<usize>() < ALONE {
        return Told { said: tidied.to_vec(), ..Told::default() };
    }
    let texts = |list: Vec<(usize, String)>| list.into_iter().map(|(_, text)| tidy(&text)).collect();
    Told { said: texts(said), whys: texts(whys), uses: texts(uses) }
}

/// A plain fact, which behind a comma is a reason: no date, no order, nothing that goes on with the sentence.
fn is_fact(clause: &Clause<'_>) -> bool {
    let goes_on = clause
        .opens("and|but|so|then|after|not|only|everything|nothing|or|until|from|unless|which|he|she|也|然后|之后|只");
    !goes_on && !clause.commands() && !dates::has_relative(clause.text) && all_dates(clause.text).is_empty()
}

fn joint(before: &str) -> &'static str {
    if before.ends_with(crate::text::han::is_unspaced) { "，" } else { "," }
}

fn explicit_reason(clause: &Clause<'_>) -> bool {
    clause.opens("because|since|so that|otherwise|cause|cuz|bc|as otherwise|due to|that's why|the reason|因为|由于|否则|不然|原因")
        || (clause.says("so it|so we|so i|so the|so they|so that|otherwise|because of") && !clause.commands())
}

/// Something went wrong once, or would: why a rule or a fact is there.
fn happened(clause: &Clause<'_>) -> bool {
    clause.is_reason()
        || clause.says(
            "broke|broken|failed|crashed|blew up|went down|lost|leaked|mangled|complained|got burned|bit us|burned us|outage|incident|\
             was wrong|forgot|wrong|炸了|出过|挂了|崩了|丢了|投诉|事故",
        )
}

/// A clause without the word that ties it to the one before.
fn without<'t>(text: &'t str, ties: &[&str]) -> &'t str {
    let lower = text.to_lowercase();
    let cut = ties.iter().find(|tie| lower.len() == text.len() && lower.starts_with(**tie));
    let rest = cut.map_or(text, |cut| &text[cut.len()..]);
    // "because of the holiday" is not a sentence without its "because of".
    if rest.to_lowercase().starts_with("of ") { text } else { rest }
}

fn is_complaint(sentence: &str) -> bool {
    let clause = Clause::new(sentence);
    clause.asks() && clause.complains()
}

/// What somebody complains about, as what is not wanted.
fn unwanted(sentence: &str) -> String {
    let rest = sentence.trim_end_matches(['?', '？', '!', '！', ' ']);
    let lower = rest.to_lowercase();
    let cut = ["why did you ", "did you just ", "did you really ", "did you ", "you just ", "you "]
        .into_iter()
        .find(|lead| lower.len() == rest.len() && lower.starts_with(lead));
    format!("Not wanted: {}", cut.map_or(rest, |lead| &rest[lead.len()..]))
}

/// What the person approved: the assistant's sentence about it, as far as their own words need it.
fn approved(words: &str, proposal: &str) -> Option<String> {
    let said = likeness::words(words);
    let vague = Clause::new(words)
        .says("like that|like this|that way|this way|doing that|the same|exactly that|就这样|这样|保持");
    if said.len() >= 5 && !vague {
        return None;
    }
    let fit = |sentence: &str| {
        let shared = likeness::words(sentence).iter().filter(|word| said.contains(word)).count();
        let chosen = Clause::new(sentence).says(
            "instead of|rather than|because|on purpose|kept|left out|chose|without|so that|split|separate|而不是|没有|先",
        );
        shared * 2 + usize::from(chosen)
    };
    let plain = |sentence: &&str| {
        !sentence.chars().any(|c| c.is_ascii_digit() || c == '`') && !sentence.split(' ').any(code_words::is_path)
    };
    let best = sentences(proposal).into_iter().filter(plain).max_by_key(|sentence| fit(sentence))?;
    if fit(best) == 0 || cues::length(best) < 3 {
        return None;
    }
    let choice = best.strip_prefix("I've ").or(best.strip_prefix("I ")).or(best.strip_prefix("我")).unwrap_or(best);
    Some(format!("Approved: {}", choice.trim_end_matches(['.', '。'])))
}

/// The question that something answers, when it does not say itself what it is about.
fn question(words: &str, request: &str) -> Option<String> {
    let asked = sentences(request).into_iter().map(tidy).find(|sentence| {
        let clause = Clause::new(sentence);
        (clause.asks() || clause.sounds_asking()) && !clause.malfunctions()
    })?;
    let topic = likeness::words(&asked);
    let shared = likeness::words(words).iter().filter(|word| topic.contains(word)).count();
    let coded = asked.split_whitespace().any(|word| code_words::is_path(word) || code_words::is_identifier(word));
    let usable = (3..=16).contains(&cues::length(&asked)) && topic.len() >= 2;
    (usable && shared * 2 < topic.len() && !coded).then(|| capital(&asked))
}

/// Where a rule came up, when it does not say what it is about.
fn context(words: &str, request: &str) -> Option<String> {
    let request = tidy(sentences(request).first()?);
    let asked = Clause::new(&request);
    let general = Clause::new(words).says(
        "answer*|reply|replies|summar*|explain*|explanation*|respond|response*|message*|tone|emoji*|language|diff|diffs|commit*|always|\
         回答|回复|总结|解释|提交",
    );
    let shared = likeness::words(words).iter().any(|word| likeness::words(&request).contains(word));
    let usable = asked.requests() && !asked.asks() && (3..=14).contains(&cues::length(&request));
    let coded = request.split_whitespace().any(|word| code_words::is_path(word) || code_words::is_identifier(word));
    (usable && !general && !shared && !coded).then(|| format!("When asked for things like \"{request}\"."))
}

/// Whether a statement speaks of something it does not name.
fn points_back(words: &str) -> bool {
    let clause = Clause::new(words);
    clause.opens("it|it's|its|that|that's|this|they|they're|those|these|he|she|them|pushed|moved|slipped|postponed|delayed|cancelled|\
         canceled|changed|extended|shifted|rescheduled|brought forward|now|not any more|it's now|still|它|这个|那个|他|她|改到|改成|推迟|延期|换成|不是")
        || likeness::words(words).len() <= 2
}

/// A piece with its end.
fn ended(piece: &str) -> String {
    let piece = piece.trim();
    if piece.ends_with(['.', '!', '?', '。', '！', '？']) {
        piece.to_owned()
    } else if piece.ends_with(crate::text::han::is_unspaced) {
        format!("{piece}。")
    } else {
        format!("{piece}.")
    }
}

/// A sentence with a capital, unless its first word is a name of code.
fn capital(sentence: &str) -> String {
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let word = first.trim_end_matches(|c: char| !c.is_alphanumeric());
    let simple = !word.is_empty() && word.chars().all(|c| c.is_lowercase() || c == '\'') && word.is_ascii();
    let mut letters = sentence.chars();
    match letters.next() {
        Some(letter) if simple => letter.to_uppercase().chain(letters).collect(),
        _ => sentence.to_owned(),
    }
}

/// The last absolute date of a text.
pub(super) fn last_date(text: &str) -> Option<Date> {
    all_dates(text).into_iter().max()
}

/// Every ISO date of a text.
pub(super) fn all_dates(text: &str) -> Vec<Date> {
    text.match_indices('-').filter_map(|(at, _)| text.get(at.checked_sub(4)?..at + 6)?.parse().ok()).collect()
}
