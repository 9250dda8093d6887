"""Ways to write a secret so that it does not look like one. A row names one, and marks with ⟦ ⟧ what it changes."""

import base64
import re
import urllib.parse

LOOKALIKES = str.maketrans("aceopxyAKIPBTMHE", "асеорхуАКІРВТМНЕ")


def apply(name, text):
    name, _, size = name.partition(":")
    change = DISGUISES[name]
    arguments = (int(size),) if size else ()
    return re.sub(r"⟦(.*?)⟧", lambda found: change(found.group(1), *arguments), text, flags=re.S)


def _join(glue):
    return lambda text: glue.join(text)


def _wrapped(glue):
    return lambda text, size: glue.join(text[at : at + size] for at in range(0, len(text), size))


def _base64(text):
    return base64.b64encode(text.encode()).decode()


def _shifted(upper, lower):
    move = {ord(c): upper + at for at, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
    move |= {ord(c): lower + at for at, c in enumerate("abcdefghijklmnopqrstuvwxyz")}
    return lambda text: text.translate(move)


def _concatenated(text):
    middle = len(text) // 2
    return f'"{text[:4]}" + "{text[4:middle]}" + "{text[middle:]}"'


DISGUISES = {
    "zero-width": _join("\u200b"),
    "soft-hyphen": _join("\u00ad"),
    "rtl-mark": _join("\u200f"),
    "combining": _join("\u034f"),
    "full-width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "math-bold": _shifted(0x1D400, 0x1D41A),
    "homoglyph": lambda text: text.translate(LOOKALIKES),
    "unicode-blank": lambda text: text.replace(" ", "\u00a0\u2009"),
    "wrap": _wrapped("\n"),
    "wrap-quote": _wrapped("\n> "),
    "spaced": _join(" "),
    "dashed": lambda text: "-".join(text[at : at + 4] for at in range(0, len(text), 4)),
    "base64": _base64,
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode(),
    "base64-twice": lambda text: _base64(_base64(text)),
    "hex": lambda text: text.encode().hex(),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "entities": lambda text: "".join(f"&#{ord(c)};" for c in text),
    "backslash-u": lambda text: "".join(f"\\u{ord(c):04x}" for c in text),
    "reversed": lambda text: text[::-1],
    "concat": _concatenated,
    "markdown-bold": lambda text: f"{text[:3]}**{text[3:6]}**{text[6:]}",
    "html-tags": lambda text: f"{text[:3]}<b>{text[3:6]}</b>{text[6:]}",
    "jwt-blank": lambda text: text.replace(".", " . "),
    "jwt-newline": lambda text: text.replace(".", ".\n"),
}
# Those whose row is written out need no change.
for plain in ("upper-word", "leet", "split-words", "dot-at", "jwe", "jwt-none"):
    DISGUISES[plain] = lambda text: text
