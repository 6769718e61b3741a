"""Decode msgpack and pickle as plain data, without importing, building or calling anything that they name."""

from __future__ import annotations

import io
import pickle
import struct
from dataclasses import dataclass
from typing import Any, Final, Self

from bethink.errors import InvalidError

DEEPEST: Final = 200
_FORMATS: Final = {
    0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q",
    0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q",
}  # fmt: skip
_LENGTHS: Final = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I",
                   0xDE: ">H", 0xDF: ">I", 0xC7: ">B", 0xC8: ">H", 0xC9: ">I"}  # fmt: skip
_WORDS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_FIXED_EXTENSIONS: Final = {0xD4: 1, 0xD5: 2, 0xD6: 4, 0xD7: 8, 0xD8: 16}


@dataclass(frozen=True, slots=True)
class Extension:
    """What stands for an object of a program: a number that says how it was packed, and its bytes."""

    code: int
    data: bytes


def decode_msgpack(data: bytes) -> Any:
    """Return the one value of a msgpack text.

    Raises:
        InvalidError: it breaks off, or is none.
    """
    reader = _Reader(data)
    try:
        value = reader.value(0)
    except (struct.error, IndexError, UnicodeDecodeError, TypeError) as error:
        raise InvalidError("not valid msgpack: it is incomplete", argument="path") from error
    if reader.at != len(data):
        raise InvalidError("not valid msgpack: data follows the value", argument="path")
    return value


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def _take(self, count: int) -> bytes:
        if count > len(self._data) - self.at:
            raise IndexError(count)
        self.at += count
        return self._data[self.at - count : self.at]

    def _number(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))[0]

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise InvalidError("nested too deeply", argument="path")
        sign = self._take(1)[0]
        if sign < 0xC0 or sign >= 0xE0:  # noqa: PLR2004 - the numbers are those of msgpack
            return self._short(sign, depth)
        if sign in _WORDS:
            return _WORDS[sign]
        if sign in _FORMATS:
            return self._number(_FORMATS[sign])
        if sign in _FIXED_EXTENSIONS:
            return Extension(self._number(">b"), self._take(_FIXED_EXTENSIONS[sign]))
        if sign not in _LENGTHS:
            raise InvalidError("not valid msgpack", argument="path")
        return self._sized(sign, self._number(_LENGTHS[sign]), depth)

    def _short(self, sign: int, depth: int) -> Any:
        """Return a value whose first byte says its size, too."""
        if sign >= 0xE0:  # noqa: PLR2004
            return sign - 0x100
        if sign >= 0xA0:  # noqa: PLR2004
            return self._take(sign & 0x1F).decode("utf-8", "surrogatepass")
        if sign >= 0x90:  # noqa: PLR2004
            return self._list(sign & 0x0F, depth)
        return self._map(sign & 0x0F, depth) if sign >= 0x80 else sign  # noqa: PLR2004

    def _sized(self, sign: int, length: int, depth: int) -> Any:
        if sign <= 0xC6:  # noqa: PLR2004
            return self._take(length)
        if sign <= 0xC9:  # noqa: PLR2004
            return Extension(self._number(">b"), self._take(length))
        if sign <= 0xDB:  # noqa: PLR2004
            return self._take(length).decode("utf-8", "surrogatepass")
        return self._list(length, depth) if sign <= 0xDD else self._map(length, depth)  # noqa: PLR2004

    def _list(self, count: int, depth: int) -> list[Any]:
        return [self.value(depth + 1) for _ in range(count)]

    def _map(self, count: int, depth: int) -> dict[Any, Any]:
        return {self.value(depth + 1): self.value(depth + 1) for _ in range(count)}


class Shell:
    """Stands for an object of a pickle: what it was made with, and nothing that it did."""

    state: Any = None

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make an empty one, whatever it is called with."""
        return object.__new__(cls)

    def __setstate__(self, state: Any) -> None:
        """Keep the state."""
        self.state = state


class _Inert(pickle.Unpickler):
    """Reads a pickle without importing what it names."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:  # noqa: ARG002
        """Return a shell in the place of every class and function."""
        return Shell


def decode_pickle(data: bytes) -> Any:
    """Return what a pickle holds: plain values, and shells in the place of objects. Nothing in it is run.

    Raises:
        InvalidError: it breaks off, or is none.
    """
    try:
        return _Inert(io.BytesIO(data)).load()
    except Exception as error:  # a broken pickle fails in any way
        raise InvalidError("not a valid pickle, or incomplete", argument="path") from error
