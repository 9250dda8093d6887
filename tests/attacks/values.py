"""Invented values, made when a row runs: the tables hold shapes such as `ghp_{an:36}`, never a value that a scanner of pushes
would take for a live key. The same row gets the same value in every run."""

import base64
import json
import random
import re

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = UPPER.lower()
DIGITS = "0123456789"
ALPHABETS = {
    "an": UPPER + LOWER + DIGITS,
    "lo": LOWER + DIGITS,
    "up": UPPER + DIGITS,
    "let": UPPER + LOWER,
    "dig": DIGITS,
    "hex": DIGITS + "abcdef",
    "HEX": DIGITS + "ABCDEF",
    "b32": UPPER + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "b64": UPPER + LOWER + DIGITS + "+/",
    "b64n": UPPER + LOWER + DIGITS,
    "b64u": UPPER + LOWER + DIGITS + "-_",
    "bech": "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
    "crypt": "./" + UPPER + LOWER + DIGITS,
}
# Words of wallets, and ordinary ones for passphrases.
SEEDS = (
    "abandon ability cactus dawn eagle fabric galaxy habit icon jacket kangaroo ladder magnet napkin oak paddle quantum rabbit saddle "
    "tackle umbrella vacuum wagon yard zebra zoo virus tuna spoon ridge orphan lunar kidney island hybrid glare"
).split()
WORDS = "river copper lantern orchard velvet thunder pebble harbor walnut saffron meadow cobalt".split()


def expand(text, row):
    """Replaces the shapes in a text by values."""
    chance = random.Random(row)
    return re.sub(r"\{([A-Za-z]\w*)(?::(\d+))?\}", lambda found: _value(found, chance), text)


def _value(found, chance):
    kind, count = found.group(1), int(found.group(2) or 0)
    if kind in ALPHABETS and count:
        return _mixed(ALPHABETS[kind], count, chance)
    if kind == "uuid":
        return "-".join(_mixed(ALPHABETS["hex"], size, chance) for size in (8, 4, 4, 4, 12))
    if kind in ("pw", "pwd"):
        # What a person's generator gives: every class, in no order.
        classes = [UPPER, LOWER, DIGITS] + (["!#%&*+?"] if kind == "pw" else [])
        letters = [chance.choice(one) for one in classes]
        letters += [chance.choice("".join(classes)) for _ in range(count - len(letters))]
        chance.shuffle(letters)
        return "".join(letters)
    if kind == "words":
        return " ".join(chance.sample(WORDS, count))
    if kind == "seed":
        return " ".join(chance.sample(SEEDS, count))
    if kind == "basic":
        return base64.b64encode(f"kiln:{_mixed(ALPHABETS['an'], 12, chance)}".encode()).decode()
    if kind in ("jwt", "jwtnone", "jwtbody", "jwe"):
        return _token(kind, chance)
    return found.group(0)


def _mixed(alphabet, count, chance):
    """Of an alphabet, with letters and digits both where it has both and there is room for them."""
    while True:
        value = "".join(chance.choice(alphabet) for _ in range(count))
        both = any(c in DIGITS for c in alphabet) and any(c in UPPER + LOWER for c in alphabet)
        if not both or count < 5 or any(c.isdigit() for c in value) and any(c.isalpha() for c in value):
            return value


def _token(kind, chance):
    def part(data):
        return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()

    body = part({"sub": f"kiln-{chance.randrange(9999)}", "iat": 1770000000 + chance.randrange(9999), "scope": "fire"})
    rest = lambda count: _mixed(ALPHABETS["b64u"], count, chance)
    if kind == "jwtbody":
        return body
    if kind == "jwtnone":
        return f"{part({'typ': 'JWT', 'alg': 'none'})}.{body}."
    if kind == "jwe":
        return f"{part({'enc': 'A256GCM', 'alg': 'RSA-OAEP'})}.{rest(171)}.{rest(16)}.{rest(90)}.{rest(22)}"
    return f"{part({'typ': 'JWT', 'alg': 'ES256', 'kid': rest(8)})}.{body}.{rest(86)}"
