//! `memdir` without arguments: a list on a real terminal, `status` anywhere else.

use std::io::Read as _;

use memdir_testkit::TestEnv;
use rustix::process::{Pid, WaitOptions, waitpid};

use super::pty::{Terminal, on_a_terminal};

fn stage() -> TestEnv {
    let mut env = super::git_env();
    env.var("TERM", "xterm-256color").var("MEMDIR_NO_BACKGROUND", "1");
    env.run(&["remember", "Integration tests use a real database", "--type", "feedback"]).ok();
    env.run(&["remember", "The release freeze lets only fixes in", "--type", "project"]).ok();
    env
}

/// What a person sees after everything that was printed: enough of a terminal to tell.
fn seen(printed: &str) -> String {
    let (columns, rows) = (200, 60);
    let mut grid = vec![vec![' '; columns]; rows];
    let (mut x, mut y) = (0, 0);
    let mut letters = printed.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.next_if_eq(&'[').is_some() => {
                let mut code = String::new();
                let end = letters.find(|letter| {
                    code.push(*letter);
                    letter.is_ascii_alphabetic()
                });
                let number = |at: usize| {
                    let part = code[..code.len() - 1].split(';').nth(at)?;
                    part.parse::<usize>().ok().map(|number| number - 1)
                };
                match end {
                    Some('H') => (y, x) = (number(0).unwrap_or(0), number(1).unwrap_or(0)),
                    Some('J') => grid.iter_mut().for_each(|line| line.fill(' ')),
                    Some('h' | 'l') if code.starts_with("?1049") => grid.iter_mut().for_each(|line| line.fill(' ')),
                    _ => {}
                }
            }
            '\r' => x = 0,
            '\n' => y += 1,
            letter if y < rows && x < columns => {
                grid[y][x] = letter;
                x += 1;
            }
            _ => {}
        }
    }
    grid.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned() + "\n").collect()
}

/// The list on a terminal of the usual size.
fn browse(env: &TestEnv) -> Terminal {
    Terminal::start(env.command::<&str>(&[]), 80, 24)
}

#[track_caller]
fn shows(terminal: &Terminal, words: &str) -> String {
    let shown = seen(&terminal.wait(|printed| seen(printed).contains(words)));
    assert!(shown.contains(words), "no {words:?} in\n{shown}");
    shown
}

#[track_caller]
fn shows_no_more(terminal: &Terminal, words: &str) {
    let shown = seen(&terminal.wait(|printed| !seen(printed).contains(words)));
    assert!(!shown.contains(words), "still {words:?} in\n{shown}");
}

#[test]
fn memories_are_searched_read_edited_pinned_forgotten_and_brought_back() {
    let mut env = stage();
    env.var("EDITOR", "sed -i s/only/no/");
    let mut terminal = browse(&env);
    let shown = shows(&terminal, "Integration tests use a real database");
    assert!(shown.contains("2 memories") && shown.contains("private") && shown.contains("/ search"), "{shown}");
    terminal.types("/freeze");
    shows(&terminal, "/ freeze");
    shows_no_more(&terminal, "Integration tests");
    terminal.types("\r\r");
    shows(&terminal, "esc back");
    terminal.types("e");
    shows(&terminal, "Changed project_");
    shows(&terminal, "lets no fixes in");
    terminal.types("p");
    shows(&terminal, "is pinned: only you change it");
    terminal.types("u");
    shows(&terminal, "As before");
    terminal.types("u");
    shows(&terminal, "lets only fixes in");
    terminal.types("f");
    shows(&terminal, "Forgot project_");
    shows(&terminal, "1 memory");
    terminal.types("u");
    shows(&terminal, "2 memories");
    terminal.types("q");
    terminal.leaves();
    let changes = env.json(&["history"])["changes"].as_array().unwrap().len();
    assert!(changes >= 8, "{changes}");
    assert!(env.run(&["list"]).stdout.contains("release freeze lets only fixes in"));
}

