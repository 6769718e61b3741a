"""The table while it learns: a bag of rows, each with a gain of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn.functional import cross_entropy, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

CONTRAST = 0.05  # temperature of pairs
LIKENESS = 0.1  # temperature of the teacher's likenesses
NEVER = -1e4


class Student(nn.Module):
    """A text is the sum of its pieces' rows, at length 1."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag.from_pretrained(table.clone(), freeze=False, mode="sum", sparse=True)
        self.gain = nn.Embedding.from_pretrained(torch.zeros(len(table), 1), freeze=False, sparse=True)

    def forward(self, bags: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return one row a bag of pieces."""
        pieces = torch.cat(tuple(bags))
        ends = torch.cumsum(torch.tensor([len(bag) for bag in bags]), 0)
        starts = torch.cat((torch.zeros(1, dtype=torch.long), ends[:-1]))
        gains = self.gain(pieces).squeeze(1).exp()
        return normalize(self.rows(pieces, starts, per_sample_weights=gains), dim=1)

    @torch.no_grad()
    def table(self) -> torch.Tensor:
        """Return the rows as they are written: each with its gain in it."""
        return self.rows.weight * self.gain.weight.exp()


def agreement(mine: torch.Tensor, teachers: torch.Tensor) -> torch.Tensor:
    """Say how far a batch's likenesses among themselves are from the teacher's."""
    itself = torch.eye(len(mine), dtype=torch.bool)
    got = (mine @ mine.T / LIKENESS).masked_fill(itself, NEVER).log_softmax(1)
    wanted = (teachers @ teachers.T / LIKENESS).masked_fill(itself, NEVER).softmax(1)
    return -(wanted * got.masked_fill(itself, 0)).sum(1).mean()


def contrast(one: torch.Tensor, other: torch.Tensor, also: torch.Tensor | None = None) -> torch.Tensor:
    """Say how badly each row finds its partner among all; `also` marks pairs that fit as well."""
    scores = one @ other.T / CONTRAST
    if also is not None:
        scores = scores.masked_fill(also, NEVER)
    partner = torch.arange(len(one))
    return (cross_entropy(scores, partner) + cross_entropy(scores.T, partner)) / 2
