"""Keep the entries of a file, each once however often it is brought."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from bethink.errors import ConflictError
from bethink.imports.values import Broken, Ingested
from bethink.scope.units import digest
from bethink.sessions.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.imports.values import Entry, Read
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.session import AsyncSession

AT_ONCE: Final = 512  #: entries under way at once: those of many sessions commit together


@dataclass(frozen=True, slots=True)
class _Target:
    agent: str
    user: str | None
    session: str


async def ingest(
    memory: AsyncMemory,
    entries: Iterable[Read],
    *,
    agent: str,
    user: str | None,
    session: str,
    revive: bool = False,
    done: Callable[[int], None] = lambda _: None,
) -> Ingested:
    """Append entries to the sessions they belong to, in their order; what the file leaves open is given here.

    Each entry is an operation of its own, known by what it says, when, by whom, and how often the same was said
    before in its session. So a run that was killed is taken up by running it again; a file that has grown adds what
    is new; and what was undone since stays undone. What was said before its session, its user or its tenant was
    deleted stays away, too, unless `revive` is given.
    """
    report = Ingested()
    seen: Counter[tuple[_Target, str]] = Counter()
    source = iter(entries)
    while batch := list(islice(source, AT_ONCE)):
        waiting: dict[_Target, list[tuple[Entry, str]]] = {}
        for entry in _sound(batch, report):
            target = _Target(entry.agent or agent, entry.user or user, entry.session or session)
            mark = _mark(entry)
            seen[target, mark] += 1
            waiting.setdefault(target, []).append((entry, f"import:{mark}:{seen[target, mark]}"))
        outcomes = await asyncio.gather(
            *(_append(_session(memory, target), given, revive=revive) for target, given in waiting.items())
        )
        for target, (kept, known, deleted, strange) in zip(waiting, outcomes, strict=True):
            for shape, count in strange.items():
                report.unread[shape] = report.unread.get(shape, 0) + count
            report.kept += kept
            report.known += known
            report.deleted += deleted
            namespace = str(memory.scope(agent=target.agent, user=target.user).namespace)
            sessions = report.sessions.setdefault(namespace, {})
            sessions[target.session] = sessions.get(target.session, 0) + kept + known
        done(len(batch))
    return report


def _sound(batch: Iterable[Read], report: Ingested) -> Iterator[Entry]:
    for each in batch:
        if isinstance(each, Broken):
            report.broken.append(each)
        else:
            yield each


def _mark(entry: Entry) -> str:
    at = entry.at.isoformat() if entry.at is not None else ""
    return digest(encode(entry.body), at, entry.speaker or "")


def _session(memory: AsyncMemory, target: _Target) -> AsyncSession:
    return memory.scope(agent=target.agent, user=target.user).session(target.session)


async def _append(
    session: AsyncSession, given: list[tuple[Entry, str]], *, revive: bool
) -> tuple[int, int, int, Counter[str]]:
    known = deleted = 0
    strange: Counter[str] = Counter()
    for entry, operation in given:
        try:
            head = await session.append(
                [entry.body],
                at=entry.at,
                speaker=entry.speaker,
                origin="import",
                operation=operation,
                revive=revive,
            )
        except ConflictError as error:
            if error.facts.get("reason") != "deleted":
                raise
            deleted += 1
        else:
            known += head.repeated
            strange.update(head.unread)
    return len(given) - known - deleted, known, deleted, strange