#[test]
fn a_proposal_is_accepted_in_the_inbox() {
    let mut env = stage();
    let layout = "---\nname: Layout\ndescription: Layout in short\ntype: project\n---\n\nsrc/api has handlers, src/db has queries.\n";
    env.write_memory("project_layout.md", layout);
    env.var("MEMDIR_REVIEW", "true");
    env.run(&["dream", "--force"]).ok();
    let mut terminal = browse(&env);
    shows(&terminal, "1 in the inbox");
    terminal.types("i\r");
    shows(&terminal, "-src/api has handlers");
    terminal.types("a");
    shows(&terminal, "Accepted; 1 file changed");
    shows(&terminal, "Nothing waits for a yes");
    terminal.types("q");
    terminal.leaves();
    assert!(!env.memory().join("project_layout.md").exists());
}

#[test]
fn what_others_do_shows_by_itself() {
    let env = stage();
    let mut terminal = browse(&env);
    shows(&terminal, "2 memories");
    env.run(&["remember", "Lunch is at noon in the big room"]).ok();
    shows(&terminal, "Lunch is at noon");
    terminal.types("q");
    terminal.leaves();
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    let env = stage();
    for how in ["q", "\u{3}", "TERM", "HUP", "INT"] {
        let mut terminal = browse(&env);
        let before = terminal.modes();
        shows(&terminal, "2 memories");
        assert_ne!(terminal.modes().local_modes, before.local_modes, "keys come one by one");
        if how.len() > 1 {
            terminal.signal(how);
        } else {
            terminal.types(how);
        }
        assert!(terminal.child.wait().unwrap().success(), "{how}");
        let after = terminal.modes();
        assert_eq!((after.local_modes, after.input_modes), (before.local_modes, before.input_modes), "{how:?}");
        let printed = terminal.wait(|printed| printed.contains("\u{1b}[?1049l"));
        assert!(printed.contains("\u{1b}[?1049l") && printed.contains("\u{1b}[?25h"), "{how:?}: {printed:?}");
    }
}

/// A closed window, a connection that broke: reading keys fails from then on, and must not be tried for ever.
#[test]
fn it_ends_when_its_terminal_is_gone() {
    let env = stage();
    let (mut master, side, mut child) = on_a_terminal(env.command::<&str>(&[]), 80, 24);
    let (mut piece, mut printed) = ([0; 4096], String::new());
    while !seen(&printed).contains("2 memories") {
        let read = master.read(&mut piece).unwrap();
        printed.push_str(&String::from_utf8_lossy(&piece[..read]));
    }
    drop(side);
    drop(master);
    child.wait().unwrap();
}

#[test]
fn it_is_suspended_and_goes_on() {
    let env = stage();
    let mut terminal = browse(&env);
    let before = terminal.modes().local_modes;
    shows(&terminal, "2 memories");
    let id = Pid::from_child(&terminal.child);
    for how in ["\u{1a}", "TSTP"] {
        if how.len() > 1 {
            terminal.signal(how);
        } else {
            terminal.types(how);
        }
        let (_, status) = waitpid(Some(id), WaitOptions::UNTRACED).unwrap().unwrap();
        assert!(status.stopped(), "{how:?}");
        assert_eq!(terminal.modes().local_modes, before, "{how:?}");
        terminal.wait(|printed| !seen(printed).contains("2 memories"));
        terminal.signal("CONT");
        shows(&terminal, "2 memories");
    }
    terminal.types("q");
    terminal.leaves();
}

#[test]
fn it_fits_small_terminals_and_follows_their_size() {
    let env = stage();
    let mut terminal = Terminal::start(env.command::<&str>(&[]), 40, 12);
    let shown = shows(&terminal, "2 memories");
    assert!(shown.lines().all(|line| line.chars().count() <= 40), "{shown}");
    terminal.resize(120, 30);
    // There is room for the text beside the list now.
    shows(&terminal, "│");
    terminal.types("q");
    terminal.leaves();
}

