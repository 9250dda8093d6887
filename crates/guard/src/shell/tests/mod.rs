use proptest::prelude::*;

use super::*;

mod parsing;
mod screening;
mod tables;

/// Commands that only read.
const ALLOWED: &[&str] = &[
    "ls",
    "ls -la",
    "ls -la /home/u/.claude/projects/x/memory/",
    "ls -1t --color=never .",
    "ls --sort=time --reverse",
    "ls ./*.md",
    "ls -- *.md",
    "ls a*",
    "find ./* -name '*'",
    "ls [a-c]*.md file?.txt",
    "/bin/ls",
    "/usr/bin/wc -l a.md",
    "\\ls -l",
    "\"ls\" -l",
    "l's' -l",
    "'grep' -n foo a.md",
    "ls -- -x",
    "ls # rm -rf /",
    "ls\nls",
    "ls \\\n  -l",
    "ls ~ ~/notes",
    "ls \"$HOME/notes\" ${HOME}/x $PWD",
    "ls a=b",
    "cat a.md b.md",
    "cat -n a.md",
    "cat 'a file with spaces.md' \"and another\" third\\ one",
    "cat \"it's\" 'say \"hi\"'",
    "cat 'not a $(substitution) `here`'",
    "cat MEMORY.md 2>/dev/null",
    "cat a 2> /dev/null || cat b",
    "cat a >/dev/null 2>&1 && ls",
    "cat a &>/dev/null",
    "cat a 2>&1 | head -20",
    "cat a | tail -n +5 | wc -l",
    "cat a |& wc -l",
    "stat a.md",
    "stat -c '%n %s' a.md b.md",
    "stat --format=%Y a.md",
    "stat --printf '%s\\n' a.md",
    "wc -l a.md",
    "wc -lw a.md; wc -c b.md",
    "head a.md",
    "head -5 a.md",
    "head -n 5 a.md",
    "head -n5 -q a.md b.md",
    "head --lines=5 a.md",
    "head --lines 5 a.md",
    "head -c 100 a.md",
    "tail a.md",
    "tail -20 a.md",
    "tail -n +3 a.md",
    "tail +3 a.md",
    "tail --bytes=10 a.md",
    "tail -n 5 -- -f",
    "grep foo a.md",
    "grep -rn 'foo bar' .",
    "grep -rniE '(foo|bar)(baz|qux){2,3}' --include='*.rs' src",
    "grep -r --include=*.md foo .",
    "grep -e foo -e bar a.md",
    "grep -A3 -B 2 foo a.md",
    "grep -5 foo a.md",
    "grep -f patterns.txt a.md",
    "grep --file=patterns.txt a.md",
    "grep -c '' a.md",
    "grep \"foo\\$\" a.md",
    "grep 'a$' a.md",
    "grep \"a$\" a.md",
    "grep -F '`' a.md",
    "grep -n if while.md",
    "grep for a.md",
    "grep -q x a.md && ls || cat b.md",
    "find",
    "find .",
    "find . -name '*.md'",
    "find . -type f -name '*.md' -mtime -7",
    "find /a /b -maxdepth 2 -newer x.md",
    "find . \\( -name a -o -name b \\) -print",
    "find . '(' -name a ')' -not -empty",
    "find . ! -name a",
    "find -H . -path './x/*' -prune -o -print0",
    "find . -printf '%p %s\\n'",
    "find . -newermt '2026-01-01' -ls",
    "find . -size +10k -perm -u+r",
    "find . -name '{a,b}'",
    "find . -type f | head -5",
    "find . -name x 2>/dev/null | wc -l",
    "ls; ls; ls",
];

