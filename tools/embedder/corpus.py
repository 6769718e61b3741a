"""The texts that the table is trained on, read from packages with permissive licences.

`sources` is a folder with what README.md says how to get: `wordnet/` (WordNet 3.1's dict files), `stdlib/` (the
data sets of @stdlib), `manuals/` (HTML of the Python and SQLite manuals) and `chatterbot/` (its English corpus).
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z\"'(])")
QUOTED = re.compile(r'"([^"]{8,})"')
LONGEST = 400  # characters of a passage


@dataclass
class Meaning:
    """One synset of WordNet."""

    lemmas: list[str]
    gloss: str
    examples: list[str]
    parents: list[str] = field(default_factory=list)


def wordnet(folder: Path) -> dict[str, Meaning]:
    """Return the synsets by part of speech and offset."""
    out: dict[str, Meaning] = {}
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            left, _, gloss = line.partition(" | ")
            cells = left.split()
            count = int(cells[3], 16)
            lemmas = [re.sub(r"\(.*\)", "", cells[4 + 2 * n]).replace("_", " ") for n in range(count)]
            at = 4 + 2 * count
            pointers = [cells[at + 1 + 4 * n : at + 5 + 4 * n] for n in range(int(cells[at]))]
            parents = [part + offset for sign, offset, *_ in pointers if sign in {"@", "@i"}]
            definition = QUOTED.sub("", gloss).strip(" ;")
            out[part + cells[0]] = Meaning(lemmas, definition, QUOTED.findall(gloss), parents)
    return out


def sentences(text: str) -> list[str]:
    """Cut running text into sentences."""
    flat = re.sub(r"\s+", " ", text)
    return [one.strip() for one in SENTENCE_END.split(flat) if 20 <= len(one.strip()) <= LONGEST]


def speeches(folder: Path) -> Iterator[list[str]]:
    """Yield the sentences of each speech on the state of the union, and of each chapter of Moby Dick."""
    for path in sorted((folder / "sotu" / "data").glob("*.json")):
        yield sentences(" ".join(_strings(json.loads(path.read_text(encoding="utf-8")))))
    for path in sorted((folder / "moby-dick" / "data").glob("*")):
        if path.suffix == ".txt":
            yield sentences(path.read_text(encoding="utf-8"))


def manuals(folder: Path) -> Iterator[list[str]]:
    """Yield the paragraphs of each page of the manuals; the questions and answers are kept for measuring."""
    for path in sorted(folder.rglob("*.html")):
        if path.parent.name == "faq":
            continue
        page = path.read_text(encoding="utf-8", errors="replace")
        page = re.sub(r"(?s)<(script|style|pre|head)\b.*?</\1>", " ", page)
        found = [
            re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", one))).strip().rstrip("¶")
            for one in re.findall(r"(?s)<(?:p|li|dd)\b[^>]*>(.*?)(?=</?(?:p|li|dd|dt|div|table)\b)", page)
        ]
        yield [one[:LONGEST] for one in found if len(one) >= 40 and one.count(" ") > 8]


def chats(folder: Path) -> list[tuple[str, str]]:
    """Return what was said and what was answered."""
    import yaml

    out: list[tuple[str, str]] = []
    for path in sorted(folder.glob("*.yml")):
        for lines in yaml.safe_load(path.read_text(encoding="utf-8"))["conversations"]:
            said = [str(line) for line in lines]
            out += list(pairwise(said))
    return out


def first_names(folder: Path) -> list[str]:
    """Return first names, of women and men."""
    both = [
        (folder / f"{kind}-first-names-en" / "data" / "names.json").read_text(encoding="utf-8")
        for kind in ("female", "male")
    ]
    return [name for names in both for name in json.loads(names)]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
