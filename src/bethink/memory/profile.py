"""The handle of a profile: versioned fields with provenance."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bethink.memory.signposts import Signposts
from bethink.notes.checks import check_metadata
from bethink.state import transactions
from bethink.state.merge import update
from bethink.times import to_datetime, to_micros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bethink.memory.runtime import Runtime
    from bethink.scope.namespace import Namespace
    from bethink.state.values import Profile


class AsyncProfileHandle(Signposts):
    """The profile of a user as fields. Every change creates a new version; earlier versions are kept."""

    def __init__(self, runtime: Runtime, namespace: Namespace) -> None:
        self._runtime = runtime
        self._namespace = namespace

    def __repr__(self) -> str:
        return f"<profile of {self._namespace}>"

    async def get(self, *, as_of: datetime | None = None) -> Profile:
        """Return the profile: its fields, and where each came from.

        With `as_of`, the version that was current at that time.

        Args:
            as_of: Return the state at this time.
        """
        if as_of is None:
            return await self._runtime.read(transactions.current, self._namespace)
        return await self._runtime.read(transactions.as_of, self._namespace, to_micros(as_of, "as_of"))

    async def update(
        self,
        fields: Mapping[str, Any],
        *,
        source: str = "system",
        at: datetime | None = None,
        expected: int | None = None,
    ) -> Profile:
        """Set fields of the profile; nested fields are merged by name.

        A field is changed only by a value that holds since the same instant or later. Without the right to read, the
        answer is the version alone.

        Args:
            fields: The fields, by name; null (None) removes one.
            source: Who stated them.
            at: Since when they hold; now by default.
            expected: The version that was read; another one is a conflict.

        Raises:
            InvalidError: the fields are not JSON.
            ConflictError: the profile is no longer at the version that was expected.
        """
        changes = check_metadata(fields, "fields")
        writing = self._runtime.writing()
        instant = to_datetime(writing.now if at is None else to_micros(at))
        return await self._runtime.answer(
            "write",
            transactions.change,
            self._namespace,
            lambda profile: replace(profile, fields={}, provenance={}),
            self._rule(lambda before: update(before, changes, source=source, at=instant, by=writing.actor)),
            expected=expected,
            writing=writing,
        )

    def _rule(self, rule: Callable[[Profile], Profile]) -> Callable[[Profile], Profile]:
        def checked(before: Profile) -> Profile:
            after = rule(before)
            self._runtime.schema.check(after.fields)
            return after

        return checked

    async def history(self) -> list[Profile]:
        """Return every version of the profile, oldest first."""
        return await self._runtime.read(transactions.versions, self._namespace)

    async def export(self) -> dict[str, Any]:
        """Return the newest version as plain JSON, and every version behind it, oldest first."""
        versions = [
            {
                "version": profile.version,
                "fields": dict(profile.fields),
                "provenance": {name: each.to_dict() for name, each in profile.provenance.items()},
                "at": profile.updated_at.isoformat() if profile.updated_at else None,
            }
            for profile in await self.history()
        ]
        newest: Mapping[str, Any] = (
            versions[-1] if versions else {"version": 0, "fields": {}, "provenance": {}}
        )
        return {**{name: newest[name] for name in ("version", "fields", "provenance")}, "versions": versions}
