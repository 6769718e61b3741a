"""Keep the parts of a path apart: a slash within a name, which is sent as %2F, parts nothing."""

from __future__ import annotations

from typing import Final
from urllib.parse import unquote

from starlette.convertors import Convertor, register_url_convertor

API: Final = "/v1/"
_KEPT: Final = (("%", "%25"), ("/", "%2F"))  #: what stays written within a part


class _Part(Convertor[str]):
    """One part of a path, whatever its characters are."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        """Return what the part says."""
        for plain, kept in reversed(_KEPT):
            value = value.replace(kept, plain)
        return value

    def to_string(self, value: str) -> str:
        """Return the part as it stands in a path of ours."""
        return _kept(value)


def register_parts() -> None:
    """Let routes say `{name:part}`."""
    register_url_convertor("part", _Part())


def parted(path: str, raw: bytes) -> str:
    """Return the path of a request to the API with what parts nothing kept written; other paths as they are."""
    if not path.startswith(API) or b"%" not in raw:
        return path
    return "/".join(_kept(unquote(each.decode("latin-1"))) for each in raw.split(b"/"))


def _kept(text: str) -> str:
    for plain, kept in _KEPT:
        text = text.replace(plain, kept)
    return text
