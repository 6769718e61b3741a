"""Escape memory text so that it cannot break out of the context block.

What comes out is one line without `<` and `>`, so it can neither close a fence nor open one, nor pass for a
heading or for another bullet. What cannot be seen is taken out: control characters, marks that turn the
direction of writing, characters of no width, tags.
"""

from __future__ import annotations

import re

#: signs that read as angle brackets, whatever their width
_ANGLES = {"<": "&lt;", ">": "&gt;", "＜": "&lt;", "＞": "&gt;", "﹤": "&lt;", "﹥": "&gt;"}
_SIGNS = str.maketrans({"&": "&amp;", **_ANGLES})
_SELECTORS = range(0xE0100, 0xE01F0)  #: variation selectors, which can carry a hidden message
_BLANK = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")  #: letters that show nothing
_FENCE = re.compile(r"<(?=\s*/?\s*(?:user_profile|memories|memory_policy)\b)", re.IGNORECASE)
_OUTER = re.compile(r"\A\s*<memory_policy>(.*)</memory_policy>\s*\Z", re.DOTALL | re.IGNORECASE)

LONGEST_LABEL = 64


def escape_line(text: str) -> str:
    """Return a text as one line that can do nothing but be read."""
    return visible_line(text).translate(_SIGNS)


def visible_line(text: str) -> str:
    """Return a text as one line of characters that can be seen."""
    spaced = " ".join(text.split())
    if spaced.isascii() and spaced.isprintable():
        return spaced
    return " ".join("".join(char for char in spaced if not is_invisible(char)).split())


def is_invisible(char: str) -> bool:
    """Tell whether a character shows nothing, though it may do something."""
    return not char.isprintable() or char in _BLANK or ord(char) in _SELECTORS


def quote(text: str) -> str:
    """Return a text as somebody's words, in quotation marks that it cannot end."""
    plain = escape_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def label(text: str) -> str:
    """Return a name that cannot be taken for more than a name."""
    plain = " ".join(re.sub(r'["\[\]():,]', " ", visible_line(text)).split())
    return plain[:LONGEST_LABEL].rstrip().translate(_SIGNS)


def policy_text(text: str) -> str:
    """Return the application's own policy without fences of ours in it."""
    inner = _OUTER.match(text)
    return _FENCE.sub("&lt;", inner.group(1) if inner else text).strip()
