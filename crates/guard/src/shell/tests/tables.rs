//! What each program may be told: every kind of option once, and where its value goes.

use super::*;

/// The arguments of the only call: what leads, the word, the role.
fn parts(command: &str) -> Vec<(String, String, ArgRole)> {
    let call = plan(command).steps.remove(0).pipeline.remove(0);
    call.args.into_iter().map(|arg| (arg.lead, arg.word.prefix(), arg.role)).collect()
}

/// Each ends in the one word that is a path.
#[test]
fn x6_every_kind_of_option_takes_its_value_and_leaves_the_path() {
    for command in [
        "ls -l /mem",
        "ls -I x /mem",
        "ls --all /mem",
        "ls --sort time /mem",
        "cat -n /mem",
        "cat --number /mem",
        "stat -L /mem",
        "stat -c %n /mem",
        "stat --terse /mem",
        "stat --format %n /mem",
        "wc -l /mem",
        "wc --lines /mem",
        "wc --total never /mem",
        "head -q /mem",
        "head -n 5 /mem",
        "head -5 /mem",
        "head --quiet /mem",
        "head --lines 5 /mem",
        "tail -q /mem",
        "tail -n 5 /mem",
        "tail -5 /mem",
        "tail +5 /mem",
        "tail --quiet /mem",
        "tail --lines 5 /mem",
        "grep -n x /mem",
        "grep -A 3 x /mem",
        "grep -3 x /mem",
        "grep --count x /mem",
        "grep --max-count 3 x /mem",
        "grep --regexp x /mem",
        "grep -e x /mem",
        "find -H /mem",
        "find -P /mem -name x",
        "find /mem ( -name x )",
        "find /mem -newermt x",
        "find /mem -newerBt x",
    ] {
        let command = command.replace('(', "\\(").replace(')', "\\)");
        assert_eq!(roles(&command, ArgRole::Path), ["/mem"], "{command}");
    }
}

#[test]
fn x6_a_value_that_is_a_path_is_one() {
    let both = ["/pat", "/mem"];
    assert_eq!(roles("grep -f /pat /mem", ArgRole::Path), both);
    assert_eq!(roles("grep --file /pat /mem", ArgRole::Path), both);
    assert_eq!(roles("grep --exclude-from /pat x /mem", ArgRole::Path), both);
    assert_eq!(roles("find /pat -newer /mem", ArgRole::Path), both);
    assert_eq!(roles("find /pat -newerma /mem", ArgRole::Path), both);
    assert_eq!(roles("find /pat -newerac /mem", ArgRole::Path), both);
}

#[test]
fn x6_what_leads_a_value_is_cut_off_it() {
    let text = |text: &str| text.to_owned();
    for (command, lead) in [
        ("grep -f/pat x", "-f"),
        ("grep -nf/pat x", "-nf"),
        ("grep -rnf/pat x", "-rnf"),
        ("grep --file=/pat x", "--file="),
    ] {
        assert_eq!(parts(command)[0], (text(lead), text("/pat"), ArgRole::Path), "{command}");
    }
    assert_eq!(parts("head -n5 x")[0], (text("-n"), text("5"), ArgRole::Text));
    assert_eq!(parts("head --lines=5 x")[0], (text("--lines="), text("5"), ArgRole::Text));
    // The rest of a quoted word stays quoted, and what the caller fills in stays where it was.
    let call = plan("grep -nf'a'$HOME x").steps.remove(0).pipeline.remove(0);
    assert_eq!(
        (call.args[0].lead.as_str(), &call.args[0].word.pieces[..]),
        ("-nf", &[Piece::Quoted("a".into()), Piece::Home][..])
    );
    let call = plan("grep -f$HOME x").steps.remove(0).pipeline.remove(0);
    assert_eq!((call.args[0].lead.as_str(), &call.args[0].word.pieces[..]), ("-f", &[Piece::Home][..]));
}

#[test]
fn x6_a_directory_of_the_caller_hides_no_option() {
    for command in [
        "ls -$HOME",
        "ls -l$HOME",
        "ls --$HOME",
        "ls --sort$HOME",
        "ls --all$HOME",
        "tail +$HOME",
        "tail +5$HOME",
        "find -$HOME",
        "find . -name$HOME x",
        "find . -newermt$HOME x",
        "find -H$HOME",
        "ls$HOME",
        "tail +",
        "tail +5x",
    ] {
        assert!(matches!(judge(command), ShellVerdict::Deny { .. }), "{command}");
    }
    for command in ["ls -I$HOME .", "ls --sort=$HOME .", "ls --color=$HOME .", "ls $HOME/-x", "ls -- --$HOME"] {
        assert!(matches!(judge(command), ShellVerdict::Allow(_)), "{command}");
    }
}

#[test]
fn x6_after_two_dashes_everything_is_a_path() {
    assert_eq!(roles("ls -- -R --all /mem", ArgRole::Path), ["-R", "--all", "/mem"]);
    assert_eq!(roles("grep -- -x /mem", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("cat +5x /mem", ArgRole::Path), ["+5x", "/mem"], "an old way to say a number, but for tail alone");
    assert_eq!(roles("cat - /mem", ArgRole::Path), ["-", "/mem"]);
}

#[test]
fn x6_a_refused_option_is_named_with_its_reason() {
    let reason = |command: &str| match judge(command) {
        ShellVerdict::Deny { reason } => reason,
        ShellVerdict::Allow(plan) => panic!("{command}: {plan:?}"),
    };
    assert_eq!(reason("tail -F x"), "tail -F waits for ever");
    assert_eq!(reason("tail --ret x"), "tail --retry waits for ever");
    assert_eq!(reason("wc --f x"), "wc --files0-from reads its file names from a file; name the files");
    assert_eq!(reason("cat -x y"), "the option `-x` of cat is not among those known to only read");
    assert_eq!(reason("tail --$HOME"), "the option `--` of tail is not among those known to only read");
    assert_eq!(reason("tail --unheard x"), "the option `--unheard` of tail is not among those known to only read");
    assert_eq!(reason("tail --followed x"), "the option `--followed` of tail is not among those known to only read");
}
