"""The sentence model that the static table learns from: MiniLM, read from its safetensors file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from safetensors.torch import load_file
from torch.nn.functional import embedding, gelu, layer_norm, linear, normalize, scaled_dot_product_attention

from bethink.models.static import split_words, wordpieces

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HEADS = 12
EPSILON = 1e-12
LONGEST = 254  # pieces of a text, without its two marks


class Teacher:
    """MiniLM-L6: six layers, the mean of the last one, length 1."""

    def __init__(self, folder: Path) -> None:
        read = load_file(folder / "model.safetensors")
        self.weights = {
            name: weight.bfloat16() for name, weight in read.items()
        }  # twice as fast, and as good
        self.layers = sum(name.endswith("attention.self.query.weight") for name in self.weights)
        listed = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.vocabulary = {piece: row for row, piece in enumerate(listed) if piece}
        self.first, self.last = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        self.unknown = self.vocabulary["[UNK]"]

    def cut(self, text: str) -> list[int]:
        """Return the pieces of a text as the model was trained to see them."""
        found: list[int] = []
        for word in split_words(text):
            found += list(wordpieces(word, self.vocabulary)) or [self.unknown]
        return found[:LONGEST]

    @torch.inference_mode()
    def embed(self, texts: Sequence[str], batch: int = 64) -> torch.Tensor:
        """Return one row a text; texts of a length go together, so that little is padded."""
        return self.embed_pieces([self.cut(text) for text in texts], batch)

    @torch.inference_mode()
    def embed_pieces(self, cut: Sequence[Sequence[int]], batch: int = 64) -> torch.Tensor:
        """Return one row a list of pieces."""
        order = sorted(range(len(cut)), key=lambda row: len(cut[row]))
        out = torch.zeros(len(cut), self.weights["embeddings.word_embeddings.weight"].shape[1])
        for start in range(0, len(order), batch):
            rows = order[start : start + batch]
            longest = max(len(cut[row]) for row in rows) + 2
            ids = torch.zeros(len(rows), longest, dtype=torch.long)
            mask = torch.zeros(len(rows), longest, dtype=torch.bool)
            for at, row in enumerate(rows):
                full = [self.first, *cut[row], self.last]
                ids[at, : len(full)] = torch.tensor(full)
                mask[at, : len(full)] = True
            out[rows] = self._forward(ids, mask)
        return out

    def _forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        weight = self.weights
        hidden = embedding(ids, weight["embeddings.word_embeddings.weight"])
        hidden = hidden + weight["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = hidden + weight["embeddings.token_type_embeddings.weight"][0]
        hidden = self._norm(hidden, "embeddings.LayerNorm")
        for layer in range(self.layers):
            hidden = self._layer(hidden, mask, f"encoder.layer.{layer}.")
        share = mask.float() / mask.sum(1, keepdim=True)
        return normalize(torch.einsum("bt,btd->bd", share, hidden.float()))

    def _layer(self, hidden: torch.Tensor, mask: torch.Tensor, at: str) -> torch.Tensor:
        count, length, size = hidden.shape
        query, key, value = (
            self._linear(hidden, f"{at}attention.self.{part}").view(count, length, HEADS, -1).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        seen = scaled_dot_product_attention(query, key, value, attn_mask=mask[:, None, None, :])
        seen = self._linear(seen.transpose(1, 2).reshape(count, length, size), f"{at}attention.output.dense")
        hidden = self._norm(hidden + seen, f"{at}attention.output.LayerNorm")
        inner = gelu(self._linear(hidden, f"{at}intermediate.dense"))
        return self._norm(hidden + self._linear(inner, f"{at}output.dense"), f"{at}output.LayerNorm")

    def _linear(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        return linear(hidden, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, hidden: torch.Tensor, name: str) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return layer_norm(hidden, weight.shape, weight, bias, EPSILON)
