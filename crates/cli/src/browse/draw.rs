//! The screen: a head, what is searched for, the list and beside or instead of it the reader, a foot.
//!
//! Enters: what is shown. Leaves: cells. Works from 40 columns and 12 lines on; colours are those of
//! the user's own terminal, and without colours everything can still be told apart.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as Text, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use super::keys::KEYS;
use super::page::LineStyle;
use super::rows::age;
use super::state::{Browse, ListLine, ListView, StatusLine};
use crate::ui::{clip, columns, counted};
use memdir::kind::Type;

/// From this width on the reader is beside the list.
const BESIDE: u16 = 100;

/// Whether there are colours.
#[derive(Clone, Copy)]
pub(super) struct Theme {
    pub(super) color: bool,
}

impl Theme {
    fn ink(self, color: Color) -> Style {
        if self.color { Style::new().fg(color) } else { Style::new() }
    }

    fn soft(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn accent(self) -> Style {
        self.ink(Color::Cyan).add_modifier(Modifier::BOLD)
    }

    fn kind(self, kind: Option<Type>) -> Style {
        match kind {
            Some(Type::User) => self.ink(Color::Magenta),
            Some(Type::Feedback) => self.ink(Color::Yellow),
            Some(Type::Project) => self.ink(Color::Blue),
            Some(Type::Reference) => self.ink(Color::Green),
            None => self.soft(),
        }
    }
}

/// Draws everything, and tells the state how much room there is.
pub(super) fn draw(frame: &mut Frame<'_>, browse: &mut Browse, theme: Theme) {
    let [head, search, rule, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_head(frame, head, browse, theme);
    draw_search(frame, search, browse, theme);
    frame.render_widget(Span::styled("─".repeat(rule.width.into()), theme.soft()), rule);
    if frame.area().width >= BESIDE {
        let left = Constraint::Percentage(48);
        let [list, page] = Layout::horizontal([left, Constraint::Fill(1)]).areas(body);
        draw_list(frame, list, browse, theme);
        let border = Block::new().borders(Borders::LEFT).border_style(theme.soft());
        let inner = border.inner(page);
        frame.render_widget(border, page);
        draw_page(frame, inner, browse, theme);
    } else if browse.reading {
        draw_page(frame, body, browse, theme);
    } else {
        draw_list(frame, body, browse, theme);
    }
    draw_foot(frame, foot, browse, theme);
    if browse.help {
        draw_help(frame, theme);
    }
}

/// Something left and something right; what is left gives way.
fn two_sides(left: Vec<Span<'static>>, right: Vec<Span<'static>>, area: Rect, frame: &mut Frame<'_>) {
    let width = right.iter().map(|span| columns(&span.content)).sum::<usize>() as u16;
    let [left_area, right_area] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(width.min(area.width))]).areas(area);
    frame.render_widget(Text::from(left), left_area);
    frame.render_widget(Text::from(right), right_area);
}

fn draw_head(frame: &mut Frame<'_>, area: Rect, browse: &Browse, theme: Theme) {
    let (memories, waiting) = browse.counts();
    let mut right = vec![Span::styled(counted(memories, "memory", "memories"), theme.soft())];
    if waiting > 0 {
        right.push(Span::styled(format!("  {waiting} in the inbox"), theme.ink(Color::Yellow)));
    }
    right.push(Span::raw(" "));
    let taken = right.iter().map(|span| columns(&span.content)).sum::<usize>() + 11;
    let room = usize::from(area.width).saturating_sub(taken);
    // The end of a path says more than its beginning.
    let path: String = match browse.project.chars().count() {
        long if long > room && room >= 12 => {
            let tail: String = browse.project.chars().skip(long + 1 - room).collect();
            format!("…{tail}")
        }
        long if long > room => String::new(),
        _ => browse.project.clone(),
    };
    let left =
        vec![Span::styled(" memdir  ", theme.accent()), Span::styled(clip(&path, room).into_owned(), theme.soft())];
    two_sides(left, right, area, frame);
}

