"""Small texts and a hashing embedder for the tests of recall."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b

import numpy as np

from bethink.recall.namespace_index import NamespaceIndex
from bethink.recall.passage_blocks import block_of
from bethink.recall.passages import Passage, of_item
from bethink.recall.tokenizer import words
from bethink.sessions.values import Item

START = datetime(2024, 3, 1, 9, tzinfo=UTC)


@cache
def direction(word, dimensions):
    seed = int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "little")
    return np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)


def embed(texts, dimensions=32):
    """Turn every word into a direction of its own, so that texts with the same words are near."""
    rows = np.zeros((len(texts), dimensions), np.float32)
    for at, text in enumerate(texts):
        for word in words(text):
            rows[at] += direction(word, dimensions)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, 1)


def item(seq, text, *, session="s", speaker=None, role="user", minutes=None):
    at = START + timedelta(minutes=seq if minutes is None else minutes)
    body = {"role": role, "content": text}
    return Item(id=f"{session}-{seq}", session=session, seq=seq, body=body, at=at, speaker=speaker)


def note(key, text):
    return Passage(kind="note", owner=key, text=text, words=len(text.split()), at=0)


def said(owner, *texts, start=1, **options):
    """Return the passages of a session, one item a text."""
    return [p for seq, text in enumerate(texts, start) for p in of_item(item(seq, text, **options), owner)]


def index_of(*batches, vectors=True):
    index = NamespaceIndex()
    for batch in batches:
        index.extend(block_of(batch, embed([p.text for p in batch]) if vectors else None))
    return index


def keys(ranking):
    return [(hit.kind, hit.owner, hit.seq) for hit in ranking.hits]


def ask(index, text, *, vectors=True, **options):
    return index.search(text, embed([text])[0] if vectors else None, **options)
