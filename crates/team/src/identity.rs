//! Who we are to the team: a name, and a key that signs what we share (Ed25519).
//!
//! Enters: a name and a private key kept on this machine. Leaves: signatures, and whether a signature of somebody else holds. A name proves
//! nothing; a key proves that two things came from one machine. Whose key it is, the team tells each other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

/// A member that can sign.
pub struct SigningIdentity {
    /// As they call themselves.
    pub name: String,
    pair: Ed25519KeyPair,
}

impl SigningIdentity {
    /// Makes a new private key, to be kept secret.
    pub fn new_key() -> Option<Vec<u8>> {
        let random = ring::rand::SystemRandom::new();
        Some(Ed25519KeyPair::generate_pkcs8(&random).ok()?.as_ref().to_vec())
    }

    /// A member with a key made earlier.
    pub fn open(name: &str, private: &[u8]) -> Option<SigningIdentity> {
        Some(SigningIdentity { name: name.to_owned(), pair: Ed25519KeyPair::from_pkcs8(private).ok()? })
    }

    /// The public key, as text to give to others.
    pub fn public(&self) -> String {
        STANDARD_NO_PAD.encode(self.pair.public_key().as_ref())
    }

    /// Signs a message.
    pub(crate) fn sign(&self, message: &[u8]) -> String {
        STANDARD_NO_PAD.encode(self.pair.sign(message).as_ref())
    }
}

/// Whether a signature holds.
pub(crate) fn verify(public: &str, message: &[u8], signature: &str) -> bool {
    let (Ok(public), Ok(signature)) = (STANDARD_NO_PAD.decode(public), STANDARD_NO_PAD.decode(signature)) else {
        return false;
    };
    UnparsedPublicKey::new(&ED25519, public).verify(message, &signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_message_and_its_key() {
        let one = SigningIdentity::open("Ada", &SigningIdentity::new_key().unwrap()).unwrap();
        let other = SigningIdentity::open("Ada", &SigningIdentity::new_key().unwrap()).unwrap();
        let signature = one.sign(b"this");
        assert!(verify(&one.public(), b"this", &signature));
        assert!(!verify(&one.public(), b"that", &signature));
        assert!(!verify(&other.public(), b"this", &signature));
        assert!(!verify("no key", b"this", &signature) && !verify(&one.public(), b"this", "?"));
        assert!(SigningIdentity::open("Ada", b"not a key").is_none());
    }
}
