"""The scripted travel concierge of the demo: it uses the library's public API alone.

The script holds what people say. What is kept of it and known afterwards is in no script: the memory distills,
consolidates and recalls by itself, and every answer is what it returned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bethink.scope.transactions import digest
from bethink.server.demo_script import NEXT_TRIP, TRIP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.notes.values import Note
    from bethink.server.demo_script import Script
    from bethink.sync import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A part of the play."""

    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of the public face, and what it returned."""

    text: str
    answer: Any
    speech: str | None = None  #: what the user said, where the call keeps it


class RecordedCalls:
    """Calls verbs of one object, and writes each call down as it was made."""

    def __init__(self, name: str, target: Any) -> None:
        self._name = name
        self._target = target

    def __getattr__(self, verb: str) -> Any:
        def call(*given: Any, **named: Any) -> Call:
            answer = getattr(self._target, verb)(*given, **named)
            arguments = [repr(each) for each in given]
            arguments += [
                f"{name}={value!r}"
                for name, value in named.items()
                if name not in {"key", "operation", "valid_from"}
            ]
            return Call(text=f"{self._name}.{verb}({', '.join(arguments)})", answer=answer)

        return call


def play(memory: Memory, script: Script) -> Iterator[Scene | Call]:
    """Yield every scene and every call with its answer, as they happen."""
    scope = memory.scope(agent=script.agent, user=script.user)
    session = scope.session(TRIP)
    user, trip = RecordedCalls(script.user, scope), RecordedCalls("session", session)
    profile = RecordedCalls(f"{script.user}.profile", scope.profile)

    yield Scene(title=f"What {script.agent} already knows about {script.user}")
    yield profile.update(script.profile)
    for old in script.old_notes:
        scope.remember(old.text, key=old.key, keywords=old.keywords, valid_from=old.since)
    yield user.notes()

    yield Scene(title=f"A conversation: {TRIP}")
    for number, line in enumerate(script.lines):
        item = {"role": "user", "content": line}
        kept = trip.append([item], operation=f"demo-{number}-{digest(line)}")
        yield replace(kept, speech=f"{script.user}: {line}")

    if script.lines:
        yield Scene(title="What it learns from this, without a model")
        yield user.distill(TRIP)
        yield user.notes(session=TRIP)

        yield Scene(title="The trip is over: what held for this trip only goes, the rest stays")
        yield user.consolidate(session=TRIP)
        yield user.notes()

    yield Scene(title=f"Weeks later, a new conversation: {NEXT_TRIP}")
    for question in script.questions:
        yield user.recall(question, limit=3)
    yield user.context(session=NEXT_TRIP, query=next(iter(script.questions), None), policy="")

    yield Scene(title=f"{script.stranger} asks the same")
    stranger = RecordedCalls(script.stranger, memory.scope(agent=script.agent, user=script.stranger))
    for question in script.questions[:1]:
        yield stranger.recall(question)

    yield Scene(title="Forget a note, and undo that")
    yield from _forgetting(user, script, newest=next(iter(scope.notes(limit=1)), None))


def _forgetting(user: Any, script: Script, *, newest: Note | None) -> Iterator[Call]:
    if newest is None or not script.questions:
        return
    question = script.questions[-1]
    yield user.recall(question, limit=1, kinds=["note"])
    yield user.forget(newest.id)
    yield user.recall(question, limit=1, kinds=["note"])
    yield user.undo(newest.id)
    yield user.recall(question, limit=1, kinds=["note"])