/// Commands that do more, or of which nobody can tell, with a word of the reason.
const DENIED: &[(&str, &str)] = &[
    ("", "empty"),
    ("   \n\t", "empty"),
    ("# only a comment", "empty"),
    ("rm -rf /", "`rm` is not one of"),
    ("rm", "`rm`"),
    ("echo hi", "`echo`"),
    ("cd /tmp && ls", "`cd`"),
    ("sh -c ls", "`sh`"),
    ("bash", "`bash`"),
    ("env ls", "`env`"),
    ("command ls", "`command`"),
    ("builtin ls", "`builtin`"),
    ("exec ls", "`exec`"),
    ("eval ls", "`eval`"),
    ("xargs ls", "`xargs`"),
    ("sudo ls", "`sudo`"),
    ("nohup ls", "`nohup`"),
    ("timeout 5 ls", "`timeout`"),
    ("source x", "`source`"),
    (". x", "`.`"),
    ("alias ls=rm", "`alias`"),
    ("tee x", "`tee`"),
    ("sed -i s/a/b/ x", "`sed`"),
    ("awk '{print}' x", "`awk`"),
    ("sort x", "`sort`"),
    ("git status", "`git`"),
    ("curl http://localhost", "`curl`"),
    ("./ls", "`./ls`"),
    ("bin/ls", "`bin/ls`"),
    ("/tmp/ls", "`/tmp/ls`"),
    ("/usr/local/bin/ls", "`/usr/local/bin/ls`"),
    ("/bin/../tmp/ls", "is not one of"),
    ("//bin/ls", "is not one of"),
    ("~/ls", "is not one of"),
    ("$HOME/ls", "is not one of"),
    ("l?", "is not one of"),
    ("LS", "is not one of"),
    ("ls\u{200b}", "is not one of"),
    ("ｌｓ", "is not one of"),
    ("lѕ", "is not one of"),
    ("ls\u{a0}-l", "is not one of"),
    ("ls\0-l", "U+0000"),
    ("ls\r\nrm x", "U+000D"),
    ("ls \x1b[0m", "U+001B"),
    ("ls \\\0", "U+0000"),
    ("ls\nrm x", "`rm`"),
    ("ls;rm x", "`rm`"),
    ("ls&&rm x", "`rm`"),
    ("ls||rm x", "`rm`"),
    ("ls|rm x", "`rm`"),
    ("ls | sh", "`sh`"),
    ("ls & rm x", "background"),
    ("ls &", "background"),
    ("ls $(rm x)", "$(…)"),
    ("ls \"$(rm x)\"", "$(…)"),
    ("ls `rm x`", "`…`"),
    ("ls \"`rm x`\"", "`…`"),
    ("$(echo rm) x", "$(…)"),
    ("cat <(ls)", "<(…)"),
    ("ls >(cat)", "<(…)"),
    ("ls > x", "< or >"),
    ("ls >> x", "< or >"),
    ("ls >| x", "< or >"),
    ("ls 2> x", "< or >"),
    ("ls &> x", "< or >"),
    ("ls >& x", "< or >"),
    ("ls > /dev/null/../../tmp/x", "< or >"),
    ("ls > \"$HOME\"", "< or >"),
    ("ls 3>/dev/null", "< or >"),
    ("ls 2>&3", "< or >"),
    ("> x", "< or >"),
    ("> /dev/null", "no program"),
    ("cat < x", "< or >"),
    ("cat <> x", "not allowed"),
    ("cat << E\nx\nE", "<<"),
    ("cat <<< x", "<<"),
    ("cat 0<&3", "< or >"),
    ("X=1 ls", "setting a variable"),
    ("LD_PRELOAD=/tmp/x.so ls", "setting a variable"),
    ("X=1", "setting a variable"),
    ("PATH=/tmp ls", "setting a variable"),
    ("A+=1 ls", "setting a variable"),
    ("ls $X", "variables"),
    ("ls ${X}", "variables"),
    ("ls ${HOME:-x}", "variables"),
    ("ls $HOMEX", "variables"),
    ("ls \"$X\"", "variables"),
    ("ls $1 $@ $?", "variables"),
    ("ls ${X/a/b}", "variables"),
    ("ls $((1+1))", "arithmetic"),
    ("ls $[1+1]", "arithmetic"),
    ("((1))", "parentheses"),
    ("ls $'a\\nb'", "quotes"),
    ("ls $\"a\"", "quotes"),
    ("ls ~root", "~"),
    ("ls ~+", "~"),
    ("ls ~99999999999999999999999", "~"),
    ("ls {a,b}", "brace"),
    ("ls {1..9}", "brace"),
    ("{ ls; }", "brace"),
    ("(ls)", "parentheses"),
    ("ls() { rm x; }", "parentheses"),
    ("function ls { rm x; }", "brace"),
    ("function ls", "`function`"),
    ("! ls", "`!`"),
    ("time ls", "`time`"),
    ("coproc ls", "`coproc`"),
    ("if ls; then ls; fi", "`if`"),
    ("while ls; do ls; done", "`while`"),
    ("for x in a; do ls; done", "`for`"),
    ("ls; for x in a; do ls; done", "`for`"),
    ("case x in x) ls;; esac", "parentheses"),
    ("[[ -f x ]]", "`[[`"),
    ("[ -f x ]", "`[`"),
    ("ls 'x", "not closed"),
    ("ls \"x", "not closed"),
    ("ls |", "cannot be parsed"),
    ("ls &&", "cannot be parsed"),
    ("| ls", "cannot be parsed"),
    ("ls ;; ls", "not allowed"),
    ("find . -exec rm {} ;", "brace"),
    ("find . -exec rm '{}' \\;", "runs a program"),
    ("find . -execdir rm x \\;", "runs a program"),
    ("find . -ok rm x \\;", "runs a program"),
    ("find . -okdir rm x \\;", "runs a program"),
    ("find . -delete", "removes files"),
    ("find . '-delete'", "removes files"),
    ("find . -del\\ete", "removes files"),
    ("find . -name x -delete", "removes files"),
    ("find . -fprint x", "writes a file"),
    ("find . -fprint0 x", "writes a file"),
    ("find . -fprintf x %p", "writes a file"),
    ("find . -fls x", "writes a file"),
    ("find -files0-from x", "reads its paths"),
    ("find -L / -name environ", "follows links"),
    ("find . -follow", "follows links"),
    ("grep -R x .", "use -r"),
    ("grep --dereference-recursive x .", "use -r"),
    ("find . -unheard-of", "not among the terms"),
    ("find -D exec .", "not among the terms"),
    ("find . -newerXY x", "not among the terms"),
    ("find . -type f -print -delete", "removes files"),
    ("tail -f x", "waits for ever"),
    ("tail -F x", "waits for ever"),
    ("tail -nf x -f", "waits for ever"),
    ("tail -5f x", "waits for ever"),
    ("tail +5f x", "not among those known"),
    ("tail --follow x", "waits for ever"),
    ("tail --follow=name x", "waits for ever"),
    ("tail --fol x", "waits for ever"),
    ("tail --retry x", "waits for ever"),
    ("tail -n 5 x -f", "waits for ever"),
    ("wc --files0-from=x", "name the files"),
    ("wc --files0 x", "name the files"),
    ("grep --unheard-of x", "not among those known"),
    ("ls --hyperlink-and-more", "not among those known"),
    ("cat -x a", "not among those known"),
    ("head --pid=1 x", "not among those known"),
];

