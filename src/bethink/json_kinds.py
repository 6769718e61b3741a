"""Type guards for JSON values; imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import TypeIs


def is_object(value: object) -> TypeIs[dict[str, Any]]:
    """Tell whether what was read of JSON is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeIs[list[Any]]:
    """Tell whether what was read of JSON is an array."""
    return isinstance(value, list)
