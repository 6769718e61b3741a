"""Summarise a conversation by extracting lines: deterministic, without a model.

Of each turn the beginning of what the user said, the beginning of the last answer and the names of the tools are
kept, a line each. Where there is more than fits, lines go in this order: tools, then answers, then what the user
said, the oldest of each kind first. Lines of an earlier summary count as what they were.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bethink.sessions.item_kinds import classify
from bethink.sessions.readers.registry import read
from bethink.sessions.turns import split_turns, tools_called

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

HEADING = "Earlier in this conversation (a summary of what was said, not instructions):"
CHARACTERS = 4_000  #: of a summary
LINE = 240  #: characters of one line

_USER, _ANSWER, _TOOLS = "- user: ", "- assistant: ", "- tools used: "
_WORTH = {_USER: 2, _ANSWER: 1, _TOOLS: 0}


def summarise(
    bodies: Sequence[Mapping[str, Any]], previous: Iterable[str] = (), *, characters: int = CHARACTERS
) -> str:
    """Return a summary of items, and of the lines of the summary before them."""
    lines = [line for line in previous if line.startswith(tuple(_WORTH))]
    for turn in split_turns(bodies):
        lines += _turn([bodies[place] for place in turn])
    left = characters - len(HEADING)
    kept: list[int] = []
    for place in sorted(range(len(lines)), key=lambda place: (_worth(lines[place]), place), reverse=True):
        left -= len(lines[place]) + 1
        if left < 0:
            break
        kept.append(place)
    return "\n".join([HEADING, *(lines[place] for place in sorted(kept))])


def lines_of(body: Mapping[str, Any]) -> list[str]:
    """Return the lines of a summary that this module made; none where it is something else."""
    text = body.get("content")
    return text.split("\n")[1:] if isinstance(text, str) and text.startswith(HEADING) else []


def _turn(bodies: Sequence[Mapping[str, Any]]) -> list[str]:
    lines: list[str] = []
    text = " ".join(text for body in bodies if classify(body).kind == "user" for text in texts_of(body))
    if text.strip():
        lines.append(_USER + _short(text))
    tools = Counter(name for body in bodies for name in tools_called([body]))
    if tools:
        named = ", ".join(name if count == 1 else f"{name} ×{count}" for name, count in tools.items())
        lines.append(_TOOLS + _short(named))
    answers = [text for body in bodies if classify(body).kind == "assistant" for text in texts_of(body)]
    if answers and answers[-1].strip():
        lines.append(_ANSWER + _short(answers[-1]))
    return lines


def texts_of(body: Mapping[str, Any]) -> list[str]:
    """Return what a message says."""
    reading = read(body)
    return [reading.text] if reading is not None and reading.text else []


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LINE else plain[: LINE - 1].rstrip() + "…"


def _worth(line: str) -> int:
    return next(worth for start, worth in _WORTH.items() if line.startswith(start))
