"""Word a statement as a short note, in the language and the words of its author."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from bethink.lifecycle.distill.languages import pattern
from bethink.lifecycle.distill.main_clause import main_clause
from bethink.lifecycle.distill.third_person import third_person

if TYPE_CHECKING:
    from bethink.lifecycle.distill.languages.furniture import Phrasebook

ROUNDS = 8  #: fillers that are taken off one statement
STOPS = " \t.,;:!…。、，；：！-–—"


@dataclass(frozen=True, slots=True)
class Stripped:
    """A sentence without what only introduces it, and what the introduction said."""

    text: str
    explicit: bool = False  #: the author asks to have it remembered
    revised: bool = False  #: the author corrects something


@cache
def _edges(
    book_code: str, spaced: bool, fillers: str, openers: str, polite: str
) -> tuple[re.Pattern[str], ...]:
    del book_code
    comma, space = (r"\s*[,.!:;…–—-]+\s*", r"\s+") if spaced else (r"[\s、，,。！!：:]+", "")
    gap = rf"(?:{comma}|{space}(?={openers or '(?!)'}))"
    return (
        re.compile(rf"^(?:{fillers}){gap}", re.IGNORECASE),
        re.compile(rf"^(?:{polite or '(?!)'})[\s,、，:]*", re.IGNORECASE),
    )


def stripped(sentence: str, book: Phrasebook) -> Stripped:
    """Take fillers, politeness and "remember that" off a sentence, and note what they said."""
    fillers, polite = _edges(book.code, book.spaced, book.fillers, book.openers, book.polite)
    revisions = _edges(book.code, book.spaced, book.revisions, book.openers, "")[0]
    seen = Stripped(sentence.strip())
    for _ in range(ROUNDS):
        before = seen.text
        if found := pattern(rf"^(?:{book.memory_requests})[\s,:、，：]*").match(before):
            seen = replace(seen, text=before[found.end() :], explicit=True)
        elif found := revisions.match(before):
            seen = replace(seen, text=before[found.end() :], revised=True)
        elif found := fillers.match(before) or polite.match(before):
            seen = replace(seen, text=before[found.end() :])
        if not found or not found.end():
            break
    if book.spaced and not seen.revised and pattern(rf"^(?:{book.revisions})\s").match(seen.text):
        seen = replace(seen, revised=True)
    if book.memory_requests_after and (found := pattern(book.memory_requests_after).search(seen.text)):
        seen = replace(seen, text=seen.text[: found.start()], explicit=True)
    comma = r"[\s,;–—-]+" if book.spaced else r"[\s、，,]*"
    text = pattern(rf"{comma}(?:{book.tails})\s*[.!?…。！？]*$").sub("", seen.text)
    return replace(seen, text=text.strip() or seen.text.strip())


def opened(text: str, book: Phrasebook) -> str:
    """Return a text as the patterns read it: contractions opened, no full stop."""
    for expression, replacement in book.contractions:
        text = pattern(expression).sub(replacement, text)
    return text.strip().rstrip(STOPS)


def _scope_first(text: str, scope: str) -> tuple[str, str]:
    """Return a statement without its "this trip", and the words that put it first."""
    for place in (rf"^{scope}[\s,:]*", rf"[\s,]*{scope}[.!]*$"):
        found = pattern(place).search(text)
        if found is None or not found.group().strip(STOPS):
            continue
        rest = (text[: found.start()] + text[found.end() :]).strip(" ,")
        phrase = re.sub(
            r"^(?:just |only )?(?:for |on |in )?(?=this|the current|today|tonight)",
            "",
            found.group().strip(STOPS).lower(),
        )
        phrase = re.sub(r"^(?:just |only )|(?: only| around)$", "", phrase)
        lasting = phrase.endswith("now") or phrase in ("for the time being", "temporarily")
        return (
            rest,
            f"{phrase[:1].upper()}{phrase[1:]}: " if lasting else f"{phrase[:1].upper()}{phrase[1:]} only: ",
        )
    return text, ""


def worded(seen: Stripped, book: Phrasebook, *, once: bool) -> str:
    """Return the note's text; for English in the third person, else the author's own sentence."""
    text = seen.text
    if not book.spaced:
        return f"{text.strip(STOPS + '?？')}。"
    scope = ""
    if book.code == "en":
        if once:
            text, scope = _scope_first(text, book.this_once)
        text = third_person(text.strip())
    elif book.code == "de" and seen.explicit:
        text = main_clause(text)
    text = text.strip(STOPS + "?¿¡ ")
    if not scope:
        text = text[:1].upper() + text[1:]
    return f"{scope}{text}."


def joined(text: str, reason: Stripped, book: Phrasebook) -> str:
    """Return a note with the reason that its author gave in the next sentence."""
    why = third_person(reason.text) if book.code == "en" else reason.text
    mark, stop = (", ", ".") if book.spaced else ("、" if book.code == "ja" else "，", "。")
    return f"{text.rstrip(STOPS)}{mark}{why.strip(STOPS + '?¿¡')}{stop}"
