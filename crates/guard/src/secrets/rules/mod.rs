//! The rules, by family. Shapes of tokens are facts published by those who issue them.
//!
//! A new rule goes into the family it belongs to, with an example and a near miss in the tests.

use super::rule::SecretRule;

mod ai;
mod cloud;
mod code;
mod crypto;
mod generic;
mod login;
mod message;
mod money;
mod ops;
mod prefixed;
mod work;

/// Every rule, the broad ones last.
pub(super) fn all() -> impl Iterator<Item = &'static SecretRule> {
    let families: [&'static [SecretRule]; 11] = [
        crypto::RULES,
        cloud::RULES,
        code::RULES,
        ai::RULES,
        message::RULES,
        money::RULES,
        ops::RULES,
        work::RULES,
        prefixed::RULES,
        login::RULES,
        generic::RULES,
    ];
    families.into_iter().flatten()
}
