"""The import service: it stores the entries of a file idempotently, so importing a file twice adds nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from bethink.errors import ConflictError
from bethink.imports.facts_to_notes import Facts
from bethink.imports.values import Entry, Fact, ImportedUsage, Ingested, Malformed, Skipped
from bethink.scope.transactions import digest
from bethink.scope.values import SYSTEM
from bethink.sessions.item_json import encode
from bethink.sessions.model_usage import RunUsage, import_usage
from bethink.sessions.readers.registry import unread
from bethink.times import to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bethink.imports.values import Read
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope
    from bethink.memory.session import AsyncSession

AT_ONCE: Final = 512  #: entries under way at once: those of many sessions commit together
Given: TypeAlias = "list[tuple[Entry, str]]"


@dataclass(frozen=True, slots=True)
class _Target:
    owner: str
    agent: str
    user: str | None
    session: str


@dataclass(slots=True)
class _Outcome:
    """What became of the entries of one session."""

    kept: int = 0
    known: int = 0
    deleted: int = 0
    unread: Counter[str] = field(default_factory=Counter[str])


async def ingest(
    memory: AsyncMemory,
    entries: Iterable[Read],
    *,
    agent: str,
    user: str | None,
    session: str,
    owner: str = SYSTEM,
    revive: bool = False,
    dry_run: bool = False,
    clean: bool = False,
    format: str = "",  # noqa: A002
    done: Callable[[int], None] = lambda _: None,
) -> Ingested:
    """Append entries to the sessions they belong to, in their order, and remember facts.

    What the file leaves open is given here. Each entry has a key: the other system's id, or what it says, when, by
    whom, and how often the same was said before in its session. So a run that was killed is taken up by running it
    again; a file that has grown adds what is new; and what was undone since stays undone. What was said before its
    session, its user or its tenant was deleted stays away, too, unless `revive` is given. A `dry_run` writes nothing
    and counts what would be looked at; `clean` leaves out facts that are junk, or that others of the file double or
    contradict. `owner` is whose agents are meant.
    """
    report = Ingested(format=format, dry_run=dry_run)
    facts = Facts(
        memory, report, agent=agent, user=user, owner=owner, revive=revive, dry_run=dry_run, clean=clean
    )
    seen: Counter[tuple[_Target, str]] = Counter()
    titled: set[_Target] = set()
    source = iter(entries)
    while batch := await asyncio.to_thread(_some, source):
        waiting: dict[_Target, Given] = {}
        titles: dict[_Target, str] = {}
        spent: list[ImportedUsage] = []
        for entry in await _sound(batch, report, facts, spent):
            target = _Target(owner, entry.agent or agent, entry.user or user, entry.session or session)
            if entry.title and target not in titled:
                titles[target] = entry.title
            waiting.setdefault(target, []).append((entry, _key(entry, seen, target)))
        titled.update(titles)
        outcomes = await asyncio.gather(
            *(
                _count(given) if dry_run else _append(_session(memory, target), given, revive=revive)
                for target, given in waiting.items()
            )
        )
        for target, outcome in zip(waiting, outcomes, strict=True):
            _add(report, outcome)
            namespace = str(_scope(memory, target).namespace)
            sessions = report.sessions.setdefault(namespace, {})
            sessions[target.session] = sessions.get(target.session, 0) + outcome.kept + outcome.known
        if not dry_run:
            await asyncio.gather(
                *(_name(_session(memory, target), title) for target, title in titles.items())
            )
        for each in spent if not dry_run else ():
            report.turns += await _note(memory, each, _Target(owner, agent, each.user or user, each.session))
        done(len(batch))
    await facts.finish()
    return report


def _some(source: Iterator[Read]) -> list[Read]:
    """Read on in a file; that is done beside the event loop, which may have others to serve."""
    return list(islice(source, AT_ONCE))


def _add(report: Ingested, outcome: _Outcome) -> None:
    report.kept += outcome.kept
    report.known += outcome.known
    report.deleted += outcome.deleted
    for shape, count in outcome.unread.items():
        report.unread[shape] = report.unread.get(shape, 0) + count


async def _note(memory: AsyncMemory, spent: ImportedUsage, target: _Target) -> bool:
    """Note what a turn took, once its entries are there."""
    taken = RunUsage(
        requests=spent.requests,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        tokens_cached=spent.tokens_cached,
        tokens_reasoning=spent.tokens_reasoning,
    )
    runtime = memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    namespace = _scope(memory, target).namespace
    at = None if spent.at is None else to_micros(spent.at)
    return await runtime.write(
        "write", import_usage, namespace, spent.session, spent.key, taken, at, writing=runtime.writing()
    )


async def _sound(
    batch: Iterable[Read], report: Ingested, facts: Facts, spent: list[ImportedUsage]
) -> list[Entry]:
    found: list[Entry] = []
    for each in batch:
        match each:
            case Malformed():
                report.broken.append(each)
            case Skipped():
                report.left[each.reason] = report.left.get(each.reason, 0) + each.count
            case Fact():
                await facts.add(each)
            case ImportedUsage():
                spent.append(each)
            case Entry():
                report.undated += each.at is None
                found.append(each)
    return found


def _key(entry: Entry, seen: Counter[tuple[_Target, str]], target: _Target) -> str:
    if entry.key is not None:
        return entry.key
    at = entry.at.isoformat() if entry.at is not None else ""
    mark = digest(encode(entry.body), at, entry.speaker or "")
    seen[target, mark] += 1
    return f"import:{mark}:{seen[target, mark]}"


def _session(memory: AsyncMemory, target: _Target) -> AsyncSession:
    return _scope(memory, target).session(target.session)


def _scope(memory: AsyncMemory, target: _Target) -> AsyncScope:
    return memory.scope(agent=target.agent, user=target.user, owner=target.owner)


async def _name(session: AsyncSession, title: str) -> None:
    """Give a session the title that it had, where it has none."""
    info = await session.info()
    if info is not None and info.title is None:
        plain = "".join(sign for sign in title if sign.isprintable())[:200].strip()
        if plain:
            await session.rename(plain)


async def _count(given: Given) -> _Outcome:
    return _Outcome(kept=len(given), unread=Counter(unread(entry.body for entry, _ in given)))


async def _append(session: AsyncSession, given: Given, *, revive: bool) -> _Outcome:
    """Append what belongs to one session; where it was deleted since, each item is asked by itself."""
    outcome = _Outcome()
    for some in [given] if revive or all(_sure(entry) for entry, _ in given) else _alone(given):
        try:
            await _keep(session, some, outcome, revive=revive)
        except ConflictError as error:
            if error.facts.get("reason") != "deleted":
                raise
            for each in _alone(some):
                try:
                    await _keep(session, each, outcome, revive=revive)
                except ConflictError as refused:
                    if refused.facts.get("reason") != "deleted":
                        raise
                    outcome.deleted += 1
    return outcome


def _sure(entry: Entry) -> bool:
    return entry.at is not None


def _alone(given: Given) -> Iterator[Given]:
    for each in given:
        yield [each]


async def _keep(session: AsyncSession, given: Given, outcome: _Outcome, *, revive: bool) -> None:
    head = await session.append(
        [entry.body for entry, _ in given],
        at=[entry.at for entry, _ in given],
        speaker=[entry.speaker for entry, _ in given],
        origin="import",
        keys=[key for _, key in given],
        revive=revive,
    )
    outcome.known += head.known
    outcome.kept += len(given) - head.known
    outcome.unread.update(head.unread)
