//! Objects in a bucket of any S3-compatible store, over HTTP.
//!
//! Enters: an address, credentials, a clock for the signatures. Leaves: an [`Objects`]. A condition travels as `If-Match` or `If-None-Match`, and the
//! store checks it: that is what lets a thousand machines write at once. Never follows a redirect, never reads more than it was told to, never holds
//! a request longer than its limit.

use std::io::Read as _;
use std::time::Duration;

use jiff::Timestamp;
use rusty_s3::{Bucket as Place, Credentials, S3Action as _, UrlStyle};
use ureq::http::StatusCode;

use super::credentials::credentials;
use super::objects::{Fetched, ListedKey, Object, Objects};
use crate::transport::TransportError;
use memdir_core::limits;
use memdir_core::surroundings::Surroundings;

/// How long a signature is good for.
const SIGNED_FOR: Duration = Duration::from_mins(5);

/// A bucket.
pub struct S3 {
    place: Place,
    credentials: Credentials,
    /// Before every key, with a slash at its end; or nothing.
    prefix: String,
    clock: fn() -> Timestamp,
    agent: ureq::Agent,
    shown: String,
}

/// What an answer was.
struct Answer {
    status: StatusCode,
    tag: String,
    bytes: Vec<u8>,
    /// There is more than was allowed; none of it is here.
    too_large: bool,
    /// Seconds from the last change of the object to the answer, both by the store's clock.
    age: Option<u64>,
}

