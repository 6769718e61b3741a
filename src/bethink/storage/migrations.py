"""Schema migrations: numbered SQL files, recorded with checksums."""

from __future__ import annotations

import pkgutil
import re
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bethink.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RECORD = """create table if not exists bethink_migrations (
  number integer primary key, name text not null, checksum text not null, applied_at bigint not null)"""
APPLIED = "select number, checksum from bethink_migrations order by number"
REMEMBER = "insert into bethink_migrations values (:number, :name, :checksum, :at)"
CHECKSUMS: Final = "checksums.txt"  #: beside the texts, so that an open database asks for none of them


class Migration(NamedTuple):
    """One step of the schema, whose text is read when it is applied."""

    dialect: str
    number: int
    name: str
    checksum: str

    @property
    def text(self) -> str:
        """Return the statements as they are written."""
        return _read(f"{self.dialect}/{self.number:04}_{self.name}.sql")

    @property
    def statements(self) -> list[str]:
        """Return the statements one by one: each ends with a semicolon at the end of a line."""
        lines = [line for line in self.text.splitlines() if not line.lstrip().startswith("--")]
        return [part.strip() for part in re.split(r";\s*\n", "\n".join(lines) + "\n") if part.strip()]


@cache
def migrations(dialect: str) -> tuple[Migration, ...]:
    """Return the migrations of a dialect in their order."""
    found: list[Migration] = []
    for line in _read(f"{dialect}/{CHECKSUMS}").splitlines():
        named, _, checksum = line.partition(" ")
        number, _, name = named.partition("_")
        found.append(Migration(dialect, int(number), name, checksum))
    return tuple(found)


def checksum_of(text: str) -> str:
    """Return a digest of the text of a migration; line endings do not count."""
    import hashlib  # here, since it is slow to load

    plain = text.replace("\r\n", "\n").encode()
    return hashlib.blake2b(plain, digest_size=16).hexdigest()


def _read(name: str) -> str:
    data = pkgutil.get_data("bethink.storage", f"migrations/{name}")  # from an archive, too
    if data is None:
        raise FileNotFoundError(f"migrations/{name} cannot be read; reinstall the package")
    return data.decode("utf-8")


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
