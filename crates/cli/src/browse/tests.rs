//! Keys in, screen out: the list without a terminal and without files.

use memdir::kind::{Scope, Type};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Color;

use super::draw::{Theme, draw};
use super::page::TextPage;
use super::rows::{MemoryRow, TextHit, handle};
use super::state::{Browse, BrowseAction, Update, WaitingProposal};

fn row(name: &str, about: &str, scope: Scope, kind: Option<Type>) -> MemoryRow {
    let file = format!("{}.md", name.to_lowercase().replace(' ', "_"));
    MemoryRow::new(
        handle(scope, &file),
        file,
        scope,
        kind,
        name.to_owned(),
        about.to_owned(),
        Some(3),
        name == "Release freeze",
    )
}

fn page(title: &str, text: &str) -> TextPage {
    TextPage {
        title: title.to_owned(),
        about: "feedback  private  3d".to_owned(),
        text: text.to_owned(),
        is_diff: false,
    }
}

fn stage() -> Browse {
    let rows = vec![
        row("Real database", "integration tests use one", Scope::Private, Some(Type::Feedback)),
        row("Release freeze", "only fixes after Thursday", Scope::Team, Some(Type::Project)),
        row("Quiet colours", "they see no red", Scope::User, Some(Type::User)),
    ];
    let diff =
        TextPage { is_diff: true, ..page("Dates made plain", "--- a/x.md\n+++ b/x.md\n-next week\n+2026-04-21\n") };
    let waiting =
        vec![WaitingProposal { id: "p1".to_owned(), title: "dream  Dates made plain  x.md".to_owned(), page: diff }];
    let mut browse = Browse::new("~/work/harbour".to_owned());
    let actions = browse.apply(Update::All { rows, waiting });
    assert_eq!(actions, [read("private:real_database.md", false)]);
    browse
}

fn read(handle: &str, opened: bool) -> BrowseAction {
    BrowseAction::Read { handle: handle.to_owned(), opened }
}

