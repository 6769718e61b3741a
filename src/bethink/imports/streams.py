"""Open files, compressed files and members of archives, and stream JSON from them."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Final

from bethink.errors import InvalidError, LimitError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

_PIECE: Final = 1 << 20  #: characters that are read at once
LONGEST: Final = 256 << 20  #: characters of one element: a conversation, at most
MAX_MEMBERS: Final = 100_000  #: of one archive
MAX_GROWTH: Final = 500  #: times its size that a member may become
MAX_PLAIN: Final = 8 << 30  #: bytes that a file compressed by zstd may become
_ZSTD: Final = b"\x28\xb5"
_SMALL: Final = 64 << 20  #: bytes of a member whose growth nobody minds
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SIGNS: Final = re.compile(r'["{}\[\],]')
_STRING_END: Final = re.compile(r'["\\]')


@dataclass(frozen=True)
class Blob:
    """A file, or a member of an archive."""

    name: str
    opened: Callable[[], IO[bytes]]
    path: Path | None = None  #: where it is a file of its own
    modified: datetime | None = None

    @contextmanager
    def bytes(self) -> Generator[IO[bytes]]:
        """Open it; what is compressed is read as what it was before."""
        try:
            with self.opened() as raw:
                start = raw.read(2)
                raw.seek(0)
                if start == b"\x1f\x8b":
                    with gzip.open(raw, "rb") as plain:
                        yield plain  # pyright: ignore[reportReturnType]
                elif start == _ZSTD:
                    with _unzstd(raw, self.name) as plain:
                        yield plain
                else:
                    yield raw
        except FileNotFoundError:
            raise NotFoundError(f"no such file: {self.name}", kind="file", id=self.name) from None
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise InvalidError(f"cannot decompress {self.name}: {error}", argument="path") from None
        except (EOFError, gzip.BadGzipFile, zlib_error()) as error:
            raise InvalidError(
                f"{self.name} is incomplete or damaged ({error}); download it again", argument="path"
            ) from None
        except OSError as error:
            raise InvalidError(f"cannot read {self.name}: {error}", argument="path") from error

    @contextmanager
    def utf8(self) -> Generator[IO[bytes]]:
        """Open it as UTF-8; what says by its first bytes that it is UTF-16 or UTF-32 is turned into that.

        Raises:
            LimitError: it is in another encoding, and larger than what can be turned.
        """
        with self.bytes() as raw:
            start = raw.read(4)
            raw.seek(0)
            encoding = next((name for mark, name in _MARKS if start.startswith(mark)), "")
            if not encoding:
                yield raw
                return
            held = raw.read(LONGEST + 1)
            if len(held) > LONGEST:
                raise LimitError(
                    f"{self.name} is too large to be read as {encoding}; save it as UTF-8", limit=LONGEST
                )
            try:
                yield io.BytesIO(held.decode(encoding).encode("utf-8", "surrogatepass"))
            except UnicodeDecodeError as error:
                raise self._foreign(error) from None

    @contextmanager
    def text(self) -> Generator[io.TextIOWrapper]:
        """Open it as text.

        Raises:
            InvalidError: it is in another encoding than its first bytes say.
        """
        with self.utf8() as raw:
            try:
                yield io.TextIOWrapper(raw, encoding="utf-8-sig", newline="\n")
            except UnicodeDecodeError as error:
                raise self._foreign(error) from None

    def _foreign(self, error: UnicodeDecodeError) -> InvalidError:
        return InvalidError(
            f"{self.name} is not valid {error.encoding.upper()}; save it as UTF-8 and try again",
            argument="path",
            actual=error.start,
        )

    def head(self, size: int = 4096) -> bytes:
        """Return its first bytes, as they are."""
        with self.opened() as raw:
            return raw.read(size)

    def start(self, size: int = 4096) -> str:
        """Return about its first letters, without blanks and without what cannot be read."""
        with self.utf8() as raw:
            return raw.read(size).removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").lstrip()


@contextmanager
def _unzstd(raw: IO[bytes], name: str) -> Generator[IO[bytes]]:
    """Unpack what was compressed by zstd into a file that is gone afterwards.

    Raises:
        ImportError: `zstandard` is not installed.
        InvalidError: it is damaged, or breaks off.
        LimitError: it grows beyond any measure.
    """
    try:
        import zstandard
    except ImportError as error:
        raise ImportError(f"{name} is compressed with zstd: pip install 'bethink[imports]'") from error
    with tempfile.SpooledTemporaryFile(_SMALL) as plain:
        try:
            reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
            while piece := reader.read(_PIECE):
                if plain.tell() > MAX_PLAIN:
                    raise LimitError(f"{name} decompresses to more than {MAX_PLAIN} bytes", limit=MAX_PLAIN)
                plain.write(piece)
        except zstandard.ZstdError as error:
            raise InvalidError(
                f"{name} is incomplete or damaged ({error}); download it again", argument="path"
            ) from None
        plain.seek(0)
        yield plain  # pyright: ignore[reportReturnType]


def zlib_error() -> type[Exception]:
    """Return the error of damaged compressed data."""
    import zlib

    return zlib.error


def open_file(path: Path) -> Blob:
    """Return a file as a blob."""
    try:
        modified = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        modified = None
    return Blob(path.name, lambda: path.open("rb"), path, modified)


def archive_members(blob: Blob) -> Iterator[Blob]:
    """Yield the files of an archive; nothing of it is ever written to a disk.

    Raises:
        InvalidError: the archive is damaged.
        LimitError: it has too many members, or one grows beyond all measure.
    """
    try:
        with blob.opened() as raw, zipfile.ZipFile(raw) as archive:
            listed = archive.infolist()
    except (zipfile.BadZipFile, OSError) as error:
        raise InvalidError(
            f"{blob.name} is incomplete, or not an archive: {error}", argument="path"
        ) from None
    if len(listed) > MAX_MEMBERS:
        raise LimitError(
            f"{blob.name} has {len(listed)} members, but at most {MAX_MEMBERS} are allowed",
            limit=MAX_MEMBERS,
            actual=len(listed),
        )
    for member in listed:
        if member.is_dir():
            continue
        if member.file_size > _SMALL and member.file_size > MAX_GROWTH * max(member.compress_size, 1):
            raise LimitError(
                f"{blob.name}: a member expands more than {MAX_GROWTH} times when decompressed",
                limit=MAX_GROWTH,
                actual=member.file_size // max(member.compress_size, 1),
            )
        yield Blob(member.filename, _opener(blob, member.filename), None, blob.modified)


def _opener(blob: Blob, name: str) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        archive = zipfile.ZipFile(blob.path or blob.opened())
        return archive.open(name)

    return opened


def array_elements(blob: Blob, under: str | None = None) -> Iterator[tuple[int, Any]]:
    """Yield the elements of a JSON array, numbered from 1, and hold one at a time.

    With `under`, of the array that is the value of that name in the top object. An element that is not JSON by itself
    is yielded as the ValueError that it raises.

    Raises:
        InvalidError: the file breaks off, or holds no such array.
        LimitError: one element is larger than anybody's conversation.
    """
    with blob.text() as text:
        scanner = _Scanner(text, blob.name)
        scanner.enter(under)
        number = 0
        while (piece := scanner.element()) is not None:
            number += 1
            try:
                yield number, json.loads(piece)
            except (ValueError, RecursionError) as error:
                yield number, ValueError(str(error)) if isinstance(error, RecursionError) else error


class _Scanner:
    """Finds where values end, without making anything of them."""

    def __init__(self, text: IO[str], name: str) -> None:
        self._text = text
        self._name = name
        self._held = ""
        self._ended = False

    def _more(self) -> bool:
        piece = self._text.read(_PIECE)
        self._held += piece
        self._ended = not piece
        return bool(piece)

    def _skip(self, signs: str = " \t\r\n") -> str:
        """Pass over blanks; return the sign that follows, empty at the end."""
        while True:
            self._held = self._held.lstrip(signs)
            if self._held:
                return self._held[0]
            if not self._more():
                return ""

    def enter(self, under: str | None) -> None:
        sign = self._skip()
        if under is None:
            if sign != "[":
                raise InvalidError(f"{self._name} does not contain a JSON array", argument="path")
            self._held = self._held[1:]
            return
        if sign != "{":
            raise InvalidError(f"{self._name} does not contain a JSON object", argument="path")
        self._held = self._held[1:]
        while True:
            sign = self._skip(" \t\r\n,")
            if sign != '"':
                raise InvalidError(f"{self._name} has no list named {under!r}", argument="path")
            name = json.loads(self.value())
            if self._skip() != ":":
                raise self._broken()
            self._held = self._held[1:]
            if name == under and self._skip() == "[":
                self._held = self._held[1:]
                return
            self.value()

    def element(self) -> str | None:
        """Return the text of the next element; None at the end of the array."""
        sign = self._skip(" \t\r\n,")
        if sign == "]":
            return None
        if not sign:
            raise self._broken()
        return self.value()

    def value(self) -> str:
        """Return the text of the value that begins here."""
        self._skip()
        depth, at = 0, 0
        while True:
            found = _SIGNS.search(self._held, at)
            if found is None:
                at = len(self._held)
                self._grow()
                continue
            sign, at = found[0], found.end()
            if sign == '"':
                at = self._string(at)
            elif sign in "{[":
                depth += 1
            elif sign == "," and depth:
                continue
            elif sign in "]}":
                depth -= 1
            if depth < 0 or (sign == "," and not depth):
                at -= 1
            if depth <= 0 and not (sign == '"' and depth):
                value, self._held = self._held[:at], self._held[at:]
                return value

    def _string(self, at: int) -> int:
        """Return where the string that began ends."""
        while True:
            found = _STRING_END.search(self._held, at)
            if found is None:
                at = len(self._held)
                self._grow()
            elif found[0] == '"':
                return found.end()
            else:
                while found.end() >= len(self._held):
                    self._grow()
                at = found.end() + 1

    def _grow(self) -> None:
        if len(self._held) > LONGEST:
            raise LimitError(
                f"{self._name}: an element has more than {LONGEST} characters",
                limit=LONGEST,
                actual=len(self._held),
            )
        if not self._more():
            raise self._broken()

    def _broken(self) -> InvalidError:
        return InvalidError(
            f"{self._name} is incomplete: the JSON breaks off. Everything before that was read; "
            "download it again",
            argument="path",
            reason="truncated",
        )


def numbered_lines(blob: Blob) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, numbered from 1; those that are empty are passed over.

    Raises:
        LimitError: a line is larger than anybody's message.
    """
    with blob.utf8() as raw:
        number = 0
        while line := raw.readline(LONGEST):
            number += 1
            if len(line) >= LONGEST:
                raise LimitError(f"{blob.name}: line {number} is too long", limit=LONGEST, actual=len(line))
            if line.strip():
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
