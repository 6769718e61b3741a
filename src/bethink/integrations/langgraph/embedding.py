"""Adapt the embeddings that LangGraph's store is configured with to the `Embedder` port."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from langgraph.store.base import ensure_embeddings

from bethink.errors import InvalidError, ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from langchain_core.embeddings import Embeddings
    from numpy.typing import NDArray


class CallersEmbedder:
    """Vectors of an `Embeddings` object, a function, an awaited function, or a name such as `openai:…`.

    Args:
        embeddings: what makes the vectors.
        dimensions: how long they are.
        loop: of the caller, where it is another thread's: what is awaited is awaited there.
        query: a text that is embedded as a query; others are documents.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        dimensions: int,
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        query: str | None = None,
    ) -> None:
        self.embeddings = embeddings
        self.dimensions = dimensions
        self._loop = loop
        self._query = query
        named = getattr(embeddings, "model", None) or getattr(embeddings, "model_name", None)
        self.identity = f"langgraph:{type(embeddings).__qualname__}:{named or ''}:{dimensions}"

    def asked(self, *, loop: asyncio.AbstractEventLoop | None, query: str | None = None) -> CallersEmbedder:
        """Return the same model for one call."""
        return CallersEmbedder(self.embeddings, self.dimensions, loop=loop, query=query)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, as the model made it.

        Raises:
            ModelError: the rows are not as many as the texts, or not as long as was said.
        """
        import numpy as np

        wanted = list(texts)
        made = [self._one(wanted[0])] if wanted == [self._query] else self._all(wanted)
        rows = np.asarray(made, np.float32)
        if rows.shape != (len(wanted), self.dimensions):
            raise ModelError(
                f"the embedding model returns vectors of shape {rows.shape[1:]}, but dims is "
                f"{self.dimensions}",
                provider=self.identity,
                reason="dimensions",
            )
        return rows

    def _one(self, text: str) -> list[float]:
        if self._awaits():
            return self._awaited(self.embeddings.aembed_query(text))
        return self.embeddings.embed_query(text)

    def _all(self, texts: list[str]) -> list[list[float]]:
        if self._awaits():
            return self._awaited(self.embeddings.aembed_documents(texts))
        return self.embeddings.embed_documents(texts)

    def _awaits(self) -> bool:
        return hasattr(self.embeddings, "afunc") and not hasattr(self.embeddings, "func")

    def _awaited(self, work: Any) -> Any:
        if self._loop is not None:
            return asyncio.run_coroutine_threadsafe(work, self._loop).result()
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(work)
        work.close()
        raise InvalidError(
            "the embedding function is asynchronous; inside a running event loop, use aput, asearch "
            "and abatch",
            argument="embed",
        )


def configured_embedder(config: Any) -> CallersEmbedder | None:
    """Return the model that an `IndexConfig` names; None where it names none, and ours is used.

    Raises:
        InvalidError: it names a model, and not how long its vectors are.
    """
    if not config or config.get("embed") is None:
        return None
    dims = config.get("dims")
    if isinstance(dims, bool) or not isinstance(dims, int) or dims < 1:
        raise InvalidError(
            "index must contain the length of the vectors: {'dims': 1536, 'embed': …}", argument="index"
        )
    return CallersEmbedder(ensure_embeddings(config["embed"]), dims)
