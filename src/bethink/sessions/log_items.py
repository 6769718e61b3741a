"""Read items with their metadata: sequence, time, author, source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bethink.ids import item_id
from bethink.sessions import queries
from bethink.sessions.item_json import decode_all
from bethink.sessions.items import Entry, Item
from bethink.sessions.log_lookup import END, find_log
from bethink.storage.statements import SIXTEEN, sixteens
from bethink.times import optional_datetime

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bethink.scope.namespace import Namespace
    from bethink.scope.transactions import ScopeRow
    from bethink.sessions.queries import ItemRow, SessionItemRow, VersionRow
    from bethink.sessions.values import Body
    from bethink.storage.work import Work


def items(
    namespace: Namespace, name: str, *, limit: int, below: int = END, after: int | None = None
) -> Work[tuple[list[Item], int]]:
    """Return entries with what is known beside them, oldest first, and the true total.

    With `after` these are the entries that follow a place; else the newest ones below a place.
    """
    found, total, _ = yield from page(namespace, name, limit=limit, below=below, after=after)
    return found, total


def page(
    namespace: Namespace, name: str, *, limit: int, below: int = END, after: int | None = None
) -> Work[tuple[list[Item], int, int | None]]:
    """Return what `items` does, and the place from which the next page goes on; None at the end.

    A page with damaged rows has fewer entries than its limit, and is not the last one for that.
    """
    log = yield from find_log(namespace, name)
    if log is None:
        return [], 0, None
    if after is not None:
        rows = yield from queries.items_after(**log.keys, after=after, limit=limit + 1)
    else:
        rows = yield from queries.newest_items(**log.keys, below=below, limit=limit + 1)
    more = rows[limit - 1].seq if len(rows) > limit else None
    rows = rows[:limit] if after is not None else rows[:limit][::-1]
    return to_items(name, log.session, rows), log.count, more


def entries_after(place: ScopeRow, session: int, after: int, limit: int = END) -> Work[list[ItemRow]]:
    """Read the entries of a session after a place, oldest first, as the store has them."""
    return (yield from queries.items_after(**place.keys, session=session, after=after, limit=limit))


def to_items(name: str, session: int, rows: Sequence[ItemRow | VersionRow]) -> list[Item]:
    """Return rows as items; damaged ones are left out, and `bethink doctor` reports them."""
    decoded = decode_all([row.body for row in rows])
    return [
        _item(session, name, body, row) for body, row in zip(decoded, rows, strict=True) if body is not None
    ]


def to_entries(rows: Sequence[ItemRow]) -> list[Entry]:
    """Return rows as what there is to index of them, without damaged ones."""
    decoded = decode_all([row.body for row in rows])
    return [
        Entry(row.seq, body, row.at, row.speaker)
        for body, row in zip(decoded, rows, strict=True)
        if body is not None
    ]


def items_among(
    place: ScopeRow, keys: Sequence[tuple[int, int]], names: Mapping[int, str]
) -> Work[dict[tuple[int, int], Item]]:
    """Read items of several sessions by (session, seq); missing or damaged items are left out.

    `names` are the session names that the caller knows already; a session never changes its name.
    """
    rows: list[SessionItemRow] = []
    for some in sixteens(keys):
        named: dict[str, int] = {}
        for suffix, (session, seq) in zip(SIXTEEN, some, strict=True):
            named["s" + suffix], named["q" + suffix] = session, seq
        rows += yield from queries.items_among(**place.keys, **named)
    unknown: dict[int, str] = {}
    for session in {row.session_id for row in rows} - names.keys():
        for name in (yield from queries.session_by_id(**place.keys, session=session)):
            unknown[session] = name
    decoded = decode_all([row.body for row in rows])
    return {
        (row.session_id, row.seq): _item(
            row.session_id, names.get(row.session_id) or unknown[row.session_id], body, row
        )
        for body, row in zip(decoded, rows, strict=True)
        if body is not None
    }


def _item(session: int, name: str, body: Body, row: ItemRow | SessionItemRow | VersionRow) -> Item:
    return Item(
        id=item_id(session, row.seq),
        session=name,
        seq=row.seq,
        body=body,
        at=optional_datetime(row.at),
        speaker=row.speaker,
        origin=row.origin,
    )


def one_entry(place: ScopeRow, session: int, seq: int) -> Work[Entry | None]:
    """Find what there is to index of one entry."""
    rows = yield from queries.find_items(tenant=place.tenant, scope=place.scope, session=session, seq=seq)
    return next(iter(to_entries(rows)), None)


def item(place: ScopeRow, session: int, seq: int) -> Work[Item | None]:
    """Find one entry."""
    names = yield from queries.session_by_id(tenant=place.tenant, scope=place.scope, session=session)
    if not names:
        return None
    rows = yield from queries.find_items(tenant=place.tenant, scope=place.scope, session=session, seq=seq)
    found = to_items(names[0], session, rows)
    return found[0] if found else None
