"""Write a cell of a Markdown table: one line, with bars that part no columns. Bars in code part none, and stay as they are."""

from __future__ import annotations

import re


def cell(text: str) -> str:
    """Return a text as a cell has it."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else part.replace("|", "\\|") for part in parts)
