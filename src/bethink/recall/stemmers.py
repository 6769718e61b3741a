"""Load Snowball stemmers, one language at a time.

`import snowballstemmer` loads those of three dozen languages, which takes a tenth of a second of a new process. Its
modules are loaded one by one under a name of ours instead; so the stems are the same wherever else is installed, too.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any, Final, cast

_NAME: Final = "bethink.recall._snowball"


def stemmer(language: str) -> Any:
    """Return a new stemmer of a language."""
    if not _found():  # in an archive, or frozen: the package knows the way
        import snowballstemmer

        return cast("Any", snowballstemmer).stemmer(language)
    module = import_module(f"{_NAME}.{language}_stemmer")
    return _with_tables(getattr(module, f"{language.title()}Stemmer"))()


def _with_tables(plain: type[Any]) -> type[Any]:
    """Return a stemmer that looks endings up in tables, where the package searches its lists letter by letter.

    The longest that stands there counts, as in the package; the stems are the same, in half of the time.
    """

    class Stemmer(plain):
        def find_among(self, endings: Any) -> Any:
            start, current = self.cursor, self.current
            for size, known in _table_of(endings):
                if start + size <= self.limit:
                    found = known.get(current[start : start + size])
                    if found is not None and _takes(self, found, start + size):
                        return found.result
            return 0

        def find_among_b(self, endings: Any) -> Any:
            end, current = self.cursor, self.current
            for size, known in _table_of(endings):
                if end - size >= self.limit_backward:
                    found = known.get(current[end - size : end])
                    if found is not None and _takes(self, found, end - size):
                        return found.result
            return 0

    return Stemmer


def _takes(stemmer: Any, found: Any, cursor: int) -> bool:
    """Move on behind an ending, unless it has a condition that does not hold."""
    stemmer.cursor = cursor
    if found.method is not None:
        if not found.method(stemmer):
            return False
        stemmer.cursor = cursor
    return True


def _table_of(endings: Any) -> list[tuple[int, dict[str, Any]]]:
    """Return the endings of a list by their length, the longest first."""
    known = _tables.get(id(endings))
    if known is None:
        by_size: dict[int, dict[str, Any]] = {}
        for each in endings:
            by_size.setdefault(len(each.s), {})[each.s] = each
        known = _tables[id(endings)] = sorted(by_size.items(), reverse=True)
    return known


_tables: dict[int, list[tuple[int, dict[str, Any]]]] = {}  #: by the identity of a list that a class keeps


def _found() -> bool:
    """Give the folder of the package a name under which it is not loaded as a whole."""
    if _NAME in sys.modules:
        return True
    spec = PathFinder.find_spec("snowballstemmer")
    if spec is None or not spec.submodule_search_locations:
        return False
    package = ModuleType(_NAME, "The modules of Snowball, one at a time.")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_NAME] = package
    return True
