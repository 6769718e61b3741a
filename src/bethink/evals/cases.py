"""The common form of every conversation data set: turns, and questions with their evidence turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bethink.sessions.values import Item

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    id: str  #: as the data set names it; no two turns of a conversation share one
    session: str
    item: Item


@dataclass(frozen=True, slots=True)
class Question:
    """A question, with what answers it."""

    text: str
    category: str
    gold: frozenset[str]  #: ids of turns; empty where the data set names sessions only
    sessions: frozenset[str]  #: with an answer in them
    id: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said in the sessions of one user, oldest first, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]
    left_out: int = 0  #: questions without a usable answer: nothing can be said of how they are found


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Conversations, which may be read from their files only as they are asked for."""

    name: str
    conversations: Iterable[Conversation]
    questions: int | None = None  #: None where they are not known before all is read
    apart: frozenset[str] = frozenset()  #: categories that figures are given without, too


def turn(
    id: str,  # noqa: A002 - the word of every data set
    session: str,
    seq: int,
    text: str,
    *,
    role: str,
    at: datetime | None = None,
    speaker: str | None = None,
) -> Turn:
    """Return a turn of plain text. `seq` is its place in the session, from 1."""
    body = {"role": role, "content": text}
    return Turn(id, session, Item(id=id, session=session, seq=seq, body=body, at=at, speaker=speaker))


def question(
    text: str,
    category: str,
    gold: Iterable[str],
    turns: Iterable[Turn],
    *,
    id: str = "",  # noqa: A002
    sessions: Iterable[str] = (),
) -> Question | None:
    """Return a question whose gold is among the turns; None where nothing of it is there to be found.

    Sessions with an answer are those of the gold, and what the data set names besides.
    """
    session_of = {each.id: each.session for each in turns}
    known = frozenset(gold) & session_of.keys()
    places = frozenset(session_of[each] for each in known) | (frozenset(sessions) & set(session_of.values()))
    return Question(text, category, known, places, id) if places else None
