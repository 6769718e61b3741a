"""Describe an uploaded file and the outcome of its import."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from bethink.server.dashboard.labels import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bethink.imports.values import Ingested, Malformed
    from bethink.lifecycle.exchange.values import Imported, Loss

MOST_SHOWN: Final = 20  #: of what was left out, one by one
FORMATS: Final[Mapping[str, str]] = {
    "chatgpt": "Conversations of ChatGPT",
    "claude": "Conversations of Claude",
    "claude-code": "Transcripts of Claude Code",
    "codex": "Transcripts of Codex",
    "gemini": "Conversations of Gemini",
    "mem0": "Memories of mem0",
    "letta": "An agent of Letta",
    "zep": "Facts and messages of Zep",
    "langgraph": "A store of LangGraph",
    "mcp-memory": "Entities of the MCP memory server",
    "markdown": "Markdown notes",
    "openviking": "Memories of OpenViking",
    "openai-agents": "Sessions of the OpenAI Agents SDK",
    "locomo": "Conversations of LoCoMo",
    "jsonl": "Messages, a line each",
    "json": "Messages",
    "bethink": "An export of Bethink",
}
_WHY: Final[Mapping[str, str]] = {
    "erased": "it was erased here",
    "refused": "the guard refuses it",
    "key taken": "another note here has its key",
    "another log": "the session of this name has gone on otherwise",
    "newer here": "what is here is newer, or more trusted",
    "unknown": "there is no place for it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What a file holds, or what became of it."""

    format: str
    counts: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])  #: what, and how many
    known: int = 0  #: that were there already
    waiting: int = 0  #: notes that wait for review
    left: list[str] = field(default_factory=list[str])  #: what was left out and why, a sentence each
    remarks: list[str] = field(default_factory=list[str])
    more: int = 0  #: sentences of `left` that are not among it
    facts: bool = False  #: whether other systems' facts are in it, which can be sifted

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to import."""
        return not any(count for _, count in self.counts) and not self.known


def of_ingested(found: Ingested) -> ImportReport:
    """Report conversations and facts that other programs wrote."""
    sessions = sum(len(each) for each in found.sessions.values())
    left = list(_left(found))
    return ImportReport(
        format=named(found.format),
        counts=[
            ("conversations", sessions),
            ("messages", found.kept),
            ("notes", found.notes),
            ("turns of which it is known what the models took", found.turns),
        ],
        known=found.known + found.notes_known,
        waiting=found.quarantined,
        left=left[:MOST_SHOWN],
        more=max(0, len(left) - MOST_SHOWN),
        remarks=list(_remarks(found)),
        facts=bool(found.notes or found.notes_known or found.unkept),
    )


def of_imported(found: Imported) -> ImportReport:
    """Report an export of Bethink."""
    left = [_lost(each) for each in found.losses]
    return ImportReport(
        format=FORMATS["bethink"],
        counts=[(plural(2, name).partition(" ")[2], count) for name, count in found.kept.items()],
        known=sum(found.known.values()),
        waiting=found.quarantined,
        left=left[:MOST_SHOWN],
        more=max(0, len(left) - MOST_SHOWN),
    )


def named(format: str) -> str:  # noqa: A002
    """Return what a format is called; several are joined."""
    return ", ".join(FORMATS.get(each, each) for each in format.split("+"))


def _left(found: Ingested) -> Iterator[str]:
    for reason, count in sorted(found.left.items(), key=lambda each: -each[1]):
        yield f"{count:,} × {reason}"
    if found.deleted:
        yield f"{plural(found.deleted, 'message')} of conversations that were deleted here since"
    for each in found.unkept:
        yield f"not remembered: {each.origin} {each.id}: {each.reason}"
    for each in found.broken:
        yield f"cannot be read: {_place(each)}"


def _remarks(found: Ingested) -> Iterator[str]:
    if found.undated:
        verb = "say" if found.undated > 1 else "says"
        yield f"{plural(found.undated, 'message')} {verb} no time: they have that of the import."
    for shape, count in found.unread.items():
        yield f"{plural(count, 'message')} of a shape that is not read, so recall does not find them: {shape}."


def _place(each: Malformed) -> str:
    where = f"line {each.line}: " if each.line else ""
    return f"{each.file + ', ' if each.file else ''}{where}{each.reason}"


def _lost(loss: Loss) -> str:
    details = f" ({', '.join(loss.details)})" if loss.details else ""
    return f"{loss.kind} {loss.id or ''}: {_WHY[loss.reason]}{details}"