fn draw_search(frame: &mut Frame<'_>, area: Rect, browse: &Browse, theme: Theme) {
    let width = usize::from(area.width);
    if browse.view == ListView::Inbox {
        let words = Span::styled(" Inbox ", theme.strong());
        let more =
            Span::styled(clip("changes that wait for your yes", width.saturating_sub(8)).into_owned(), theme.soft());
        return frame.render_widget(Text::from(vec![words, more]), area);
    }
    if browse.query.is_empty() && !browse.typing {
        let only = if browse.filter.is_open() {
            String::new()
        } else {
            format!("   only {}: {}", browse.filter.words(), browse.len())
        };
        let only = Span::styled(only, theme.strong());
        return frame.render_widget(Text::from(vec![Span::styled(" / to search", theme.soft()), only]), area);
    }
    let only = if browse.filter.is_open() { String::new() } else { format!("only {}: ", browse.filter.words()) };
    let found = format!("{only}{} ", browse.len());
    let left = vec![
        Span::styled(" / ", theme.accent()),
        Span::raw(clip(&browse.query, width.saturating_sub(5 + columns(&found))).into_owned()),
        Span::styled(if browse.typing { "▏" } else { "" }, theme.accent()),
    ];
    two_sides(left, vec![Span::styled(found, theme.soft())], area, frame);
}

