//! A scripted model on loopback that speaks the wires of the real ones.
//!
//! Enters: a script, which says for each request what the model does (a function, or a queue of
//! [`Turn`]s). Leaves: real HTTP answers, streamed or whole, in the format of Anthropic Messages,
//! OpenAI Chat Completions and Responses, or Gemini; and a record of every request. It counts
//! tokens and prompt-cache hits as the providers do, and can stall, cut, corrupt, refuse and die
//! when told. It listens on 127.0.0.1 only, keeps no key, and is gone when dropped.

mod anthropic;
mod cache;
mod chat;
mod connection;
mod gemini;
mod recorded;
mod responses;
pub mod script;
mod turn;
mod wire;

pub use cache::Count;
pub use recorded::{Api, Recorded, View};
pub use turn::{Ending, Fault, Piece, Quirks, Turn};

use std::collections::{HashMap, VecDeque};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Connections served at once; a client gone wrong must not fill the machine.
const CONNECTIONS: usize = 64;
/// Requests kept.
const RECORDS: usize = 10_000;
/// How long a test waits for something that should be there in milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

type Observer = Box<dyn Fn(&Recorded) + Send + Sync>;
type Script = Box<dyn Fn(&Recorded) -> Turn + Send + Sync>;

/// A scripted model server.
pub struct ModelServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    acceptor: Option<JoinHandle<()>>,
}

struct Shared {
    script: Script,
    observer: Option<Observer>,
    queue: Mutex<VecDeque<Turn>>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    records: Vec<Recorded>,
    cache: cache::Cache,
    streams: HashMap<usize, TcpStream>,
    /// Connections that the client closed before their answer was complete.
    hung_up: usize,
    /// Connections that stall now.
    stalled: usize,
    /// Raised each time the test lets stalled connections go on.
    releases: usize,
    /// The listener is to close.
    dying: bool,
    /// It is closed.
    closed: bool,
    /// The server is being dropped.
    stopped: bool,
}

impl ModelServer {
    /// A server that asks a function what to do.
    pub fn new(script: impl Fn(&Recorded) -> Turn + Send + Sync + 'static) -> ModelServer {
        ModelServer::start(Box::new(script), None)
    }

    /// The same, and a second function is shown every request, numbered and counted.
    pub fn observed(
        script: impl Fn(&Recorded) -> Turn + Send + Sync + 'static,
        observer: impl Fn(&Recorded) + Send + Sync + 'static,
    ) -> ModelServer {
        ModelServer::start(Box::new(script), Some(Box::new(observer)))
    }

    fn start(script: Script, observer: Option<Observer>) -> ModelServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on loopback");
        let address = listener.local_addr().expect("its address");
        let shared = Arc::new(Shared {
            script,
            observer,
            queue: Mutex::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let acceptor = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(listener, &shared)
        });
        ModelServer { shared, address, acceptor: Some(acceptor) }
    }

    /// A server that does these turns in order, and after them refuses.
    pub fn queue(turns: impl IntoIterator<Item = Turn>) -> ModelServer {
        let server = ModelServer::new(|_| Turn::status(400, "the script has no turn left"));
        for turn in turns {
            server.push(turn);
        }
        server
    }

    /// One more turn; what is queued goes before what the function says.
    pub fn push(&self, turn: Turn) {
        lock(&self.shared.queue).push_back(turn);
    }

    /// Where it is: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.shared.state).records.clone()
    }

    /// The last request.
    pub fn last(&self) -> Recorded {
        self.requests().pop().expect("a request")
    }

    /// Waits until there were this many requests.
    pub fn wait_for_requests(&self, number: usize) {
        self.wait("requests", |state| state.records.len() >= number);
    }

    /// Waits until this many connections stall.
    pub fn wait_for_stalls(&self, number: usize) {
        self.wait("stalls", |state| state.stalled >= number);
    }

    /// Waits until this many clients have hung up on an unfinished answer.
    pub fn wait_for_hang_ups(&self, number: usize) {
        self.wait("hang-ups", |state| state.hung_up >= number);
    }

    /// Lets stalled connections go on.
    pub fn release(&self) {
        lock(&self.shared.state).releases += 1;
        self.shared.changed.notify_all();
    }

    /// Whether the listener is gone, as after [`Turn::die`].
    pub fn is_closed(&self) -> bool {
        lock(&self.shared.state).closed
    }

    fn wait(&self, what: &str, until: impl Fn(&State) -> bool) {
        let state = lock(&self.shared.state);
        let (_state, timeout) = self
            .shared
            .changed
            .wait_timeout_while(state, PATIENCE, |state| !until(state))
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!timeout.timed_out(), "no such number of {what} after {PATIENCE:?}");
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.shared.state);
            state.stopped = true;
            state.dying = true;
            for stream in state.streams.values() {
                let _ = stream.shutdown(Shutdown::Both);
            }
        }
        self.shared.changed.notify_all();
        knock(self.address);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

impl Shared {
    /// The next turn for a request.
    fn turn(&self, request: &Recorded) -> Turn {
        let queued = lock(&self.queue).pop_front();
        queued.unwrap_or_else(|| (self.script)(request))
    }

    /// Closes the listener and waits until nobody can connect any more.
    fn die(&self, address: SocketAddr) {
        lock(&self.state).dying = true;
        knock(address);
        let state = lock(&self.state);
        let _ = self.changed.wait_timeout_while(state, PATIENCE, |state| !state.closed);
    }
}

fn accept(listener: TcpListener, shared: &Arc<Shared>) {
    let address = listener.local_addr().expect("its address");
    let mut workers: Vec<JoinHandle<()>> = Vec::new();
    for number in 0.. {
        let Ok((stream, _)) = listener.accept() else { break };
        {
            let mut state = lock(&shared.state);
            if state.dying {
                break;
            }
            if state.streams.len() >= CONNECTIONS {
                continue;
            }
            let Ok(copy) = stream.try_clone() else { continue };
            state.streams.insert(number, copy);
        }
        let shared = Arc::clone(shared);
        workers.retain(|worker| !worker.is_finished());
        workers.push(std::thread::spawn(move || {
            // A client that went away is the client's business.
            let _ = connection::serve(stream, address, &shared);
            lock(&shared.state).streams.remove(&number);
        }));
    }
    drop(listener);
    lock(&shared.state).closed = true;
    shared.changed.notify_all();
    for worker in workers {
        let _ = worker.join();
    }
}

/// Wakes the acceptor.
fn knock(address: SocketAddr) {
    let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One request off a stream, as it can be passed on: its length is said, whatever way it came.
pub(crate) fn raw_request(stream: &mut impl std::io::Read) -> std::io::Result<Option<Vec<u8>>> {
    let Some(request) = wire::read(stream)? else { return Ok(None) };
    let mut raw = format!("{} {} HTTP/1.1\r\n", request.method, request.path);
    for (name, value) in &request.headers {
        if name != "transfer-encoding" && name != "content-length" {
            raw.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    raw.push_str(&format!("content-length: {}\r\n\r\n", request.body.len()));
    Ok(Some([raw.into_bytes(), request.body].concat()))
}
