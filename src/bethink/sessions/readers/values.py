"""What readers extract from an item: role, text, calls, results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.sessions.values import Kind

Ref: TypeAlias = "tuple[str, str]"  #: a family of calls, and the id by which call and result know each other
Voice: TypeAlias = Literal["user", "assistant", "system", "tool", "none"]


class PairingShape(NamedTuple):
    """What pairing needs to know of an item."""

    kind: Kind
    opens: tuple[Ref, ...] = ()  #: the calls in it that want a result; an empty id can never get one
    answers: tuple[Ref, ...] = ()  #: the calls it is a result of


class Call(NamedTuple):
    """A tool that an item calls."""

    family: str  #: only a result of the same family answers it
    id: str  #: empty where the item has none
    name: str
    arguments: Any  #: as the framework wrote them: an object, or JSON as text
    waits: bool = True  #: another item has to bring the result


class Result(NamedTuple):
    """What came of a call."""

    family: str
    id: str
    output: str  #: in words
    name: str = ""
    within: bool = False  #: its call is in the same item


class Reading(NamedTuple):
    """An item as its reader understands it."""

    kind: Kind
    voice: Voice = "none"  #: whose words `text` is
    text: str = ""  #: what is said, without reasoning, calls and results
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    thought: str = ""  #: reasoning that may be shown to people, never found by recall
    at: datetime | None = None  #: when the item itself says that it was said
    author: str | None = None  #: a name that the item gives
    id: str | None = None  #: the item's own id

    @property
    def shape(self) -> PairingShape:
        """Return what pairing needs to know."""
        opens = tuple((call.family, call.id) for call in self.calls if call.waits)
        answers = tuple((result.family, result.id) for result in self.results if not result.within)
        if not all(id_ for _, id_ in answers):
            answers = ()
        return PairingShape(self.kind, opens, answers)


UNHEARD = Reading("other")  #: of a known shape, with nothing in it that anybody said
