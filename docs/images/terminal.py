"""A terminal's screen as SVG: lines with their colours in, a picture out. Lines wrap as a terminal would."""

import html
import re

COLUMNS = 112
WIDTH, HEIGHT, LEFT, TOP = 8.0, 18, 20, 52
INK, PAPER, BAR = "#d8dee9", "#1d2129", "#2a303b"
STYLES = {
    "1": 'font-weight="bold" fill="#ffffff"', "2": 'fill="#8b95a5"', "31": 'fill="#f0757d"', "32": 'fill="#98c379"',
    "33": 'fill="#e5c07b"', "36": 'fill="#6fc3d0"',
}


def pieces(line):
    """(style, text) pairs of a line with escapes in it."""
    style = ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b["):
            codes = [code for code in part[2:-1].split(";") if code not in ("", "0")]
            style = STYLES.get(codes[-1], "") if codes else ""
        elif part:
            yield style, part


def wrapped(line):
    """The rows that a line takes on the screen."""
    row, used = [], 0
    for style, text in pieces(line):
        while used + len(text) > COLUMNS:
            room = COLUMNS - used
            row.append((style, text[:room]))
            yield row
            row, used, text = [], 0, text[room:]
        row.append((style, text))
        used += len(text)
    yield row


def picture(rows, title):
    width, height = LEFT * 2 + COLUMNS * WIDTH, TOP + len(rows) * HEIGHT + 12
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" aria-label="{html.escape(title)}">'
    yield f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/><path d="M0 32V10a10 10 0 0 1 10-10h{width - 20:.0f}a10 10 0 0 1 10 10v22z" fill="{BAR}"/>'
    for at, colour in enumerate(("#f0757d", "#e5c07b", "#98c379")):
        yield f'<circle cx="{20 + at * 20}" cy="16" r="6" fill="{colour}"/>'
    yield f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="{INK}" xml:space="preserve">'
    for number, row in enumerate(rows):
        spans = "".join(f"<tspan {style}>{html.escape(text)}</tspan>" if style else html.escape(text) for style, text in row)
        if spans:
            yield f'<text x="{LEFT}" y="{TOP + number * HEIGHT}" xml:space="preserve">{spans}</text>'
    yield "</g></svg>"
