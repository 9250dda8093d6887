//! Prompt injection: text planted to give a model orders.
//!
//! Enters: text that may become memory, or that a model is about to read. Leaves: the signs that it was planted: orders to drop
//! rules, words put into the system's mouth, secrecy towards the user, programs fetched and run, data carried away. One sign may
//! be honest ("never tell a visitor which of both was wrong") and earns a label; two together are no memory. Never
//! judges whether a rule is a good one, and compiles no pattern: it runs in hooks.

mod han;
mod languages;
mod signs;
mod words;

use words::sentences;

/// From this weight on a text is refused.
const PLANTED: u8 = 2;

/// What gives a planted order away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Earlier instructions are to be dropped.
    Override,
    /// It pretends to be the system, or makes the model somebody else.
    Disguise,
    /// The user is not to know.
    Secrecy,
    /// A program comes from the network and is run.
    FetchAndRun,
    /// Something goes to an address outside.
    CarriesAway,
    /// It claims a right to command.
    Authority,
    /// It speaks to the model, or of a consent that nobody gave: tells something only beside another sign.
    Pressure,
}

impl Sign {
    /// In words, after "it".
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Sign::Override => "tells a model to drop its instructions",
            Sign::Disguise => "pretends to be the system",
            Sign::Secrecy => "is to be kept from the user",
            Sign::FetchAndRun => "runs a program straight from the network",
            Sign::CarriesAway => "sends data to an address",
            Sign::Authority => "claims a right to command",
            Sign::Pressure => "presses a model to act unasked",
        }
    }
}

/// What was found in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptInjection {
    signs: Vec<(Sign, u8)>,
}

impl PromptInjection {
    /// Reads a text.
    pub fn read(text: &str) -> PromptInjection {
        let lower = text.to_lowercase();
        let mut injection = PromptInjection::judge(&lower);
        // Who writes about orders quotes them; what is left without the quotes counts, and the quotes earn a label.
        if injection.is_planted() && languages::is_about_orders(&lower) {
            let rest = PromptInjection::judge(&without_quotes(&lower));
            if !rest.is_planted() {
                injection.signs.truncate(1);
                injection.signs.iter_mut().for_each(|(_, weight)| *weight = 1);
            }
        }
        injection
    }

    fn judge(lower: &str) -> PromptInjection {
        let mut injection = PromptInjection::default();
        injection.see(Sign::Disguise, signs::disguise(lower));
        injection.see(Sign::FetchAndRun, u8::from(signs::fetches_and_runs(lower)));
        injection.see(Sign::CarriesAway, u8::from(signs::reads_into_command(lower)));
        for sentence in sentences(lower) {
            injection.see(Sign::Override, signs::overrides(&sentence));
            injection.see(Sign::Disguise, signs::new_role(&sentence));
            injection.see(Sign::Secrecy, signs::secrecy(&sentence));
            injection.see(Sign::CarriesAway, u8::from(signs::carries_away(&sentence)));
            injection.see(Sign::CarriesAway, signs::shows_in_reply(&sentence));
            injection.see(Sign::Authority, u8::from(signs::authority(&sentence)));
            injection.see(Sign::Pressure, u8::from(signs::pressure(&sentence)));
        }
        injection.see(Sign::Override, han::overrides(lower));
        injection.see(Sign::Secrecy, han::secrecy(lower));
        languages::signs(lower, |sign, weight| injection.see(sign, weight));
        injection
    }

    /// Whether it may be an order: to be read with care.
    pub fn is_suspicious(&self) -> bool {
        self.signs.iter().any(|(sign, _)| *sign != Sign::Pressure)
    }

    /// Whether it is one beyond honest doubt: not to be kept.
    pub fn is_planted(&self) -> bool {
        self.is_suspicious() && self.signs.iter().map(|(_, weight)| weight).sum::<u8>() >= PLANTED
    }

    /// The signs, in words.
    pub fn reasons(&self) -> String {
        self.signs.iter().map(|(sign, _)| sign.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Each sign counts once, at its heaviest.
    fn see(&mut self, sign: Sign, weight: u8) {
        match self.signs.iter_mut().find(|(known, _)| *known == sign) {
            _ if weight == 0 => {}
            Some((_, known)) => *known = weight.max(*known),
            None => self.signs.push((sign, weight)),
        }
    }
}

/// A text without what stands between two quotation marks of a pair.
fn without_quotes(text: &str) -> String {
    const PAIRS: [(char, char); 6] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('`', '`')];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|letter| PAIRS.iter().any(|(open, _)| *open == letter)) {
        let opened = rest[at..].chars().next().unwrap_or_default();
        let inside = &rest[at + opened.len_utf8()..];
        let closing = PAIRS
            .iter()
            .filter(|(open, _)| *open == opened)
            .find_map(|(_, close)| Some((*close, inside.find(*close)?)));
        out.push_str(&rest[..at]);
        rest = match closing {
            Some((close, end)) => &inside[end + close.len_utf8()..],
            None => inside,
        };
    }
    out + rest
}

#[cfg(test)]
mod tests;