#[test]
fn x6_what_only_reads_is_allowed() {
    for command in ALLOWED {
        let verdict = judge(command);
        assert!(matches!(verdict, ShellVerdict::Allow(_)), "{command:?}: {verdict:?}");
    }
    assert!(ALLOWED.len() + DENIED.len() >= 80);
}

#[test]
fn x6_what_may_do_more_is_denied_with_a_reason() {
    for (command, word) in DENIED {
        match judge(command) {
            ShellVerdict::Deny { reason } => {
                assert!(reason.contains(word), "{command:?}: {reason:?} lacks {word:?}");
                assert!(!reason.chars().any(char::is_control), "{command:?}: {reason:?}");
            }
            ShellVerdict::Allow(plan) => panic!("{command:?} was allowed: {plan:?}"),
        }
    }
}

fn plan(command: &str) -> Plan {
    match judge(command) {
        ShellVerdict::Allow(plan) => plan,
        ShellVerdict::Deny { reason } => panic!("{command:?}: {reason}"),
    }
}

/// The arguments of the first call: lead, text, role.
fn told(command: &str) -> Vec<(String, ArgRole)> {
    let call = plan(command).steps.remove(0).pipeline.remove(0);
    call.args.into_iter().map(|arg| (format!("{}{}", arg.lead, arg.word.prefix()), arg.role)).collect()
}