#[test]
fn colours_are_left_out_where_they_are_not_wanted() {
    let mut env = stage();
    // Codes for a colour of letters: 30 to 37, or 38 with a number.
    let is_colour = |code: &str| {
        let code = code.split(['m', ';']).next().unwrap_or_default();
        code.parse().is_ok_and(|number: u8| (30..=38).contains(&number))
    };
    let colours = |printed: &str| printed.split("\u{1b}[").filter(|code| is_colour(code)).count();
    let printed = |env: &TestEnv| {
        let mut terminal = browse(env);
        shows(&terminal, "2 memories");
        terminal.types("q");
        terminal.leaves()
    };
    assert!(colours(&printed(&env)) > 0);
    env.var("NO_COLOR", "1");
    assert_eq!(colours(&printed(&env)), 0);
}

#[test]
fn without_a_terminal_it_is_the_status() {
    let mut env = stage();
    let run = env.run::<&str>(&[]);
    assert_eq!(run.stdout, env.run(&["status"]).stdout);
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
    // A terminal that can only print, and one that is asked for JSON.
    let json = Terminal::start(env.command(&["--json"]), 80, 24).leaves();
    assert!(json.contains("\"project\"") && !json.contains("1049"), "{json}");
    env.var("TERM", "dumb");
    let plain = Terminal::start(env.command::<&str>(&[]), 80, 24).leaves();
    assert!(plain.contains("project ") && !plain.contains("1049"), "{plain}");
}

#[test]
fn types_and_scopes_are_filtered_and_the_cursor_stays_with_its_memory() {
    let env = stage();
    env.run(&["remember", "I prefer short answers", "--type", "user", "--scope", "user"]).ok();
    let mut terminal = browse(&env);
    shows(&terminal, "3 memories");
    // Down to the release freeze; then only what belongs to its type, and all again.
    terminal.types("/freeze\r");
    shows_no_more(&terminal, "Integration tests");
    terminal.types("\u{1b}");
    shows(&terminal, "Integration tests");
    terminal.types("ttt");
    shows(&terminal, "only project: 1");
    shows_no_more(&terminal, "Integration tests");
    terminal.types("\u{1b}");
    shows(&terminal, "Integration tests");
    terminal.types("p");
    shows(&terminal, "is pinned: only you change it");
    assert!(env.run(&["list"]).ok().stdout.lines().any(|line| line.starts_with('*') && line.contains("freeze")));
    // No memory is the team's, so that scope is passed over.
    terminal.types("ss");
    shows(&terminal, "only user: 1");
    shows_no_more(&terminal, "release freeze");
    terminal.types("t");
    shows(&terminal, "only user, user: 1");
    terminal.types("t");
    shows(&terminal, "Nothing fits. Esc shows all again.");
    terminal.types("\u{1b}");
    shows(&terminal, "release freeze");
    terminal.types("q");
    terminal.leaves();
}

#[test]
fn a_new_memory_is_written_in_the_editor_and_selected() {
    let mut env = super::git_env();
    env.var("TERM", "xterm-256color").var("MEMDIR_NO_BACKGROUND", "1");
    let editor = env.home().join("editor");
    std::fs::write(&editor, "#!/bin/sh\nprintf '## Deploys\\n\\n- **Never** on a Friday\\n' > \"$1\"\n").unwrap();
    env.var("EDITOR", &format!("sh {}", editor.display()));
    let mut terminal = Terminal::start(env.command::<&str>(&[]), 40, 12);
    shows(&terminal, "No memories yet. n writes one.");
    // A key that means nothing says where the keys are.
    terminal.types("z");
    shows(&terminal, "? shows the keys");
    terminal.types("n");
    shows(&terminal, "Remembered ");
    shows(&terminal, "1 memory");
    terminal.types("\r");
    let shown = shows(&terminal, "• Never on a Friday");
    assert!(!shown.contains("##") && !shown.contains("**"), "{shown}");
    terminal.types("\u{1b}");
    shows(&terminal, "/ search");
    terminal.types("q");
    terminal.leaves();
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 1);
}
