//! Real TLS: a server is believed when somebody trusted signed for it, and only then.

use memdir_model::{Anthropic, ApiKey, Endpoint, Model, ModelError, Openai, Wire};
use memdir_testkit::model_server::{ModelServer, Turn};
use memdir_testkit::tls::TlsFront;

use super::{KEY, WAYS, Way, ask, call, request, text};

fn at(way: Way, front: &TlsFront, authority: Option<std::path::PathBuf>) -> Box<dyn Model + Send + Sync> {
    let mut endpoint = Endpoint::new(&front.url(), ApiKey::new(KEY)).unwrap();
    if let Some(file) = authority {
        assert!(endpoint.trust_only(&std::fs::read(file).unwrap()));
    }
    match way {
        Way::Anthropic => Box::new(Anthropic::new(endpoint, "m-1")),
        Way::Chat => Box::new(Openai::new(endpoint, "m-1", Wire::Chat)),
        Way::Responses => Box::new(Openai::new(endpoint, "m-1", Wire::Responses)),
    }
}

#[test]
fn an_exchange_with_a_server_that_a_trusted_authority_signed_for() {
    for way in WAYS {
        let server = ModelServer::queue([Turn::say("Good day, over TLS.")]);
        let front = TlsFront::before(&server);
        let (reply, heard) = ask(&*at(way, &front, Some(TlsFront::authority())), &request("go"), &call());
        assert_eq!((text(&reply.unwrap()).as_str(), heard.as_str()), ("Good day, over TLS.", "Good day, over TLS."));
        assert!(server.last().has_key, "{way:?}");
    }
}

#[test]
fn a_server_that_nobody_trusted_signed_for_gets_nothing() {
    for way in WAYS {
        for authority in [None, Some(TlsFront::other_authority())] {
            let server = ModelServer::new(|_| Turn::say("never"));
            let front = TlsFront::before(&server);
            let error = ask(&*at(way, &front, authority), &request("go"), &call()).0.unwrap_err();
            assert!(matches!(error, ModelError::Connection { .. }), "{way:?}: {error}");
            let said = error.to_string();
            assert!(said.contains("certificate") && said.contains("SSL_CERT_FILE"), "{way:?}: {said}");
            assert!(!said.contains(KEY) && server.requests().is_empty(), "{way:?}: {said}");
        }
    }
}

#[test]
fn a_file_without_certificates_is_no_authority() {
    let mut endpoint = Endpoint::new("https://127.0.0.1:1", None).unwrap();
    for pem in [&b""[..], b"words", b"-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"] {
        assert!(!endpoint.trust_only(pem));
    }
}
