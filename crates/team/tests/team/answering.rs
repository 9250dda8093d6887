//! An S3-compatible store over real HTTP: what each of its answers means for a sync, and the headers that make a write conditional.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;

use memdir_core::surroundings::Surroundings;
use memdir_team::bucket::{Fetched, ListedKey, Object, Objects, S3};
use memdir_team::transport::TransportError;

/// What a client asked: the method and path, its headers, its body.
#[derive(Debug)]
struct Asked {
    line: String,
    headers: Vec<String>,
    body: Vec<u8>,
}

impl Asked {
    fn has(&self, header: &str) -> bool {
        self.headers.iter().any(|own| own.eq_ignore_ascii_case(header))
    }
}

/// A store that gives these answers, one a connection, and then is gone.
struct Store {
    address: String,
    served: JoinHandle<Vec<Asked>>,
}

impl Store {
    fn answering(answers: &[String]) -> Store {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let answers = answers.to_vec();
        let served = std::thread::spawn(move || {
            let serve = |answer: String| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let mut lines = reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty());
                let line = lines.next().unwrap_or_default();
                let headers: Vec<String> = lines.collect();
                let length =
                    headers.iter().find_map(|own| own.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
                let mut body = vec![0; length.unwrap_or(0)];
                reader.read_exact(&mut body).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                Asked { line, headers, body }
            };
            answers.into_iter().map(serve).collect()
        });
        Store { address, served }
    }

    fn open(&self) -> S3 {
        open(&self.address)
    }

    fn asked(self) -> Vec<Asked> {
        self.served.join().unwrap()
    }
}

