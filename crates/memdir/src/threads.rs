//! What may cross or be shared between threads, as `docs/embedding.md` says. Whoever breaks it sees it when this is compiled.

use std::marker::PhantomData;

use crate::engine::{Clock, Error, Learned, Memory, Recalled, Remembered, Signature};
use crate::model::{Cancel, Reply, Request};
use crate::settings::Settings;
use crate::surroundings::Surroundings;

/// Tells apart, without running anything, what is shared between threads and what is not.
struct Shared<T>(PhantomData<T>);

impl<T: Sync> Shared<T> {
    const YES: bool = true;
}

trait NotShared {
    const YES: bool = false;
}

impl<T> NotShared for Shared<T> {}

const fn moves<T: Send>() {}
const fn moves_and_is_shared<T: Send + Sync>() {}

#[test]
fn a_memory_moves_to_another_thread_and_is_not_shared() {
    const { moves::<Memory>() };
    const { assert!(!Shared::<Memory>::YES) };
    // The same question about a type that is shared, so that the answer above says something.
    const { assert!(Shared::<Surroundings>::YES) };
}

#[test]
fn what_goes_in_and_comes_out_moves_and_is_shared() {
    const { moves_and_is_shared::<(Surroundings, Settings, Signature, Clock)>() };
    const { moves_and_is_shared::<(Cancel, Request, Reply)>() };
    const { moves_and_is_shared::<(Recalled, Remembered, Learned, Error)>() };
}
