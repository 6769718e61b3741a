"""The erasure service: delete in one transaction, then verify tables and file bytes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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


BUSY: Final = "write-ahead log (a reader holds an older view: erase again when it is done)"
DATABASE: Final = "bytes of the database"


class _Files(NamedTuple):
    """What a look through the files of the store found."""

    seen: dict[bytes, str]  #: windows of what was erased, with the file of each
    scanned: list[str]
    retained: tuple[str, ...]
    busy: bool


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
    scan.found.update(await _left_in_files(store, byte_windows(erased.texts), scan))
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


async def _left_in_files(store: Store, wanted: set[bytes], scan: _Scan) -> dict[str, int]:
    """Return how much stands in which file of the store, though no surviving row accounts for it.

    Where something stands in the database itself, it is written anew and looked through once more.
    """
    for rewritten in (False, True):
        files = await store.call(_scan_files, store.driver, wanted, rewritten)
        survivors, _ = await store.read(transactions.rows_containing, files.seen, store.driver.dialect)
        left = Counter(
            f"bytes of the {name}" for window, name in files.seen.items() if window not in survivors
        )
        if not left[DATABASE]:
            break
    scan.retained = files.retained
    scan.scanned += files.scanned
    return dict(left) | ({BUSY: 1} if files.busy else {})


def _scan_files(driver: Driver, wanted: set[bytes], rewritten: bool) -> _Files:
    """Return the windows that stand in the files of the store, with the file of each."""
    remains = driver.remains(rewritten=rewritten)
    seen: dict[bytes, str] = {}
    files: dict[str, None] = {}
    for name, piece in remains.pieces:
        files[name] = None
        for window in occurrences(piece, wanted):
            seen[window] = name
    return _Files(seen, [f"bytes of the {name}" for name in files], remains.retained, busy=remains.busy)


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
