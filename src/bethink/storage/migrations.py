"""Schema migrations: numbered SQL files, recorded with checksums."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.resources.abc import Traversable

RECORD = """create table if not exists bethink_migrations (
  number integer primary key, name text not null, checksum text not null, applied_at bigint not null)"""
APPLIED = "select number, checksum from bethink_migrations order by number"
REMEMBER = "insert into bethink_migrations values (:number, :name, :checksum, :at)"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema, as text."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """Return a digest of the text; line endings do not count."""
        plain = self.text.replace("\r\n", "\n").encode()
        return hashlib.blake2b(plain, digest_size=16).hexdigest()

    @property
    def statements(self) -> list[str]:
        """Return the statements one by one: each ends with a semicolon at the end of a line."""
        lines = [line for line in self.text.splitlines() if not line.lstrip().startswith("--")]
        return [part.strip() for part in re.split(r";\s*\n", "\n".join(lines) + "\n") if part.strip()]


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """Return the migrations of a dialect in their order."""
    folder = _folder() / dialect
    found: list[Migration] = []
    for file in folder.iterdir():
        named = re.fullmatch(r"(\d{4})_([a-z0-9_]+)\.sql", file.name)
        if named:
            found.append(Migration(int(named[1]), named[2], file.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.number))


def _folder() -> Traversable:
    folder = Path(__file__).with_name("migrations")
    if folder.is_dir():
        return folder
    from importlib.resources import files  # in an archive; here, since it is slow to load

    return files("bethink.storage") / "migrations"


def pending(known: Iterable[Migration], applied: Mapping[int, str]) -> list[Migration]:
    """Return what is still to be applied.

    Raises:
        StorageError: the database is newer than this version of Bethink, or an applied migration was edited.
    """
    wanted = {migration.number: migration for migration in known}
    newest = max(wanted, default=0)
    ahead = [number for number in applied if number > newest]
    if ahead:
        raise StorageError(
            f"the database has schema {max(ahead)}, but this version of Bethink supports up to "
            f"{newest}; upgrade Bethink, or open a copy made with `bethink backup` before the upgrade",
            reason="newer schema",
            actual=max(ahead),
            expected=newest,
            outcome="none",
        )
    for number, checksum in applied.items():
        if wanted[number].checksum != checksum:
            raise StorageError(
                f"migration {number} was applied with a different text than this version has; restore "
                "from a backup, or install the version that applied it",
                reason="changed migration",
                actual=checksum,
                expected=wanted[number].checksum,
                outcome="none",
            )
    return [migration for migration in wanted.values() if migration.number not in applied]
