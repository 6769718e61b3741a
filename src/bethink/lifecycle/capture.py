"""Let a note in: what the guard says of it decides whether, and how, it is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bethink.errors import RefusedError
from bethink.lifecycle.units import sql
from bethink.notes.units import add
from bethink.scope.units import touch
from bethink.times import to_datetime

if TYPE_CHECKING:
    from bethink.lifecycle.guard import Guard
    from bethink.lifecycle.values import Stage
    from bethink.notes.values import NewNote, Note, Source
    from bethink.scope.namespace import Namespace
    from bethink.scope.units import Writing
    from bethink.storage.work import Work


def admit(new: NewNote, guard: Guard, *, stage: Stage = "capture") -> NewNote:
    """Return a note as it may be kept: redacted where that is enough, quarantined where a person should look.

    Raises:
        RefusedError: the guard blocks the text, the key or the metadata; `verdict` says why.
    """
    verdict = guard.judge(new.text, source=new.source, stage=stage)
    if verdict.action == "block":
        raise RefusedError(
            f"this is not kept: it holds {', '.join(verdict.reasons)}; say it without that", verdict=verdict
        )
    for argument, text in (("key", new.key), *_texts(new.metadata)):
        told = guard.judge(text, source=new.source, stage=stage) if text else None
        if told is not None and told.action in {"block", "redact"}:
            raise RefusedError(
                f"this is not kept: the {argument} holds {', '.join(told.reasons)}; leave that out",
                verdict=told,
            )
    words = guard.judge_keywords(new.keywords, source=new.source, stage=stage)
    return replace(
        new,
        text=verdict.text,
        context=beside(new.context, new.source, guard, stage=stage),
        keywords=tuple(word for word in new.keywords if words[word].action == "allow"),
        status="quarantined" if verdict.action == "quarantine" else new.status,
    )


def beside(context: str | None, source: Source, guard: Guard, *, stage: Stage = "capture") -> str | None:
    """Return what the words of a note point to, as far as the guard lets it stand beside them."""
    if not context:
        return None
    verdict = guard.judge(context, source=source, stage=stage)
    return verdict.text or None if verdict.action in {"allow", "redact"} else None


def keep(namespace: Namespace, admitted: NewNote, *, writing: Writing) -> Work[Note]:
    """Keep a note that was let in, and count it: what is blocked is a part of all that was tried."""
    place = yield from touch(namespace, writing)
    note = yield from add(place, admitted, writing=writing)
    day = to_datetime(writing.now).date().isoformat()
    yield sql.count_up(tenant=place.tenant, scope=place.scope, day=day, name="remembered", value=1)
    return note


def _texts(value: object, name: str = "metadata") -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(name, value)]
    if isinstance(value, dict):
        return [found for each in value.values() for found in _texts(each, name)]
    if isinstance(value, list):
        return [found for each in value for found in _texts(each, name)]
    return []
