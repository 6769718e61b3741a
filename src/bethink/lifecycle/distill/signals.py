"""Read choices that tool calls repeat: low-trust candidates, for nobody has said them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bethink.lifecycle.values import Candidate
from bethink.sessions.readers.parts import arguments_of
from bethink.sessions.readers.registry import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bethink.sessions.values import Item

CONFIDENCE = 0.3
OFTEN = 2  #: calls that make the same choice
CHOICES = {
    "seat": "seat",
    "seating": "seat",
    "cabin": "flight",
    "airline": "flight",
    "meal": "dietary",
    "diet": "dietary",
    "dietary": "dietary",
    "room": "room",
    "bed": "room",
    "hotel": "hotel",
    "chain": "hotel",
    "baggage": "baggage",
    "bags": "baggage",
    "currency": "budget",
    "language": "language",
    "theme": "style",
    "units": "style",
    "framework": "coding",
}


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[a-z]+(?: [a-z]+)?", re.IGNORECASE)


def _calls(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the arguments of the calls in one item, whichever framework wrote it."""
    reading = read(body)
    for call in reading.calls if reading is not None else ():
        yield arguments_of(call.arguments)


def _choice(name: str, value: object) -> tuple[str, str] | None:
    """Return an argument as a choice, where it is a plain word under a name that stands for one."""
    label = next((part for part in re.split(r"[_\W]+", name.lower()) if part in CHOICES), None)
    if label is None or not isinstance(value, str) or len(value) > 24 or not _word().fullmatch(value):  # noqa: PLR2004
        return None
    return label, value.lower()


def signals(items: Sequence[Item]) -> tuple[Candidate, ...]:
    """Return the choices that several tool calls of a session agree on, leaving out contradicted ones."""
    seen: dict[str, dict[str, list[str]]] = {}
    for item in items:
        for call in _calls(item.body):
            for name, value in call.items():
                choice = _choice(name, value)
                if choice is not None:
                    seen.setdefault(choice[0], {}).setdefault(choice[1], []).append(item.id)
    found: list[Candidate] = []
    for label, values in seen.items():
        (value, ids), *others = values.items()
        if others or len(ids) < OFTEN:
            continue
        found.append(
            Candidate(
                text=f"Chosen repeatedly: {label} {value}.",
                kind="preference",
                keywords=(CHOICES[label],),
                durable=True,
                language="en",
                source="tool",
                sources=tuple(dict.fromkeys(ids)),
                confidence=CONFIDENCE,
            )
        )
    return tuple(found)