fn press(browse: &mut Browse, code: KeyCode) -> Vec<BrowseAction> {
    browse.key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn letters(browse: &mut Browse, text: &str) -> Vec<BrowseAction> {
    text.chars().flat_map(|letter| press(browse, KeyCode::Char(letter))).collect()
}

/// What a terminal of that size would show.
fn screen(browse: &mut Browse, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, browse, Theme { color: true })).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_list_shows_name_type_scope_and_age_at_every_width() {
    let mut browse = stage();
    let wide = screen(&mut browse, 80, 24);
    for words in ["memdir", "~/work/harbour", "3 memories", "1 in the inbox", "/ to search", "quit", "help"] {
        assert!(wide.contains(words), "{words}\n{wide}");
    }
    let freeze = wide.lines().find(|line| line.contains("Release freeze")).unwrap();
    assert!(freeze.starts_with('*'), "{freeze}");
    for words in ["only fixes", "project", "team", "3d"] {
        assert!(freeze.contains(words), "{freeze}");
    }
    let narrow = screen(&mut browse, 40, 12);
    assert!(narrow.contains("Release freeze") && narrow.contains("project") && narrow.contains("3d"), "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 40), "{narrow}");
    assert!(narrow.lines().last().unwrap().contains("read"), "{narrow}");
    // Smaller than anything that makes sense, and still no panic.
    for (width, height) in [(1, 1), (3, 2), (20, 5), (40, 3), (300, 80)] {
        browse.help = !browse.help;
        screen(&mut browse, width, height);
    }
}

#[test]
fn a_search_narrows_with_every_letter_and_brings_texts_below_names() {
    let mut browse = stage();
    letters(&mut browse, "/");
    let actions = letters(&mut browse, "freeze");
    assert_eq!(actions.last(), Some(&BrowseAction::LookFor("freeze".to_owned())));
    let shown = screen(&mut browse, 80, 24);
    assert!(shown.contains("/ freeze▏") && shown.contains("Release freeze") && !shown.contains("Quiet"), "{shown}");
    let hit = |line: &str| TextHit { handle: "user:quiet_colours.md".to_owned(), line: line.to_owned() };
    // What was found for something else comes too late.
    browse.apply(Update::Found { query: "free".to_owned(), hits: vec![hit("too late")] });
    assert_eq!(browse.len(), 1);
    let hits = vec![hit("the freeze of colours"), hit("a second line of the same memory")];
    browse.apply(Update::Found { query: "freeze".to_owned(), hits });
    let shown = screen(&mut browse, 80, 24);
    assert!(shown.contains("Quiet colours") && shown.contains("the freeze of col"), "{shown}");
    assert_eq!(browse.len(), 2);
    // Letters stay letters while one types; Enter keeps the search, Esc ends it.
    letters(&mut browse, "q");
    assert!(screen(&mut browse, 80, 24).contains("Nothing fits"));
    press(&mut browse, KeyCode::Backspace);
    press(&mut browse, KeyCode::Enter);
    assert_eq!(letters(&mut browse, "e"), [BrowseAction::Edit("private:release_freeze.md".to_owned())]);
    press(&mut browse, KeyCode::Esc);
    assert_eq!(browse.len(), 3);
}

#[test]
fn reading_scrolls_and_goes_back() {
    let mut browse = stage();
    assert_eq!(press(&mut browse, KeyCode::Enter), [read("private:real_database.md", true)]);
    let text: String = (0..40).map(|at| format!("line {at}\n")).collect();
    let handle = "private:real_database.md".to_owned();
    browse.apply(Update::Read { handle, page: page("Real database", &text), opened: true });
    let shown = screen(&mut browse, 80, 24);
    assert!(shown.contains("Real database") && shown.contains("line 0") && !shown.contains("Quiet"), "{shown}");
    press(&mut browse, KeyCode::End);
    let shown = screen(&mut browse, 80, 24);
    assert!(shown.contains("line 39") && !shown.contains("line 0\n"), "{shown}");
    for _ in 0..100 {
        press(&mut browse, KeyCode::Down);
    }
    assert!(screen(&mut browse, 80, 24).contains("line 39"));
    press(&mut browse, KeyCode::Esc);
    assert!(screen(&mut browse, 80, 24).contains("Quiet colours"));
    // With room the text is beside the list.
    let shown = screen(&mut browse, 120, 30);
    assert!(shown.contains("Quiet colours") && shown.contains("line 39"), "{shown}");
}

#[test]
fn deeds_are_wishes_and_what_was_done_can_be_undone() {
    let mut browse = stage();
    let handle = "private:real_database.md".to_owned();
    assert_eq!(letters(&mut browse, "p"), [BrowseAction::Pin(handle.clone(), true)]);
    assert_eq!(letters(&mut browse, "f"), [BrowseAction::Forget(handle)]);
    let done = Update::Done { words: "Forgot real_database.md".to_owned(), change: Some("c1".to_owned()) };
    assert_eq!(browse.apply(done), [BrowseAction::Reload]);
    assert!(screen(&mut browse, 80, 24).contains("Forgot real_database.md"));
    assert_eq!(letters(&mut browse, "u"), [BrowseAction::Undo(Some("c1".to_owned()))]);
    // Nothing of ours is left: what others did is taken back only after a question.
    assert_eq!(letters(&mut browse, "u"), [BrowseAction::LastChange]);
    browse.apply(Update::LastChange("edit of x.md by agent".to_owned()));
    assert!(screen(&mut browse, 80, 24).contains("edit of x.md by agent? [y/N]"));
    assert_eq!(letters(&mut browse, "n"), []);
    browse.apply(Update::LastChange("edit of x.md by agent".to_owned()));
    assert_eq!(letters(&mut browse, "y"), [BrowseAction::Undo(None)]);
    // What is pinned goes only after a question.
    letters(&mut browse, "j");
    assert_eq!(letters(&mut browse, "f"), []);
    assert!(screen(&mut browse, 80, 24).contains("Release freeze is pinned. Forget it? [y/N]"));
    assert_eq!(letters(&mut browse, "y"), [BrowseAction::Forget("private:release_freeze.md".to_owned())]);
    browse.apply(Update::Failed("it is somebody else's".to_owned()));
    assert!(screen(&mut browse, 80, 24).contains("it is somebody else's"));
}

#[test]
fn proposals_are_read_accepted_and_rejected() {
    let mut browse = stage();
    letters(&mut browse, "i");
    let shown = screen(&mut browse, 120, 24);
    assert!(shown.contains("Inbox") && shown.contains("+2026-04-21"), "{shown}");
    assert_eq!(letters(&mut browse, "ep"), [], "a proposal is no memory");
    assert_eq!(letters(&mut browse, "a"), [BrowseAction::Accept("p1".to_owned())]);
    assert_eq!(letters(&mut browse, "x"), [BrowseAction::Reject("p1".to_owned())]);
    press(&mut browse, KeyCode::Enter);
    assert!(screen(&mut browse, 80, 24).contains("-next week"));
    press(&mut browse, KeyCode::Esc);
    press(&mut browse, KeyCode::Esc);
    assert!(screen(&mut browse, 80, 24).contains("Quiet colours"));
    browse.apply(Update::All { rows: Vec::new(), waiting: Vec::new() });
    assert!(screen(&mut browse, 80, 24).contains("No memories yet"));
    letters(&mut browse, "i");
    assert!(screen(&mut browse, 80, 24).contains("Nothing waits"));
}

#[test]
fn what_others_change_keeps_the_place() {
    let mut browse = stage();
    letters(&mut browse, "jj");
    let mut rows = vec![row("Brand new", "", Scope::Private, None)];
    rows.extend(browse.rows.clone());
    browse.apply(Update::All { rows, waiting: Vec::new() });
    assert_eq!(browse.handle().as_deref(), Some("user:quiet_colours.md"));
}

#[test]
fn without_colours_there_are_none_and_text_of_a_memory_is_never_obeyed() {
    let mut browse = stage();
    let nasty = "red \u{1b}[31m and \u{202e}back\twards \u{7} end";
    let mut rows = browse.rows.clone();
    rows[0].name = nasty.to_owned();
    browse.apply(Update::All { rows, waiting: Vec::new() });
    let handle = "private:real_database.md".to_owned();
    browse.apply(Update::Read { handle, page: page(nasty, nasty), opened: true });
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| draw(frame, &mut browse, Theme { color: false })).unwrap();
    let cells = &terminal.backend().buffer().content;
    assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    assert!(cells.iter().all(|cell| !cell.symbol().contains(['\u{1b}', '\u{202e}', '\u{7}'])));
}

#[test]
fn control_keys_leave_and_suspend_from_everywhere() {
    let mut browse = stage();
    for before in ["", "/", "?", "i"] {
        letters(&mut browse, before);
        let control = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        assert_eq!(browse.key(control('c')), [BrowseAction::Leave], "{before}");
        assert_eq!(browse.key(control('z')), [BrowseAction::Suspend], "{before}");
        press(&mut browse, KeyCode::Esc);
    }
    assert_eq!(letters(&mut browse, "q"), [BrowseAction::Leave]);
}

#[test]
fn twenty_thousand_rows_are_searched_and_drawn_as_they_are_needed() {
    let rows: Vec<MemoryRow> =
        (0..20_000).map(|at| row(&format!("Note {at}"), "drawer", Scope::Private, None)).collect();
    let mut browse = Browse::new(String::new());
    browse.apply(Update::All { rows, waiting: Vec::new() });
    press(&mut browse, KeyCode::End);
    assert!(screen(&mut browse, 80, 24).contains("Note 19999"));
    letters(&mut browse, "/17321");
    assert_eq!(browse.len(), 1);
    assert!(screen(&mut browse, 80, 24).contains("Note 17321"));
}
