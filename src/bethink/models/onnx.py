"""An embedder that runs a local sentence-transformer with ONNX Runtime."""

from __future__ import annotations

import hashlib
import threading
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from bethink.errors import InvalidError, ModelError
from bethink.models.onnx_folder import Folder, read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bethink.models.onnx_folder import Pooling

_PIECE: Final = 1 << 20
_GIVEN: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})  #: what a model may ask for


class OnnxEmbedder:
    """Vectors of a transformer that lies on this machine. Nothing is fetched.

    It is safe to share between threads. The model is read when the first text is embedded.

    Args:
        folder: what an export of a sentence transformer leaves: `tokenizer.json`, `model.onnx` (or
            `onnx/model.onnx`), and beside them, where they are there, `1_Pooling/config.json`,
            `sentence_bert_config.json` and `config_sentence_transformers.json`.
        model: another file of the folder, such as `onnx/model_quantized.onnx`.
        pooling: `mean` of the tokens, or `cls`, the first of them; None is what the folder says, else `mean`.
        longest: tokens of a text that are read; None is what the folder says, else 256.
        prefix: what each text begins with, such as `query: ` for E5; None is the prompt that the folder has for all.
        batch: texts that are run at once.
        threads: of one run; None leaves it to the runtime, which takes every core.

    Raises:
        ImportError: `onnxruntime` or `tokenizers` is missing; the message says how to install them.
        NotFoundError: a file is missing.
        InvalidError: a bound is not a positive number, or the folder wants something that is not known here.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        model: str | None = None,
        pooling: Pooling | None = None,
        longest: int | None = None,
        prefix: str | None = None,
        batch: int = 32,
        threads: int | None = None,
    ) -> None:
        for package in ("onnxruntime", "tokenizers"):
            if find_spec(package) is None:
                raise ImportError(
                    f"a local transformer requires {package}: pip install 'bethink[onnx]'", name=package
                )
        if min(batch, longest or 1, 1 if threads is None else threads) <= 0:
            raise InvalidError("batch, longest and threads must be greater than 0", argument="batch")
        self._folder = read(Path(folder), model=model, pooling=pooling, longest=longest, prefix=prefix)
        self._batch = batch
        self._threads = threads
        self._lock = threading.Lock()
        self._identity: str | None = None
        self._loaded: _Loaded | None = None

    def __repr__(self) -> str:
        return f"<embedder of {str(self._folder.model)!r}>"

    @property
    def identity(self) -> str:
        """Name the digest of the model, its tokenizer and how texts are read."""
        with self._lock:
            if self._identity is None:
                self._identity = f"onnx-{_digest(self._folder)}"
            return self._identity

    @property
    def dimensions(self) -> int:
        """Return the length of a vector; the first time, the model is read and run."""
        return self._opened().dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text, of length 1; a blank text gives a row of zeros.

        Raises:
            ModelError: the files are not a model and a tokenizer that fit together.
        """
        import numpy as np

        loaded = self._opened()
        rows = np.zeros((len(texts), loaded.dimensions), np.float32)
        ordered = sorted(
            (place for place, text in enumerate(texts) if text.strip()), key=lambda at: len(texts[at])
        )
        for start in range(0, len(ordered), self._batch):
            part = ordered[start : start + self._batch]
            rows[part] = loaded.embed([texts[place] for place in part])
        return rows

    def _opened(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._folder, self._threads)
            return self._loaded


class _Loaded:
    """A model and its tokenizer in memory."""

    def __init__(self, folder: Folder, threads: int | None) -> None:
        self._folder = folder
        self._tokenizer = self._read_tokenizer()
        self._session = self._read_model(threads)
        self._inputs = [each.name for each in self._session.get_inputs()]
        strange = sorted(set(self._inputs) - _GIVEN)
        if strange:
            self._fail(f"the model asks for {', '.join(strange)}, which a sentence transformer does not")
        self.dimensions = self.embed(["dimensions"]).shape[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Run texts, none of which is blank, together."""
        import numpy as np

        read = self._tokenizer.encode_batch([self._folder.prefix + text for text in texts])
        mask = np.array([each.attention_mask for each in read], np.int64)
        fields = {
            "input_ids": np.array([each.ids for each in read], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.array([each.type_ids for each in read], np.int64),
        }
        found: Any = self._run({name: fields[name] for name in self._inputs})
        vectors = self._pooled(found, mask) if found.ndim == 3 else found  # noqa: PLR2004 - a row a token
        if vectors.ndim != 2 or not np.isfinite(vectors).all():  # noqa: PLR2004
            self._fail("what the model gives is no vector a text")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)

    def _run(self, fields: dict[str, Any]) -> Any:
        named = [each.name for each in self._session.get_outputs()]
        wanted = "sentence_embedding" if "sentence_embedding" in named else named[0]
        try:
            return self._session.run([wanted], fields)[0]
        except Exception as error:  # noqa: BLE001 - the errors of onnxruntime have no other common class
            self._fail("the model cannot be run on what its tokenizer gives", error)

    def _pooled(self, tokens: Any, mask: NDArray[np.int64]) -> Any:
        if self._folder.pooling == "cls":
            return tokens[:, 0]
        weights = mask[:, :, None].astype(tokens.dtype)
        return (tokens * weights).sum(1) / weights.sum(1).clip(min=1)

    def _read_tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        try:
            tokenizer: Any = Tokenizer.from_file(str(self._folder.tokenizer))
        except Exception as error:  # noqa: BLE001 - tokenizers raises nothing narrower
            self._fail("tokenizer.json cannot be read", error)
        tokenizer.enable_truncation(self._folder.longest)
        tokenizer.enable_padding(**_padding(tokenizer))
        return tokenizer

    def _read_model(self, threads: int | None) -> Any:
        onnxruntime: Any = import_module("onnxruntime")  # it has no types
        options = onnxruntime.SessionOptions()
        options.inter_op_num_threads = 1
        if threads is not None:
            options.intra_op_num_threads = threads
        options.log_severity_level = 4  # what it would print may tell of a text; we raise instead
        try:
            return onnxruntime.InferenceSession(
                str(self._folder.model), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001 - the errors of onnxruntime have no other common class
            self._fail("the model cannot be read", error)

    def _fail(self, why: str, error: Exception | None = None) -> NoReturn:
        raise ModelError(
            f"{self._folder.model.parent}: {why}; export the sentence transformer to ONNX again",
            provider="onnx",
            reason=type(error).__name__ if error else "does not fit",
        ) from error


def _padding(tokenizer: Any) -> dict[str, Any]:
    """Pad to the longest of a batch, with what the tokenizer itself pads with."""
    own: Mapping[str, Any] = tokenizer.padding or {}
    named = {name: own[name] for name in ("pad_id", "pad_type_id", "pad_token") if name in own}
    if not named:
        for token in ("[PAD]", "<pad>"):
            found = tokenizer.token_to_id(token)
            if found is not None:
                return {"pad_id": found, "pad_token": token}
    return named


def _digest(folder: Folder) -> str:
    whole = hashlib.sha256(repr((folder.pooling, folder.longest, folder.prefix)).encode())
    for path in (folder.tokenizer, *folder.weights):
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                whole.update(piece)
    return whole.hexdigest()[:16]
