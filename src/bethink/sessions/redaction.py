"""Redact items and erase their earlier versions, as units of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.scope.transactions import note_event
from bethink.sessions import queries

if TYPE_CHECKING:
    from collections.abc import Callable

    from bethink.scope.transactions import ScopeRow, Writing
    from bethink.sessions.queries import ErasedVersionRow, ItemRow
    from bethink.storage.work import Work


def redact(
    place: ScopeRow, session: int, seq: int, rule: Callable[[str], str]
) -> Work[tuple[list[ItemRow], list[ErasedVersionRow]]]:
    """Put what a rule makes of an entry in its place; return what was there, and what that was before."""
    rows = yield from queries.find_items(**place.keys, session=session, seq=seq)
    for row in rows:
        yield from queries.replace_item(
            **place.keys,
            session=session,
            seq=seq,
            body=rule(row.body),
            at=row.at,
            speaker=row.speaker,
            revision=place.revision,
        )
    return rows, (yield from queries.erase_versions_of_item(**place.keys, session=session, seq=seq))


def mark_redacted(
    place: ScopeRow, session: int, first: int, last: int, count: int, *, writing: Writing
) -> Work[list[str]]:
    """Record that entries of a session were redacted, so that whoever holds them reads them again; return its name."""
    yield from queries.remove_summaries(**place.keys, session=session, first=first)
    yield from queries.mark_session(**place.keys, session=session, revision=place.revision, now=writing.now)
    detail = {"session": session, "from": first, "to": last, "items": count}
    yield from note_event(place, writing, "session.replaced", detail)
    return (yield from queries.session_by_id(**place.keys, session=session))


def is_there(place: ScopeRow, session: int, seq: int) -> Work[bool]:
    """Tell whether an entry is in the log."""
    return bool((yield from queries.find_items(**place.keys, session=session, seq=seq)))
