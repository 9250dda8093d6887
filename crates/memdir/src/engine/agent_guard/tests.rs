#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use super::*;
use crate::engine::Remember;
use crate::engine::proposal::{FileEffect, LandedProposal, RejectionRule};
use crate::engine::test_memory::{TestMemory, store, topic};

const KEY: &str = "ghp_x9K2mQ7vT4bN8cR1wZ5yL3pD6fH0jS2aE4gU";

fn bench() -> TestMemory {
    let utc = topic("feedback", "Times in UTC", "All timestamps are stored in UTC.");
    let release = topic("project", "Release", "The release manager is the platform team.");
    let tabs = topic("feedback", "Tabs", "Indent with tabs.").replace("type:", "pinned: true\ntype:");
    TestMemory::with(&[("feedback_utc.md", &utc), ("project_release.md", &release), ("feedback_tabs.md", &tabs)])
}

/// What came of a run.
#[derive(Debug)]
struct Settled {
    verdict: ProposalVerdict,
    landed: LandedProposal,
    put_back: Vec<String>,
}

/// Lets `program` work in the directory, takes back what it did and lands what passes.
fn settle(bench: &TestMemory, program: impl FnOnce()) -> Settled {
    let memory = bench.memory();
    let guard = memory.guard_agent().unwrap();
    program();
    let reason = "learn with the host's program";
    let (verdict, put_back) = guard.take_back(&Bounds::extraction(), &signature(), reason).unwrap();
    let store = memory.writable(Scope::Private).unwrap();
    let landed = memory.land_proposal(store, &verdict, &signature(), reason, None).unwrap();
    Settled { verdict, landed, put_back }
}

fn signature() -> Signature {
    Signature { actor: Actor::Extract, session: Some("s1".into()), message: None }
}

fn rules(settled: &Settled) -> Vec<(&str, RejectionRule)> {
    settled.verdict.rejected.iter().map(|rejection| (rejection.file.as_str(), rejection.rule)).collect()
}

#[test]
fn what_passes_comes_back_signed_and_what_fails_stays_out() {
    let bench = bench();
    let before = bench.bytes();
    let new = topic("reference", "Dashboards", "Latency dashboards live in the Grafana folder called checkout.");
    let settled = settle(&bench, || {
        bench.put("reference_dashboards.md", &new);
        bench.put("MEMORY.md", "- [Only mine](reference_dashboards.md) — all others are gone\n");
        bench.put("feedback_tabs.md", topic("feedback", "Tabs", "Indent with spaces."));
        std::fs::remove_file(bench.dir().join("feedback_utc.md")).unwrap();
    });
    assert_eq!(settled.landed.files, [("reference_dashboards.md".to_owned(), FileEffect::Created)]);
    assert_eq!(
        rules(&settled),
        [
            ("MEMORY.md", RejectionRule::Index),
            ("feedback_tabs.md", RejectionRule::Pinned),
            ("feedback_utc.md", RejectionRule::Removal),
        ]
    );
    assert_eq!(settled.put_back.len(), 4);
    let mut wanted = before;
    wanted.insert("reference_dashboards.md".into(), new.clone().into_bytes());
    let index = wanted.get_mut("MEMORY.md").unwrap();
    index.extend_from_slice("- [Dashboards](reference_dashboards.md) — in short\n".as_bytes());
    assert_eq!(bench.bytes(), wanted);
    // Taking the run back is one undo.
    let memory = bench.memory();
    assert_eq!(memory.history().events(None, 1).unwrap()[0].actor, "extract");
    memory.history().undo(None).unwrap();
    assert!(!bench.bytes().contains_key("reference_dashboards.md"));
    // Everything the program did is in the history.
    let texts: Vec<String> = memory
        .history()
        .events(None, 10)
        .unwrap()
        .iter()
        .map(|event| memory.history().diff(&event.id).unwrap().1)
        .collect();
    assert!(texts.iter().any(|text| text.contains("Indent with spaces")), "{texts:?}");
}

