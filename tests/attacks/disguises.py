"""Ways to write a secret so that it does not look like one. A row names one, and marks with ⟦ ⟧ what it changes."""

import base64
import codecs
import gzip
import json
import quopri
import re
import urllib.parse
import zlib

SMALL_CAPS = str.maketrans("abcdefghijklmnoprtuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ")
SUPERSCRIPT = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
ARMENIAN = str.maketrans("ouhp", "օսհք")
CHEROKEE = str.maketrans("ABCDEGHIJKLMPRSTVWZ", "ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ")
GREEK = str.maketrans("AKIBETHMNOPXYZ", "ΑΚΙΒΕΤΗΜΝΟΡΧΥΖ")
# These seven stand elsewhere than the rest of their alphabet.
DOUBLE_STRUCK = str.maketrans("CHNPQRZ", "ℂℍℕℙℚℝℤ")
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


def _parts(size, glue, before="", after=""):
    """Pieces of a size, each between the same signs."""
    return lambda text: glue.join(before + text[at : at + size] + after for at in range(0, len(text), size))


def _halved(pattern):
    """In two, with a pattern that says where each half goes."""
    return lambda text: pattern.format(text[: len(text) // 2], text[len(text) // 2 :])


def _dump(text):
    """As `xxd` prints it: the place, the bytes in pairs, the letters."""
    rows = []
    for at in range(0, len(text), 16):
        part = text[at : at + 16]
        code = part.encode().hex()
        rows.append(f"{at:08x}: {' '.join(code[one : one + 4] for one in range(0, len(code), 4)):39}  {part}")
    return "\n".join(rows)


def _each(pattern, glue=""):
    return lambda text: glue.join(pattern.format(byte) for byte in text.encode())


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
    "variation": _join("\ufe0f"),
    "word-joiner": _join("\u2060"),
    "tag-characters": lambda text: "".join(chr(0xE0000 + ord(c)) for c in text),
    "math-sans": _shifted(0x1D5A0, 0x1D5BA),
    "double-struck": lambda text: _shifted(0x1D538, 0x1D552)(text.translate(DOUBLE_STRUCK)),
    "fraktur": _shifted(0x1D56C, 0x1D586),
    "circled": _shifted(0x24B6, 0x24D0),
    "greek": lambda text: text.translate(GREEK),
    "continuation": lambda text: _wrapped("\\\n")(text, 16),
    "indented-wrap": lambda text: _wrapped("\n  ")(text, 10),
    "underscored": _join("_"),
    "dotted": _join("."),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "gzip-base64": lambda text: base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode(),
    "hex-bytes": lambda text: " ".join(f"{byte:02x}" for byte in text.encode()),
    "octal": lambda text: "".join(f"\\{byte:03o}" for byte in text.encode()),
    "char-codes": lambda text: ", ".join(str(ord(c)) for c in text),
    "percent-twice": lambda text: "".join(f"%25{byte:02X}" for byte in text.encode()),
    "entities-hex": lambda text: "".join(f"&#x{ord(c):x};" for c in text),
    "quoted-printable": lambda text: quopri.encodestring("".join(text).encode(), quotetabs=True).decode().replace("a", "=61"),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "join-list": lambda text: ", ".join(f'"{text[at : at + 6]}"' for at in range(0, len(text), 6)),
    "html-comment": lambda text: f"{text[:8]}<!-- x -->{text[8:]}",
    "table-cells": lambda text: " | ".join(text[at : at + 5] for at in range(0, len(text), 5)),
    "bidi": lambda text: f"\u202d{text[:9]}\u2066{text[9:]}\u2069\u202c",
    "small-caps": lambda text: text.translate(SMALL_CAPS),
    "superscript": lambda text: text.translate(SUPERSCRIPT),
    "math-mono": _shifted(0x1D670, 0x1D68A),
    "parenthesized": lambda text: "".join(chr(0x249C + ord(c) - 97) if "a" <= c <= "z" else c for c in text),
    "regional": lambda text: "".join(chr(0x1F1E6 + ord(c) - 65) if "A" <= c <= "Z" else c for c in text),
    "accents": _join("\u0301"),
    "armenian": lambda text: text.translate(ARMENIAN),
    "cherokee": lambda text: text.translate(CHEROKEE),
    "nbsp-inside": _parts(9, "\u00a0"),
    "thin-space": _join("\u2009"),
    "ideographic": _parts(8, "\u3000"),
    "hangul-filler": _join("\u3164"),
    "braille-blank": _join("\u2800"),
    "crlf-wrap": _parts(16, "\r\n"),
    "tab-wrap": _parts(30, "\n\t"),
    "hash-comment-wrap": _parts(16, "\n# "),
    "slash-comment-wrap": _parts(10, "\n// "),
    "string-plus-lines": _parts(12, " +\n", '"', '"'),
    "js-template": _halved('${{"{}"}}${{"{}"}}'),
    "php-dots": _parts(7, " . ", "'", "'"),
    "shell-adjacent": _parts(10, "", '"', '"'),
    "bash-octal": lambda text: "".join(f"\\{byte:o}" for byte in text.encode()),
    "hex-0x": _each("0x{:02x}", ", "),
    "hex-x": _each("\\x{:02x}"),
    "hex-colon": _each("{:02x}", ":"),
    "hex-upper": lambda text: text.encode().hex().upper(),
    "binary": _each("{:08b}", " "),
    "base64-lines": lambda text: base64.encodebytes(text.encode()).decode(),
    "base64-nopad": lambda text: _base64(text).rstrip("="),
    "base64-json": _base64,
    "base85": lambda text: base64.b85encode(text.encode()).decode(),
    "base64-reversed": lambda text: _base64(text)[::-1],
    "utf16-base64": lambda text: base64.b64encode(text.encode("utf-16-le")).decode(),
    "percent-partial": lambda text: "".join(f"%{ord(c):02x}" if at % 3 == 0 else c for at, c in enumerate(text)),
    "entities-named": lambda text: text.replace(":", "&colon;").replace("/", "&sol;").replace("@", "&commat;"),
    "u-braces": _each("\\u{{{:x}}}"),
    "json-escaped": lambda text: "".join(f"\\u{ord(c):04X}" if at % 2 else c for at, c in enumerate(text)),
    "yaml-folded": lambda text: "  " + _parts(12, "\n  ")(text),
    "strike": _join("\u0336"),
    "backticks-split": _parts(14, "", "`", "`"),
    "link-text": _halved("[{}](https://wiki.example){}"),
    "bullets": _parts(10, "\n", "- "),
    "numbered-chars": lambda text: "\n".join(f"{at}. {c}" for at, c in enumerate(text, 1)),
    "emoji-split": _parts(6, "\U0001f600"),
    "slashes": _parts(6, "/"),
    "commas": _join(", "),
    "pipes": _join("|"),
    "latex": _parts(6, "{}"),
    "xxd": _dump,
    "diff-lines": _parts(14, "", "+", "\n"),
    "line-numbers": lambda text: "\n".join(f"{at:4}  {text[8 * at - 8 : 8 * at]}" for at in range(1, len(text) // 8 + 2)),
    # Its h stands elsewhere.
    "math-italic": lambda text: _shifted(0x1D434, 0x1D44E)(text.replace("h", "\u210e")),
    "math-bold-sans": _shifted(0x1D5D4, 0x1D5EE),
    "underlined": _join("\u0332"),
    "chr-calls": lambda text: " + ".join(f"chr({ord(c)})" for c in text),
    "json-chars": lambda text: json.dumps(list(text)),
    "zlib-base64": lambda text: base64.b64encode(zlib.compress(text.encode())).decode(),
    "powershell": lambda text: f"'{text[:9]}' `\n  + '{text[9:]}'",
    "base64-url": lambda text: urllib.parse.quote(_base64(text)),
    "ruby": _parts(8, " \\\n", "'", "'"),
    "python-bytes": lambda text: f"bytes({list(text.encode())}).decode()",
    "sql-concat": _parts(9, " || ", "'", "'"),
    "yaml-list": _parts(9, "\n", "  - "),
    "swift": _halved('"\\("{}")\\("{}")"'),
    "footnote": _halved("{}[^1]\n\n[^1]: {}"),
    "braces": _parts(5, "", "{", "}"),
    "sum-array": lambda text: f"[{', '.join(repr(text[at : at + 9]) for at in range(0, len(text), 9))}].join('')",
    "spaces-4": _parts(4, " "),
    "nato-case": lambda text: " ".join(text),
    "invisible-times": _join("\u2062"),
    "mongolian": _join("\u180e"),
}
# Those whose row is written out need no change.
for plain in ("upper-word", "leet", "split-words", "dot-at", "jwe", "jwt-none", "plain"):
    DISGUISES[plain] = lambda text: text
