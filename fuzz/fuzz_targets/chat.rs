//! An answer of Chat Completions, as events or in one piece: pieces are the whole, and no words are lost.
//!
//! Input: the body as it stood on the wire; its first byte says where it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::model::recorded::RecordedApi;
use memdir_fuzz::answered;

fuzz_target!(|data: &[u8]| answered(RecordedApi::Chat, data));
