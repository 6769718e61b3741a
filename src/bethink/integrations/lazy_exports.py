"""Lazy imports of an integration's public names, because frameworks are slow to import."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def lazy_exports(
    package: str, homes: Mapping[str, str], held: dict[str, Any]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package.

    `homes` says in which of its modules a name is; `held` are the package's globals, where a name stays.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807 - what a module calls it
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = held[name] = getattr(import_module(f"{package}.{homes[name]}"), name)
        return value

    def __dir__() -> list[str]:  # noqa: N807
        return sorted({*held, *homes})

    return __getattr__, __dir__
