"""Open a store: choose the driver by the database URL."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Protocol

from bethink.errors import InvalidError
from bethink.expressions import Expression

if TYPE_CHECKING:
    from bethink.storage.jobs import Driver

MEMORY = ":memory:"
_SCHEME = Expression(r"([A-Za-z][A-Za-z0-9+.-]+)://")


class DriverOptions(Protocol):
    """What a driver wants to know beside the address; the settings of a memory have it."""

    @property
    def synchronous(self) -> str:
        """SQLite: `FULL` (every acknowledged write survives a power cut) or `NORMAL`."""
        ...

    @property
    def busy_seconds(self) -> float:
        """How long a write waits: for another process (SQLite), for a free connection (PostgreSQL)."""
        ...


class _Defaults(NamedTuple):
    synchronous: str = "FULL"
    busy_seconds: float = 30.0


def open_driver(
    url: str | os.PathLike[str],
    *,
    tenant: str = "default",
    settings: DriverOptions | None = None,
    allow_bypass: bool = False,
) -> Driver:
    """Open a database: a path, `sqlite:///…`, `:memory:`, or `postgresql://…`.

    Args:
        url: which database; `sqlite:///name` is relative to the working folder, `sqlite:////name` is not.
        tenant: the one tenant whose rows PostgreSQL shows.
        settings: how durable and how patient the driver is.
        allow_bypass: PostgreSQL: accept a role that sees through row-level security.

    Raises:
        InvalidError: the scheme is not known.
        StorageError: the database cannot be opened; `reason` says why.
        ImportError: the driver of PostgreSQL is not installed.
    """
    if not isinstance(url, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidError(
            f"url must be a path, 'sqlite:///…', ':memory:' or 'postgresql://…', got {type(url).__name__}",
            argument="url",
        )
    text = os.fspath(url)
    chosen = settings or _Defaults()
    path = sqlite_path(text)
    if path is None:
        from bethink.storage.postgresql import PostgresqlDriver

        return PostgresqlDriver(
            text, tenant=tenant, wait_seconds=chosen.busy_seconds, allow_bypass=allow_bypass
        )
    from bethink.storage.sqlite import SqliteDriver

    return SqliteDriver(path, synchronous=chosen.synchronous, busy_seconds=chosen.busy_seconds)


def sqlite_path(url: str) -> str | None:
    """Return the file that an address names, or `:memory:`; None where it is of PostgreSQL.

    Raises:
        InvalidError: the scheme is not known, or no file is named.
    """
    found = _SCHEME.compiled.match(url)
    match found[1].lower() if found else "":
        case "postgresql" | "postgres":
            return None
        case "sqlite":
            from urllib.parse import unquote

            path = unquote(url[len("sqlite://") :].removeprefix("/"))
        case "":
            path = url
        case scheme:
            raise InvalidError(
                f"{scheme}:// is not a supported store; use a path, sqlite:///…, :memory: or postgresql://…",
                argument="url",
                actual=scheme,
            )
    if not path or "\x00" in path:
        raise InvalidError("url must name a file, such as memory.db or sqlite:///memory.db", argument="url")
    return path
