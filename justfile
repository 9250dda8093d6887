# The same verbs as CI.

check: format lint test

format:
    cargo fmt --all -- --check

lint:
    cargo clippy --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

test:
    cargo test --workspace

faults:
    cargo test -p memdir-cli --features strace --test faults

licences:
    cargo deny check

bench:
    python3 benches/cold/run.py

# The pictures of the docs, from the real page and the real program.
pictures:
    cargo build --release
    tests/browser/pictures target/release/memdir
    docs/images/recording.py target/release/memdir > docs/images/recording.svg
