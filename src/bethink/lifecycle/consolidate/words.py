"""Bring a note to one form: its canonical wording, its words, and their stems."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Sequence

_HAN: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_ASCII: Final = re.compile(
    r"(?:(?<!\S)-)?\d+(?:[.,]\d+)*|[a-z](?:\+\+|#)|[a-z]+|[.,;:!?()]|[^\w\s'\"\[\]{}/\\|~`*_<>-]"
)
_ANY: Final = re.compile(
    rf"(?:(?<!\S)-)?\d+(?:[.,]\d+)*|[a-z](?:\+\+|#)|[{_HAN}]|[^\W\d_{_HAN}]+|[.,;:!?()。、，；：！？（）]"
    r"|[^\w\s'\"\[\]{}/\\|~`*_<>«»„“”‘’「」『』…–—·-]"
)
_DENIED: Final = re.compile(r"(?<=[a-z])n['’]t\b")
_SIGNS: Final = str.maketrans("。、，；：！？（）", ".,,;:!?()")

MARKS: Final = frozenset(".,;:!?()")
_VOWELS: Final = frozenset("aeiouy")
_PLURALS: Final = ("sses", "shes", "ches", "xes", "zes")
_SPELLINGS: Final = {
    "favourit": "favorit", "colour": "color", "neighbour": "neighbor", "neighbourhood": "neighborhood",
    "behaviour": "behavior", "centr": "center", "theatr": "theater", "organis": "organiz", "grey": "gray",
    "ha": "have", "has": "have", "ve": "have", "mum": "mom", "veggi": "vegetarian", "km": "kilometer",
    "goe": "go", "doe": "do",
}  # fmt: skip

_VERBS: Final = (
    r"(?:prefers|likes|loves|enjoys|avoids|dislikes|hates|needs|wants|has|owns|lives|works|speaks|uses|plays|eats|drinks|"
    r"travels|flies|drives|follows|collects|studies|does not|doesn['’]t|never|cannot|can['’]t|is)"
)
_SOFTENED: Final = r"(?:(?:usually|generally|normally|typically|mostly) )?"
_SUBJECT: Final = re.compile(rf"(?:the )?user (?={_SOFTENED}{_VERBS}\b)", re.IGNORECASE)
_PREFERS: Final = re.compile(r"(?:usually|generally|normally|typically|mostly) (?=prefers\b)", re.IGNORECASE)
_LIKES_TO: Final = re.compile(rf"{_SOFTENED}likes to (?=[a-z])", re.IGNORECASE)
_TOPIC: Final = re.compile(
    r"([^\W\d_][\w -]{1,40}) \(((?:prefers|likes|avoids|needs) [^()]+)\)\.?", re.IGNORECASE
)


def canonical(text: str) -> str:
    """Return a note worded as notes are: short, about the user without naming the user.

        User usually prefers aisle seats.                          → Prefers aisle seats.
        User generally likes to compare options                    → Prefers to compare options.
        Vegetarian (prefers vegetarian meals when traveling).      → Prefers vegetarian meals when traveling.

    Words are only taken away, but for "likes to", which becomes "prefers to". What is not English, or not of these
    forms, stays as it is.
    """
    spaced = " ".join(text.split())
    worded = _SUBJECT.sub("", spaced, count=1) if _SUBJECT.match(spaced) else spaced
    topic = _TOPIC.fullmatch(worded) if "(" in worded else None
    if topic and topic.group(1).casefold() in topic.group(2).casefold():
        worded = topic.group(2)
    worded = _PREFERS.sub("", worded, count=1) if _PREFERS.match(worded) else worded
    worded = _LIKES_TO.sub("Prefers to ", worded, count=1) if _LIKES_TO.match(worded) else worded
    if worded == spaced:
        return spaced
    worded = worded[:1].upper() + worded[1:]
    return worded if worded[-1] in ".!?…" else f"{worded}."


@remembers(1 << 13)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, folded, not stemmed; marks of punctuation are words of their own."""
    lowered = text.casefold()
    if "n't" in lowered or "n’t" in lowered:
        lowered = _DENIED.sub(" not", lowered)
    if lowered.isascii():
        return tuple(_ASCII.findall(lowered))
    bare = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", lowered).translate(_SIGNS))
    bare = "".join(char for char in bare if not "\u0300" <= char <= "\u036f")
    return tuple(_ANY.findall(unicodedata.normalize("NFC", bare)))


@remembers(1 << 15)
def stem(word: str) -> str:
    """Return a word without its English endings; only whether two stems are equal means anything."""
    if word[-1:].isdigit():
        return word.replace(",", "") if re.fullmatch(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?", word) else word
    if len(word) > 3 and word.isalpha() and word.isascii():  # noqa: PLR2004
        word = _without_endings(word)
    return _SPELLINGS.get(word, word)


def _without_endings(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004
        word = word[:-3] + "y"
    elif word.endswith(_PLURALS):
        word = word[:-2]
    elif word.endswith("s") and word[-2] not in "sui":
        word = word[:-1]
    if len(word) > 5 and word.endswith("ing") and _VOWELS.intersection(word[:-3]):  # noqa: PLR2004
        word = _undoubled(word[:-3])
    elif len(word) > 4 and word.endswith("ed") and word[-3] != "e" and _VOWELS.intersection(word[:-2]):  # noqa: PLR2004
        word = _undoubled(word[:-2])
    return word[:-1] if len(word) > 3 and word.endswith("e") else word  # noqa: PLR2004


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word  # noqa: PLR2004


def stems(text: str) -> list[str]:
    """Return the stems of a text in order, marks of punctuation among them."""
    return [stem(word) for word in words(text)]


def phrases(table: str) -> list[tuple[str, ...]]:
    """Return the phrases of a table, each as its stems."""
    found = (tuple(stems(each)) for each in table.replace("\n", " ").split(","))
    return [each for each in found if each]


def normalised(text: str) -> str:
    """Return a text as equal texts are compared: without case, accents, spacing and final marks."""
    return plain(words(text))


def plain(listed: Sequence[str]) -> str:
    """Return the words of a text as equal texts are compared."""
    return " ".join(listed).rstrip(" .!,;:")
