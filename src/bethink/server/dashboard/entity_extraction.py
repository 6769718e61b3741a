"""Extract entities (people, places, projects) from notes by the cue words beside a name.

No model and no list of names: a name is written with a capital, and what it is of is told by its neighbours ("my
wife Anna", "moved to Porto", "the Atlas project"). Where nothing tells, it is another name. A language that has no
capitals, or gives one to every noun, shows the less. Rules alone: what was found is as good as the note that says it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from bethink.languages.detection import detect, function_words
from bethink.languages.loading import language
from bethink.languages.phrases import phrase_list
from bethink.languages.tokenizer import fold
from bethink.lifecycle.consolidate.attributes import read
from bethink.lifecycle.consolidate.claims import USER
from bethink.lifecycle.text_caches import remembers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind: TypeAlias = Literal["person", "place", "project", "other"]

LONGEST: Final = 2_000  #: characters of a note that are read
MOST_WORDS: Final = 5  #: of a name
_TOKEN: Final = re.compile(r"[^\W\d_][\w’'-]*\w|[^\W\d_]|\d+|[^\w\s]")
_ENDS: Final = frozenset(".!?;:\n")
_PARTICLES: Final = frozenset(
    ["de", "da", "do", "dos", "del", "della", "di", "van", "von", "der", "den", "la", "le", "bin", "of"]
)
_ARTICLES: Final = frozenset(["the", "a", "an", "der", "die", "das", "le", "la", "el", "il", "o", "os", "as"])
_POSSESSORS: Final = frozenset(["my", "his", "her", "their", "our", "user", "users", "user's", "the"])
_OTHERS: Final = frozenset(
    ["i", "ok", "user", "users", "client", "customer", "english", "usd", "eur", "gbp", "am", "pm", "utc"]
)
_NO_OWNERS: Final = frozenset(
    ["today", "tomorrow", "yesterday", "let", "that", "this", "here", "there", "what", "who", "it"]
)
_NO_PEOPLE: Final = frozenset(
    ["team", "family", "parents", "friends", "kids", "children", "kid", "child", "ex"]
)


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a note, or somebody who is called by what they are to the user."""

    name: str
    kind: Kind
    role: str = ""  #: such as `wife`
    first: bool = False  #: it begins a sentence, where any word has a capital: it is a name if others say so


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    folded: str
    begins: bool  #: a sentence

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


@dataclass(frozen=True, slots=True)
class _Cues:
    titles: frozenset[str]
    meeting: tuple[tuple[str, ...], ...]
    at: frozenset[str]
    beside: frozenset[str]
    near: tuple[tuple[str, ...], ...]
    dwelling: frozenset[str]
    work: tuple[tuple[str, ...], ...]
    project: tuple[tuple[str, ...], ...]
    things: frozenset[str]
    kin: frozenset[str]
    owning: frozenset[str]
    doing: frozenset[str]
    dull: frozenset[str]  #: words that are no name, whatever their first letter
    every_noun: bool  #: has a capital


@remembers(8_192)
def names(text: str) -> tuple[NameMention, ...]:
    """Return whom and what a text names, each once, in its order."""
    text = text[:LONGEST]
    code = detect(text)
    cues = _cues(code if code in _tables() else "en")
    words = list(_words(text))
    subject = subject_of(text)
    read_as = [*_home_and_work(text, words), *_read(words, cues, subject)]
    if code != "en" and not cues.every_noun and all(each.kind == "other" for each in read_as):
        read_as += _read(words, _cues("en"), subject)  # few words, and foreign names: "Visited Porto"
    found: dict[tuple[str, str], NameMention] = {}
    for each in read_as:
        key = (fold(each.name), each.role if not each.name else "")
        before = found.get(key)
        if (
            before is None
            or (before.kind == "other" and each.kind != "other")
            or (each.role and not before.role)
        ):
            found[key] = each
    return tuple(found.values())


