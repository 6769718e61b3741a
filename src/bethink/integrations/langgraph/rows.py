"""Encode checkpoints as documents: their keys and bytes."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import ormsgpack
from langgraph.checkpoint.base import writes_sort_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from langgraph.checkpoint.base import Checkpoint
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from bethink.documents.values import Document, Path

ROOT: Final = "threads"  #: the first label of the paths
CHECKPOINTS, VALUES, WRITES = "checkpoints", "values", "writes"
LONGEST: Final = 500  #: bytes of a name that is kept as it is
MAX_INLINE: Final = 256  #: characters of a text that lies in the checkpoint itself
_ODD: Final = re.compile(r"[\x00\ud800-\udfff]")


@lru_cache(maxsize=4096)
def label(text: str) -> str:
    """Return a text as a label of a path: what is too long for one, or cannot be one, by its digest."""
    if _ODD.search(text) or len(text.encode(errors="surrogatepass")) > LONGEST:
        return "#" + hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return "=" + text


def thread_path(thread: str) -> Path:
    """Return where everything of a thread lies."""
    return ROOT, label(thread)


def checkpoints_path(thread: str, namespace: str) -> Path:
    """Return where the checkpoints of a namespace of a thread lie, each under its id."""
    return ROOT, label(thread), CHECKPOINTS, label(namespace)


def value_name(thread: str, namespace: str, channel: str, version: str | float) -> tuple[Path, str]:
    """Return where a version of a channel's value lies."""
    return (ROOT, label(thread), VALUES, label(namespace), label(channel)), str(version)


def writes_path(thread: str, namespace: str, checkpoint: str) -> Path:
    """Return where the writes that wait upon a checkpoint lie."""
    return ROOT, label(thread), WRITES, label(namespace), checkpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One checkpoint, without the values of its channels that lie by themselves."""

    thread: str
    namespace: str
    parent: str | None
    checkpoint: Checkpoint  #: `channel_values` has those that lie here
    metadata: dict[str, Any]
    apart: tuple[str, ...]  #: channels whose values lie by themselves

    @property
    def id(self) -> str:
        """Return the id of the checkpoint."""
        return self.checkpoint["id"]

    def name(self, channel: str) -> tuple[Path, str]:
        """Return where the value of a channel lies."""
        return value_name(self.thread, self.namespace, channel, self.checkpoint["channel_versions"][channel])

    def has(self, channel: str) -> bool:
        """Tell whether a value of a channel was stored with the checkpoint."""
        return channel in self.apart or channel in self.checkpoint["channel_values"]

    def packed(self, serde: SerializerProtocol) -> bytes:
        """Return the bytes of its document."""
        return ormsgpack.packb(
            [
                self.thread,
                self.namespace,
                self.parent,
                *serde.dumps_typed(self.checkpoint),
                *serde.dumps_typed(self.metadata),
                list(self.apart),
            ]
        )

    @classmethod
    def read(cls, document: Document, serde: SerializerProtocol) -> Row:
        """Read a checkpoint back."""
        thread, namespace, parent, kind, body, metadata_kind, metadata, apart = decode_document(document)
        return cls(
            thread=thread,
            namespace=namespace,
            parent=parent,
            checkpoint=serde.loads_typed((kind, body)),
            metadata=serde.loads_typed((metadata_kind, metadata)),
            apart=tuple(apart),
        )


def inline_values(channels: Mapping[str, Any], versions: Collection[str]) -> dict[str, Any]:
    """Return the values that lie in the checkpoint itself: small ones, and those of no version."""
    return {
        channel: value for channel, value in channels.items() if channel not in versions or _is_small(value)
    }


def _is_small(value: Any) -> bool:
    return (
        value is None
        or type(value) in {bool, int, float}
        or (type(value) is str and len(value) <= MAX_INLINE)
    )


def packed_value(value: Any, serde: SerializerProtocol) -> bytes:
    """Return the bytes of a channel's value."""
    return ormsgpack.packb(serde.dumps_typed(value))


def read_value(document: Document, serde: SerializerProtocol) -> Any:
    """Read a channel's value back."""
    kind, body = decode_document(document)
    return serde.loads_typed((kind, body))


def packed_write(
    task: str, task_path: str, number: int, channel: str, value: Any, serde: SerializerProtocol
) -> bytes:
    """Return the bytes of a write that waits."""
    return ormsgpack.packb([task, task_path, number, channel, *serde.dumps_typed(value)])


def read_writes(documents: Sequence[Document], serde: SerializerProtocol) -> list[tuple[str, str, Any]]:
    """Read the writes that wait upon a checkpoint, in the order in which they are applied."""
    found = [decode_document(document) for document in documents]
    found.sort(key=lambda each: writes_sort_key(each[1], each[0], each[2]))
    return [(task, channel, serde.loads_typed((kind, body))) for task, _, _, channel, kind, body in found]


def decode_document(document: Document) -> list[Any]:
    """Return what the bytes of a document hold."""
    return ormsgpack.unpackb(document.content or b"")
