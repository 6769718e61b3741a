"""Health of a store: integrity check, schema version, sizes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bethink.errors import StorageError
from bethink.storage.migrations import APPLIED, migrations
from bethink.storage.work import Statement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bethink.storage.jobs import Driver
    from bethink.storage.work import Work

MAX_COMPLAINTS = 100
_BYPASSING = """select distinct role.rolname from pg_class class join pg_roles role on role.oid = class.relowner
where class.relnamespace = current_schema()::regnamespace and class.relrowsecurity and role.rolbypassrls
order by role.rolname"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreState:
    """How a database is, whatever it holds."""

    store: str  #: `sqlite` or `postgresql`
    url: str  #: where the memory is, without a password
    version: str  #: of the store's own software
    schema: int  #: the newest migration that was applied
    newest_schema: int  #: that this version of Bethink knows
    #: what the engine was told: how it writes and waits
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    bytes: Mapping[str, int] = field(default_factory=dict[str, int])  #: sizes, by what takes them
    complaints: tuple[str, ...] = ()  #: of the store's own check


def store_state(driver: Driver, *, check: bool) -> StoreState:
    """Return how a database is; with `check`, SQLite looks through every page of it first."""
    if driver.dialect.name == "postgresql":
        return driver.read(partial(_postgresql, driver.url))
    state: StoreState = driver.read(partial(_sqlite, driver.url))
    complaints = _complaints(driver) if check else ()
    return replace(state, bytes={**state.bytes, **_log(driver.url)}, complaints=complaints)


def _complaints(driver: Driver) -> tuple[str, ...]:
    """Return what SQLite's own check finds; a file that is too damaged for it is one complaint."""
    try:
        found: list[str] = driver.read(_integrity)
    except StorageError as error:
        return (str(error),)
    return tuple(line for line in found if line != "ok")


def _integrity() -> Work[list[str]]:
    rows = yield Statement(f"pragma integrity_check({MAX_COMPLAINTS})", {})
    return [str(row[0]) for row in rows]


def _sqlite(url: str) -> Work[StoreState]:
    found: dict[str, str] = {}
    for name in ("page_count", "page_size", "freelist_count", "journal_mode", "synchronous"):
        ((value,),) = yield Statement(f"pragma {name}", {})
        found[name] = str(value)
    ((version,),) = yield Statement("select sqlite_version()", {})
    schema = yield from _schema()
    page = int(found["page_size"])
    return StoreState(
        store="sqlite",
        url=url,
        version=version,
        schema=schema,
        newest_schema=migrations("sqlite")[-1].number,
        settings={
            "journal_mode": found["journal_mode"],
            "synchronous": {"1": "NORMAL", "2": "FULL"}.get(found["synchronous"], found["synchronous"]),
        },
        bytes={
            "database": int(found["page_count"]) * page,
            "free": int(found["freelist_count"]) * page,
        },
    )


def _postgresql(url: str) -> Work[StoreState]:
    ((version,),) = yield Statement("select current_setting('server_version')", {})
    ((size,),) = yield Statement("select pg_database_size(current_database())", {})
    schema = yield from _schema()
    owners = yield Statement(_BYPASSING, {})
    return StoreState(
        store="postgresql",
        url=url,
        version=version,
        schema=schema,
        newest_schema=migrations("postgresql")[-1].number,
        bytes={"database": int(size)},
        complaints=tuple(
            f"the role {role}, which owns the tables, sees through row-level security: once no shard is being moved "
            f"(docs/scale.md), run `alter role {role} nobypassrls`"
            for (role,) in owners
        ),
    )


def _schema() -> Work[int]:
    rows = yield Statement(APPLIED, {})
    return max((number for number, _ in rows), default=0)


def _log(url: str) -> dict[str, int]:
    path = Path(url.removeprefix("sqlite:///") + "-wal")
    return {"log": path.stat().st_size} if path.exists() else {}
