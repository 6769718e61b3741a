"""Values of recall: results, hits and their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, overload

from bethink.notes.values import CORE
from bethink.plain import Plain, escaped, html_table, shortened

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.notes.values import Note
    from bethink.sessions.values import Item

EmptyBecause: TypeAlias = Literal[
    "nothing stored",  #: the namespace has no notes and no items
    "all filtered",  #: it has some, and the filters of the call let none through
    "no word to search for",  #: the query has no words, and there is no vector of it
    "no term in common",  #: no word of the query is in what was let through, and there are no vectors
    "limit is 0",
]
Stage: TypeAlias = Literal["returned", "not indexed", "filtered", "no term in common", "below the cut"]
Filter: TypeAlias = Literal[
    "kind",
    "note",
    "session",
    "time",
    "role",
    "question",  #: it only asks the same, and nobody answered it
]


class FilterFields(NamedTuple):
    """What filters ask of a note."""

    category: str = CORE
    expires: int | None = None  #: in microseconds
    metadata: str = "{}"  #: as JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(Plain):
    """What each part of the search gave to a score, which is their sum (docs/decisions/0003-ranking.md)."""

    lexical: float = 0.0  #: words in common
    dense: float = 0.0  #: nearness in meaning; below zero is further than most
    coverage: float = 0.0  #: share of the query's terms in it or close to it
    neighbours: float = 0.0  #: contribution of the surrounding items
    episode: float = 0.0  #: the stretch of talk as a whole; below zero is worse than most
    speaker: float = 0.0  #: the query names who said it
    form: float = 0.0  #: penalty for being very short, or a question
    luck: float = 0.0  #: correction for many passages: the maximum of many is high by chance
    role: float = 0.0  #: penalty for having been said by an assistant or a tool
    wish: float = 0.0  #: bonus for a standing wish
    terms: tuple[str, ...] = ()  #: words of the query that it has, where an explanation was asked for
    chunk: int = 0  #: index of the best passage of a long text

    def __str__(self) -> str:
        words = f" ({', '.join(self.terms)})" if self.terms else ""
        legs = [f"words {self.lexical:+.2f}{words}"]
        rest = (
            ("meaning", self.dense),
            ("coverage", self.coverage),
            ("neighbours", self.neighbours),
            ("episode", self.episode),
            ("speaker", self.speaker),
            ("form", self.form),
            ("length", self.luck),
            ("role", self.role),
            ("wish", self.wish),
        )
        legs.extend(f"{name} {value:+.2f}" for name, value in rest if value)
        return ", ".join(legs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Plain):
    """An item, and what it says."""

    item: Item  #: the item itself
    text: str  #: what it says

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Plain):
    """One thing found: a note or an item, the other is None."""

    text: str  #: what the note or the item says
    #: how well it fits beside the other hits of this answer; compare `relevance` between answers
    score: float
    why: Why  #: what made the score
    note: Note | None = None  #: the note, where it is one
    item: Item | None = None  #: the item, where it is one
    exchange: Message | None = (
        None  #: the reply to a user's message that was found, or what a found reply answers
    )
    relevance: float = 0.0  #: how likely it is, 0 to 1, that it bears on the question at all

    def __str__(self) -> str:
        kind, word = ("note", self.note.id) if self.note else ("item", self.item.id if self.item else "")
        return f"{self.score:6.2f}  {kind} {word}  {shortened(self.text)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall(Plain, Sequence[Hit]):
    """What was found for a query, best first.

    An empty answer says why it is empty; a degraded one is right as far as it goes, and says what was missing.
    """

    query: str  #: the question
    hits: tuple[Hit, ...] = ()  #: what was found, best first; a `Recall` is also a sequence of them
    terms: tuple[str, ...] = ()  #: the words that were searched for
    unknown: tuple[str, ...] = ()  #: query terms that occur nowhere in the namespace
    relevance: float = 0.0  #: how likely it is, 0 to 1, that an answer is among the hits (docs/recall.md)
    scanned: int = 0  #: number of notes and items searched
    degraded: tuple[str, ...] = field(default=())  #: what was not at hand, a sentence each
    empty_because: EmptyBecause | None = None  #: why there are no hits

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hit]: ...
    def __getitem__(self, index: int | slice) -> Hit | Sequence[Hit]:
        try:
            return self.hits[index]
        except TypeError:
            raise TypeError(
                f"a recall is a sequence of its hits; recall[{index!r}] is not one of them"
            ) from None

    def __len__(self) -> int:
        return len(self.hits)

    def __str__(self) -> str:
        if not self.hits:
            return f"nothing found: {self.empty_because or 'no hits'}"
        shown = [f"{len(self.hits)} of {self.scanned} found, relevance {self.relevance:.2f}"]
        return "\n".join([*shown, *map(str, self.hits), *(f"degraded: {each}" for each in self.degraded)])

    def _repr_html_(self) -> str:
        """Return a table for notebooks; every text is escaped."""
        rows = [(f"{hit.score:.2f}", "note" if hit.note else "item", hit.text) for hit in self.hits]
        return html_table(("score", "kind", "text"), rows) if rows else f"<p>{escaped(str(self))}</p>"

    @property
    def exchanges(self) -> tuple[tuple[Message, ...], ...]:
        """Return each item that was found with what goes with it, in the order they were said; each message once."""
        seen: set[str] = set()
        found: list[tuple[Message, ...]] = []
        for hit in self.hits:
            if hit.item is None:
                continue
            both = [Message(item=hit.item, text=hit.text), *([hit.exchange] if hit.exchange else [])]
            fresh = sorted((one for one in both if one.item.id not in seen), key=lambda one: one.item.seq)
            if fresh:
                seen.update(one.item.id for one in fresh)
                found.append(tuple(fresh))
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEntry(Plain):
    """Something that was said or learned, where it stands in time."""

    at: datetime | None  #: when it was said, or from when it holds
    text: str  #: what was said or learned
    note: Note | None = None  #: the note, where it is one
    item: Item | None = None  #: the item, where it is one
    score: float | None = None  #: its score, if there was a question
    repeats: tuple[str, ...] = ()  #: ids of the later notes and items that say the same again

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M}  {shortened(self.text)}" if self.at else shortened(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNot(Plain):
    """Where on its way a note or an item was lost."""

    id: str  #: the note or the item that was asked about
    stage: Stage  #: where it was lost
    filter: Filter | None = None  #: the filter that excluded it
    rank: int | None = None  #: its place among all that was let through, counted from 1
    score: float | None = None  #: its score, if it was ranked
    needed: float | None = None  #: the score of the last one that was returned
    why: Why | None = None  #: what made that score

    def __str__(self) -> str:
        match self.stage:
            case "returned":
                return f"It was returned, in place {self.rank}."
            case "not indexed":
                return "It is not in the index: it does not exist here, is not live, or says nothing that is searched."
            case "filtered":
                return f"It was left out by the {self.filter} filter before ranking."
            case "no term in common":
                return "It shares no word with the query, and there is no vector to compare."
            case "below the cut":
                place, score, needed = self.rank, self.score or 0.0, self.needed or 0.0
                return f"It came in place {place} with {score:.2f}; {needed:.2f} was needed ({self.why})."
