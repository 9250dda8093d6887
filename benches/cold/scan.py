"""The scan in Python: every header, newest first, a manifest of the newest 200.

usage: scan.py DIR
"""

import datetime
import os
import sys

LINES, NEWEST = 30, 200


def markdown(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from markdown(entry.path)
        elif entry.name.endswith(".md") and entry.name != "MEMORY.md":
            yield entry.path


def header(file):
    fields = {}
    if file.readline().rstrip() != "---":
        return fields
    for _ in range(LINES - 1):
        line = file.readline().rstrip()
        if line == "---":
            break
        key, colon, value = line.partition(":")
        if colon:
            fields[key.strip()] = value.strip()
    return fields


def scan(root):
    for path in markdown(root):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                yield os.fstat(file.fileno()).st_mtime, os.path.relpath(path, root), header(file)
        except OSError:
            continue


memories = sorted(scan(sys.argv[1]), key=lambda memory: memory[0], reverse=True)
print(f"{len(memories)} memories")
for changed, name, fields in memories[:NEWEST]:
    when = datetime.datetime.fromtimestamp(changed, datetime.timezone.utc).isoformat()
    kind = f"[{fields['type']}] " if "type" in fields else ""
    print(f"- {kind}{name} ({when}): {fields.get('description', '')}")
