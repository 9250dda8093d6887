//! A server with a certificate in front of a scripted model: real TLS on loopback.
//!
//! The certificates in `tls/` are made for tests and know nobody: an authority, a server for `127.0.0.1` and
//! `localhost` that it signed, and another authority that signed nothing. Each connection carries one request.

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::model_server::ModelServer;

/// A server with a certificate; closed when dropped.
pub struct TlsFront {
    address: SocketAddr,
    closed: Arc<AtomicBool>,
}

impl TlsFront {
    /// Before a scripted model.
    ///
    /// # Panics
    /// When there is no port or the certificates are broken.
    #[must_use]
    pub fn before(server: &ModelServer) -> TlsFront {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let closed = Arc::new(AtomicBool::new(false));
        let (config, behind, is_closed) =
            (Arc::new(config()), server.url().replace("http://", ""), Arc::clone(&closed));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if is_closed.load(Ordering::Acquire) {
                    return;
                }
                let (config, behind) = (Arc::clone(&config), behind.clone());
                // A client that does not trust us hangs up; that is its answer.
                std::thread::spawn(move || drop(carry(stream, config, &behind)));
            }
        });
        TlsFront { address, closed }
    }

    /// Where it is.
    #[must_use]
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.address.port())
    }

    /// The file of the authority that signed for it.
    #[must_use]
    pub fn authority() -> PathBuf {
        file("ca.pem")
    }

    /// The file of one that did not.
    #[must_use]
    pub fn other_authority() -> PathBuf {
        file("other-ca.pem")
    }
}

impl Drop for TlsFront {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Release);
        // Wakes the thread that waits for a client.
        drop(TcpStream::connect(self.address));
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tls").join(name)
}

fn config() -> ServerConfig {
    let chain = vec![CertificateDer::from_pem_file(file("server.pem")).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_file(file("server.key")).expect("a key");
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("the key fits the certificate")
}

/// One request there, its answer back.
fn carry(stream: TcpStream, config: Arc<ServerConfig>, behind: &str) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut client = StreamOwned::new(connection, stream);
    let Some(request) = crate::model_server::raw_request(&mut client)? else { return Ok(()) };
    let mut server = TcpStream::connect(behind)?;
    server.write_all(&request)?;
    let mut piece = [0; 4096];
    loop {
        let read = server.read(&mut piece)?;
        if read == 0 {
            break;
        }
        client.write_all(&piece[..read])?;
        client.flush()?;
    }
    client.conn.send_close_notify();
    client.flush()
}