fn draw_list(frame: &mut Frame<'_>, area: Rect, browse: &mut Browse, theme: Theme) {
    let height = usize::from(area.height);
    browse.list_height = height;
    if browse.at < browse.top {
        browse.top = browse.at;
    } else if browse.at >= browse.top + height {
        browse.top = browse.at + 1 - height;
    }
    browse.top = browse.top.min(browse.len().saturating_sub(height));
    if browse.len() == 0 {
        // Each fits on the narrowest screen.
        let words = match (browse.view, browse.rows.is_empty()) {
            (ListView::Inbox, _) => "Nothing waits for a yes.",
            (ListView::Memories, true) => "No memories yet. n writes one.",
            (ListView::Memories, false) => "Nothing fits. Esc shows all again.",
        };
        let width = usize::from(area.width).saturating_sub(2);
        let below = Rect { y: area.y + u16::from(area.height > 2), height: 1, ..area };
        return frame.render_widget(Span::styled(format!(" {}", clip(words, width)), theme.soft()), below);
    }
    let lines: Vec<Text<'_>> = (browse.top..browse.top + height)
        .map_while(|at| Some(list_line(&browse.line(at)?, area.width.into(), at == browse.at, theme)))
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// Name, what it is about, type, scope, age; the narrower, the less.
fn list_line(line: &ListLine<'_>, width: usize, selected: bool, theme: Theme) -> Text<'static> {
    let (row, about) = match line {
        ListLine::Proposal(waiting) => {
            let name = fill(&waiting.title, width.saturating_sub(2));
            return finish(vec![Span::raw(" "), Span::raw(name), Span::raw(" ")], selected);
        }
        ListLine::Memory(row) => (row, row.about.as_str()),
        ListLine::Text(row, line) => (row, *line),
    };
    let mark = if row.pinned { "*" } else { " " };
    let mut right = vec![Span::styled(format!("{:>6} ", age(row.age_days)), theme.soft())];
    if width >= 56 {
        right.insert(0, Span::styled(format!("{:<7}", row.scope.as_str()), theme.soft()));
    }
    if width >= 36 {
        let kind = row.kind.map_or("untyped", Type::as_str);
        right.insert(0, Span::styled(format!("{kind:<10}"), theme.kind(row.kind)));
    }
    let taken = 2 + right.iter().map(|span| columns(&span.content)).sum::<usize>();
    let room = width.saturating_sub(taken);
    // Two columns that are in line; a name without more takes both.
    let name_room = if room >= 40 && !about.is_empty() { room / 2 } else { room };
    let mut spans = vec![Span::styled(mark, theme.ink(Color::Yellow)), Span::raw(fill(&row.name, name_room))];
    spans.push(Span::styled(fill(about, room - name_room), theme.soft()));
    spans.push(Span::raw(" "));
    spans.extend(right);
    finish(spans, selected)
}

fn finish(spans: Vec<Span<'static>>, selected: bool) -> Text<'static> {
    if !selected {
        return Text::from(spans);
    }
    let whole: String = spans.iter().map(|span| span.content.as_ref()).collect();
    Text::from(Span::styled(whole, Style::new().add_modifier(Modifier::REVERSED)))
}

/// Text of exactly this many columns.
fn fill(text: &str, width: usize) -> String {
    let mut text = clip(text, width.saturating_sub(1)).into_owned();
    text.push_str(&" ".repeat(width.saturating_sub(columns(&text))));
    text
}

fn draw_page(frame: &mut Frame<'_>, area: Rect, browse: &mut Browse, theme: Theme) {
    let Some((_, page)) = &browse.page else { return };
    let width = usize::from(area.width).saturating_sub(2);
    let [title, about, _, text] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Length(u16::from(area.height > 8)),
        Constraint::Fill(1),
    ])
    .areas(area);
    frame.render_widget(Span::styled(format!(" {}", clip(&page.title, width)), theme.strong()), title);
    frame.render_widget(Span::styled(format!(" {}", clip(&page.about, width)), theme.soft()), about);
    let lines = page.lines(width);
    (browse.page_height, browse.page_lines) = (text.height.into(), lines.len());
    browse.scroll = browse.scroll.min(lines.len().saturating_sub(browse.page_height));
    let shown: Vec<Text<'_>> = lines
        .into_iter()
        .skip(browse.scroll)
        .take(text.height.into())
        .map(|(look, line)| {
            let style = match look {
                LineStyle::Plain => Style::new(),
                LineStyle::Heading => theme.strong(),
                LineStyle::Soft => theme.soft(),
                LineStyle::Added => theme.ink(Color::Green),
                LineStyle::Removed => theme.ink(Color::Red),
            };
            Text::from(Span::styled(format!(" {line}"), style))
        })
        .collect();
    frame.render_widget(Paragraph::new(shown), text);
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, browse: &Browse, theme: Theme) {
    let width = usize::from(area.width).saturating_sub(2);
    let line = match &browse.said {
        Some(StatusLine::Well(words)) => {
            Text::from(Span::styled(format!(" {}", clip(words, width)), theme.ink(Color::Green)))
        }
        Some(StatusLine::Badly(words)) => {
            Text::from(Span::styled(format!(" {}", clip(words, width)), theme.ink(Color::Red)))
        }
        Some(StatusLine::Ask(words, _)) => Text::from(vec![
            Span::styled(format!(" {} ", clip(words, width.saturating_sub(6))), theme.strong()),
            Span::raw("[y/N]"),
        ]),
        None => hints(browse, width, theme),
    };
    frame.render_widget(line, area);
}

/// As many keys as there is room for, the ones that matter here first.
fn hints(browse: &Browse, width: usize, theme: Theme) -> Text<'static> {
    let keys: &[(&str, &str)] = if browse.typing {
        &[("enter", "keep"), ("esc", "clear"), ("↓ ↑", "choose")]
    } else if browse.view == ListView::Inbox {
        &[
            ("a", "accept"),
            ("x", "reject"),
            ("enter", "read"),
            ("u", "undo"),
            ("esc", "memories"),
            ("q", "quit"),
            ("?", "help"),
        ]
    } else if browse.reading {
        &[
            ("esc", "back"),
            ("e", "edit"),
            ("p", "pin"),
            ("f", "forget"),
            ("u", "undo"),
            ("j k", "scroll"),
            ("?", "help"),
        ]
    } else {
        &[
            ("enter", "read"),
            ("/", "search"),
            ("t/s", "filter"),
            ("n", "new"),
            ("e", "edit"),
            ("p", "pin"),
            ("f", "forget"),
            ("u", "undo"),
            ("i", "inbox"),
            ("q", "quit"),
            ("?", "help"),
        ]
    };
    // How to leave and where all keys are is always told.
    let (shown, last) = keys.split_at(keys.len().saturating_sub(2));
    let room = |(key, words): &(&str, &str)| columns(key) + columns(words) + 3;
    let mut used: usize = last.iter().map(room).sum();
    let fits = |key: &&(&str, &str)| {
        used += room(key);
        used <= width + 2
    };
    let mut spans = vec![Span::raw(" ")];
    for (key, words) in shown.iter().take_while(fits).chain(last) {
        spans.push(Span::styled(*key, theme.accent()));
        spans.push(Span::styled(format!(" {words}  "), theme.soft()));
    }
    Text::from(spans)
}

fn draw_help(frame: &mut Frame<'_>, theme: Theme) {
    let whole = frame.area();
    let (width, height) = (60.min(whole.width), (KEYS.len() as u16 + 2).min(whole.height));
    let area = Rect { x: (whole.width - width) / 2, y: (whole.height - height) / 2, width, height };
    let lines: Vec<Text<'_>> = KEYS
        .iter()
        .map(|(key, words)| {
            let room = usize::from(width).saturating_sub(14);
            Text::from(vec![
                Span::styled(format!(" {key:<9} "), theme.accent()),
                Span::raw(clip(words, room).into_owned()),
            ])
        })
        .collect();
    frame.render_widget(Clear, area);
    let block = Block::bordered().title(" Keys ").border_style(theme.soft());
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
