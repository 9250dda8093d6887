//! The age format, version 1, with X25519 recipients: a header that wraps a file key, then chunks of 64 KiB.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::rand::SecureRandom as _;
use ring::{hkdf, hmac};
use x25519_dalek::{PublicKey, StaticSecret};

use super::header::{self, Stanza, VERSION};

const INFO: &[u8] = b"age-encryption.org/v1/X25519";
const CHUNK: usize = 64 * 1024;
const TAG: usize = 16;
const FILE_KEY: usize = 16;
/// Stanzas of a header that are looked at; a hostile header must not cost much.
const STANZAS: usize = 64;

/// Bytes that nobody can guess.
pub(super) fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    ring::rand::SystemRandom::new().fill(&mut bytes).ok()?;
    Some(bytes)
}

pub(super) fn encrypt(recipient: &PublicKey, plain: &[u8]) -> Option<Vec<u8>> {
    let file_key = random::<FILE_KEY>()?;
    let ephemeral = StaticSecret::from(random::<32>()?);
    let share = PublicKey::from(&ephemeral);
    let wrap = wrap_key(ephemeral.diffie_hellman(recipient).as_bytes(), &share, recipient)?;
    let mut body = file_key.to_vec();
    seal(&wrap, [0; 12], &mut body)?;
    let header = format!(
        "{VERSION}-> X25519 {}\n{}\n---",
        STANDARD_NO_PAD.encode(share.as_bytes()),
        STANDARD_NO_PAD.encode(&body)
    );
    let mac = hmac::sign(&mac_key(&file_key)?, header.as_bytes());
    let mut out = format!("{header} {}\n", STANDARD_NO_PAD.encode(mac.as_ref())).into_bytes();
    let nonce = random::<16>()?;
    out.extend_from_slice(&nonce);
    let key = derive(&nonce, &file_key, b"payload")?;
    let chunks = plain.len().div_ceil(CHUNK).max(1);
    for at in 0..chunks {
        let mut chunk = plain[at * CHUNK..plain.len().min((at + 1) * CHUNK)].to_vec();
        seal(&key, chunk_nonce(at as u64, at + 1 == chunks), &mut chunk)?;
        out.extend_from_slice(&chunk);
    }
    Some(out)
}

pub(super) fn decrypt(keys: &[StaticSecret], sealed: &[u8]) -> Option<Vec<u8>> {
    let header = header::read(sealed)?;
    let file_key = file_key(keys, &header.stanzas)?;
    hmac::verify(&mac_key(&file_key)?, header.summed, &header.sum).ok()?;
    let (nonce, mut rest) = header.payload.split_at_checked(16)?;
    let key = derive(nonce, &file_key, b"payload")?;
    let mut plain = Vec::with_capacity(rest.len());
    for at in 0_u64.. {
        let size = rest.len().min(CHUNK + TAG);
        let (chunk, after) = rest.split_at(size);
        let last = after.is_empty();
        let opened = open(&key, chunk_nonce(at, last), chunk)?;
        // Only the whole of an empty file may be an empty chunk.
        if opened.is_empty() && at > 0 {
            return None;
        }
        plain.extend_from_slice(&opened);
        rest = after;
        if last {
            break;
        }
    }
    Some(plain)
}

/// The file key, if it is wrapped for one of the keys. One stanza that its kind does not allow spoils the whole header.
fn file_key(keys: &[StaticSecret], stanzas: &[Stanza]) -> Option<[u8; FILE_KEY]> {
    let of_kind = |kind: &'static str| stanzas.iter().filter(move |stanza| stanza.words.first() == Some(&kind));
    // A passphrase may only stand alone.
    if of_kind("scrypt").next().is_some() {
        return None;
    }
    let wrapped: Option<Vec<_>> = of_kind("X25519").map(share_and_body).collect();
    let mut tries = wrapped?.into_iter().take(STANZAS).flat_map(|wrapped| keys.iter().map(move |key| (key, wrapped)));
    tries.find_map(|(key, (share, body))| unwrap(key, &share, body))
}

/// What an X25519 stanza holds, if it is one.
fn share_and_body<'s>(stanza: &'s Stanza) -> Option<(PublicKey, &'s [u8])> {
    let [_, share] = stanza.words[..] else { return None };
    let share = <[u8; 32]>::try_from(STANDARD_NO_PAD.decode(share).ok()?).ok()?;
    (stanza.body.len() == FILE_KEY + TAG).then_some((PublicKey::from(share), &stanza.body))
}

fn unwrap(key: &StaticSecret, share: &PublicKey, body: &[u8]) -> Option<[u8; FILE_KEY]> {
    let secret = key.diffie_hellman(share);
    if !secret.was_contributory() {
        return None;
    }
    let wrap = wrap_key(secret.as_bytes(), share, &PublicKey::from(key))?;
    open(&wrap, [0; 12], body)?.try_into().ok()
}

fn wrap_key(secret: &[u8], share: &PublicKey, recipient: &PublicKey) -> Option<[u8; 32]> {
    derive(&[share.as_bytes().as_slice(), recipient.as_bytes()].concat(), secret, INFO)
}

fn mac_key(file_key: &[u8]) -> Option<hmac::Key> {
    Some(hmac::Key::new(hmac::HMAC_SHA256, &derive(&[], file_key, b"header")?))
}

fn derive(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    let prk = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(secret);
    prk.expand(&[info], hkdf::HKDF_SHA256).ok()?.fill(&mut key).ok()?;
    Some(key)
}

fn chunk_nonce(number: u64, last: bool) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[3..11].copy_from_slice(&number.to_be_bytes());
    nonce[11] = u8::from(last);
    nonce
}

fn seal(key: &[u8; 32], nonce: [u8; 12], bytes: &mut Vec<u8>) -> Option<()> {
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).ok()?);
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), bytes).ok()
}

fn open(key: &[u8; 32], nonce: [u8; 12], bytes: &[u8]) -> Option<Vec<u8>> {
    let key = LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).ok()?);
    let mut bytes = bytes.to_vec();
    let length = key.open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut bytes).ok()?.len();
    bytes.truncate(length);
    Some(bytes)
}
