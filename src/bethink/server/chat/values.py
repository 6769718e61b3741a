"""The outcome of a chat turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the model took."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool that was called, and what it said."""

    call_id: str
    name: str
    arguments: str  #: JSON, as the model wrote it
    output: str
    done: bool = True  #: false where the tool refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A turn that succeeded."""

    turn: str
    session: str | None  #: None for a background run, which has none
    text: str
    tools: tuple[Called, ...] = ()
    usage: Usage = Usage()
    model: str | None = None  #: who answered; None where it is a repetition
    offline: bool = False  #: the built-in responder answered, not a model
    revision: int | None = None  #: the session's revision after the turn; None if nothing was stored
    repeated: bool = False  #: the message repeats an operation id; this is the stored answer


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What goes on in a session, whichever process of the store plays it."""

    state: Literal["idle", "running"] = "idle"
    turn: str | None = None
    queued: int = 0  #: turns in line, in the process that is asked
