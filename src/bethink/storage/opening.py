"""Choose the driver of a database by its address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from bethink.settings import Settings
    from bethink.storage.jobs import Driver

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=//)")


class Opening(Protocol):
    """What a driver wants to know beside the URL."""

    @property
    def synchronous(self) -> str:
        """SQLite: `FULL` (every acknowledged write survives a power cut) or `NORMAL`."""
        ...

    @property
    def busy_seconds(self) -> float:
        """How long a write waits: for another process (SQLite), for a free connection (PostgreSQL)."""
        ...


@dataclass(frozen=True, slots=True)
class _Defaults:
    synchronous: str = "FULL"
    busy_seconds: float = 30.0


def open_driver(url: str, *, tenant: str, settings: Settings) -> Driver:
    """Open a database: a path, `sqlite:///…`, `:memory:`, or `postgresql://…`.

    Raises:
        InvalidError: the scheme is not known.
        StorageError: the database cannot be opened.
    """
    found = _SCHEME.match(url)
    scheme = found[1].lower() if found else ""
    match scheme:
        case "postgresql" | "postgres":
            from bethink.storage.postgresql import PostgresqlDriver

            return PostgresqlDriver(url, tenant=tenant)
        case "sqlite" | "":
            from bethink.storage.sqlite import SqliteDriver

            path = (
                url if not scheme else unquote(url.removeprefix(f"{url[: len(scheme)]}://").removeprefix("/"))
            )
            if scheme and url.startswith("sqlite:////"):
                path = unquote(url[len("sqlite:///") :])
            if not path or "\x00" in path:
                raise InvalidError("name a file, such as memory.db or sqlite:///memory.db", argument="url")
            return SqliteDriver(path, synchronous=settings.synchronous, busy_seconds=settings.busy_seconds)
        case _:
            raise InvalidError(
                f"{scheme}:// is not a store of Bethink: give a path, sqlite:///…, :memory: or postgresql://…",
                argument="url",
            )
