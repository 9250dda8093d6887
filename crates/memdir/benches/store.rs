//! The small parts that every command is made of, one by one: `cargo bench -p memdir`.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use memdir::guard::secrets;
use memdir::store::index::{self, Index, SizeUnit};
use memdir::store::place::slug;
use memdir::store::topic::{Header, Topic};
use memdir::store::{Dirs, Store};
use std::hint::black_box;
use std::path::Path;

const TOPIC: &str = "---\nname: No database mocks\ndescription: Integration tests must hit a real Postgres; mocks hid a broken migration\ntype: feedback\n---\n\nIntegration tests use a real database.\n\n**Why:** mocks hid a broken migration.\n**How to apply:** tests that touch SQL.\n";

fn files(c: &mut Criterion) {
    c.bench_function("header", |b| b.iter(|| Header::read(black_box(TOPIC.as_bytes()))));
    c.bench_function("topic: parse and set", |b| {
        b.iter(|| {
            let mut topic = Topic::parse(black_box(TOPIC.as_bytes().to_vec()));
            let set = topic.set("description", "something else");
            (set, topic.into_bytes())
        });
    });
    let lines: String =
        (0..200).map(|at| format!("- [Title {at}](file_{at}.md) — a hook of ordinary length\n")).collect();
    c.bench_function("index: load 200 lines", |b| {
        b.iter(|| index::load(black_box(lines.as_bytes()), SizeUnit::Bytes, &|_| false));
    });
    c.bench_function("index: point among 200 lines", |b| {
        b.iter(|| {
            let mut index = Index::parse(lines.clone().into_bytes());
            let edit = index.point("file_150.md", "New title", "new hook");
            index.apply(&edit);
            index.into_bytes()
        });
    });
    c.bench_function("slug", |b| b.iter(|| slug(black_box(Path::new("/home/me/work/My Repo_é.v2+x")))));
}

fn guards(c: &mut Criterion) {
    let small = TOPIC.repeat(12);
    let large = TOPIC.repeat(3_000);
    c.bench_function("secrets: 4 KB", |b| b.iter(|| secrets::scan(black_box(&small))));
    c.bench_function("secrets: 1 MB", |b| b.iter(|| secrets::scan(black_box(&large))));
}

fn directory(c: &mut Criterion) {
    let home = tempfile::tempdir().unwrap();
    let memory = home.path().join("memory");
    std::fs::create_dir_all(&memory).unwrap();
    for at in 0..2_000 {
        std::fs::write(memory.join(format!("feedback_{at}.md")), TOPIC).unwrap();
    }
    let dirs = Dirs { state: home.path().join("state"), cache: home.path().join("cache") };
    Store::open(&memory, &dirs).unwrap().notice(jiff::Timestamp::UNIX_EPOCH).unwrap();
    c.bench_function("notice 2,000 files, nothing changed", |b| {
        b.iter(|| Store::open(&memory, &dirs).unwrap().notice(jiff::Timestamp::UNIX_EPOCH).unwrap());
    });
}

criterion_group!(benches, files, guards, directory);
criterion_main!(benches);
