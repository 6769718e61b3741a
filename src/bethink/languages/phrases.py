"""Match phrases and templates with gaps against tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bethink.languages.tokenizer import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAX_GAP = 8  #: tokens that fill one gap of a template
MAX_GAP_SIGNS = 16  #: the same where each sign is a token


def phrase_list(table: str) -> list[str]:
    """Return the phrases of a table, which are parted by commas."""
    return [each.strip() for each in table.replace("\n", " ").split(",") if each.strip()]


class Phrases:
    """A set of phrases, each a tuple of words; a single word with a star stands for all that begin, or end, so."""

    def __init__(self, found: Iterable[tuple[str, ...]]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        beginnings: list[str] = []
        endings: list[str] = []
        for phrase in sorted(set(found), key=len, reverse=True):
            if phrase[1:] == ("*",):
                beginnings.append(phrase[0])
            elif phrase[:1] == ("*",):
                endings.append(phrase[1])
            elif phrase:
                self._by_first.setdefault(phrase[0], []).append(phrase)
        self._beginnings, self._endings = tuple(beginnings), tuple(endings)
        self._starred = bool(beginnings or endings)

    def __bool__(self) -> bool:
        return bool(self._by_first) or self._starred

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (phrase for group in self._by_first.values() for phrase in group)

    def at(self, words: Sequence[str], place: int) -> int:
        """Return how many words the longest phrase takes that begins at a place; 0 where none does."""
        if place >= len(words):
            return 0
        word = words[place]
        for phrase in self._by_first.get(word, ()):
            if len(phrase) == 1 or tuple(words[place : place + len(phrase)]) == phrase:
                return len(phrase)
        return int(self._starred and (word.startswith(self._beginnings) or word.endswith(self._endings)))

    @property
    def starts(self) -> frozenset[str]:
        """Return the words with which a phrase begins."""
        return frozenset(self._by_first)

    @property
    def rare(self) -> frozenset[str]:
        """Return words of which one must be there: the longest of each phrase."""
        return frozenset(max(phrase, key=len) for phrase in self)

    def lengths(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Yield how many words each phrase takes that begins at a place, the longest first."""
        if place < len(words):
            for phrase in self._by_first.get(words[place], ()):
                if tuple(words[place : place + len(phrase)]) == phrase:
                    yield len(phrase)
            if words[place].startswith(self._beginnings) or words[place].endswith(self._endings):
                yield 1

    def find(self, words: Sequence[str], start: int = 0) -> tuple[int, int] | None:
        """Return the span of the first phrase among words."""
        if not self._starred and self._by_first.keys().isdisjoint(words):
            return None
        for place in range(start, len(words)):
            if self._starred or words[place] in self._by_first:
                length = self.at(words, place)
                if length:
                    return place, place + length
        return None

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield where a phrase begins among words, and its length: the longest of each place."""
        if self._starred or not self._by_first.keys().isdisjoint(words):
            for place in range(len(words)):
                length = self.at(words, place)
                if length:
                    yield place, length

    def within(self, words: Sequence[str]) -> bool:
        """Tell whether a phrase is among words."""
        begins = self._starred or not self._by_first.keys().isdisjoint(words)
        return begins and self.find(words) is not None

    def whole(self, words: Sequence[str]) -> bool:
        """Tell whether words are nothing but phrases."""
        place = 0
        while place < len(words):
            length = self.at(words, place)
            if not length:
                return False
            place += length
        return bool(words)


class Filler(Protocol):
    """What may stand in a gap of some name."""

    @property
    def rare(self) -> frozenset[str]:
        """Return words of which one must be there; nothing where it may be any."""
        ...

    def lengths(self, words: Sequence[str], place: int) -> Iterator[int]:
        """Yield how many words it may take at a place, the likeliest first."""
        ...


class Match(NamedTuple):
    """Where a template fits, and the words in its gaps."""

    start: int
    end: int
    gaps: Mapping[str, tuple[int, int]]  #: spans of tokens by the gap's name


@dataclass(frozen=True, slots=True)
class _Part:
    """One place of a template: words of which one must stand there, or a gap."""

    words: tuple[tuple[str, ...], ...] = ()
    gap: str = ""
    optional: bool = False


class Template:
    """A short pattern of words: `live/lives in {v}`, `my (new) job is {v}`.

    A slash parts words of which one must stand there, parentheses hold what may be left out, braces a gap: any words
    up to the next ones of the template, or to the end; a gap in parentheses may be left out, too. `^` at the beginning
    and `$` at the end hold it to the edges of the clause. In a script without spaces a slash parts single words in
    brackets: `[住在/搬到]{v}`.
    """

    def __init__(
        self,
        text: str,
        *,
        spaced: bool = True,
        stops: frozenset[str] = frozenset(),
        fills: Mapping[str, Filler] | None = None,
        tails: Phrases | None = None,
    ) -> None:
        self.text = text
        self._stops = stops
        self._fills = fills or {}
        self._tails = tails  #: what may follow the end
        self._most = MAX_GAP if spaced else MAX_GAP_SIGNS
        plain = text.strip()
        self._first, self._last = plain.startswith("^"), plain.endswith("$")
        self._parts = list(_parts(plain.strip("^$ "), spaced=spaced))

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Return words of which one must be there, or nothing where the template has gaps alone."""
        return (
            self.needed[0] if any(part.words and not part.optional for part in self._parts) else frozenset()
        )

    @cached_property
    def needed(self) -> tuple[frozenset[str], ...]:
        """Return, part by part, words of which one must be there."""
        parts = [part for part in self._parts if not part.optional]
        words = [frozenset(max(each, key=len) for each in part.words) for part in parts if part.words]
        filled = [self._fills[part.gap].rare for part in parts if part.gap in self._fills]
        return (*words, *(rare for rare in filled if rare))

    @property
    def wordings(self) -> Iterator[tuple[str, ...]]:
        """Yield what may stand in the places that hold no gap and cannot be left out."""
        return (each for part in self._parts if not part.optional for each in part.words)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Return the names of the gaps in order."""
        return tuple(part.gap for part in self._parts if part.gap)

    def find(self, words: Sequence[str]) -> Match | None:
        """Return the first place where the template fits."""
        if self.anchors and self.anchors.isdisjoint(words):
            return None
        for start in range(1 if self._first else len(words)):
            gaps: dict[str, tuple[int, int]] = {}
            end = self._fits(words, start, 0, gaps)
            if end is not None:
                return Match(start, end, gaps)
        return None

    def _fits(
        self, words: Sequence[str], place: int, part: int, gaps: dict[str, tuple[int, int]]
    ) -> int | None:
        if part == len(self._parts):
            ended = not self._last or place == len(words)
            return place if ended or (self._tails is not None and self._tails.at(words, place)) else None
        here = self._parts[part]
        if here.gap:
            end = self._gap(words, place, part, gaps)
            return self._fits(words, place, part + 1, gaps) if end is None and here.optional else end
        for each in here.words:
            if tuple(words[place : place + len(each)]) == each:
                end = self._fits(words, place + len(each), part + 1, gaps)
                if end is not None:
                    return end
        return self._fits(words, place, part + 1, gaps) if here.optional else None

    def _gap(
        self, words: Sequence[str], place: int, part: int, gaps: dict[str, tuple[int, int]]
    ) -> int | None:
        name = self._parts[part].gap
        if name in self._fills:
            for length in self._fills[name].lengths(words, place):
                reached = self._fits(words, place + length, part + 1, gaps)
                if reached is not None:
                    gaps[name] = (place, place + length)
                    return reached
            return None
        last = part == len(self._parts) - 1
        reach = min(len(words), place + self._most)
        stop = next((at for at in range(place, reach) if words[at] in self._stops), reach)
        ends = range(stop, place, -1) if last else range(place + 1, stop + 1)
        for end in ends:
            reached = self._fits(words, end, part + 1, gaps)
            if reached is not None:
                gaps[name] = (place, end)
                return reached
        return None


def _parts(text: str, *, spaced: bool) -> Iterator[_Part]:
    place = 0
    while place < len(text):
        char = text[place]
        if char.isspace():
            place += 1
            continue
        closing = {"{": "}", "(": ")", "[": "]"}.get(char)
        if closing:
            end = text.index(closing, place)
            inner = text[place + 1 : end]
            place = end + 1
            if char == "{":
                yield _Part(gap=inner)
            elif char == "(" and inner.startswith("{"):
                yield _Part(gap=inner.strip("{}"), optional=True)
            else:
                yield _Part(words=_either(inner), optional=char == "(")
            continue
        end = place
        while end < len(text) and text[end] not in "{([" and not (spaced and text[end].isspace()):
            end += 1
        yield _Part(words=_either(text[place:end]))
        place = end


def _either(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(token.word for token in tokens(each)) for each in text.split("/"))
