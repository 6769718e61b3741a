"""Import facts that other systems extracted as notes, through the same guard and checks as every note."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import ConflictError, InvalidError, LimitError, RefusedError
from bethink.imports.values import RejectedFact
from bethink.lifecycle.leases import drop_lease, take_lease
from bethink.scope.tombstones import deleted_at
from bethink.times import to_micros

if TYPE_CHECKING:
    from datetime import datetime

    from bethink.imports.values import Fact, Ingested
    from bethink.memory.memory import AsyncMemory
    from bethink.memory.scope import AsyncScope

ORIGIN: Final = "imported_from"  #: under which a note's metadata says where it comes from
ID: Final = "imported_id"
_PAGE: Final = 1_000
_LEASE: Final = "import of facts"
LEASE_SECONDS: Final = 10  #: after which an import that was killed is not waited for
MAX_WAIT: Final = 120.0  #: seconds for another import
_PAUSE: Final = 0.3
_LONGEST_WORD: Final = 60
_MAX_KEYWORDS: Final = 6


class Facts:
    """Takes facts one by one; those that came before, whatever became of their notes, are passed over."""

    def __init__(
        self,
        memory: AsyncMemory,
        report: Ingested,
        *,
        agent: str,
        user: str | None,
        owner: str,
        revive: bool,
        dry_run: bool,
        clean: bool,
    ) -> None:
        self._memory = memory
        self._report = report
        self._usual = (agent, user)
        self._owner = owner
        self._revive = revive
        self._dry_run = dry_run
        self._clean = clean
        self._known: dict[tuple[str, str | None], set[str]] = {}
        self._buried: dict[tuple[str, str | None], int | None] = {}
        self._leases: dict[tuple[str, str | None], float] = {}  #: when each was taken, on the monotonic clock
        self._holder = ""
        self._held: list[Fact] = []  #: until all are there, where they are to be compared

    async def add(self, fact: Fact) -> None:
        """Take a fact."""
        if self._clean:
            self._held.append(fact)
        else:
            await self._keep(fact)

    async def finish(self) -> None:
        """Keep what was held back for comparing."""
        for fact in self._sifted():
            await self._keep(fact)
        self._held = []
        runtime = self._memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        for agent, user in self._leases:
            namespace = self._memory.scope(agent=agent, user=user, owner=self._owner).namespace
            await runtime.write("write", drop_lease, namespace, _LEASE, self._holder)
        self._leases = {}

    async def _alone(self, owner: tuple[str, str | None], scope: AsyncScope) -> None:
        """Keep other imports of facts away from a scope, until this one is done or gone for some seconds.

        Raises:
            ConflictError: another one is at it for too long.
        """
        if self._dry_run or time.monotonic() - self._leases.get(owner, -LEASE_SECONDS) < LEASE_SECONDS / 3:
            return
        runtime = self._memory._runtime  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        self._holder = self._holder or str(runtime.fresh())
        give_up = time.monotonic() + MAX_WAIT
        while True:
            writing = runtime.writing()
            until = writing.now + LEASE_SECONDS * 1_000_000
            held = await runtime.write(
                "write", take_lease, scope.namespace, _LEASE, self._holder, until, writing=writing
            )
            if held is None:
                self._leases[owner] = time.monotonic()
                return
            if time.monotonic() > give_up:
                raise ConflictError(
                    "another import into this scope is running; try again when it is done", reason="leased"
                )
            await runtime.store.call(time.sleep, _PAUSE)

    def _sifted(self) -> list[Fact]:
        """Leave out junk, and what another fact of the same owner says already; each with its reason."""
        if not self._held:
            return []
        from datetime import UTC, datetime

        from bethink.health.condition.health_score import assess
        from bethink.health.condition.values import Entry
        from bethink.lifecycle.guard import RulesGuard

        entries = [
            Entry(
                id=str(place),
                text=fact.text,
                owner=fact.user or "",
                keywords=fact.keywords,
                source="import",
                since=fact.at,
                expires_at=fact.until,
            )
            for place, fact in enumerate(self._held)
        ]
        found = assess(entries, now=datetime.now(UTC), guard=RulesGuard())
        reasons = {
            int(each.id): f"{each.ailment}: {each.reason}"
            for each in found.findings
            if each.ailment in {"junk", "duplicate", "contradiction"}
        }
        for place, reason in sorted(reasons.items()):
            fact = self._held[place]
            self._unkept(fact, _with_ids(reason, self._held))
        return [fact for place, fact in enumerate(self._held) if place not in reasons]

    async def _keep(self, fact: Fact) -> None:
        owner = (fact.agent or self._usual[0], fact.user or self._usual[1])
        scope = self._memory.scope(agent=owner[0], user=owner[1], owner=self._owner)
        await self._alone(owner, scope)
        known = await self._ids(owner, scope)
        mark = f"{fact.origin} {fact.id}"
        if mark in known:
            self._report.notes_known += 1
        elif not fact.text.strip():
            self._unkept(fact, "it has no text")
        elif fact.ended is not None:
            self._unkept(fact, "it stopped being true")
        elif await self._erased(owner, scope, fact.at):
            self._unkept(fact, "it was erased here")
        elif self._dry_run:
            self._report.notes += 1
        else:
            await self._remember(scope, fact)
        known.add(mark)

    async def _remember(self, scope: AsyncScope, fact: Fact) -> None:
        details = {name: value for name, value in fact.details.items() if value not in ("", None)}
        metadata: dict[str, Any] = {**details, ORIGIN: fact.origin, ID: fact.id}
        try:
            note = await scope.remember(
                fact.text,
                keywords=_keywords(fact.keywords),
                valid_from=fact.at,
                expires_at=fact.until,
                source="import",
                metadata=metadata,
            )
        except RefusedError as refused:
            self._unkept(fact, f"the guard refuses it: {refused}")
        except (InvalidError, LimitError) as error:
            self._unkept(fact, str(error))
        else:
            self._report.notes += 1
            self._report.quarantined += note.status == "quarantined"

    async def _ids(self, owner: tuple[str, str | None], scope: AsyncScope) -> set[str]:
        """Return what earlier runs brought into a scope, also of notes that were forgotten since."""
        if owner not in self._known:
            found: set[str] = set()
            cursor: str | None = None
            while True:
                page = await scope.notes(status=None, limit=_PAGE, cursor=cursor)
                found |= {
                    f"{note.metadata[ORIGIN]} {note.metadata[ID]}" for note in page if ORIGIN in note.metadata
                }
                cursor = page.next
                if cursor is None:
                    break
            self._known[owner] = found
        return self._known[owner]

    async def _erased(self, owner: tuple[str, str | None], scope: AsyncScope, at: datetime | None) -> bool:
        """Tell whether a scope, its user or its tenant was erased after a fact came to be."""
        if self._revive:
            return False
        if owner not in self._buried:
            self._buried[owner] = await self._memory._runtime.read(deleted_at, scope.namespace)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        ended = self._buried[owner]
        return ended is not None and (at is None or to_micros(at) <= ended)

    def _unkept(self, fact: Fact, reason: str) -> None:
        self._report.unkept.append(RejectedFact(origin=fact.origin, id=fact.id, reason=reason))


def _keywords(words: tuple[str, ...]) -> list[str]:
    plain = ("".join(sign for sign in word if sign.isprintable()).strip()[:_LONGEST_WORD] for word in words)
    return [word for word in dict.fromkeys(plain) if word][:_MAX_KEYWORDS]


def _with_ids(reason: str, held: list[Fact]) -> str:
    """Name the other fact by its own id rather than by its place."""
    words = reason.split(" ")
    return " ".join(
        held[int(word)].id if word.isdigit() and int(word) < len(held) else word for word in words
    )
