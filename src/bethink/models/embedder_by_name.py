"""Create the embedder that a command-line option or an environment variable names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bethink.errors import InvalidError

if TYPE_CHECKING:
    from bethink.models.embedding import Embedder

FORMS: Final = "static, none, onnx:FOLDER or openai:MODEL"


def embedder_named(name: str) -> Embedder | None:
    """Return an embedder; None is none: words alone.

    `static` is the one that comes with the package. `onnx:FOLDER` is a local sentence transformer; `openai:MODEL` is
    behind the endpoint of `OPENAI_BASE_URL`, with the key of `OPENAI_API_KEY`.

    Raises:
        ImportError: what it needs is not installed; the message says how.
        InvalidError: it is named in no such way.
        NotFoundError: a file of a local model is missing.
    """
    kind, _, rest = name.partition(":")
    match kind, rest:
        case "none", "":
            return None
        case "static", "":
            from bethink.models.static import built_in

            return built_in()
        case "onnx", rest if rest:
            from bethink.models.onnx import OnnxEmbedder

            return OnnxEmbedder(rest)
        case "openai", rest if rest:
            from bethink.models.openai_embedding import OpenAIEmbedder

            return OpenAIEmbedder(rest)
        case _:
            raise InvalidError(f"unknown embedder; use {FORMS}", argument="embedder")
