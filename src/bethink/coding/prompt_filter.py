"""Decide which prompts are worth a recall: no slash commands, nothing of a word or two."""

from __future__ import annotations

import re
from typing import Final

_COMMAND: Final = re.compile(r"\s*[/!#@]\w")
_WORD: Final = re.compile(r"[^\W_]+")
_UNSPACED: Final = re.compile(r"[\u0e00-\u0fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_LEAST: Final = 2  #: words
MAX: Final = 2_000  #: characters that are asked with: a pasted log is no question


def worth_asking(prompt: str) -> bool:
    """Tell whether a prompt says enough to be looked up."""
    if _COMMAND.match(prompt):
        return False
    return len(_WORD.findall(prompt[:MAX])) >= _LEAST or _UNSPACED.search(prompt[:MAX]) is not None