impl S3 {
    /// Opens `s3://bucket/prefix` with the credentials of the surroundings.
    pub fn open(
        url: &str,
        endpoint: Option<&str>,
        region: &str,
        around: &Surroundings,
        clock: fn() -> Timestamp,
    ) -> Result<S3, TransportError> {
        let refused = |why: &str| TransportError::Refused { place: url.to_owned(), why: why.to_owned() };
        let rest = url.strip_prefix("s3://").ok_or_else(|| refused("an address of a bucket begins with s3://"))?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let credentials = credentials(around).ok_or_else(|| {
            refused(
                "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or keep them in ~/.aws/credentials",
            )
        })?;
        let server = endpoint.map_or_else(|| format!("https://s3.{region}.amazonaws.com"), str::to_owned);
        if let Some(problem) = memdir_core::settings::base_url_problem(server.trim_end_matches('/')) {
            return Err(refused(&format!("the address of the server cannot be used: {problem}")));
        }
        let style = if endpoint.is_some() { UrlStyle::Path } else { UrlStyle::VirtualHost };
        let parsed = server.parse().map_err(|_| refused("the address of the server is not readable"))?;
        let place = Place::new(parsed, style, bucket.to_owned(), region.to_owned())
            .map_err(|error| refused(&format!("that cannot be a bucket's name ({error})")))?;
        let proxy = around.proxy(&server).as_deref().map(ureq::Proxy::new);
        let proxy = proxy.transpose().map_err(|_| refused("the proxy in the environment cannot be used"))?;
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(limits::TEAM_REQUEST_SECONDS)))
            .timeout_connect(Some(Duration::from_secs(limits::MODEL_CONNECT_SECONDS)))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxy)
            .user_agent(concat!("memdir/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        let prefix = prefix.trim_matches('/');
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        Ok(S3 { place, credentials, prefix, clock, agent, shown: url.to_owned() })
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// One request, again when the store says that it is busy.
    fn send(
        &self,
        limit: usize,
        ask: impl Fn() -> Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Answer, TransportError> {
        let mut trouble = String::new();
        for attempt in 0..limits::TEAM_REQUEST_ATTEMPTS {
            if attempt > 0 {
                std::thread::sleep(Duration::from_millis(100 << attempt));
            }
            let response = match ask() {
                Ok(response) => response,
                Err(error) => {
                    trouble = error.to_string();
                    continue;
                }
            };
            let (head, body) = response.into_parts();
            let field = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
            let tag = field("etag").unwrap_or_default().to_owned();
            let age = field("date").zip(field("last-modified")).and_then(|(now, then)| seconds_between(then, now));
            // What says that it is too large is not read at all; what does not say so, no further than that.
            let mut too_large = body.content_length().is_some_and(|bytes| bytes > limit as u64);
            let mut bytes = Vec::new();
            if !too_large || !head.status.is_success() {
                if let Err(error) = body.into_reader().take(limit as u64 + 1).read_to_end(&mut bytes) {
                    trouble = error.to_string();
                    continue;
                }
                too_large = bytes.len() > limit;
            }
            if matches!(head.status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504) {
                trouble = format!("it answers {}", head.status);
                continue;
            }
            return Ok(Answer { status: head.status, tag, bytes, too_large, age });
        }
        Err(TransportError::Unreachable { place: self.shown.clone(), why: trouble })
    }

    fn refused(&self, answer: &Answer) -> TransportError {
        let said = String::from_utf8_lossy(&answer.bytes);
        let between = |tag: &str| {
            let (_, rest) = said.split_once(&format!("<{tag}>"))?;
            Some(rest.split_once('<')?.0.to_owned())
        };
        let words: Vec<String> = ["Code", "Message"].iter().filter_map(|tag| between(tag)).collect();
        let why = format!("{} {}", answer.status, words.join(": "));
        let why = memdir_guard::shown::one_line(&why).chars().take(200).collect();
        TransportError::Refused { place: self.shown.clone(), why }
    }
}

impl Objects for S3 {
    fn get_unless(&self, key: &str, tag: Option<&str>, limit: usize) -> Result<Fetched, TransportError> {
        let key = self.key(key);
        let answer = self.send(limit, || {
            let url = self.place.get_object(Some(&self.credentials), &key).sign_with_time(SIGNED_FOR, &(self.clock)());
            let mut request = self.agent.get(url.as_str());
            if let Some(tag) = tag {
                request = request.header("if-none-match", tag);
            }
            request.call()
        })?;
        match answer.status.as_u16() {
            200 if answer.too_large => Ok(Fetched::TooLarge),
            200 => Ok(Fetched::Object(Object { bytes: answer.bytes, tag: answer.tag })),
            304 => Ok(Fetched::Same),
            404 if !String::from_utf8_lossy(&answer.bytes).contains("NoSuchBucket") => Ok(Fetched::Nothing),
            _ => Err(self.refused(&answer)),
        }
    }

    fn put(&self, key: &str, bytes: &[u8]) -> Result<(), TransportError> {
        let key = self.key(key);
        let answer = self.send(limits::MODEL_ERROR_BYTES, || {
            let url = self.place.put_object(Some(&self.credentials), &key).sign_with_time(SIGNED_FOR, &(self.clock)());
            self.agent.put(url.as_str()).send(bytes)
        })?;
        if answer.status.is_success() { Ok(()) } else { Err(self.refused(&answer)) }
    }

    fn put_if(&self, key: &str, bytes: &[u8], tag: Option<&str>) -> Result<Option<String>, TransportError> {
        let key = self.key(key);
        let answer = self.send(limits::MODEL_ERROR_BYTES, || {
            let url = self.place.put_object(Some(&self.credentials), &key).sign_with_time(SIGNED_FOR, &(self.clock)());
            let request = self.agent.put(url.as_str());
            let request = match tag {
                Some(tag) => request.header("if-match", tag),
                None => request.header("if-none-match", "*"),
            };
            request.send(bytes)
        })?;
        match answer.status.as_u16() {
            200..=299 if answer.tag.is_empty() => {
                Err(self.malformed("it gives no ETag, without which writes cannot be conditional"))
            }
            200..=299 => Ok(Some(answer.tag)),
            // Overtaken; 404: what it was to replace is gone.
            404 | 409 | 412 if !String::from_utf8_lossy(&answer.bytes).contains("NoSuchBucket") => Ok(None),
            _ => Err(self.refused(&answer)),
        }
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Result<Vec<ListedKey>, TransportError> {
        let (prefix, after) = (self.key(prefix), after.map(|after| self.key(after)));
        let answer = self.send(limits::TEAM_NODE_BYTES, || {
            let mut list = self.place.list_objects_v2(Some(&self.credentials));
            list.with_prefix(prefix.as_str());
            if let Some(after) = &after {
                list.with_start_after(after.as_str());
            }
            self.agent.get(list.sign_with_time(SIGNED_FOR, &(self.clock)()).as_str()).call()
        })?;
        if !answer.status.is_success() {
            return Err(self.refused(&answer));
        }
        let listed = rusty_s3::actions::ListObjectsV2::parse_response(&String::from_utf8_lossy(&answer.bytes))
            .map_err(|error| self.malformed(&format!("a listing is not readable ({error})")))?;
        let own = listed.contents.into_iter().filter_map(|found| {
            let key = found.key.strip_prefix(&self.prefix)?.to_owned();
            Some(ListedKey { key, tag: found.etag.unwrap_or_default(), bytes: found.size.unwrap_or_default() })
        });
        Ok(own.collect())
    }

    fn remove(&self, key: &str) -> Result<(), TransportError> {
        let key = self.key(key);
        let answer = self.send(limits::MODEL_ERROR_BYTES, || {
            let action = self.place.delete_object(Some(&self.credentials), &key);
            self.agent.delete(action.sign_with_time(SIGNED_FOR, &(self.clock)()).as_str()).call()
        })?;
        if answer.status.is_success() || answer.status.as_u16() == 404 { Ok(()) } else { Err(self.refused(&answer)) }
    }

    fn age(&self, key: &str) -> Result<Option<u64>, TransportError> {
        let key = self.key(key);
        let answer = self.send(limits::MODEL_ERROR_BYTES, || {
            let action = self.place.head_object(Some(&self.credentials), &key);
            self.agent.head(action.sign_with_time(SIGNED_FOR, &(self.clock)()).as_str()).call()
        })?;
        match answer.status.as_u16() {
            200 if answer.age.is_none() => Err(self.malformed("it does not say when an object was written")),
            200 => Ok(answer.age),
            404 => Ok(None),
            _ => Err(self.refused(&answer)),
        }
    }

    fn place(&self) -> String {
        self.shown.clone()
    }
}

/// Seconds from one time of a header to another.
fn seconds_between(then: &str, now: &str) -> Option<u64> {
    let read = |text: &str| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok();
    u64::try_from(read(now)?.duration_since(read(then)?).as_secs()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_by_the_stores_own_clock() {
        let then = "Wed, 15 Apr 2026 10:00:00 GMT";
        assert_eq!(seconds_between(then, "Thu, 16 Apr 2026 10:00:07 GMT"), Some(86_407));
        assert_eq!(
            (seconds_between(then, "soon"), seconds_between(then, "Tue, 14 Apr 2026 10:00:00 GMT")),
            (None, None)
        );
    }

    fn with_credentials() -> Surroundings {
        let vars = [("AWS_ACCESS_KEY_ID", "K"), ("AWS_SECRET_ACCESS_KEY", "S")];
        Surroundings { vars: vars.map(|(k, v)| (k.to_owned(), v.to_owned())).into(), ..Surroundings::default() }
    }

    /// A server that answers one request with this head and then with zeroes, up to a gigabyte. Gives how many it got rid of.
    fn flood(head: &'static str) -> (String, std::thread::JoinHandle<usize>) {
        use std::io::Write as _;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                asked.extend_from_slice(&byte);
            }
            stream.write_all(head.as_bytes()).unwrap();
            let zeroes = vec![0; 1 << 20];
            let sent = (0..1024).take_while(|_| stream.write_all(&zeroes).is_ok()).count();
            sent << 20
        });
        (address, server)
    }

    #[test]
    fn t4_an_object_of_a_gigabyte_is_not_read() {
        for head in [
            "HTTP/1.1 200 OK\r\netag: \"x\"\r\ncontent-length: 1073741824\r\n\r\n",
            // One that does not say so is cut off.
            "HTTP/1.1 200 OK\r\netag: \"x\"\r\nconnection: close\r\n\r\n",
        ] {
            let (address, server) = flood(head);
            let clock = || Timestamp::UNIX_EPOCH;
            let s3 = S3::open("s3://team/app", Some(&address), "us-east-1", &with_credentials(), clock).unwrap();
            assert_eq!(s3.get_unless("objects/x", None, limits::TEAM_FILE_BYTES).unwrap(), Fetched::TooLarge);
            drop(s3);
            // What the system holds between the two is the most that can have left.
            assert!(server.join().unwrap() < 256 << 20);
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        let around = with_credentials();
        let clock = || Timestamp::UNIX_EPOCH;
        assert!(S3::open("https://x/y", None, "us-east-1", &around, clock).is_err());
        assert!(S3::open("s3://team/app", Some("ftp://x"), "us-east-1", &around, clock).is_err());
        assert!(S3::open("s3://team/app", Some("http://127.0.0.1:1"), "us-east-1", &around, clock).is_ok());
    }
}
