"""The admission setting: what an agent's notes may do at once, by scope, interface and tool family."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from bethink.errors import InvalidError
from bethink.notes.values import Admission, Door

if TYPE_CHECKING:
    from collections.abc import Iterator

FAMILIES: Final = ("private", "notes", "categories", "pools", "team", "workspace")
_KNOWN: Final = {f"door:{each}" for each in get_args(Door) if each != "distill"} | {
    f"family:{each}" for each in FAMILIES
}
SHAPE: Final = (
    "admission must be covered, pending or active, or several rules separated by commas, such as "
    "'covered,family:pools=active,door:mcp=pending,scope:agent:bot:*=pending'"
)


class Admissions(NamedTuple):
    """What the setting says."""

    usual: Admission | None
    named: tuple[tuple[str, Admission], ...]  #: `door:…`, `family:…` or `scope:…`, and what holds there

    def of(self, namespace: str, door: str, family: str) -> Admission:
        """Return what holds for a note: by its scope, else its door, else its family, else in general."""
        for kind, value in (("scope", namespace), ("door", door), ("family", family)):
            for selector, admission in self.named:
                name, _, pattern = selector.partition(":")
                if name == kind and fnmatchcase(value, pattern):
                    return admission
        return self.usual or ("covered" if family in {"private", "notes", "categories"} else "active")


@lru_cache(maxsize=64)
def read_admissions(text: str) -> Admissions:
    """Read the setting.

    Raises:
        InvalidError: it is of another shape.
    """
    usual: Admission | None = None
    named: list[tuple[str, Admission]] = []
    for selector, word in _entries(text):
        if word not in get_args(Admission) or (
            selector and selector not in _KNOWN and not selector.startswith("scope:")
        ):
            raise InvalidError(SHAPE, argument="admission", actual=text)
        if selector:
            named.append((selector, word))  # pyright: ignore[reportArgumentType]
        else:
            usual = word  # pyright: ignore[reportAssignmentType]
    return Admissions(usual, tuple(named))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    for each in text.split(","):
        if each.strip():
            selector, _, word = each.strip().rpartition("=")
            yield selector.strip(), word.strip()
