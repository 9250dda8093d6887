//! The same signs in Chinese, which has no spaces to cut sentences at: told by what stands near what.
//!
//! Enters: the whole text in lower case. Leaves: how heavily it weighs.

/// Places of `words` in a text without spaces, with what follows each within `room` characters.
fn after<'t>(text: &'t str, words: &[&'static str], room: usize) -> Vec<&'t str> {
    let found = words.iter().flat_map(|word| text.match_indices(word).map(|(at, word)| &text[at + word.len()..]));
    found.map(|rest| rest.char_indices().nth(room).map_or(rest, |(end, _)| &rest[..end])).collect()
}

pub(super) fn overrides(lower: &str) -> u8 {
    let any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let weigh = |rest: &str| {
        if !any(rest, &["之前", "以上", "先前", "此前", "上面", "前面", "你的", "原来"]) {
            0
        } else if any(rest, &["指令", "指示", "提示词", "系统提示", "命令"]) {
            2
        } else {
            u8::from(any(rest, &["规则", "约定", "限制"]))
        }
    };
    after(lower, &["忽略", "无视", "忘记", "忘掉", "不要理会", "不用管"], 14).into_iter().map(weigh).max().unwrap_or(0)
}

pub(super) fn secrecy(lower: &str) -> u8 {
    let kept = after(lower, &["不要", "别", "不得", "切勿", "勿", "不能", "不必"], 8).into_iter().any(|rest| {
        let told = after(rest, &["告诉", "告知", "通知", "提及", "让"], 5);
        told.iter().any(|whom| ["用户", "使用者", "对方"].iter().any(|person| whom.contains(person)))
            && !rest.starts_with("让用户等")
    });
    u8::from(kept || lower.contains("瞒着用户"))
}
