"""Regular expressions that are compiled when they are first used: a process that asks one thing needs few of them."""

from __future__ import annotations

import re
from functools import cached_property


class Expression:
    """The text of a regular expression, and the expression once something is searched by it."""

    def __init__(self, text: str, flags: int = 0) -> None:
        self.text = text
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.text, self.flags)