def _read(words: Sequence[_Word], cues: _Cues, subject: str) -> Iterator[NameMention]:
    at = 0
    while at < len(words):
        end = _name_end(words, at, cues)
        if end == at:
            if words[at].folded in cues.kin and (role := _role(words, at, cues)):
                yield NameMention("", "person", role)
            at += 1
            continue
        if at == 0 and end > 1 and not subject.startswith(words[0].folded[:3]):
            at = 1  # the capital of a first word says nothing: "Loves Bach"
        kind, role = _kind(words, at, end, cues)
        lone = words[at].begins and end - at == 1 and kind == "other"
        if kind != "other" or not cues.every_noun:
            yield NameMention(_written(words[at:end]), kind, role, first=lone)
        at = end


def _home_and_work(text: str, words: Sequence[_Word]) -> Iterator[NameMention]:
    """Yield where somebody lives and works, as consolidation reads it in every language."""
    reading = read(text)
    kinds: dict[str, Kind] = {"home": "place", "employer": "project"}
    for claim in reading.said:
        kind = kinds.get(claim.attribute)
        if kind is None or not claim.positive:
            continue
        parts = claim.value.split()
        for at in range(len(words) - len(parts) + 1):
            some = words[at : at + len(parts)]
            if some[0].capital and all(
                word.folded.startswith(part[:4]) for word, part in zip(some, parts, strict=True)
            ):
                yield NameMention(_written(some), kind)
                break


def _name_end(words: Sequence[_Word], at: int, cues: _Cues) -> int:
    """Return where the name that begins at a place ends; the place itself where none does."""
    if not _is_name(words[at], cues):
        return at
    end = at + 1
    while end < len(words) and end - at < MOST_WORDS:
        if words[end].begins:
            break
        if _is_name(words[end], cues):
            end += 1
        elif words[end].folded in _PARTICLES and end + 1 < len(words) and _is_name(words[end + 1], cues):
            end += 2
        else:
            break
    if words[at].begins and end - at > 1 and words[at].folded in cues.kin | cues.titles:
        return at
    return end


def _is_name(word: _Word, cues: _Cues) -> bool:
    return (
        word.capital
        and len(word.text) > 1
        and word.folded not in cues.dull
        and word.folded not in cues.titles
        and word.folded not in cues.kin
        and not (word.begins and word.folded in cues.dwelling)
    )


def _kind(words: Sequence[_Word], at: int, end: int, cues: _Cues) -> tuple[Kind, str]:
    """Tell what a name is of, and who somebody is to the user, by what stands around it."""
    if role := _beside(words, at, end, cues):
        return "person", role
    before = [word.folded for word in words[max(0, at - 4) : at]]
    plain = before[:-1] if before and before[-1] in _ARTICLES else before
    after = words[end].folded if end < len(words) else ""
    if _titled_by(before, cues):
        return "person", ""
    if _ends_with(plain, cues.project) or after in cues.things or _ends_with(plain, cues.work):
        return "project", ""
    if _ends_with(plain, cues.near) or (plain and plain[-1] in cues.at and _dwells(words, at, cues)):
        return "place", ""
    return ("person" if _acts(words, at, end, plain, cues) else "other"), ""


def _titled_by(before: Sequence[str], cues: _Cues) -> bool:
    """Tell whether "Dr." or "aunt" stands before a name."""
    last = before[-2:-1] if before and before[-1] == "." else before[-1:]
    return bool(last) and last[0] in cues.titles


def _acts(words: Sequence[_Word], at: int, end: int, plain: Sequence[str], cues: _Cues) -> bool:
    """Tell whether a name is of somebody who is met, owns something, or does something."""
    last = words[end - 1]
    if _ends_with(plain, cues.meeting):
        return True
    if last.text.endswith(("'s", "’s")) and last.folded not in _NO_OWNERS:
        return True
    if end - at > 1 and plain and plain[-1] in cues.beside and not _dwells(words, at, cues):
        return True
    return words[at].begins and end < len(words) and words[end].folded in cues.doing


