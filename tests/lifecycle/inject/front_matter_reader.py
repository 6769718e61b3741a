"""A reader of the YAML that front matter is written in: blocks by two spaces, JSON-like scalars and flows."""

from __future__ import annotations

import json
import re

BARE = re.compile(r"[A-Za-z][A-Za-z0-9_./ -]*")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def read(text):
    lines = text.split("\n")
    assert lines[0] == lines[-1] == "---"
    if lines[1:-1] == ["{}"]:
        return {}
    value, rest = block(lines[1:-1], 0)
    assert rest == []
    return value


def block(lines, depth):
    if lines[0].lstrip().startswith("-"):
        return sequence(lines, depth)
    found = {}
    while lines and indent(lines[0]) == depth:
        key, tail = split_key(lines.pop(0).strip(" "))
        assert key not in found
        found[key], lines = (scalar(tail), lines) if tail else block(lines, depth + 1)
    return found, lines


def sequence(lines, depth):
    found = []
    while lines and indent(lines[0]) == depth:
        line = lines.pop(0).strip(" ")
        assert line[0] == "-"
        value, lines = (scalar(line[2:]), lines) if line != "-" else block(lines, depth + 1)
        found.append(value)
    return found, lines


def indent(line):
    return (len(line) - len(line.lstrip(" "))) // 2


def split_key(line):
    end = QUOTED.match(line).end() if line.startswith('"') else line.index(":")
    assert line[end] == ":"
    return scalar(line[:end]), line[end + 2 :]


def scalar(text):
    special = {".nan": "NaN", ".inf": "Infinity", "-.inf": "-Infinity"}
    if BARE.fullmatch(text) and text not in {"true", "false", "null"}:
        return text
    return json.loads(special.get(text, short(text)))


def short(text):
    """Write the long escapes of YAML as JSON knows them."""
    pieces = re.split(r"(\\\\|\\U[0-9a-f]{8})", text)
    return "".join(chr(int(f"0x{each[2:]}", 0)) if each.startswith("\\U") else each for each in pieces)
