"""Temporary storage of uploaded files: one directory, one hour, bounded in size.

They lie in the system's temporary folder, which the processes of one machine share, so that any of them answers the
next request. The folder of a caller and a namespace is named by a digest of both: another caller's is never found.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tempfile
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bethink.errors import ConflictError, InvalidError, LimitError, NotFoundError, StorageError
from bethink.imports.markdown import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bethink.scope.namespace import Namespace
    from bethink.scope.values import Principal

MOST_BYTES: Final = 512 << 20  #: maximum size of one import
MOST_FILES: Final = 200  #: maximum files of one import
MOST_WAITING: Final = 4  #: imports of one caller into one namespace that are not done; the oldest goes
ALL_BYTES: Final = 4 << 30  #: maximum size of all pending uploads on this machine
KEPT_SECONDS: Final = 3_600
LONGEST_NAME: Final = 120  #: characters of a file's name that are kept
_ID: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Files that were uploaded, or are on their way, and what became of them."""

    id: str
    folder: Path

    @property
    def files(self) -> list[Path]:
        """Return the files, by name."""
        return sorted(path for path in (self.folder / "files").iterdir() if path.is_file())

    @property
    def size(self) -> int:
        """Return how many bytes there are."""
        return sum(path.stat().st_size for path in self.files)

    @property
    def source(self) -> Path:
        """Return what is imported: the file, or the folder of several.

        Raises:
            InvalidError: there is none, or one of them is a database, or nothing is in them.
        """
        files = self.files
        if not files:
            raise InvalidError("choose a file first: nothing was uploaded", argument="file")
        for path in files:
            with path.open("rb") as opened:
                if opened.read(16).startswith(b"SQLite format 3"):
                    raise InvalidError(
                        f"{path.name} is a database: import it beside the server, with `bethink import`",
                        argument="file",
                    )
        if not self.size:
            names = ", ".join(path.name for path in files[:5])
            raise InvalidError(f"nothing is in {names}: choose another file", argument="file")
        alone = len(files) == 1 and files[0].suffix.lower() not in ENDINGS
        return files[0] if alone else self.folder / "files"  # Markdown is read as a folder of pages

    def add(self, name: str, at: int, piece: bytes) -> None:
        """Keep a piece of a file; a piece that is sent again, since its answer was lost, is passed over.

        Raises:
            ConflictError: it does not begin where the file ends.
            LimitError: there are too many files, or too many bytes.
        """
        path = self.folder / "files" / file_name(name)
        have = path.stat().st_size if path.exists() else 0
        if at and at + len(piece) == have:
            return
        if at not in {0, have}:
            raise ConflictError(
                "this piece does not continue the file; start the upload again", reason="moved"
            )
        if not have and len(self.files) >= MOST_FILES:
            raise LimitError(
                f"an import has {MOST_FILES} files at most: pack them into one zip archive", limit=MOST_FILES
            )
        check_size(self.size - (have if at == 0 else 0) + len(piece))
        with path.open("ab" if at else "wb") as opened:
            opened.write(piece)

    def digests(self) -> list[dict[str, Any]]:
        """Return name, size and SHA-256 of each file, for the receipt."""
        return [
            {"name": path.name, "bytes": path.stat().st_size, "sha256": _digest(path)} for path in self.files
        ]

    def done(self, receipt: dict[str, Any]) -> None:
        """Keep the receipt of what was imported, and let go of the files."""
        (self.folder / "receipt.json").write_text(json.dumps(receipt), encoding="utf-8")
        shutil.rmtree(self.folder / "files")
        (self.folder / "files").mkdir()

    @property
    def receipt(self) -> dict[str, Any] | None:
        """Return the receipt; None where nothing was imported yet."""
        path = self.folder / "receipt.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    def discard(self) -> None:
        """Let go of everything."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Uploads:
    """The uploads of one caller for one namespace."""

    def __init__(
        self, principal: Principal | None, namespace: Namespace, *, root: Path | None = None
    ) -> None:
        who = [namespace.tenant, None if principal is None else principal.id, str(namespace)]
        self._root = root or _root()
        self._folder = self._root / sha256(json.dumps(who).encode()).hexdigest()[:32]

    def begin(self, size: int) -> Upload:
        """Make room for files of so many bytes together.

        Raises:
            LimitError: they are too large, or too much waits on this machine already.
        """
        check_size(size)
        _tidy(self._root)
        if _size(self._root) + size > ALL_BYTES:
            raise LimitError(
                "too many imports wait on this server: try again in an hour, or use `bethink import`",
                limit=ALL_BYTES,
                unit="bytes",
            )
        for old in sorted(_folders(self._folder), key=_age)[MOST_WAITING - 1 :]:
            shutil.rmtree(old, ignore_errors=True)
        fresh = secrets.token_hex(16)
        made = Upload(id=fresh, folder=self._folder / fresh)
        (made.folder / "files").mkdir(parents=True)
        return made

    def get(self, id: str) -> Upload:  # noqa: A002
        """Return an upload.

        Raises:
            NotFoundError: there is none: it was discarded, or is older than an hour.
        """
        folder = self._folder / id
        if not _ID.fullmatch(id) or not folder.is_dir():
            raise NotFoundError(
                "the upload has expired after an hour; upload the file again",
                kind="upload",
                id=id,
            )
        return Upload(id=id, folder=folder)


def file_name(given: str) -> str:
    """Return the name under which a file is kept: without folders, signs of control and leading dots."""
    last = re.split(r"[/\\]", given)[-1]
    plain = "".join(sign for sign in last if sign.isprintable() and sign not in ':*?"<>|').strip().lstrip(".")
    head, dot, ending = plain.rpartition(".")
    if len(plain) > LONGEST_NAME:
        plain = f"{head[: LONGEST_NAME - 20]}{dot}{ending[:19]}" if dot else plain[:LONGEST_NAME]
    return plain or "file"


def check_size(size: int) -> None:
    """Refuse what is too large.

    Raises:
        LimitError: it is.
    """
    if size > MOST_BYTES:
        raise LimitError(
            f"these files are larger than {MOST_BYTES >> 20} MiB: import them beside the server, with `bethink import`",
            limit=MOST_BYTES,
            actual=size,
            unit="bytes",
        )


def _root() -> Path:
    """Return the folder of all uploads; on a machine of many users it is nobody else's."""
    owner = _user()
    path = Path(tempfile.gettempdir(), f"bethink-uploads-{owner}")
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if (
        not path.is_dir()
        or path.is_symlink()
        or (owner and (found.st_uid != int(owner) or found.st_mode & 0o077))
    ):
        raise StorageError(
            "the temporary folder of uploads belongs to somebody else, or is open to others: remove it"
        )
    return path


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else ""


def _tidy(root: Path) -> None:
    """Remove what is older than an hour."""
    for owned in _folders(root):
        for each in _folders(owned):
            if _age(each) > KEPT_SECONDS:
                shutil.rmtree(each, ignore_errors=True)


def _folders(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (each for each in path.iterdir() if each.is_dir())


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def _size(root: Path) -> int:
    return sum(path.stat().st_size for path in root.glob("*/*/files/*") if path.is_file())


def _digest(path: Path) -> str:
    made = sha256()
    with path.open("rb") as opened:
        while piece := opened.read(1 << 20):
            made.update(piece)
    return made.hexdigest()
