"""The erasure service: delete in one transaction, then verify tables and file bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bethink.lifecycle.erase import transactions
from bethink.lifecycle.erase.byte_scan import byte_windows, occurrences
from bethink.lifecycle.erase.note_text_removal import remaining_rows
from bethink.lifecycle.erase.values import Receipt
from bethink.lifecycle.erase.workspace_files import redact_files, remove

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from bethink.lifecycle.erase.erased import Erased
    from bethink.lifecycle.erase.values import Subject
    from bethink.storage.jobs import Driver
    from bethink.storage.stores import Store


@dataclass(slots=True)
class _Scan:
    found: dict[str, int] = field(default_factory=dict[str, int])
    scanned: list[str] = field(default_factory=list[str])
    retained: tuple[str, ...] = ()
    away: tuple[str, ...] = ()


async def verify(
    store: Store, tenant: str, subject: Subject, erased: Erased, *, number: str, at: datetime
) -> Receipt:
    """Scan for what is left of something that was destroyed, and write the receipt."""
    scan = _Scan()
    if erased.files:
        gone, left = await store.call(remove, erased.files)
        erased.count("files of workspaces", gone)
        scan.found.update({f"file {path}": 1 for path in left})
        scan.scanned.append("files of workspaces")
    if erased.looked_through:
        changed, left, away = await store.call(redact_files, erased.looked_through)
        erased.count("files reworded", changed)
        scan.found.update({f"file {path}": 1 for path in left})
        scan.scanned.append("files of workspaces")
        scan.away = tuple(f"{path} is not there now: erase again when it is" for path in away)
    rows, tables = await store.read(transactions.leftovers, tenant, erased, store.driver.dialect)
    scan.found.update(rows)
    if erased.wordings and erased.within:
        for table, count in (await store.read(remaining_rows, tenant, erased, store.driver.dialect)).items():
            scan.found[table] = scan.found.get(table, 0) + count
    if erased.items:
        scan.found["items"] = max(scan.found.get("items", 0), len(erased.items))
    scan.scanned += [f"table {table}" for table in tables]
    wanted = byte_windows(erased.texts)
    seen = await store.call(_scan_files, store.driver, wanted, scan)
    survivors, _ = await store.read(transactions.rows_containing, seen, store.driver.dialect)
    for window, name in seen.items():
        if window not in survivors:  # no surviving row accounts for it
            place = f"bytes of the {name}"
            scan.found[place] = scan.found.get(place, 0) + 1
    return Receipt(
        id=number,
        subject=subject,
        digest=erased.digest,
        at=at,
        erased=dict(sorted(erased.counts.items())),
        remaining=sum(scan.found.values()),
        found=scan.found,
        scanned=tuple(scan.scanned),
        retained=(*erased.retained, *scan.away, *scan.retained),
        items=tuple(erased.items),
    )


def _scan_files(driver: Driver, wanted: set[bytes], scan: _Scan) -> dict[bytes, str]:
    """Return the windows that stand in the files of the store, with the file of each."""
    remains = driver.remains()
    scan.retained = remains.retained
    if remains.busy:
        scan.found["write-ahead log (a reader holds an older view: erase again when it is done)"] = 1
    seen: dict[bytes, str] = {}
    files: dict[str, None] = {}
    for name, piece in remains.pieces:
        files[name] = None
        for window in occurrences(piece, wanted):
            seen[window] = name
    scan.scanned += [f"bytes of the {name}" for name in files]
    return seen


def without_session(number: int) -> Callable[[bytes], tuple[bytes | None, int] | None]:
    """Return how a packed block is rewritten without the items of a session."""
    return _without(lambda kind, owner, _: kind == "item" and owner == number)


def without_notes(
    numbers: Collection[int], items: Collection[tuple[int, int]]
) -> Callable[[bytes], tuple[bytes | None, int] | None]:
    """Return how a packed block is rewritten without some notes and items."""
    return _without(lambda kind, owner, seq: owner in numbers if kind == "note" else (owner, seq) in items)


def _without(gone: Callable[[str, int, int], bool]) -> Callable[[bytes], tuple[bytes | None, int] | None]:
    def rewrite(payload: bytes) -> tuple[bytes | None, int] | None:
        from bethink.recall.passage_blocks import drop, unpack

        after: Any = drop(payload, gone)
        if after is None:
            return None, 0
        return None if after == payload else (after, len(unpack(after)))

    return rewrite
