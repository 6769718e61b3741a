"""Open the memory that hooks use: local, with a short busy timeout and no background threads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bethink.settings import Settings
from bethink.settings import embedder as embedder_of_environment
from bethink.storage.opening import open_driver, sqlite_path

if TYPE_CHECKING:
    from bethink.coding.directories import Directories
    from bethink.coding.options import Options
    from bethink.models.embedding import Embedder
    from bethink.storage.jobs import Driver
    from bethink.sync import Memory

BUSY_SECONDS: Final = 2.0  #: that a hook waits for another process's write
AT_RECALL: Final = 256  #: notes and items that are made searchable while a prompt waits


def open_hook_memory(places: Directories, chosen: Options) -> Memory:
    """Open the memory of this user; its folder is made where it is not there yet."""
    from bethink.sync import Memory

    return Memory(_database(places, chosen), settings=settings(), embedder=embedder())


def open_hook_driver(places: Directories, chosen: Options) -> Driver:
    """Open the database alone: to look something up takes no more."""
    return open_driver(_database(places, chosen), settings=settings())


def settings() -> Settings:
    """Return the settings of a process that lives for a second."""
    return replace(
        Settings.from_environment(),
        busy_seconds=BUSY_SECONDS,
        index_after_seconds=0.0,
        index_at_recall=AT_RECALL,
    )


def embedder() -> Embedder | None:
    """Return what makes vectors; where that is behind a network, words alone are searched by hooks."""
    name = embedder_of_environment() or "static"
    if name.startswith("openai"):
        return None
    from bethink.models.embedder_by_name import embedder_named

    return embedder_named(name)


def _database(places: Directories, chosen: Options) -> str:
    url = places.database(chosen.db)
    path = sqlite_path(url)
    if path not in {None, ":memory:"}:
        Path(str(path)).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return url
