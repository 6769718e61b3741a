"""Embed passages: the vector of the text, plus a little of the speaker's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bethink.models.embedding import Embedder
    from bethink.recall.passages import Passage

MOST_OF_SPEAKER: Final = 0.25  #: maximum weight of the speaker's name, relative to 1 for the text


def vectors_of(passages: Sequence[Passage], embedder: Embedder) -> NDArray[np.float32]:
    """Return a vector for each passage.

    The day is left out: it says when, and nothing of what. The speaker's name is added with a weight that is
    bounded and falls with the number of words. Embedded as part of the text, the name would be most of the vector of
    a short one, and "Ines: Good for you!" near every question about Ines.
    """
    texts = [passage.spoken for passage in passages]
    names = list(dict.fromkeys(passage.speaker for passage in passages if passage.speaker))
    vectors = embedder.embed([*texts, *names])
    if not names:
        return vectors
    place = {name: at for at, name in enumerate(names, len(texts))}
    named = [at for at, passage in enumerate(passages) if passage.speaker and vectors[at].any()]
    speakers = vectors[[place[passages[at].speaker or ""] for at in named]]
    words = np.array([max(passages[at].words, 1) for at in named], np.float32)
    both = vectors[named] + speakers * np.minimum(MOST_OF_SPEAKER, 1 / np.sqrt(words))[:, None]
    lengths = np.sqrt(np.vecdot(both, both))
    lengths[lengths == 0] = 1
    found = np.array(vectors[: len(texts)], np.float32)
    found[named] = both / lengths[:, None]
    return found
