//! Sealed by one, opened by the other, and spoilt on the way.

use age::secrecy::ExposeSecret as _;
use age::x25519::{Identity, Recipient};
use memdir_team::bucket::Seal as _;
use memdir_team::crypt::TeamKeys;

use super::{ours, secret_line, theirs};

const CHUNK: usize = 64 * 1024;
/// A chunk as it is sealed: with its sum.
const SEALED_CHUNK: usize = CHUNK + 16;
/// Around the ends of the first chunks.
const SIZES: [usize; 8] = [0, 1, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1];

/// Text in which no two chunks are alike.
fn text(size: usize) -> Vec<u8> {
    (0..size).map(|at| (at / 251 + at) as u8).collect()
}

fn recipient(key_file: &str) -> Recipient {
    secret_line(key_file).parse::<Identity>().unwrap().to_public()
}

fn sealed_by_us(key_file: &str, plain: &[u8]) -> Vec<u8> {
    TeamKeys::read(&[key_file.to_owned()]).unwrap().seal(plain).unwrap()
}

fn sealed_by_them(key_file: &str, plain: &[u8]) -> Vec<u8> {
    age::encrypt(&recipient(key_file), plain).unwrap()
}

#[test]
fn what_one_seals_the_other_opens_and_a_wrong_key_opens_nothing() {
    let (key, other) = (TeamKeys::new_file().unwrap(), TeamKeys::new_file().unwrap());
    for size in SIZES {
        let plain = text(size);
        for sealed in [sealed_by_us(&key, &plain), sealed_by_them(&key, &plain)] {
            assert!(ours(&[&key], &sealed).as_ref() == Some(&plain), "{size}");
            assert!(theirs(&[&key], &sealed).as_ref() == Some(&plain), "{size}");
            assert!(ours(&[&other], &sealed).is_none(), "{size}");
            assert!(theirs(&[&other], &sealed).is_none(), "{size}");
        }
    }
}

#[test]
fn a_key_file_of_either_program_is_read_by_the_other() {
    let file = TeamKeys::new_file().unwrap();
    assert_eq!(file.lines().next(), Some(&*format!("# public key: {}", recipient(&file))));
    assert_eq!(age::IdentityFile::from_buffer(file.as_bytes()).unwrap().into_identities().unwrap().len(), 1);

    let identity = Identity::generate();
    let sealed = age::encrypt(&identity.to_public(), b"theirs").unwrap();
    assert_eq!(ours(&[identity.to_string().expose_secret()], &sealed).unwrap(), b"theirs");
}

#[test]
fn a_file_for_several_recipients_opens_for_each_of_them() {
    let files = [(); 3].map(|()| TeamKeys::new_file().unwrap());
    let recipients = files.each_ref().map(|file| recipient(file));
    let several =
        age::Encryptor::with_recipients(recipients.iter().map(|recipient| recipient as &dyn age::Recipient)).unwrap();
    let mut sealed = Vec::new();
    let mut writer = several.wrap_output(&mut sealed).unwrap();
    std::io::Write::write_all(&mut writer, b"for three").unwrap();
    writer.finish().unwrap();
    for file in &files {
        assert_eq!(ours(&[file], &sealed).unwrap(), b"for three");
    }
    assert!(ours(&[&TeamKeys::new_file().unwrap()], &sealed).is_none());
}

#[test]
fn a_flipped_bit_or_a_cut_anywhere_is_refused_by_both() {
    let key = TeamKeys::new_file().unwrap();
    for sealed in [sealed_by_us(&key, b"a memory"), sealed_by_them(&key, b"a memory")] {
        for at in 0..sealed.len() {
            let mut flipped = sealed.clone();
            flipped[at] ^= 1 << (at % 8);
            refused(&key, &flipped, &format!("flipped at {at}"));
            refused(&key, &sealed[..at], &format!("cut at {at}"));
        }
    }
}

#[test]
fn chunks_lost_repeated_or_exchanged_are_refused_by_both() {
    let key = TeamKeys::new_file().unwrap();
    let plain = text(2 * CHUNK + 100);
    for sealed in [sealed_by_us(&key, &plain), sealed_by_them(&key, &plain)] {
        // From the end, as headers differ in length.
        let last = sealed.len() - 116;
        let (second, first) = (last - SEALED_CHUNK, last - 2 * SEALED_CHUNK);
        let (head, one, two, three) =
            (&sealed[..first], &sealed[first..second], &sealed[second..last], &sealed[last..]);
        for (how, parts) in [
            ("the last is gone", vec![head, one, two]),
            ("the first is gone", vec![head, two, three]),
            ("exchanged", vec![head, two, one, three]),
            ("the last comes twice", vec![head, one, two, three, three]),
            ("a byte too many", vec![head, one, two, three, b"x"]),
            ("a byte too few", vec![head, one, two, &three[..three.len() - 1]]),
            ("none is left", vec![head]),
        ] {
            refused(&key, &parts.concat(), how);
        }
        assert!(ours(&[&key], &[head, one, two, three].concat()).is_some_and(|opened| opened == plain));
    }
}

fn refused(key: &str, sealed: &[u8], how: &str) {
    assert!(ours(&[key], sealed).is_none(), "we open it: {how}");
    assert!(theirs(&[key], sealed).is_none(), "they open it: {how}");
}