fn roles(command: &str, wanted: ArgRole) -> Vec<String> {
    told(command).into_iter().filter(|(_, role)| *role == wanted).map(|(text, _)| text).collect()
}

#[test]
fn a_program_is_told_the_unquoted_words() {
    let texts: Vec<String> =
        told("cat 'a b' \"c'd\" e\\ f g\"h\"'i' '' -- -n").into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, ["a b", "c'd", "e f", "ghi", "", "--", "-n"]);
    assert_eq!(told("grep \"a\\\"b\\\\c\\$d\" x")[0].0, "a\"b\\c$d");
    assert_eq!(told("cat a\\\nb")[0].0, "ab");
}

#[test]
fn only_bare_text_is_a_pattern() {
    let call = plan("ls a*'b*'\\?").steps.remove(0).pipeline.remove(0);
    assert_eq!(call.args[0].word.pieces, [Piece::Bare("a*".into()), Piece::Quoted("b*?".into())]);
    let call = plan("ls ~/x $PWD/y").steps.remove(0).pipeline.remove(0);
    assert_eq!(call.args[0].word.pieces, [Piece::Home, Piece::Bare("/x".into())]);
    assert_eq!(call.args[1].word.pieces, [Piece::Here, Piece::Bare("/y".into())]);
}

#[test]
fn paths_are_told_from_patterns_and_numbers() {
    assert_eq!(roles("grep -rn /mem /mem -A 3", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("grep -e /mem /mem", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("grep /mem -e x", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("grep -f /pat /mem", ArgRole::Path), ["/pat", "/mem"]);
    assert_eq!(roles("grep -nf/pat --exclude-from=/ex /mem", ArgRole::Path), ["-nf/pat", "--exclude-from=/ex", "/mem"]);
    assert_eq!(roles("head -n 5 /mem", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("ls -I /mem --hide /mem /mem", ArgRole::Path), ["/mem"]);
    assert_eq!(roles("find -P /mem b -newer /c -name /d -newermt /e", ArgRole::Path), ["/mem", "b", "/c"]);
    assert_eq!(roles("find /mem -path '/mem/*'", ArgRole::PathPattern), ["/mem/*"]);
    let call = plan("grep --file=$HOME/p x").steps.remove(0).pipeline.remove(0);
    assert_eq!((call.args[0].lead.as_str(), &call.args[0].word.pieces[0]), ("--file=", &Piece::Home));
}

#[test]
fn streams_go_where_the_redirections_lead_in_their_order() {
    let streams = |command: &str| {
        let call = plan(command).steps.remove(0).pipeline.remove(0);
        (call.out, call.err)
    };
    assert_eq!(streams("ls"), (Sink::Output, Sink::Complaints));
    assert_eq!(streams("ls 2>&1"), (Sink::Output, Sink::Output));
    assert_eq!(streams("ls >/dev/null 2>&1"), (Sink::Nothing, Sink::Nothing));
    assert_eq!(streams("ls 2>&1 >/dev/null"), (Sink::Nothing, Sink::Output));
    assert_eq!(streams("2>/dev/null ls"), (Sink::Output, Sink::Nothing));
    assert_eq!(streams("ls >&2"), (Sink::Complaints, Sink::Complaints));
    assert_eq!(streams("ls >&1 2>&2"), (Sink::Output, Sink::Complaints));
}

#[test]
fn lists_keep_their_conditions() {
    let whens: Vec<When> = plan("ls && ls || ls; ls | wc\nls").steps.iter().map(|step| step.when).collect();
    assert_eq!(whens, [When::Always, When::Succeeded, When::Failed, When::Always, When::Always]);
}

#[test]
fn length_and_number_of_calls_are_bounded() {
    assert!(matches!(judge(&format!("ls {}", "a".repeat(limits::SHELL_COMMAND_BYTES))), ShellVerdict::Deny { .. }));
    assert!(matches!(judge(&format!("ls {}", "a".repeat(limits::SHELL_COMMAND_BYTES - 3))), ShellVerdict::Allow(_)));
    let many = |count: usize| vec!["ls"; count].join("|");
    assert!(matches!(judge(&many(limits::SHELL_CALLS)), ShellVerdict::Allow(_)));
    assert!(matches!(judge(&many(limits::SHELL_CALLS + 1)), ShellVerdict::Deny { .. }));
}

/// Each of these takes a parser without a screen minutes, or all of its stack.
#[test]
fn nesting_costs_nothing() {
    let heads = [
        "(",
        "((",
        "$(",
        "\"$(",
        "`",
        "\"`",
        "${a:-",
        "$((",
        "{ ",
        "! ",
        "if ",
        "while ",
        "case x in a) ",
        "f() { ",
        "coproc ",
        "time ",
        "[[ ( ",
        "[[ ! ",
        "a=(",
        "cat <<E ",
        "<(",
        "# '\n((",
        "'\\'((",
        "\"\\\"((",
        "ls \\\n((",
        "$'\\'((",
        "@(",
        "ls @(",
        "[",
        "~",
        "ls a=(",
    ];
    for head in heads {
        let command = head.repeat(limits::SHELL_COMMAND_BYTES / head.len());
        assert!(matches!(judge(&command), ShellVerdict::Deny { .. }), "{head:?}");
        let _ = judge(&format!("ls {head}'").repeat(200));
    }
}

/// Constructs that must not get through anywhere in a command.
const FORBIDDEN: &[&str] = &[
    "$(id)",
    "\"$(id)\"",
    "`id`",
    "\"`id`\"",
    "<(id)",
    ">(id)",
    "> out",
    ">> out",
    ">| out",
    "2> out",
    "&> out",
    "< in",
    "<<< in",
    "<> f",
    "& ls",
    "; rm x",
    "&& touch x",
    "|| rm x",
    "| sh",
    "|& sh",
    "\nrm x\n",
    "(ls)",
    "{a,b}",
    "$X",
    "\"${X}\"",
    "$((1))",
    "$'x'",
    "$\"x\"",
    "~root",
    "; X=1 ls",
    "| X=1 ls",
    "; ! ls",
    "; time ls",
    "&& { ls; }",
    "; if ls; then ls; fi",
    "; f() { ls; }",
    "\0",
    "\r",
];

proptest! {
    #[test]
    fn x6_a_forbidden_construct_is_denied_wherever_it_stands(
        base in prop::sample::select(&["ls -la a b", "cat a | head -5 | wc -l", "grep -rn x a b && ls; ls c", "find a b -name c"][..]),
        forbidden in prop::sample::select(FORBIDDEN),
        gap in 0_usize..12,
    ) {
        // Between any two words that belong together; a separator may not be torn apart.
        let mut words: Vec<&str> = base.split(' ').collect();
        let at = 1 + gap % words.len();
        words.insert(at, forbidden);
        let command = words.join(" ");
        prop_assert!(matches!(judge(&command), ShellVerdict::Deny { .. }), "{command:?} was allowed");
    }

    #[test]
    fn anything_gets_an_answer(command in ".{0,200}") {
        let _ = judge(&command);
    }

    #[test]
    fn anything_shell_like_gets_an_answer(parts in prop::collection::vec(prop::sample::select(&[
        "ls", "find", "grep", " ", " ", " ", "'", "\"", "\\", "$", "(", ")", "{", "}", "[", "]", "|", "&", ";", "<", ">",
        "!", "*", "?", "~", "#", "=", "`", "\n", "\t", "-", "--", "2", "/dev/null", "é", "\u{200b}", "HOME", "if", "for",
        "time", "<<", "E", "$HOME", "-f", "-exec",
    ][..]), 0..60)) {
        let command = parts.concat();
        if let ShellVerdict::Allow(plan) = judge(&command) {
            for call in plan.steps.iter().flat_map(|step| &step.pipeline) {
                prop_assert!(PROGRAMS.contains(&call.program));
                prop_assert!(!call.args.iter().any(|arg| arg.word.prefix().contains('\0')));
            }
        }
    }
}
