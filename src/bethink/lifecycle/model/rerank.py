"""Rerank recall hits with a chat model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bethink.lifecycle.model.json_validation import array, record
from bethink.lifecycle.model.model_call import ModelCaller
from bethink.lifecycle.model.prompt_examples import prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bethink.lifecycle.values import ModelUse
    from bethink.recall.values import Hit

MAX_HITS = 40  #: that are put in order; what comes after them stays after them
LONGEST = 600  #: characters of a text that the model reads
FOR_EACH = 12  #: tokens of the answer a hit
MIN_WRITTEN = 100

SCHEMA = record("order", order=array({"type": "integer"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """Hits in a new order, or in the old one with a remark that says why."""

    hits: tuple[Hit, ...]
    remark: str = ""
    used: tuple[ModelUse, ...] = ()


class ModelReranker(ModelCaller):
    """Orders hits by a chat model; it can move them, and nothing else.

    Args:
        chat: the model.
        how: as every engine that asks a model is told (`How`).
    """

    def rerank(self, query: str, hits: Sequence[Hit]) -> Reranked:
        """Return the same hits, best first; those that the model does not name keep their order after the others."""
        head, tail = tuple(hits[:MAX_HITS]), tuple(hits[MAX_HITS:])
        if len(head) < 2:  # noqa: PLR2004 - one hit is in order already
            return Reranked(hits=tuple(hits))
        asked = self._asking.ask(
            "rerank",
            prompt("rerank", self._examples),
            {
                "question": self._mask(query),
                "texts": [
                    {"n": n, "text": self._mask(hit.text)[:LONGEST], "day": _day(hit)}
                    for n, hit in enumerate(head, 1)
                ],
            },
            SCHEMA,
            budget=self._budget,
            most=MIN_WRITTEN + FOR_EACH * len(head),
        )
        if asked.reply is None:
            return _as_found(hits, asked.remark, asked.use)
        order = asked.reply["order"]
        known = range(1, len(head) + 1)
        if len(set(map(str, order))) != len(order) or not all(type(n) is int and n in known for n in order):
            remark = "the model's answer was refused: it names a text twice, or one that is not there"
            return _as_found(hits, remark, replace(asked.use, fell_back="refused"))
        rest = [n for n in known if n not in order]
        return Reranked(hits=(*(head[n - 1] for n in (*order, *rest)), *tail), used=(asked.use,))


def _as_found(hits: Sequence[Hit], remark: str, use: ModelUse) -> Reranked:
    return Reranked(
        hits=tuple(hits), remark=f"{remark}; the hits are in the order of the search", used=(use,)
    )


def _day(hit: Hit) -> str:
    at = hit.note.valid_from or hit.note.updated_at if hit.note else hit.item.at if hit.item else None
    return at.date().isoformat() if at else ""