#[test]
fn x6_a_hostile_program_leaves_the_directory_byte_for_byte() {
    let link = |bench: &TestMemory, to: &str, file: &str| memdir_testkit::link(to, bench.dir().join(file)).unwrap();
    let remove = |bench: &TestMemory, file: &str| std::fs::remove_file(bench.dir().join(file)).unwrap();
    let huge = "x".repeat(10 * 1024 * 1024);
    let key = topic("reference", "Key", &format!("key: {KEY}"));
    let attempts: Vec<(&str, Box<dyn Fn(&TestMemory) + '_>, RejectionRule)> = vec![
        ("a link", Box::new(|bench| link(bench, "/etc/hostname", "host.md")), RejectionRule::Link),
        ("a linked directory", Box::new(|bench| link(bench, "/etc", "etc")), RejectionRule::Link),
        (
            "a link for a file",
            Box::new(|bench| {
                remove(bench, "feedback_utc.md");
                link(bench, "/etc/hostname", "feedback_utc.md");
            }),
            RejectionRule::Link,
        ),
        ("10 MB", Box::new(|bench| bench.put("big.md", &huge)), RejectionRule::Size),
        ("10 MB over a memory", Box::new(|bench| bench.put("feedback_utc.md", &huge)), RejectionRule::Size),
        ("a secret", Box::new(|bench| bench.put("key.md", &key)), RejectionRule::Secret),
        (
            "everything deleted",
            Box::new(|bench| {
                for file in bench.bytes().into_keys() {
                    remove(bench, &file);
                }
            }),
            RejectionRule::Removal,
        ),
        (
            "40 files",
            Box::new(|bench| {
                for at in 0..40 {
                    bench.put(&format!("n{at}.md"), topic("reference", &format!("N {at}"), "It is so."));
                }
            }),
            RejectionRule::TooMany,
        ),
    ];
    for (name, attempt, rule) in attempts {
        let bench = bench();
        let before = bench.bytes();
        let settled = settle(&bench, || attempt(&bench));
        assert_eq!(bench.bytes(), before, "{name}");
        assert!(settled.verdict.rejected.iter().any(|rejection| rejection.rule == rule), "{name}: {settled:?}");
        assert!(settled.landed.change.is_none());
        assert_eq!(bench.rubbish(), Vec::<String>::new(), "{name}");
        // What a key looked like is not in the history either.
        let journal: String = memdir_store::fs::names(&store(&bench.memory()).state_dir().join("journal"))
            .unwrap()
            .iter()
            .map(|file| {
                let path = store(&bench.memory()).state_dir().join("journal").join(file);
                String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
            })
            .collect();
        assert!(!journal.contains(KEY), "{name}");
    }
}

#[test]
fn what_memdir_itself_saves_meanwhile_is_not_taken_for_the_programs() {
    let bench = bench();
    let settled = settle(&bench, || {
        // Another session, while the program runs.
        let other = bench.memory();
        let wanted = Remember { text: "Invoices are rounded half up, per line.".into(), ..Remember::default() };
        other.files().remember(&wanted).unwrap();
        other.files().set_pinned("project_release.md", true).unwrap();
        let index = bench.read("MEMORY.md") + "- [Evil](evil.md) — not a file\n";
        bench.put("MEMORY.md", index);
    });
    assert_eq!(settled.put_back, ["MEMORY.md"]);
    assert!(bench.read("project_release.md").contains("pinned: true"));
    let index = bench.read("MEMORY.md");
    assert!(index.contains("ounded half up") && !index.contains("Evil"), "{index}");
    assert_eq!(rules(&settled), []);
}

#[test]
fn a_program_that_changes_nothing_leaves_no_trace() {
    let bench = bench();
    let before = bench.bytes();
    let settled = settle(&bench, || {});
    assert_eq!((settled.put_back.len(), settled.verdict.rejected.len()), (0, 0));
    assert_eq!(bench.bytes(), before);
    assert_eq!(bench.memory().history().events(None, 10).unwrap().len(), 1, "only what was there at first sight");
}

#[test]
fn what_a_killed_watch_leaves_is_put_back_by_the_next() {
    let bench = bench();
    let before = bench.bytes();
    let huge = "x".repeat(2 * memdir_core::limits::TOPIC_BYTES);
    bench.put("huge.md", &huge);
    let memory = bench.memory();
    let guard = memory.guard_agent().unwrap();
    // The process is killed: nothing is dropped, and the system lets go of the lock.
    let mark = guard.mark().to_path_buf();
    let will = mark.with_extension("will");
    let kept = std::fs::read(&will).unwrap();
    let copy = mark.with_extension("");
    let held = bench.home().join("held");
    std::fs::rename(&copy, &held).unwrap();
    drop(guard);
    std::fs::rename(&held, &copy).unwrap();
    std::fs::write(&mark, "").unwrap();
    std::fs::write(&will, kept).unwrap();
    // What the program did, and what a person did with memdir meanwhile.
    bench.put("half.md", topic("project", "Half", "Nobody checked it."));
    std::fs::remove_file(bench.dir().join("feedback_utc.md")).unwrap();
    let other = bench.memory();
    other
        .files()
        .remember(&Remember { text: "Invoices are rounded half up, per line.".into(), ..Remember::default() })
        .unwrap();
    let put_back = bench.memory().recover_agent_runs().unwrap();
    assert_eq!(put_back, ["feedback_utc.md", "half.md"]);
    let mut now = bench.bytes();
    assert_eq!(now.remove("huge.md").unwrap(), huge.as_bytes(), "what was too large to be copied stays");
    now.retain(|file, _| before.contains_key(file) && file != "MEMORY.md");
    assert_eq!(now, before.into_iter().filter(|(file, _)| file != "MEMORY.md").collect());
    assert!(bench.read("MEMORY.md").contains("ounded half up"));
    assert_eq!(bench.rubbish(), Vec::<String>::new());
    assert_eq!(bench.memory().recover_agent_runs().unwrap(), Vec::<String>::new());
}
