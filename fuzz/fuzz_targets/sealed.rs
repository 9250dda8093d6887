//! A sealed file that others wrote: whatever it is, opening returns; and no change to a sealed file opens.
//!
//! Input: a whole file; also two bytes for a place in a file that opens, one for how much is taken out there, and what is put in.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::team::bucket::Seal as _;
use memdir::team::crypt::TeamKeys;

const KEY: &str = include_str!("../../crates/team/src/crypt/testdata/key.txt");
const SEALED: &[u8] = include_bytes!("../../crates/team/src/crypt/testdata/hello.age");
const LIMIT: usize = 1 << 20;

fuzz_target!(|data: &[u8]| {
    let keys = TeamKeys::read(&[KEY.to_owned()]).expect("a key");
    if let Ok(plain) = keys.open(data, LIMIT) {
        assert!(plain.len() < data.len(), "more came out than went in");
        let again = keys.seal(&plain).expect("what was read can be sealed");
        assert_eq!(keys.open(&again, LIMIT), Ok(plain), "not what was sealed");
    }
    let changed = changed(data);
    assert_eq!(keys.open(&changed, LIMIT).is_ok(), changed == SEALED, "a changed file opens");
});

/// The file that opens, with one piece of it exchanged.
fn changed(data: &[u8]) -> Vec<u8> {
    let [high, low, length, put @ ..] = data else { return SEALED.to_vec() };
    let from = usize::from(u16::from_be_bytes([*high, *low])) % (SEALED.len() + 1);
    let to = SEALED.len().min(from + usize::from(*length));
    [&SEALED[..from], put, &SEALED[to..]].concat()
}
