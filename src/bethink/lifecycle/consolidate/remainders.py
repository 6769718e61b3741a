"""Leave of an older text what a newer one does not end: "I pay for Netflix and Spotify." without Netflix."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.languages.detection import function_words
from bethink.languages.loading import language
from bethink.lifecycle.consolidate.contrasts import touched
from bethink.lifecycle.consolidate.endings import PROBABLY, ends, gist
from bethink.lifecycle.consolidate.pair_score import Clauses, shares
from bethink.lifecycle.consolidate.telling_words import has_verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.languages.loading import Language
    from bethink.lifecycle.consolidate.endings import Gist

_MARK: Final = re.compile(r"[,;:.!?]\s+|[，、；：。！？]")
_SUBJECT: Final = 2  #: words before "and" that may be half of a subject
_TELLING: Final = 2  #: telling words of a part that says something without a verb


class _Part(NamedTuple):
    start: int
    end: int
    joined: bool  #: "and" stands before it


def remainder(text: str, new: Gist, code: str) -> str:
    """Return the parts of an older text that a newer one does not end, as they are written; nothing where all are."""
    book = language(code)
    parts = list(_parts(text, book))
    ended = _ended([gist(text[part.start : part.end], code) for part in parts], new)
    if all(ended) or not any(ended):
        return ""
    standing = [part for part, gone in zip(parts, ended, strict=True) if not gone]
    first = text[parts[0].start : parts[0].end]
    own = [part for part in standing if _says(text[part.start : part.end], first, book)]
    if own:
        return _sentence([text[part.start : part.end] for part in own])
    if len(parts) == _TELLING and standing[0].joined:
        item = text[standing[0].start : standing[0].end].strip()
        follows = next(iter(book.words(item)), "")
        return _sentence([_head(text, parts[0], follows, new, book) + item])
    return ""


def _ended(parts: Sequence[Gist], new: Gist) -> list[bool]:
    """Tell of each part whether a newer text ends it: it names it, or most likely means it and no other part."""
    named = [ends(new, part) or touched(new.contrast, part.contrast) for part in parts]
    if any(named):
        return named
    return [share > PROBABLY for share in shares(new, Clauses(parts))]


def _parts(text: str, book: Language) -> Sequence[_Part]:
    """Return what stands between marks, and between words that join; "my wife and I" is no part of its own."""
    places = [0, *(found.end() for found in _MARK.finditer(text)), len(text)]
    found: list[_Part] = []
    joining = book.phrases("compare", "joining")
    for start, end in pairwise(places):
        begin, joined, before = start, False, 0
        for token in book.tokens(text[start:end]) if book.spaced else ():
            if not joining.at([token.word], 0):
                before += 1
            elif before == 0 or before > _SUBJECT:
                found += [_Part(begin, start + token.start, joined)] if before else []
                begin, joined, before = start + token.end, bool(before), 0
        if text[begin:end].strip():
            found.append(_Part(begin, end, joined))
    return found


def _says(part: str, first: str, book: Language) -> bool:
    """Tell whether a part says something by itself, and no more of the first one: "c'est Vim", "cracked screen"."""
    words = book.words(part)
    if has_verb(words, book):
        return part == first or not book.phrases("people", "pointing").at(words, 0)
    joined = book.phrases("compare", "joining").within(words)
    described = part != first and book.spaced and has_verb(book.words(first), book)
    return not joined and not described and len(gist(part, book.code).words) >= _TELLING


def _head(text: str, part: _Part, follows: str, new: Gist, book: Language) -> str:
    """Return how a part begins, up to the value that is gone: "I pay for", of "I pay for Netflix"."""
    tokens = book.tokens(text[part.start : part.end])
    hollow = function_words(book.code)
    named = [place for place, token in enumerate(tokens) if token.word in new.words]
    cut = named[0] if named else len(tokens) - 1
    while cut > 1 and follows in hollow and tokens[cut - 1].word in hollow:
        cut -= 1  # the article, or the preposition, is said again: "a Netflix e a Spotify"
    return text[part.start : part.start + tokens[cut].start].rstrip() + " "


def _sentence(parts: Sequence[str]) -> str:
    whole = ", ".join(part.strip(" ,;:，、；：") for part in parts)
    return whole[:1].upper() + whole[1:]
