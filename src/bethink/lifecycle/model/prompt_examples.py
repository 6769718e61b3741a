"""The prompts of the model engines, and the examples that an application adds to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_SIGNS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What a model is shown: an input as the stage sends it, and the answer that would be right."""

    input: Mapping[str, Any]
    output: Mapping[str, Any]


@cache
def _words(name: str) -> str:
    folder = files("bethink.lifecycle.model") / "prompts"
    data = (folder / "data.md").read_text(encoding="utf-8").strip()
    return f"{(folder / f'{name}.md').read_text(encoding='utf-8').strip()}\n\n{data}"


def prompt(name: str, examples: Sequence[Example] = ()) -> str:
    """Return the instructions of a stage, with examples after them."""
    shown = [
        f"Example {number}, input:\n{quoted_json(each.input)}\nExample {number}, answer:\n{quoted_json(each.output)}"
        for number, each in enumerate(examples, 1)
    ]
    return "\n\n".join([_words(name), *shown])


def quoted_json(value: object) -> str:
    """Return data as JSON on one line, in which no text can end its quotation or close a tag."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_SIGNS)