fn open(address: &str) -> S3 {
    let vars = [("AWS_ACCESS_KEY_ID", "K"), ("AWS_SECRET_ACCESS_KEY", "S")];
    let around =
        Surroundings { vars: vars.map(|(k, v)| (k.to_owned(), v.to_owned())).into(), ..Surroundings::default() };
    S3::open("s3://team/app", Some(address), "us-east-1", &around, || jiff::Timestamp::UNIX_EPOCH).unwrap()
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

/// Asks a store that gives one answer.
fn once<T>(answer: String, ask: impl Fn(&S3) -> T) -> (T, Asked) {
    let store = Store::answering(&[answer]);
    let told = ask(&store.open());
    (told, store.asked().remove(0))
}

fn refusal<T: std::fmt::Debug>(told: Result<T, TransportError>) -> String {
    let Err(TransportError::Refused { place, why }) = told else { panic!("{told:?}") };
    assert_eq!(place, "s3://team/app");
    why
}

const DENIED: &str = "<Error><Code>AccessDenied</Code><Message>Not\u{7} for you</Message></Error>";
const NO_BUCKET: &str = "<Error><Code>NoSuchBucket</Code><Message>gone</Message></Error>";

#[test]
fn t4_reading_takes_the_object_or_knows_that_it_is_the_same() {
    let get = |s3: &S3| s3.get_unless("heads/0", Some("\"v1\""), 100);
    let (told, asked) = once(answer("200 OK", "etag: \"v2\"\r\n", "new"), get);
    assert_eq!(told.unwrap(), Fetched::Object(Object { bytes: b"new".to_vec(), tag: "\"v2\"".into() }));
    assert!(asked.line.starts_with("GET /team/app/heads/0?") && asked.has("if-none-match: \"v1\""), "{asked:?}");
    assert_eq!(once("HTTP/1.1 304 Not Modified\r\nconnection: close\r\n\r\n".into(), get).0.unwrap(), Fetched::Same);
    assert_eq!(once(answer("404 Not Found", "", "<Code>NoSuchKey</Code>"), get).0.unwrap(), Fetched::Nothing);
}

/// An empty team and a bucket that is gone must not look alike: the one would be filled, the other would empty the machine.
#[test]
fn t4_a_bucket_that_is_gone_is_not_an_empty_one() {
    assert!(
        refusal(once(answer("404 Not Found", "", NO_BUCKET), |s3| s3.get("heads/0", 100)).0).contains("NoSuchBucket")
    );
    let put = once(answer("404 Not Found", "", NO_BUCKET), |s3| s3.put_if("heads/0", b"x", None)).0;
    assert!(refusal(put).contains("NoSuchBucket"));
    assert!(
        refusal(once(answer("404 Not Found", "", NO_BUCKET), |s3| s3.list("heads/", None)).0).contains("NoSuchBucket")
    );
}

#[test]
fn t4_a_refusal_is_told_in_the_stores_words_without_control_characters() {
    let denied = || answer("403 Forbidden", "", DENIED);
    for why in [
        refusal(once(denied(), |s3| s3.get("objects/x", 100)).0),
        refusal(once(denied(), |s3| s3.put("objects/x", b"x")).0),
        refusal(once(denied(), |s3| s3.put_if("heads/0", b"x", None)).0),
        refusal(once(denied(), |s3| s3.list("heads/", None)).0),
        refusal(once(denied(), |s3| s3.remove("objects/x")).0),
    ] {
        assert_eq!(why, "403 Forbidden AccessDenied: Not\\u{7} for you");
    }
    // A head has no words.
    let head = "HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n";
    assert!(refusal(once(head.into(), |s3| s3.age("objects/x")).0).starts_with("403"));
}

#[test]
fn t4_a_write_is_conditional_on_what_was_read() {
    let put = |tag: Option<&'static str>| move |s3: &S3| s3.put_if("heads/0", b"mine", tag);
    let written = answer("200 OK", "etag: \"v2\"\r\n", "");
    let (told, asked) = once(written.clone(), put(Some("\"v1\"")));
    assert_eq!(told.unwrap().as_deref(), Some("\"v2\""));
    assert!(asked.line.starts_with("PUT /team/app/heads/0?") && asked.has("if-match: \"v1\""), "{asked:?}");
    assert_eq!(asked.body, b"mine");
    let (told, asked) = once(written, put(None));
    assert!(told.unwrap().is_some() && asked.has("if-none-match: *"), "{asked:?}");
    for overtaken in ["412 Precondition Failed", "409 Conflict", "404 Not Found"] {
        assert_eq!(once(answer(overtaken, "", ""), put(Some("\"v1\""))).0.unwrap(), None, "{overtaken}");
    }
    // A store that gives no tag cannot keep the next write from overwriting somebody else's.
    let told = once(answer("200 OK", "", ""), put(None)).0;
    assert!(matches!(told, Err(TransportError::Malformed { .. })), "{told:?}");
}

#[test]
fn t4_a_busy_store_is_asked_again_and_what_is_written_is_the_same() {
    let busy = answer("503 Slow Down", "", "");
    let store = Store::answering(&[busy.clone(), busy.clone(), answer("200 OK", "", "")]);
    store.open().put("objects/x", b"content").unwrap();
    let asked = store.asked();
    assert_eq!(asked.iter().map(|one| one.body.as_slice()).collect::<Vec<_>>(), [b"content"; 3]);
    // One that stays busy is left; nothing is said to be written.
    let store = Store::answering(&vec![busy; 4]);
    let told = store.open().put("objects/x", b"content");
    assert!(matches!(&told, Err(TransportError::Unreachable { why, .. }) if why.contains("503")), "{told:?}");
    assert_eq!(store.asked().len(), 4);
}

#[test]
fn t4_an_object_that_breaks_off_is_fetched_again() {
    let half = "HTTP/1.1 200 OK\r\netag: \"v\"\r\ncontent-length: 100\r\nconnection: close\r\n\r\nhalf";
    let store = Store::answering(&[half.into(), answer("200 OK", "etag: \"v\"\r\n", "whole")]);
    assert_eq!(store.open().get("objects/x", 200).unwrap().unwrap().bytes, b"whole");
    assert_eq!(store.asked().len(), 2);
}

#[test]
fn t4_nobody_listens_is_said_so() {
    // A port that no system hands out.
    let told = open("http://127.0.0.1:1").get("objects/x", 100);
    assert!(matches!(told, Err(TransportError::Unreachable { .. })), "{told:?}");
}

#[test]
fn t4_a_listing_has_the_keys_below_the_prefix_only() {
    let contents = |key: &str| {
        format!(
            "<Contents><Key>{key}</Key><ETag>\"t\"</ETag><Size>7</Size><LastModified>2026-04-15T10:00:00Z</LastModified><StorageClass>STANDARD</StorageClass></Contents>"
        )
    };
    let body = format!(
        "<?xml version=\"1.0\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>team</Name><Prefix>app/heads/</Prefix><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>{}{}</ListBucketResult>",
        contents("app/heads/a"),
        contents("elsewhere/heads/b")
    );
    let (told, asked) = once(answer("200 OK", "", &body), |s3| s3.list("heads/", Some("heads/0")));
    assert_eq!(told.unwrap(), [ListedKey { key: "heads/a".into(), tag: "\"t\"".into(), bytes: 7 }]);
    assert!(
        asked.line.contains("prefix=app%2Fheads%2F") && asked.line.contains("start-after=app%2Fheads%2F0"),
        "{asked:?}"
    );
    let told = once(answer("200 OK", "", "<html>welcome</html>"), |s3| s3.list("heads/", None)).0;
    assert!(matches!(told, Err(TransportError::Malformed { .. })), "{told:?}");
}

#[test]
fn t4_what_is_gone_already_is_removed() {
    for status in ["204 No Content", "404 Not Found"] {
        let told = format!("HTTP/1.1 {status}\r\nconnection: close\r\n\r\n");
        let (told, asked) = once(told, |s3| s3.remove("objects/x"));
        told.unwrap();
        assert!(asked.line.starts_with("DELETE /team/app/objects/x?"), "{asked:?}");
    }
}

/// Tidying up removes what is old; without an age nothing may be called old.
#[test]
fn t4_an_age_is_told_or_there_is_none() {
    let dated = "HTTP/1.1 200 OK\r\ndate: Thu, 16 Apr 2026 10:00:07 GMT\r\nlast-modified: Wed, 15 Apr 2026 10:00:00 GMT\r\nconnection: close\r\n\r\n";
    assert_eq!(once(dated.into(), |s3| s3.age("objects/x")).0.unwrap(), Some(86_407));
    assert_eq!(
        once("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n".into(), |s3| s3.age("objects/x")).0.unwrap(),
        None
    );
    let told = once("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".into(), |s3| s3.age("objects/x")).0;
    assert!(matches!(told, Err(TransportError::Malformed { .. })), "{told:?}");
}

#[test]
fn t4_without_credentials_nothing_is_asked() {
    let told = S3::open("s3://team/app", None, "us-east-1", &Surroundings::default(), || jiff::Timestamp::UNIX_EPOCH);
    let Err(TransportError::Refused { why, .. }) = told else { panic!("it was opened") };
    assert!(why.contains("AWS_ACCESS_KEY_ID"), "{why}");
}
