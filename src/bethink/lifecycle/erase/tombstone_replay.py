"""Replay tombstones on a restored copy: delete again what was deleted since the copy was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.lifecycle.erase import queries
from bethink.lifecycle.erase.delegations import erase_delegations
from bethink.lifecycle.erase.erased import Erased
from bethink.lifecycle.erase.grantee_removal import remove_grantee
from bethink.lifecycle.erase.service import without_notes, without_session
from bethink.lifecycle.erase.transactions import ITEMS_OF_NOTE, erase_note, erase_scope, erase_session
from bethink.notes.rows import number_of
from bethink.notes.transactions import written_since
from bethink.scope.tombstones import enclosing_marks, of_note, of_session, of_tenant, of_user, put
from bethink.scope.transactions import ScopeRow, digest, from_columns, scopes_of
from bethink.sessions.log_lookup import END

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.tombstones import Tombstone
    from bethink.scope.transactions import Writing
    from bethink.storage.work import Work


def erase_again(
    tenant: str,
    tombstones: Sequence[Tombstone],
    *,
    kept: Mapping[tuple[str, str], Collection[int]],
    writing: Writing,
) -> Work[Erased]:
    """Destroy what some tombstones name, as far as it is older than they are, and set them here too.

    What was made anew under a name after the deletion stays. `kept` are the notes
    of deleted sessions that were kept when these were deleted: `notes_of_sessions` of the other database.
    """
    graves = {(each.kind, each.digest): each.at for each in tombstones}
    erased = Erased(digest=digest("backup", tenant, *sorted(mark for _, mark in graves)))
    yield from _unregister(tenant, graves, erased, writing)
    for row in (yield from queries.scopes_with_times(tenant=tenant)):
        namespace = from_columns(tenant, row)
        if any(graves.get(mark, -END) >= row.created_at for mark in enclosing_marks(namespace)):
            erased.join((yield from erase_scope(namespace, writing=writing)))
        else:
            place = ScopeRow(tenant, row.scope_id, row.revision)
            yield from _sessions(namespace, place, graves, kept, writing, erased)
            yield from _notes(namespace, place, graves, writing, erased)
    for each in tombstones:
        yield from put(tenant, each)
    return erased


def _sessions(
    namespace: Namespace,
    place: ScopeRow,
    graves: dict[tuple[str, str], int],
    kept: Mapping[tuple[str, str], Collection[int]],
    writing: Writing,
    erased: Erased,
) -> Work[None]:
    for row in (yield from queries.sessions_with_times(**place.keys)):
        if graves.get(("session", of_session(namespace, row.name)), -END) >= row.created_at:
            part = yield from erase_session(
                namespace,
                row.name,
                without=without_session,
                writing=writing,
                spared=kept.get((str(namespace), row.name), ()),
            )
            erased.join(part)


def _notes(
    namespace: Namespace,
    place: ScopeRow,
    graves: dict[tuple[str, str], int],
    writing: Writing,
    erased: Erased,
) -> Work[None]:
    if not any(kind == "note" for kind, _ in graves):
        return
    for note in (yield from written_since(place, 0)):
        if ("note", of_note(namespace, note.id)) in graves:
            with_items = (ITEMS_OF_NOTE, of_note(namespace, note.id)) in graves
            part = yield from erase_note(
                namespace, note.id, without=without_notes, writing=writing, items=with_items
            )
            erased.join(part)


def _unregister(
    tenant: str, graves: dict[tuple[str, str], int], erased: Erased, writing: Writing
) -> Work[None]:
    """Take back what users who were erased had beside their scopes, and the whole register of a tenant who was."""
    whole = graves.get(("tenant", of_tenant(tenant)), -END)

    def gone(user: str) -> int:
        return max(whole, graves.get(("user", of_user(tenant, user)), -END))

    for table, every, erase in (
        ("agents", queries.every_agent, queries.erase_agent),
        ("team_specs", queries.every_team_spec, queries.erase_team_spec),
    ):
        for row in (yield from every(tenant=tenant)):
            if gone(row.owner) >= row.created_at:
                yield from erase(tenant=tenant, owner=row.owner, name=row.name)
                erased.count(table, 1)
    for caller in (yield from queries.every_caller(tenant=tenant)):
        answered = yield from queries.erase_answered_before(tenant=tenant, caller=caller, at=gone(caller))
        erased.count("answered_requests", answered)
    yield from erase_delegations(tenant, erased, lambda people, at: max(map(gone, people)) >= at)
    yield from remove_grantee(tenant, erased, lambda each, at: gone(each) >= at, writing=writing)
    for given in (yield from queries.every_grant(tenant=tenant)):
        if gone(given.grantee) >= given.created_at:
            yield from queries.erase_grant(
                tenant=tenant, kind=given.kind, name=given.name, grantee=given.grantee
            )
            erased.count("grants", 1)
    for share in (yield from queries.shares_with_times(tenant=tenant)):
        if whole >= share.created_at:
            yield from queries.erase_share(tenant=tenant, kind=share.kind, name=share.name)
            erased.count("shares", 1)


def notes_of_sessions(tenant: str) -> Work[dict[tuple[str, str], set[int]]]:
    """Return the numbers of the notes that belong to sessions, by namespace and session."""
    found: dict[tuple[str, str], set[int]] = {}
    for namespace, place in (yield from scopes_of(tenant)):
        for note in (yield from written_since(place, 0)):
            if note.session is not None:
                found.setdefault((str(namespace), note.session), set()).add(number_of(note))
    return found
