"""An embedding model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, cast

from bethink.errors import InvalidError
from bethink.models.openai_calls import Endpoint, count_of, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class OpenAIEmbedder:
    """Vectors from `/v1/embeddings` of OpenAI, or of what speaks its protocol.

    Args:
        model: its name, as the endpoint knows it.
        dimensions: the length of a vector, where the endpoint lets it be chosen; None takes what it gives.
        base_url: where the endpoint is; None is OpenAI itself.
        api_key: None takes `OPENAI_API_KEY`, but only where no `base_url` is given.
        batch: texts in one request at most.
        longest: characters of a text that are read; what comes after them adds nothing to its vector.
        timeout: seconds of silence after which a request is given up.
        deadline: seconds that one request takes at most, with all its tries.
        retries: how often a request is tried again after 429, 5xx and lost connections.
        backoff: seconds before the second try; twice as many before each further one.
        most_bytes: of an answer as it comes over the wire.

    Raises:
        ImportError: the `openai` package is missing; the message says how to install it.
        InvalidError: a bound is not a positive number.
    """

    def __init__(
        self,
        model: str,
        *,
        dimensions: int | None = None,
        base_url: str | None = None,
        api_key: str | None = None,
        batch: int = 128,
        longest: int = 8_000,
        timeout: float = 30.0,
        deadline: float = 60.0,
        retries: int = 2,
        backoff: float = 0.5,
        most_bytes: int = 64 * 1024 * 1024,
    ) -> None:
        if min(batch, longest, timeout, deadline, most_bytes, dimensions or 1) <= 0:
            raise InvalidError(
                "batch, longest, timeout and deadline must be greater than 0", argument="batch"
            )
        self.model = model
        self._asked = dimensions
        self._found = dimensions
        self._batch = batch
        self._longest = longest
        self._guard = threading.Lock()
        self._counting = threading.Lock()
        self._tokens = 0
        self._endpoint = Endpoint(
            f"openai:{model}",
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            deadline=deadline,
            retries=retries,
            backoff=backoff,
            most_bytes=most_bytes,
        )

    def __repr__(self) -> str:
        return f"<embedder {self.identity!r}>"

    @property
    def identity(self) -> str:
        """Return the provider, the name of the model, and the length of a vector where one was chosen."""
        chosen = "" if self._asked is None else f":{self._asked}"
        return f"openai:{self.model}{chosen}"

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; the first time, the endpoint is asked unless it was chosen.

        Raises:
            ModelError: the endpoint does not answer.
        """
        with self._guard:
            if self._found is None:
                self._found = self._vectors(["dimensions"]).shape[1]
            return self._found

    @property
    def tokens(self) -> int:
        """Return the tokens that the endpoint says it took for this embedder."""
        with self._counting:
            return self._tokens

    def close(self) -> None:
        """Close the connections. The next call opens new ones."""
        self._endpoint.close()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, of length 1; a blank text gives a row of zeros, and is not sent.

        Raises:
            ModelError: the endpoint does not answer, or not with one vector of the same length for each text.
        """
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        sent = [(place, text[: self._longest]) for place, text in enumerate(texts) if text.strip()]
        for start in range(0, len(sent), self._batch):
            part = sent[start : start + self._batch]
            vectors = self._vectors([without_surrogates(text) for _, text in part])
            if vectors.shape[1] != rows.shape[1]:
                self._endpoint.fail("unreadable", expected=rows.shape[1], actual=vectors.shape[1])
            rows[[place for place, _ in part]] = vectors
        return rows

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        body: dict[str, Any] = {"model": self.model, "input": list(texts), "encoding_format": "float"}
        if self._asked is not None:
            body["dimensions"] = self._asked
        answer, *_ = self._endpoint.post("embeddings", body)
        with self._counting:
            self._tokens += count_of(answer.get("usage"), "total_tokens") or 0
        found: dict[int, Any] = {}
        data = answer.get("data")
        for place, each in enumerate(cast("list[Any]", data) if isinstance(data, list) else []):
            row = cast("dict[str, Any]", each) if isinstance(each, dict) else {}
            found[row.get("index", place)] = row.get("embedding")
        if found.keys() != set(range(len(texts))):
            self._endpoint.fail("unreadable", expected=len(texts), actual=len(found))
        try:
            vectors = np.array([found[place] for place in range(len(texts))], np.float32)
        except (ValueError, TypeError):
            self._endpoint.fail("unreadable")
        if vectors.ndim != 2 or not vectors.shape[1] or not np.isfinite(vectors).all():  # noqa: PLR2004
            self._endpoint.fail("unreadable")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
