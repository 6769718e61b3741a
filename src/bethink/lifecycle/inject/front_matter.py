"""Write a profile as YAML front matter.

Reading it back gives the profile. A word is left bare only where no reader of YAML, old or new, takes it for
anything but that word; every other string stands in double quotes, with signs that could forge a fence and
characters that cannot be seen written as escapes.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, cast

from bethink.lifecycle.inject.escape import is_invisible

if TYPE_CHECKING:
    from collections.abc import Mapping

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
_TAKEN = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null", "none"})
_ANGLES = frozenset("<>＜＞﹤﹥")
_DEEPEST = 6  #: levels in block style; what lies deeper is written on one line

EMPTY = "---\n{}\n---"


def front_matter(entries: Mapping[str, str]) -> str:
    """Return the front matter of fields that are already written."""
    return "\n".join(["---", *entries.values(), "---"]) if entries else EMPTY


def entry(name: str, value: Any) -> str:
    """Return one field as YAML, without the line end."""
    return "\n".join(_field(name, value, 0))


def _field(name: str, value: Any, depth: int) -> list[str]:
    indent = "  " * depth
    if _nested(value) and depth < _DEEPEST:
        return [f"{indent}{_string(name)}:", *_block(value, depth + 1)]
    return [f"{indent}{_string(name)}: {_flow(value)}"]


def _block(value: Any, depth: int) -> list[str]:
    if isinstance(value, dict):
        return [
            line
            for name, each in cast("dict[str, Any]", value).items()
            for line in _field(str(name), each, depth)
        ]
    indent, lines = "  " * depth, list[str]()
    for each in cast("list[Any]", value):
        if _nested(each) and depth < _DEEPEST:
            lines += [f"{indent}-", *_block(each, depth + 1)]
        else:
            lines.append(f"{indent}- {_flow(each)}")
    return lines


def _nested(value: Any) -> bool:
    return isinstance(value, dict | list | tuple) and bool(cast("list[Any]", value))


def _flow(value: Any) -> str:
    """Write a value on one line."""
    match value:
        case None:
            plain = "null"
        case bool():
            plain = "true" if value else "false"
        case int():
            plain = str(value)
        case float():
            plain = _float(value)
        case dict():
            inner = cast("dict[str, Any]", value).items()
            plain = "{" + ", ".join(f"{_double(str(name))}: {_inner(each)}" for name, each in inner) + "}"
        case list() | tuple():
            plain = "[" + ", ".join(_inner(each) for each in cast("list[Any]", value)) + "]"
        case _:
            plain = _string(str(value))
    return plain


def _inner(value: Any) -> str:
    return _double(value) if isinstance(value, str) else _flow(value)


def _float(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    plain = repr(value)
    mantissa, letter, exponent = plain.partition("e")
    return f"{mantissa}.0e{exponent}" if letter and "." not in mantissa else plain


def _string(text: str) -> str:
    bare = _BARE.fullmatch(text) is not None and text.lower() not in _TAKEN
    return text if bare else _double(text)


def _double(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    if plain.isascii() and plain.isprintable() and not _ANGLES.intersection(plain):
        return plain
    return "".join(_escape(char) if char in _ANGLES or is_invisible(char) else char for char in plain)


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004