def _beside(words: Sequence[_Word], at: int, end: int, cues: _Cues) -> str:
    """Return what somebody is to the user, where that stands beside the name: "wife Anna", "Ben is my brother"."""
    if at and words[at - 1].folded in cues.kin:
        return words[at - 1].folded
    after = [word.folded for word in words[end : end + 4]]
    if after[:1] and after[0] in {",", "is", "(", "ist", "est", "es", "é", "è"}:
        for place, word in enumerate(after[1:], 1):
            if word in cues.kin and (place > 1 or after[0] in {",", "("}):
                beyond = end + place + 1  # "Lyon, his wife Claire": that is another's
                return "" if beyond < len(words) and _is_name(words[beyond], cues) else word
            if word not in cues.owning | _POSSESSORS:
                break
    return ""


def _role(words: Sequence[_Word], at: int, cues: _Cues) -> str:
    """Return who somebody is that no name is given of: "my wife works …"."""
    word = words[at].folded
    if word in _NO_PEOPLE or (at + 1 < len(words) and _is_name(words[at + 1], cues)):
        return ""
    owned = at > 0 and words[at - 1].folded in cues.owning | _POSSESSORS
    if not owned and not words[at].begins:
        return ""
    named = any(_is_name(each, cues) for each in words[max(0, at - 4) : at] if not each.begins or at > 1)
    return "" if named else word


def _dwells(words: Sequence[_Word], at: int, cues: _Cues) -> bool:
    """Tell whether the sentence of a name speaks of being somewhere, or of going there."""
    start = next((place for place in range(at, -1, -1) if words[place].begins), 0)
    end = next((place for place in range(at + 1, len(words)) if words[place].begins), len(words))
    return any(word.folded in cues.dwelling for word in words[start:end])


def _ends_with(before: Sequence[str], phrases: tuple[tuple[str, ...], ...]) -> bool:
    return any(tuple(before[-len(phrase) :]) == phrase for phrase in phrases)


def _words(text: str) -> Iterator[_Word]:
    begins = True
    last = 0
    for found in _TOKEN.finditer(text):
        word = found[0]
        begins = begins or "\n" in text[last : found.start()]
        yield _Word(word, fold(word.removesuffix("'s").removesuffix("’s")), begins)
        abbreviated = word == "." and text[: found.start()].rpartition(" ")[2].casefold() in _titled()
        begins = (word in _ENDS and not abbreviated) or (begins and not word[:1].isalnum())
        last = found.end()


def _written(words: Sequence[_Word]) -> str:
    return " ".join(word.text for word in words).removesuffix("'s").removesuffix("’s")


# ---- tables ------------------------------------------------------------------------------------------------------


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "name_cues.toml").read_text(encoding="utf-8"))


@cache
def _titled() -> frozenset[str]:
    return frozenset(each for table in _tables().values() for each in phrase_list(table["titles"]))


@cache
def _cues(code: str) -> _Cues:
    table, cues = _tables()[code], language(code)
    return _Cues(
        titles=_folded(table["titles"]),
        meeting=_phrases(table["meeting"]),
        at=_folded(table["at"]),
        beside=_folded(table["beside"]),
        near=_phrases(table["near"]),
        dwelling=_folded(table["dwelling"]),
        work=_phrases(table["work"]),
        project=_phrases(table["project"]),
        things=_folded(table["things"]),
        kin=_folded(cues.word("compare", "people")) - {"team", "manager", "assistant", "capo"},
        owning=_folded(cues.word("people", "owning")) | _folded(cues.word("people", "others")),
        doing=_folded(cues.word("compare", "of_somebody")) - {"is", "are", "was", "has", "can", "will"},
        dull=_OTHERS
        | _folded(table.get("dull", ""))
        | {fold(word) for word in function_words(code)}
        | {word for word in _folded(cues.word("compare", "light")) if " " not in word}
        | frozenset(cues.numbers("months"))
        | frozenset(cues.numbers("weekdays"))
        | _folded(cues.word("kinds", "language")),
        every_noun=bool(table.get("capital_nouns")),
    )


def _folded(table: str) -> frozenset[str]:
    return frozenset(fold(each) for each in phrase_list(table))


def _phrases(table: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(fold(word) for word in each.split()) for each in phrase_list(table))


def subject_of(text: str) -> str:
    """Return the folded name that a text begins with and speaks of; nothing where it is the user's."""
    named = read(text).named
    return "" if named == USER else named
